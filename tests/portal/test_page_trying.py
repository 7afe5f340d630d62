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


def filled(page: Tab, act: str, value: str) -> None:
    """Fill a field of the choice, as a person does: it is kept when the panel is drawn anew."""
    page.until(f"document.querySelector('{ENTRY} .trying [data-act={act}]')")
    tell = "['input', 'change'].forEach((kind) => one.dispatchEvent(new Event(kind)))"
    one = f"document.querySelector('{ENTRY} .trying [data-act={act}]')"
    page.js(f"((one) => {{ one.value = {value!r}; {tell}; }})({one})")


def test_a_routine_is_tried_on_a_file_that_is_chosen_or_named_and_on_no_other(page: Tab, running: Installation) -> None:
    entry = ENTRY
    (running.home / "Downloads").mkdir(exist_ok=True)
    (running.home / "Backup").mkdir(exist_ok=True)
    for name in ("first.iso", "second.iso"):
        (running.home / "Downloads" / name).write_text("x")
    with running.client() as client:
        run = client.ask("whenever an iso lands in Downloads, copy it to Backup", conversation="c-try")
        client.view(run, wait=True)
        client.approve(run, "once")
        client.view(run, wait=True)
    page.click_open("#routines-part")
    page.click_open(f"{entry} details")
    page.until(f"document.querySelector('{entry} .trying select')")
    offered = page.js(f"[...document.querySelectorAll('{entry} .trying option')].map((one) => one.innerText)")
    assert set(offered) >= {"the latest", "~/Downloads/first.iso", "~/Downloads/second.iso"}
    first = str(running.home / "Downloads/first.iso")
    filled(page, "try-which", first)
    page.click(f"{entry} .trying [data-act=try-with]")
    page.until("document.querySelector('.run .badge')?.dataset.resolution === 'tried'")
    assert "first.iso" in page.text(".run")
    assert "second.iso" not in page.text(".run")
    for named, says in (("~/Downloads/second.iso", ""), ("Downloads/nothing.iso", "nothing.iso")):
        filled(page, "try-named", named)
        page.click(f"{entry} .trying [data-act=try-with]")
        if says:
            page.until("document.getElementById('routines-said').className === 'error'")
            assert says in page.text("#routines-said")
        else:
            page.until("[...document.querySelectorAll('.run')].at(-1).innerText.includes('second.iso')")
    assert not list((running.home / "Backup").glob("*.iso")), "nothing of it stays"
