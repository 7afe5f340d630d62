"""Rules that are kept: shown, granted, done at their moment as runs of their own, paused, and taken away."""

from __future__ import annotations

import asyncio
import gc
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kernel import Ask
from kernel.errors import NotNow
from kernel.routines import Recurring
from kernel.routines.keeper import Keeper
from permissions.model import GrantMode
from skills.errors import UnknownTool
from skills.model import Tool, ToolId
from tests.kernel.routines.conftest import Desk, desk_on, watched

pytestmark = pytest.mark.slow

RULE = "every day at 18:00 show me the largest files in Downloads"


async def test_what_is_stopped_before_it_began_leaves_nothing_that_was_never_awaited(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        upkeep = desk.kernel._upkeep
        upkeep.watcher = None
        keeping = asyncio.create_task(upkeep._keep_routines())
        while upkeep.watcher is None:  # noqa: ASYNC110 - it is stopped in the very turn of the loop in which it begins
            await asyncio.sleep(0)
        keeping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await keeping
        gc.collect()


async def test_a_rule_is_shown_kept_and_done_at_its_moment(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        kept = await first.say(RULE)
        assert kept["resolution"] == "confirmed", kept["answer"]
        (routine,) = first.kernel.routines.every()
        assert (routine["when"], routine["said"]) == ("every day at 18:00", "show me the largest files in Downloads")
        assert routine["next"] == "2026-03-11T18:00+01:00"
        assert not first.fired()
    async with desk_on(tmp_path, "2026-03-11T17:59:57") as later:
        await later.until(lambda: len(later.fired()) == 1)
        view = await later.kernel.settled(later.fired()[0]["run"])
        assert view["resolution"] == "executed", view
        assert "big.iso" in view["answer"]
        (routine,) = later.kernel.routines.every()
        assert routine["next"] == "2026-03-12T18:00+01:00"


async def test_its_rights_are_its_own(desk: Desk) -> None:
    await desk.say(RULE)
    (routine,) = desk.kernel.routines.every()
    grants = [one for one in desk.kernel._house.policy.grants if one.mode is GrantMode.ALWAYS]
    assert grants
    assert {one.client for one in grants} == {routine["node"]}
    asked = await desk.say("show me the largest files in Downloads", answer="no")
    assert asked["resolution"] == "blocked"


async def test_a_no_keeps_nothing(desk: Desk) -> None:
    assert (await desk.say(RULE, answer="no"))["resolution"] == "blocked"
    assert desk.kernel.routines.every() == []
    assert not desk.kernel._house.policy.grants


async def test_two_that_wait_for_their_yes_at_once_do_not_take_each_others_name(desk: Desk) -> None:
    rules = (RULE, RULE.replace("18:00", "7:30"))
    runs = [await desk.kernel.ask(Ask(rule, conversation="c", cwd=str(desk.home), channel="test")) for rule in rules]
    for run in runs:
        assert (await desk.kernel.settled(run))["resolution"] == "pending"
    await asyncio.gather(*(desk.kernel.approve(run, "once") for run in runs))
    answers = [(await desk.kernel.settled(run))["answer"] for run in runs]
    first, second = desk.kernel.routines.every()
    assert {first["when"], second["when"]} == {"every day at 07:30", "every day at 18:00"}
    assert second["name"] == f"{first['name']}-2"
    assert [any(f"“{one['name']}”" in answer for answer in answers) for one in (first, second)] == [True, True]
    for one in (first, second):
        run = await desk.kernel.routines.run(one["name"])
        assert (await desk.kernel.settled(run))["resolution"] == "executed", "each has its own rights"


async def test_the_latest_run_is_told_also_one_that_a_person_began(desk: Desk) -> None:
    await desk.say(RULE)
    (routine,) = desk.kernel.routines.every()
    assert routine["latest"] is None
    run = await desk.kernel.routines.run(routine["name"])
    await desk.kernel.settled(run)
    latest = desk.kernel.routines.view(routine["name"])["latest"]
    assert (latest["run"], latest["resolution"], latest["waits"]) == (run, "executed", False)


async def test_taken_away_it_is_done_no_more_and_may_nothing(desk: Desk) -> None:
    await desk.say(RULE)
    (routine,) = desk.kernel.routines.every()
    assert (await desk.kernel.routines.remove(routine["name"]))["revoked"]
    assert desk.kernel.routines.every() == []
    assert not [one for one in desk.kernel._house.policy.grants if one.client]


async def test_what_was_missed_is_done_once_at_the_next_start(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        await first.say(RULE)
    async with desk_on(tmp_path, "2026-03-14T09:00") as later:
        await later.until(lambda: len(later.fired()) == 1)
        (routine,) = later.kernel.routines.every()
        assert routine["missed"]
        assert routine["last"].startswith("2026-03-13T17:00")
        await later.kernel.settled(later.fired()[0]["run"])
    async with desk_on(tmp_path, "2026-03-14T09:05") as again:
        await again.until(lambda: bool(again.kernel.routines.every()))
        assert len(again.fired()) == 1


async def test_a_day_in_its_words_is_the_day_of_its_moment(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        kept = await first.say("every day at 18:00 show me my events today")
        assert kept["resolution"] in ("confirmed", "executed"), kept["answer"]
        (routine,) = first.kernel.routines.every()
        whole = first.kernel.routines.whole(routine["name"])
        assert "today" in whole["plan"]["tasks"][0]["arguments"].values(), "and no day of this week"
    async with desk_on(tmp_path, "2026-03-14T18:00:10") as later:
        await later.until(lambda: len(later.fired()) == 1)
        view = await later.kernel.settled(later.fired()[0]["run"])
        given = [value for task in view["plan"]["tasks"] for value in task["arguments"].values()]
        assert any("14" in str(value) for value in given), view["plan"]


async def test_undo_takes_a_rule_back_with_its_rights(desk: Desk) -> None:
    await desk.say(RULE)
    undone = await desk.say("undo that")
    assert undone["resolution"] == "executed", undone["answer"]
    assert desk.kernel.routines.every() == []
    assert not desk.kernel._house.policy.grants


async def test_a_rule_that_needs_no_right_is_taken_back_too_also_after_a_restart(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        kept = await first.say("every day at 18:00 tell me what 17 * 4 is")
        assert kept["resolution"] == "confirmed", kept["answer"]
    async with desk_on(tmp_path) as later:
        assert len(later.kernel.routines.every()) == 1
        await later.kernel.undo(kept["run"])
        assert later.kernel.routines.every() == []
    async with desk_on(tmp_path) as last:
        assert last.kernel.routines.every() == []


async def test_what_a_routine_needs_beyond_its_card_waits_for_the_person(desk: Desk) -> None:
    await desk.say(RULE)
    (routine,) = desk.kernel.routines.every()
    await desk.kernel.revoke(next(one.id for one in desk.kernel._house.policy.grants))
    run = await desk.kernel.routines.run(routine["name"])
    view = await desk.kernel.settled(run)
    assert view["resolution"] == "pending"
    assert view["client"] == routine["node"]
    await desk.kernel.approve(run, "no")
    assert (await desk.kernel.settled(run))["resolution"] == "blocked"


async def test_a_rule_that_is_not_understood_says_which_part(desk: Desk) -> None:
    said = await desk.say("every day at 18:00 frobnicate the wumpus")
    assert said["resolution"] == "declined"
    assert "“frobnicate the wumpus”" in said["answer"]
    assert desk.kernel.routines.every() == []


async def test_a_rule_without_a_time_of_day_is_asked_about(desk: Desk) -> None:
    said = await desk.say("every day show me the largest files in Downloads")
    assert (said["resolution"], desk.kernel.routines.every()) == ("clarify", [])
    assert "time of day" in said["question"]["text"]


async def test_what_a_skill_repeats_itself_is_no_routine(desk: Desk) -> None:
    said = await desk.say("remind me every Monday at 8 to water the plants")
    assert said["resolution"] in ("executed", "confirmed"), said["answer"]
    assert desk.kernel.routines.every() == []


async def test_words_that_are_past_their_time_go_and_the_rule_stays(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        await first.say(RULE)
        await first.kernel.retention.set(1)
        await first.until(lambda: not first.kernel._house.live)
        assert first.kernel.retention.apply(time.time_ns() + 9 * 86_400 * 10**9)
    async with desk_on(tmp_path) as later:
        assert [one["said"] for one in later.kernel.routines.every()] == ["show me the largest files in Downloads"]


async def test_a_rule_that_names_somebody_who_is_forgotten_ends_and_no_byte_of_it_stays(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        (first.home / "Downloads" / "Quillfeather").mkdir()
        kept = await first.say("every day at 18:00 show me the largest files in Downloads/Quillfeather")
        assert kept["resolution"] == "confirmed", kept["answer"]
        (routine,) = first.kernel.routines.every()
        run = await first.kernel.routines.run(routine["name"])
        await first.kernel.settled(run)
        said = await first.say("forget everything about Quillfeather")
        assert said["resolution"] == "confirmed", said["answer"]
        assert first.kernel.routines.every() == []
        assert not [one for one in first.kernel._house.policy.grants if one.client]
    left = [
        path for path in (tmp_path / "steward").rglob("*") if path.is_file() and b"uillfeather" in path.read_bytes()
    ]
    assert left == []


async def test_what_a_skill_can_repeat_is_given_to_it_with_all_its_times(desk: Desk) -> None:
    said = await desk.say("Every other Tuesday, starting next week, at half seven remind me to put the blue bin out.")
    assert said["resolution"] == "executed", said["answer"]
    assert desk.kernel.routines.every() == []
    (task,) = said["plan"]["tasks"]
    assert task["tool"] == "timers.remind"
    assert "17 March 2026 at 07:30" in said["answer"]


async def test_a_rule_about_an_appointment_is_kept_with_the_right_to_look_and_no_other(desk: Desk) -> None:
    said = await desk.say("ten minutes before every meeting show me the largest files in Downloads")
    assert said["resolution"] == "confirmed", said["answer"]
    (routine,) = desk.kernel.routines.every()
    rights = {one["right"] for one in desk.kernel.routines.whole(routine["name"])["rights"]}
    assert rights == {f"fs.read:{desk.home}/Calendar/**", f"fs.read:{desk.home}/Downloads/**"}


async def test_a_yes_in_advance_gives_no_right_for_good(desk: Desk) -> None:
    run = await desk.kernel.ask(Ask(RULE, conversation="c", cwd=str(desk.home), yes=True, channel="test"))
    assert (await desk.kernel.settled(run))["resolution"] == "pending"
    assert desk.kernel.routines.every() == []
    await desk.kernel.approve(run, "once")
    assert (await desk.kernel.settled(run))["resolution"] == "confirmed"
    free = await desk.kernel.ask(Ask("every day at 18:00 tell me what 17 * 4 is", yes=True, channel="test"))
    assert (await desk.kernel.settled(free))["resolution"] == "confirmed"
    assert len(desk.kernel.routines.every()) == 2


async def test_of_a_rule_that_was_taken_away_nothing_is_left_to_take_back(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        kept = await first.say(RULE)
        assert [one["run"] for one in first.kernel.runs() if one["run"] in first.kernel._house.with_effects]
        await first.kernel.routines.remove(first.kernel.routines.every()[0]["name"])
        with pytest.raises(NotNow):
            first.kernel.undoable(kept["run"])
    async with desk_on(tmp_path) as later:
        with pytest.raises(NotNow):
            later.kernel.undoable(kept["run"])


@pytest.mark.parametrize("change", ["gone", "other"])
async def test_a_rule_whose_tool_is_gone_or_takes_other_values_rests_and_says_why(tmp_path: Path, change: str) -> None:
    async with desk_on(tmp_path) as first:
        await first.say(RULE)
    async with desk_on(tmp_path, "2026-03-11T18:00:01") as later:
        registry, real = later.kernel._house.registry, later.kernel._house.registry.tool

        def tool(id: ToolId) -> Tool:
            if change == "gone" and id == "files.largest":
                raise UnknownTool("tool.unknown", f"No installed skill has a tool {id}.", subject=id)
            found = real(id)
            return replace(found, parameters=found.parameters[1:]) if id == "files.largest" else found

        registry.tool = tool  # type: ignore[method-assign]
        await later.until(lambda: later.kernel.routines.every()[0]["paused"])
        (routine,) = later.kernel.routines.every()
        assert "files.largest" in routine["broken"]
        assert later.fired() == []
        with pytest.raises(NotNow, match=r"files\.largest"):
            await later.kernel.routines.run(routine["name"])
        registry.tool = real  # type: ignore[method-assign]
        await later.kernel.routines.resume(routine["name"])
        assert later.kernel.routines.every()[0]["broken"] == ""
        run = await later.kernel.routines.run(routine["name"])
        assert (await later.kernel.settled(run))["resolution"] == "executed"


async def test_a_keeper_that_ends_by_a_fault_is_told_and_the_watcher_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(_: Keeper) -> None:
        raise OSError("no timer is left")

    monkeypatch.setattr(Keeper, "run", fails)
    async with desk_on(tmp_path) as desk:
        await desk.until(lambda: "no timer is left" in caplog.text)
        await watched(desk)


@pytest.mark.parametrize(
    "rule",
    ["Every day at nine in the morning tell me to stretch, but never before ten in the morning.",
     "Remind me every day at 9 to stretch, but never before 10.",
     "Erinner mich jeden Tag um neun ans Dehnen, aber nie vor zehn."],
)  # fmt: skip
async def test_a_reminder_that_could_never_come_is_asked_about(desk: Desk, rule: str) -> None:
    said = await desk.say(rule)
    assert said["error"]["code"] == "routine.unclear"
    assert ("never happen" in said["answer"]) or ("nie eintreten" in said["answer"])


@pytest.mark.parametrize(
    "rule",
    ["On the 28th of every month at noon put pay the rent on my to-do list, due on the first. This goes on until the "
     "end of the year and then it stops.",
     "On the 28th of every month at noon put pay the rent on my to-do list, due on the 1st, until the end of the year"],
)  # fmt: skip
async def test_a_task_with_a_day_of_its_own_is_added_each_time_until_the_rule_ends(desk: Desk, rule: str) -> None:
    assert (await desk.say(rule))["resolution"] == "confirmed"
    (routine,) = desk.kernel._house.routines.every()
    assert isinstance(routine.trigger, Recurring)
    assert (routine.trigger.rule, str(routine.trigger.ends)) == (
        "FREQ=MONTHLY;BYMONTHDAY=28;BYHOUR=12;BYMINUTE=0", "2026-12-31",
    )  # fmt: skip
    (task,) = routine.plan.tasks
    assert (task.tool, sorted(task.arguments)) == ("tasks.add", ["due", "text"])


@pytest.mark.parametrize(("said", "until"), [
    ("Every Monday at 8 remind me to stretch. This goes on until the end of May.", "until 31 May 2026"),
    ("remind me every day at 8 until Friday to water the plants", "until 13 March 2026"),
    ("erinnere mich jeden Tag um 8 bis Freitag ans Gießen", "bis 13. März 2026"),
])  # fmt: skip
async def test_a_reminder_that_ends_is_kept_by_its_skill_with_its_end(desk: Desk, said: str, until: str) -> None:
    view = await desk.say(said)
    assert (view["resolution"], desk.kernel.routines.every()) == ("executed", [])
    (task,) = view["plan"]["tasks"]
    assert task["tool"] == "timers.remind"
    assert "UNTIL=2026" in task["arguments"]["repeat"]
    assert until in view["answer"]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("Every hour between 9 and 5 on weekdays tell me that I should drink something", "drink something"),
        ("Zwischen 9 und 17 Uhr jede Stund, aber ned am Wochenend, sagst ma dass i was trinken soll.", "was trinken"),
        (
            "Remind me every day at six in the morning and at six in the evening to feed the cat, please.",
            "feed the cat",
        ),
        ("remind me daily at 7 and 19 to feed the cat", "feed the cat"),
        ("erinnere mich täglich morgens um sechs und abends um sechs an die Tropfen", "die Tropfen"),
        ("erinnere mich jeden Montag um 9 und um 17 Uhr daran, die Blumen zu gießen", "die Blumen zu gießen"),
    ],
)
async def test_what_is_to_be_told_at_times_is_a_notice(desk: Desk, rule: str, text: str) -> None:
    assert (await desk.say(rule))["resolution"] == "confirmed"
    (routine,) = desk.kernel._house.routines.every()
    (task,) = routine.plan.tasks
    assert (task.tool, getattr(task.arguments["text"], "value", "")) == ("desktop.notify", text)


@pytest.mark.parametrize(
    ("rule", "about"),
    [
        ("Mach immer eine Sicherung, wenn grad wenig los ist.", "grad wenig los ist"),
        ("Always make a backup of Documents when little is going on", "little is going on"),
    ],
)
async def test_what_is_always_to_be_done_when_something_unknown_happens_is_asked_about(
    desk: Desk, rule: str, about: str
) -> None:
    said = await desk.say(rule)
    assert (said["error"]["code"], desk.kernel.routines.every()) == ("routine.unclear", [])
    assert about in said["answer"]


@pytest.mark.parametrize(
    "rule",
    [
        "Always show the largest files in Downloads when the network comes back",
        "when the network comes back, always show the largest files in Downloads",
        "Immer die größten Dateien in Downloads zeigen, wenn das Netz wieder da ist",
    ],
)
async def test_what_is_always_to_be_done_when_something_happens_is_a_rule(desk: Desk, rule: str) -> None:
    assert (await desk.say(rule))["resolution"] == "confirmed"
    (routine,) = desk.kernel._house.routines.every()
    assert [str(task.tool) for task in routine.plan.tasks] == ["files.largest"]


async def test_the_appointments_of_a_day_that_is_shown_every_week_are_those_of_that_day(desk: Desk) -> None:
    assert (await desk.say("mondays 8:45 show todays appointments, then open tasks"))["resolution"] == "confirmed"
    (routine,) = desk.kernel._house.routines.every()
    assert [task.tool for task in routine.plan.tasks] == ["calendar.agenda", "tasks.show"]


@pytest.mark.parametrize(
    ("rule", "tool"),
    [
        ("every weekday at 7:30 tell me whats in my calendar today", "calendar.agenda"),
        ("jeden Morgen um halb acht sag mir was heute in meinem Kalender steht", "calendar.agenda"),
        ("every day at 9 open Notes/Plan.md for me", "desktop.open_file"),
        ("jeden Montag um 9 mach mir Notes/Plan.md auf", "desktop.open_file"),
    ],
)
async def test_what_is_to_be_seen_each_time_is_shown_and_not_put_down(desk: Desk, rule: str, tool: str) -> None:
    (desk.home / "Notes").mkdir(exist_ok=True)
    (desk.home / "Notes" / "Plan.md").write_text("x")
    assert (await desk.say(rule))["resolution"] == "confirmed"
    (routine,) = desk.kernel._house.routines.every()
    assert [one.tool for one in routine.plan.tasks] == [tool]
