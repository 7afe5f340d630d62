"""A fact that is learnt goes into the contacts as a change of theirs, and a birthday into the calendar."""

from __future__ import annotations

import pytest

from kernel.model import FromTask
from kernel.routines.waited_for import BROUGHT
from tests.kernel.routines.conftest import Desk


@pytest.mark.parametrize(
    ("rule", "detail"),
    [
        ("When you hear that someone has a new email address, put it in their contact card", "email"),
        ("Wenn du erfährst, dass jemand eine andere Nummer hat, trag sie bei der Person in den Kontakten ein", "phone"),
    ],
)
async def test_a_fact_becomes_a_change_of_the_contact(desk: Desk, rule: str, detail: str) -> None:
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (kept,) = desk.kernel._house.routines.kept_by(view["run"])
    (task,) = kept.plan.tasks
    assert task.tool == "contacts.change"
    assert (task.arguments["name"], task.arguments["value"]) == (
        FromTask(BROUGHT, "person"),
        FromTask(BROUGHT, "value"),
    )
    assert getattr(task.arguments["detail"], "value", None) == detail


async def test_a_birthday_is_an_event_of_each_year(desk: Desk) -> None:
    view = await desk.say(
        "When you find out when somebody's birthday is, enter it in my calendar as an all-day event that comes back "
        "every year, with their name in it"
    )
    assert view["resolution"] == "confirmed", view["answer"]
    (kept,) = desk.kernel._house.routines.kept_by(view["run"])
    (task,) = kept.plan.tasks
    assert task.tool == "calendar.add"
    assert task.arguments["when"] == FromTask(BROUGHT, "day")
    assert getattr(task.arguments["repeat"], "value", None) == "FREQ=YEARLY"
