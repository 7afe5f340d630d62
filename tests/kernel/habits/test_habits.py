"""What a person does again and again is found in the ledger, generalises as it was seen, and is forgotten with it."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from kernel.habits import Habits, Pattern
from kernel.habits.model import Open, Output, Relative, Same, Within
from kernel.model import Comparison, Condition, FromTask, Measure, TaskId
from memory import Event
from tests.kernel.habits.diary import REGISTRY, Diary, file, read, said, week

BILLS = "/home/a/Bills"
WEEKLY = 6


def _reports(diary: Diary, weeks: int = WEEKLY, first: int = 0, **more: Any) -> None:
    """Every Monday a table is plotted, the plot is mailed to the same person, and last week is looked at."""
    for number in range(first, first + weeks):
        plot = file(f"/home/a/Plots/week{number}.png")
        diary.ask(week(number), ("data.plot", {"table": said(f"/home/a/Sales/{number}.csv")}), made=[plot], **more)
        diary.ask(
            week(number, 3),
            ("mail.send", {"to": said("boss@work.example"), "text": said(f"week {number}"), "files": read([plot])}),
            ("calendar.agenda", {"when": said(_last_week(number))}),
            **more,
        )


def _last_week(number: int) -> dict[str, str]:
    monday = week(number).date()
    return {"start": (monday - timedelta(7)).isoformat(), "end": monday.isoformat()}


def _patterns(diary: Diary, weeks: float = WEEKLY) -> tuple[Pattern, ...]:
    habits = Habits(diary.ledger, REGISTRY)
    habits.catch_up()
    return habits.patterns(week(0) + timedelta(weeks=weeks))


def _tools(diary: Diary, weeks: float = WEEKLY) -> list[list[str]]:
    return [[step.tool for step in one.steps] for one in _patterns(diary, weeks)]


def test_a_habit_over_two_requests_is_found_whole_with_its_slots(diary: Diary) -> None:
    _reports(diary)
    (pattern,) = _patterns(diary)
    plot, mail, agenda = pattern.steps
    assert [plot.tool, mail.tool, agenda.tool] == ["data.plot", "mail.send", "calendar.agenda"]
    assert plot.arguments == {"table": Within("/home/a/Sales")}
    assert mail.arguments["to"] == Same("boss@work.example")
    assert mail.arguments["files"] == Output(0)
    assert mail.arguments["text"] == Open(("week 3", "week 4", "week 5"))
    assert agenda.arguments == {"when": Relative("last week")}
    assert (pattern.seen.times, pattern.seen.days, pattern.seen.saves, pattern.seen.held) == (WEEKLY, WEEKLY, 2, 1.0)
    assert pattern.seen.weekdays == (0,)
    assert pattern.seen.hour == pytest.approx(9, abs=0.1)


def test_something_else_in_between_and_an_odd_day_do_no_harm(diary: Diary) -> None:
    _reports(diary)
    plot = file("/home/a/Plots/late.png")
    diary.ask(week(WEEKLY), ("data.plot", {"table": said("/home/a/Sales/late.csv")}), made=[plot])
    diary.ask(week(WEEKLY, 1), ("system.battery", {}))
    sent = {"to": said("boss@work.example"), "text": said("late"), "files": read([plot])}
    diary.ask(week(WEEKLY, 2), ("mail.send", sent), ("calendar.agenda", {"when": said(_last_week(WEEKLY))}))
    (pattern,) = _patterns(diary, WEEKLY + 1)
    assert pattern.seen.times == WEEKLY + 1


def test_a_path_that_an_earlier_request_made_is_its_output_though_it_was_typed(diary: Diary) -> None:
    for number in range(WEEKLY):
        made = file(f"/home/a/Out/table{number}.xlsx")
        diary.ask(week(number), ("data.convert", {"table": said("/home/a/t.csv"), "format": said("xlsx")}), made=[made])
        diary.ask(week(number, 2), ("documents.summary", {"file": said(made["path"])}))
    (pattern,) = _patterns(diary)
    assert pattern.steps[1].arguments == {"file": Output(0)}


def test_twice_is_chance_and_three_times_on_one_day_are_no_habit(diary: Diary) -> None:
    _reports(diary, 2)
    assert _tools(diary, 2) == []
    for hour in range(3, 9):
        diary.ask(week(3, 60 * hour), ("files.usage", {"folder": said(BILLS)}))
        diary.ask(week(3, 60 * hour + 2), ("files.organize", {"folder": said(BILLS), "by": said("month")}))
    assert _tools(diary, 4) == []


@pytest.mark.parametrize(("skipped", "held"), [(1, 0.6), (2, None)])
def test_how_often_it_went_on_is_held_against_it(diary: Diary, skipped: int, held: float | None) -> None:
    """Of three Mondays that begin like it, ``skipped`` do not go on: of the ten after its second time, six do."""
    for number in range(12):
        if number % 3 < 3 - skipped:
            _reports(diary, 1, first=number)
        else:
            diary.ask(week(number), ("data.plot", {"table": said(f"/home/a/Sales/{number}.csv")}))
    whole = [one for one in _patterns(diary, 12) if one.steps[0].tool == "data.plot"]
    assert [one.seen.held for one in whole] == ([] if held is None else [held])


def test_what_has_not_come_for_three_weeks_is_over(diary: Diary) -> None:
    _reports(diary)
    assert len(_patterns(diary, WEEKLY + 1.9)) == 1
    assert _patterns(diary, WEEKLY + 3) == ()


@pytest.mark.parametrize("end", ["blocked", "failed", "rolled_back"])
def test_what_was_refused_or_failed_is_no_habit(diary: Diary, end: str) -> None:
    _reports(diary, end=end)
    assert _tools(diary) == []


@pytest.mark.parametrize("more", [{"client": "mcp:x"}, {"client": "routine:x"}, {"private": True}], ids=str)
def test_what_no_person_asked_for_openly_is_no_habit(diary: Diary, more: dict[str, Any]) -> None:
    _reports(diary, **more)
    assert _tools(diary) == []


def test_what_is_taken_back_is_no_habit_nor_is_its_part(diary: Diary) -> None:
    _reports(diary)
    assert len(_tools(diary)) == 1
    for run in diary.asked[-2 * WEEKLY :: 2]:
        diary.undo(run)
    assert _tools(diary) == []


def test_a_call_with_a_condition_would_be_something_else_without_it(diary: Diary) -> None:
    some = Condition(TaskId("t1"), Measure.COUNT, Comparison.MORE, 0)
    for number in range(WEEKLY):
        calls = ("files.find", {"folder": said(BILLS)}), ("notes.read", {"title": said("bills")})
        diary.ask(week(number), *calls)
        diary.ask(week(number, 600), ("files.find", {"folder": said("/home/a/In")}), ("tasks.show", {}), when=(some,))
    assert _tools(diary) == [["files.find", "notes.read"]]


def test_the_output_of_a_step_of_the_same_request(diary: Diary) -> None:
    for number in range(WEEKLY):
        found = {"folder": said(BILLS), "name": said("march")}
        move = {"files": FromTask(TaskId("t1")), "to": said("/home/a/Archive")}
        made = [[file(f"{BILLS}/{number}.pdf")], [file(f"/home/a/Archive/{number}.pdf")]]
        diary.ask(week(number), ("files.find", found), ("files.move", move), made=made)
    (pattern,) = _patterns(diary)
    assert pattern.steps[1].arguments == {"files": Output(0), "to": Same("/home/a/Archive")}


def test_a_place_to_which_things_go_and_that_varies_stays_open(diary: Diary) -> None:
    for number in range(WEEKLY):
        made = [file(f"{BILLS}/{number}.pdf")]
        diary.ask(week(number), ("files.find", {"folder": said(BILLS), "kind": said("pdf")}), made=[made])
        diary.ask(week(number, 1), ("files.move", {"files": read(made), "to": said(f"/home/a/Archive/{number}")}))
    (pattern,) = _patterns(diary)
    assert pattern.steps[1].arguments["to"] == Open(
        tuple(f"/home/a/Archive/{number}" for number in range(WEEKLY - 3, WEEKLY))
    )


def test_forgotten_runs_are_forgotten_here_and_in_the_file(diary: Diary, tmp_path: Path) -> None:
    _reports(diary)
    kept = tmp_path / "habits"
    habits = Habits(diary.ledger, REGISTRY, kept)
    habits.catch_up()
    assert habits.patterns(week(WEEKLY))
    assert habits.keep()
    mondays = set(diary.asked[-2 * WEEKLY :][:8])
    diary.ledger.destroy([one.seq for one in diary.ledger.events() if one.run in mondays])
    habits.catch_up()
    assert habits.patterns(week(WEEKLY)) == ()
    assert not kept.exists()
    assert _tools(diary) == []


def test_what_is_left_after_forgetting_is_what_reading_anew_finds(diary: Diary) -> None:
    _reports(diary, 8)
    habits = Habits(diary.ledger, REGISTRY)
    habits.catch_up()
    (before,) = habits.patterns(week(8))
    gone = set(diary.asked[-2 * 8 :][4:8])
    diary.ledger.destroy([one.seq for one in diary.ledger.events() if one.run in gone])
    habits.catch_up()
    (left,) = habits.patterns(week(8))
    assert (left,) == _patterns(diary, 8)
    assert (before.seen.times, left.seen.times) == (8, 6)
    assert not gone & set(left.seen.runs)
    assert left.seen.score < before.seen.score


def test_a_start_reads_what_was_kept_and_only_what_came_since(diary: Diary, tmp_path: Path) -> None:
    kept = tmp_path / "habits"
    _reports(diary, 2)
    first = Habits(diary.ledger, REGISTRY, kept)
    first.catch_up()
    assert first.keep()
    before = first.seq
    _reports(diary, 2, first=2)
    second = Habits(diary.ledger, REGISTRY, kept)
    assert second.seq == before
    second.catch_up()
    anew = Habits(diary.ledger, REGISTRY)
    anew.catch_up()
    assert second.patterns(week(WEEKLY)) == anew.patterns(week(WEEKLY)) != ()


def test_no_garbage_is_looked_for_where_years_are_read_nor_in_what_was_read(
    diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    _reports(diary)
    read, seen, before = Habits(diary.ledger, REGISTRY), list[bool](), gc.get_freeze_count()
    as_ever = Habits.take

    def take(habits: Habits, events: Iterable[Event]) -> None:
        seen.append(gc.isenabled())
        as_ever(habits, events)
        if len(seen) == 2:
            raise OSError("the disk is gone")

    monkeypatch.setattr(Habits, "take", take)
    read.catch_up()
    assert gc.get_freeze_count() == before
    monkeypatch.setattr("kernel.habits.habits._MANY", 10)
    with pytest.raises(OSError, match="the disk is gone"):
        Habits(diary.ledger, REGISTRY).catch_up()
    assert (seen, gc.isenabled()) == ([True, False], True)
    assert gc.get_freeze_count() > before + 10_000
    gc.unfreeze()


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data + b"x", lambda _: b""], ids=range(3))
def test_a_damaged_file_is_as_good_as_none(diary: Diary, tmp_path: Path, damage: Any) -> None:
    kept = tmp_path / "habits"
    _reports(diary)
    first = Habits(diary.ledger, REGISTRY, kept)
    first.catch_up()
    assert first.keep()
    kept.write_bytes(damage(kept.read_bytes()))
    again = Habits(diary.ledger, REGISTRY, kept)
    assert again.seq == 0
    again.catch_up()
    assert again.patterns(week(WEEKLY)) == first.patterns(week(WEEKLY))
