"""What one skill can do is told to whoever asks for it by its name, and to nobody else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.itself.abilities import asked_skill, told
from kernel.language import Lexicon
from kernel.model import ConversationId, Utterance
from skills import Registry
from tests.kernel.conftest import Bench


def asked(text: str, home: str, builtin: Registry) -> tuple[str, str] | None:
    said = Utterance(text, ConversationId("c"), home, home, datetime(2026, 3, 11, tzinfo=UTC))
    found = asked_skill(interpret(said, HomeWorld(home), Lexicon.from_tools(())), builtin.skills())
    return None if found is None else (str(found[0].id), found[1])


@pytest.mark.parametrize(
    ("text", "skill"),
    [
        ("what can calendar do?", ("calendar", "en")),
        ("What can the calendar skill do for me?", ("calendar", "en")),
        ("what can you do with contacts?", ("contacts", "en")),
        ("what can I do with my mail", ("mail", "en")),
        ("how do I use the notes skill?", ("notes", "en")),
        ("was kann der Kalender?", ("calendar", "de")),
        ("was kannst du mit Kontakten machen?", ("contacts", "de")),
        ("was macht der Skill timers?", ("timers", "de")),
    ],
)
def test_a_skill_that_is_named_is_asked_about(
    text: str, skill: tuple[str, str], builtin: Registry, empty_home: str
) -> None:
    assert asked(text, empty_home, builtin) == skill


@pytest.mark.parametrize(
    "text",
    [
        "what can you do?", "what can Anna do on Friday?", "what can I do with report.pdf", "what is on my calendar?",
        "what can I do tomorrow?", "what did you do with my notes?", "was kann ich morgen machen?",
        "what is mail for Anna", "what can the shop do?",
    ],
)  # fmt: skip
def test_any_other_question_is_a_request(text: str, builtin: Registry, empty_home: str) -> None:
    assert asked(text, empty_home, builtin) is None


def test_each_tool_is_told_with_a_sentence_for_it(builtin: Registry) -> None:
    (timers,) = [one for one in builtin.skills() if one.id == "timers"]
    lines = told(timers, "en").splitlines()
    assert len(lines) == 1 + len(timers.tools)
    assert all(line.endswith("”") for line in lines[1:]), lines
    german = told(timers, "de").splitlines()
    assert german[0].startswith("Was timers kann")
    assert all("„" in line for line in german[1:]), german


async def test_nothing_is_carried_out_and_nothing_is_learnt(bench: Bench) -> None:
    (bench.home / "Contacts").mkdir()
    view = await bench.ask("what can you do with contacts?")
    assert (view["resolution"], view["plan"]) == ("executed", None), view["answer"]
    assert "Look up what the contacts say" in view["answer"]
    assert "phone number" in view["answer"]
