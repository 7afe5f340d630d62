"""A task whose title is told as a clause: what is to be done, with the thing by its name and the day as its due day."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from kernel.language import Line, tokenize
from kernel.model import Constant, FromTask, TaskId
from kernel.routines.rewording.wished_tasks import wished_task
from tests.kernel.routines.conftest import BERLIN, Desk

NOW = datetime(2026, 3, 11, 10, tzinfo=BERLIN)


def told(said: str, language: str, happens: str = "") -> tuple[str, str] | None:
    line = Line(said, tokenize(said, language), language, NOW)
    found = wished_task(said, line, happens)
    return None if found is None else (found.text, found.title)


@pytest.mark.parametrize(
    ("said", "language", "happens", "text", "title"),
    [
        ("mach mir a Aufgabe, dass i's innerhalb von drei Tag anschau", "de", "Kommt eine Mail",
         "füge die Aufgabe „Mail anschauen“ hinzu, fällig innerhalb von drei Tag", "Mail anschauen"),
        ("speicher den Anhang in Docs und leg eine Aufgabe an, dass ich ihn bis Freitag prüfen muss", "de", "",
         "speicher den Anhang in Docs und füge die Aufgabe „Anhang prüfen“ hinzu, fällig Freitag", "Anhang prüfen"),
        ("erstell mir eine Aufgabe, dass ich Lena morgen anrufe", "de", "",
         "füge die Aufgabe „Lena anrufen“ hinzu, fällig morgen", "Lena anrufen"),
        ("mach eine Aufgabe, dass ich die Belege sammle", "de", "",
         "füge die Aufgabe „die Belege sammeln“ hinzu", "die Belege sammeln"),
        ("save the attachment in Docs and make me a task that I look at it within three days", "en", "",
         "save the attachment in Docs and add a task “look at the attachment” due within three days",
         "look at the attachment"),
        ("add a task to pay it by Friday", "en", "whenever a new invoice comes",
         "add a task “pay the invoice” due Friday", "pay the invoice"),
    ],
)  # fmt: skip
def test_a_clause_becomes_a_title_and_a_day(said: str, language: str, happens: str, text: str, title: str) -> None:
    assert told(said, language, happens) == (text, title)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("mach mir eine Aufgabe, dass ich es anschaue", "de"),  # nothing that it could mean
        ("schreib Lena eine Mail, dass ich es anschaue", "de"), ("add a task to my list", "en"),
        ("add the task “call Lena”", "en"), ("mach mir eine Notiz, dass ich die Steuer mache", "de"),
    ],
)  # fmt: skip
def test_everything_else_stays_as_it_was_said(said: str, language: str) -> None:
    assert told(said, language) is None


def given(desk: Desk, view: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The tools of the rule that was kept, with their arguments."""
    (kept,) = desk.kernel._house.routines.kept_by(view["run"])
    return [(str(task.tool), dict(task.arguments)) for task in kept.plan.tasks]


@pytest.mark.parametrize(
    ("rule", "title", "due"),
    [
        ("Kommt a Mail von Vogt und da hängt was dran, speicher den Anhang in Documents/Taxes und mach mir a Aufgabe, "
         "dass i's innerhalb von drei Tag anschau.", "Anhang anschauen", "2026-03-14"),
        ("Wenn eine Mail von Vogt mit Anhang kommt, speichere den Anhang in Documents/Taxes und leg eine Aufgabe an, "
         "dass ich ihn bis Freitag prüfen muss.", "Anhang prüfen", "2026-03-13"),
        ("Whenever a mail from Lena with an attachment comes, save the attachment in Documents/Taxes and make me a "
         "task that I look at it within two weeks.", "look at the attachment", "2026-03-25"),
    ],
)  # fmt: skip
async def test_the_attachment_is_kept_and_is_to_be_looked_at(desk: Desk, rule: str, title: str, due: str) -> None:
    (desk.home / "Documents/Taxes").mkdir(parents=True)
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (first, kept), (second, task) = given(desk, view)
    assert (first, second) == ("mail.save_attachments", "tasks.add")
    assert kept["mail"] == FromTask(TaskId("t0"), "file"), "of the very mail that comes"
    assert {name: one.value for name, one in task.items() if isinstance(one, Constant)} == {"text": title, "due": due}


@pytest.mark.parametrize(
    "rule",
    [
        "Whenever a mail from Lena with an attachment comes, copy its attachments to Backup.",
        "Whenever a mail from Lena with an attachment comes, move the attachment to Backup.",
    ],
)
async def test_whoever_copies_what_is_attached_copies_no_mail(desk: Desk, rule: str) -> None:
    view = await desk.say(rule)
    assert view["resolution"] == "declined", view["answer"]
    assert "standing-in" not in view["answer"]
    control = await desk.say("Whenever a mail from Lena comes, copy the mail to Backup.")
    assert control["resolution"] == "confirmed", control["answer"]


async def test_a_place_in_the_text_of_a_task_is_no_place_of_its_own(desk: Desk) -> None:
    view = await desk.say("Every Monday at 9 put take the glass to the bottle bank on my to-do list.")
    assert "take the glass to the bottle bank (due" in view["answer"]
