"""Words that point at the time of a rule: the day, the week or the month in which it comes."""

from __future__ import annotations

from datetime import datetime

import pytest

from kernel.language import Line, tokenize
from kernel.model import Constant
from kernel.routines.rewording.its_time import at_its_moment, of_its_day, of_its_time
from tests.kernel.routines.conftest import BERLIN, Desk

NOW = datetime(2026, 3, 11, 10, tzinfo=BERLIN)


def line(said: str, language: str) -> Line:
    return Line(said, tokenize(said, language), language, NOW)


@pytest.mark.parametrize(
    ("said", "language", "then"),
    [
        ("Aufgabe packen, fällig am selben Tag", "de", "Aufgabe packen, fällig heute"),
        ("Aufgabe packen, fällig noch am gleichen Tag", "de", "Aufgabe packen, fällig heute"),
        ("add a task due on the same day", "en", "add a task due today"),
        ("Aufgabe packen, fällig am Tag darauf", "de", "Aufgabe packen, fällig morgen"),
        ("Aufgabe packen, fällig am nächsten Tag", "de", "Aufgabe packen, fällig morgen"),
        ("add a task due the next day", "en", "add a task due tomorrow"),
        ("add a task due on the following day", "en", "add a task due tomorrow"),
        ("add a task due the day after tomorrow", "en", "add a task due the day after tomorrow"),
        ("add a task due on Friday", "en", "add a task due on Friday"),
    ],
)
def test_the_same_day_and_the_next_one_are_counted_from_when_it_happens(said: str, language: str, then: str) -> None:
    assert of_its_day(said, language) == then


@pytest.mark.parametrize(
    ("said", "language", "then"),
    [
        ("was ich in dem Monat ausgegeben hab", "de", "was ich in diesem Monat ausgegeben hab"),
        ("was im selben Quartal dazukam", "de", "was in diesem Quartal dazukam"),
        ("welche Termine ich in der Woche hatte", "de", "welche Termine ich in dieser Woche hatte"),
        ("was an dem Tag ansteht", "de", "was heute ansteht"),
        ("what I spent in that month, by category", "en", "what I spent this month, by category"),
        ("my appointments of the same week", "en", "my appointments of this week"),
        ("how much I spent in the month according to a.csv", "en", "how much I spent this month according to a.csv"),
        # what points at another time, which is said
        ("was in dem Monat davor war", "de", "was in dem Monat davor war"),
        ("was im März war und was ich in dem Monat hatte", "de", "was im März war und was ich in dem Monat hatte"),
        ("what came in December and what I spent that month", "en",
         "what came in December and what I spent that month"),
        ("what I spent in the month of May", "en", "what I spent in the month of May"),
        ("what I spent in that month before", "en", "what I spent in that month before"),
    ],
)  # fmt: skip
def test_that_month_is_the_one_in_which_the_rule_comes(said: str, language: str, then: str) -> None:
    assert of_its_time(said, line(said, language)) == then


@pytest.mark.parametrize(("said", "language", "meant"), [
    ("move it to Backup right away", "en", "move it to Backup"),
    ("immediately move it to Backup", "en", "move it to Backup"),
    ("verschieb es gleich nach Backup", "de", "verschieb es nach Backup"), ("sag es mir sofort", "de", "sag es mir"),
    ("such gleich große Dateien", "de", "such gleich große Dateien"), ('zeig „gleich da“', "de", 'zeig „gleich da“'),
])  # fmt: skip
def test_at_once_is_the_moment_of_the_rule(said: str, language: str, meant: str) -> None:
    assert at_its_moment(said, language) == meant


@pytest.mark.parametrize(
    ("rule", "tool", "period"),
    [
        ("Am letzten Tag im Monat um vier sag mir, wofür ich in dem Monat laut Finance/expenses.csv wie viel "
         "ausgegeben hab, nach Kategorien.", "data.group", ["2026-03-01", "2026-04-01"]),
        ("On the last day of every month at 4 pm tell me how much I spent in that month according to "
         "Finance/expenses.csv.", "data.tally", ["2026-03-01", "2026-04-01"]),
        ("Jeden Freitag um fünf zeig mir, welche Termine ich in der Woche habe.", "calendar.agenda",
         ["2026-03-09", "2026-03-16"]),
    ],
)  # fmt: skip
async def test_a_rule_counts_what_is_of_its_month(desk: Desk, rule: str, tool: str, period: list[str]) -> None:
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (kept,) = desk.kernel._house.routines.kept_by(view["run"])
    (task,) = kept.plan.tasks
    assert task.tool == tool
    values = [one.value for one in task.arguments.values() if isinstance(one, Constant)]
    assert dict(zip(("start", "end"), period, strict=True)) in values


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("Wenn eine Mail von Lena kommt, setz die Aufgabe antworten auf meine Liste, fällig am selben Tag",
         {"text": "antworten", "due": "2026-03-11"}),
        ("whenever a mail from Lena comes, add the task reply, due the next day",
         {"text": "reply", "due": "2026-03-12"}),
        ("Sobald eine Mail von Lena kommt, setz sofort die Aufgabe antworten auf meine Liste", {"text": "antworten"}),
    ],
)  # fmt: skip
async def test_what_happens_says_which_day_that_is_and_that_it_is_now(
    desk: Desk, rule: str, given: dict[str, str]
) -> None:  # fmt: skip
    (desk.home / "Mail/Inbox").mkdir(parents=True)
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (kept,) = desk.kernel._house.routines.kept_by(view["run"])
    (task,) = kept.plan.tasks
    assert {name: one.value for name, one in task.arguments.items() if isinstance(one, Constant)} == given


@pytest.mark.parametrize(
    ("rule", "ends"),
    [
        ("The exam is on 12 June 2026, so every morning at eight, up to and including that day, tell me how many days "
         "are left", "2026-06-12"),
        ("Der Umzug ist am 30. Mai 2026, also sag mir bis dahin jeden Morgen um acht, wie viele Tage es noch sind",
         "2026-05-30"),
    ],
)  # fmt: skip
async def test_what_is_left_is_left_to_the_end_of_the_rule(desk: Desk, rule: str, ends: str) -> None:
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (kept,) = desk.kernel._house.routines.kept_by(view["run"])
    (task,) = kept.plan.tasks
    assert task.tool == "calc.between"
    assert {name: one.value for name, one in task.arguments.items() if isinstance(one, Constant)}["end"] == ends
