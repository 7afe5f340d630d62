"""Which words may be the value of which parameter of a tool without examples: by their form and what leads to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

from kernel.composition import weights as w
from kernel.composition.filling.fillers import ACCEPTS, value_for
from kernel.composition.filling.joined import joined
from kernel.composition.scene import NUMBERS, bits
from kernel.composition.schemas import records
from kernel.composition.schemas.known import Form, Slot, says_things
from kernel.composition.schemas.line import FAR, ONLY_HIS, Line, stems_of
from kernel.composition.schemas.texts import texts
from kernel.composition.window import Filler
from kernel.composition.words import is_negation
from kernel.language.amounts.units import BARE_UNITS
from kernel.language.place.zones import MOST_WORDS, zone_of
from kernel.model import Constant, Span
from kernel.slots.schema.words import name_stems
from skills.model import ValueKind

K = ValueKind
_PATHS = (K.FILE, K.FOLDER, K.NEW_FILE)
_COUNTING = frozenset("count limit max maximu top amount".split())
_LATEST = frozenset("last latest newest recent letzten letzte neuesten neueste jüngsten".split())
_SECONDS = frozenset({"second", "sec"})
_SWITCHES = frozenset("includ is use with show enable do has should allow".split())
_OUT_OF_ORDER = 0.04  # for each place by which a value stands elsewhere among its like than its parameter
_OTHER_THING = 0.35  # a file where the parameter is a folder's, or the other way round
_STRAY = 0.5  # how surely words must lead to an optional parameter that takes any words


def values(line: Line) -> dict[str, list[Filler]]:
    """Return the candidates for each parameter, the best first."""
    found: dict[str, list[Filler]] = {}
    for slot in line.known.slots:
        own = [one for one in _of(line, slot) if not one.mask & line.framed]
        if slot.parameter.type.many:
            own = _lists(line, own)
        own = _distinct(own)
        if own:
            found[slot.name] = own
    _in_order(line, found)
    return found


def told_in_part(line: Line, names: Iterable[str]) -> int:
    """Return the words that say a field of an object which ``names`` has and nobody told whole."""
    slots = [one for one in line.known.slots if one.name in names and one.form is Form.RECORD]
    return reduce(or_, (records.told_in_part(line, one, _of) for one in slots), 0)


def _of(line: Line, slot: Slot) -> Iterator[Filler]:
    match slot.form:
        case Form.TEXT:
            yield from texts(line, slot, FAR if slot.parameter.required else _STRAY)
        case Form.RECORD:
            yield from records.records(line, slot, _of)
        case Form.NONE:
            return
        case _:
            yield from _READERS[slot.form](line, slot)


def filler(line: Line, slot: Slot, first: int, last: int, value: Any, score: float, origin: str = "typed") -> Filler:
    """Return the words [first, last) as a value of ``slot``."""
    constant = Constant(value, line.scene.intent.label, line.scene.text(first, last))
    return Filler(slot.name, constant, bits(first, last), first, last, min(score, 1.0), origin)


def _spans(line: Line, kinds: Iterable[ValueKind]) -> list[Span]:
    wanted = frozenset(kinds)
    return [one for one in line.scene.spans_in(line.first, line.last) if one.kind in wanted]


# --- numbers, truth, choices ----------------------------------------------------------------------------------------


def _numbers(line: Line, slot: Slot) -> Iterator[Filler]:
    for span in _spans(line, NUMBERS):
        if slot.parameter.type.kind is K.INTEGER and span.kind is not K.INTEGER:
            continue
        value = span.value if slot.parameter.type.kind is K.INTEGER else _number(span.value)
        led = max(line.leads(slot, span.first, span.last), _counts(line, slot, span))
        first = _latest_before(line, span.first) if led >= ONLY_HIS else span.first
        yield filler(line, slot, first, span.last + _has_unit(line, slot, span.last), value, 0.55 + 0.4 * led)
    if not _SECONDS.isdisjoint(slot.docs | slot.names):
        for span in _spans(line, [K.DURATION]):
            led = line.leads(slot, span.first, span.last)
            yield filler(line, slot, span.first, span.last, _number(span.value), 0.6 + 0.35 * led)


def _has_unit(line: Line, slot: Slot, at: int) -> bool:
    """ "40 percent", or "5 days" for a number of days: the word behind the number belongs to it."""
    if at >= line.last:
        return False
    own = line.scene.never >> at & 1 and not stems_of(line.scene, at).isdisjoint(slot.names | slot.docs)
    return bool(own) or line.scene.tokens[at].norm in BARE_UNITS


def _latest_before(line: Line, first: int) -> int:
    """ "The last 5 commits": where things are counted from the newest, as lists of them are, it says no more."""
    return first - 1 if first > line.begin and line.scene.tokens[first - 1].norm in _LATEST else first


def _number(value: Any) -> Any:
    """A number as JSON has it: whole ones without a point."""
    number = float(value)
    return int(number) if number.is_integer() else number


def _counts(line: Line, slot: Slot, span: Span) -> float:
    """ "5 commits": how many of what the tool is about, for the parameter that limits how many there are."""
    behind = line.scene.right_of(span.last, line.last)
    return ONLY_HIS if not slot.names.isdisjoint(_COUNTING) and behind < line.last and line.is_own(behind) else FAR


def _truths(line: Line, slot: Slot) -> Iterator[Filler]:
    """All words of the name side by side: "include an image", "no image"."""
    wanted = slot.names - _SWITCHES or slot.names
    places = {one: at for at in range(line.begin, line.last) for one in stems_of(line.scene, at) & slot.names}
    if not wanted <= places.keys():
        return
    first, last = min(places.values()), max(places.values()) + 1
    before = [at for at in range(max(line.begin, first - 2), last) if is_negation(line.scene.tokens[at].norm)]
    if last - first <= len(slot.names) + 2:
        yield filler(line, slot, min([first, *before]), last, not before, 0.85, "choice")


def _choices(line: Line, slot: Slot) -> Iterator[Filler]:
    """The words of a choice where they stand; the longest where several begin there."""
    scene = line.scene
    for choice in slot.choices:
        wanted = name_stems(choice) or (choice.casefold(),)
        for at in range(line.begin, line.last - len(wanted) + 1):
            if all(_is_said(line, at + step, one) for step, one in enumerate(wanted)):
                end = at + len(wanted)
                led = line.leads(slot, at, end)
                written = 0.1 * (scene.text(at, end).casefold() == choice.casefold())
                yield filler(line, slot, at, end, choice, 0.6 + 0.3 * led + written, "choice")


def _is_said(line: Line, at: int, wanted: str) -> bool:
    return wanted in stems_of(line.scene, at) or line.scene.tokens[at].norm == wanted


# --- places, times ------------------------------------------------------------------------------------------------


def _paths(line: Line, slot: Slot) -> Iterator[Filler]:
    for span in _spans(line, _PATHS):
        if not isinstance(span.value, str):
            continue
        first = _thing_before(line, span.first)
        is_folder = span.kind is K.FOLDER
        other = (slot.folder and not is_folder) or (slot.file and is_folder and not slot.folder)
        score = 0.35 + 0.35 * span.confidence + 0.3 * line.leads(slot, first, span.last)
        found = filler(line, slot, span.first, span.last, span.value, score - _OTHER_THING * other)
        absent = span.source == "missing" and slot.parameter.type.kind is K.FILE
        yield replace(found, missing=absent)


def _thing_before(line: Line, first: int) -> int:
    """Where "the file ~/a.txt" begins: what says that a path follows leads nowhere."""
    at = line.scene.left_of(first, line.first)
    return at if at >= line.begin and says_things(line.scene.tokens[at].norm) else first


def _zones(line: Line, slot: Slot) -> Iterator[Filler]:
    for first in range(line.begin, line.last):
        for last in range(min(line.last, first + MOST_WORDS), first, -1):
            zone = zone_of(line.scene.text(first, last)) if line.scene.words[first] else ""
            if zone and not (last == first + 1 and line.scene.free[first]):
                yield filler(line, slot, first, last, zone, 0.65 + 0.35 * line.leads(slot, first, last))
                break


def _clocks(line: Line, slot: Slot) -> Iterator[Filler]:
    for span in _spans(line, [K.HOURS]):
        if not span.value["rough"] and not span.value["end"]:
            yield filler(line, slot, span.first, span.last, span.value["start"], 0.95)


def _days(line: Line, slot: Slot) -> Iterator[Filler]:
    for span in _spans(line, [K.DATE]):
        led = line.leads(slot, span.first, span.last)
        yield filler(line, slot, span.first, span.last, str(span.value), 0.6 + 0.4 * led)


def _patterns(line: Line, slot: Slot) -> Iterator[Filler]:
    for span in _spans(line, [K.QUERY]):
        if span.source in ("glob", "quoted"):
            yield filler(line, slot, span.first, span.last, span.value, 0.9)
    yield from texts(line, slot, ONLY_HIS)


def _typed(line: Line, slot: Slot) -> Iterator[Filler]:
    kind = slot.parameter.type.kind
    for span in _spans(line, ACCEPTS[kind]):
        value = value_for(kind, span, line.scene)
        led = line.leads(slot, span.first, span.last)
        weight = ACCEPTS[kind][span.kind]
        yield filler(line, slot, span.first, span.last, value, weight * (0.6 * span.confidence + 0.35 * led))


# --- several ------------------------------------------------------------------------------------------------------


def _lists(line: Line, own: list[Filler]) -> list[Filler]:
    """Neighbours as one list; a single one is a list of one."""
    runs = list(joined(line.scene, _longest(own)))
    return [*runs, *(replace(one, argument=_as_list(one)) for one in own)]


def _longest(own: list[Filler]) -> list[Filler]:
    """Of those that overlap the surest, and of these the longest."""
    kept: list[Filler] = []
    for one in sorted(own, key=lambda one: (-round(one.score, 1), one.first - one.last)):
        if not any(one.mask & other.mask for other in kept):
            kept.append(one)
    return kept


def _as_list(one: Filler) -> Constant:
    """A list of the one value, which stays the word of whoever said it."""
    assert isinstance(one.argument, Constant)
    return replace(one.argument, value=[one.argument.value])


def _distinct(own: list[Filler]) -> list[Filler]:
    best: dict[int, Filler] = {}
    for one in own:
        if one.mask not in best or one.score > best[one.mask].score:
            best[one.mask] = one
    return sorted(best.values(), key=lambda one: -one.score)[: 2 * w.FILLERS]


def _in_order(line: Line, found: dict[str, list[Filler]]) -> None:
    """Values of one form come in the order of their parameters, where nothing says otherwise."""
    for form in (Form.NUMBER, Form.PATH, Form.ZONE, Form.DAY):
        alike = [slot.name for slot in line.known.slots if slot.form is form and slot.parameter.required]
        if len(alike) < 2:
            continue
        starts = sorted({one.first for name in alike for one in found.get(name, ())})
        for place, name in enumerate(alike):
            found[name] = [
                replace(one, score=one.score - _OUT_OF_ORDER * abs(starts.index(one.first) - place))
                for one in found.get(name, ())
            ]


_READERS: Mapping[Form, Callable[[Line, Slot], Iterator[Filler]]] = {
    Form.NUMBER: _numbers,
    Form.TRUTH: _truths,
    Form.CHOICE: _choices,
    Form.PATH: _paths,
    Form.ZONE: _zones,
    Form.CLOCK: _clocks,
    Form.DAY: _days,
    Form.PATTERN: _patterns,
    Form.TYPED: _typed,
}
