"""Somebody who is meant by the mail that came is who sent it; nobody is meant by anything else that comes."""

from __future__ import annotations

import pytest

from kernel.dispatching.standing_in import matched, stand_in
from kernel.model import Constant, FromTask, Plan, Task, TaskId
from kernel.routines.bringing import Bringing, CannotBring
from kernel.routines.waited_for import BROUGHT
from permissions.labels import USER_SAID
from skills import Registry
from skills.model import ToolId
from tests.kernel.routines.conftest import Desk


@pytest.mark.parametrize("rule", [
    "Wenn eine Mail von Lena kommt, leg mir einen Entwurf an sie hin: Danke, ich melde mich",
    "Kommt eine Mail von Lena, schreib ihm einen Entwurf: Danke, bis bald",
])  # fmt: skip
async def test_an_answer_goes_to_the_sender_and_not_to_the_subject(desk: Desk, rule: str) -> None:
    (desk.home / "Mail/Inbox").mkdir(parents=True)
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (routine,) = desk.kernel._house.routines.every()
    (task,) = routine.plan.tasks
    assert (task.tool, task.arguments["to"]) == ("mail.draft", FromTask(BROUGHT, "address"))


@pytest.mark.parametrize(("kind", "look", "field", "to"), [
    ("mail", "mail.received", "subject", FromTask(BROUGHT, "address")),
    ("event", "calendar.starting", "title", None),
    ("file", "files.find", "path", None),
])  # fmt: skip
def test_nobody_is_written_to_who_is_a_file_or_an_appointment(
    builtin: Registry, kind: str, look: str, field: str, to: FromTask | None
) -> None:
    tool = builtin.tool(ToolId(look))
    thing = Bringing(kind, tool, stand_in(BROUGHT, tool.result, single=True, home="/home/me"))
    meant = Constant(matched(thing.example, tool.result, BROUGHT).by_field[field], USER_SAID)
    plan = Plan((Task(TaskId("t1"), ToolId("mail.draft"), {"to": meant}),), "en")
    if to is None:
        with pytest.raises(CannotBring):
            thing.put(plan, builtin.tool)
    else:
        assert thing.put(plan, builtin.tool).tasks[0].arguments == {"to": to}
