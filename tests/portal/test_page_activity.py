"""The screen of what happened: sorts, a run, pages, what an event says, the chain, a file, and every state of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kernel.activity import SORTS
from memory import Draft, Ledger
from tests.portal.browser import MARKS, Tab, signed_in

Installation = Any  # tests/portal/conftest.py

pytestmark = MARKS

ROWS = "#screen .event"
SHOWN = "[...document.querySelectorAll('#screen .event')].map((one) => one.dataset.kind)"


@pytest.fixture
def activity(tab: Tab, running: Installation) -> Tab:
    """The screen of a daemon that has added two numbers."""
    running.steward("ask", "what is 2 + 3", "--json")
    signed_in(tab, running)
    tab.click("[data-screen=activity]")
    tab.until(f"document.querySelectorAll('{ROWS}').length > 5")
    return tab


def test_the_newest_stands_first_and_says_what_it_says(activity: Tab) -> None:
    assert activity.js("document.getElementById('talk').hidden && !document.getElementById('screen').hidden")
    assert activity.js("location.hash") == "#/activity"
    assert activity.js("document.querySelector('#rail [aria-current]').dataset.screen") == "activity"
    numbers = activity.js(f"[...document.querySelectorAll('{ROWS}')].map((one) => Number(one.id.slice(6)))")
    assert numbers == sorted(numbers, reverse=True)
    activity.js("document.querySelector('#screen [data-kind=\"run.created\"]').click()")
    activity.until("document.querySelector('#screen .of-event pre')")
    said = json.loads(activity.text("#screen .of-event pre"))
    assert said["text"] == "what is 2 + 3"


def test_the_sorts_are_those_of_the_kernel(activity: Tab) -> None:
    shown = activity.js("[...document.querySelectorAll('#screen [data-sort]')].map((one) => one.dataset.sort)")
    assert shown == ["", *SORTS]


def test_a_sort_shows_its_kinds_alone_and_the_keyboard_walks(activity: Tab) -> None:
    activity.click("[data-sort=requests]")
    activity.until(f"{SHOWN}.length && {SHOWN}.every((kind) => kind.startsWith('run.'))")
    assert activity.js("document.querySelector('[data-sort=requests]').getAttribute('aria-pressed')") == "true"
    activity.js("document.querySelector('#screen .rows').focus()")
    activity.press("ArrowDown")
    activity.until("document.querySelector('#screen .of-event')")
    first = activity.js("document.querySelector('#screen .of-event').dataset.seq")
    activity.press("ArrowDown")
    activity.until(f"document.querySelector('#screen .of-event').dataset.seq < {first}")
    active = activity.js("document.querySelector('#screen .rows').getAttribute('aria-activedescendant')")
    assert active == f"event-{activity.js('''document.querySelector('#screen .of-event').dataset.seq''')}"
    activity.click("[data-sort=mail]")
    activity.until("document.querySelector('#screen').innerText.includes('Nothing of this sort')")


def test_one_run_alone_and_its_conversation(activity: Tab) -> None:
    activity.js("document.querySelector('#screen [data-kind=\"run.created\"]').click()")
    activity.click("#screen [data-act=only]")
    activity.until("location.hash.startsWith('#/activity/')")
    run = activity.js("location.hash.slice('#/activity/'.length)")
    activity.until(f"document.querySelector('#screen [data-run]')?.dataset.run === '{run}'")
    activity.until(f"{SHOWN}.at(-1) === 'run.created'")
    activity.js("document.querySelector('#screen [data-kind=\"run.created\"]').click()")
    activity.click("#screen [data-act=run]")
    activity.until("!document.getElementById('talk').hidden && document.querySelector('.run')")
    assert "what is 2 + 3" in activity.text("#runs")
    activity.js("history.back()")
    activity.until("!document.getElementById('screen').hidden")
    activity.js("history.back()")
    activity.until("location.hash === '#/activity' && !document.querySelector('#screen [data-run]')")


def test_what_happens_meanwhile_comes_to_the_top(activity: Tab, running: Installation) -> None:
    before = activity.js(f"Number(document.querySelector('{ROWS}').id.slice(6))")
    running.steward("ask", "what is 7 times 6", "--json")
    activity.until(f"Number(document.querySelector('{ROWS}').id.slice(6)) > {before}")
    activity.until(f"{SHOWN}.includes('run.finished')")


def test_the_chain_is_checked_and_all_of_it_saved(activity: Tab) -> None:
    activity.click("#screen [data-act=check]")
    activity.until("document.querySelector('[data-said=chain]').innerText.includes('The chain is whole')")
    activity.click("#screen [data-act=save]")
    activity.until("document.querySelector('[data-said=save]').innerText.includes('.jsonl')")


def test_an_address_leads_to_the_screen_and_memory_is_one(tab: Tab, running: Installation) -> None:
    signed_in(tab, running)
    tab.js("location.hash = '#/activity'")
    tab.until(f"document.querySelectorAll('{ROWS}').length > 0")
    tab.click("#to-memory")
    tab.until("!document.getElementById('memory').hidden && document.getElementById('screen').hidden")
    assert tab.js("location.hash") == "#/memory"
    tab.js("history.back()")
    tab.until("document.getElementById('memory').hidden && !document.getElementById('screen').hidden")
    tab.js("location.hash = '#/nowhere'")
    tab.until("!document.getElementById('talk').hidden")


def test_a_ledger_that_cannot_be_read_is_said_and_read_again(activity: Tab) -> None:
    activity.js("window.real = window.fetch; window.fetch = () => Promise.reject(new TypeError('cut'))")
    activity.click("[data-sort=steps]")
    activity.until("document.querySelector('#screen [role=alert] [data-act=again]')")
    activity.js("window.fetch = window.real")
    activity.click("#screen [data-act=again]")
    activity.until(f"{SHOWN}.length && {SHOWN}.every((kind) => kind.startsWith('task.'))")


def test_ten_thousand_events_are_few_in_the_document_and_the_last_is_reached(
    tab: Tab, installation: Installation
) -> None:
    draft = Draft(kind="task.done", body={"answer": "nothing of note"}, run="long", task="t1", durable=False)
    folder = installation.places.data / "ledger"
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    ledger = Ledger.open(folder)
    ledger.append(*[draft] * 10_000)
    ledger.close()
    with installation.daemon():
        signed_in(tab, installation)
        tab.js("location.hash = '#/activity/long'")
        tab.until(f"document.querySelectorAll('{ROWS}').length > 20")
        end = "(document.querySelector('#screen .rows').scrollTop = 1e9, document.getElementById('event-1'))"
        tab.until(end)
        assert tab.js(f"document.querySelectorAll('{ROWS}').length") < 80
        assert tab.js("document.getElementById('event-1').getAttribute('aria-setsize')") == "10000"
