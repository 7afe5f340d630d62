"""The keeper over a real ledger and real files: what is told, when, once, and as what."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from kernel.desktop import Notices
from kernel.reminding import Alarm, Keeper
from kernel.reminding.hushing import hush
from memory import Ledger
from memory.model import Draft
from skills.model import Skill, SkillId
from skills.schedule import Scheduled, write_schedule

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2025, 3, 14, 12, 0, tzinfo=BERLIN)


def skill(name: str, reminds: str = "to ring") -> Skill:
    return Skill(SkillId(name), "1.0.0", name.title(), "", "/", "h", True, (), {}, reminds)


@dataclass(slots=True)
class Clock:
    """A clock that a test sets."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now


@dataclass(slots=True)
class House:
    """A ledger, the skills' own folders, a clock, and what went wrong."""

    root: Path
    ledger: Ledger
    clock: Clock = field(default_factory=Clock)
    skills: list[Skill] = field(default_factory=lambda: [skill("timers")])
    faults: list[BaseException] = field(default_factory=list)

    @property
    def own(self) -> Path:
        return self.root / "own"

    def keep(self, *entries: Scheduled, by: str = "timers") -> None:
        path = self.own / by / "schedule.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(write_schedule(entries))

    def keeper(self) -> Keeper:
        return Keeper(self.ledger, self.own, lambda: self.skills, clock=self.clock, report=self.faults.append,
                      desktop=Notices({"XDG_RUNTIME_DIR": "/nowhere"}))  # fmt: skip

    def told(self) -> list[dict[str, Any]]:
        return [dict(event.body or {}) for event in self.ledger.events(kinds=("reminder.told",))]

    @asynccontextmanager
    async def running(self) -> Any:
        keeper = self.keeper()
        task = asyncio.create_task(keeper.run())
        yield keeper
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def until_told(self, count: int) -> list[dict[str, Any]]:
        for _ in range(3000):
            if len(self.told()) >= count:
                break
            await asyncio.sleep(0.01)
        return self.told()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Ledger.open(tmp_path / "ledger") as ledger:
        yield House(tmp_path, ledger)


def entry(name: str, at: str, rule: str = "", **says: str) -> Scheduled:
    moment = datetime.fromisoformat(at)
    return Scheduled(name, moment, says or {"en": f"{name}!"}, rule, next(iter(says), "en"))


async def test_what_is_due_is_told_once_and_as_what_it_is(house: House) -> None:
    house.keep(entry("tea", "2025-03-14T12:00"), entry("later", "2025-03-14T12:01"))
    async with house.running():
        (told,) = await house.until_told(1)
    assert {name: told[name] for name in ("skill", "title", "text", "missed", "again", "earlier")} == {
        "skill": "timers", "title": "Timers", "text": "tea!", "missed": False, "again": False, "earlier": 0,
    }  # fmt: skip
    async with house.running():
        await asyncio.sleep(0.1)
    assert len(house.told()) == 1


async def test_what_comes_while_it_sleeps_is_told_when_it_comes(house: House) -> None:
    soon = NOON + timedelta(seconds=1)
    house.keep(Scheduled("tea", soon, {"en": "tea!"}))
    real = datetime.now(BERLIN)
    house.clock = lambda: NOON + (datetime.now(BERLIN) - real)  # type: ignore[assignment]
    async with house.running():
        (told,) = await house.until_told(1)
        assert house.clock() >= soon, "not before"
    assert told["text"] == "tea!"


async def test_a_commit_wakes_it_and_a_clock_that_was_set_too(house: House) -> None:
    async with house.running():
        await asyncio.sleep(0.05)
        house.keep(entry("tea", "2025-03-14T11:59:30"))
        house.ledger.append(Draft(kind="commit.done", body={}, run="r-1"))
        assert [one["text"] for one in await house.until_told(1)] == ["tea!"]
        house.keep(entry("tea", "2025-03-14T11:59:30"), entry("eggs", "2025-03-14T13:00"))
        house.clock.now = NOON + timedelta(hours=1)  # the clock was set: the timer is cancelled, and it looks again
        house.ledger.append(Draft(kind="run.undone", body={}, run="r-1"))
        assert [one["text"] for one in await house.until_told(2)] == ["tea!", "eggs!"]
        house.clock.now = NOON - timedelta(hours=1)  # and back: nothing is told twice
        house.ledger.append(Draft(kind="run.undone", body={}, run="r-1"))
        house.clock.now = NOON + timedelta(hours=1)
        house.ledger.append(Draft(kind="run.undone", body={}, run="r-1"))
        await asyncio.sleep(0.1)
    assert len(house.told()) == 2


@pytest.mark.parametrize(
    ("at", "rule", "language", "text", "earlier"),
    [
        ("2025-03-14T08:00", "", "en", "Missed: tea! (it was due at 08:00)", 0),
        ("2025-03-13T08:00", "", "en", "Missed: tea! (it was due on 2025-03-13 at 08:00)", 0),
        ("2025-03-10T08:00", "FREQ=DAILY", "de",
         "Verpasst: tea! (fällig war es um 08:00 Uhr, und 4-mal davor)", 4),
        ("2025-03-14T11:59:30", "", "de", "tea!", 0),
    ],
)  # fmt: skip
async def test_what_was_missed_is_told_as_missed_and_a_series_once(
    house: House, at: str, rule: str, language: str, text: str, earlier: int
) -> None:
    house.keep(entry("tea", at, rule, **{language: "tea!"}))
    async with house.running():
        (told,) = await house.until_told(1)
    assert (told["text"], told["earlier"], told["missed"]) == (text, earlier, text != "tea!")


async def test_what_was_begun_and_not_finished_is_told_again_and_says_so(house: House) -> None:
    house.keep(entry("tea", "2025-03-14T12:00"))
    due = house.keeper().due([*_kept(house)])[0]
    house.ledger.append(Draft(kind="reminder.due", body={}, task=due.key))
    async with house.running():
        (told,) = await house.until_told(1)
    assert told["again"] is True
    assert told["text"] == "tea! (perhaps for the second time)"
    async with house.running():
        await asyncio.sleep(0.1)
    assert len(house.told()) == 1


def _kept(house: House) -> tuple[Any, ...]:
    from kernel.reminding.published import read_all

    return read_all(house.own, house.skills).kept


async def test_what_was_forgotten_is_not_told_again(house: House) -> None:
    house.keep(entry("tea", "2025-03-14T12:00"))
    async with house.running():
        await house.until_told(1)
    house.ledger.destroy([event.seq for event in house.ledger.events(kinds=("reminder.told",))])
    async with house.running() as keeper:
        await asyncio.sleep(0.1)
        assert keeper.journal.recent() == []
    assert len(list(house.ledger.events(kinds=("reminder.told",)))) == 1


async def test_who_does_not_say_why_reminds_nobody(house: House) -> None:
    house.skills = [skill("timers"), skill("evil", reminds="")]
    house.keep(entry("spam", "2025-03-14T12:00"), by="evil")
    house.keep(entry("spam", "2025-03-14T12:00"), by="gone")
    house.keep(entry("tea", "2025-03-14T12:00"))
    async with house.running():
        told = await house.until_told(1)
        await asyncio.sleep(0.05)
    assert [one["skill"] for one in told] == ["timers"]
    house.skills = [skill("evil")]  # the control: with a reason it is told
    async with house.running():
        assert (await house.until_told(2))[-1]["skill"] == "evil"


@pytest.mark.parametrize("what", ["garbage", "link", "pipe", "folder"])
async def test_a_broken_file_is_named_and_the_others_are_told(house: House, what: str) -> None:
    house.skills.append(skill("other"))
    house.keep(entry("tea", "2025-03-14T12:00"))
    place = house.own / "other" / "schedule.json"
    place.parent.mkdir()
    match what:
        case "garbage":
            place.write_bytes(b"\xff{")
        case "link":
            place.symlink_to(house.own / "timers" / "schedule.json")
        case "pipe":
            os.mkfifo(place)
        case "folder":
            place.mkdir()
    async with house.running() as keeper:
        told = await house.until_told(1)
        assert list(keeper.problems) == ["other"]
    assert [one["skill"] for one in told] == ["timers"]
    assert house.faults == []


async def test_a_fault_of_the_ledger_is_reported_and_the_keeper_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernel.reminding.keeper.TRY_AGAIN_S", 0.02)
    house.keep(entry("tea", "2025-03-14T12:00"))
    submit, faults = house.ledger.submit, [OSError("full"), OSError("full")]

    def failing(*drafts: Draft) -> Any:
        if faults and drafts[0].kind == "reminder.told":
            raise faults.pop()
        return submit(*drafts)

    monkeypatch.setattr(house.ledger, "submit", failing)
    async with house.running():
        (told,) = await house.until_told(1)
    assert len(house.faults) == 2
    assert told["again"] is True


async def test_a_fault_of_the_timer_or_of_the_first_look_is_reported_and_the_keeper_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernel.reminding.keeper.TRY_AGAIN_S", 0.02)
    sleep, events, faults = Alarm.sleep, house.ledger.events, [OSError("the ledger"), OSError("the timer")]

    def first_look(**given: Any) -> Any:
        if len(faults) == 2:
            raise faults.pop(0)
        return events(**given)

    async def failing(alarm: Alarm, seconds: float | None) -> None:
        if len(faults) == 1:
            house.keep(entry("tea", "2025-03-14T12:00"))
            raise faults.pop()
        await sleep(alarm, seconds)

    monkeypatch.setattr(house.ledger, "events", first_look)
    monkeypatch.setattr(Alarm, "sleep", failing)
    async with house.running():
        for _ in range(300):
            await asyncio.sleep(0.01)
            if len(house.faults) == 2:
                break
        (told,) = await house.until_told(1)
    assert told["text"] == "tea!"
    assert [str(one) for one in house.faults] == ["the ledger", "the timer"]


async def test_a_clock_that_ran_ahead_silences_no_series(house: House) -> None:
    house.keep(entry("tea", "2025-03-14T11:00", "FREQ=DAILY"))
    days = [NOON, NOON + timedelta(days=300), NOON + timedelta(days=1), NOON + timedelta(days=2)]
    for count, house.clock.now in enumerate(days, 1):
        async with house.running():
            await house.until_told(count)
    ahead = (NOON + timedelta(days=300)).date()
    told = [datetime.fromisoformat(one["at"]).date() for one in house.told()]
    assert told == [NOON.date(), ahead, *(NOON.date() + timedelta(days=day) for day in (1, 2))]
    house.clock.now = NOON + timedelta(days=300, minutes=1)  # that day has come: of it, it was told
    async with house.running() as keeper:
        await asyncio.sleep(0.1)
        assert keeper.due(_kept(house)) == []
    assert len(house.told()) == 4


def staged(house: House, name: str, *entries: Scheduled) -> dict[str, Any]:
    """An effect as a run has it before its commit: the content lies elsewhere still."""
    blob = house.root / f"blob-{name.replace('/', '-')}"
    blob.write_bytes(write_schedule(entries))
    return {"op": "write", "path": f"{os.path.realpath(house.own)}/{name}", "blob_path": str(blob)}


def whole_record(house: House) -> str:
    """All that the ledger says once the words that were never written are let go of."""
    house.ledger.let_go(seqs=[event.seq for event in house.ledger.events()])
    return repr([(one.kind, one.task, one.run, one.body, one.label) for one in house.ledger.events()])


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("first", ["schedule.json", "draft.json"])
async def test_what_a_private_run_puts_on_the_clock_is_told_without_a_word(
    house: House, private: bool, first: str
) -> None:
    secret = entry("zebrafinch", "2025-03-14T12:00", en="Feed the zebrafinch.")
    if private:
        await hush(house.ledger, [staged(house, f"timers/{first}", secret)], house.own)
    house.keep(secret)
    async with house.running() as keeper:
        while not (told := keeper.journal.recent()):  # noqa: ASYNC110 - the ledger tells nobody here
            await asyncio.sleep(0.01)
        assert told[0]["text"] == "Feed the zebrafinch."
    assert ("zebrafinch" in whole_record(house)) is not private
    later = house.keeper()
    later.journal.replay()
    assert [one["text"] for one in later.journal.recent()] == ([] if private else ["Feed the zebrafinch."])
    assert later.due(later.journal.as_heard(_kept(house))) == [], "it is told once, also after a restart"


async def test_only_what_a_private_run_changes_is_hushed_and_what_was_told_is_not_told_again(house: House) -> None:
    daily = entry("daily", "2025-03-10T08:00", "FREQ=DAILY", en="Pills.")
    plain = entry("plain", "2025-03-14T12:00", en="Plain.")
    house.keep(daily, plain)
    async with house.running():
        await house.until_told(2)
    moved = entry("daily", "2025-03-10T09:00", "FREQ=DAILY", en="Secret pills.")
    await hush(house.ledger, [staged(house, "timers/schedule.json", moved, plain)], house.own)
    house.keep(moved, plain)
    house.clock.now = NOON + timedelta(hours=22)
    async with house.running():
        told = await house.until_told(3)
    assert [one.get("earlier") for one in told][2] == 1, "the mornings before it was moved were told"
    record = whole_record(house)
    assert "Secret" not in record
    assert "Plain." in record


async def test_what_a_second_private_run_changes_is_not_named_by_what_the_first_one_put_there(house: House) -> None:
    secret = entry("zebrafinch", "2025-03-14T11:00", en="Feed it.")
    await hush(house.ledger, [staged(house, "timers/schedule.json", secret)], house.own)
    house.keep(secret)
    moved = entry("zebrafinch", "2025-03-14T11:30", en="Feed it.")
    await hush(house.ledger, [staged(house, "timers/schedule.json", moved)], house.own)
    assert len(list(house.ledger.events(kinds=("reminder.hushed",)))) == 2
    assert "zebrafinch" not in whole_record(house)


@pytest.mark.parametrize("data", [b"", b"{", b"\0" * 9, b'{"form": 1, "entries": [{"id": "x"}]}'])
async def test_what_is_no_schedule_hushes_nothing(house: House, data: bytes) -> None:
    effect = staged(house, "timers/schedule.json")
    Path(effect["blob_path"]).write_bytes(data)
    gone = {**effect, "blob_path": str(house.root / "gone")}
    elsewhere = {**staged(house, "timers/x", entry("a", "2025-03-14T12:00")), "path": f"{house.own}2/timers/x"}
    await hush(house.ledger, [effect, gone, elsewhere, {"op": "delete", "path": effect["path"]}], house.own)
    assert list(house.ledger.events()) == []
