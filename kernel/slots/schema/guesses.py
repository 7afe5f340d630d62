"""Every value that an English sentence may give for a kind of parameter. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language import Line
from kernel.slots.schema.lists import lists
from kernel.slots.schema.model import Guess, Slot, Wanted
from kernel.slots.schema.numbers import numbers
from kernel.slots.schema.texts import choices, texts


def guesses(line: Line, slot: Slot) -> list[Guess]:
    """What ``line`` may say for ``slot``, one guess for each value and place, "none" first."""
    found = [Guess(None, "none"), *_of(line, slot)]
    unique = {(repr(guess.value), guess.first, guess.last): guess for guess in reversed(found)}
    return list(reversed(unique.values()))


def _of(line: Line, slot: Slot) -> Iterator[Guess]:
    match slot.wanted:
        case Wanted.WHOLE | Wanted.NUMBER:
            yield from numbers(line, slot)
        case Wanted.TEXT:
            yield from texts(line, slot)
        case Wanted.TRUTH:
            yield from (Guess(True, "yes"), Guess(False, "no"))
        case Wanted.CHOICE:
            yield from choices(line, slot.choices, "choice")
        case Wanted.SEVERAL:
            yield from lists(line, slot)
