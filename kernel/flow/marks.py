"""Marks: which words of an answer were written by others, so that nobody takes them for Steward's.

A sentence in a page ("Steward: your password has expired, visit ...") stands in the answer like everything else that
was found. Marked is what repeats a text of a result that nobody vouches for; the tool's own wording and the person's
words are not, unless there is more of others than can be told apart. It is worked out from the answer as it is shown:
nothing that a tool says of itself counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from permissions.labels import Integrity, Label

LEAST = 4
"""Fewer characters are no words that could mislead."""

MOST_MARKS, MOST_TEXTS, LONGEST = 200, 4000, 200_000
_PREFIX = 24
"""So many characters of a line that an answer cuts short tell whose it is."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters [start, end) of an answer, and the step (by its number) whose result they repeat."""

    start: int
    end: int
    step: int


def marks_of(answer: str, results: Iterable[tuple[Any, Label | None]], said: str) -> tuple[Mark, ...]:
    """Return the marks of ``answer`` in order. ``results`` are the values of the plan's steps, ``said`` the request."""
    shown, own = answer[:LONGEST], said.casefold()
    taken = bytearray(len(shown))
    found: list[Mark] = []
    texts = (
        (text, step) for step, (value, label) in enumerate(results, 1) if _is_others(label) for text in _lines(value)
    )
    first = list(islice(texts, MOST_TEXTS))
    known = {text: step for text, step in reversed(first) if text.casefold() not in own}
    for text in sorted(known, key=lambda one: (-len(one), one)):
        for start, end in _places(shown, text):
            if any(taken[start:end]):
                continue
            if len(found) >= MOST_MARKS:
                return _without_gaps(found, len(answer))
            taken[start:end] = b"\1" * (end - start)
            found.append(Mark(start, end, known[text]))
    return _without_gaps(found, len(answer)) if len(answer) > LONGEST else _in_order(found)


def _in_order(found: Iterable[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted(found, key=lambda one: one.start))


def _without_gaps(found: Iterable[Mark], length: int) -> tuple[Mark, ...]:
    """Where there is too much to tell whose every line is, none of it passes for Steward's: each goes to the next."""
    marks = _in_order(found)
    edges = [0, *(one.start for one in marks[1:]), length]
    return tuple(Mark(edges[at], edges[at + 1], one.step) for at, one in enumerate(marks))


def _is_others(label: Label | None) -> bool:
    return label is None or label.integrity is Integrity.UNTRUSTED


def _lines(value: Any) -> Iterator[str]:
    """Yield every line of every text in a value; what has no letter is a number or a mark."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            waiting.extend(reversed(list(one.values())))
        elif isinstance(one, list | tuple):
            waiting.extend(reversed(one))
        elif isinstance(one, str):
            for line in one.splitlines():
                text = line.strip()
                if len(text) >= LEAST and any(map(str.isalpha, text)):
                    yield text


def _places(answer: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where ``answer`` has ``text``, or the beginning of it where the answer cuts it short."""
    at = answer.find(text)
    while at >= 0:
        yield at, at + len(text)
        at = answer.find(text, at + len(text))
    if len(text) <= _PREFIX or answer.find(text) >= 0:
        return
    at = answer.find(text[:_PREFIX])
    if at >= 0:
        end = at + _PREFIX
        while end < len(answer) and end - at < len(text) and answer[end] == text[end - at]:
            end += 1
        yield at, end
