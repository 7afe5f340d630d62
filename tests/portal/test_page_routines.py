"""Routines on the page: kept by a yes on their card, seen, run, put to rest and taken away in the panel at the side."""

from __future__ import annotations

import re

import pytest

from tests.portal.asked import RULE, RULE_DE
from tests.portal.browser import MARKS, NO, YES, Tab, signed_in
from tests.portal.conftest import Installation

pytestmark = [*MARKS, pytest.mark.slow, pytest.mark.usefixtures("downloaded", "no_routine_left")]

ENTRY = "#routines [data-routine]"
CARD = ".run .card"


def asked(page: Tab, text: str) -> None:
    """Say a rule, and wait for its card."""
    page.ask(text)
    page.until(f"document.querySelector('{CARD} [data-answer=once]:enabled')")


def kept(page: Tab, text: str = RULE) -> None:
    """Keep a rule, with the panel open."""
    page.click_open("#routines-part")
    page.settle(text)
    page.until(f"document.querySelector('{ENTRY}')")


def test_the_card_says_what_is_kept_with_which_rights_and_keeps_nothing_before_a_yes(
    page: Tab, running: Installation
) -> None:
    asked(page, RULE)
    card = page.text(CARD)
    for part in (
        "This will be done by itself from now on", "every day at 18:00", "show me the largest files in Downloads",
        "18:00", "It gets these rights for good, for itself alone", "read everything in ~/Downloads",
        "Nothing is kept yet",
    ):  # fmt: skip
        assert part in card, (part, card)
    words = f"[...document.querySelectorAll('{CARD} .answers [data-answer]')].map(e => [e.dataset.answer, e.innerText])"
    assert page.js(words) == [["no", "No"], ["once", "Keep"]]
    assert page.js(f"!!document.querySelector('{CARD} .plan .task')"), "the plan is drawn on it"
    assert running.steward("routines", "--json").json == {"routines": []}
    page.click(f"{CARD} [data-answer=no]")
    page.until("document.querySelector('.run .badge')?.dataset.resolution === 'refused'")
    assert running.steward("routines", "--json").json == {"routines": []}
    assert not page.noise, page.noise


def test_a_german_rule_is_shown_in_german(page: Tab) -> None:
    asked(page, RULE_DE)
    card = page.text(CARD)
    for part in (
        "Das geschieht von nun an von selbst",
        "jeden Tag um 18:00",
        "Behalten",
        "auf Dauer",
        "Noch ist nichts",
    ):
        assert part in card, (part, card)


def test_a_rule_is_kept_seen_run_put_to_rest_and_taken_away(page: Tab, running: Installation) -> None:
    kept(page)
    said = page.text(ENTRY)
    for part in ("every day at 18:00: show me the largest files in Downloads", "Next:", "(in ", "Last run: not yet"):
        assert part in said, (part, said)
    page.click(f"{ENTRY} [data-act=run]")
    page.until(f"/Last run: .*done/.test(document.querySelector('{ENTRY}').innerText)")
    page.click(f"{ENTRY} [data-act=last]")
    page.until("document.querySelector('.run .said .asker')?.innerText.startsWith('Routine ')")
    assert "big.iso" in page.text(".run .result")
    assert page.text("#recent .asker").startswith("Routine ")
    page.click_open(f"{ENTRY} details")
    page.until(f"document.querySelector('{ENTRY} details .task')")
    inside = page.text(f"{ENTRY} details")
    assert RULE in inside
    assert "files may read everything in ~/Downloads" in inside
    page.js(f"document.querySelector('{ENTRY} [data-act=rest]').focus()")
    page.press("Enter")
    page.until(f"document.querySelector('{ENTRY}')?.innerText.includes('Next: rests')")
    assert page.js("document.activeElement.innerText") == "Resume", "the focus stays where it was"
    assert running.steward("routines", "--json").json["routines"][0]["paused"] is True
    page.click(f"{ENTRY} [data-act=rest]")
    page.until(f"document.querySelector('{ENTRY}')?.innerText.includes('(in ')")
    page.click(f"{ENTRY} [data-act=remove]")
    page.until("document.getElementById('review').open")
    assert "1 right of its own goes with it" in page.text("#review")
    assert running.steward("routines", "--json").json["routines"], "nothing before the yes"
    page.click(YES)
    page.until("document.querySelector('#routines .ideas')")
    assert running.steward("routines", "--json").json == {"routines": []}
    assert running.steward("perms", "--json").json["grants"] == []
    assert not page.noise, page.noise


def test_what_was_asked_about_it_and_said_stands_with_it(page: Tab) -> None:
    page.settle("every friday at five write in my note Week")
    page.until("document.querySelector('.run .badge')?.dataset.resolution === 'clarify'")
    kept(page, "the week is over")
    page.click_open(f"{ENTRY} details")
    page.until(f"document.querySelector('{ENTRY} .answered')")
    assert re.fullmatch(r"Asked: .+ You said: the week is over", page.text(f"{ENTRY} .answered"))
    assert not page.noise, page.noise


@pytest.mark.parametrize(("language", "back"), [("en-US", "is back"), ("de-DE", "ist wieder da")])
def test_what_was_taken_away_comes_back_by_undo_beside_it_unless_its_name_is_taken(
    tab: Tab, running: Installation, language: str, back: str
) -> None:
    tab.speak(language)
    try:
        signed_in(tab, running)
        kept(tab)
        before = running.steward("perms", "--json").json["grants"]
        for taken in (False, True):
            tab.click(f"{ENTRY} [data-act=remove]")
            tab.until("document.getElementById('review').open")
            tab.click(YES)
            tab.until("document.querySelector('#routines-said [data-act=bring-back]')")
            assert running.steward("perms", "--json").json["grants"] == []
            if taken:
                with running.client() as client:
                    run = client.ask(RULE, conversation="c-elsewhere")
                    client.view(run, wait=True)
                    client.approve(run, "once")
                tab.until(f"document.querySelector('{ENTRY}')")
            tab.click("#routines-said [data-act=bring-back]")
            if not taken:
                tab.until("document.getElementById('review').open")
                assert "): " in tab.text("#review .brought"), "which rights come back is seen first"
                assert running.steward("perms", "--json").json["grants"] == []
                tab.click(NO)
                tab.click("#routines-said [data-act=bring-back]")
                tab.click(YES)
            tab.until("!document.querySelector('#routines-said button')")
            if not taken:
                tab.until(f"document.getElementById('routines-said').innerText.includes({back!r})")
                tab.until(f"document.querySelector('{ENTRY}')")
                assert running.steward("perms", "--json").json["grants"] == before
        tab.until("document.getElementById('routines-said').className === 'error'")
        assert "./steward routines remove" in tab.text("#routines-said")
    finally:
        tab.speak("en-US")


def test_what_it_was_stands_there_with_a_way_back_that_waits_for_a_yes(page: Tab, running: Installation) -> None:
    kept(page)
    (one,) = running.steward("routines", "--json").json["routines"]
    page.settle(f"change the routine {one['name']} to 7:30")
    page.until(f"document.querySelector('{ENTRY}')?.innerText.includes('every day at 07:30')")
    page.click_open(f"{ENTRY} details")
    page.until(f"document.querySelector('{ENTRY} [data-version=\"1\"]')")
    assert "every day at 18:00" in page.text(f"{ENTRY} .versions")
    page.click(f"{ENTRY} [data-version='1'] [data-act=back]")
    page.until(f"document.querySelector('{CARD} [data-answer=once]:enabled')")
    assert "every day at 18:00" in page.text(CARD)
    page.click(f"{CARD} [data-answer=once]")
    page.until(f"document.querySelector('{ENTRY}')?.innerText.includes('every day at 18:00')")
    assert not page.noise, page.noise


def test_what_happens_elsewhere_is_seen_at_once_and_a_run_that_waits_says_which_routine_asks(
    page: Tab, running: Installation
) -> None:
    page.click_open("#routines-part")
    page.until("document.querySelector('#routines .ideas button')")
    with running.client() as client:
        run = client.ask(RULE, conversation="c-elsewhere")
        client.view(run, wait=True)
        client.approve(run, "once")
        client.view(run, wait=True)
        (name,) = [one["name"] for one in client.routines()]
    page.until(f"document.querySelector('{ENTRY}')")
    (grant,) = running.steward("perms", "--json").json["grants"]
    assert running.steward("perms", "revoke", grant["id"]).code == 0
    page.click(f"{ENTRY} [data-act=run]")
    page.until(f"document.querySelector('{ENTRY} [data-act=last]')?.innerText.includes('waits for you')")
    assert page.text("#waits .asker").strip() == f"Routine {name}:"
    page.click(f"{ENTRY} [data-act=last]")
    page.until(f"document.querySelector('{CARD} .client')")
    assert f"The routine {name} needs this" in page.text(f"{CARD} .client")
    assert "program" not in page.text(CARD)
    assert name in running.steward("approve").out
    page.click(f"{CARD} .inside [data-answer=no]")
    page.until(f"/you said no/.test(document.querySelector('{ENTRY} [data-act=last]')?.innerText)")
    assert running.steward("routines", "pause", name).code == 0
    page.until(f"document.querySelector('{ENTRY}')?.innerText.includes('Next: rests')")
    assert running.steward("routines", "remove", name).code == 0
    page.until("document.querySelector('#routines .ideas button')")


@pytest.mark.parametrize(("language", "example"), [("en-US", RULE), ("de-DE", RULE_DE)])
def test_the_example_of_an_empty_panel_is_taken_up_and_can_be_kept(
    tab: Tab, running: Installation, language: str, example: str
) -> None:
    tab.speak(language)
    try:
        signed_in(tab, running)
        tab.click_open("#routines-part")
        tab.click("#routines .ideas button")
        assert tab.js("document.getElementById('text').value") == example
        assert tab.js("document.activeElement.id") == "text"
        asked(tab, example)
    finally:
        tab.speak("en-US")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_narrow_screen_nothing_of_it_stands_outside(page: Tab, scheme: str) -> None:
    kept(page)
    try:
        page.look(360, 740, scheme)
        page.click("#menu")
        page.click_open(f"{ENTRY} details")
        page.until(f"document.querySelector('{ENTRY} details .task')")
        outside = (
            "[...document.querySelectorAll('#routines-part *')].filter(e => e.getBoundingClientRect().right > 361)"
        )
        assert page.js(f"{outside}.map(e => e.outerHTML)") == []
        assert page.js("document.documentElement.scrollWidth <= 360")
        page.click(f"{ENTRY} [data-act=run]")
        page.until(f"/done/.test(document.querySelector('{ENTRY} [data-act=last]')?.innerText)")
        page.click(f"{ENTRY} [data-act=last]")
        assert page.js("getComputedStyle(document.getElementById('side')).display") == "none", "the run is seen"
    finally:
        page.look_away()


def test_words_of_a_rule_are_entered_as_text(page: Tab) -> None:
    evil = "<img src=x onerror=alert(1)>"
    asked(page, f"every day at 18:00 make a note called party saying {evil}")
    assert evil in page.text(CARD)
    assert page.js("document.querySelector('.run img')") is None
