"""What falls due, as a rule waits for it and as it is asked for."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from skills.builtin.tasks import skill
from skills.sdk import Query
from skills.sdk.testing import PracticeHome

FILE = """call the plumber +house due:2025-03-13
(A) buy milk +shopping due:2025-03-14 at:18:00
water the plants due:2025-03-16 rrule:FREQ=WEEKLY;BYDAY=SU
x 2025-03-10 2025-03-01 book a table due:2025-03-15
no day at all
buy milk due:2025-03-14 at:18:00
"""


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.own.mkdir()
    (made.own / "todo.txt").write_text(FILE)
    return made


def titles(home: PracticeHome, within: timedelta) -> list[str]:
    return [str(one.title) for one in home.step(skill.deadlines, pure=True, within=within).value]


def test_what_is_open_and_falls_due_is_told_with_what_is_overdue_by_its_day(home: PracticeHome) -> None:
    assert titles(home, timedelta(hours=1)) == ["call the plumber"]
    assert titles(home, timedelta(hours=6)) == ["call the plumber", "buy milk", "buy milk"]
    assert titles(home, timedelta(days=2)) == ["call the plumber", "buy milk", "buy milk", "water the plants"]


def test_each_is_told_from_every_other_with_all_that_a_rule_may_ask_of_it(home: PracticeHome) -> None:
    first, second, third = home.step(skill.deadlines, pure=True, within=timedelta(hours=6)).value
    assert (second.day, second.time, second.priority, second.group) == (date(2025, 3, 14), "18:00", "high", "shopping")
    assert (first.time, first.priority) == ("", "")
    assert len({first.key, second.key, third.key}) == 3, "two of one name on two lists are two"


def test_it_says_what_falls_due_in_both_languages(tmp_path: Path) -> None:
    for language, some, none in (("en", "overdue, due yesterday", "Nothing falls due by then."),
                                 ("de", "überfällig, fällig gestern", "Bis dahin wird nichts fällig.")):  # fmt: skip
        home = PracticeHome(tmp_path / language, language=language)
        home.own.mkdir()
        assert home.do(skill.deadlines, within=timedelta(days=9)).answer == none
        (home.own / "todo.txt").write_text(FILE)
        assert some in home.do(skill.deadlines, within=timedelta(days=9)).answer


def test_a_time_of_another_zone_by_hand_is_no_time_of_the_wall(home: PracticeHome) -> None:
    (home.own / "todo.txt").write_text("pay rent due:2025-03-14 at:15:00+02:00\n")
    (found,) = home.step(skill.deadlines, pure=True, within=timedelta(days=2)).value
    assert found.time == ""


def test_of_two_with_one_text_that_which_is_due_first_is_meant(home: PracticeHome) -> None:
    (home.own / "todo.txt").write_text("call Anna due:2025-03-20\ncall Anna due:2025-03-11\n")
    home.do(skill.done, task=Query("call Anna"))
    assert "x 2025-03-14 call Anna due:2025-03-11" in (home.own / "todo.txt").read_text()
