"""The page over the end and the return of its daemon: what is said, what is kept, and nothing twice."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.portal.browser import MARKS, Tab, signed_in

Installation = Any  # tests/portal/conftest.py

pytestmark = MARKS

LIVE = "document.getElementById('link')?.dataset.state === 'live'"
OFFLINE = "document.getElementById('link')?.dataset.state === 'offline'"
TEXTS = "[...document.querySelectorAll('.run .said')].map(e => e.innerText)"
RECENT = "[...document.querySelectorAll('#recent .words')].map(e => e.innerText)"


@pytest.fixture
def lasting(installation: Installation) -> Installation:
    """An installation whose daemon comes back at the same address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return replace(installation, extra={"STEWARD_PORT": str(port)})


def test_the_end_of_the_daemon_is_said_calmly_and_what_was_typed_stays(tab: Tab, lasting: Installation) -> None:
    with lasting.daemon():
        signed_in(tab, lasting)
        tab.settle("what is 2 + 3")
        tab.js("document.getElementById('text').focus()")
        tab.type("what is 6 ")
    tab.until(OFFLINE)
    assert "./steward up" in tab.text("#banner")
    assert tab.js("document.getElementById('banner').checkVisibility()")
    assert tab.js("document.getElementById('send').disabled") is True
    tab.type("* 7")
    tab.press("Enter")
    assert tab.js("document.getElementById('text').value") == "what is 6 * 7"
    assert "5" in tab.text(".answer"), "what was there stays"
    with lasting.daemon():
        tab.until(LIVE)
        assert not tab.js("document.getElementById('banner').checkVisibility()")
        tab.press("Enter")
        tab.until("[...document.querySelectorAll('.answer')].some(e => e.innerText.includes('42'))")
        assert tab.js("document.getElementById('text').value") == ""


def test_a_restart_signs_nobody_out_loses_nothing_and_shows_nothing_twice(tab: Tab, lasting: Installation) -> None:
    with lasting.daemon():
        signed_in(tab, lasting)
        tab.settle("what is 2 + 3")
        tab.ask("make a note called later saying milk")
        tab.until("document.querySelector('.card')")
        conversation = tab.js("sessionStorage.getItem('steward.conversation')")
    tab.until(OFFLINE)
    with lasting.daemon(), lasting.client() as client:
        run = client.ask("what is 10 + 20", conversation=conversation)
        assert client.view(run, wait=True)["answer"]
        tab.until(LIVE)
        said = ["what is 2 + 3", "make a note called later saying milk", "what is 10 + 20"]
        tab.until(f"({TEXTS}).length === 3")
        assert tab.js(TEXTS) == said
        assert sorted(tab.js(RECENT)) == sorted(said)
        assert tab.js("document.querySelectorAll('.card').length") == 1
        assert tab.text("#waiting").startswith("1")
        tab.call("Page.reload")
        tab.until(LIVE)
        tab.until(f"({TEXTS}).length === 3")
        assert tab.js(TEXTS) == said, "the sign-in outlived the daemon"
        tab.until("document.querySelector('.card [data-answer=once]:enabled')")
        tab.click(".card [data-answer=once]")
        tab.until("document.querySelectorAll('.more').length === 3")
        assert list(Path(lasting.home).glob("Notes/later*"))


def test_a_page_that_was_signed_out_goes_on_when_the_browser_is_signed_in_again(
    tab: Tab, lasting: Installation
) -> None:
    with lasting.daemon():
        signed_in(tab, lasting)
    lasting.places.sessions.unlink()
    with lasting.daemon():
        tab.until("!document.getElementById('gate').hidden")
        assert "./steward open" in tab.text("#gate")
        signed_in(tab, lasting)
        tab.settle("what is 2 + 3")
        assert "5" in tab.text(".answer")
