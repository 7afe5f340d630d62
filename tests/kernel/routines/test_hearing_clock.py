"""Hearing when: the golden rules, further sentences of both languages, sentences that are no rules, and any string."""

from __future__ import annotations

import random
import time as clock
import tomllib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr

from kernel.language import Line, tokenize
from kernel.routines import Clock, Elapsed, Once, Recurring, due, following
from kernel.routines.hearing import Heard, Lack, Unclear, left_of
from kernel.routines.hearing.clock import hear_clock
from kernel.routines.model import Limit
from kernel.routines.moments import moment_of
from kernel.routines.sayings import say
from kernel.routines.triggers_json import from_json, to_json

HERE = Path(__file__).parent
GOLDEN = HERE.parents[1] / "golden"
CASES: list[dict[str, Any]] = tomllib.loads((GOLDEN / "rules/clock.toml").read_text())["case"]
RULES: list[dict[str, Any]] = tomllib.loads((GOLDEN / "rules/first.toml").read_text())["rule"]
OURS: dict[str, list[dict[str, Any]]] = tomllib.loads((HERE / "clock_sentences.toml").read_text())
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 11, 10, tzinfo=BERLIN)


def line_of(said: dict[str, Any], now: datetime = NOW) -> Line:
    text = said.get("say") or said["text"]
    return Line(text, tokenize(text, said["language"]), said["language"], now)


def heard(said: dict[str, Any], now: datetime = NOW) -> Heard:
    found = hear_clock(line_of(said, now))
    assert isinstance(found, Heard), found
    return found


def clock_of(found: Heard) -> Clock:
    assert isinstance(found.trigger, Once | Recurring | Elapsed)
    assert from_json(to_json(found.trigger)) == found.trigger
    return found.trigger


def are_the_moments(trigger: Clock, made: datetime, wanted: list[datetime], zone: ZoneInfo) -> bool:
    """Tell whether ``wanted`` are the first moments of a trigger: as many, and each the next after a time before it."""
    come = due(trigger, made, "", wanted[-1], zone)
    if come is None or come.earlier + 1 != len(wanted):
        return False
    drawn = random.Random(len(wanted))
    looked = range(len(wanted)) if len(wanted) < 50 else [0, *(drawn.randrange(len(wanted)) for _ in range(50))]
    before = [made, *wanted]
    return all(following(trigger, before[at], "", before[at], zone) == wanted[at] for at in looked)


def name(one: dict[str, Any]) -> str:
    return str(one.get("id") or one["say"])


# --- the golden rules ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=name)
def test_a_golden_time_is_heard_at_its_moments(case: dict[str, Any]) -> None:
    zone, fires = ZoneInfo(case["zone"]), [datetime.fromisoformat(one) for one in case["fires"]]
    start = datetime.fromisoformat(case["start"]).astimezone(zone)
    trigger = clock_of(heard(case, start))
    said = case["trigger"]
    if "moved" in case or "set_back" in case:  # what follows from these is test_moments'
        assert isinstance(trigger, Recurring)
        assert trigger.rule == said["rrule"]
        return
    assert are_the_moments(trigger, start, [one.astimezone(UTC) for one in fires], zone)


@pytest.mark.parametrize("rule", [one for one in RULES if one.get("trigger", {}).get("kind") == "time"], ids=name)
def test_a_golden_rule_of_the_clock_is_heard(rule: dict[str, Any]) -> None:
    said, trigger = rule["trigger"], clock_of(heard(rule))
    if "once" in said:
        assert trigger == Once(datetime.fromisoformat(said["once"]))
        return
    first = datetime.fromisoformat(said["dtstart"])
    until = NOW + timedelta(days=731)
    walls = rrulestr(said["rrule"], dtstart=first).between(first, until.replace(tzinfo=None), inc=True)
    assert are_the_moments(trigger, NOW, [moment_of(one, BERLIN) for one in walls], BERLIN)


ASKED = {
    "e-february-31": Lack.NO_SUCH_DAY,
    "e-sometimes": Lack.HOW_OFTEN,
    "e-saturday-workday": Lack.NEVER,
    "e-bank-holidays": Lack.UNKNOWN,
    "d-bald": Lack.HOW_OFTEN,
    "d-ohne-uhrzeit": Lack.TIME_OF_DAY,
}


@pytest.mark.parametrize("rule", [one for one in RULES if one.get("trigger", {}).get("kind") != "time"], ids=name)
def test_a_golden_rule_that_is_vague_or_of_something_else_has_no_time(rule: dict[str, Any]) -> None:
    found = hear_clock(line_of(rule))
    if rule["id"] in ASKED:
        assert isinstance(found, Unclear)
        assert found.why is ASKED[rule["id"]]
    else:
        assert found is None


# --- further sentences --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("one", OURS["heard"], ids=name)
def test_a_sentence_says_when_and_the_request_is_left(one: dict[str, Any]) -> None:
    found = heard(one)
    limits = dict(found.limits)
    assert limits == ({Limit.FROM: one["from"], Limit.UNTIL: one["until"]} if "from" in one else {})
    if "once" in one:
        wanted: Clock = Once(datetime.fromisoformat(one["once"]))
    elif "every_minutes" in one:
        wanted = Elapsed(60 * one["every_minutes"], NOW, one.get("count", 0))
    else:
        ends = date.fromisoformat(one["ends"]) if "ends" in one else None
        wanted = Recurring(one["rule"], date.fromisoformat(one.get("begins", "2026-03-11")), ends)
    assert clock_of(found) == wanted
    assert left_of(line_of(one), found.words) == one["left"]


@pytest.mark.parametrize(
    ("text", "language", "limits", "left"),
    [
        ("every hour show my open tasks, but not before 8 am", "en", {Limit.FROM: 8 * 3600}, "show my open tasks"),
        ("jede Stunde zeig mir die Aufgaben, aber nie vor 8 Uhr", "de", {Limit.FROM: 8 * 3600},
         "zeig mir die Aufgaben"),
        ("every day at 8 show the tasks, but never before the move", "en", {},
         "show the tasks, but never before the move"),
        ("jeden Tag um 8 zeig mir die Aufgaben, aber nie vor dem Umzug", "de", {},
         "zeig mir die Aufgaben, aber nie vor dem Umzug"),
    ],
)  # fmt: skip
def test_what_keeps_times_still_may_stand_behind_the_request(
    text: str, language: str, limits: dict[Limit, float], left: str
) -> None:
    line = line_of({"text": text, "language": language})
    found = hear_clock(line)
    assert isinstance(found, Heard)
    assert dict(found.limits) == limits
    assert left_of(line, found.words) == left


@pytest.mark.parametrize(
    ("text", "language", "left"),
    [
        ("Would you, every day at 8, show my tasks", "en", "Would you show my tasks"),
        ("Bitte sei so gut, jeden Tag um 8, und zeig mir die Aufgaben", "de",
         "Bitte sei so gut, und zeig mir die Aufgaben"),
    ],
)  # fmt: skip
def test_no_comma_is_left_twice(text: str, language: str, left: str) -> None:
    line = line_of({"text": text, "language": language})
    found = hear_clock(line)
    assert isinstance(found, Heard)
    assert left_of(line, found.words) == left


@pytest.mark.parametrize("one", OURS["unclear"], ids=name)
def test_a_sentence_that_says_too_little_is_unclear(one: dict[str, Any]) -> None:
    found = hear_clock(line_of(one))
    assert isinstance(found, Unclear), found
    assert (found.why, found.about) == (Lack(one["why"]), one["about"])
    named, bare = (say("en", f"unclear.{found.why}", about=about) for about in ("moon", ""))
    assert found.about or named == bare, "the question would name nothing"
    assert left_of(line_of(one), found.words) == one["left"]


@pytest.mark.parametrize("one", OURS["none"], ids=name)
def test_words_of_time_in_an_ordinary_request_are_no_rule(one: dict[str, Any]) -> None:
    assert hear_clock(line_of(one)) is None


SETS = "weeks everyday months autumn winter spring summer diary".split()


def test_of_the_golden_sentences_those_that_come_again_are_heard_alone() -> None:
    found = []
    for one in SETS:
        for case in tomllib.loads((GOLDEN / f"{one}.toml").read_text())["case"]:
            lines = (line_of({"say": text, "language": case["lang"]}) for text in case.get("say", ()))
            found += [line.text for line in lines if hear_clock(line) is not None]
    assert found == ["Kannst du mich jeden Montag um 18 Uhr an die Mülltonne erinnern?"]


# --- any string ---------------------------------------------------------------------------------------------------

WORDS = (
    "every each jeden alle other zweiten 31st 29. first letzten last Monday montags Samstag weekday werktags day Tag "
    "week Monat month of the im Monat at um 8 18 half seven halb sieben Uhr pm am in the morning abends between "
    "zwischen 9 and und 17 to bis until from ab starting on am 16 March Februar tomorrow now jetzt only nur but not "
    'aber nicht except außer holidays Feiertagen , . : " just once einmal times viermal sometimes hourly minutes '
    "Stunden for two weeks und zwar call it the daily copy Downloads remind me to erinnere mich an 99999999999 0 24 "
    "25:61 31.02. -1 ² ١ ẞ mo-fr every"
).split()


def test_no_string_raises_and_what_is_heard_can_be_kept() -> None:
    drawn = random.Random("when")
    for number in range(2000):
        text = " ".join(drawn.choice(WORDS) for _ in range(drawn.randint(1, 14)))
        if number % 5 == 0:
            text = "".join(drawn.choice(text + "\x00\u0301🕗–’") for _ in text)
        now = datetime(drawn.randint(1971, 2190), drawn.randint(1, 12), drawn.randint(1, 28), 10, tzinfo=BERLIN)
        line = Line(text, tokenize(text), drawn.choice(("en", "de")), now)
        found = hear_clock(line)
        if isinstance(found, Heard):
            clock_of(found)
        if found is not None:
            assert all(0 <= first < last <= line.size for first, last in found.words), text
            assert all(one[1] <= two[0] for one, two in zip(found.words, found.words[1:], strict=False)), text
            left_of(line, found.words)


@pytest.mark.parametrize(
    "seed", ["every ", "every day ", "at 8 and ", "until weekend ", ", ", "montags und ", "a", "1 "]
)
def test_a_long_string_takes_no_second(seed: str) -> None:
    for length in (20_000, 1200):
        text = (seed * length)[:length]
        line = Line(text, tokenize(text), "en", NOW)
        began = clock.thread_time()
        hear_clock(line)
        assert clock.thread_time() - began < 1


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "every Monday on Tuesdays at 9 show me my tasks"),
        ("de", "jeden Montag am Dienstag um neun zeig mir meine Aufgaben"),
        ("en", "every day at 5 pm, at the earliest at six, show me my tasks"),
        ("de", "jeden Tag um 17 Uhr, frühestens um sechs, zeig mir meine Aufgaben"),
    ],
)
def test_days_and_times_that_contradict_each_other_are_asked_about(language: str, text: str) -> None:
    found = hear_clock(line_of({"say": text, "language": language}))
    assert isinstance(found, Unclear)
    assert found.why is Lack.NEVER


@pytest.mark.parametrize(
    "text",
    [
        "every Monday and on Tuesdays at 9 show me my tasks", "every Monday, on Tuesdays at 9 show me my tasks",
        "every day at 9, at the earliest at eight, show me my tasks",
        "every day at 5 pm, at the earliest at 6 am, show me my tasks",
        "every day at 8 pm, at the earliest at six, show me my tasks",
    ],
)  # fmt: skip
def test_what_goes_together_is_no_contradiction(text: str) -> None:
    assert not isinstance(hear_clock(line_of({"say": text, "language": "en"})), Unclear)
