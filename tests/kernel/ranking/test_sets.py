"""Sets: every step of a request gets its tool; what worked together before comes along."""

from __future__ import annotations

import pytest

from kernel.ranking import Document, Question, Ranker, set_for, shelf_of
from kernel.ranking.sets import Company
from kernel.ranking.steps import openers, steps_of
from kernel.ranking.words import stem
from tests.kernel.ranking.conftest import by_subject

OPENERS = frozenset(map(stem, ("play", "find", "get", "compute")))


def _asked(text: str) -> Question:
    return Question(text, by_subject([text])[0])


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Play a song, find papers and get the weather", ("Play a song", "find papers", "get the weather")),
        ("Look at rock and roll.", ("Look at rock and roll",)),
        ("Read it first. Then compute the mean!", ("Read it first", "compute the mean!")),
        ("find /root/a, find and b.txt in a place", ("find /root/a", "find and b.txt in a place")),
        ("", ("",)),
    ],
)
def test_steps_end_where_the_next_one_begins_like_a_tool(text: str, steps: tuple[str, ...]) -> None:
    assert steps_of(text, OPENERS) == steps


def test_openers_are_read_from_the_documents(documents: list[Document]) -> None:
    assert {stem(word) for word in ("get", "find", "play", "search")} <= openers(documents)


def test_every_step_has_its_tool_in_the_set(documents: list[Document]) -> None:
    ranker = Ranker(shelf_of(documents, by_subject))
    text = "find a car to drive and play some music"
    chosen = set_for(ranker, _asked(text), [_asked("find a car to drive"), _asked("play some music")], limit=2)
    assert {one.id for one in chosen} == {"cars", "songs"}
    assert {one.step for one in chosen} == {0, 1}
    assert all({"whole", "step", "cost", "kin", "together"} <= one.reasons.keys() for one in chosen)


def test_what_worked_together_comes_along(documents: list[Document]) -> None:
    ranker = Ranker(shelf_of(documents, by_subject))
    company = Company.of([frozenset({"cars", "papers"})] * 6)
    asked = _asked("a vehicle to drive, motor")
    alone = [one.id for one in set_for(ranker, asked, [asked], limit=4)]
    along = [one.id for one in set_for(ranker, asked, [asked], company=company, limit=4)]
    assert along.index("papers") <= alone.index("papers")
    assert along[0] == alone[0] == "cars"


def test_what_costs_more_comes_later() -> None:
    twins = [Document("a", "play song", ("Plays music.",)), Document("b", "play song", ("Plays music.",))]
    ranker = Ranker(shelf_of(twins, by_subject))
    asked = _asked("play music")
    assert [one.id for one in set_for(ranker, asked, [], cost={"a": 1.0})] == ["b", "a"]


def test_tools_of_one_skill_draw_each_other_in(documents: list[Document]) -> None:
    ranker = Ranker(shelf_of(documents, by_subject))
    asked = _asked("a car to drive")
    skills = {"cars": "garage", "songs": "garage", "papers": "library", "sky": "library"}
    order = [one.id for one in set_for(ranker, asked, [asked], skills=skills, limit=4)]
    assert order.index("songs") < order.index("papers")


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("Save it to /root/a.xlsx", "write excel sheet file"),
        ("Tell me what is in /root/b.pdf", "read pdf document file"),
    ],
)
def test_a_path_says_what_is_done_with_its_file(text: str, step: str) -> None:
    assert step in steps_of(text, OPENERS)
