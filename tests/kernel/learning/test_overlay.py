"""Own examples: the second time the same words with other values work at once, and no other sentence becomes wrong."""

from __future__ import annotations

import pytest

from kernel.learning.overlay import MOST_A_TOOL
from kernel.model import Plan
from tests.kernel.learning.conftest import After, Confirm
from tests.kernel.planner import Planner

AGAIN = [
    ("knips mal die fünf neuesten bilder her", "knips mal die drei neuesten bilder her",
     "files.find(count=3, kind=image, order=newest)"),
    ("in welchem dokument gings gleich um die heizung", "in welchem dokument gings gleich um die kündigung",
     "documents.search(words=kündigung)"),
    ("snag me the pages count of report.pdf real quick", "please snag me the pages count of thesis.pdf real quick",
     "documents.pages(file=~/Documents/thesis.pdf)"),
    ("Betrag je Monat in expenses.csv", "Betrag je Woche in sales.csv", ""),
]  # fmt: skip
"""What was asked about and accepted, the same said with other values, and its plan (any where it is left open)."""

NOT_AGAIN = [
    ("snag me the pages count of report.pdf real quick", "snag the pages of the wind"),
    ("snag me the pages count of report.pdf real quick", "don't snag me the pages count of report.pdf real quick"),
    ("snag me the pages count of report.pdf real quick", "snag me the pages count of report.pdf real quick 7 times"),
    ("how many weeks have i got until the christmas market on 27 november 2026", "how many market days has christmas"),
    ("yo what time is it", "yo delete everything in Music that is new"),
]
"""A word that was passed over once is passed over nowhere else, least of all a "not" or a number."""

OTHERS = [
    "write a note called christmas market: gifts for all",
    "find notes about the christmas market",
    "rename the note market to christmas",
    "how many days until 27 november 2026",
    "find the three largest files in Downloads",
]
"""Requests that hold words of the own examples and mean what they meant before."""


def _shape(planner: Planner, sentence: str) -> str:
    proposal = planner.say(sentence)
    return planner.shape(proposal) if isinstance(proposal, Plan) else type(proposal).__name__


@pytest.mark.parametrize(("first", "then", "plan"), AGAIN, ids=[one[0] for one in AGAIN])
def test_what_was_accepted_once_works_at_once(
    planner: Planner, confirm: Confirm, after: After, first: str, then: str, plan: str
) -> None:
    assert not isinstance(planner.say(then), Plan)
    taught = after(*confirm(first))
    found = _shape(taught, then)
    assert found == plan if plan else "(" in found, found
    assert isinstance(taught.say(first), Plan)
    assert not isinstance(planner.say(then), Plan), "the manifests' own toolbox is as it was"


@pytest.mark.parametrize(("first", "other"), NOT_AGAIN, ids=[one[1] for one in NOT_AGAIN])
def test_another_sentence_with_such_words_is_not_surer(
    planner: Planner, confirm: Confirm, after: After, first: str, other: str
) -> None:
    before = _shape(planner, other)
    now = _shape(after(*confirm(first)), other)
    assert "(" not in now or now == before


@pytest.mark.parametrize("sentence", OTHERS)
def test_what_was_understood_stays_so(planner: Planner, confirm: Confirm, after: After, sentence: str) -> None:
    clauses = [clause for first, _, _ in AGAIN for clause in confirm(first)]
    clauses += confirm(NOT_AGAIN[3][0])
    assert _shape(after(*clauses), sentence) == _shape(planner, sentence)


def test_values_of_own_examples_are_no_words_of_the_tool(planner: Planner, confirm: Confirm, after: After) -> None:
    taught = after(*confirm("Notiz Meeting in Treffen umbenennen"))
    profile, shipped = (one.toolbox.profile("notes.rename", "de") for one in (taught, planner))  # type: ignore[arg-type]
    assert profile.values == shipped.values
    assert "treffen" not in profile.vocabulary.keys() - shipped.vocabulary.keys()


def test_the_latest_examples_of_a_tool_count(planner: Planner, confirm: Confirm, after: After) -> None:
    (clause,) = confirm("snag me the pages count of report.pdf real quick")
    text = clause.example.text
    many = [_said(clause, f"{text} zw{'a' * at}") for at in range(3 * MOST_A_TOOL)]
    profile = after(*many).toolbox.profile(clause.tool, "en")
    own = [one for one in profile.skeletons if one.own]
    assert len(own) == MOST_A_TOOL
    assert any("a" * (3 * MOST_A_TOOL - 1) in word for one in own for word in one.elements)


def _said(clause, text: str):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return replace(clause, example=replace(clause.example, text=text))


def test_an_example_whose_parameter_is_gone_is_left_out(planner: Planner, confirm: Confirm, after: After) -> None:
    from dataclasses import replace

    (clause,) = confirm("was liegt denn alles so in downloads rum")
    slots = tuple(replace(one, parameter="no_more") for one in clause.example.slots)
    taught = after(replace(clause, example=replace(clause.example, slots=slots)))
    assert taught.toolbox is planner.toolbox
