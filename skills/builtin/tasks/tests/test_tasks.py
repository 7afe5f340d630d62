"""The to-do list: what is written down, told, done and changed; what a person wrote into the file stays."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.builtin.tasks import skill, todo
from skills.sdk import Hours, Period, Query, Recurrence, Title, ToolError
from skills.sdk.testing import NOON, Done, PracticeHome

TODAY, FRIDAY = date(2025, 3, 14), date(2025, 3, 21)  # both are Fridays
FILE = """(A) 2025-03-01 call the plumber +house due:2025-03-13
2025-03-02 buy milk +shopping due:2025-03-14 at:18:00
water the plants due:2025-03-16 rrule:FREQ=WEEKLY;BYDAY=SU
# a line of somebody else's @phone t:2025-04-01
x 2025-03-10 2025-03-01 book a table pri:B

buy eggs and flour +shopping
"""


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.own.mkdir()
    (made.own / "todo.txt").write_text(FILE)
    return made


def lines(home: PracticeHome) -> list[str]:
    return (home.own / "todo.txt").read_text().splitlines()


def changed(home: PracticeHome) -> tuple[set[str], set[str]]:
    """What went out of the file, and what came."""
    before, after = set(FILE.splitlines()), set(lines(home))
    return before - after, after - before


def both(tmp_path: Path, tool: Any, **given: Any) -> tuple[Done, Done]:
    done = []
    for language in ("en", "de"):
        home = PracticeHome(tmp_path / language, language=language)
        home.own.mkdir()
        (home.own / "todo.txt").write_text(FILE)
        done.append(home.do(tool, **given))
    return done[0], done[1]


@pytest.mark.parametrize(
    ("given", "line", "en", "de"),
    [
        ({}, "2025-03-14 fix it", "On your list: fix it.", "Steht auf der Liste: fix it."),
        ({"due": FRIDAY}, "2025-03-14 fix it due:2025-03-21", "(due on 21 March 2025)", "(fällig am 21. März 2025)"),
        ({"due": date(2025, 3, 15), "hours": Hours(time(17))}, "2025-03-14 fix it due:2025-03-15 at:17:00",
         "(due tomorrow, 17:00)", "(fällig morgen, 17:00)"),
        ({"hours": Hours(time(17))}, "2025-03-14 fix it due:2025-03-14 at:17:00", "(due today, 17:00)", "heute, 17:00"),
        ({"hours": Hours(time(6), time(12), rough=True), "due": TODAY}, "2025-03-14 fix it due:2025-03-14", "today",
         "heute"),
        ({"priority": "high", "group": Title("my hardware store list")}, "(A) 2025-03-14 fix it +hardware_store",
         "(high priority; hardware store)", "(wichtig; hardware store)"),
        ({"repeat": Recurrence("FREQ=WEEKLY;BYDAY=MO")},
         "2025-03-14 fix it due:2025-03-17 rrule:FREQ=WEEKLY;BYDAY=MO", "due on 17 March 2025; repeats",
         "am 17. März 2025; wiederholt sich"),
        ({"repeat": Recurrence("FREQ=DAILY;BYHOUR=9;BYMINUTE=30")},
         "2025-03-14 fix it due:2025-03-14 at:09:30 rrule:FREQ=DAILY", "today, 09:30", "heute, 09:30"),
    ],
)  # fmt: skip
def test_a_task_is_written_down(tmp_path: Path, given: dict[str, Any], line: str, en: str, de: str) -> None:
    english, german = both(tmp_path, skill.add, text=Title("fix it."), **given)
    assert en in english.answer
    assert de in german.answer
    assert (tmp_path / "en" / "own" / "todo.txt").read_text() == FILE + line + "\n"


def test_the_first_one_begins_the_file_and_the_same_twice_is_one(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.do(skill.add, text=Title("buy  milk\nnow"))
    again = home.do(skill.add, text=Title("buy milk now"))
    assert again.answer == "“buy milk now” is on your list already."
    assert lines(home) == ["2025-03-14 buy milk now"]
    assert home.tree() == {}


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ({}, ["call the plumber", "buy milk", "water the plants", "# a line of somebody else's @phone",
              "buy eggs and flour"]),
        ({"which": "overdue"}, ["call the plumber"]),
        ({"which": "done"}, ["book a table"]),
        ({"which": "done", "when": Period(date(2025, 3, 17), date(2025, 3, 18))}, ["book a table"]),
        ({"which": "done", "when": Period(date(2025, 3, 18), date(2025, 3, 19))}, []),
        ({"when": Period(TODAY, date(2025, 3, 15))}, ["buy milk"]),
        ({"when": Period(None, date(2025, 3, 15))}, ["call the plumber", "buy milk"]),
        ({"group": Query("Shopping")}, ["buy milk", "buy eggs and flour"]),
        ({"group": Query("shoping")}, ["buy milk", "buy eggs and flour"]),
        ({"group": Query("shopping list")}, ["buy milk", "buy eggs and flour"]),
        ({"group": Query("Shopping-Liste")}, ["buy milk", "buy eggs and flour"]),
        ({"group": Query("my shopping to-do list")}, ["buy milk", "buy eggs and flour"]),
        ({"priority": "high"}, ["call the plumber"]),
        ({"which": "overdue", "group": Query("shopping")}, []),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_listed_by_its_day(home: PracticeHome, given: dict[str, Any], texts: list[str]) -> None:
    assert [one.text for one in home.do(skill.show, pure=True, **given).value.tasks] == texts


def test_what_is_told_of_a_task_and_of_none(tmp_path: Path) -> None:
    english, german = both(tmp_path, skill.show, which="overdue")
    assert english.answer == "- call the plumber (overdue, due yesterday; high priority; house)"
    assert german.answer == "- call the plumber (überfällig, fällig gestern; wichtig; house)"
    empty = PracticeHome(tmp_path / "none", language="de")
    assert empty.do(skill.show, pure=True).answer == "Es ist nichts zu tun."
    with pytest.raises(ToolError, match="no list “garden”"):
        empty.do(skill.show, pure=True, group=Query("garden"))


@pytest.mark.parametrize(
    ("tool", "given", "out", "came"),
    [
        (skill.done, {"task": Query("plumber")}, "(A) 2025-03-01 call the plumber +house due:2025-03-13",
         ["x 2025-03-14 2025-03-01 call the plumber +house due:2025-03-13 pri:A"]),
        (skill.done, {"task": Query("the plants")}, "water the plants due:2025-03-16 rrule:FREQ=WEEKLY;BYDAY=SU",
         ["x 2025-03-14 water the plants due:2025-03-16",
          "2025-03-14 water the plants due:2025-03-23 rrule:FREQ=WEEKLY;BYDAY=SU"]),
        (skill.remove, {"task": Query("eggs")}, "buy eggs and flour +shopping", []),
        (skill.rename, {"task": Query("eggs"), "text": Title("buy six eggs")}, "buy eggs and flour +shopping",
         ["buy six eggs +shopping"]),
        (skill.move, {"task": Query("milk"), "to": FRIDAY},
         "2025-03-02 buy milk +shopping due:2025-03-14 at:18:00",
         ["2025-03-02 buy milk +shopping due:2025-03-21 at:18:00"]),
        (skill.move, {"task": Query("milk"), "hours": Hours(time(9))},
         "2025-03-02 buy milk +shopping due:2025-03-14 at:18:00",
         ["2025-03-02 buy milk +shopping due:2025-03-14 at:09:00"]),
        (skill.rank, {"task": Query("milk"), "priority": "low"},
         "2025-03-02 buy milk +shopping due:2025-03-14 at:18:00",
         ["(C) 2025-03-02 buy milk +shopping due:2025-03-14 at:18:00"]),
        (skill.rank, {"task": Query("plumber"), "priority": "none"},
         "(A) 2025-03-01 call the plumber +house due:2025-03-13",
         ["2025-03-01 call the plumber +house due:2025-03-13"]),
        (skill.move, {"task": Query("somebody"), "to": FRIDAY}, "# a line of somebody else's @phone t:2025-04-01",
         ["# a line of somebody else's @phone t:2025-04-01 due:2025-03-21"]),
    ],
)  # fmt: skip
def test_a_change_rewrites_its_line_and_no_other(
    home: PracticeHome, tool: Any, given: dict[str, Any], out: str, came: list[str]
) -> None:
    home.do(tool, **given)
    assert changed(home) == ({out}, set(came))


def test_a_series_that_was_missed_comes_after_today(home: PracticeHome) -> None:
    home.now = datetime(2025, 4, 9, 12, 0, tzinfo=NOON.tzinfo)
    done = home.do(skill.done, task=Query("plants"))
    assert done.answer == "Done: water the plants. It comes again on 13 April 2025."


@pytest.mark.parametrize(
    ("said", "choices"),
    [("buy", ["buy milk", "buy eggs and flour"]), ("buy something", None), ("book a table", None)],
)
def test_who_is_not_sure_asks(home: PracticeHome, said: str, choices: list[str] | None) -> None:
    with pytest.raises(ToolError) as caught:
        home.do(skill.done, task=Query(said))
    assert caught.value.instead_of == said
    assert not choices or list(caught.value.choices) == choices
    assert lines(home) == FILE.splitlines()


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("called Anna", "call Anna"),
        ("writing the report", "write the report"),
        ("writing to Anna", "write to Anna"),
        ("Miete überwiesen", "Miete überweisen"),
    ],
)
def test_a_task_is_known_by_its_deed_in_the_past(tmp_path: Path, said: str, text: str) -> None:
    home = PracticeHome(tmp_path)
    for one in ("call Anna", "call Ben", "write the report", "write to Anna", "Miete überweisen"):
        home.do(skill.add, text=one)
    assert home.do(skill.done, task=said).answer.startswith(f"Done: {text}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("write the report", "print the report"),
        ("write to Maria", "write to Marie"),
        ("Julia anrufen", "Julie anrufen"),
    ],
)
def test_another_deed_or_person_is_another_task(tmp_path: Path, text: str, said: str) -> None:
    home = PracticeHome(tmp_path)
    home.do(skill.add, text=text)
    with pytest.raises(ToolError):
        home.do(skill.done, task=said)


def test_a_move_to_nowhere_asks(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="By when"):
        home.do(skill.move, task=Query("milk"))


TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).map(
    lambda text: " ".join(text.split())
)


@given(
    TEXTS.filter(bool), st.sampled_from(["", "A", "Z"]), st.none() | st.dates(date(2000, 1, 1), date(2100, 1, 1)),
    st.sampled_from(["", "house", "hardware store"]), st.booleans(),
)  # fmt: skip
def test_what_is_written_is_read_whatever_it_says(
    text: str, priority: str, due: date | None, group: str, is_done: bool
) -> None:
    task = todo.Task(text, priority, TODAY, group, due, None, "", TODAY if is_done else None, is_done)
    raw = todo.line_of(task).raw
    assert "\n" not in raw
    (line,) = todo.read(raw + "\n")
    assert line.task is not None
    found = line.task
    assert (found.priority, found.due, found.group, found.is_done, found.made) == (priority, due, group, is_done, TODAY)
    assert found.text.replace("“", "").replace("”", "") == text.replace("“", "").replace("”", "")


@pytest.mark.parametrize(
    ("when", "told"),
    [
        (Period(TODAY, date(2025, 3, 15)), True),
        (Period(date(2025, 3, 15), date(2025, 3, 16)), False),
        (None, False),
    ],
)
def test_what_is_overdue_is_told_beside_what_is_due_today(home: PracticeHome, when: Period | None, told: bool) -> None:
    assert ("Overdue as well: call the plumber." in home.do(skill.show, pure=True, when=when).answer) is told
