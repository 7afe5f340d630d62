"""What runs too often rests and says so; what a person set for a routine goes with it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from kernel import Ask
from kernel.routines.book import FIRED
from kernel.routines.limiting import MOST_AN_HOUR, MOST_AN_HOUR_BY_CLOCK
from memory.model import Draft
from permissions.labels import KERNEL_SAID
from tests.kernel.routines.conftest import BERLIN, Desk, keeps, quiet
from tests.kernel.routines.test_changed_twice import turned

pytestmark = pytest.mark.slow

RULE = "every minute show me the largest files in Downloads"
FILES = "whenever an iso lands in Downloads, copy it to Backup"


async def fired(desk: Desk, name: str, times: int, ends: str, apart_s: int = 30) -> None:
    """Have it written down that a routine ran so often, once in ``apart_s`` seconds until ``ends``."""
    one = desk.kernel._house.routines.get(name)
    assert one is not None
    last = datetime.fromisoformat(ends).replace(tzinfo=BERLIN)
    bodies = (
        {"name": name, "key": one.key, "mark": "0", "run": one.run, "earlier": 0, "missed": False,
         "at": (last - timedelta(seconds=apart_s * n)).isoformat()}
        for n in reversed(range(times))
    )  # fmt: skip
    label = KERNEL_SAID.to_json()
    await desk.kernel._house.write_routine(*(Draft(kind=FIRED, body=body, label=label) for body in bodies))


@pytest.mark.parametrize(("times", "ends", "rests"), [
    (MOST_AN_HOUR, "2026-03-11T10:00", True), (MOST_AN_HOUR - 1, "2026-03-11T10:00", False),
    (MOST_AN_HOUR, "2026-03-11T08:59", False),
])  # fmt: skip
async def test_what_happens_too_often_lets_it_rest(desk: Desk, times: int, ends: str, rests: bool) -> None:
    name = (await keeps(desk, FILES))["name"]
    await fired(desk, name, times, ends)
    (desk.home / "Downloads/one.iso").write_text("x")
    await desk.until(lambda: desk.kernel.routines.view(name)["paused"] if rests else len(desk.fired()) == 1)
    view = desk.kernel.routines.view(name)
    assert (view["paused"], "within an hour" in view["broken"]) == (rests, rests)
    assert await quiet(desk) == (0 if rests else 1)


@pytest.mark.parametrize(("times", "comes"), [(150, 0), (149, 1)])
async def test_a_limit_counts_as_far_as_it_says(desk: Desk, times: int, comes: int) -> None:
    name = (await keeps(desk, f"{FILES}, but at most 150 times a day"))["name"]
    await fired(desk, name, times, "2026-03-11T10:00", apart_s=230)
    (desk.home / "Downloads/one.iso").write_text("x")
    if comes:
        await desk.until(lambda: len(desk.fired()) == 1)
    assert await quiet(desk) == comes
    assert not desk.kernel.routines.view(name)["paused"]


@pytest.mark.parametrize(("times", "rests"), [(MOST_AN_HOUR_BY_CLOCK, True), (MOST_AN_HOUR_BY_CLOCK - 1, False)])
async def test_so_does_the_clock(desk: Desk, times: int, rests: bool) -> None:
    assert (await desk.say(RULE))["resolution"] == "confirmed"
    name = desk.kernel.routines.every()[0]["name"]
    await fired(desk, name, times, "2026-03-11T10:30")
    turned(desk, "2026-03-11T10:31:01")
    await desk.until(lambda: desk.kernel.routines.view(name)["paused"] if rests else len(desk.fired()) == 1)
    view = desk.kernel.routines.view(name)
    assert (view["paused"], f"{times} times within an hour" in view["broken"]) == (rests, rests)
    assert len(desk.fired()) == (0 if rests else 1)


@pytest.mark.parametrize(("rule", "most"), [
    (RULE, "at most 60 times within an hour; then it rests and says so"),
    (FILES, "at most 100 times within an hour; then it rests and says so"),
    ("every day at 18:00 show me the largest files in Downloads", None),
    ("every 2 hours show me the largest files in Downloads", None),
])  # fmt: skip
async def test_its_card_says_so_where_it_can_be_reached(desk: Desk, rule: str, most: str | None) -> None:
    run = await desk.kernel.ask(Ask(rule, conversation="c", cwd=str(desk.home), channel="test"))
    card = (await desk.kernel.settled(run))["card"]
    assert card["routine"].get("most") == most
    assert (most in [one["subject"] for one in card["concerns"]]) == (most is not None)


async def test_what_was_set_for_it_goes_with_it_and_a_namesake_has_none_of_it(desk: Desk) -> None:
    assert (await desk.say(FILES))["resolution"] == "confirmed"
    name = desk.kernel.routines.every()[0]["name"]
    rights = desk.kernel.rights
    await rights.limit(f"routine:{name}", "wall", "10s")
    await rights.limit(f"routine:{name}", "wall", "1h", total=True)
    await rights.limit(f"routine:{name}.files", "memory", "512MB")
    await rights.deny(f"routine:{name}", f"fs.read:{desk.home}/Finance/**")
    await rights.deny("files", f"fs.read:{desk.home}/Finance/**")
    await desk.kernel.routines.remove(name)
    assert (await desk.say(FILES))["resolution"] == "confirmed"
    assert desk.kernel.routines.every()[0]["name"] == name
    house = desk.kernel._house
    mine = [node for path, node in house.policy.nodes.items() if f"routine:{name}" in path]
    assert [(node.bounds, node.rules) for node in mine if node.bounds or node.rules] == []
    assert len(house.denies()) == 1, "what was denied elsewhere stays"
