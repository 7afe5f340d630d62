"""Memory on the page: found, read with its clocks and label, forgotten as shown, taken out; and asking privately."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.portal.asked import EVIL
from tests.portal.browser import MARKS, NO, YES, Tab, signed_in
from tests.portal.conftest import wait_for
from tests.portal.test_page_words import CONTRAST

Installation = Any  # tests/portal/conftest.py

pytestmark = [*MARKS, pytest.mark.slow]


@pytest.fixture
def memory(page: Tab) -> Any:
    """The page, signed in; afterwards no review is open."""
    yield page
    page.js(f"document.getElementById('review').open && document.querySelector({NO!r}).click()")


def tell(running: Installation, *sentences: str) -> None:
    for one in sentences:
        assert running.steward("ask", f"remember that {one}").code == 0, one


def search(page: Tab, words: str) -> None:
    """Search, and wait until what is shown is the answer to these words: what was shown before stays until then."""
    page.js(f"document.getElementById('memory-words').value = {words!r}")
    page.js("document.getElementById('memory-ask').requestSubmit()")
    page.until("!document.getElementById('memory-found').hasAttribute('aria-busy')")


def known(running: Installation, name: str) -> int:
    """How many facts of somebody are known; 0 where nobody is called so."""
    return int(running.steward("memory", "facts", name, "--json").json.get("total", 0))


def test_an_empty_memory_says_what_to_do_and_gives_the_keyboard_back(memory: Tab) -> None:
    memory.click("#to-memory")
    memory.until("document.getElementById('memory-found').innerText.includes('remember that')")
    assert memory.js("document.activeElement.id") == "memory-words"
    assert memory.js("document.getElementById('talk').hidden")
    assert memory.js("document.getElementById('to-memory').getAttribute('aria-current')") == "page"
    memory.until("document.getElementById('memory-sizes').innerText.includes('ledger')")
    assert "0 facts" in memory.text("#memory-sizes")
    memory.press("Escape")
    assert memory.js("document.getElementById('memory').hidden && !document.getElementById('talk').hidden")
    assert memory.js("document.activeElement.id") == "to-memory"


def test_a_fact_has_its_source_its_label_and_both_clocks(memory: Tab, running: Installation) -> None:
    tell(running, "Anna Berg works at Xenon since March 2024", "Anna Berg lives in Bonn", "Tom Kurz lives in Kiel")
    memory.click("#to-memory")
    memory.until("document.querySelectorAll('#memory-found .fact').length >= 3")
    search(memory, "xenon")
    memory.until("document.querySelectorAll('#memory-found [data-fact]').length === 1")
    fact = "#memory-found [data-fact]"
    memory.click_open(f"{fact} details")
    said = memory.text(fact)
    for part in ("Anna Berg works at Xenon", "your word", "True", "2024-03-01 – open", "Known to Steward", "– now",
                 "Who says so", "only you may read it", "100 %"):  # fmt: skip
        assert part in said, (part, said)
    memory.js(f"document.querySelector('{fact} [data-go]').click()")
    memory.until("document.querySelector('#memory-found [data-entity]')")
    shown = memory.text("#memory-found")
    assert "lives in Bonn" in shown
    assert "Kiel" not in shown
    memory.until("document.activeElement.innerText === 'Anna Berg'")
    memory.js("document.getElementById('memory-clocks').open = true")
    for clock, expected in (("at", "works at Xenon"), ("known", "")):
        memory.js(f"document.getElementById('memory-{clock}').value = '2020-01-01'")
        memory.js(f"document.getElementById('memory-{clock}').dispatchEvent(new Event('change'))")
        memory.until("!document.getElementById('memory-found').hasAttribute('aria-busy')")
        memory.until(f"!document.getElementById('memory-found').innerText.includes({expected or 'lives in Bonn'!r})")
    search(memory, "quetzalcoatl")
    memory.until("document.getElementById('memory-found').innerText.includes('Nothing that is known holds these')")
    assert not memory.noise, memory.noise


def test_what_was_said_is_found_and_leads_to_its_request(memory: Tab, running: Installation) -> None:
    assert running.steward("ask", "what is 17 percent of 230", "--conversation", "sums").code == 0
    memory.click("#to-memory")
    search(memory, "percent")
    memory.until("document.querySelector('#memory-found [data-hit] [data-run]')")
    assert "what is 17 percent of 230" in memory.text("#memory-found")
    memory.click("#memory-found [data-run]")
    memory.until("document.querySelector('.run .said')?.innerText === 'what is 17 percent of 230'")
    assert memory.js("document.getElementById('memory').hidden")


def test_forgetting_shows_first_and_a_no_keeps_everything(memory: Tab, running: Installation) -> None:
    tell(running, "Zenobia Quill lives in Kiel", "Zenobia Quill works at Ypsilon")
    memory.click("#to-memory")
    search(memory, "zenobia")
    memory.until("document.querySelector('#memory-found [data-fact] [data-go]')")
    memory.click("#memory-found [data-fact] [data-go]")
    memory.until("document.querySelector('#memory-found .forget')")
    memory.js("document.querySelector('#memory-found .forget').requestSubmit()")
    memory.until("document.getElementById('review').open")
    assert memory.js(f"document.querySelector('{YES}').disabled"), "asleep when it appears"
    said = memory.text("#review")
    for part in ("Forget Zenobia Quill?", "nothing brings it back", "2 facts", "2 requests", "Zenobia"):
        assert part in said, (part, said)
    assert memory.js("document.activeElement.dataset.answer") == "no"
    memory.click(NO)
    memory.until("document.getElementById('memory-said').innerText.includes('Nothing was forgotten')")
    assert known(running, "Zenobia Quill") == 2
    memory.js("document.querySelector('#memory-found .forget').requestSubmit()")
    memory.click(YES)
    memory.until("document.getElementById('memory-said').innerText.includes('Forgotten: 2 facts, 2 requests')")
    assert known(running, "Zenobia Quill") == 0
    assert "Zenobia" not in running.steward("runs", "--json").out
    memory.until("!document.getElementById('memory-found').innerText.includes('Zenobia')")
    assert not memory.noise, memory.noise


def test_a_yes_counts_for_what_was_shown_and_for_nothing_more(memory: Tab, running: Installation) -> None:
    """While the preview is read more becomes known: the yes was not about that, so nothing goes."""
    tell(running, "Ottilie Rabe lives in Kiel")
    memory.click("#to-memory")
    search(memory, "ottilie rabe")
    memory.click("#memory-found [data-forget]")
    memory.until("document.getElementById('review').open")
    tell(running, "Ottilie Rabe works at Xenon")
    memory.click(YES)
    memory.until("document.getElementById('memory-said').className === 'error'")
    assert "nothing was done" in memory.text("#memory-said")
    assert known(running, "Ottilie Rabe") == 2


def test_words_of_others_are_text_and_take_nothing_over(memory: Tab, running: Installation) -> None:
    tell(running, f"the gate code is {EVIL}")
    memory.click("#to-memory")
    search(memory, "gate code")
    memory.until("document.getElementById('memory-found').innerText.includes('onerror')")
    assert memory.js("document.querySelector('#memory img')") is None
    assert not memory.noise, memory.noise


def test_everything_is_exported_into_a_file(memory: Tab, running: Installation, tmp_path: Path) -> None:
    tell(running, "Emil Falk lives in Jena")
    memory.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    memory.click("#to-memory")
    for form, word in (("jsonl", "Emil Falk"), ("graphml", "<graphml")):
        memory.click(f"#memory-export [data-form={form}]")
        file = wait_for(lambda form=form: next(iter(tmp_path.glob(f"steward-memory-*.{form}")), None))
        assert word in file.read_text()
    assert json.loads((next(tmp_path.glob("*.jsonl"))).read_text().splitlines()[0])
    memory.until("document.getElementById('memory-said').innerText.includes('downloads')")


def test_how_long_words_are_kept_is_set_after_a_review(memory: Tab, running: Installation) -> None:
    memory.click("#to-memory")
    memory.until("document.getElementById('memory-sizes').innerText.includes('kept for good')")
    for wrong in ("", "0", "-3", "1.5", "40000", "many"):
        memory.js(f"document.getElementById('memory-days-count').value = '{wrong}'")
        memory.js("document.getElementById('memory-days').requestSubmit()")
        memory.until("document.getElementById('memory-said').className === 'error'")
        assert "a whole number of days, from 1 to 36\u202f500" in memory.text("#memory-said"), wrong
        assert not memory.js("document.getElementById('review').open"), wrong
        memory.js("document.getElementById('memory-said').className = ''")
    submit = "document.getElementById('memory-days').requestSubmit()"
    memory.js(f"document.getElementById('memory-days-count').value = '90'; {submit}")
    memory.until("document.getElementById('review').open")
    assert "older than 90 days are destroyed" in memory.text("#review")
    memory.click(NO)
    assert running.steward("ledger", "retention", "--json").json["days"] is None
    memory.js(submit)
    memory.click(YES)
    memory.until("document.getElementById('memory-sizes').innerText.includes('kept for 90 days')")
    assert running.steward("ledger", "retention", "--json").json["days"] == 90
    memory.click("#memory-for-good")
    memory.until("document.getElementById('memory-sizes').innerText.includes('kept for good')")


def test_the_memory_speaks_the_browsers_language(tab: Tab, running: Installation) -> None:
    tell(running, "Greta Lund lives in Ulm")
    tab.speak("de-DE")
    try:
        signed_in(tab, running)
        tab.click("#to-memory")
        search(tab, "greta")
        tab.until("document.querySelector('#memory-found [data-fact]')")
        said = tab.text("#memory")
        for part in ("Was Steward weiß", "Greta Lund", "dein Wort", "Als JSON-Zeilen ausgeben"):
            assert part in said, (part, said)
    finally:
        tab.speak("en-US")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_small_screen_is_read_well_and_everything_has_a_name(
    memory: Tab, running: Installation, scheme: str
) -> None:
    tell(running, "Anneliese-Wilhelmine Freifrau-von-und-zu-Hohenstein-Wolkenburg lives in Ulm")
    memory.click("#to-memory")
    search(memory, "wilhelmine")
    memory.until("document.querySelector('#memory-found [data-go]')")
    memory.look(360, 740, scheme)
    try:
        memory.js("document.querySelectorAll('#memory details').forEach(e => { e.open = true })")
        assert memory.js("document.documentElement.scrollWidth") == 360
        assert memory.js(CONTRAST) == []
        memory.click("#memory-found [data-go]")
        memory.until("document.querySelector('#memory-found .forget')")
        assert memory.js("document.documentElement.scrollWidth") == 360
        assert memory.js(CONTRAST) == []
        nameless = "[...document.querySelectorAll('#memory input, #memory button')].filter(e => !e.labels?.length && "
        assert memory.js(nameless + "!e.innerText.trim() && e.checkVisibility()).map(e => e.id)") == []
    finally:
        memory.look_away()


def test_a_daemon_that_says_no_leaves_a_way_on(memory: Tab) -> None:
    memory.click("#to-memory")
    memory.until("document.querySelector('#memory-found > *') && !document.querySelector('#memory-found[aria-busy]')")
    memory.js("window.kept = window.fetch; window.fetch = () => Promise.resolve(new Response("
              "JSON.stringify({detail: 'Not now', code: 'x', hint: 'Later.'}), {status: 409}))")  # fmt: skip
    search(memory, "xenon")
    memory.until("document.getElementById('memory-said').className === 'error'")
    assert memory.text("#memory-said") == "Not now. Later."
    memory.js("window.fetch = window.kept")
    memory.js("document.querySelector('#memory-found button').click()")
    memory.until("document.querySelector('#memory-found [data-forget]')")
    assert memory.text("#memory-said") == ""


def test_a_private_request_is_asked_by_a_switch_and_leaves_no_word(memory: Tab, running: Installation) -> None:
    memory.js("document.getElementById('private').click()")
    memory.js("document.getElementById('text').focus()")
    memory.type("what is 4711 plus 0")
    assert "4711" not in memory.js("JSON.stringify(sessionStorage)"), "a browser may write that to disk"
    memory.press("Enter")
    memory.until("document.querySelector('.run .more')")
    assert "private" in memory.text(".run .said")
    assert "4711" in memory.text(".run .result")
    memory.js("document.getElementById('text').focus()")
    memory.press("ArrowUp")
    assert memory.js("document.getElementById('text').value") == "", "it is not brought back into the line"
    memory.js("document.getElementById('private').click()")
    memory.settle("what is 815 plus 0")
    with running.client() as client:
        runs = {one["text"]: one["private"] for one in client.runs()}
    assert runs["what is 4711 plus 0"] is True
    assert runs["what is 815 plus 0"] is False
