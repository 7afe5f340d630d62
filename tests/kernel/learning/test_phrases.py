"""Explained phrases: the very words and others with other values, and what is no phrase."""

from __future__ import annotations

import pytest

from kernel.learning.model import Taught
from kernel.learning.phrases import Phrases, is_telling, with_slots
from kernel.model import Plan
from tests.kernel.planner import Planner

TAUGHT = (
    Taught("r1", "yeet a.pdf", "delete a.pdf", "en", ("a.pdf",)),
    Taught("r2", "month end", "find all PDFs in Downloads", "en"),
    Taught("r3", "schubs a.pdf rüber nach Archive", "kopiere a.pdf nach Archive", "de", ("a.pdf", "Archive")),
    Taught("r4", "swap Music for Videos", "copy Videos to Music", "en", ("Music", "Videos")),
)
READ = [
    ("yeet a.pdf", "delete a.pdf", True),
    ("could you please yeet a.pdf please", "delete a.pdf", True),
    ("yeet report.pdf", "delete report.pdf", False),
    ("Month end!", "find all PDFs in Downloads", True),
    ("schubs b.pdf rüber nach Music", "kopiere b.pdf nach Music", False),
    ("swap Videos for Music", "copy Music to Videos", False),
]
OTHERS = [
    "delete a.pdf", "yeet", "do not yeet a.pdf", "month end report", "what is a month end",
    "write a note called month end",
    "yeet a.pdf and then delete everything in the folder called Downloads for good",
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "meaning", "exact"), READ)
def test_a_phrase_is_read_as_its_meaning(planner: Planner, sentence: str, meaning: str, exact: bool) -> None:
    found = Phrases.of(TAUGHT).read(planner.intent(sentence))
    assert found is not None
    assert (found.text, found.exact) == (meaning, exact)


@pytest.mark.parametrize("sentence", OTHERS)
def test_other_sentences_say_no_phrase(planner: Planner, sentence: str) -> None:
    assert Phrases.of(TAUGHT).read(planner.intent(sentence)) is None


def test_the_very_words_go_before_a_phrase_with_values(planner: Planner) -> None:
    phrases = Phrases.of([*TAUGHT, Taught("r9", "yeet b.pdf", "copy b.pdf to Archive", "en", ("b.pdf",))])
    found = phrases.read(planner.intent("yeet a.pdf"))
    assert found is not None
    assert found.text == "delete a.pdf"


@pytest.mark.parametrize(
    ("phrase", "meaning", "slots"),
    [
        ("yeet a.pdf", "delete a.pdf", ("a.pdf",)),
        ("the usual", "find all PDFs in Downloads", ()),
        ("a.pdf", "delete a.pdf", ()),
        ("gimme the 3 fattest files in Music", "the 3 largest files in Music", ("Music", "3")),
    ],
)
def test_the_values_that_stand_in_both_may_be_others(
    planner: Planner, phrase: str, meaning: str, slots: tuple[str, ...]
) -> None:
    plan = planner.say(meaning)
    assert isinstance(plan, Plan)
    assert with_slots(Taught("r", phrase, meaning, "en"), plan, planner.toolbox).slots == slots


@pytest.mark.parametrize(("phrase", "telling"), [("yeet it", True), ("it", False), ("the one", False), ("", False)])
def test_a_phrase_needs_a_word_to_be_known_by(phrase: str, telling: bool) -> None:
    assert is_telling(phrase, "en") is telling
