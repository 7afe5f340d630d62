"""Offers on the page: quiet chips under the line, which write into it and do nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.portal.browser import MARKS, Tab
from tests.portal.conftest import Installation

pytestmark = [*MARKS, pytest.mark.slow]

LOOK, THEN, HOURS = "what is 40 + 1?", "what is 40 + 2?", "how many hours are 3 days?"
CHIP = "#offers [data-offer] button"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A person who always asks one thing after the other, with no quiet hours."""
    made = Installation(tmp_path_factory.mktemp("running"), {"STEWARD_QUIET_HOURS": ""})
    made.home.mkdir(mode=0o700)
    with made.daemon():
        for at in range(4):
            for text in (LOOK, THEN):
                assert made.steward("ask", text, "--json", "--conversation", f"c-{at}").code == 0
        yield made


def test_a_chip_writes_into_the_line_and_does_nothing_and_can_be_put_away(page: Tab, running: Installation) -> None:
    page.settle(LOOK)
    page.until(f"document.querySelector({json.dumps(CHIP)})?.innerText === {json.dumps(THEN)}")
    assert page.js(f"document.querySelector({json.dumps(CHIP)}).title").startswith("You asked for this 4 of 4 times")
    runs = len(running.steward("runs", "--json").json["runs"])
    page.click(CHIP)
    page.until(f"document.getElementById('text').value === {json.dumps(THEN)}")
    assert len(running.steward("runs", "--json").json["runs"]) == runs
    page.click("#offers [data-offer] button.away")
    page.until(f"document.querySelector({json.dumps(CHIP)})?.innerText !== {json.dumps(THEN)}")
    page.until("performance.getEntriesByType('resource').some(e => e.name.includes('/offers/') && e.responseEnd)")
    assert THEN not in page.text("#offers"), "what was put away stays away"
    page.settle(LOOK)
    shown = running.steward("offers", "--json").json["offers"]
    assert THEN not in [one["text"] for one in shown]
    assert not page.noise, page.noise


def test_while_somebody_types_the_chips_are_what_the_sentence_may_become(page: Tab, running: Installation) -> None:
    for at in range(4):
        assert running.steward("ask", HOURS, "--json", "--conversation", f"h-{at}").code == 0
    page.type("how many hou")
    page.until(f"document.querySelector({json.dumps(CHIP)})?.innerText === {json.dumps(HOURS)}")
    assert "in words like these" in page.js(f"document.querySelector({json.dumps(CHIP)}).title")
    page.type(" spend on nothing at all")
    page.until("document.querySelectorAll('#offers [data-offer]').length === 0")
    page.js("document.getElementById('private').click()")
    asked = page.js("performance.getEntriesByType('resource').filter(e => e.name.includes('/offers/fitting')).length")
    page.type(" how many hours")
    page.until("document.getElementById('text').value.endsWith('hours')")
    again = page.js("performance.getEntriesByType('resource').filter(e => e.name.includes('/offers/fitting')).length")
    assert asked == again, "what is private is not asked about"
    page.js("document.getElementById('private').click()")
    assert not page.noise, page.noise
