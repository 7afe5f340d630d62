"""Arithmetic with what was found before: "divide that by three", "10 percent of it", "zieh davon 3 Prozent ab".

The value is arithmetic with ``x`` where the earlier number belongs: ``x / 3``, ``10 % of x``, ``x * (1 - 3 / 100)``.
Read are the words of arithmetic alone; which number is meant is found like any other reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from kernel.language.amounts.money import money_at
from kernel.language.amounts.numbers import number_at
from kernel.language.amounts.units import MONEY, PERCENTS
from kernel.language.line import Found, Line, phrases
from skills.model import ValueKind

HOLE = "x"
"""What stands for the earlier number, and what a tool calls the parameter that takes it."""
OPEN = "grammar.arithmetic.open"
"""The source of such a value."""


class _Part(NamedTuple):
    """One element of a form: one of ``words``, or what was found before (P), or a number (N), or any word (*)."""

    words: frozenset[str]
    optional: bool


class _Form(NamedTuple):
    parts: tuple[_Part, ...]
    value: str
    share: str  # the value where the number is a percentage; empty where it may be none


_AMOUNTS = {
    "en": "result|total|sum|amount|number|figure|price",
    "de": "ergebnis|summe|gesamtsumme|gesamtbetrag|betrag|zahl|wert|preis",
}
_BEFORE = {
    "en": ("the", "this", "that"),
    "de": ("das", "dem", "den", "der", "die", "vom", "diese", "diesen", "dieser", "dieses"),
}
_POINTERS = {
    language: phrases(
        pronouns, *(f"{one} {noun}" for one in _BEFORE[language] for noun in _AMOUNTS[language].split("|"))
    )
    for language, pronouns in (("en", "it|this|that"), ("de", "es|das|ihn|sie|dies|davon"))
}

_PLUS, _MINUS, _OF = "x * (1 + N / 100)", "x * (1 - N / 100)", "N % of x"
_ADD = "addier|addiere|addieren|zähl|zähle|zählen|rechne|rechnen sie?"
_TAKE = "zieh|ziehe|ziehen|subtrahier|subtrahiere|subtrahieren sie?"
# a form, what it comes to, and what it comes to where N is a percentage (nothing: then it is no such form).
# "a|b" is one of these words, "a?" may be left out, P is what was found before, N a number, * what it is for
_TABLE = {
    "en": (
        ("divide P by N", "x / N", ""),
        ("divide P by N for the? N *", "x / N", ""),
        ("divided by N", "x / N", ""),
        ("multiply|times P by|with N", "x * N", ""),
        ("multiplied by N", "x * N", ""),
        ("add N to|onto P", "x + N", _PLUS),
        ("subtract|deduct|take N away? from|off P", "x - N", _MINUS),
        ("knock N off P", "x - N", _MINUS),
        ("plus|add another? N *? on top", "x + N", ""),
        ("halve P", "x / 2", ""),
        ("double P", "x * 2", ""),
        ("triple P", "x * 3", ""),
        ("square P", "x ^ 2", ""),
        ("N of|from P", "", _OF),
        ("half of P", "x / 2", ""),
        ("a third of P", "x / 3", ""),
        ("a quarter of P", "x / 4", ""),
        ("N times P", "x * N", ""),
        ("P divided by N", "x / N", ""),
        ("P multiplied by N", "x * N", ""),
        ("P times N", "x * N", ""),
        ("P plus N", "x + N", _PLUS),
        ("P minus|less N", "x - N", _MINUS),
        ("P be? with N more|extra|added", "x + N", _PLUS),
        ("P be? with N less|off", "x - N", _MINUS),
    ),
    "de": (
        ("teil|teile|teilen|dividiere|dividier|dividieren sie? P dann? durch N auf?", "x / N", ""),
        ("teil|teile|teilen|dividiere|dividier|dividieren sie? P dann? durch N für die? N *", "x / N", ""),
        ("multiplizier|multipliziere|multiplizieren|nimm|nehmen sie? P dann? mit? mal? N mal?", "x * N", ""),
        (f"{_ADD} dann|noch? N dazu|drauf|hinzu", "x + N", _PLUS),
        (f"{_TAKE} dann|noch? von? P dann? noch? N ab", "x - N", _MINUS),
        (f"{_TAKE} dann|noch? N von? P ab", "x - N", _MINUS),
        ("halbier|halbiere|halbieren sie? P", "x / 2", ""),
        ("verdoppel|verdopple|verdoppeln sie? P", "x * 2", ""),
        ("noch N *? drauf|dazu|hinzu|obendrauf", "x + N", ""),
        ("davon N", "", _OF),
        ("N von? P", "", _OF),
        ("davon die hälfte", "x / 2", ""),
        ("die hälfte von? P", "x / 2", ""),
        ("ein drittel von? P", "x / 3", ""),
        ("ein viertel von? P", "x / 4", ""),
        ("P dann? noch? geteilt? durch N", "x / N", ""),
        ("P dann? noch? mal N", "x * N", ""),
        ("P dann? noch? plus N", "x + N", _PLUS),
        ("P mit N mehr", "x + N", _PLUS),
        ("P mit N weniger", "x - N", _MINUS),
        ("P dann? noch? minus|abzüglich N", "x - N", _MINUS),
        ("durch N teilen|dividieren|geteilt", "x / N", ""),
        ("mit N multiplizieren|multipliziert", "x * N", ""),
    ),
}


_DEEDS = frozenset(
    "divide multiply times add subtract deduct take knock halve double triple square teil teile dividiere dividier "
    "multiplizier multipliziere nimm halbier halbiere verdoppel verdopple".split()
).union(_ADD.split("|"), _TAKE.split("|"))
"""Verbs with which such arithmetic begins a clause, also where nothing parts it from the one before."""


def _form(written: str, value: str, share: str) -> _Form:
    parts = (one.removesuffix("?") for one in written.split())
    optional = (one.endswith("?") for one in written.split())
    return _Form(
        tuple(_Part(frozenset(one.split("|")), may) for one, may in zip(parts, optional, strict=True)), value, share
    )


_FORMS = {language: tuple(_form(*row) for row in rows) for language, rows in _TABLE.items()}
_POINTER, _NUMBER, _ANY = frozenset("P"), frozenset("N"), frozenset("*")


def _opening(forms: tuple[_Form, ...], language: str) -> Mapping[str, tuple[_Form, ...]]:
    """The forms by the word that they begin with; those that begin with a number stand under the empty word."""
    found: dict[str, list[_Form]] = {}
    for form in forms:
        first = form.parts[0].words
        words = _POINTERS[language].keys() if first == _POINTER else {""} if first == _NUMBER else first
        for word in words:
            found.setdefault(word, []).append(form)
    return {word: tuple(own) for word, own in found.items()}


_BY_WORD = {language: _opening(forms, language) for language, forms in _FORMS.items()}


def find_open_expressions(line: Line) -> Iterator[Found]:
    """Yield EXPRESSION with ``x`` in it for every stretch that works on an earlier number, the longest at a place."""
    by_word = _BY_WORD.get(line.language, {})
    index = 0
    while index < line.size:
        forms = by_word.get(line.norm(index), ())
        if number_at(line, index) is not None:
            forms = (*forms, *by_word.get("", ()))
        read = max((one for form in forms for one in _read(line, index, form)), default=None)
        if read is not None:
            yield Found(ValueKind.EXPRESSION, index, read[0], read[1], 0.95, OPEN)
        index = read[0] if read else index + 1


def is_open(value: object) -> bool:
    """Tell whether arithmetic as written works on an earlier number."""
    return isinstance(value, str) and HOLE in value.split()


def tells_arithmetic(line: Line, index: int) -> bool:
    """Tell whether a verb of arithmetic with all that it needs stands at ``index``: "... its total | halve it"."""
    return line.norm(index) in _DEEDS and opens_arithmetic(line, index)


def opens_arithmetic(line: Line, index: int) -> bool:
    """Tell whether the words at ``index`` tell to work on an earlier number: "divide it by", "zieh davon 3 % ab"."""
    forms = _BY_WORD.get(line.language, {}).get(line.norm(index), ())
    return any(True for form in forms for _ in _read(line, index, form))


def _read(line: Line, index: int, form: _Form) -> Iterator[tuple[int, str]]:
    """Yield where the form ends and what it comes to, for every way to read it."""
    for end, number, share in _match(line, index, form.parts):
        value = form.share if share else form.value
        if value:
            yield end, value.replace("N", number)


def _match(line: Line, at: int, parts: tuple[_Part, ...]) -> Iterator[tuple[int, str, bool]]:
    """Yield the end of the parts at ``at``, the number among them and whether it is a percentage."""
    if not parts:
        yield at, "", False
        return
    first, rest = parts[0], parts[1:]
    for after, number, share in _one(line, at, first):
        for end, other, its in _match(line, after, rest):
            yield end, number or other, share or its
    if first.optional:
        yield from _match(line, at, rest)


def _one(line: Line, at: int, part: _Part) -> Iterator[tuple[int, str, bool]]:
    if part.words == _POINTER:
        length = line.phrase(at, _POINTERS[line.language])
        if length:
            yield at + length, "", False
    elif part.words == _NUMBER:
        yield from _amount(line, at)
    elif line.norm(at) in part.words or (part.words == _ANY and at < line.size and line.is_content(at)):
        yield at + 1, "", False


def _amount(line: Line, at: int) -> Iterator[tuple[int, str, bool]]:
    """A number with its currency, or a percentage."""
    money = money_at(line, at)
    found = (money[0], money[2]) if money else number_at(line, at)
    if found is None:
        return
    share = line.norm(found[1]) in PERCENTS
    unit = not money and (share or line.norm(found[1]) in MONEY)
    yield found[1] + unit, _digits(found[0]), share


def _digits(value: Decimal) -> str:
    return format(value.normalize(), "f") if value else "0"
