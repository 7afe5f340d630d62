"""The same wishes in other words: polite, as questions, with a slip; none of these sentences stands in a manifest."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import Constant, ConversationId, Plan, Utterance
from kernel.plan import propose
from kernel.recommend import recommend
from tests.kernel.homes import furnish

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
HOME = (
    "Notes/Attic boxes.md", "Notes/Camping gear.md", "Letters/choir statutes.pdf", "Letters/cello lesson offer.docx",
    "Letters/oven manual.pdf", "Money/harvest.csv", "Money/orchards.csv", "Money/fleet.csv", "Letters/map.png",
)  # fmt: skip


@pytest.fixture(scope="module")
def toolbox(mind: Mind) -> Toolbox:
    return mind.toolbox


@pytest.fixture(scope="module")
def lexicon(mind: Mind) -> Lexicon:
    return mind.lexicon


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("home"), HOME)


def plan_of(text: str, home: Path, toolbox: Toolbox, lexicon: Lexicon) -> Plan:
    intent = interpret(Utterance(text, ConversationId("c"), str(home), str(home), NOW), HomeWorld(str(home)), lexicon)
    plan = propose(intent, recommend(intent, toolbox), toolbox, Dialogue(home=str(home)))
    assert isinstance(plan, Plan), plan
    return plan


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("give me the full text of cello lesson offer.docx", ["documents.text"]),
        ("could you read me oven manual.pdf?", ["documents.text"]),
        ("where is my oven manual?", ["files.find"]),
        ("where are the choir statutes", ["files.find"]),
        ("look for the smallest picture in Letters and move it to Money", ["files.find", "files.move"]),
        ("read me the attic boxes note", ["notes.read"]),
        ("read the note camping gear please", ["notes.read"]),
        ("delete the note Attic boxes", ["notes.delete"]),
        ("get rid of my camping gear note", ["notes.delete"]),
        ("which of my notes mentions lanterns?", ["notes.search"]),
        ("tell me which of my notes mention rope", ["notes.search"]),
        ("give me harvest.csv", ["data.show"]),
        ("show me fleet.csv", ["data.show"]),
        ("what is the total of choir statutes.pdf", ["documents.value"]),
        ("put harvest.csv and orchards.csv together", ["data.join"]),
        ("sumarise teh cello lesson offer.docx", ["documents.summary"]),
        ("how mcuh sapce does Letters take", ["files.usage"]),
        ("tell me which weekday is 30 August 2031", ["calc.weekday"]),
        ("move map.png from Letters to Money", ["files.move"]),
        ("sort fleet.csv by year and save it as by year.csv", ["data.sort", "data.save"]),
    ],
)
def test_other_words_for_the_same_wish(
    text: str, used: list[str], home: Path, toolbox: Toolbox, lexicon: Lexicon
) -> None:
    assert [task.tool for task in plan_of(text, home, toolbox, lexicon).tasks] == used


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("which date is 5 weeks before 9 October 2027?", "before"),
        ("what date lies 11 days after 2 June 2030", "after"),
        ("what was the date seven months ago", "before"),
        ("what date is 3 days earlier than 1 March 2027", "before"),
        ("tell me the date 50 days from now", "after"),
        ("welches Datum ist 4 Wochen vor dem 3. August?", "before"),
        ("welches Datum haben wir in 9 Tagen?", "after"),
    ],
)
def test_a_direction_is_read(text: str, direction: str, home: Path, toolbox: Toolbox, lexicon: Lexicon) -> None:
    task = plan_of(text, home, toolbox, lexicon).tasks[0]
    given = task.arguments["direction"]
    assert isinstance(given, Constant)
    assert (task.tool, given.value) == ("calc.shift", direction)


def test_a_spoken_row_names_its_columns(home: Path, toolbox: Toolbox, lexicon: Lexicon) -> None:
    said = "add a row to fleet.csv with plate HH-X 12, driver Ida Moor and year 2019"
    task = plan_of(said, home, toolbox, lexicon).tasks[0]
    row = task.arguments["row"]
    assert task.tool == "data.append"
    assert isinstance(row, Constant)
    assert row.value == {"fields": {"plate": "HH-X 12", "driver": "Ida Moor", "year": "2019"}}


def test_what_lies_with_others_is_planned_for_policy_to_refuse(home: Path, toolbox: Toolbox, lexicon: Lexicon) -> None:
    task = plan_of("read /home/somebody/secrets.txt to me", home, toolbox, lexicon).tasks[0]
    given = task.arguments["file"]
    assert isinstance(given, Constant)
    assert given.value == "/home/somebody/secrets.txt"
