"""The lists of a sentence: in brackets, joined by commas and "and", or said apart; one thing is a list of one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from kernel.language import Line
from kernel.slots.schema.model import Guess, Slot, Wanted
from kernel.slots.schema.numbers import MONEY, numbers, typed
from kernel.slots.schema.texts import choices, chunks, marks, names, quotations
from kernel.slots.schema.words import listed, span_of

_AND = frozenset({"and", "&", "or", "und"})
_BETWEEN = _AND | frozenset("' \" ; , then also the a an $ - % for their his her its some".split())
_NUMBERS = frozenset({Wanted.WHOLE, Wanted.NUMBER})
_SIGNS = MONEY | {"%"}


def lists(line: Line, slot: Slot) -> Iterator[Guess]:
    """Every list that ``line`` may give for ``slot``."""
    yield from _brackets(line, slot)
    inner = Slot(slot.name, slot.items, slot.doc, slot.required, slot.choices)
    if slot.items in _NUMBERS:
        found = [guess for guess in numbers(line, inner) if guess.source != "implied"]
        yield from _joined(line, found)
        yield from _apart(found)
        return
    named = list(choices(line, (*slot.choices, *listed(slot)), "listed"))
    if named:
        ordered = list(dict.fromkeys(guess.value for guess in sorted(named, key=lambda guess: guess.first)))
        yield Guess(ordered, "listed", min(guess.first for guess in named), max(guess.last for guess in named))
        if len(ordered) > 1:
            yield from (Guess([guess.value], "listed", guess.first, guess.last) for guess in named)
    for pieces in (list(quotations(line)), list(names(line)), _whole_chunks(line), _written(line)):
        yield from _joined(line, pieces)


def _apart(found: Sequence[Guess]) -> Iterator[Guess]:
    """All numbers with one unit, wherever they stand: "A has a value of 0.8 and B a value of 0.7"."""
    by_unit: dict[str, list[Guess]] = {}
    for guess in found:
        by_unit.setdefault(guess.unit if guess.unit in _SIGNS else "", []).append(guess)
    for own in by_unit.values():
        if len(own) > 1:
            yield Guess([guess.value for guess in own], "list", own[0].first, own[-1].last)


def _whole_chunks(line: Line) -> list[Guess]:
    return [
        Guess(line.slice(start, end), "chunk", start, end)
        for first, last in chunks(line)
        for start in range(first, last)
        for end in range(start + 1, last + 1)
        if line.is_content(start) and (end == last or end - start <= 3) and line.is_content(end - 1)
    ]


def _written(line: Line) -> list[Guess]:
    """Signs, codes and single letters: "8♥, 10♥, J♥", "C, F and G"."""
    return [
        *marks(line),
        *(Guess(line.raw(at), "mark", at, at + 1) for at in range(line.size) if _is_code(line.raw(at))),
    ]


def _is_code(word: str) -> bool:
    return word.isalnum() and (word[0].isdigit() or (len(word) == 1 and word not in {"a", "A", "I"}))


def _joined(line: Line, pieces: list[Guess]) -> Iterator[Guess]:
    """Chains of pieces with nothing between them but commas, "and" and marks."""
    by_start: dict[int, list[Guess]] = {}
    for piece in pieces:
        by_start.setdefault(piece.first, []).append(piece)
    for piece in pieces:
        chain = [piece]
        if piece.source != "mark":
            yield Guess([piece.value], "list", piece.first, piece.last)
        while len(chain) < 12:
            after = _after_joint(line, chain[-1].last)
            if after is None or after not in by_start:
                break
            longest = max(by_start[after], key=lambda guess: guess.last)
            for option in by_start[after]:
                if option is not longest:
                    yield Guess([*(one.value for one in chain), option.value], "list", piece.first, option.last)
            chain.append(longest)
            yield Guess([one.value for one in chain], "list", piece.first, chain[-1].last)


def _after_joint(line: Line, index: int) -> int | None:
    at = index
    while at < index + 5 and line.norm(at) in _BETWEEN:
        at += 1
    return at if at > index and any(line.norm(place) in _AND | {",", ";"} for place in range(index, at)) else None


def _brackets(line: Line, slot: Slot) -> Iterator[Guess]:
    for match in re.finditer(r"[\[({]([^\[\](){}]+)[\])}]", line.text):
        pieces = [piece.strip(" '\"") for piece in match.group(1).split(",")]
        values: list[Any] = pieces
        if slot.items in _NUMBERS:
            try:
                values = [typed(Decimal(piece), slot.items) for piece in pieces]
            except ArithmeticError:
                continue
        elif len(pieces) < 2:
            continue
        yield from _guess(line, values, match.start(1), match.end(1))
    for match in re.finditer(r"\[\s*\[.*?\]\s*\]", line.text) if slot.items is Wanted.SEVERAL else ():
        try:
            nested = ast.literal_eval(match.group())
        except (ValueError, SyntaxError, TypeError):  # TypeError: a list inside of a set, or as a key
            continue
        yield from _guess(line, nested, match.start(), match.end())


def _guess(line: Line, values: list[Any], start: int, end: int) -> Iterator[Guess]:
    span = span_of(line, start, end)
    if span:
        yield Guess(values, "bracket", *span)
