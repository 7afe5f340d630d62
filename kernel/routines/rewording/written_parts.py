"""Parts that a rule wants written down and that every run or a fact has: "Datum und Uhrzeit", "the name and the firm".

Beside those that the words of its trigger speak of. The moment is the run's, and never that at which the rule was made.
"""

from __future__ import annotations

import re
from functools import cache

from kernel.language import Line
from kernel.language.free_text import covered
from kernel.language.written_moments import written_moments
from kernel.routines.hearing import Heard, Words
from kernel.routines.hearing.model import meets
from kernel.routines.hearing.parts_said import stretches
from kernel.routines.model import Learnt
from kernel.routines.parts import Part

_NAME_AND_FACT = (
    r"(?:the|their|his|her)(?: person's| full)? names? (?:and|with|plus|together with) (?:the|their|his|her) "
    r"[\w-]+(?: number| address)?",
    r"(?:den|seinen|ihren|dessen|deren) namen?(?: der person)? (?:und|mit|samt|plus) "
    r"(?:die|den|das|dem|der|seine[nm]?|ihre[nm]?) [\w-]+",
    r"who it is and (?:the|their|his|her) [\w-]+(?: number| address)?",
)
"""All that is told of a fact, its person first."""


def written_parts(line: Line, heard: Heard) -> dict[Words, Part]:
    """Return the parts that such words of the request mean, by the stretches of words that mean them."""
    gone = covered(heard.words)
    moments = (
        (first, last, timed) for first, last, timed in written_moments(line) if gone.isdisjoint({first, last - 1})
    )
    found: dict[Words, Part] = {(first, last): Part.MOMENT if timed else Part.DATE for first, last, timed in moments}
    if isinstance(heard.trigger, Learnt):
        told = (one for form in _compiled() for one in stretches(line, gone, form))
        found |= {one: Part.TEXT for one in told if not meets(one, found)}
    return found


@cache
def _compiled() -> tuple[re.Pattern[str], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple(re.compile(rf"(?<![\w-]){form}(?![\w-])") for form in _NAME_AND_FACT)
