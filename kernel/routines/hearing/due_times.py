"""At which time of day somebody wants to be told of a task that is due: "sag mir morgens um acht Bescheid".

It stands anywhere outside the trigger's words, and is the trigger's only where the rule tells or shows something, or
where it stands between commas right behind them: whatever else has a time of day has it for itself.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kernel.language.free_text import covered, quotes
from kernel.routines.hearing.gist import CLOCK, NUMBER, Gist
from kernel.routines.hearing.model import Words
from kernel.routines.model import TaskDue

_TELLS = re.compile(
    r"\b(?:tell|remind|notify|warn|ping|alert|show|inform|let me know|message|notification|notice|sag|sage|sagst|gib|"
    r"erinner\w*|benachrichtig\w*|warne?|melde?|meldest|zeige?|bescheid|hinweis)\b",
    re.IGNORECASE,
)
_EARLY = dict.fromkeys("morning mornings morgens frühmorgens vormittags".split(), 8)
_LATE = dict.fromkeys("afternoon afternoons nachmittags".split(), 14) | dict.fromkeys(
    "evening evenings abends".split(), 18
)
_ADVERBS = _EARLY | _LATE
_NOUNS = {"morgen": 8, "vormittag": 8, "nachmittag": 14, "abend": 18}
"""Parts of a day behind "am": alone "morgen" is another day."""
_LEADS = frozenset("at um gegen around about by immer always jeweils then dann".split())
_BEHIND = frozenset("uhr sharp pünktlich o'clock".split())
_AT = frozenset("at um".split())
_HALF_S, _HOURS = 12 * 3600, 24


def at_its_time(gist: Gist, trigger: TaskDue, gone: tuple[Words, ...]) -> tuple[TaskDue, tuple[Words, ...]]:
    """Return the trigger with the time of day that stands outside the stretches ``gone``, and the words of that."""
    line, out = gist.line, covered((*gone, *quotes(gist.line)))
    rest = " ".join(line.raw(at) for at in range(line.size) if at not in out)
    free = [out.isdisjoint(range(*span)) for span in gist.spans]
    clocks = [at for at in range(gist.size) if free[at] and _second(gist, at) is not None]
    parts = [at for at in range(gist.size) if free[at] and _hour(gist, at)]
    one = clocks or parts
    if len(one) != 1:
        return trigger, ()
    first, last = _around(gist, one[0], free)
    if not _TELLS.search(rest) and not _is_enclosed(gist, first, last, out):
        return trigger, ()
    hours = [hour for at in range(first, last) if (hour := _hour(gist, at))]
    amount = _second(gist, one[0])
    late = trigger.clock >= _HALF_S or any(hour > 12 for hour in hours)
    clock = hours[0] * 3600 if amount is None else amount
    if amount is not None and late and clock < _HALF_S:
        clock += _HALF_S  # "the evening before ... at seven"
    return replace(trigger, clock=clock), (gist.tokens(first, last),)


def _is_enclosed(gist: Gist, first: int, last: int, out: frozenset[int]) -> bool:
    """It stands between commas, the first of them right behind the trigger's words."""
    return gist.word(first - 1) == gist.word(last) == "," and gist.spans[max(first - 2, 0)][0] in out


def _second(gist: Gist, at: int) -> int | None:
    """The time of day at the item, also a bare hour before a word of the request: "um acht Bescheid"."""
    clock, number = gist.amount(at, CLOCK), gist.amount(at, NUMBER)
    if clock is not None:
        return int(clock)
    bare = number is not None and gist.word(at - 1) in _AT and number == int(number) and 0 <= number < _HOURS
    return int(number) * 3600 if bare and number is not None else None


def _hour(gist: Gist, at: int) -> int:
    """At which hour something is told in the part of a day that the word says; 0 where it says none."""
    word = gist.word(at)
    return _ADVERBS.get(word) or (_NOUNS.get(word, 0) if gist.word(at - 1) == "am" else 0)


def _around(gist: Gist, at: int, free: list[bool]) -> Words:
    """The items of a time of day with what leads to it, and with the part of the day beside it."""
    first, last = at, at + 1
    while first and free[first - 1] and (_is_beside(gist, first - 1) or gist.word(first - 1) in _LEADS):
        first -= 1
    while last < gist.size and free[last] and (_is_beside(gist, last) or gist.word(last) in _BEHIND):
        last += 1
    return first, last


def _is_beside(gist: Gist, at: int) -> bool:
    """Tell whether the word is a part of a day, or belongs to one: "in the morning", "am Abend"."""
    led = (at + 1, at + 2) if gist.word(at) == "in" else (at + 1,) if gist.word(at) in ("the", "am") else ()
    return bool(_hour(gist, at)) or any(_hour(gist, one) for one in led)
