"""Looks: with rights of the routine's own alone, with nothing in the ledger, and with nothing but reading."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernel.errors import NotNow
from kernel.model import Constant, Task, TaskId
from kernel.routines import looking
from kernel.routines.looking import Looks, only_reads
from kernel.routines.routine import Routine
from kernel.routines.waited_for import look_task, look_tool
from permissions.labels import USER_SAID, Integrity
from skills.model import Tool, ToolId
from tests.kernel.routines.conftest import Desk, desk_on

pytestmark = pytest.mark.slow

RULE = "ten minutes before every event show me a notification with its place"
ICS = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:Team\r\n"
    "DTSTART;TZID=Europe/Berlin:20260311T160000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[tuple[Desk, Routine, Task]]:
    """A home with one event, a routine that waits for events, and its look."""
    (tmp_path / "home/Calendar").mkdir(parents=True)
    (tmp_path / "home/Calendar/main.ics").write_text(ICS, newline="")
    async with desk_on(tmp_path) as desk:
        assert (await desk.say(RULE))["resolution"] == "confirmed"
        await desk.until(lambda: bool((watches := desk.kernel._upkeep.watcher) and watches.is_ready))
        house = desk.kernel._house
        (routine,) = house.routines.every()
        tool = look_tool("event", house.registry.skills())
        assert tool is not None
        yield desk, routine, look_task(tool, routine)


async def test_a_look_finds_what_is_there_and_is_no_event_and_nobodys_word(kept: tuple[Desk, Routine, Task]) -> None:
    desk, routine, task = kept
    house = desk.kernel._house
    before, runs = house.ledger.head()[0], len(desk.kernel.runs(100))
    found = await Looks(house).look(routine, task)
    assert [one["title"] for one in found.value] == ["Team"]
    assert found.label is not None
    assert found.label.integrity is Integrity.UNTRUSTED
    await asyncio.sleep(0.3)
    kinds = {one.kind.partition(".")[0] for one in house.ledger.events(after=before)}
    assert kinds.isdisjoint({"task", "call", "door", "routine", "commit"}), kinds
    assert len(desk.kernel.runs(100)) == runs


async def test_the_card_says_what_is_looked_at(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        from kernel import Ask

        run = await desk.kernel.ask(Ask(RULE, conversation="c", cwd=str(desk.home), channel="test"))
        view = await desk.kernel.settled(run)
        assert any("Calendar" in str(one) for one in view["card"]["lines"]), view["card"]
        await desk.kernel.approve(run, "no")
        await desk.kernel.settled(run)
        assert desk.kernel.routines.every() == []


async def test_neither_the_persons_rights_nor_anothers_count(kept: tuple[Desk, Routine, Task]) -> None:
    desk, routine, task = kept
    house = desk.kernel._house
    await desk.kernel.grant("calendar", "fs.read:~/Calendar/**")
    stranger = replace(routine, name="stranger", key="other")
    with pytest.raises(NotNow, match="may not look"):
        await Looks(house).look(stranger, task)
    assert (await Looks(house).look(routine, task)).value  # the control


async def test_a_right_that_is_taken_away_lets_it_rest_with_the_reason(kept: tuple[Desk, Routine, Task]) -> None:
    desk, routine, _ = kept
    house = desk.kernel._house
    reads = [one.id for one in house.policy.grants if one.client == routine.node and "Calendar" in str(one.right)]
    await desk.kernel.revoke(reads[0])
    (desk.home / "Calendar/main.ics").write_text(ICS.replace("Team", "Moved"), newline="")
    await desk.until(lambda: desk.kernel.routines.view(routine.name)["paused"])
    assert "Calendar" in desk.kernel.routines.view(routine.name)["broken"]


async def test_nothing_but_reading_is_a_look(kept: tuple[Desk, Routine, Task]) -> None:
    desk, routine, _ = kept
    note = {"title": Constant("x", USER_SAID), "text": Constant("y", USER_SAID)}
    looks, writes = Looks(desk.kernel._house), Task(TaskId("t0"), ToolId("notes.create"), note)
    for made in (looks.look, looks.tell):
        with pytest.raises(NotNow, match="may only look"):
            await made(routine, writes)
    assert not (desk.home / "Notes").exists()


async def test_every_tool_that_tells_what_comes_only_reads(kept: tuple[Desk, Routine, Task]) -> None:
    registry = kept[0].kernel._house.registry
    tools: list[Tool] = [tool for skill in registry.skills() for tool in skill.tools]
    told = [one for one in tools if one.brings in ("event", "mail", "task")]
    assert {one.id for one in told} == {"calendar.starting", "mail.received", "tasks.deadlines"}
    assert all(map(only_reads, told))
    by_name: dict[str, Any] = {str(one.id): one for one in tools}
    assert not any(only_reads(by_name[one]) for one in ("web.read", "mail.send", "files.move", "mail.fetch"))


async def test_looks_without_end_are_refused(
    kept: tuple[Desk, Routine, Task], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    desk, routine, task = kept
    monkeypatch.setattr(looking, "MOST_AN_HOUR", 2)
    looks = Looks(desk.kernel._house)
    await looks.look(routine, task)
    await looks.look(routine, task)
    with pytest.raises(NotNow, match="2 times"):
        await looks.look(routine, task)


async def test_a_look_that_fails_is_made_again_and_then_says_why(
    kept: tuple[Desk, Routine, Task], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    desk, routine, task = kept
    monkeypatch.setattr(looking, "PAUSES_S", (0.1,))
    endless = {name: one for name, one in task.arguments.items() if one.value != task.arguments["within"].value}  # type: ignore[union-attr]
    with pytest.raises(NotNow, match="could not look"):
        await asyncio.wait_for(Looks(desk.kernel._house).look(routine, replace(task, arguments=endless)), 30)
