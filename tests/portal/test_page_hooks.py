"""The webhook of a routine on the page: its address stands there, its token is made by a click, shown, and renewed."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.portal.browser import MARKS, YES, Tab, signed_in
from tests.portal.conftest import Installation

pytestmark = [*MARKS, pytest.mark.slow, pytest.mark.usefixtures("no_routine_left")]

HOOK = "when the webhook doorbell is called, add the message to my note Rings"
ENTRY = "#routines [data-routine]"
TOKEN = f"{ENTRY} .hook .token code"


def opened(page: Tab, running: Installation) -> str:
    """Keep a rule that waits for a webhook, and open it on the page; return its name."""
    (running.home / "Notes").mkdir(exist_ok=True)
    (running.home / "Notes" / "Rings.md").write_text("# Rings\n")
    with running.client() as client:
        run = client.ask(HOOK, conversation="c-hook")
        client.view(run, wait=True)
        client.approve(run, "once")
        client.view(run, wait=True)
        (name,) = [one["name"] for one in client.routines()]
    page.click_open("#routines-part")
    page.click_open(f"{ENTRY} details")
    page.until(f"document.querySelector('{ENTRY} .hook')")
    return str(name)


def call(address: str, token: str) -> int:
    return httpx.post(address, content="somebody is there", headers={"Authorization": f"Bearer {token}"}).status_code


@pytest.mark.parametrize(("language", "none", "renew"), [
    ("en-US", "No token opens it yet.", "Make a new token"), ("de-DE", "Noch öffnet ihn kein Token.", "Neues Token"),
])  # fmt: skip
def test_its_token_is_made_by_a_click_copied_and_renewed_after_a_question(
    tab: Tab, running: Installation, language: str, none: str, renew: str
) -> None:
    tab.speak(language)
    try:
        signed_in(tab, running)
        opened(tab, running)
        assert none in tab.text(f"{ENTRY} .hook")
        address = tab.text(f"{ENTRY} .hook code")
        assert address.endswith("/hooks/doorbell")
        tab.click(f"{ENTRY} .hook [data-act=token]")
        tab.until(f"document.querySelector('{TOKEN}')")
        first = tab.text(TOKEN)
        assert call(address, first) == 202
        tab.js("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
        tab.click(f"{ENTRY} .hook .token [data-act=copy]")
        tab.until("window.copied")
        assert tab.js("window.copied") == first
        tab.until(f"document.querySelector('{ENTRY} .hook [data-act=token]')?.innerText.includes('{renew}')")
        tab.click(f"{ENTRY} .hook [data-act=token]")
        tab.until("document.getElementById('review').open")
        assert call(address, first) == 202, "nothing before the yes"
        tab.click(YES)
        tab.until(f"(document.querySelector('{TOKEN}')?.innerText || {first!r}) !== {first!r}")
        second = tab.text(TOKEN)
        assert (call(address, first), call(address, second)) == (401, 202)
    finally:
        tab.speak("en-US")


def test_its_token_is_neither_in_the_page_as_it_comes_nor_in_any_log(page: Tab, running: Installation) -> None:
    name = opened(page, running)
    page.click(f"{ENTRY} .hook [data-act=token]")
    page.until(f"document.querySelector('{TOKEN}')")
    token = page.text(TOKEN)
    page.js("location.reload()")
    page.until(f"document.getElementById('house')?.hidden === false && !document.querySelector('{ENTRY}')")
    page.click_open("#routines-part")
    page.click_open(f"{ENTRY} details")
    page.until(f"document.querySelector('{ENTRY} .hook')")
    assert token not in page.js("document.documentElement.outerHTML")
    assert token not in str(running.steward("routines", "show", name, "--json").json)
    assert token not in running.steward("log", "--json").out
    logs: list[Path] = [one for one in running.places.state.rglob("*") if one.is_file()]
    assert running.places.log in logs
    assert [one for one in logs if token.encode() in one.read_bytes()] == []


def test_of_a_routine_that_is_gone_meanwhile_it_says_so(page: Tab, running: Installation) -> None:
    name = opened(page, running)
    page.js("window.fetch = ((real) => (url, more) => real(String(url).endsWith('/token') ? url.replace(/routines.*/, "
            "'routines/nope/token') : url, more))(window.fetch)")  # fmt: skip
    page.click(f"{ENTRY} .hook [data-act=token]")
    page.until("document.getElementById('routines-said').className === 'error'")
    assert "There is no routine nope" in page.text("#routines-said")
    assert page.js(f"document.querySelector('{TOKEN}')") is None
    assert name in page.text(ENTRY)
