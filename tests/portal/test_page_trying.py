"""Trying out on the page: on the card of a rule, in the panel of routines, and what a dry run would have changed."""

from __future__ import annotations

import pytest

from tests.portal.asked import RULE
from tests.portal.browser import MARKS, Tab
from tests.portal.conftest import Installation

pytestmark = [*MARKS, pytest.mark.slow, pytest.mark.usefixtures("downloaded", "no_routine_left")]

ENTRY = "#routines [data-routine]"
CARD = ".run .card"
MOVES = "whenever a pdf comes into Downloads, move it to Documents"


def test_the_card_of_a_rule_says_what_would_set_it_off_and_tries_it_here(page: Tab, running: Installation) -> None:
    (running.home / "Documents").mkdir(exist_ok=True)
    (running.home / "Downloads" / "<i>bill.pdf").write_bytes(b"%PDF-1.4")
    page.ask(MOVES)
    page.until(f"document.querySelector('{CARD} [data-answer=once]:enabled')")
    card = page.text(CARD)
    assert "One file that lies there now would have set it off: “<i>bill.pdf”." in card, card
    assert "Dry run: Not tried out" in card
    page.click(f"{CARD} [data-act=try]")
    page.until("document.querySelectorAll('.run').length === 2")
    page.until("[...document.querySelectorAll('.run')].at(-1).querySelector('.card .show')")
    page.js("[...document.querySelectorAll('.run')].at(-1).querySelector('.card .show').click()")
    page.until("[...document.querySelectorAll('.run')].at(-1).querySelector('.card [data-answer=once]:enabled')")
    asked = page.js("[...document.querySelectorAll('.run')].at(-1).querySelector('.card').innerText")
    assert "To try this out Steward needs your permission, this once" in asked
    assert "Nothing of it stays" in asked
    answers = "[...document.querySelectorAll('.run')].at(-1).querySelectorAll('.answers [data-answer]')"
    assert page.js(f"[...{answers}].map(e => e.innerText)") == ["No", "Try it"]
    page.js("[...document.querySelectorAll('.run')].at(-1).querySelector('.card [data-answer=once]').click()")
    page.until("[...document.querySelectorAll('.run')].at(-1).querySelector('.badge')?.dataset.resolution === 'tried'")
    done = page.js("[...document.querySelectorAll('.run')].at(-1).innerText")
    for part in ("Dry run", "Tried out; nothing of it stays.", "Documents", "bill"):
        assert part in done, (part, done)
    assert (running.home / "Downloads" / "<i>bill.pdf").exists()
    assert running.steward("perms", "--json").json["grants"] == []
    assert page.js(f"!!document.querySelector('{CARD} [data-answer=once]')"), "the rule's card still waits"
    page.js("location.reload()")
    page.until("document.querySelectorAll('.run').length === 2")
    assert not page.noise, page.noise


def test_one_that_is_kept_is_tried_out_in_its_panel(page: Tab) -> None:
    page.click_open("#routines-part")
    page.settle(RULE)
    page.until(f"document.querySelector('{ENTRY}')")
    page.click(f"{ENTRY} [data-act=try]")
    page.until("document.querySelector('.run .badge')?.dataset.resolution === 'tried'")
    assert "big.iso" in page.text(".run .result")
    assert page.text(f"{ENTRY} .last").endswith("not yet")
    page.click_open(f"{ENTRY} details")
    page.until(f"document.querySelector('{ENTRY} details .task')")
    assert "Due next: " in page.text(f"{ENTRY} details")
    assert not page.noise, page.noise
