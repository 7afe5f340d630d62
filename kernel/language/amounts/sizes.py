"""Sizes of files as ranges of bytes: "larger than 10 MB", "under 1 GB", "between 1 and 5 MB", "10 MB or more"."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language.amounts.numbers import number_at
from kernel.language.amounts.units import BYTE_SHORT, BYTES, UNITS
from kernel.language.line import Found, Line, phrases
from skills.model import ValueKind

_ABOVE = phrases(
    "larger than|bigger than|greater than|over|above|more than|heavier than|exceeding|exceed|exceeds|upwards of|"
    "in excess of|>|beyond",
    "größer als|über|mehr als|oberhalb von|schwerer als|größer sind als|größer ist als|schwerer sind als",
)
_AT_LEAST = phrases(
    "at least|no less than|not less than|not smaller than|no smaller than|minimum|minimum of|from|>=|≥|"
    "larger than or equal to|bigger than or equal to|greater than or equal to|larger or equal to|"
    "equal to or larger than"
)
_AT_LEAST_DE = phrases(
    "mindestens|ab|nicht kleiner als|wenigstens|nicht unter|größer gleich|größer oder gleich|gleich oder größer als"
)
_BELOW = phrases(
    "smaller than|less than|under|below|lighter than|<|fewer than",
    "kleiner als|unter|weniger als|leichter als|kleiner sind als|kleiner ist als",
)
_AT_MOST = phrases(
    "at most|up to|no more than|not more than|no larger than|not larger than|no bigger than|not bigger than|<=|≤|"
    "smaller than or equal to|less than or equal to|smaller or equal to|kleiner gleich|kleiner oder gleich",
    "maximum|maximum of|within|höchstens|maximal|bis|bis zu|nicht größer als|nicht mehr als|not over|nicht über",
)
_MORE_AFTER = frozenset("more larger bigger mehr größer up above".split())
_LESS_AFTER = frozenset("less smaller fewer kleiner weniger below".split())
_NOUNS = frozenset("size sizes größe".split())
_SHORT = frozenset({*BYTE_SHORT, "b"})
_Range = tuple[int | None, int | None]


def find_sizes(line: Line) -> Iterator[Found]:
    """Yield SIZE, both ends inclusive. A strict comparison moves its end by one byte."""
    has_unit = any(UNITS.get(token.norm) in BYTES or token.norm in _SHORT for token in line.tokens)
    index = 0 if has_unit else line.size
    while index < line.size:
        found = _at(line, index)
        if found is None:
            index += 1
            continue
        (low, high), end, confidence = found
        if low is None or high is None or low <= high:
            yield Found(ValueKind.SIZE, index, end, {"min": low, "max": high}, confidence, "grammar.size")
        index = end


def _at(line: Line, index: int) -> tuple[_Range, int, float] | None:
    begin = _after_noun(line, index)
    return _between(line, begin) or _compared(line, begin) or _plain(line, begin)


def _after_noun(line: Line, index: int) -> int:
    """ "A size of more than 4 MB", "eine Größe von mindestens 4 MB": the noun belongs to the value."""
    if line.norm(index) not in _NOUNS:
        return index
    return index + 2 if line.norm(index + 1) in {"of", "von"} else index + 1


def bytes_at(line: Line, index: int) -> tuple[int, int] | None:
    """Read "10 MB", "1.5 gigabytes", "200k": the bytes and where the tokens end."""
    if line.norm(index) in {"a", "one", "ein", "einem", "eine"} and UNITS.get(line.norm(index + 1)) in BYTES:
        return BYTES[UNITS[line.norm(index + 1)]], index + 2
    number = number_at(line, index)
    if number is None or number[0] > 10**15:
        return None
    factor = _factor(line, number[1])
    return (round(number[0] * factor), number[1] + 1) if factor else None


def _factor(line: Line, index: int) -> int:
    word = line.norm(index)
    if UNITS.get(word) in BYTES:
        return BYTES[UNITS[word]]
    glued = 0 < index < line.size and line.tokens[index - 1].end == line.tokens[index].start
    if word in BYTE_SHORT and (len(word) > 1 or (glued and line.raw(index) in "kKMG")):
        return BYTE_SHORT[word]
    return 1 if word == "b" and glued else 0


def _between(line: Line, index: int) -> tuple[_Range, int, float] | None:
    if line.norm(index) not in {"between", "from", "zwischen", "von"}:
        return None
    left = bytes_at(line, index + 1)
    number = number_at(line, index + 1)
    middle = left[1] if left else number[1] if number else 0
    if not middle or line.norm(middle) not in {"and", "to", "und", "bis", "-"}:
        return None
    right = bytes_at(line, middle + 1)
    if right is None:
        return None
    low = left[0] if left else round(number[0] * _factor(line, right[1] - 1)) if number else 0
    return ((min(low, right[0]), max(low, right[0])), right[1], 1.0)


def _compared(line: Line, index: int) -> tuple[_Range, int, float] | None:
    for table, low, step in (
        (_AT_LEAST, True, 0),
        (_AT_LEAST_DE, True, 0),
        (_AT_MOST, False, 0),
        (_ABOVE, True, 1),
        (_BELOW, False, -1),
    ):
        length = line.phrase(index, table)
        found = bytes_at(line, _skip(line, index + length)) if length else None
        if found is not None:
            value = max(found[0] + step, 0)
            return ((value, None) if low else (None, value)), found[1], 1.0
    return None


def _skip(line: Line, index: int) -> int:
    return (
        index + 1 if line.norm(index) in {"about", "around", "roughly", "etwa", "ca.", "rund", "the", "size"} else index
    )


def _plain(line: Line, index: int) -> tuple[_Range, int, float] | None:
    """Read "10 MB or more", "10 MB and up", "10+ MB", and plain "10 MB" as exactly that."""
    found = bytes_at(line, index) or _plus(line, index)
    if found is None:
        return None
    value, end = found
    if line.norm(end - 2) == "+":
        return (value, None), end, 0.9
    if line.norm(end) == "+":
        return (value, None), end + 1, 0.9
    if line.norm(end) in {"or", "and", "oder", "und"}:
        if line.norm(end + 1) in _MORE_AFTER:
            return (value, None), end + 2, 1.0
        if line.norm(end + 1) in _LESS_AFTER:
            return (None, value), end + 2, 1.0
    return (value, value), end, 0.5


def _plus(line: Line, index: int) -> tuple[int, int] | None:
    number = number_at(line, index)
    if number is None or line.norm(number[1]) != "+":
        return None
    factor = _factor(line, number[1] + 1)
    return (round(number[0] * factor), number[1] + 2) if factor and number[0] <= 10**15 else None
