"""What draws in a question to recall: whom its words name, and the times that they speak of. Nothing is shut out by it.

What this stops: that a question about Anna, or about last March, finds no more than its words do.
What it does not: tell homonyms apart; all who are called so draw.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from kernel.clients.sight import graph_for
from kernel.knowing.finding import TOOL
from kernel.language import tokenize
from kernel.language.line import Line
from kernel.language.time.past_times import When, when_at

if TYPE_CHECKING:
    from kernel.house import House
    from memory.model import EntityId
    from memory.recall.model import Span

MOST_WORDS = 60
"""Of a longer text neither names nor times are read."""


def whom(house: House, words: str, client: str = "") -> tuple[EntityId, ...]:
    """Return everybody whom ``words`` name, of those whom the ``client`` may read of. Raises StoreFailed."""
    if house.knowledge.is_empty() or len(words.split()) > MOST_WORDS:
        return ()
    return tuple(graph_for(house, client).named_in(words, besides=(TOOL,)))


def times_in(words: str, now: datetime) -> tuple[Span, ...]:
    """Return the past times that ``words`` speak of, in nanoseconds."""
    if len(words.split()) > MOST_WORDS:
        return ()
    found: list[When] = []
    for language in ("en", "de"):
        line = Line(words, tokenize(words, language), language, now)
        for at in range(line.size):
            one = when_at(line, at)
            if one is not None and not any(other.first <= one.first and one.last <= other.last for other in found):
                found.append(one)
    return tuple(dict.fromkeys(map(span_of, found)))


def span_of(when: When | None) -> Span:
    """Return a stretch of time in nanoseconds; None, and what is None in it, is open."""
    ends = (when.since, when.until) if when else (None, None)
    since, until = (None if at is None else int(at.timestamp() * 1e9) for at in ends)
    return since, until
