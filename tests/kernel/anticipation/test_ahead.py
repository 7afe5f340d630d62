"""First steps of offers that are made before anybody asks: what is made, when, and what is used of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kernel import Ask
from kernel.anticipation.ahead import Ahead
from kernel.system.senses import Senses
from tests.kernel.anticipation import looking
from tests.kernel.anticipation.conftest import Days
from tests.kernel.anticipation.looking import (
    LOOK,
    SHOW,
    Look,
    came_to,
    habit,
    made,
    offered,
    plugged_in,
    told,
    was_ahead,
)  # fmt: skip

pytestmark = pytest.mark.slow


def _forever(looked: list[bool]) -> Look:
    """A look that ends when nobody wants to know any more, and not before."""

    def look(*_: object, ended: Callable[[], bool]) -> None:
        looked.append(True)
        while not ended():
            pass

    return look


async def test_a_step_that_only_reads_is_made_ahead_and_used_once(days: Days) -> None:
    await habit(days)
    await offered(days)
    runs = len(days.kernel.runs(100))
    (one,) = await made(days)
    assert (one["tool"], one["state"], one["source"]) == ("data.show", "kept", "sequence")
    assert one["cpu_s"] > 0
    assert one["size_bytes"] > 0
    assert len(days.kernel.runs(100)) == runs
    assert await days.say(SHOW) == ["executed"]
    assert "Ulm 3" in told(days)
    assert was_ahead(days)
    assert await came_to(days) == [("used", "")]
    assert await days.say(SHOW) == ["executed"]
    assert "Ulm 3" in told(days)
    assert not was_ahead(days)


async def test_what_is_used_is_the_same_in_every_word_and_mark(days: Days) -> None:
    await habit(days)
    await offered(days)
    views = []
    for _ in range(2):
        await days.say(SHOW)
        views.append(days.kernel.view(days.last))
    ahead, anew = views
    assert [was_ahead(days, view["run"]) for view in views] == [True, False]
    for part in ("answer", "result", "marks", "effects", "level", "plan"):
        assert ahead[part] == anew[part]
    labels = [
        [one.label for one in days.kernel._house.ledger.events(run=view["run"], kinds=("task.done", "run.finished"))]
        for view in views
    ]
    assert labels[0] == labels[1]


async def test_the_record_says_that_it_was_made_and_what_it_cost_and_no_deed_comes_of_it(days: Days) -> None:
    await habit(days)
    house = days.kernel._house
    await looking.until(lambda: list(house.ledger.events(kinds=("wall.tested",))))  # it says so by itself, at any time
    before = house.ledger.head()[0]
    await offered(days)
    await days.say(SHOW)
    apart = [one.kind for one in house.ledger.events(after=before) if one.run is None]
    assert [kind for kind in apart if kind != "wall.tested"] == ["ahead.made"], "the wall is tried when Steward starts"
    (event,) = house.ledger.events(kinds=("ahead.made",))
    assert event.run is None
    assert event.body is not None
    assert {"tool", "state", "cpu_s", "wall_s", "size_bytes"} <= set(event.body)
    assert str(days.home) not in str(event.body)
    asked = [one for one in days.kernel.runs(100) if one["text"] == SHOW]
    assert len(asked) == 5
    await days.offered()
    assert len([wish for wish in days.kernel.rooms.offers._knowledge.wishes if wish.text == SHOW]) == 5
    (used,) = house.ledger.events(run=days.last, kinds=("task.ahead",))
    assert used.body is not None
    assert used.body["tool"] == "data.show"


async def test_what_goes_by_the_time_is_thrown_away(days: Days) -> None:
    await habit(days, then="what time is it?", skill="")
    await offered(days)
    assert await came_to(days) == [("dropped", "goes by the time")]
    await offered(days)
    assert len(await made(days)) == 1, "it is not made again and again"


async def test_what_goes_by_the_day_is_used_on_that_day_alone(days: Days) -> None:
    then = "what is the sum of km in trips.csv where km is over 1"
    await habit(days, then=then)
    await offered(days)
    assert await days.say(then) == ["executed"]
    assert was_ahead(days)
    await offered(days)
    assert await days.say(then, after_days=1) == ["executed"]
    assert not was_ahead(days)
    assert await came_to(days) == [("dropped", "another day"), ("used", "")]


@pytest.mark.parametrize(("bound", "value", "why"), [("_WORTH", 1e9, "quick"), ("MOST_BYTES_OF_ONE", 1, "large")])
async def test_what_is_not_worth_it_is_thrown_away(
    bound: str, value: float, why: str, days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"kernel.anticipation.ahead.{bound}", value)
    await habit(days)
    await offered(days)
    assert await came_to(days) == [("dropped", why)]
    await offered(days)
    assert len(await made(days)) == 1, "it is not made again and again"


async def test_what_changes_something_is_never_made(days: Days) -> None:
    then = "add milk to my shopping list"
    await habit(days, then=then, skill="")
    await days.kernel.grant("tasks", f"fs.read:{days.home}/**")
    await days.kernel.grant("tasks", f"fs.write:{days.home}/**")
    await offered(days)
    assert then in [one["text"] for one in await days.offered()]
    assert await made(days) == []


async def test_somebody_who_asks_ends_what_is_being_made_and_it_counts(days: Days) -> None:
    await habit(days)
    house = days.kernel._house
    looked: list[bool] = []
    plugged_in(days)
    house.ahead = Ahead(house, _forever(looked), idle_s=0.0)
    await days.say(LOOK, after_days=1)
    await looking.until(lambda: not house.live)
    await days.offered()
    await looking.until(lambda: looked)
    assert await days.say("what is 2 + 3?") == ["executed"]
    assert await came_to(days) == [("dropped", "asked")]
    assert house.ahead.left_s() < house.settings.ahead_cpu_s


async def test_a_budget_that_is_spent_ends_it(days: Days, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEWARD_AHEAD_CPU_S", "0")
    await days.reopen()
    await habit(days)
    ahead = await offered(days)
    assert await made(days) == []
    assert ahead.left_s() == 0


async def test_what_a_person_has_bounded_in_total_is_not_spent_unasked(days: Days) -> None:
    await habit(days)
    await days.kernel.rights.limit("data", "wall", "10 min", total=True)
    await offered(days)
    assert await made(days) == []


async def test_nothing_is_made_on_battery_without_memory_or_beside_a_request(days: Days, tmp_path: Path) -> None:
    await habit(days)
    house = plugged_in(days)
    supply = tmp_path / "sys/class/power_supply/B"
    supply.mkdir(parents=True)
    for name, text in {"type": "Battery", "capacity": "80", "status": "Discharging"}.items():
        (supply / name).write_text(text)
    house.machine = Senses(sys=tmp_path / "sys")
    await offered(days)
    assert await made(days) == []
    await days.say(SHOW)
    (supply / "status").write_text("Charging")
    spare, house.spare_bytes = house.spare_bytes, lambda: 1 << 20
    await offered(days)
    assert await made(days) == []
    await days.say(SHOW)
    house.spare_bytes = spare
    await days.say(LOOK, after_days=1)
    await looking.until(lambda: not house.live)
    house.live.add("another")
    assert await days.offered()
    await house.ahead.idle()
    assert await made(days) == [], "somebody waits for something else"
    house.live.remove("another")
    await days.say(SHOW)
    await offered(days)
    assert await came_to(days) == [("kept", "")]


async def test_a_source_that_is_off_has_nothing_made_and_what_was_is_thrown_away(days: Days) -> None:
    await habit(days)
    await offered(days)
    assert (await days.kernel.rooms.offers.switch_ahead("sequence", on=False))["sequence"] is False
    assert await came_to(days) == [("dropped", "turned off")]
    await offered(days)
    assert len(await made(days)) == 1
    assert [one["text"] for one in await days.offered()][:1] == [SHOW], "it is offered all the same"
    assert (await days.kernel.rooms.offers.ahead())["sources"]["sequence"] is False
    await days.kernel.rooms.offers.switch_ahead("sequence", on=True)
    await offered(days)
    assert (await came_to(days))[0] == ("kept", "")


async def test_what_has_just_given_way_is_over_when_steward_is(days: Days) -> None:
    await habit(days)
    house, looked = plugged_in(days), list[bool]()
    house.ahead = ahead = Ahead(house, _forever(looked), idle_s=0.0)
    await days.say(LOOK, after_days=1)
    await looking.until(lambda: not house.live)
    await days.offered()
    await looking.until(lambda: looked)
    ahead.give_way()
    await ahead.close()
    assert [one.ended for one in ahead._shelf.told] == ["asked"]


async def test_a_source_that_is_turned_off_ends_what_is_being_made(days: Days) -> None:
    await habit(days)
    house, looked = plugged_in(days), list[bool]()
    house.ahead = Ahead(house, _forever(looked), idle_s=0.0)
    await days.say(LOOK, after_days=1)
    await looking.until(lambda: not house.live)
    await days.offered()
    await looking.until(lambda: looked)
    await days.kernel.rooms.offers.switch_ahead("sequence", on=False)
    await looking.until(lambda: house.ahead and house.ahead.to_json()["ahead"])
    assert [state for state, _ in await came_to(days)] == ["dropped"]


async def test_what_is_old_is_held_no_longer_though_nobody_asks(days: Days, monkeypatch: pytest.MonkeyPatch) -> None:
    await habit(days)
    monkeypatch.setattr("kernel.anticipation.ahead.KEPT_S", 0.2)
    ahead = await offered(days)
    await looking.until(lambda: not ahead._shelf.kept)
    assert [(one.state, one.ended) for one in ahead._shelf.told] == [("dropped", "old")]


async def test_the_plan_of_a_macro_is_made_ahead_by_its_name(days: Days) -> None:
    await habit(days)
    await days.kernel.macros.new("trips", days.last)
    await habit(days, then="trips")
    await offered(days)
    assert ("kept", "") in await came_to(days)
    tried = await days.kernel.macros.try_out("trips", {}, Ask("", cwd=str(days.home)))
    assert (await days.kernel.settled(tried))["resolution"] == "rolled_back"
    assert not was_ahead(days, tried), "a dry run does it"
    assert await days.say("trips") == ["executed"]
    assert was_ahead(days)
    assert str(looking.table(days).name) in str(days.kernel.view(days.last)["plan"])
