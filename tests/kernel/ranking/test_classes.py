"""What was learnt tells by words what vectors do not; a description steps back where requests speak."""

from __future__ import annotations

import numpy as np
import pytest

from kernel.ranking import Document, Moment, Past, Question, Ranker, Request, shelf_of
from kernel.ranking.classes import Bag, Classes
from kernel.ranking.model import Floats
from kernel.ranking.ranker import TOLD
from tests.kernel.ranking.conftest import by_subject

SAID = {
    "en": {
        "on": ("lamp on please", "turn the lamp on", "switch on the light", "the light on now"),
        "off": ("lamp off please", "turn the lamp off", "switch off the light", "the light off now"),
    },
    "de": {
        "on": ("Lampe an bitte", "mach die Lampe an", "schalte das Licht an", "das Licht jetzt an"),
        "off": ("Lampe aus bitte", "mach die Lampe aus", "schalte das Licht aus", "das Licht jetzt aus"),
    },
}
ASKED = {"en": {"on": "lights on", "off": "lights off"}, "de": {"on": "alle Lichter an", "off": "alle Lichter aus"}}


def _blind(texts: list[str]) -> Floats:
    """An encoder to which every text is the same."""
    return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))


def _past(language: str) -> Past:
    said = SAID[language]
    return Past([Request(text, (tool,)) for tool, texts in said.items() for text in texts], _blind)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("meant", ["on", "off"])
def test_words_tell_apart_what_vectors_do_not(language: str, meant: str) -> None:
    text = ASKED[language][meant]
    columns = _past(language).columns(("on", "off"), Question(text, _blind([text])[0]), Moment())
    assert columns["near"][0] == pytest.approx(columns["near"][1])  # a control: the vectors tell nothing
    assert bool(columns["learnt"][0] > columns["learnt"][1]) is (meant == "on")


def test_words_that_were_never_said_tell_hardly_anything() -> None:
    columns = _past("en").columns(("on", "off"), Question("zzz", _blind(["zzz"])[0]), Moment())
    assert columns["learnt"][0] == pytest.approx(columns["learnt"][1], abs=0.05)
    assert not Bag.of(["lamp on"]).row("zzz").any()
    assert not Bag.of([]).row("lamp").any()


def test_a_tool_that_only_its_description_speaks_for_is_known_by_it() -> None:
    rows = by_subject(["rain", "rain today", "car", "drive"])
    owners = np.array([0, 0, 1, 1], np.intp)
    known = Classes.of(3, rows, ["rain", "rain today", "car", "drive"], owners, {2: by_subject(["music song"])[0]})
    learnt = known.learnt(by_subject(["play a song"])[0], "play a song")
    assert learnt.argmax() == 2
    assert known.own == {0, 1}
    assert known.learnt(by_subject(["will it rain"])[0], "will it rain").argmax() == 0


def test_descriptions_step_back_only_for_tools_with_requests_of_their_own(documents: list[Document]) -> None:
    shelf = shelf_of(documents, by_subject)
    texts = {
        "sky": ("rain today", "forecast", "umbrella", "weather"),
        "cars": ("a car", "drive me", "motor", "vehicle"),
    }
    past = Past([Request(text, (tool,)) for tool, own in texts.items() for text in own], by_subject)
    question = Question("forecast, music and a car", by_subject(["forecast, music and a car"])[0])
    ids, before = Ranker(shelf).reasons(question, Moment())
    again, after = Ranker(shelf, past).reasons(question, Moment())
    assert ids == again
    for name, share in TOLD.items():
        for at, tool in enumerate(ids):
            expected = before[name][at] * (share if tool in texts else 1.0)
            assert after[name][at] == pytest.approx(expected), (name, tool)
