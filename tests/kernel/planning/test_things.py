"""What is done with files that are spoken of by words of their names; what is taken away is never a guess."""

from __future__ import annotations

import pytest

from kernel.context.mind import Mind
from kernel.model import Plan, Question
from tests.kernel.homes import furnish
from tests.kernel.planner import Planner

NAMES = (
    "Bills/bill_greenleaf_2025-11.pdf", "Bills/bill_zenvo_2025-04.pdf", "Bills/bill_zenvo_2025-12.pdf",
    "Money/rates.csv", "Downloads/debian-12.5.iso", "Downloads/badge.png", "Desktop/", "Docs/Trips/x.txt",
)  # fmt: skip


@pytest.fixture(scope="module")
def planner(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    return Planner.knowing(mind, furnish(tmp_path_factory.mktemp("things"), NAMES))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("delete the debian iso", "files.delete(files=['~/Downloads/debian-12.5.iso'])"),
        ("delete the zenvo bill from april", "files.delete(files=['~/Bills/bill_zenvo_2025-04.pdf'])"),
        ("move the badge png to Desktop", "files.move(files=['~/Downloads/badge.png'], to=~/Desktop)"),
        (
            "what is the total of the green leaf bill",
            "documents.value(file=~/Bills/bill_greenleaf_2025-11.pdf, name=total)",
        ),
        ("show me the rates csv", "data.show(table=~/Money/rates.csv)"),
    ],
)
def test_the_file_is_the_one_that_is_meant(sentence: str, expected: str, planner: Planner) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize("sentence", ["delete the zenvo bill", "what is the total of the zenvo bill"])
def test_of_several_it_is_asked_which(sentence: str, planner: Planner) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question)
    assert {str(value).count("zenvo") for value in question.values} == {1}
    assert len(question.values) == 2


@pytest.mark.parametrize(
    "sentence",
    [
        "delete the bill pdf",
        "delete the green leaf bill from june",
        "delete the badge jpg",
        "delete the greenleaf pdf",
        "delete the bill from Greenleaf Partners",
    ],
)
def test_a_name_in_part_takes_nothing_away(sentence: str, planner: Planner) -> None:
    plan = planner.say(sentence)
    assert not isinstance(plan, Plan), planner.shape(plan)
