"""A routine that is changed, or made what it was, is the same one: nothing of it happens twice, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel import Ask
from kernel.errors import NotNow
from tests.kernel.routines.conftest import Desk, desk_on, keeps, note, noted, quiet, watched

pytestmark = pytest.mark.slow

RULE = "every day at 9:00 show me the largest files in Downloads"
HOOK = "when the webhook doorbell is called, add the message to my note Rings"


async def kept(desk: Desk, rule: str = RULE) -> str:
    """Keep a rule; return its name."""
    assert (await desk.say(rule))["resolution"] == "confirmed"
    return str(desk.kernel.routines.every()[-1]["name"])


async def changed(desk: Desk, name: str, words: str) -> None:
    """Change a routine in words."""
    said = await desk.say(f"change the routine {name} to {words}")
    assert said["resolution"] in ("confirmed", "executed"), said["answer"]


async def at_nine(tmp_path: Path, rule: str = RULE) -> tuple[str, int]:
    """Keep a rule that fires once, at nine; return its name, and how often it has fired."""
    async with desk_on(tmp_path, "2026-03-11T08:00") as desk:
        name = await kept(desk, rule)
    async with desk_on(tmp_path, "2026-03-11T09:00:01") as desk:
        await desk.until(lambda: len(desk.fired()) == 1)
        await desk.kernel.settled(desk.fired()[0]["run"])
    return name, 1


def turned(desk: Desk, to: str) -> None:
    """Set the clock, as the system tells whoever sleeps by it."""
    desk.clock.set(to)
    for look in desk.kernel._house.routines._watchers:
        look()


async def test_a_moment_that_fired_does_not_fire_again_when_a_change_is_taken_back(tmp_path: Path) -> None:
    name, fired = await at_nine(tmp_path)
    async with desk_on(tmp_path, "2026-03-11T10:00") as desk:
        await changed(desk, name, "18:00")
        undone = await desk.say("undo that")
        assert undone["resolution"] == "executed", undone["answer"]
        routine = desk.kernel.routines.view(name)
        assert (routine["when"], routine["next"]) == ("every day at 09:00", "2026-03-12T09:00+01:00")
        assert await quiet(desk) == fired
    async with desk_on(tmp_path, "2026-03-11T10:30") as again:
        assert await quiet(again) == fired


async def test_nor_where_the_clock_is_set_back_over_the_change_and_the_undo(tmp_path: Path) -> None:
    name, fired = await at_nine(tmp_path)
    async with desk_on(tmp_path, "2026-03-11T10:00") as desk:
        await changed(desk, name, "18:00")
        await desk.say("undo that")
        for at in ("08:59:59", "09:00:01"):
            turned(desk, f"2026-03-11T{at}")
            assert await quiet(desk) == fired
        turned(desk, "2026-03-12T09:00:01")
        await desk.until(lambda: len(desk.fired()) == fired + 1)


async def test_nor_by_a_rule_for_the_same_moment_where_the_clock_is_set_back_before_it_is_changed(
    tmp_path: Path,
) -> None:
    name, fired = await at_nine(tmp_path)
    async with desk_on(tmp_path, "2026-03-11T08:30") as desk:
        await changed(desk, name, "every Wednesday at 9:00")
        turned(desk, "2026-03-11T09:00:01")
        assert await quiet(desk) == fired
        assert desk.kernel.routines.view(name)["next"] == "2026-03-18T09:00+01:00"


async def test_a_moment_that_was_over_before_the_yes_to_a_change_is_not_made_up_for(tmp_path: Path) -> None:
    async with desk_on(tmp_path, "2026-03-11T08:00") as desk:
        name = await kept(desk)
        words = f"change the routine {name} to 8:30"
        run = await desk.kernel.ask(Ask(words, conversation="c", cwd=str(desk.home), channel="test"))
        assert (await desk.kernel.settled(run))["resolution"] == "pending"
        turned(desk, "2026-03-11T08:45")
        await desk.kernel.approve(run, "once")
        assert "2026-03-12 08:30" in (await desk.kernel.settled(run))["answer"]
        assert await quiet(desk) == 0


async def test_what_ran_today_counts_for_the_limit_of_what_it_was_changed_into(tmp_path: Path) -> None:
    rule = "every day at 9:00 and 10:00 show me the largest files in Downloads, at most once a day"
    name, fired = await at_nine(tmp_path, rule)
    async with desk_on(tmp_path, "2026-03-11T09:30") as desk:
        await changed(desk, name, "every day at 9:00 and 11:00")
        assert desk.kernel.routines.view(name)["limits"]
        turned(desk, "2026-03-11T11:00:01")
        assert await quiet(desk) == fired
        await desk.say("undo that")
        for at in ("09:59:59", "10:00:01"):  # set back, over the moments of both
            turned(desk, f"2026-03-11T{at}")
            assert await quiet(desk) == fired
        turned(desk, "2026-03-12T09:00:01")
        await desk.until(lambda: len(desk.fired()) == fired + 1)


async def test_a_length_that_gives_way_to_a_time_of_day_and_comes_back_counts_from_there(tmp_path: Path) -> None:
    async with desk_on(tmp_path, "2026-03-11T09:00") as desk:
        name = await kept(desk, "every 2 hours show me the largest files in Downloads")
    async with desk_on(tmp_path, "2026-03-11T11:00:05") as desk:
        await desk.until(lambda: len(desk.fired()) == 1)
        await changed(desk, name, "every day at 18:00")
        assert desk.kernel.routines.view(name)["next"] == "2026-03-11T18:00+01:00"
        await desk.say("undo that")
        assert desk.kernel.routines.view(name)["next"].startswith("2026-03-11T13:00")
        assert await quiet(desk) == 1


async def test_a_file_that_came_before_a_change_does_not_come_again(desk: Desk) -> None:
    routine = await keeps(desk, "whenever an iso lands in Downloads, copy it to Backup")
    (desk.home / "Downloads/one.iso").write_text("x")
    await desk.until(lambda: len(desk.fired()) == 1)
    await desk.kernel.settled(desk.fired()[0]["run"])
    house = desk.kernel._house
    mark = house.routines.last(house.routines.get(routine["name"]))["mark"]  # type: ignore[arg-type]
    await changed(desk, routine["name"], "whenever an iso or a pdf lands in Downloads")
    now = house.routines.get(routine["name"])
    assert now is not None
    assert house.routines.has_fired(now, mark)
    await desk.say("undo that")
    before = house.routines.get(routine["name"])
    assert before is not None
    assert house.routines.has_fired(before, mark)
    await watched(desk)
    assert await quiet(desk) == 1
    (desk.home / "Downloads/two.iso").write_text("x")
    await desk.until(lambda: len(desk.fired()) == 2)


async def test_two_changes_are_taken_back_one_by_one_also_after_a_restart(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        name = await kept(desk)
        await changed(desk, name, "18:00")
        await changed(desk, name, "every Friday at 17:00")
        assert desk.kernel.routines.view(name)["version"] == 3
    async with desk_on(tmp_path) as desk:
        for when, version in (("every day at 18:00", 2), ("every day at 09:00", 1)):
            undone = await desk.say("undo that")
            assert undone["resolution"] in ("executed", "confirmed"), undone["answer"]
            view = desk.kernel.routines.view(name)
            assert (view["when"], view["version"]) == (when, version)
        assert (await desk.say("undo that"))["resolution"] == "confirmed"
        assert desk.kernel.routines.every() == []


async def test_what_was_changed_once_more_is_not_taken_back_first(desk: Desk) -> None:
    kept_by = (await desk.say(RULE))["run"]
    (routine,) = desk.kernel.routines.every()
    await changed(desk, routine["name"], "18:00")
    with pytest.raises(NotNow, match="changed once more"):
        await desk.kernel.undo(kept_by)
    assert desk.kernel.routines.whole(routine["name"])["rights"], "and its rights are still there"
    assert desk.kernel.routines.view(routine["name"])["when"] == "every day at 18:00"


async def test_of_two_changes_whose_cards_wait_the_second_yes_changes_nothing(desk: Desk) -> None:
    name = await kept(desk)
    asks = [Ask(f"change the routine {name} to {at}", conversation=at, cwd=str(desk.home), channel="test")
            for at in ("18:00", "19:00")]  # fmt: skip
    runs = [await desk.kernel.ask(ask) for ask in asks]
    for run in runs:
        assert (await desk.kernel.settled(run))["resolution"] == "pending"
    await desk.kernel.approve(runs[0], "once")
    assert (await desk.kernel.settled(runs[0]))["resolution"] == "confirmed"
    await desk.kernel.approve(runs[1], "once")
    late = await desk.kernel.settled(runs[1])
    assert (late["resolution"], late["error"]["code"]) == ("declined", "routine.changed")
    assert desk.kernel.routines.view(name)["when"] == "every day at 18:00"


async def test_a_yes_to_a_change_of_what_was_taken_away_meanwhile_keeps_nothing(desk: Desk) -> None:
    name = await kept(desk)
    run = await desk.kernel.ask(Ask(f"change the routine {name} to 18:00", conversation="c", cwd=str(desk.home)))
    await desk.kernel.settled(run)
    await desk.kernel.routines.remove(name)
    assert await kept(desk) == name, "a namesake is another"
    await desk.kernel.approve(run, "once")
    assert (await desk.kernel.settled(run))["error"]["code"] == "routine.changed"
    assert desk.kernel.routines.view(name)["when"] == "every day at 09:00"


@pytest.mark.parametrize(("change", "says"), [
    ("change the routine {} to 18:00", "It rests"), ("ändere die Routine {} auf 18 Uhr", "It rests"),
])  # fmt: skip
async def test_one_that_rests_goes_on_resting_when_it_is_changed_and_when_that_is_taken_back(
    tmp_path: Path, change: str, says: str
) -> None:
    async with desk_on(tmp_path, "2026-03-11T17:00") as desk:
        name = await kept(desk)
        await desk.kernel.routines.pause(name)
        run = await desk.kernel.ask(Ask(change.format(name), conversation="c", cwd=str(desk.home)))
        card = (await desk.kernel.settled(run))["card"]
        assert {"why": "but", "subject": "it goes on resting"} in card["concerns"]
        await desk.kernel.approve(run, "once")
        said = await desk.kernel.settled(run)
        assert says in said["answer"]
        view = desk.kernel.routines.view(name)
        assert (view["when"], view["paused"], view["next"]) == ("every day at 18:00", True, "")
        turned(desk, "2026-03-11T18:00:01")
        assert await quiet(desk) == 0
        await desk.say("undo that")
        assert desk.kernel.routines.view(name)["paused"]
    async with desk_on(tmp_path, "2026-03-11T18:10") as again:
        assert again.kernel.routines.view(name)["paused"]
        await again.kernel.routines.resume(name)
        assert again.kernel.routines.view(name)["next"] == "2026-03-12T09:00+01:00"


async def test_the_token_of_a_webhook_opens_it_after_a_change_and_after_that_is_taken_back(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        noted(desk, "Rings")
        name = (await keeps(desk, HOOK))["name"]
        token = await desk.kernel.routines.token(name)
        await changed(desk, name, "not between 22:00 and 7:00")
        assert desk.kernel.routines.hook_of(token) == "doorbell"
        await changed(desk, name, "when the webhook gate is called")
        assert desk.kernel.routines.hook_of(token) is None, "it was made for another"
        await desk.say("undo that")
        assert desk.kernel.routines.hook_of(token) == "doorbell"
    async with desk_on(tmp_path) as desk:
        assert desk.kernel.routines.hook_of(token) == "doorbell"
        await watched(desk)
        desk.kernel.routines.called("doorbell", "somebody is there")
        await desk.until(lambda: "somebody is there" in note(desk, "Rings"))
        other = await desk.kernel.routines.token(name)
        assert (desk.kernel.routines.hook_of(token), desk.kernel.routines.hook_of(other)) == (None, "doorbell")


async def test_a_question_of_what_it_was_is_still_its_own_after_a_change_and_a_restart(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        name = await kept(desk)
        await desk.kernel.revoke(next(one.id for one in desk.kernel._house.policy.grants))
        run = await desk.kernel.routines.run(name)
        assert (await desk.kernel.settled(run))["resolution"] == "pending"
        await changed(desk, name, "18:00")
        assert desk.kernel.routines.view(name)["latest"]["run"] == run
    async with desk_on(tmp_path) as desk:
        assert (await desk.kernel.settled(run))["resolution"] == "executed", "the yes to the change gave the right anew"


async def test_what_it_was_before_is_forgotten_with_who_it_named_and_it_stays(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        (desk.home / "Quillfeather").mkdir()
        name = await kept(desk, "whenever an iso lands in Quillfeather, show me the largest files in Downloads")
        said = await desk.say(f"change the routine {name} to whenever an iso lands in Downloads")
        assert said["resolution"] == "confirmed", said["answer"]
        assert (await desk.say("forget everything about Quillfeather"))["resolution"] == "confirmed"
        assert [one["name"] for one in desk.kernel.routines.every()] == [name]
        with pytest.raises(NotNow, match="forgotten"):
            await desk.kernel.undo(said["run"])
    left = [
        path for path in (tmp_path / "steward").rglob("*") if path.is_file() and b"uillfeather" in path.read_bytes()
    ]
    assert left == []
    async with desk_on(tmp_path) as desk:
        assert desk.kernel.routines.view(name)["version"] == 2
        with pytest.raises(NotNow, match="forgotten"):
            await desk.kernel.undo(said["run"])
