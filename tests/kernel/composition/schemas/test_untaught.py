"""What tools without examples never change, how they are named, what their values look like, what is learnt of them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kernel.composition.scene import scene_of
from kernel.context import kept
from kernel.context.dialogue import Dialogue
from kernel.context.packing import read_parts, write_parts
from kernel.language.place.zones import zone_of
from kernel.learning.learner import _Reader
from kernel.learning.model import Clause
from kernel.learning.overlay import overlay
from kernel.model import Constant, Decline, Plan, Question
from permissions.labels import Integrity
from skills.examples import parse_example
from skills.model import ToolId
from tests.kernel.composition.schemas.servers import every_tool, other_tools
from tests.kernel.planner import Planner

if TYPE_CHECKING:
    from kernel.context.mind import Mind


# --- what stays as it was -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de"])
def test_tools_without_examples_teach_the_others_nothing(beside: Planner, mind: Mind, language: str) -> None:
    mine, theirs = mind.toolbox.taught(language), beside.toolbox.taught(language)
    assert (mine.idf, mine.verbs, mine.choices, mine.carriers) == (
        theirs.idf, theirs.verbs, theirs.choices, theirs.carriers,
    )  # fmt: skip
    assert len(beside.toolbox.shelf) == len(mind.toolbox.shelf)
    assert len(beside.toolbox.tools) == len(mind.toolbox.tools) + len(every_tool()) + len(other_tools())


def test_the_shelf_of_all_tools_is_made_once_for_all_copies(beside: Planner) -> None:
    base = beside.toolbox.with_vectors(lambda texts: np.eye(1, 4, dtype=np.float32).repeat(len(texts), axis=0))
    one, other = (base.with_lessons(base.profiles, base.lessons) for _ in range(2))
    assert one.whole_shelf is other.whole_shelf is base.whole_shelf
    assert len(one.whole_shelf) == len(one.shelf) + len(every_tool()) + len(other_tools())
    assert base.whole_shelf is not beside.toolbox.whole_shelf, "of other vectors another one"


UNDERSTOOD = [
    "find the three largest files in ~/Downloads and save their names as a note called big files",
    "what time is it?",
    "copy report.pdf to Archive",
    "wie groß ist der Ordner Downloads?",
    "make a note called git status saying check the repository",
    "search my documents for time zones",
    "send an email to anna@example.org: ask git for the log",
    "add a task: use time to relax",
    "create a task: ask memory for Anna",
    "add a task: ask the git server for the log",
    "neue Aufgabe: frag git nach dem Log",
    "make a note called plans saying use git to show the log",
    "send an email to anna@example.org saying that I work with the git server",
]
"""Requests of tools with examples, with words that the servers' tools have too."""


@pytest.mark.parametrize("sentence", UNDERSTOOD)
def test_a_request_that_has_a_tool_with_examples_stays_there(beside: Planner, plain: Planner, sentence: str) -> None:
    assert isinstance(plain.say(sentence), Plan)
    assert beside.shape(beside.say(sentence)) == plain.shape(plain.say(sentence))


# --- naming ---------------------------------------------------------------------------------------------------------

NAMED = [
    ("use git to show the status of ~/Projects/house", "git", "use git to"),
    ("ask the git server for the log of ~/Projects/house", "git", "ask the git server for"),
    ("with the filesystem server, list ~/Downloads", "filesystem", "with the filesystem server ,"),
    ("use time to convert 3 pm from Berlin to Tokyo", "time", "use time to"),
    ("frag den git-Server nach dem Status von ~/Projects/house", "git", "frag den git-Server nach"),
    ("let memory search for Anna", "", ""),
    ("find nodes via search_nodes", "memory", "via search_nodes"),
    ("git: the status of ~/Projects/house", "git", "git :"),
]
NOT_NAMED = [
    "find some time to read report.pdf", "I have no memory of that", "with time it gets better",
    "move everything to Archive", "ask Anna about the echo", "the git server is down", "use the time well",
    "make time for a walk", "mit der Zeit wird alles besser", "delete everything in Music",
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "server", "words"), NAMED)
def test_a_server_or_a_tool_is_called_by_its_name(beside: Planner, sentence: str, server: str, words: str) -> None:
    scene = scene_of(beside.intent(sentence), beside.home)
    address = beside.toolbox.untaught.addressed(scene)
    said = [token.text for at, token in enumerate(scene.tokens) if address and address.mask >> at & 1]
    assert " ".join(said).replace("git - Server", "git-Server") == words
    assert not server or (address and {one.split(".")[0] for one in address.tools} == {server})


@pytest.mark.parametrize("sentence", NOT_NAMED)
def test_everyday_words_are_no_names(beside: Planner, sentence: str) -> None:
    assert beside.toolbox.untaught.addressed(scene_of(beside.intent(sentence), beside.home)) is None


def test_who_is_named_does_it_although_another_could(beside: Planner, plain: Planner) -> None:
    sentence = "search ~/Documents for *.docx"
    assert beside.shape(beside.say("list ~/Downloads")) == plain.shape(plain.say("list ~/Downloads"))
    named = beside.say(f"use filesystem to {sentence}")
    assert isinstance(named, Plan)
    assert named.tasks[0].tool == "filesystem.search_files"


# --- who says it ----------------------------------------------------------------------------------------------------

SAID_BY_PROGRAMS = [
    "use git to add ~/Projects/house/a.txt in ~/Projects/house",
    "use git to add ~/Documents/report.pdf and ~/Documents/thesis.pdf in ~/Projects/house",
    "use filesystem to read ~/Documents/report.pdf",
    "use filesystem to read the files ~/Documents/report.pdf and ~/Documents/thesis.pdf",
    "use time to convert 3 pm from Berlin to Tokyo",
    "commit the changes in ~/Projects/house with the message mend the gate",
]


def trust(plan: Plan) -> set[Integrity]:
    """Return how far the values of a plan are trusted."""
    return {one.label.integrity for task in plan.tasks for one in task.arguments.values() if isinstance(one, Constant)}


@pytest.mark.parametrize("sentence", SAID_BY_PROGRAMS)
def test_the_words_of_a_program_are_never_the_persons(beside: Planner, sentence: str) -> None:
    asked, said = beside.say(sentence, client="mcp:evil"), beside.say(sentence)
    assert isinstance(asked, Plan)
    assert isinstance(said, Plan)
    assert trust(asked) == {Integrity.UNTRUSTED}
    assert trust(said) == {Integrity.USER}, "the person's own are"


@pytest.mark.parametrize("answer", ["2", "the second", "debug"])
def test_a_program_that_picks_a_choice_says_it_itself(beside: Planner, answer: str) -> None:
    question = beside.say("get an annotated message", client="mcp:evil")
    assert isinstance(question, Question)
    assert question.values
    asked = beside.say(answer, Dialogue(pending=question), client="mcp:evil")
    said = beside.say(answer, Dialogue(pending=question))
    assert isinstance(asked, Plan)
    assert isinstance(said, Plan)
    assert trust(asked) == {Integrity.UNTRUSTED}
    assert trust(said) == {Integrity.USER}


# --- questions, answers ---------------------------------------------------------------------------------------------

ASKED = [
    ("convert 18:00 from Lisbon to another timezone", "Tokio", "target_timezone", "Asia/Tokyo"),
    ("show the git status", "~/Projects/house", "repo_path", "~/Projects/house"),
    ("commit the changes in ~/Projects/house", "mend the gate", "message", "mend the gate"),
    ("get an annotated message", "debug", "messageType", "debug"),
]


@pytest.mark.parametrize(("sentence", "answer", "name", "value"), ASKED)
def test_an_answer_is_read_in_the_form_of_the_schema(
    beside: Planner, sentence: str, answer: str, name: str, value: str
) -> None:
    question = beside.say(sentence)
    assert isinstance(question, Question), question
    found = beside.say(answer, Dialogue(pending=question))
    assert isinstance(found, Plan), found
    assert beside.value(found.tasks[0].arguments[name]) == value


def test_a_question_has_the_words_of_the_schema(beside: Planner) -> None:
    question = beside.say("convert 18:00 from Lisbon to another timezone")
    assert isinstance(question, Question)
    assert "target timezone" in question.text
    assert "IANA" in question.text


# --- values ---------------------------------------------------------------------------------------------------------

ZONES = [
    ("Tokyo", "Asia/Tokyo"), ("tokio", "Asia/Tokyo"), ("new york", "America/New_York"), ("UTC", "UTC"),
    ("europe/berlin", "Europe/Berlin"), ("Wien", "Europe/Vienna"), ("Springfield", ""), ("the", ""), ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("words", "zone"), ZONES)
def test_places_are_zones_by_the_names_of_the_database(words: str, zone: str) -> None:
    assert zone_of(words) == zone


# --- learning -------------------------------------------------------------------------------------------------------

OWN = ("freshen up my view of {repo_path:~/Projects/house}", "git.git_status")


def test_a_confirmed_request_makes_the_next_one_direct(beside: Planner, mind: Mind) -> None:
    taught = _after(beside, Clause(ToolId(OWN[1]), parse_example(OWN[0], "en")))
    assert not isinstance(beside.say("freshen up my view of ~/Documents"), Plan)
    assert taught.shape(taught.say("freshen up my view of ~/Documents")) == "git.git_status(repo_path=~/Documents)"
    assert not isinstance(taught.say("freshen up the kitchen for 5 people"), Plan)
    assert taught.shape(taught.say("list ~/Downloads")) == beside.shape(beside.say("list ~/Downloads"))


def test_what_it_knew_by_its_schema_it_still_knows(beside: Planner) -> None:
    taught = _after(beside, Clause(ToolId(OWN[1]), parse_example(OWN[0], "en")))
    sentence = "show the git status of ~/Projects/house"
    assert taught.shape(taught.say(sentence)) == "git.git_status(repo_path=~/Projects/house)"


def _after(planner: Planner, *clauses: Clause) -> Planner:
    found = overlay(planner.toolbox, clauses, _Reader(planner.lexicon))
    assert found is not None
    return replace(planner, toolbox=found.over(planner.toolbox))


# --- nothing of it --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sentence", ["git", "use git", "time", "use time to", "ask git for the", "echo", "🙂 git 🙂"])
def test_half_a_sentence_is_no_crash(beside: Planner, sentence: str) -> None:
    assert isinstance(beside.say(sentence), Plan | Question | Decline)


def test_a_mind_that_was_kept_knows_them_too(beside: Planner, tmp_path: Path) -> None:
    key = hashlib.sha256(b"these tools").digest()
    assert write_parts(tmp_path / "lessons", key, kept._packed(beside.lexicon, beside.toolbox))
    opened = kept._opened(read_parts(tmp_path / "lessons", key), beside.tools)
    assert opened is not None
    again = replace(beside, lexicon=opened[0], toolbox=opened[1])
    for sentence in ("show the git status of ~/Projects/house", UNDERSTOOD[0]):
        assert again.shape(again.say(sentence)) == beside.shape(beside.say(sentence))
