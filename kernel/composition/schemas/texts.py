"""Words for a parameter that takes any: quoted, or behind what leads to it, up to where something else begins."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.composition.filling.standing import JOINING
from kernel.composition.scene import bits
from kernel.composition.schemas.known import WRITTEN, Slot
from kernel.composition.schemas.line import Line, stems_of
from kernel.composition.window import Filler
from kernel.composition.words import is_negation
from kernel.language.roles import names_something, says_something
from kernel.model import Constant
from skills.model import ValueKind

_MOST = 6  # words of a short value
_OWN_WORD = 0.12  # for a word inside that is one of the tool's
_FURTHER = 0.12  # for each border that a value runs over
_BORDERS = 4
_BETWEEN = JOINING | {","}


def texts(line: Line, slot: Slot, needed: float) -> Iterator[Filler]:
    """Yield what the words may say for ``slot``, where they are led to at least as surely as ``needed``."""
    yield from _quoted(line, slot)
    long = slot.is_long
    for first in range(line.begin, line.last):
        led = _led(line, slot, first) if _may_begin(line, first) else 0.0
        if led < needed or not _opens(line, slot, first):
            continue
        for last, borders in _ends(line, first, long=long):
            one = _text(line, slot, first, last, led, borders)
            if one is not None:
                yield one


def _quoted(line: Line, slot: Slot) -> Iterator[Filler]:
    for span in line.scene.spans_in(line.first, line.last):
        if span.source == "quoted" and span.kind is ValueKind.TEXT:
            led = line.leads(slot, span.first, span.last)
            yield _filler(line, slot, span.first, span.last, str(span.value), 0.65 + 0.35 * led, "quoted")


def _filler(line: Line, slot: Slot, first: int, last: int, text: str, score: float, origin: str) -> Filler:
    constant = Constant(text, line.scene.intent.label, line.scene.text(first, last))
    return Filler(slot.name, constant, bits(first, last), first, last, min(score, 1.0), origin)


def _may_begin(line: Line, first: int) -> bool:
    scene = line.scene
    return scene.words[first] and not line.is_value(first) and not line.framed >> first & 1


def _opens(line: Line, slot: Slot, first: int) -> bool:
    """No value begins with a word of grammar (but a text of its own does), or with a word that leads to it."""
    at = first + (line.scene.determiners[first] and first + 1 < line.last)
    if not stems_of(line.scene, at).isdisjoint(slot.names | (slot.docs & WRITTEN if slot.is_long else frozenset())):
        return False
    norm = line.scene.tokens[first].norm
    if says_something(norm) or names_something(norm):
        return False
    return not line.scene.free[first] or (slot.is_long and not line.is_border(first))


def _led(line: Line, slot: Slot, first: int) -> float:
    """How surely something leads to a value that begins here; in a list, how surely to the first of it."""
    if slot.parameter.type.many:
        while first > line.begin + 1 and line.scene.tokens[first - 1].norm in _BETWEEN:
            first = _begins(line, first - 1)
    return line.leads(slot, first, first + 1)


def _begins(line: Line, end: int) -> int:
    """Where the words that end before ``end`` begin."""
    at = end - 1
    while at > line.begin and not line.is_border(at - 1) and not line.is_own(at - 1):
        at -= 1
    return max(at, line.begin)


def _ends(line: Line, first: int, *, long: bool) -> Iterator[tuple[int, int]]:
    """Yield where a value that begins at ``first`` may end, and how many borders lie inside."""
    borders = 0
    final = line.last
    while final > first + 1 and (not line.scene.words[final - 1] or line.framed >> (final - 1) & 1):
        final -= 1
    for end in range(first + 1, final):
        if line.framed >> end & 1:
            break
        if line.is_border(end):
            yield end, borders
            borders += 1
            if borders > (_BORDERS if long else 0) or (line.is_value(end) and not long):
                return
    yield final, 0 if long else borders


def _text(line: Line, slot: Slot, first: int, last: int, led: float, borders: int) -> Filler | None:
    scene = line.scene
    inside = range(first, last)
    if any(is_negation(scene.tokens[at].norm) for at in inside) or scene.cuts_quote(bits(first, last)):
        return None
    if line.counts(first, last):
        return None
    own = sum(line.is_own(at) for at in inside)
    content = sum(not scene.free[at] for at in inside)
    own_alone = own >= content and (own > 0 or not slot.is_long)  # "hello" is no word of the tool
    if (own_alone and not _is_written(line, first, last)) or (scene.free[last - 1] and not line.closes(last)):
        return None
    long = slot.is_long
    score = 0.4 + 0.5 * led - _OWN_WORD * own - _FURTHER * borders
    score -= 0.0 if long else 0.1 * max(0, last - first - _MOST)
    score += 0.08 * _is_written(line, first, last)
    text = scene.text(first, last)
    return _filler(line, slot, first, last, text, score, "text") if text else None


def _is_written(line: Line, first: int, last: int) -> bool:
    """A name or a code: a capital where no sentence begins, a figure, a mark inside a word."""
    text = line.scene.text(first, last)
    capital = first > line.begin and text[:1].isupper() and line.scene.intent.language == "en"
    return capital or any(letter.isdigit() or letter in "-_/@#" for letter in text)
