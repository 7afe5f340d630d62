"""The simulated year is the same by its seed, and holds what its truth says as often as it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from fnmatch import fnmatch
from itertools import pairwise
from re import sub
from statistics import mean, median

import pytest

from kernel.opening import BUILTIN
from skills import Registry
from skills.model import EffectClass, ParamRole, ToolId
from tests.benchmarks.habits.year.habit import (
    RELATIVE,
    Irregular,
    Kind,
    Output,
    Relative,
    Same,
    Slot,
    Step,
    Story,
    Tainted,
    Within,
)
from tests.benchmarks.habits.year.judge import SINKS
from tests.benchmarks.habits.year.people import FIRST, LAST, PEOPLE, days
from tests.benchmarks.habits.year.requests import ONCE, Ending, Given, Link, Request, requests
from tests.benchmarks.habits.year.spans import SAID, relative
from tests.benchmarks.habits.year.truth import STORIES, decoys, habits, occurrences

SEED = 1
MONTH = date(2027, 3, 5), date(2027, 4, 4)
Year = Mapping[str, Sequence[Request]]
WHO = tuple(PEOPLE)
ALL = [(person, story) for person in WHO for story in STORIES[person]]


def named(pair: object) -> str:
    return pair.id if isinstance(pair, Story) else ""


@pytest.fixture(scope="module")
def year() -> Year:
    return {person: tuple(requests(person, SEED)) for person in WHO}


@pytest.fixture(scope="module")
def builtin() -> Registry:
    return Registry([BUILTIN])


# --- requests -----------------------------------------------------------------------------------------------------


def test_a_seed_is_a_year_and_another_seed_another_one(year: Year) -> None:
    assert tuple(requests("mo", SEED)) == year["mo"]
    month = tuple(requests("mo", SEED, *MONTH))
    assert month == tuple(one for one in year["mo"] if MONTH[0] <= one.at.date() <= MONTH[1])
    other = tuple(requests("mo", SEED + 1, *MONTH))
    assert [one.at for one in other] != [one.at for one in month]


@pytest.mark.parametrize("person", WHO)
def test_a_day_has_twenty_requests_on_average_with_bursts_and_empty_weekends(year: Year, person: str) -> None:
    asked = year[person]
    assert 7_000 <= len(asked) <= 7_600
    a_day = Counter(one.at.date() for one in asked)
    work = [a_day[day] for day in days() if PEOPLE[person].works(day)]
    free = [a_day[day] for day in days() if day.weekday() > 4]
    assert mean(work) > 2 * mean(free) > 0
    assert max(work) > 60 > 3 * median(work) / 2
    assert free.count(0) >= 10
    assert all(PEOPLE[person].is_offline(day) or a_day[day] for day in days() if PEOPLE[person].works(day))
    assert all(before.at < after.at for before, after in pairwise(asked))


@pytest.mark.parametrize("person", WHO)
def test_requests_are_in_both_languages_and_zones_and_end_in_every_way(year: Year, person: str) -> None:
    who, asked = PEOPLE[person], year[person]
    german = sum(one.language == "de" for one in asked) / len(asked)
    assert abs(german - who.german) < 0.03
    assert {str(one.at.tzinfo) for one in asked} == {who.zone, *(one.zone for one in who.travel)}
    ends = Counter(one.ending for one in asked)
    assert ends[Ending.DONE] > 0.9 * len(asked)
    assert all(ends[one] >= 50 for one in Ending)
    assert all("{" not in one.text and one.text for one in asked)
    assert all((one.undone_after_s > 0) == (one.ending is Ending.UNDONE) for one in asked)


def test_every_call_is_one_that_the_built_in_tools_take(year: Year, builtin: Registry) -> None:
    calls = {(call.tool, frozenset(call.arguments)) for asked in year.values() for one in asked for call in one.calls}
    for name, arguments in calls:
        known = builtin.tool(ToolId(name)).parameters
        assert arguments <= {one.name for one in known}, name
        assert {one.name for one in known if one.required} <= arguments, name
    effects = {one.id: one.effect for one in builtin.tools()}
    assert {name for name, _ in calls if effects[ToolId(name)] is EffectClass.ONCE} <= ONCE
    quiet = {call.tool for asked in year.values() for one in asked for call in one.calls if call.result.changes}
    assert all(effects[ToolId(name)] is EffectClass.IDEMPOTENT for name in quiet)
    sinks = {one.id: {name.name for name in one.parameters if name.role is ParamRole.SINK} for one in builtin.tools()}
    assert {name: set(deciding) for name, deciding in SINKS.items()} == {k: v for k, v in sinks.items() if v}


def test_spans_are_counted_from_the_day_of_the_request() -> None:
    sunday = date(2027, 10, 31)
    assert set(SAID) == set(RELATIVE)
    assert relative("tomorrow", sunday) == "2027-11-01"
    assert relative("this day", sunday) == {"start": "2027-10-31", "end": "2027-11-01"}
    assert relative("last week", sunday) == {"start": "2027-10-18", "end": "2027-10-25"}
    assert relative("this month", sunday) == {"start": "2027-10-01", "end": "2027-11-01"}
    assert relative("last month", date(2027, 1, 1)) == {"start": "2026-12-01", "end": "2027-01-01"}


# --- the truth ----------------------------------------------------------------------------------------------------


def is_slot(person: str, slot: Slot | Tainted, given: Given | Link, at: date) -> bool:
    """Tell whether an argument is what a slot says, read from the request alone."""
    who = PEOPLE[person]
    value = given.value if isinstance(given, Given) else None
    match slot:
        case Same(list() as wanted):
            return bool(value == [who.at(one) for one in wanted])
        case Same(wanted):
            return bool(value == (who.at(wanted) if isinstance(wanted, str) else wanted))
        case Within(folder, name):
            return fnmatch(str(value), f"{who.at(folder)}/{sub('{[^}]*}', '*', name)}")
        case Relative(what):
            return bool(value == relative(what, at))
        case Output():
            return isinstance(given, Link) or not given.trusted
    return True


def is_asked(person: str, steps: Sequence[Step], one: Request) -> bool:
    """Tell whether a request consists of these steps."""
    if [call.tool for call in one.calls] != [step.tool for step in steps]:
        return False
    return all(
        call.arguments.keys() == step.arguments.keys()
        and all(is_slot(person, slot, call.arguments[name], one.at.date()) for name, slot in step.arguments.items())
        for call, step in zip(one.calls, steps, strict=True)
    )


@pytest.mark.parametrize("person", WHO)
def test_a_person_has_habits_and_every_kind_of_decoy(person: str) -> None:
    assert 8 <= len(habits(person)) <= 14
    assert all(len(one.steps) >= 2 for one in habits(person))
    assert {one.kind for one in decoys(person)} >= set(Kind) - {Kind.HABIT, Kind.FAILED}
    names = [one.id for people in WHO for one in STORIES[people]]
    assert len(names) == len(set(names))
    assert any(one.first > FIRST and one.last < LAST for one in habits(person))
    assert any(isinstance(one.when, Irregular) for one in habits(person))
    assert any(one.at_home for one in habits(person))
    assert any(one.shift for one in habits(person))


@pytest.mark.parametrize(("person", "story"), ALL, ids=named)
def test_every_story_occurs_as_often_as_the_truth_says(year: Year, person: str, story: Story) -> None:
    begun = occurrences(story, person, SEED)
    assert len(begun) >= 10
    assert all(story.first <= at.date() <= story.last for at in begun)
    asked = Counter(place for one in year[person] for place, ask in enumerate(story.asks)
                    if is_asked(person, ask.steps, one))  # fmt: skip
    for place, ask in enumerate(story.asks):
        often = ask.steps[0].optional
        fewest = 0 if not often else round(len(begun) * (1 - often) * 0.7)
        if story.kind is not Kind.HABIT:
            assert asked[place] >= len(begun)
        elif often:
            assert fewest <= asked[place] < len(begun)
        else:
            assert asked[place] == len(begun), ask.en


def test_a_shift_moves_a_habit_by_its_minutes() -> None:
    for person in WHO:
        for story in habits(person):
            if story.shift is None:
                continue
            since, later = story.shift
            minutes = [(at.date() >= since, at.hour * 60 + at.minute) for at in occurrences(story, person, SEED)]
            before, after = ([minute for moved, minute in minutes if moved is which] for which in (False, True))
            assert abs(mean(after) - mean(before) - later) < 10


def test_something_else_is_asked_within_a_habit_now_and_then(year: Year) -> None:
    for person in WHO:
        noisy = [one for one in habits(person) if one.noise and len(one.asks) > 1]
        pairs = [(one.mark, after.mark) for one, after in pairwise(year[person])]
        whole = sum(pairs.count((one.id, one.id)) for one in noisy)
        broken = sum(sum(before == one.id != after for before, after in pairs) for one in noisy)
        ends = sum(len(occurrences(one, person, SEED)) for one in noisy)
        assert 0.1 < (broken - ends) / (whole + broken - ends) < 0.4


def test_nothing_is_asked_when_the_person_is_not_there(year: Year) -> None:
    for person, story in ALL:
        who = PEOPLE[person]
        for at in occurrences(story, person, SEED):
            day = at.date()
            assert not who.is_ill(day)
            assert not who.is_offline(day)
            assert not (story.work and who.is_off(day))
            assert not (story.at_home and who.is_away(day))


@pytest.mark.parametrize(("person", "story"), [one for one in ALL if one[1].kind is not Kind.HABIT], ids=named)
def test_decoys_are_frequent_and_end_as_they_must(year: Year, person: str, story: Story) -> None:
    told = [one for one in year[person] if one.mark == story.id]
    tools = [one.calls[0].tool for one in told]
    a_day = Counter(one.at.date() for one in told)
    match story.kind:
        case Kind.CHANCE:
            assert len(told) > 180
            firsts = Counter(tools[::2])
            assert min(firsts.values()) > 0.3 * max(firsts.values())
            assert len(firsts) == 2
        case Kind.POPULAR:
            assert len(told) > 280
            assert max(Counter(one.at.hour for one in told).values()) < 0.2 * len(told)
        case Kind.FLOOD:
            assert len(a_day) == 1
            assert len(told) > 60
        case Kind.UNTRUSTED:
            assert len(told) > 35
            last = [one.calls[-1] for one in told if one.calls[-1].tool == story.steps[-1].tool]
            named_by = {name for name in SINKS[story.steps[-1].tool]}
            given = [value for call in last for name, value in call.arguments.items() if name in named_by]
            assert given
            assert not any(isinstance(value, Given) and value.trusted for value in given)
        case Kind.REFUSED | Kind.FAILED | Kind.UNDONE:
            ends = Counter((one.calls[-1].tool, one.ending) for one in told)
            changing = {call.tool for one in told for call in one.calls if call.result.changes}
            ill = story.steps[-1].tool if story.kind is not Kind.UNDONE else next(iter(changing))
            often = len(occurrences(story, person, SEED))
            others = {(step.tool, Ending.DONE): often for step in story.steps if step.tool != ill}
            assert ends == {(ill, Ending(story.kind.value)): often} | others
            assert often > 30
