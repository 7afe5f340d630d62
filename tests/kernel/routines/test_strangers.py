"""What a rule is to do, in somebody else's words: about what comes, its folder, its moment; with what is only told."""

from __future__ import annotations

import pytest

from kernel.model import Argument, FromTask
from kernel.routines.waited_for import BROUGHT
from tests.kernel.routines.conftest import Desk

FOLDERS = ("Projects/website", "Documents/Contracts", "Documents/Travel", "Documents/Work", "Pictures", "Mail/Inbox")
RULES: list[tuple[str, str]] = [
    # the folder of what came
    ("When a file lands in Backup, show me how big that folder is now.", "files.usage(folder=~/Backup)"),
    ("Wenn eine Datei nach Backup kommt, sag mir, wie groß dieser Ordner jetzt ist.", "files.usage(folder=~/Backup)"),
    ("Wenn in Backup eine Datei landet, zeig mir, wie viel Platz der Ordner jetzt braucht.",
     "files.usage(folder=~/Backup)"),
    ("Whenever a file is deleted from Documents/Contracts, run `git status` in the folder it lies in.",
     "shell.run(command=git status, folder=~/Documents/Contracts)"),
    # its name, and what is read out of it
    ("Whenever a file is deleted from Documents/Contracts, I'd like a notice on the screen that says its name.",
     "desktop.notify(text=<t0.name>)"),
    ("Wird in Documents/Contracts eine Datei gelöscht, will ich einen Hinweis mit ihrem Namen auf dem Bildschirm.",
     "desktop.notify(text=<t0.name>)"),
    ("When a new PDF comes into Documents/Travel, dig out the booking number and jot it down in my note Bookings.",
     "documents.value(file=<t0.>, name=booking number); notes.add(text=<t1.>, title=Bookings)"),
    ("Wenn in Documents/Travel eine neue PDF auftaucht, such die Buchungsnummer heraus und schreib sie in meine Notiz "
     "Bookings.", "documents.value(file=<t0.>, name=Buchungsnummer); notes.add(text=<t1.>, title=Bookings)"),
    ("When expenses.csv changes in Finance, add up the column amount and show me the total as a notification.",
     "data.total(column=amount, table=<t0.>); desktop.notify(text=<t1.>)"),
    ("Wenn in Downloads ein neues Foto landet, leg es nach Aufnahmejahr unter Pictures ab.",
     "documents.file_away(by=year, files=<t0.>, to=~/Pictures)"),
    ("Taucht in Downloads ein neues Foto auf, könntest du das bitte nach dem Jahr der Aufnahme unter Pictures ablegen?",
     "documents.file_away(by=year, files=<t0.>, to=~/Pictures)"),
    # what hangs on a mail
    ("When a mail from Vogt arrives, save everything that hangs on it in Documents/Work.",
     "mail.save_attachments(mail=<t0.file>, to=~/Documents/Work)"),
    ("Wenn eine Mail von Vogt kommt, leg das, was angehängt ist, in Documents/Work ab.",
     "mail.save_attachments(mail=<t0.file>, to=~/Documents/Work)"),
    ("When a mail from Lena arrives, remind me two hours later to write back.",
     "timers.remind(length=7200, text=write back)"),
    # what is only told before it, a task with a part of its verb, the same day
    ("At work they mail the rota round whenever it suits them. What I'd love: when a mail from Lena arrives, put pin "
     "up the shift plan on my to-do list, due the same day. Thanks a million!",
     "tasks.add(due=2026-03-11, text=pin up the shift plan)"),
    # the moment of the run, and all of a fact
    ("When the network goes, write the date and the time into my note Log.", "notes.add(text=‹moment›, title=Log)"),
    ("Wenn das Netz fünf Minuten lang weg ist, häng deshalb bitte Datum und Uhrzeit an meine Notiz Störungen an.",
     "notes.add(text=‹moment›, title=Störungen)"),
    ("Wenn ich dir sage, wo jemand arbeitet, schreib den Namen und die Firma in meine Notiz Leute.",
     "notes.add(text=<t0.>, title=Leute)"),
    # a verb that ends its clause is no text of a task
    ("Kannst du mir jeden Montag um 9 meine Aufgaben zeigen?", "tasks.show()"),
    ("Ich möchte, dass du mir jeden Montag um 9 meine Aufgaben zeigst.", "tasks.show()"),
    # a day out of a repetition is no day
    ("Sag mir bitte jeden Sonntag um 18 Uhr, wie spät es gerade in Vancouver ist, da wohnt nämlich meine Tochter.",
     "calc.clock(place=Vancouver)"),
    ("Jeden Montag um 8 will ich wissen, wie viel Platz auf der Platte noch frei ist.", "system.disks()"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "shape"), RULES, ids=[one for one, _ in RULES])
async def test_it_does_what_was_meant(desk: Desk, rule: str, shape: str) -> None:
    for name in FOLDERS:
        (desk.home / name).mkdir(parents=True, exist_ok=True)
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"] or view["question"]
    (routine,) = desk.kernel._house.routines.every()
    assert _shape(desk, routine.plan.tasks) == shape


@pytest.mark.parametrize(
    "rule",
    [
        "Delete the old files in Backup. When a PDF lands in Downloads, copy it to Backup.",
        "Every Friday at 3 pm print my open tasks on the printer upstairs.",
        "When a PDF lands in Downloads or a folder below it, show me how big that folder is.",
    ],
)
async def test_nothing_else_is_kept(desk: Desk, rule: str) -> None:
    await desk.say(rule)
    assert not desk.kernel._house.routines.every()


async def test_the_folder_is_the_one_that_the_request_names_before(desk: Desk) -> None:
    view = await desk.say("When a PDF lands in Downloads, move it to Backup and tell me how big that folder is.")
    tasks = [one for routine in desk.kernel._house.routines.every() for one in routine.plan.tasks]
    assert "folder=~/Downloads" not in _shape(desk, tasks), view["answer"]


def _shape(desk: Desk, tasks: object) -> str:
    assert isinstance(tasks, tuple | list)
    return "; ".join(
        f"{one.tool}({', '.join(sorted(f'{name}={_value(desk, value)}' for name, value in one.arguments.items()))})"
        for one in tasks
    )


def _value(desk: Desk, argument: Argument) -> str:
    if isinstance(argument, FromTask):
        return f"<{'t0' if argument.task == BROUGHT else argument.task}.{argument.field}>"
    return str(argument.value).replace(str(desk.home), "~").replace("\ue000", "‹").replace("\ue001", "›")
