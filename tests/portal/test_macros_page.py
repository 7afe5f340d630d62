"""Macros on the page: made of what was done last, run by a button and told in a form, renamed and taken away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.portal.browser import MARKS, YES, Tab, signed_in
from tests.portal.conftest import Installation

ENTRY = "#macros [data-macro]"


@pytest.fixture
def no_macro_left(running: Installation) -> Iterator[None]:
    """Leave no macro and no question behind."""
    yield
    with running.client() as client:
        for waiting in client.approvals():
            client.approve(waiting["run"], "no")
        for one in client.macros():
            client.remove_macro(one["name"])


pytestmark = [*MARKS, pytest.mark.slow, pytest.mark.usefixtures("no_macro_left")]


def kept(page: Tab, name: str) -> None:
    """Give what was done last a name."""
    page.js(f"document.getElementById('macros-name').value = {name!r}")
    page.click("#macros-new button")
    page.click(YES)
    page.until(f"document.querySelector('{ENTRY}')")


def test_one_is_made_of_what_was_done_last_run_and_taken_away(page: Tab, running: Installation) -> None:
    page.settle("what is 17 * 3")
    page.click_open("#macros-part")
    page.until("document.querySelector('#macros .dim')")
    kept(page, "monthly close")
    assert "what is 17 * 3" in page.text(ENTRY)
    page.click(f"{ENTRY} [data-act=run]")
    page.until("document.querySelectorAll('.run .badge[data-resolution=executed]').length === 2")
    page.click_open(f"{ENTRY} details")
    page.until(f"document.querySelector('{ENTRY} details .task')")
    page.click(f"{ENTRY} [data-act=rename]")
    page.until("document.querySelector('#review [data-asked]')")
    page.js("document.querySelector('#review [data-asked]').value = 'month end'")
    page.until(f"document.querySelector('{YES}:enabled')")
    page.click(YES)
    page.until("document.querySelector('#macros [data-macro=\"month end\"]')")
    page.click(f"{ENTRY} [data-act=remove]")
    page.until(f"document.querySelector('{YES}:enabled')")
    page.click(YES)
    page.until(f"!document.querySelector('{ENTRY}')")
    with running.client() as client:
        assert client.macros() == []
    assert not page.noise, page.noise


def test_what_it_is_told_stands_in_a_form_and_what_is_left_empty_is_asked(page: Tab, running: Installation) -> None:
    done = running.steward("ask", "make a note called Errands saying milk", "--yes", "--json").json
    running.steward("macros", "new", "jot down", "--run", done["run"], "--ask", "title")
    page.click_open("#macros-part")
    page.until(f"document.querySelector('{ENTRY} [data-told=title]')")
    page.js(f"document.querySelector('{ENTRY} [data-told=title]').value = 'Friday'")
    page.click(f"{ENTRY} [data-act=run]")
    page.until("document.querySelector('.card [data-answer=once]:enabled')")
    assert "Friday" in page.text(".run")
    page.click(".card [data-answer=once]")
    page.until("document.querySelector('.run .badge')?.dataset.resolution === 'confirmed'")
    assert (running.home / "Notes" / "Friday.md").is_file()
    page.click(f"{ENTRY} [data-act=run]")
    page.until("[...document.querySelectorAll('.run .badge')].at(-1)?.dataset.resolution === 'clarify'")
    assert not page.noise, page.noise


@pytest.mark.parametrize(("language", "box"), [
    ("en-US", "ask each time: title (so far Chores)"), ("de-DE", "jedes Mal fragen: title (bisher Pflichten)"),
])  # fmt: skip
def test_which_values_are_asked_each_time_is_chosen_when_it_is_kept_and_the_answer_is_taken(
    tab: Tab, running: Installation, language: str, box: str
) -> None:
    tab.speak(language)
    try:
        signed_in(tab, running)
        tab.settle(f"make a note called {box.rstrip(')').split()[-1]} saying milk")
        tab.click_open("#macros-part")
        tab.js("document.getElementById('macros-name').value = 'jot down'")
        tab.click("#macros-new button")
        tab.until("document.querySelector('#review [data-ask=title]')")
        assert box in tab.text("#review")
        assert running.steward("macros", "--json").json["macros"] == [], "nothing before the yes"
        tab.click("#review [data-ask=title]")
        tab.click(YES)
        tab.until(f"document.querySelector('{ENTRY} [data-told=title]')")
        assert tab.js(f"document.querySelectorAll('{ENTRY} [data-told]').length") == 1, "what is not ticked is kept"
        tab.click(f"{ENTRY} [data-act=run]")
        tab.until("[...document.querySelectorAll('.run .badge')].at(-1)?.dataset.resolution === 'clarify'")
        name = f"Asked {language}"
        tab.settle(name)
        tab.until("[...document.querySelectorAll('.run .badge')].at(-1)?.dataset.resolution === 'confirmed'")
        assert "milk" in (running.home / "Notes" / f"{name}.md").read_text()
    finally:
        tab.speak("en-US")


def test_a_name_that_means_something_already_is_refused_with_a_next_step(page: Tab, running: Installation) -> None:
    page.settle("what is 17 * 3")
    page.click_open("#macros-part")
    page.js("document.getElementById('macros-name').value = 'undo that'")
    page.click("#macros-new button")
    page.click(YES)
    page.until("document.getElementById('macros-said').className === 'error'")
    assert page.js("document.getElementById('macros-name').value") == "undo that", "and it can be corrected"
    assert running.steward("macros", "--json").json["macros"] == []


def test_a_definition_is_seen_on_its_card_before_it_is_kept(page: Tab, running: Installation) -> None:
    page.ask("define sums as what is 17 * 3")
    page.until("document.querySelector('.card .inside .kept')")
    page.click_open(".card")
    assert "sums" in page.text(".card .inside .kept")
    page.until("document.querySelector('.card .task')")
    page.until("document.querySelector('.card .would')")
    assert page.js("document.querySelector('.card [data-act=try]')") is None
    page.until("document.querySelector('.card [data-answer=once]:enabled')")
    page.click(".card [data-answer=once]")
    page.until("document.querySelector('.run .badge[data-resolution=confirmed]')")
    with running.client() as client:
        assert [one["name"] for one in client.macros()] == ["sums"]
    assert not page.noise, page.noise
