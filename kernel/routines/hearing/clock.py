"""Times in a rule: a recurrence with its time of day."""

from __future__ import annotations

from kernel.language import Line
from kernel.language.time.recurrences import find_recurrences
from kernel.routines.hearing.model import Heard, Lack, Unclear
from kernel.routines.model import Recurring


def hear_clock(line: Line) -> Heard | Unclear | None:
    """Return the recurrence that a sentence begins or ends with; unclear where it names no time of day."""
    found = next((one for one in find_recurrences(line) if one.first == 0 or one.last >= line.size - 1), None)
    if found is None:
        return None
    words = ((found.first, found.last),)
    if "BYHOUR" not in found.rule:
        return Unclear(Lack.TIME_OF_DAY, words)
    rule = found.rule if "BYMINUTE" in found.rule else f"{found.rule};BYMINUTE=0"
    return Heard(Recurring(rule, line.today), words)
