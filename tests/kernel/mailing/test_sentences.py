"""Sentences about mail, each tool in each language: which tool, with which values; and those of other things."""

from __future__ import annotations

from typing import Any

import pytest

from kernel import Ask
from tests.kernel.conftest import Bench

MEANT: list[tuple[str, str, dict[str, str]]] = [
    ("how many unread mails do I have?", "mail.find", {"what": "unread"}),
    ("mails from Anna since Monday", "mail.find", {"sender": "Anna"}),
    ("which mails have attachments?", "mail.find", {"what": "attachments"}),
    ("wie viele ungelesene Mails habe ich?", "mail.find", {"what": "ungelesene"}),
    ("Anna's last mail", "mail.read", {"sender": "Anna"}),
    ("read Anna's last mail", "mail.read", {"sender": "Anna"}),
    ("lies mir Annas letzte Mail vor", "mail.read", {"sender": "Annas"}),
    ("show the whole mail thread about the roof", "mail.thread", {"about": "roof"}),
    ("zeig den Mailverlauf über das Dach", "mail.thread", {"about": "Dach"}),
    ("save the attachments of Anna's last mail to Documents", "mail.save_attachments", {"sender": "Anna"}),
    ("speichere die Anhänge von Annas letzter Mail", "mail.save_attachments", {"sender": "Annas"}),
    ("draft an email to Anna saying see you soon", "mail.draft", {"to": "Anna", "text": "see you soon"}),
    ("entwirf eine Mail an Anna: bis bald", "mail.draft", {"to": "Anna", "text": "bis bald"}),
    ("email Anna that I will be late", "mail.send", {"to": "Anna", "text": "I will be late"}),
    ("schreib Anna eine Mail, dass ich später komme", "mail.send", {"to": "Anna", "text": "ich komme später"}),
    ("schick Anna eine Mail, dass ich krank bin", "mail.send", {"to": "Anna", "text": "ich bin krank"}),
    (
        "schick Anna eine Mail, dass die Mutter der Braut hilft",
        "mail.send",
        {"to": "Anna", "text": "die Mutter der Braut hilft"},
    ),
    ("send Anna an email saying that I am ill", "mail.send", {"to": "Anna", "text": "I am ill"}),
    ("answer Jonas's last email with see you then", "mail.reply", {"text": "see you then"}),
    ("beantworte die letzte E-Mail von Jonas mit bis dann", "mail.reply", {"text": "bis dann"}),
    ("forward Anna's last mail to ben@example.org", "mail.forward", {"sender": "Anna", "to": "ben@example.org"}),
    ("leite Annas letzte Mail an ben@example.org weiter", "mail.forward", {"to": "ben@example.org"}),
    ("fetch my mail", "mail.fetch", {}),
    ("ruf meine Mails ab", "mail.fetch", {}),
    ("has Karl Brandt answered yet", "mail.find", {"sender": "Karl Brandt"}),
    ("hat Lena schon geantwortet", "mail.find", {"sender": "Lena"}),
    ("do I have an email from Sonja?", "mail.find", {"sender": "Sonja"}),
    ("such nach der mail wegen der heizung", "mail.find", {"about": "heizung"}),
    ("welche mails hab ich noch nicht gelesen", "mail.find", {"what": "ungelesene"}),
    ("was hat Karl Brandt zur heizung geschrieben", "mail.read", {"sender": "Karl Brandt", "about": "heizung"}),
    ("was steht in der mail vom zahnarzt", "mail.read", {"sender": "zahnarzt"}),
    ("schreib Anna eine mail dass ich um acht da bin", "mail.send", {"to": "Anna", "text": "ich bin um acht da"}),
]
OTHER = [
    "Schick Papa bitte das Foto von Omas Geburtstag per WhatsApp.",
    "send a fax to Anna",
    "send the photo to Papa on Signal",
    "delete Anna's mail",
    "what is Anna's e-mail address?",
    "open the invoice",
    "make a note called mail saying buy stamps",
]


async def _draft(bench: Bench, text: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    view = await bench.kernel.draft(Ask(text, conversation=text[:20], cwd=str(bench.home)))
    return [dict(task) for task in (view["plan"] or {}).get("tasks", ())], view


async def test_every_tool_is_meant_in_both_languages(bench: Bench) -> None:
    wrong = []
    for text, tool, values in MEANT:
        tasks, view = await _draft(bench, text)
        said = tasks[0]["arguments"] if len(tasks) == 1 and tasks[0]["tool"] == tool else None
        if said is None or not values.items() <= said.items():
            wrong.append((text, [(task["tool"], task["arguments"]) for task in tasks] or view["answer"]))
    assert wrong == []


@pytest.mark.parametrize("text", OTHER)
async def test_what_is_not_about_mail_does_nothing_with_it(bench: Bench, text: str) -> None:
    tasks, _ = await _draft(bench, text)
    assert [task["tool"] for task in tasks if task["tool"].startswith("mail.")] == []
