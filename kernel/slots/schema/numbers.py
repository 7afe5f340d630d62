"""The numbers of a sentence, each in the form and the unit that a slot wants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from kernel.language import Line
from kernel.language.amounts.numbers import number_at, ordinal_at
from kernel.slots.schema.model import Guess, Slot, Wanted
from kernel.slots.schema.units import converted
from kernel.slots.schema.words import name_stems, span_of, stem

MONEY = frozenset("$ € £ ¥".split())
"""Signs of currencies: they stand before a number."""
_SCALED = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9}
_POWER = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)(?:\s*[x×*]\s*10\s*(?:\^|\*\*)\s*|[eE])([-−+]?[12]?\d?\d)(?!\w)")
"""Up to 10^299: what a float and a decimal hold."""
_ONE = frozenset("a an one next coming upcoming past last per each every this following single".split())
_GLUED = re.compile(r"(\d+(?:\.\d+)?)[_-]?([a-zµ°]+)", re.I)


def numbers(line: Line, slot: Slot) -> Iterator[Guess]:
    """Numbers with their unit; percent as a share where the schema does not speak of percent."""
    powers = dict(_powers(line))
    index = 0
    while index < line.size:
        if index in powers:
            value, end = powers[index]
            yield from _with_unit(line, slot, value, index, end)
            index = end
            continue
        found = number_at(line, index)
        if found is None:
            yield from _unlike(line, index, slot)
            index += 1
            continue
        value, end = found[0], found[1]
        if not _is_exponent(line, index):
            yield from _read(line, slot, -value if _is_negative(line, index) else value, index, end)
        index = end


def _read(line: Line, slot: Slot, value: Decimal, index: int, end: int) -> Iterator[Guess]:
    """One number: "5 %", "1.2M" as millions and as what it says, or with a unit."""
    unit = line.norm(end) or ""
    if unit in {"%", "percent", "per-cent", "prozent"}:
        share = slot.wanted is Wanted.NUMBER and "percent" not in slot.doc.lower()
        yield Guess(typed(value / 100 if share else value, slot.wanted), "percent", index, end + 1, "%")
        return
    if line.raw(end) in _SCALED and line.tokens[end].start == line.tokens[end - 1].end:
        money = _sign_before(line, index)
        yield Guess(typed(value * _SCALED[line.raw(end)], slot.wanted), "number", index, end + 1, money)
        if money:
            return
    yield from _with_unit(line, slot, value, index, end)


def _with_unit(line: Line, slot: Slot, value: Decimal, index: int, end: int) -> Iterator[Guess]:
    money = _sign_before(line, index)
    changed = None if money else converted(value, line.raw(end), slot)
    if changed is not None:
        more = number_at(line, end + 1)
        unit = line.raw(more[1]) if more else ""
        rest = converted(more[0], unit, slot) or (more[0], unit) if more else None
        if more is not None and rest is not None and rest[1].rstrip("s") == changed[1].rstrip("s"):
            yield Guess(typed(changed[0] + rest[0], slot.wanted), "number", index, more[1] + 1, changed[1])
        yield Guess(typed(changed[0], slot.wanted), "number", index, end, changed[1])
        return
    yield Guess(typed(value, slot.wanted), "number", index, end, money or line.norm(end) or "")


def _sign_before(line: Line, index: int) -> str:
    """The sign of a currency before ``index``; empty where none stands."""
    return line.norm(index - 1) if line.norm(index - 1) in MONEY else ""


def _unlike(line: Line, index: int, slot: Slot) -> Iterator[Guess]:
    """What means a number without being one: "70kg", "16th", and one of what is named alone: "next month"."""
    match = _GLUED.fullmatch(line.raw(index))
    ordinal = ordinal_at(line, index)
    if ordinal is not None and ordinal > 0 and slot.wanted is Wanted.WHOLE:
        yield Guess(ordinal, "ordinal", index, index + 1, line.norm(index + 1) or "")
    elif match and ordinal is None:
        value, unit = Decimal(match.group(1)), match.group(2)
        changed = converted(value, unit, slot)
        yield Guess(typed(changed[0] if changed else value, slot.wanted), "number", index, index + 1,
                    changed[1] if changed else unit.lower())  # fmt: skip
    elif line.norm(index) in _ONE and line.is_content(index + 1):
        noun = line.norm(index + 1)
        changed = converted(Decimal(1), noun, slot)
        if changed is not None or (slot.wanted is Wanted.WHOLE and stem(noun) in name_stems(slot.name)):
            yield Guess(typed(changed[0] if changed else Decimal(1), slot.wanted), "implied", index, index + 2, noun)


def _powers(line: Line) -> Iterator[tuple[int, tuple[Decimal, int]]]:
    """Numbers with a power of ten: "1e-9", "6.7 x 10^-11"."""
    for match in _POWER.finditer(line.text):
        span = span_of(line, *match.span())
        if span:
            power = int(match.group(2).replace("−", "-"))
            yield span[0], (Decimal(match.group(1)).scaleb(power), span[1])


def _is_exponent(line: Line, index: int) -> bool:
    """Tell whether the number belongs to a unit or a letter: "m/s^2"."""
    return line.raw(index - 1) == "^" and line.raw(index - 2)[-1:].isalpha()


def _is_negative(line: Line, index: int) -> bool:
    if line.norm(index - 1) not in {"-", "−"}:
        return line.norm(index - 1) in {"minus", "negative"}
    return line.tokens[index - 1].end == line.tokens[index].start and (
        index == 1 or line.tokens[index - 2].end < line.tokens[index - 1].start or not line.is_word(index - 2)
    )


def typed(value: Decimal, wanted: Wanted) -> int | float:
    """The number as a whole one, or with its fraction."""
    whole = value == value.to_integral_value() and wanted is not Wanted.NUMBER
    return int(value) if whole else float(value)
