"""Whether a trigger is the golden one: the clock by its next ten moments, files by the names that would set it off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import PurePath
from typing import Any

from kernel.routines import (
    BeforeEvent,
    Called,
    Elapsed,
    FileSeen,
    Happened,
    Learnt,
    Machine,
    Once,
    Recurring,
    State,
    following,
)
from kernel.routines.limiting import OF_THE_CLOCK, stands_still
from kernel.routines.model import Clock, Limit
from kernel.routines.moments import moment_of
from kernel.system.power import power
from tests.benchmarks.habits.rule.model import Compiled, Finding, Match, Place, Rule, same

MOMENTS = 10
_LOOKED_AT = 3000

CHANGES = {"created": "created", "changed": "changed", "moved into": "moved in", "deleted": "deleted"}
DEEDS = {
    "undo done": "undo",
    "deletion by Steward done": "deletion",
    "move by Steward done": "move",
    "mail sent": "mail sent",
    "request failed": "run failed",
}
FACTS = {"employer": "works_at"}
BECOMES = {"disconnected": "offline", "connected": "online"}
KINDS = {
    "the file is a picture": frozenset("jpg jpeg png gif heic webp tif tiff bmp".split()),
    "the file is a document": frozenset("pdf doc docx odt rtf txt md".split()),
}
"""Conditions of a file that its name can tell."""

_CALLED = {
    "the file is a picture": frozenset("photo picture image foto bild".split()),
    "the file is a document": frozenset("document dokument".split()),
}
_ALSO = re.compile(r"\bpatterns?\b|\ban event\b|\bat \d|\bwithout \d")
"""Other triggers that are right, in words."""

_ENDINGS = "x.pdf x.txt x.jpg x.png x.csv x.docx x.mp3 x.iso x".split()
_BOUNDS: Mapping[str, float] = {
    "below_percent": 1, "above_percent": 1, "above_celsius": 1, "free_below_gb": 10**9, "for_minutes": 60,
}  # fmt: skip


def of_trigger(rule: Rule, kept: Compiled, place: Place) -> Finding:
    """Compare the trigger of ``rule`` with the one that was kept."""
    golden, found = rule["trigger"], kept.trigger
    match = _match(rule, kept, place)
    if match is Match.OTHER and any(_ALSO.search(one) for one in rule.get("also", ())):
        match = Match.UNCLEAR  # what else is right stands there in words
    shown = str(found)
    if isinstance(found, Once | Recurring | Elapsed):
        shown += f", at {', '.join(f'{one:%Y-%m-%d %H:%M}' for one in _own(found, kept.limits, place)[:3])} ..."
    return Finding(match, "trigger", str(golden), shown)


def _match(rule: Rule, kept: Compiled, place: Place) -> Match:
    match rule["trigger"], kept.trigger:
        case {"kind": "time"} as golden, Once() | Recurring() | Elapsed() as clock:
            return same(_golden_moments(golden, place) == _own(clock, kept.limits, place))
        case {"kind": "file"} as golden, FileSeen() as file:
            return same(_is_file(golden, rule, file, kept, place))
        case {"kind": "machine"} as golden, Machine(state, bound):
            return same(_is_machine(golden, state, bound))
        case {"kind": "calendar"} as golden, BeforeEvent(before_s, words):
            return _is_event(golden, before_s, words)
        case {"kind": "fact", "predicate": predicate}, Learnt(found):
            return same(FACTS.get(predicate, predicate) == found)
        case {"kind": "event", "event": event}, Happened(what):
            return same(DEEDS[event] == what)
        case {"kind": "webhook", "name": name}, Called(found):
            return same(name.casefold() == found.casefold())
        case _:
            return Match.OTHER


# --- the clock ------------------------------------------------------------------------------------------------------


def _golden_moments(golden: Mapping[str, Any], place: Place) -> list[datetime]:
    from dateutil.rrule import rrulestr

    zone = place.now.tzinfo
    assert zone is not None
    if "once" in golden:
        return [moment_of(datetime.fromisoformat(golden["once"]), zone)]
    walls = rrulestr(golden["rrule"], dtstart=datetime.fromisoformat(golden["dtstart"]))
    return [moment_of(wall, zone) for wall in islice(walls, MOMENTS)]


def _own(trigger: Clock, limits: Iterable[tuple[Limit, float]], place: Place) -> list[datetime]:
    """The next moments of a trigger to the minute, without those at which a limit keeps it still."""
    zone, at, limits = place.now.tzinfo, place.now, [one for one in limits if one[0] in OF_THE_CLOCK]
    assert zone is not None
    found: list[datetime] = []
    for _ in range(_LOOKED_AT):
        come = following(trigger, at, "", at, zone)
        if come is None or len(found) == MOMENTS:
            break
        at = come
        if not stands_still(limits, at.astimezone(zone), found, power):
            found.append(at.astimezone(UTC).replace(second=0, microsecond=0))
    return found


# --- what happens ---------------------------------------------------------------------------------------------------


def _is_file(golden: Mapping[str, Any], rule: Rule, file: FileSeen, kept: Compiled, place: Place) -> bool:
    mail = golden["folder"].startswith("Mail/")  # it lies in a Maildir, so below its folder as well
    where = str(PurePath(place.home, golden["folder"]))
    if (file.change.value, file.folder) != (CHANGES[golden["event"]], where) or (
        not mail and file.below is not golden.get("below", False)
    ):
        return False
    kinds = [one for one in rule["when"] if one in KINDS and not is_such(one, kept.such)]
    pattern = golden["pattern"].casefold()
    names = {pattern.replace("*", fill) for fill in ("", "a", "my new ")} | set(_ENDINGS)
    names |= {pattern.replace("*", "") + ending for ending in _ENDINGS}
    return all(
        (fnmatchcase(name, pattern) and all(_ending(name) in KINDS[one] for one in kinds)) == _fits(name, file.pattern)
        for name in names
        if name
    )


def is_such(condition: str, such: Iterable[tuple[str, str]]) -> bool:
    """Tell whether ``such`` says of the file what its name could tell as well."""
    return any(about == "is" and word.casefold() in _CALLED[condition] for about, word in such)


def _ending(name: str) -> str:
    return PurePath(name).suffix.removeprefix(".")


def _fits(name: str, pattern: str) -> bool:
    return any(fnmatchcase(name, one) for one in _spread(pattern.casefold()))


def _spread(pattern: str) -> Iterator[str]:
    """The patterns that one with braces stands for."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        yield pattern
        return
    for one in braces[1].split(","):
        yield from _spread(pattern[: braces.start()] + one + pattern[braces.end() :])


def _is_machine(golden: Mapping[str, Any], state: State, bound: float) -> bool:
    if "becomes" in golden:
        return state.value == BECOMES.get(golden["becomes"], golden["becomes"])
    what = State.ABOVE if golden["what"] == "battery" and "above_percent" in golden else golden["what"]
    wanted = sum(value * _BOUNDS[name] for name, value in golden.items() if name in _BOUNDS)
    return state.value == what and bound == wanted


def _is_event(golden: Mapping[str, Any], before_s: int, words: str) -> Match:
    wanted, found = golden["event"].casefold(), words.casefold()
    if before_s != golden["before_minutes"] * 60 or (wanted == "any") != (not found):
        return Match.OTHER
    if wanted == "any" or wanted == found:
        return Match.SAME
    return Match.UNCLEAR if wanted in found or found in wanted else Match.OTHER
