"""Which timer, reminder or alarm is meant: by what it is, and by words of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from rapidfuzz import fuzz

from skills.sdk import Hours, Period, Scheduled, ToolError, words

from . import wording

_WORD = re.compile(r"[^\W_]+")
_NOUN = re.compile(r"(?<=\w{3})(?:timer|wecker|erinnerung)$")  # "Wäschetimer" is the one about "Wäsche"
_ALIKE, _LEAST = 86.0, 4
_SURPLUS = frozenset(
    "the my a an of for about to that at on in all every it this which timer timers reminder reminders alarm alarms "
    "alarm clock remind set called one "
    "der die das den dem des ein eine einen mein meine meinen meiner für an über zu zum zur alle es dies diese diesen "
    "wecker erinnerung erinnerungen weckruf kurzzeitwecker um".split()
)
_KINDS = {
    "any": (("timer or reminder", "timers or reminders"), ("Timer oder Erinnerung", "Timer oder Erinnerungen")),
    "timer": (("timer", "timers"), ("Timer", "Timer")),
    "reminder": (("reminder", "reminders"), ("Erinnerung", "Erinnerungen")),
    "alarm": (("alarm", "alarms"), ("Wecker", "Wecker")),
}


@dataclass(frozen=True, slots=True)
class Labels:
    """What entries are called, as seen at a moment, for somebody who speaks ``language``."""

    now: datetime
    language: str

    def of(self, entries: Sequence[Scheduled], language: str = "") -> list[str]:
        """Return the labels of some entries."""
        return [wording.label(one, self.now, language or self.language) for one in entries]


def of_kind(entries: Iterable[Scheduled], kind: str) -> list[Scheduled]:
    """Return the entries of a kind."""
    return [one for one in entries if kind in ("any", one.about.get("kind"))]


def on_days(entries: Sequence[Scheduled], when: Period | None, now: datetime) -> list[Scheduled]:
    """Return the entries that come on some days; all where no day was said."""
    return [one for one in entries if when is None or _falls(one, when, now)]


def at_time(
    entries: Sequence[Scheduled], hours: Hours | None, length: timedelta | None, now: datetime
) -> list[Scheduled]:  # fmt: skip
    """Return those that come at a time of day, and the timers that were set for so long; all where neither was said.

    "At seven" means 19:00 where nothing comes at 07:00.
    """
    lasting = [one for one in entries if length is None or one.about.get("length") == str(int(length.total_seconds()))]
    if hours is None:
        return lasting
    clock = {one.id: coming.astimezone(now.tzinfo).time() for one in lasting if (coming := wording.coming(one, now))}
    if hours.end is not None:
        return [one for one in lasting if one.id in clock and hours.start <= clock[one.id] < hours.end]
    later = hours.start.replace(hour=(hours.start.hour + 12) % 24)
    for start in (hours.start, later) if 0 < hours.start.hour < 12 else (hours.start,):
        found = [one for one in lasting if one.id in clock and clock[one.id].replace(second=0, microsecond=0) == start]
        if found:
            return found
    return []


def _falls(one: Scheduled, when: Period, now: datetime) -> bool:
    """Tell whether an entry comes on one of these days, from now on."""
    at = wording.coming(one, now)
    while at is not None and (day := at.astimezone(now.tzinfo).date()) and (when.end is None or day < when.end):
        if when.holds(day):
            return True
        at = wording.coming(one, at.astimezone(now.tzinfo))
    return False


def matching(entries: Sequence[Scheduled], said: str) -> list[Scheduled]:
    """Return the entries that some words mean: all words are theirs, whole, as beginnings, or nearly."""
    whole = [
        one for one in entries if said.strip() and words.fold(said) in map(words.fold, (_text(one), *one.says.values()))
    ]
    wanted = [_NOUN.sub("", word) for word in _WORD.findall(words.fold(said)) if word not in _FOLDED]
    if whole or not wanted:
        return whole or list(entries)
    for alike in (_is_word, _is_near):
        found = [one for one in entries if words.has_all(_WORD.findall(words.fold(_text(one))), wanted, alike)]
        if found:
            return found
    return []


def _text(one: Scheduled) -> str:
    return one.about.get("text", "")


def the_one(entries: Sequence[Scheduled], said: str, kind: str, labels: Labels) -> Scheduled:
    """Return the one that is meant. Raises ToolError where there is none, or more than one."""
    labelled = [
        one
        for one in entries
        if said and words.fold(said) in map(words.fold, labels.of([one], "en") + labels.of([one], "de"))
    ]
    found = labelled or matching(of_kind(entries, kind), said)
    if len(found) == 1:
        return found[0]
    raise several(found, said, kind, labels) if found else nothing(entries, said, kind, labels)


def several(
    found: Sequence[Scheduled], said: str, kind: str, labels: Labels
) -> ToolError:  # fmt: skip
    """Return the question which of several is meant."""
    named, benannt = labels.of(found[:8], "en"), labels.of(found[:8], "de")
    noun, nomen = _KINDS[kind]
    return ToolError(
        f"There is more than one {noun[0]}: {words.listing(named)}.",
        hint="Say which one.",
        code="tool.ambiguous",
        instead_of=said,
        choices=labels.of(found[:8]),
        de=f"Es gibt mehr als eins ({nomen[1]}): {words.listing(benannt, 'de')}.",
        de_hint="Sag, welches du meinst.",
    )


def repeats(found: Sequence[Scheduled], labels: Labels) -> ToolError:
    """Return the error of who wants a single day without what comes again and again: the other days would go too."""
    named, benannt = labels.of(found[:8], "en"), labels.of(found[:8], "de")
    return ToolError(
        f"That comes on other days, too, and one day cannot be left out: {words.listing(named)}.",
        hint="To cancel it for all days, say so without the day.",
        code="tool.taken",
        de=f"Das kommt auch an anderen Tagen, und ein Tag lässt sich nicht auslassen: {words.listing(benannt, 'de')}.",
        de_hint="Um es für alle Tage zu streichen, sag es ohne den Tag.",
    )


def nothing(
    entries: Sequence[Scheduled], said: str, kind: str, labels: Labels, *, then: bool = False
) -> ToolError:  # fmt: skip
    """Return the error of words that mean none; ``then``: of none at the time that was said."""
    noun, nomen = _KINDS[kind]
    about, dazu = (f" about “{said}”", f" zu „{said}“") if said else ("", "")
    about, dazu = (f"{about} then", f"{dazu} zu der Zeit") if then else (about, dazu)
    there, da = labels.of(entries[:5], "en"), labels.of(entries[:5], "de")
    return ToolError(
        f"There is no {noun[0]}{about}.",
        hint=f"There is: {words.listing(there)}." if there else "Set one first, for example “remind me in 20 minutes”.",
        code="tool.missing",
        instead_of=said,
        choices=labels.of(entries[:5]) if said else (),
        de=f"Es gibt keine {nomen[0]}{dazu}." if kind in ("any", "reminder") else f"Es gibt keinen {nomen[0]}{dazu}.",
        de_hint=f"Es gibt: {words.listing(da, 'de')}."
        if da
        else "Stell zuerst etwas, etwa „erinnere mich in 20 Minuten“.",
    )


def _is_word(said: str, name: str) -> bool:
    return said == name or (
        len(said) >= _LEAST and (name.startswith(said) or (said.startswith(name) and len(name) >= _LEAST))
    )


def _is_near(said: str, name: str) -> bool:
    return fuzz.ratio(said, name) >= _ALIKE


_FOLDED = frozenset(map(words.fold, _SURPLUS))
