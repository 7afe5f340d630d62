"""Times of day, English and German: "3:20 pm", "half past seven", "halb acht", "fünf vor halb sieben", "17 Uhr 40"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernel.language.amounts.numbers import number_at, number_word
from kernel.language.amounts.units import PERCENTS, UNITS
from kernel.language.lemmas import is_german_noun
from kernel.language.line import Line, phrases
from kernel.language.time.calendar_words import TIME_NAMES, TIME_UNITS


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day read from the tokens [first, last): ``hour`` 0..23, ``minute`` 0..59, confidence in 0..1."""

    first: int
    last: int
    hour: int
    minute: int
    confidence: float

    @property
    def value(self) -> str:
        """The time as HH:MM."""
        return f"{self.hour:02}:{self.minute:02}"


_NAMED = {"noon": 12, "midday": 12, "midnight": 0, "mitternacht": 0, "mittags": 12}
_AFTER_NOON = phrases(
    "pm|p.m.|p m|in the afternoon|in the evening|at night|this afternoon|this evening|tonight",
    "nachmittags|abends|am nachmittag|am abend|heute abend|heute nachmittag",
)
_BEFORE_NOON = phrases(
    "am|a.m.|a m|in the morning|this morning|o'clock in the morning",
    "morgens|früh|vormittags|nachts|am morgen|am vormittag|in der früh|in der nacht",
)
_AT_NIGHT = phrases("at night|in the night|nachts|in der nacht")
_OCLOCK = frozenset("o'clock oclock uhr".split())
_PAST, _TO = frozenset("past after nach".split()), frozenset("to before vor till".split())
_ALSO_PLACES = frozenset("to after before nach vor".split())
_FROM = frozenset("from between von zwischen".split())
_QUARTERS = {"quarter": 15, "viertel": 15, "half": 30, "halb": 30, "dreiviertel": 45}
_AT = frozenset("at by until till from um gegen ab bis vor".split())
_ALARMS = frozenset("alarm alarms wecker weckers weckruf".split())
_SET_TO = frozenset("for to auf für".split())
_NOT_HOURS = frozenset("% of st nd rd th mb gb kb km kg $ € euro".split())


_SIGNS = frozenset(
    "am a.m. pm p.m. a p afternoon evening night tonight morning nachmittags abends nachmittag abend morgens früh "
    "vormittags nachts morgen vormittag nacht".split()
).union(_NAMED, _OCLOCK, _PAST, _TO, _QUARTERS, _AT, _FROM, _ALARMS)
"""Without one of these, or figures such as 15:20, no time of day is said."""


def mentions_time_of_day(line: Line) -> bool:
    """Tell whether a time of day may be said at all: a line without its signs need not be looked through."""
    return any(token.norm in _SIGNS or ":" in token.norm for token in line.tokens)


def find_times(line: Line) -> Iterator[Clock]:
    """Yield every time of day; a bare number only behind "at" or "um", and with little confidence."""
    index = 0
    while index < line.size:
        found = time_at(line, index)
        if found is None:
            index += 1
            continue
        yield found
        index = found.last


def time_at(line: Line, index: int) -> Clock | None:
    """The time of day that begins at ``index``; a word such as "at" before it belongs to the sentence."""
    for rule in (_named, _spoken, _in_words, _written, _bare):
        read = rule(line, index)
        if read is not None:
            return _in_half(line, index, *read)
    return None


_Read = tuple[int, int, int, float]
"""Hour, minute, the end of the tokens, confidence."""


def _in_half(line: Line, first: int, hour: int, minute: int, last: int, sure: float) -> Clock | None:
    """Settle which half of the day is meant by what stands behind."""
    if line.norm(last) in _OCLOCK:
        last, sure = last + 1, 0.95
    night = line.phrase(last, _AT_NIGHT)
    if night:
        return Clock(first, last + night, _of_the_night(hour % 24), minute, max(sure, 0.97))
    late, early = line.phrase(last, _AFTER_NOON), line.phrase(last, _BEFORE_NOON)
    early = 0 if line.norm(last) == "am" and early == 1 and line.language == "de" else early
    if late:
        hour, sure = hour + 12 if hour < 12 else hour, 0.97
    elif early:
        hour, sure = 0 if hour == 12 else hour, 0.97
    last += max(late, early)
    return Clock(first, last, hour % 24, minute, sure) if sure >= 0.3 else None


def _of_the_night(hour: int) -> int:
    """ "Half one at night" is before dawn, "11 at night" before midnight, and twelve is midnight."""
    return 0 if hour == 12 else hour + 12 if 6 < hour < 12 else hour


def _named(line: Line, index: int) -> _Read | None:
    word = line.norm(index)
    return (_NAMED[word], 0, index + 1, 0.9) if word in _NAMED else None


def _written(line: Line, index: int) -> _Read | None:
    """Read "15:20", "7.30 Uhr", "17 Uhr 40", "3 pm", "18h30"."""
    word = line.norm(index)
    hour, mark, minute = word.partition(":")
    if mark and hour.isdigit() and minute[:2].isdigit() and _is_shown(int(hour), int(minute[:2])):
        return int(hour), int(minute[:2]), index + 1, 0.9
    hour, mark, minute = word.partition(".")
    stated = line.norm(index + 1) in _OCLOCK or line.phrase(index + 1, _AFTER_NOON) or line.norm(index + 1) == "am"
    if mark and stated and hour.isdigit() and minute.isdigit() and len(minute) == 2:
        return (int(hour), int(minute), index + 1, 0.95) if _is_shown(int(hour), int(minute)) else None
    whole = _hour_at(line, index)
    if whole is None or not (line.norm(whole[1]) in _OCLOCK or _has_half(line, whole[1])):
        return None
    rest = number_at(line, whole[1] + 1) if line.norm(whole[1]) == "uhr" else None
    if rest is not None and rest[0] == int(rest[0]) and 0 < rest[0] < 60 and not _counts(line, rest[1]):
        return whole[0], int(rest[0]), rest[1], 0.97
    return whole[0], 0, whole[1], 0.9


def _is_shown(hour: int, minute: int) -> bool:
    """Tell whether a clock ever shows that: "24:00" ends a day, and "24:30" is no time."""
    return minute < 60 and (hour < 24 or (hour == 24 and minute == 0))


def _has_half(line: Line, index: int) -> bool:
    """A half of the day behind a number: "3 pm"; "am" only where it is no German preposition."""
    late = line.phrase(index, _AFTER_NOON)
    return bool(late or line.phrase(index, _BEFORE_NOON)) and not (line.norm(index) == "am" and line.language == "de")


def _spoken(line: Line, index: int) -> _Read | None:
    """Read "half past seven", "ten to nine", "halb acht", "dreiviertel acht", "fünf vor halb sieben"."""
    start = index + 1 if line.norm(index) in {"a", "ein"} and line.norm(index + 1) in {"quarter", "viertel"} else index
    quarter = _quarter(line, start)
    minutes = number_at(line, start) if quarter is None else (quarter[0], quarter[1])
    if minutes is None or minutes[0] != int(minutes[0]) or not 0 < minutes[0] < 60:
        return None
    count, after = int(minutes[0]), minutes[1]
    if line.norm(after) in {"minutes", "minuten", "min"}:
        after += 1
    if line.norm(after) in _PAST | _TO:
        return _from_hour(line, after, count)
    hour = _hour_at(line, after) if quarter is not None else None
    if hour is None or _counts(line, hour[1]):
        return None
    if line.language == "de" or line.norm(start) != "half":
        named = line.norm(start) in {"halb", "viertel", "dreiviertel", "drei"}
        return ((hour[0] - 1) % 24, count, hour[1], 0.9) if named else None
    return hour[0], count, hour[1], 0.6  # "half seven", as the British say it


def _in_words(line: Line, index: int) -> _Read | None:
    """Read "twelve thirty", "nine forty-five", "eight oh five", "sieben dreißig": an hour and minutes in words."""
    before = line.norm(index - 1)
    told = before in _AT or _is_alarm(line, index - 1) or _is_behind_day(line, index)
    hour = number_word(line.norm(index), line.language) if told else None
    if hour is None or not 0 < hour <= 12:
        return None
    zero = line.norm(index + 1) in {"oh", "null"}
    start = index + 1 + zero
    minutes = number_at(line, start) if line.is_word(start) else None
    if minutes is None or minutes[0] % 5 or not (0 < minutes[0] < 10 if zero else 10 <= minutes[0] < 60):
        return None
    last = minutes[1]
    if _counts(line, last) or line.norm(last) in TIME_UNITS:
        return None
    return hour, int(minutes[0]), last, 0.85 if before in {"at", "um"} else 0.6


def _from_hour(line: Line, sign: int, count: int) -> _Read | None:
    """What stands behind "past" or "vor": an hour, or in German the half before one."""
    if line.norm(sign) in _ALSO_PLACES and (count % 5 or line.norm(sign - 2) in _FROM):
        return None
    half = line.norm(sign + 1) == "halb"
    hour = _hour_at(line, sign + 1 + half) or _named_hour(line, sign + 1)
    if hour is None or _counts(line, hour[1]):
        return None
    of_day = 60 * hour[0] - 30 * half + (count if line.norm(sign) in _PAST else -count)
    figures = line.norm(sign - 1).isdigit() and line.norm(sign + 1).isdigit()
    return of_day // 60 % 24, of_day % 60, hour[1], 0.35 if figures else 0.9


def _named_hour(line: Line, index: int) -> tuple[int, int] | None:
    named = _named(line, index)
    return (named[0], named[2]) if named else None


def _quarter(line: Line, index: int) -> tuple[int, int] | None:
    if line.words(index, 2) in {"drei viertel", "three quarters"}:
        return 45, index + 2
    word = line.norm(index)
    return (_QUARTERS[word], index + 1) if word in _QUARTERS else None


def _bare(line: Line, index: int) -> _Read | None:
    """Read the number of "at seven", "um 9": how sure depends on whether anything is counted by it."""
    before, alarm = line.norm(index - 1), _is_alarm(line, index - 1)
    hour = _hour_at(line, index) if before in _AT or alarm else None
    if hour is None or line.norm(hour[1]) in TIME_UNITS:
        return None  # "um eine stunde verschieben": for how long, and not at what time
    if before in {"at", "um"} and _is_behind_day(line, index - 1) and not _is_unit(line.norm(hour[1])):
        return hour[0], 0, hour[1], 0.6
    if _counts(line, hour[1]):
        return None
    if line.is_content(hour[1]) and line.norm(hour[1]) not in TIME_NAMES:
        return hour[0], 0, hour[1], 0.5 if _counts_nothing(line, index, hour[1]) else 0.2
    return hour[0], 0, hour[1], 0.6 if alarm or before in {"at", "um"} else 0.3 if before in {"gegen", "by"} else 0.1


def _counts_nothing(line: Line, number: int, index: int) -> bool:
    """ "Um fünf aufstehen", "um drei frei": no noun, where it ends the clause; "at 7 swimming": one thing alone."""
    if line.norm(number - 1) == "at":
        return (
            not _is_unit(line.norm(index)) and not line.norm(index).endswith("s") and line.lemma(number - 2) != "look"
        )
    if line.norm(number - 1) != "um":
        return False
    verb = line.norm(index).endswith("en") or not is_german_noun(line.norm(index))
    return line.raw(index).islower() and verb and not line.is_content(index + 1)


def _is_behind_day(line: Line, index: int) -> bool:
    """ "Am Freitag um 10 Yoga", "am 14. um 10 Zahnarzt": behind a day it is an hour, whatever stands behind it."""
    dated = line.norm(index - 1) == "." and line.norm(index - 2).isdigit()
    return dated or (line.norm(index - 1) in TIME_NAMES and line.norm(index - 1) not in TIME_UNITS)


def _is_unit(word: str) -> bool:
    return word in UNITS or word in PERCENTS or word in _NOT_HOURS


def _is_alarm(line: Line, index: int) -> bool:
    """ "An alarm for 7", "den Wecker auf sechs": what an alarm is set to."""
    return line.norm(index) in _SET_TO and line.norm(index - 1) in _ALARMS


def _hour_at(line: Line, index: int) -> tuple[int, int] | None:
    found = number_at(line, index)
    plain = found is not None and found[0] == int(found[0]) and 0 <= found[0] <= 24 and found[1] == index + 1
    return (int(found[0]), found[1]) if found is not None and plain else None


def _counts(line: Line, index: int) -> bool:
    """Tell whether the number before ``index`` counts what stands there: "at 3 percent", "um 5 Tage"."""
    return line.norm(index) in _NOT_HOURS or (
        line.is_content(index)
        and not line.phrase(index, _AFTER_NOON)
        and not line.phrase(index, _BEFORE_NOON)
        and line.raw(index)[:1].isupper()
    )
