"""What a skill found before is meant by words that point at it, by nothing else, and never as a plain file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kernel.model import Constant, Plan, Question

if TYPE_CHECKING:
    from kernel.context.dialogue import Dialogue
    from tests.kernel.planner import Planner


def _mail(name: str, day: str) -> dict[str, Any]:
    file = {"path": f"/home/me/Mail/cur/{name}", "name": name, "size_bytes": 9, "modified": f"{day}T08:00:00+00:00"}
    return {"sender": f"{name} <{name}@example.org>", "subject": name, "day": day, "unread": False, "file": file}


BEN, ADA, EVE = _mail("ben", "2025-03-11"), _mail("ada", "2025-03-10"), _mail("eve", "2025-03-07")


def _listed(planner: Planner, *mails: dict[str, Any]) -> Dialogue:
    plan = planner.say("list my emails")
    assert isinstance(plan, Plan), plan
    assert [one.tool for one in plan.tasks] == ["mail.find"]
    return planner.after(plan, t1=list(mails))


def _read(planner: Planner) -> Dialogue:
    plan = planner.say("read the last mail from Ada")
    assert isinstance(plan, Plan), plan
    letter = {name: value for name, value in ADA.items() if name != "unread"}
    more = {"address": "", "to": "", "text": "", "attachments": ["a.csv"], "facts": [], "sources": []}
    return planner.after(plan, t1=letter | more)


def _meant(plan: Any) -> tuple[str, str]:
    """The last tool, and the name of the mail that it was given."""
    assert isinstance(plan, Plan), plan
    given = plan.tasks[-1].arguments.get("mail")
    return plan.tasks[-1].tool, given.value["name"] if isinstance(given, Constant) else ""


@pytest.mark.parametrize(
    ("said", "tool", "name"),
    [
        ("read me the second one", "mail.read", "ada"),
        ("read me the newest one", "mail.read", "ben"),
        ("read me the last one", "mail.read", "ben"),
        ("read the oldest one", "mail.read", "eve"),
        ("read the third mail", "mail.read", "eve"),
        ("save the attachment of the second one", "mail.save_attachments", "ada"),
        ("forward the first one to Nora", "mail.forward", "ben"),
        ("lies mir die zweite vor", "mail.read", "ada"),
        ("lies die neueste vor", "mail.read", "ben"),
        ("öffne die erste", "mail.read", "ben"),
        ("lies die dritte Mail vor", "mail.read", "eve"),
    ],
)
def test_one_of_a_list_is_that_mail(planner: Planner, said: str, tool: str, name: str) -> None:
    assert _meant(planner.say(said, _listed(planner, BEN, ADA, EVE))) == (tool, name)


@pytest.mark.parametrize(
    ("said", "tool"),
    [
        ("save its attachment", "mail.save_attachments"),
        ("save the attachment", "mail.save_attachments"),
        ("save the attachment to Downloads", "mail.save_attachments"),
        ("reply: that is fine", "mail.reply"),
        ("forward it to Nora", "mail.forward"),
        ("speichere den Anhang", "mail.save_attachments"),
        ("antworte darauf: das passt", "mail.reply"),
        ("zeig mir den ganzen Verlauf dazu", "mail.thread"),
    ],
)
def test_what_was_read_is_meant_also_where_no_word_says_so(planner: Planner, said: str, tool: str) -> None:
    assert _meant(planner.say(said, _read(planner))) == (tool, "ada")


@pytest.mark.parametrize(
    ("said", "tool"),
    [
        ("read the newest mail", "mail.read"),
        ("save the attachments of the newest mail", "mail.save_attachments"),
        ("read the last mail from Olga", "mail.read"),
        ("save the attachment of the mail from Olga", "mail.save_attachments"),
        ("lies die neueste Mail vor", "mail.read"),
    ],
)
def test_a_mail_that_is_named_is_another_one(planner: Planner, said: str, tool: str) -> None:
    assert _meant(planner.say(said, _read(planner))) == (tool, "")


@pytest.mark.parametrize("said", ["reply that I agree", "save the attachment", "speichere den Anhang"])
def test_of_several_it_is_asked_which(planner: Planner, said: str) -> None:
    asked = planner.say(said, _listed(planner, BEN, ADA))
    assert isinstance(asked, Question), asked
    assert (asked.parameter, len(asked.choices)) == ("mail", 2)
    assert "ada@example.org" in asked.choices[1]


@pytest.mark.parametrize("said", ["read me the second one", "lies mir die zweite vor", "save its attachment"])
def test_without_mails_none_is_taken(planner: Planner, said: str) -> None:
    plan = planner.say(said)
    assert not isinstance(plan, Plan), plan


def test_files_that_were_found_are_no_mails(planner: Planner) -> None:
    plan = planner.say("find all pdfs in Downloads")
    assert isinstance(plan, Plan), plan
    files = [{"path": f"{planner.home}/Downloads/{name}", "name": name} for name in ("a.pdf", "b.pdf")]
    then = planner.say("read the second one", planner.after(plan, t1=files))
    assert isinstance(then, Plan), then
    assert then.tasks[-1].tool == "documents.text"
