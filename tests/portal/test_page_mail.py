"""A mail of which nobody knows whether it was sent, on the page: the question, and each of its three buttons."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from portal.wire import is_listening
from tests.mail_servers import PASSWORD, USER, PostOffice, post_office
from tests.permissions.egress.conftest import PUBLIC, Authority, make_authority
from tests.portal.browser import MARKS, Tab, signed_in
from tests.portal.conftest import Installation, wait_for

pytestmark = [*MARKS, pytest.mark.slow, pytest.mark.sandbox]

HOST = "post.test"
SAID = "send an email to ben@example.org saying the plumber comes at nine"
CARD = ".run:last-child .card"


@dataclass
class Post:
    """An installation with a mail account, the server that takes its mail, and the file that makes its line break."""

    installation: Installation
    office: PostOffice
    fault: Path


@contextmanager
def office_at_work(authority: Authority) -> Iterator[PostOffice]:
    """Serve from a thread of its own, for other processes."""
    loop = asyncio.new_event_loop()
    found: list[PostOffice] = []
    ready, over = threading.Event(), asyncio.Event()

    async def run() -> None:
        async with post_office(authority.context(HOST), PUBLIC) as office:
            found.append(office)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    try:
        assert ready.wait(20)
        yield found[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(20)
        loop.close()


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Post]:
    """A daemon that reaches a real mail server."""
    made = Installation(tmp_path_factory.mktemp("posting"))
    made.home.mkdir(mode=0o700)
    fault = made.root / "fault"
    authority = make_authority(made.root)
    with office_at_work(authority) as office:
        words = [sys.executable, "-P", "-m", "tests.portal.posting_daemon", PUBLIC, str(authority.file), str(fault)]
        environ = made.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
        daemon = subprocess.Popen(words, env=environ, cwd="/")
        try:
            wait_for(lambda: is_listening(made.places) or daemon.poll() is not None)
            assert daemon.poll() is None, made.log
            with made.client() as client:
                account = {"address": USER, "name": "Me", "smtp": {"host": HOST, "port": office.port}}
                client.set_mail(account)
                client.put_secret("mail", PASSWORD)
            yield Post(made, office, fault)
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.wait(30)


@pytest.fixture
def asked(tab: Tab, post: Post) -> Iterator[Tab]:
    """The page, with the question whether a mail was sent: its line broke when the server had it."""
    signed_in(tab, post.installation)
    post.office.taken.clear()
    post.fault.touch()
    tab.ask(SAID)
    title = f"document.querySelector('{CARD} h2')?.innerText"
    tab.until(f"{title} && document.querySelector('{CARD} [data-answer=once]:enabled')")
    while tab.text(f"{CARD} h2") != "This mail is about to leave":
        tab.click(f"{CARD} [data-answer=once]")
        tab.until(f"{title} === 'This mail is about to leave'")
    shown = tab.text(CARD)
    assert "ben@example.org" in shown
    assert "the plumber comes at nine" in shown
    tab.click(f"{CARD} [data-answer=once]")
    tab.until(f"{title} === 'Was this mail sent?'")
    assert len(post.office.taken) == 1, "the fault fired: the server has it"
    yield tab
    post.fault.unlink(missing_ok=True)


def test_nobody_says_yes_by_key_and_leaving_it_sends_nothing_more(asked: Tab, post: Post) -> None:
    words = asked.js(f"[...document.querySelectorAll('{CARD} .answers [data-answer]')].map(e => e.innerText)")
    assert words == ["Leave it", "It was sent", "Send it again"]
    asked.until(f"document.querySelector('{CARD} [data-answer=once]:enabled')")
    asked.js(f"document.querySelector('{CARD}').focus()")
    asked.press("y")
    assert asked.text(f"{CARD} h2") == "Was this mail sent?", "whether it was is no yes or no"
    asked.click(f"{CARD} [data-answer=no]")
    asked.until("document.querySelector('.run:last-child .more')")
    assert "not known" in asked.text(".run:last-child .answer")
    assert len(post.office.taken) == 1


def test_it_was_sent_ends_the_run_as_done(asked: Tab, post: Post) -> None:
    asked.click(f"{CARD} [data-answer=done]")
    asked.until("document.querySelector('.run:last-child .badge')?.dataset.resolution === 'confirmed'")
    assert len(post.office.taken) == 1


def test_send_it_again_sends_it_once_more(asked: Tab, post: Post) -> None:
    post.fault.unlink()
    asked.click(f"{CARD} [data-answer=once]")
    asked.until("document.querySelector('.run:last-child .badge')?.dataset.resolution === 'confirmed'")
    assert [one.recipients for one in post.office.taken] == [("ben@example.org",)] * 2
    assert not asked.noise, asked.noise
