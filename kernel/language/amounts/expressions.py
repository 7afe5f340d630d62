"""Arithmetic in a sentence, in signs or in words: "17% of 230", "twelve times 4", "sqrt(16) + 2", "drei mal vier".

The value is the same arithmetic in signs and digits with a decimal point: ``17 % of 230``, ``12 * 4``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from kernel.language.amounts.numbers import number_at
from kernel.language.amounts.prices import digits, price_at, price_of_several
from kernel.language.amounts.units import MONEY, PERCENTS, UNITS
from kernel.language.line import Found, Line, phrases
from skills.model import ValueKind

_SIGNS = {"+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "*", "·": "*", "/": "/", "÷": "/", "^": "^", "**": "^"}
_WORDS = {
    "plus": "+",
    "minus": "-",
    "times": "*",
    "x": "*",
    "multiplied by": "*",
    "multiplied with": "*",
    "divided by": "/",
    "over": "/",
    "modulo": "mod",
    "mod": "mod",
    "to the power of": "^",
    "raised to": "^",
    "raised to the power of": "^",
    "mal": "*",
    "multipliziert mit": "*",
    "durch": "/",
    "geteilt durch": "/",
    "dividiert durch": "/",
    "hoch": "^",
    "% of": "% of",
    "percent of": "% of",
    "per cent of": "% of",
    "prozent von": "% of",
    "% von": "% of",
    "percent from": "% of",
}
_WORD_TABLE = phrases("|".join(_WORDS))
_AFTER = {"squared": "^ 2", "cubed": "^ 3", "%": "%", "percent": "%", "prozent": "%", "!": "!", "quadrat": "^ 2"}
_BEFORE = {
    "square root of": "sqrt",
    "the square root of": "sqrt",
    "root of": "sqrt",
    "wurzel aus": "sqrt",
    "quadratwurzel aus": "sqrt",
    "wurzel von": "sqrt",
    "die wurzel aus": "sqrt",
    "cube root of": "cbrt",
    "the cube root of": "cbrt",
    "half of": "1/2 *",
    "a third of": "1/3 *",
    "a quarter of": "1/4 *",
    "twice": "2 *",
    "double": "2 *",
    "die hälfte von": "1/2 *",
}
_BEFORE_TABLE = phrases("|".join(_BEFORE))
_FUNCTIONS = frozenset("sqrt sin cos tan log ln exp abs round floor ceil cbrt".split())
_CONSTANTS = frozenset({"pi", "π"})
_LONGEST = 400
_OFF = frozenset("off discount rabatt nachlass".split())
_OF_PRICE = frozenset("of on from auf von".split())
_ADDING = frozenset("add sum total addier addiere addieren summiere summieren summe".split())
_COUNTING = frozenset("zähl zähle zählen rechne rechnen rechnest".split())
_TOGETHER = frozenset({"zusammen"})
_ONTO = frozenset("to onto into in zu zur zum an auf".split())
_AND = frozenset({"and", "und"})
_NEAR, _LEAST_LISTED, _MOST_LISTED = 4, 2, 50
_WITH = frozenset("with at less mit bei abzüglich".split())


@dataclass
class _Reading:
    """An expression under construction: its parts, what is expected next, and the open brackets."""

    line: Line
    at: int
    parts: list[str] = field(default_factory=list)
    open: int = 0
    operators: int = 0
    wants_operand: bool = True
    wrapped: list[int] = field(default_factory=list)
    good: tuple[int, int, int] = (0, 0, 0)  # end, parts and operators of the last complete reading


def find_expressions(line: Line) -> Iterator[Found]:
    """Yield EXPRESSION for every stretch of at least one operator and its operands, the longest at each place."""
    index = 0
    while index < line.size:
        if not _may_begin(line, index):
            index += 1
            continue
        found = _read(line, index)
        if found is None:
            index += 1
            while line.norm(index) == "(" == line.norm(index - 1):
                index += 1  # brackets that never close are tried once
            continue
        yield found
        index = found.last


def _may_begin(line: Line, index: int) -> bool:
    word = line.norm(index)
    return (
        word in {"(", "-", "−"}
        or word in _CONSTANTS
        or word in _FUNCTIONS
        or bool(line.phrase(index, _BEFORE_TABLE))
        or number_at(line, index) is not None
    )


def _read(line: Line, index: int) -> Found | None:
    reading = _Reading(line, index)
    while reading.at < line.size and len(reading.parts) < _LONGEST:
        if not (_operand(reading) if reading.wants_operand else _operator(reading)):
            break
        if not reading.wants_operand and reading.open == 0:
            reading.good = (reading.at, len(reading.parts), reading.operators)
    end, count, operators = reading.good
    parts = reading.parts[:count]
    if operators == 0 or parts[1:] == ["%"]:
        return _percent_off(line, index) or _listed(line, index) or price_of_several(line, index)
    if len({UNITS.get(line.norm(at)) for at in range(index, end) if line.norm(at) in MONEY}) > 1:
        return None  # euros and dollars are not added up
    minus_only = len(parts) == 3 and parts[1] == "-"  # "pages 3-5" looks the same
    confidence = 0.6 if minus_only else 0.95
    return Found(ValueKind.EXPRESSION, index, end, _text(parts), confidence, "grammar.arithmetic")


def _listed(line: Line, index: int) -> Found | None:
    """Read "add up 12.50, 8.99 and 31.20" and "zähl 3, 4 und 5 zusammen": a sum, where a verb of adding says so."""
    before = {line.norm(at) for at in range(max(0, index - _NEAR), index)}
    if before.isdisjoint(_ADDING | _COUNTING):
        return None
    numbers: list[Decimal] = []
    end = at = index
    while len(numbers) < _MOST_LISTED and (price := price_at(line, at)) is not None:
        numbers.append(price[0])
        end = at = price[1]
        at += line.norm(at) == ","
        at += line.norm(at) in _AND
        if at == end:
            break
    together = line.norm(end) in _TOGETHER or not before.isdisjoint(_ADDING)
    if len(numbers) < _LEAST_LISTED or not together or line.norm(end) in _ONTO:
        return None
    return Found(ValueKind.EXPRESSION, index, end, " + ".join(map(digits, numbers)), 0.9, "grammar.arithmetic")


def _percent_off(line: Line, index: int) -> Found | None:
    """Read "15% off 80", "15 Prozent Rabatt auf 80 Euro", and the price first: "80 euros with 15% off"."""
    share = _share_off(line, index)
    if share is not None:
        after = share[1] + (line.norm(share[1]) in _OF_PRICE)
        price = price_at(line, after)
        return _reduced(index, price[1], price[0], share[0]) if price else None
    price = price_at(line, index)
    if price is None:
        return None
    joined = line.norm(price[1]) in _WITH
    share = _share_off(line, price[1] + joined + (line.norm(price[1] + joined) in {"a", "einem"}))
    named = joined or line.norm(index - 1) in _OF_PRICE or price[1] > index + 1
    return _reduced(index, share[1], price[0], share[0]) if share and named else None


def _share_off(line: Line, index: int) -> tuple[Decimal, int] | None:
    """The percentage that is taken off, and where it ends: "15% off", "15 Prozent Rabatt"."""
    rate = number_at(line, index)
    if rate is None or line.norm(rate[1]) not in PERCENTS or line.norm(rate[1] + 1) not in _OFF:
        return None
    return rate[0], rate[1] + 2


def _reduced(first: int, last: int, price: Decimal, share: Decimal) -> Found:
    text = f"{digits(price)} * (1 - {digits(share)} / 100)"
    return Found(ValueKind.EXPRESSION, first, last, text, 0.9, "grammar.arithmetic")


def _operand(reading: _Reading) -> bool:
    line, at = reading.line, reading.at
    word = line.norm(at)
    length = line.phrase(at, _BEFORE_TABLE)
    if length:
        return _prefixed(reading, _BEFORE[line.words(at, length)], at + length)
    if word == "(" or (word in _FUNCTIONS and line.norm(at + 1) == "("):
        reading.parts.append("(" if word == "(" else f"{word}(")
        reading.open += 1
        reading.operators += word != "("
        reading.at = at + (1 if word == "(" else 2)
        return reading.open <= 50
    if word in {"-", "−", "minus"}:
        reading.parts.append("-u")
        reading.at = at + 1
        return number_at(line, at + 1) is not None or line.norm(at + 1) == "("
    return _number(reading)


def _number(reading: _Reading) -> bool:
    line, at = reading.line, reading.at
    if line.norm(at) in _CONSTANTS:
        reading.parts.append("pi")
        reading.at, reading.wants_operand = at + 1, False
        return True
    found = price_at(line, at)
    if found is None:
        return False
    reading.parts.append(digits(found[0]))
    reading.at, reading.wants_operand = found[1], False
    while reading.wrapped and reading.wrapped[-1] == reading.open:
        reading.parts.append(")")
        reading.wrapped.pop()
        reading.open -= 1
    return True


def _prefixed(reading: _Reading, function: str, after: int) -> bool:
    reading.operators += 1
    reading.at = after
    if function.endswith("*"):
        reading.parts += function.split()
        return True
    reading.parts.append(f"{function}(")
    if reading.line.norm(after) == "(":
        reading.at = after + 1
    else:
        reading.wrapped.append(reading.open + 1)
    reading.open += 1
    return True


def _operator(reading: _Reading) -> bool:
    line, at = reading.line, reading.at
    word = line.norm(at)
    if word == ")" and reading.open > 0:
        reading.parts.append(")")
        reading.open -= 1
        reading.at = at + 1
        return True
    length = line.phrase(at, _WORD_TABLE)
    if length:
        return _joined(reading, _WORDS[line.words(at, length)], at + length)
    if word in _AFTER and not (word == "!" and at + 1 >= line.size and "!" not in reading.parts):
        reading.parts.append(_AFTER[word])
        reading.operators += 1
        reading.at = at + 1
        return True
    return _joined(reading, _SIGNS[word], at + 1) if word in _SIGNS else False


def _joined(reading: _Reading, sign: str, after: int) -> bool:
    reading.parts.append(sign)
    reading.operators += 1
    reading.at, reading.wants_operand = after, True
    return True


def _text(parts: list[str]) -> str:
    return " ".join(parts).replace("-u ", "-").replace("( ", "(").replace(" )", ")").replace(" !", "!")
