"""Every screen of the page: reached by the rail and by its address, narrow, dark, and with no fault in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.portal.browser import MARKS, Tab, signed_in

Installation = Any  # tests/portal/conftest.py

pytestmark = MARKS

SCREENS = ("routines", "memory", "skills", "models", "permissions", "activity", "doctor")
READY = {"routines": "document.querySelector('#routines-part').open",
         "skills": "document.querySelector('#skills-part').open", "models": "document.querySelector('#models li')",
         "memory": "document.querySelector('#memory-sizes')?.innerText",
         "permissions": "document.querySelector('#screen .node')",
         "activity": "document.querySelector('#screen .event')",
         "doctor": "document.querySelector('#screen [data-line]')"}  # fmt: skip
READ = ("permissions", "activity", "doctor")
"""Those that are programs of their own, in one place of the document."""


@pytest.fixture(scope="module")
def used(running: Installation, tab: Tab) -> Iterator[Tab]:
    """The page of somebody who has asked for something and granted something."""
    running.steward("ask", "create a note called plants: fern and ivy", "--yes", "--json")
    running.steward("perms", "grant", "files", "fs.read:~/Documents/with a rather long name for a folder/**")
    signed_in(tab, running)
    yield tab
    tab.call("Emulation.clearDeviceMetricsOverride")


def shown(tab: Tab, screen: str) -> None:
    tab.js(f"location.hash = '#/{screen}'")
    tab.until(READY[screen])


def test_the_rail_leads_to_all_of_them_and_says_where_one_is(used: Tab) -> None:
    names = used.js("[...document.querySelectorAll('#rail a')].map((one) => one.dataset.screen)")
    assert set(names) == {"", *SCREENS}
    for name in (*SCREENS, ""):
        used.click(f"#rail [data-screen='{name}']")
        used.until(f"document.querySelector('#rail [aria-current=page]').dataset.screen === '{name}'")
        used.until("[...document.querySelectorAll('main')].filter((one) => !one.hidden).length === 1")


@pytest.mark.parametrize("screen", SCREENS)
def test_it_fits_a_narrow_window(used: Tab, screen: str) -> None:
    used.call("Emulation.setDeviceMetricsOverride", width=360, height=720, deviceScaleFactor=1, mobile=False)
    shown(used, screen)
    assert used.js("document.documentElement.scrollWidth") <= 360
    used.call("Emulation.clearDeviceMetricsOverride")


@pytest.mark.parametrize("screen", SCREENS)
def test_its_heading_has_the_focus_or_its_first_field_and_nothing_is_complained_about(used: Tab, screen: str) -> None:
    used.click("#rail [data-screen='']")
    used.noise.clear()
    shown(used, screen)
    part = {"memory": "#memory"}.get(screen, "#screen" if screen in READ else f"#{screen}-screen")
    used.until(f"document.querySelector('{part}').contains(document.activeElement)")
    assert used.js(f"document.querySelectorAll('{part} h2').length") == 1
    assert used.noise == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_its_text_stands_out_from_its_ground(used: Tab, screen: str, scheme: str) -> None:
    """WCAG 2.2, 1.4.3: 4.5 to 1, for every text in sight, against the ground that it stands on."""
    used.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    shown(used, screen)
    weak = used.js(WEAK)
    used.call("Emulation.setEmulatedMedia", features=[])
    assert weak == []


WEAK = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = (color) => color.slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [.2126, .7152, .0722][at], 0);
  const ground = (node) => {
    for (let one = node; one; one = one.parentElement) {
      const found = rgb(getComputedStyle(one).backgroundColor);
      if (found[3] > 250) return found;
    }
    return [255, 255, 255, 255];
  };
  const weak = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || node.closest(".hidden, .skip, :disabled")) continue;
    if (!node.checkVisibility({visibilityProperty: true})) continue;
    const [one, other] = [light(rgb(getComputedStyle(node).color)), light(ground(node))];
    const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
    if (ratio < 4.5) weak.push([walk.currentNode.data.trim().slice(0, 40), Math.round(ratio * 100) / 100]);
  }
  return weak;
})()"""


def test_the_measure_of_contrast_finds_a_weak_text(used: Tab) -> None:
    """A control."""
    shown(used, "activity")
    used.js("document.querySelector('#screen h2').style.color = '#cccccc'")
    assert [words for words, _ in used.js(WEAK)] == ["Activity"]
    used.js("document.querySelector('#screen h2').style.color = ''")


def test_the_doctor_says_on_the_page_what_he_says_in_a_terminal(used: Tab, running: Installation) -> None:
    shown(used, "doctor")
    told = {line["name"]: line for line in running.steward("doctor", "--json").json["capabilities"]}
    seen = used.js(
        "[...document.querySelectorAll('#screen [data-line]')].map((one) => [one.dataset.line, one.dataset.ok])"
    )
    assert {name: ok == "true" for name, ok in seen} == {name: line["ok"] for name, line in told.items()}
    bad = [name for name, ok in seen if ok == "false"]
    assert [name for name, _ in seen[: len(bad)]] == bad  # what is to be looked at comes first
    for name in bad:
        remedy = told[name]["remedy"]
        assert remedy[:20] in used.text(f"#screen [data-line='{name}']") or not remedy
    used.click("#screen [data-act=look]")
    used.until("!document.querySelector('#screen [data-act=look]').disabled")
