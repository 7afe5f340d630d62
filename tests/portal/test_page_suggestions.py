"""Suggestions on the page: seen with their reasons, edited, kept, put off and refused; and one beside the offers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.portal.browser import MARKS, YES, Tab, signed_in
from tests.portal.conftest import Installation
from tests.portal.habitual import BIRTHDAYS, LOOK, PEOPLE, TOTALS, Habit, write_weeks

pytestmark = [*MARKS, pytest.mark.slow]

ENTRY = "#suggestions [data-suggestion]"
UNASKED = "document.querySelector('#unasked:not([hidden]) [data-act=look]')"
LOOKS = (
    "performance.getEntriesByType('resource').filter(e => e.name.endsWith('/suggestions/now') && e.responseEnd).length"
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A person with four habits, a daemon, and no quiet hours."""
    made = Installation(tmp_path_factory.mktemp("running"), {"STEWARD_QUIET_HOURS": ""})
    write_weeks(made, LOOK, PEOPLE, BIRTHDAYS, TOTALS)
    with made.daemon():
        yield made


@pytest.fixture(scope="module")
def in_german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One who speaks German and is never to be spoken to unasked."""
    made = Installation(tmp_path_factory.mktemp("german"), {"STEWARD_QUIET_HOURS": "0-24"})
    write_weeks(made, LOOK, language="de")
    with made.daemon():
        yield made


def of(installation: Installation, habit: Habit) -> dict[str, str]:
    """Return the suggestion that a habit came to."""
    found = installation.steward("suggestions", "--json").json["suggestions"]
    one: dict[str, str]
    (one,) = [each for each in found if [step["tool"] for step in each["steps"]] == [tool for tool, _ in habit]]
    return one


def opened(page: Tab, one: dict[str, str]) -> str:
    """Open the list, and what would be kept of one; return where that one stands."""
    entry = f"#suggestions [data-suggestion='{one['key']}']"
    page.click_open("#suggestions-part")
    page.click_open(f"{entry} details")
    return entry


def name(page: Tab, entry: str, words: str) -> None:
    """Give one a name."""
    page.js(f'document.querySelector("{entry} [data-act=name]").focus()')
    page.type(words)


def test_it_says_what_was_seen_and_is_kept_as_it_was_edited_and_leads_to_a_rule(
    page: Tab, running: Installation
) -> None:
    one = of(running, LOOK)
    entry = opened(page, one)
    for part in ("what", "why", "sure", "saves"):
        assert one[part].replace(str(running.home), "~") in page.text(entry), part
    name(page, entry, "big ones")
    page.js(f'document.querySelector("{entry} [data-act=step-1]").focus()')
    page.press(" ")
    page.until(f"!document.querySelector(\"{entry} [data-act='ask-1.folder']\")")
    assert page.js("document.activeElement.dataset.act") == "step-1", "the focus stays where it was"
    page.js(f"document.querySelector(\"{entry} [data-act='ask-2.folder']\").click()")
    page.click(f"{entry} [data-act=accept]")
    page.until("document.getElementById('suggestions-said').innerText.startsWith('big ones is kept')")
    page.until(f'!document.querySelector("{entry}")')
    assert not page.js("!!document.querySelector('#suggestions-said button')"), "what is asked each time is no rule"
    (macro,) = running.steward("macros", "--json").json["macros"]
    assert (macro["name"], macro["tools"]) == ("big ones", ["files.largest"])
    assert [each["name"] for each in macro["parameters"]] == ["folder"]
    assert not page.noise, page.noise


def test_a_refused_name_is_said_and_what_is_kept_can_be_a_rule_by_words_that_are_not_sent_yet(
    page: Tab, running: Installation
) -> None:
    one = of(running, PEOPLE)
    entry = opened(page, one)
    name(page, entry, "yes")
    page.click(f"{entry} [data-act=accept]")
    page.until("document.getElementById('suggestions-said').className === 'error'")
    running.steward("suggestions", "edit", one["key"], "--name", "look around")
    typed = f'document.querySelector("{entry} [data-act=name]")'
    page.until(f"{typed}.placeholder === 'look around'")
    assert page.js(f"{typed}.value") == "yes", "what was typed stays"
    page.js(f"{typed}.select()")
    name(page, entry, "weekly look")
    page.click(f"{entry} [data-act=accept]")
    page.click("#suggestions-said .rule")
    page.until("document.getElementById('text').value.endsWith('do weekly look')")
    assert running.steward("routines", "--json").json == {"routines": []}


def test_it_is_refused_for_good_after_a_question(page: Tab, running: Installation) -> None:
    one = of(running, BIRTHDAYS)
    entry = opened(page, one)
    page.click(f"{entry} [data-act=never]")
    page.until("document.getElementById('review').open")
    assert one["what"] in page.text("#review")
    assert of(running, BIRTHDAYS), "nothing before the yes"
    page.click(YES)
    page.until(f'!document.querySelector("{entry}")')
    assert running.steward("suggestions", "show", one["key"], "--json").json["answer"] == "never"
    assert not page.noise, page.noise


def test_one_stands_beside_the_offers_leads_to_the_list_and_can_be_put_off(page: Tab, running: Installation) -> None:
    page.until(UNASKED)
    key = page.js("document.getElementById('unasked').dataset.key")
    one = running.steward("suggestions", "show", key, "--json").json
    assert page.text("#unasked").startswith(one["what"].replace(str(running.home), "~"))
    assert page.js("document.documentElement.scrollWidth <= window.innerWidth"), "it stays on its line"
    assert page.js("document.getElementById('unasked').getAttribute('aria-label')") == "A suggestion"
    page.js(f"{UNASKED}.focus()")
    page.press("Enter")
    page.until(f"document.activeElement.closest('{ENTRY}')?.dataset.suggestion === '{key}'")
    page.ask("make a note called tea saying green")
    page.until("document.querySelector('.card [data-answer=once]:enabled')")
    page.until("document.getElementById('unasked').hidden")
    page.click(".card [data-answer=no]")
    page.until(f"{UNASKED} && document.getElementById('unasked').dataset.key === '{key}'")
    page.click("#unasked .away")
    page.until(f"!document.querySelector('#suggestions [data-suggestion=\"{key}\"]')")
    assert running.steward("suggestions", "show", key, "--json").json["until"]
    looks = page.js(LOOKS)
    page.settle("what is 2 + 3")
    page.until(f"{LOOKS} > {looks}")
    assert page.js("document.getElementById('unasked').dataset.key") != key
    assert not [each for each in page.noise if "suggestion" in repr(each)], page.noise


def test_one_is_told_in_german_and_in_quiet_hours_only_to_whoever_looks(tab: Tab, in_german: Installation) -> None:
    tab.speak("de-DE")
    try:
        signed_in(tab, in_german)
        tab.until(f"{LOOKS} > 0")
        assert tab.js("document.getElementById('unasked').hidden")
        one = of(in_german, LOOK)
        entry = opened(tab, one)
        for part in ("mal ", "Von den Malen", "Ein Satz statt 2", "Was behalten wird", "jedes Mal fragen", "Nie mehr"):
            assert part in tab.text(entry), (part, tab.text(entry))
        assert tab.text("#suggestions-part summary").lower() == "vorschläge"
        tab.click(f"{entry} [data-act=snooze]")
        tab.until("document.querySelector('#suggestions .dim')?.innerText.startsWith('Noch ist nichts')")
    finally:
        tab.speak("en-US")
