"""The page's own words, its keys, its colours, and what it asks the network for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.portal.browser import MARKS, Tab, link, signed_in

Installation = Any  # tests/portal/conftest.py

pytestmark = MARKS

STATIC = Path(__file__).parents[2] / "portal" / "static"
CATALOGUE = "import('/static/js/words.js').then(({ CATALOGUE }) => CATALOGUE)"
USED = re.compile(r"\b(?:say|own)\(\"(\w+)\"|data-(?:word|label|title)=\"(\w+)\"")


def test_both_languages_have_the_same_words_and_every_word_that_is_used(page: Tab) -> None:
    kinds = page.js(
        CATALOGUE.replace("=> CATALOGUE", "=> Object.fromEntries(Object.entries(CATALOGUE).map(([language, words]) => "
                          "[language, Object.fromEntries(Object.entries(words).map(([k, v]) => [k, typeof v]))]))")
    )  # fmt: skip
    assert kinds["en"] == kinds["de"]
    assert len(kinds["en"]) > 50
    files = [STATIC / "index.html", *(STATIC / "js").rglob("*.js")]
    used = {key for file in files for pair in USED.findall(file.read_text()) for key in pair if key}
    assert used <= kinds["en"].keys()
    assert len(used) > 40


def test_no_word_of_the_page_stands_outside_the_catalogue(page: Tab) -> None:
    """A quoted sentence in the page's code would be said in one language only."""
    said = re.compile(r'"[A-Z][a-zäöü]+( [^"]*)?"')
    allowed = {'"Enter"', '"Escape"', '"ArrowUp"', '"ArrowDown"', '"Content-Type"', '"GET"', '"POST"', '"Steward"'}
    for file in sorted((STATIC / "js").rglob("*.js")):
        if not file.name.startswith("words"):
            code = re.sub(r"//.*|/\*[\s\S]*?\*/", "", file.read_text())
            assert {match.group() for match in said.finditer(code)} <= allowed, file.name


def test_the_page_speaks_the_browsers_language_and_a_run_its_own(tab: Tab, running: Installation) -> None:
    tab.speak("de-DE")
    try:
        signed_in(tab, running)
        assert tab.js("document.documentElement.lang") == "de"
        assert tab.js("document.getElementById('text').placeholder") == "Was soll getan werden?"
        assert tab.text("#send") == "Los"
        assert "wie viel" in tab.text("#ideas") or "was ist" in tab.text("#ideas")
        tab.settle("what is 2 + 3")
        assert tab.js("document.querySelector('.run').lang") == "en"
        assert tab.text(".run .badge") == "done"
    finally:
        tab.speak("en-US")
    signed_in(tab, running)
    assert tab.text("#send") == "Ask"
    tab.ask("lege eine Notiz Einkauf an: Milch und Brot")
    tab.until("document.querySelector('.card')")
    assert tab.js("document.querySelector('.run').lang") == "de"
    assert "Steward braucht deine Erlaubnis" in tab.text(".card")
    assert "Einmal" in tab.text(".card")
    tab.call("Page.reload")
    tab.until("document.querySelector('.card')")
    assert "Steward braucht deine Erlaubnis" in tab.text(".card"), "after a reload, too"
    tab.click(".card [data-answer=no]")
    tab.until("document.querySelector('.badge')?.innerText === 'du hast nein gesagt'")


def test_the_examples_are_the_installed_skills_own(page: Tab, running: Installation) -> None:
    page.until("document.querySelector('#ideas button')")
    page.js("[...document.querySelectorAll('#ideas > button')].at(-1).click()")
    shown = page.js("[...document.querySelectorAll('#ideas .ideas button')].map(e => e.innerText)")
    with running.client() as client:
        skills = client.skills()
    spoken = [tool for skill in skills for tool in skill["tools"] if tool["sayings"]]  # others call the rest
    known = {saying for tool in spoken for saying in tool["sayings"]["en"]}
    assert len(shown) == len(spoken)
    assert set(shown) <= known
    page.click("#ideas .ideas button")
    assert page.js("document.getElementById('text').value") == shown[0]
    assert page.js("document.activeElement.id") == "text"


def test_keys_send_and_recall(page: Tab) -> None:
    page.js("document.getElementById('text').focus()")
    page.type("what is 2 + 3")
    page.press("Enter")
    page.until("document.querySelector('.more')")
    page.type("what is 3 + 4")
    page.press("Enter")
    page.until("document.querySelectorAll('.more').length === 2")
    value = "document.getElementById('text').value"
    page.press("ArrowUp")
    assert page.js(value) == "what is 3 + 4"
    page.press("ArrowUp")
    assert page.js(value) == "what is 2 + 3"
    page.press("ArrowDown")
    assert page.js(value) == "what is 3 + 4"
    page.press("Escape")
    assert page.js(value) == ""
    page.type("one line")
    page.press("Enter", shift=True)
    page.press("ArrowUp")
    assert "one line" in page.js(value), "in a text of one's own Up moves the cursor"
    assert page.js("document.querySelectorAll('.run').length") == 2
    page.js(f"{value} = ''")


def test_answers_are_announced_and_the_keyboard_meets_things_in_their_order(page: Tab) -> None:
    page.settle("what is 2 + 3")
    assert "5" in page.js("document.querySelector('[aria-live=polite]').textContent")
    page.js("document.body.tabIndex = -1; document.body.focus()")
    met = []
    for _ in range(12):
        page.press("Tab")
        met.append(
            page.js("document.activeElement.id || document.activeElement.className || document.activeElement.tagName")
        )
        if met[-1] == "text":
            break
    assert met[0] == "skip"
    assert met.index("fresh") < met.index("SUMMARY") < met.index("text")


CONTRAST = """
(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (css) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const ground = (node) => { const own = rgba(getComputedStyle(node).backgroundColor);
    if (own[3] === 1) return own;
    return over(own, node.parentElement ? ground(node.parentElement) : [255, 255, 255, 1]); };
  const linear = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (c) => { const [r, g, b] = c.map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest(".hidden, :disabled")) continue;
    const below = ground(node);
    const [one, other] = [light(over(rgba(getComputedStyle(node).color), below)), light(below)].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.5) low.push([walker.currentNode.data.trim().slice(0, 40), Math.round(contrast * 100) / 100]);
  }
  return low;
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(page: Tab, running: Installation, scheme: str) -> None:
    assert page.js("matchMedia('(prefers-reduced-motion: reduce)').matches") in {True, False}
    page.look(1200, 900, scheme)
    try:
        assert page.js(CONTRAST) == []
        (running.home / "tones.csv").write_text("tone,count\nred,3\nblue,4\n")
        page.settle("show tones.csv")
        page.settle("make a note called colours saying red")
        page.settle("frobnicate the quux")
        page.click(".effects .undo")
        page.js("document.querySelectorAll('details').forEach(e => { e.open = true })")
        page.until("document.querySelectorAll('.more .times').length === 3")
        page.ask("delete the note colours")
        page.until("document.querySelector('.card [data-answer=once]:enabled')")
        assert page.js(CONTRAST) == []
        page.js("document.querySelector('.card .later').click()")
        assert page.js(CONTRAST) == []
        page.click(".card .line .no")
        page.until("!document.querySelector('.card')")
        page.click(".effects .back .yes")
        page.until("document.querySelector('.effects.gone')")
    finally:
        page.look_away()


def test_nothing_is_asked_of_another_place(page: Tab, running: Installation) -> None:
    page.call("Page.reload")
    page.until("document.getElementById('link')?.dataset.state === 'live'")
    page.settle("what is 2 + 3")
    own = link(running).partition("/#")[0]
    asked = [url for url in page.asked_for if not url.startswith(("blob:", "data:"))]
    assert len(asked) > 5
    assert [url for url in asked if not url.startswith(own + "/")] == []
    assert not page.noise, page.noise
