"""With what a clause opens that speaks of the day on which something is due: "on the day that", "am Abend bevor"."""

from __future__ import annotations

import re
from functools import cache

_HOURS = {
    **dict.fromkeys("morning morgen früh vormittag".split(), 8), **dict.fromkeys("afternoon nachmittag".split(), 14),
    **dict.fromkeys("evening abend vorabend".split(), 18), **dict.fromkeys("night nacht".split(), 21),
}  # fmt: skip
_PART_EN, _PART_DE = "morning|afternoon|evening|night", "morgen|vormittag|nachmittag|abend|vorabend"
_THAT_EN = r"(?: (?:that|when|on which|where))?"
_THAT_DE = r"(?: ,)? (?:an dem|wenn|wo|an welchem|als)"
_ON = (
    rf"(?:always )?(?:on )?(?:the |each |every )(?:{_PART_EN}) of the day{_THAT_EN}|"
    rf"(?:always )?(?:on )?the (?:day|{_PART_EN}){_THAT_EN}|on the (?:due date|due day) of|"
    rf"(?:immer )?(?:am|an dem|an jedem) (?:tag|{_PART_DE}){_THAT_DE}|"
    rf"(?:immer )?am (?:{_PART_DE}) des tages{_THAT_DE}|am (?:fälligkeitstag|tag der fälligkeit)(?: von)?"
)
_BEFORE = (
    rf"(?:always )?(?:on )?the (?:day|{_PART_EN}) before|"
    rf"(?:immer )?(?:am|an dem) (?:tag|{_PART_DE})(?: davor| vorher| zuvor)?(?: ,)? (?:bevor|ehe|vor)|"
    r"(?:immer )?am vortag(?: ,)?(?: (?:bevor|wenn|vor|von))?"
)
_DUE = re.compile(r"(?:over)?due|(?:über)?fällig\w*|deadlines?|frist")
_LONGEST, _NEAR = 8, 16
DAY_S = 86400


@cache
def _forms() -> tuple[tuple[re.Pattern[str], int], ...]:
    """No start waits for them: most sentences have no trigger."""
    return (re.compile(_BEFORE), DAY_S), (re.compile(_ON), 0)


def due_day(words: tuple[str, ...], at: int) -> tuple[int, int] | None:
    """Return how many words from ``at`` on open such a clause, and how many seconds before the day; None for none."""
    if words[at] not in _FIRST or not any(_DUE.fullmatch(word) for word in words[at : at + _NEAR]):
        return None
    for form, before_s in _forms():
        for size in range(min(_LONGEST, len(words) - at), 1, -1):
            if form.fullmatch(" ".join(words[at : at + size])):
                return size, before_s
    return None


_FIRST = frozenset("on the always am an immer".split())


def led_by(text: str) -> int:
    """Return the time of day (seconds after midnight) that such an opening says; below 0 where it says none."""
    return next((_HOURS[word] * 3600 for word in text.split() if word in _HOURS), -1)


def speaks_of_due(text: str) -> bool:
    """Tell whether a sentence may wait for a task that is due."""
    return any(map(_DUE.fullmatch, re.findall(r"\w+", text[:_FAR].casefold())))


_FAR = 400
