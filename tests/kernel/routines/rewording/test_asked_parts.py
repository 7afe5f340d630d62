"""Parts of an event or a mail that a rule says as a question, or without saying whose they are."""

from __future__ import annotations

import pytest

from kernel.interpret import read
from kernel.model import ConversationId, FromTask, Utterance
from kernel.routines.rewording.asked_parts import parts_asked
from kernel.routines.waited_for import BROUGHT
from tests.kernel.planner import NOW, Planner, home, planner
from tests.kernel.routines.conftest import Desk

__all__ = ["home", "planner"]


@pytest.mark.parametrize(("language", "kind", "said", "meant"), [
    ("de", "event", "zeig mir, wo er stattfindet", ["seinem place"]),
    ("de", "event", "sag mir, wo ich hin muss", ["seinem place"]),
    ("de", "event", "sag mir, um wieviel Uhr es losgeht", ["seinem start"]),
    ("de", "event", "sag mir, wer alles dabei ist und worum es geht", []),
    ("de", "event", "sag mir, wer alles dabei ist", ["seinem people"]),
    ("de", "event", "häng den Titel an meine Notiz Slips an", ["seinem title"]),
    ("de", "mail", "setz den Betreff als Aufgabe auf meine Liste", ["ihrem subject"]),
    ("de", "mail", "sag mir, von wem sie ist", ["ihrem sender"]),
    ("de", "mail", "leg eine Notiz mit dem Betreff Rechnung an", []),
    ("de", "mail", "sag mir, dass der Betreff leer ist", []),
    ("de", "file", "häng den Titel an meine Notiz Slips an", []),
    ("en", "event", "tell me where it is", ["its place"]),
    ("en", "event", "tell me what time it begins", ["its start"]),
    ("en", "mail", "add the subject line to my note Slips", ["its subject"]),
    ("en", "mail", "tell me who sent it", ["its sender"]),
    ("en", "mail", "show me the subject of the newest mail", []),
    ("en", "mail", "make a note with the subject Lunch", []),
    ("en", "mail", "tell me “the subject”", []),
])  # fmt: skip
def test_they_are_parts_of_what_comes(planner: Planner, language: str, kind: str, said: str, meant: list[str]) -> None:
    line = read(Utterance(said, ConversationId("c"), planner.home, planner.home, NOW), planner.lexicon, language)
    assert sorted(parts_asked(line, kind, frozenset(), ()).values()) == sorted(meant)


@pytest.mark.parametrize(("rule", "tool", "field"), [
    ("Eine Viertelstunde vor jedem Termin mit Lena zeig mir eine Benachrichtigung, wo er stattfindet.",
     "desktop.notify", "place"),
    ("Zehn Minuten vor jedem Termin schick mir eine Meldung, worum es geht", "desktop.notify", "title"),
    ("15 minutes before every meeting with Lena, let me know who is coming", "desktop.notify", "people"),
    ("Wenn eine Mail von Lena kommt, setz den Betreff als Aufgabe auf meine Liste, fällig heute", "tasks.add",
     "subject"),
    ("when a mail from Lena arrives put the subject on my to-do list, due today", "tasks.add", "subject"),
])  # fmt: skip
async def test_a_rule_takes_the_part_and_not_its_word(desk: Desk, rule: str, tool: str, field: str) -> None:
    (desk.home / "Mail/Inbox").mkdir(parents=True)
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (routine,) = desk.kernel._house.routines.every()
    (task,) = routine.plan.tasks
    assert (task.tool, task.arguments["text"]) == (tool, FromTask(BROUGHT, field))


@pytest.mark.parametrize("rule", [
    "Wird in Downloads oder in einem Ordner darunter etwas gelöscht, schreib den Dateinamen in meine Notiz Gone.",
    "whenever a file is deleted in Downloads, add the file name to my note Gone",
    "whenever a file is deleted in Downloads, add the name of the file to my note Gone",
    "whenever a file is deleted in Downloads, add the file's name to my note Gone",
    "Wird in Downloads eine Datei gelöscht, schreib den Namen der Datei in meine Notiz Gone.",
])  # fmt: skip
async def test_what_the_file_is_called_is_its_name_and_not_that_word(desk: Desk, rule: str) -> None:
    (desk.home / "Notes").mkdir()
    (desk.home / "Notes/Gone.md").write_text("# Gone\n")
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (routine,) = desk.kernel._house.routines.every()
    (task,) = routine.plan.tasks
    assert (task.tool, task.arguments["text"]) == ("notes.add", FromTask(BROUGHT, "name"))
