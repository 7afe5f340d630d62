"""Suggestions in a running kernel: what was seen is offered in its words, once, and answered for good."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from kernel import Ask, BadRequest
from kernel.errors import NotNow, UnknownRun
from kernel.manners import SPOKE
from kernel.suggestions.book import OFFERED
from tests.kernel.habits.diary import Diary, said, week
from tests.kernel.suggestions.conftest import Weeks

pytestmark = pytest.mark.slow


async def _one(weeks: Weeks) -> dict[str, Any]:
    weeks.write()
    kernel = await weeks.open()
    (one,) = await kernel.rooms.suggestions.every()
    return one


@pytest.mark.parametrize("key", ["", "0" * 16])
async def test_nobody_waits_for_years_to_be_looked_through(
    weeks: Weeks, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setattr("kernel.suggestions.suggestions.PATIENCE_S", 0.0)
    weeks.write()
    room = (await weeks.open()).rooms.suggestions
    if key:
        with pytest.raises(NotNow, match="of what was done so far"):
            await room.whole(key)
    else:
        assert await room.every() == []
    assert 0 < room.left < 1
    async with asyncio.timeout(60):
        while not (weeks.folders.data / "habits").exists():  # noqa: ASYNC110 - the rest is read though nobody asks again
            await asyncio.sleep(0.05)
    (found,) = await room.every()
    assert room.left == 0
    assert found["what"].startswith("Five Mondays about 9:00: ")


async def test_it_says_what_was_seen_how_sure_it_is_and_in_which_runs(weeks: Weeks) -> None:
    one = await _one(weeks)
    assert one["what"].startswith("Five Mondays about 9:00: ")
    assert "; then " in one["what"]
    assert f"{weeks.home}/Finance" in one["what"]
    assert one["why"] == "It would come next on Monday about 9:00."
    assert one["sure"] == "Of the times that it began, 100 % went on like this. Seen since 2026-03-02."
    assert one["saves"] == "One sentence instead of 2 each time."
    assert len(one["runs"]) >= 8
    assert all(weeks.kernel.view(run)["run"] == run for run in one["runs"])
    assert one["name"] == "list Finance files Downloads"
    assert [step["tool"] for step in one["steps"]] == ["files.contents", "files.largest"]


async def test_on_its_day_it_says_so_and_in_german_where_that_is_spoken(weeks: Weeks) -> None:
    weeks.write(language="de")
    weeks.now = week(5, 10)
    kernel = await weeks.open()
    (one,) = await kernel.rooms.suggestions.every()
    assert one["what"].startswith("Fünfmal montags gegen 9 Uhr: ")
    assert "; dann " in one["what"]
    assert one["why"] == "Das ist die Zeit, zu der du es tust."


async def test_twice_is_no_habit(weeks: Weeks) -> None:
    weeks.write(2)
    kernel = await weeks.open()
    assert await kernel.rooms.suggestions.every() == []
    assert await kernel.rooms.suggestions.unasked() is None


async def test_unasked_it_is_shown_once_a_day_within_manners_and_rests_after_three(weeks: Weeks) -> None:
    await _one(weeks)
    shown = []
    for _ in range(5):
        for _ in range(2):
            shown.append(await weeks.kernel.rooms.suggestions.unasked() is not None)
        weeks.now += timedelta(days=1)
    assert shown == [True] * 6 + [False] * 4
    assert len(list(weeks.kernel._house.ledger.events(kinds=(OFFERED,)))) == 3
    assert len(list(weeks.kernel._house.ledger.events(kinds=(SPOKE,)))) == 3
    assert await weeks.kernel.rooms.suggestions.every() == []
    await weeks.open()
    assert await weeks.kernel.rooms.suggestions.unasked() is None, "a restart forgets nothing"


async def test_in_quiet_hours_none_is_shown_but_whoever_asks_sees_it(weeks: Weeks) -> None:
    await _one(weeks)
    weeks.now = weeks.now.replace(hour=23)
    assert await weeks.kernel.rooms.suggestions.unasked() is None
    assert await weeks.kernel.rooms.suggestions.every()


async def test_while_a_card_waits_none_is_shown(weeks: Weeks) -> None:
    await _one(weeks)
    run = await weeks.kernel.ask(Ask("write a note called tea: green", conversation="c", cwd=str(weeks.home)))
    await weeks.kernel.settle(run)
    assert await weeks.kernel.rooms.suggestions.unasked() is None
    await weeks.kernel.cancel(run)
    assert (await weeks.kernel.settled(run))["resolution"] == "rolled_back"
    assert not weeks.kernel._house.waiting
    assert await weeks.kernel.rooms.suggestions.unasked() is not None


async def test_what_is_put_off_comes_back_and_what_is_refused_never_does(weeks: Weeks) -> None:
    one = await _one(weeks)
    room = weeks.kernel.rooms.suggestions
    await room.snooze(one["key"], 3)
    assert await room.every() == []
    weeks.now += timedelta(days=4)
    assert [each["key"] for each in await room.every()] == [one["key"]]
    await room.never(one["key"])
    assert await room.every() == []
    kernel = await weeks.open()
    assert await kernel.rooms.suggestions.every() == []
    with pytest.raises(BadRequest):
        await kernel.rooms.suggestions.snooze(one["key"], 0)
    with pytest.raises(UnknownRun):
        await kernel.rooms.suggestions.never("nothing")


async def test_a_form_of_what_was_refused_is_not_offered_either(weeks: Weeks) -> None:
    one = await _one(weeks)
    await weeks.kernel.rooms.suggestions.never(one["key"])
    await weeks.kernel.close()
    weeks.kernel = None  # type: ignore[assignment]
    diary = Diary(weeks.folders.data / "ledger", asked=["before"] * 1_000)
    for number in range(5, 15):
        diary.ask(week(number), ("files.contents", {"folder": said(f"{weeks.home}/Finance")}), text="list Finance")
        given = {"folder": said(f"{weeks.home}/Downloads"), "count": said(3)}
        diary.ask(week(number, 3), ("files.largest", given), ("system.disks", {}), text="and the disks")
    diary.ledger.close()
    weeks.now = week(14, 60 * 24)
    kernel = await weeks.open()
    found = kernel._house.seeing.patterns(weeks.now)
    assert found, "it is seen, in another form"
    assert await kernel.rooms.suggestions.every() == []


async def test_what_is_taken_becomes_a_macro_that_runs_by_its_name(weeks: Weeks) -> None:
    one = await _one(weeks)
    taken = await weeks.kernel.rooms.suggestions.accept(one["key"], "monday look")
    assert taken["macro"]["name"] == "monday look"
    assert taken["macro"]["origin"] == one["key"]
    assert taken["rule"] == "every Monday at 9:00 do monday look"
    assert await weeks.kernel.rooms.suggestions.every() == []
    done = await weeks.say("monday look")
    assert done["resolution"] in ("executed", "confirmed"), done
    assert [task["tool"] for task in done["plan"]["tasks"]] == ["files.contents", "files.largest"]


async def test_the_rule_that_is_told_is_kept_as_one(weeks: Weeks) -> None:
    one = await _one(weeks)
    taken = await weeks.kernel.rooms.suggestions.accept(one["key"])
    await weeks.say(taken["rule"])
    (routine,) = weeks.kernel.routines.every()
    assert routine["name"] == "list-finance-files-downloads"
    assert str(routine["next"]).startswith("2026-04-06T09:00")
    view = await weeks.kernel.settled(await weeks.kernel.routines.run(routine["name"]))
    assert [task["tool"] for task in view["plan"]["tasks"]] == ["files.contents", "files.largest"]


async def test_a_name_is_proposed_and_another_is_found_where_it_means_something(weeks: Weeks) -> None:
    one = await _one(weeks)
    first = await weeks.kernel.rooms.suggestions.accept(one["key"])
    again = await weeks.kernel.rooms.suggestions.accept(one["key"])
    names = [first["macro"]["name"], again["macro"]["name"]]
    assert names == [one["name"], f"my {one['name']}"]
    with pytest.raises(BadRequest):
        await weeks.kernel.rooms.suggestions.accept(one["key"], one["name"])


async def test_it_is_edited_before_it_is_taken_and_back(weeks: Weeks) -> None:
    one = await _one(weeks)
    room = weeks.kernel.rooms.suggestions
    edited = await room.edit(one["key"], name="big ones", without=(1,), ask=("2.folder", "2.count"))
    assert (edited["name"], [step["left_out"] for step in edited["steps"]]) == ("big ones", [True, False])
    await room.edit(one["key"], fixed=("2.count",))
    kernel = await weeks.open()
    taken = await kernel.rooms.suggestions.accept(one["key"])
    macro = taken["macro"]
    assert (macro["name"], macro["tools"]) == ("big ones", ["files.largest"])
    assert [parameter["name"] for parameter in macro["parameters"]] == ["folder"]
    assert taken["rule"] == "", "what has to be told each time is no rule"


@pytest.mark.parametrize(
    "changes",
    [{"without": (3,)}, {"without": (1, 2)}, {"ask": ("1.nothing",)}, {"name": "yes"}],
)
async def test_an_edit_that_means_nothing_is_refused(weeks: Weeks, changes: dict[str, Any]) -> None:
    one = await _one(weeks)
    with pytest.raises(BadRequest):
        await weeks.kernel.rooms.suggestions.edit(one["key"], **changes)
    assert not any(step["left_out"] for step in (await weeks.kernel.rooms.suggestions.whole(one["key"]))["steps"])


async def test_what_a_macro_does_already_is_not_offered(weeks: Weeks) -> None:
    one = await _one(weeks)
    assert one["rule"]
    run = await weeks.say("list Finance and show me the 3 largest files in Downloads")
    assert [task["tool"] for task in run["plan"]["tasks"]] == ["files.contents", "files.largest"], run
    await weeks.kernel.macros.new("evening look", run["run"])
    assert await weeks.kernel.rooms.suggestions.every() == []


async def test_what_a_routine_does_already_is_not_offered(weeks: Weeks) -> None:
    await _one(weeks)
    await weeks.say("every Monday at 9:00 list Finance and show me the 3 largest files in Downloads")
    assert len(weeks.kernel.routines.every()) == 1
    assert await weeks.kernel.rooms.suggestions.every() == []
