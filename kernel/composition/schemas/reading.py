"""One stretch of words as a call of a tool without examples: what speaks for it, what it explains, what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from kernel.composition import weights as w
from kernel.composition.fit import Step, assign, missing_cost
from kernel.composition.schemas.known import PLAIN_VERBS, SHOWING, Form, Known
from kernel.composition.schemas.line import Line, stems_of
from kernel.composition.schemas.values import told_in_part, values
from kernel.composition.steps.flow import flow_fillers
from kernel.composition.steps.results import Source
from kernel.composition.steps.unsaid import implicit_fillers
from kernel.composition.stretch import Stretch
from kernel.composition.window import Filler
from kernel.composition.words import is_light
from kernel.language.function_words import is_question_word
from kernel.language.place.place_words import INDEFINITE
from kernel.language.roles import names_something, says_something
from kernel.slots.schema.words import stem
from skills.model import ValueKind
from skills.roles import says_it_takes_away

HANDICAP = 0.3  # by which a tool without examples is dearer than one with some
_PLAIN = 0.3  # weight of a verb that hardly tells tools apart
_ENOUGH = 4.0  # words of a first sentence of which more need not be said
_SURE = 0.95  # the best that a schema alone can say
_EVERY: Mapping[str, float] = MappingProxyType({})
_OTHER_DEED = 0.15  # for a verb that is not the tool's
_OUTDATED = 0.2  # for a tool that calls itself deprecated
LEAST_COST = w.TASK + HANDICAP + w.DISTANCE * (1.0 - _SURE)
"""What the best reading by a schema costs."""

_ONLY_PLAIN = 0.5  # of a name that is nothing but such a verb
_HALF, _MOST, _ALL_BUT = 0.5, 0.6, 0.75  # shares of a name or of a first sentence

_IMPLIED: Mapping[Form, frozenset[str]] = {
    Form.PATH: frozenset(map(stem, "file folder directory path".split())),
    Form.NUMBER: frozenset(map(stem, ["number"])),
    Form.CLOCK: frozenset(map(stem, ["time"])),
    Form.ZONE: frozenset(map(stem, ["timezone", "zone"])),
    Form.DAY: frozenset(map(stem, ["date", "day"])),
}
"""What a value says of itself: nobody has to call ~/Documents a directory."""


@dataclass(frozen=True, slots=True)
class _Speaking:
    """How much of a tool's own words is said, 0..1 each."""

    name: float
    summary: float

    @property
    def similarity(self) -> float:
        """How near the sentence is to what the tool says of itself."""
        by_name = 0.85 * self.name + 0.15 * self.summary
        return min(_SURE, max(by_name, 0.4 * self.name + 0.6 * self.summary))


def read_by_schema(
    stretch: Stretch, known: Known, framed: int, *, sources: tuple[Source, ...] = (), keep: int = 3
) -> list[Step]:
    """Return the best readings of the stretch as a call of ``known``, cheapest first.

    ``framed`` is the mask of words that name the tool or its server: they need no explanation, and speak for it.
    """
    line = Line(stretch.scene, known, stretch.first, stretch.last, framed)
    left = _left(line)
    candidates = _candidates(stretch, line, sources)
    partials = assign(stretch.profile, candidates, left)[: keep + 2]
    idle = _idle_choices(line, candidates)
    steps = [_step(stretch, line, left, one.fillers, one.missing, one.mask) for one in partials]
    steps = [replace(one, cost=one.cost + w.UNUSED_CHOICE * _unused(one, idle)) for one in steps]
    return sorted(steps, key=lambda one: one.cost)[:keep]


def _idle_choices(line: Line, candidates: Mapping[str, list[Filler]]) -> list[Filler]:
    """Choices in words of grammar ("all"): nothing else would notice when they are left unused."""
    choices = (one for own in candidates.values() for one in own if one.origin == "choice")
    return [one for one in choices if all(line.scene.free[at] for at in range(one.first, one.last))]


def _unused(step: Step, idle: Iterable[Filler]) -> int:
    filled = {one.parameter for one in step.fillers}
    return sum(one.parameter not in filled for one in idle)


def _candidates(stretch: Stretch, line: Line, sources: tuple[Source, ...]) -> dict[str, list[Filler]]:
    """What the words say, and what earlier results may serve for: a path or a zone is no text that was found."""
    found = values(line)
    scene, profile = stretch.scene, stretch.profile
    flows = flow_fillers(scene, profile, sources, line.first, line.last)
    for slot in line.known.slots if sources else ():
        if slot.parameter.type.kind is ValueKind.TEXT and slot.form is not Form.TEXT:
            continue
        own = [one for one in flows.get(slot.name, ()) if not one.mask & line.framed]
        if slot.parameter.required and (slot.form is not Form.TEXT or slot.is_long):
            own += implicit_fillers(profile, slot.parameter, sources, scene, line.first, line.last)
        found[slot.name] = [*own, *found.get(slot.name, [])]
    return found


def _left(line: Line) -> tuple[float, ...]:
    """What each word costs that neither the schema nor the name explains."""
    scene = line.scene
    return tuple(0.0 if line.framed >> at & 1 else _cost(line, at) for at in range(scene.size))


def _is_grammar(line: Line, at: int) -> bool:
    """ "Called" only says that a name follows."""
    norm = line.scene.tokens[at].norm
    return names_something(norm) or says_something(norm)


def _cost(line: Line, at: int) -> float:
    cost = line.scene.costs[at]
    if not cost or line.scene.never >> at & 1:
        return cost
    if _is_grammar(line, at):
        return 0.0
    return cost * (1.0 - max((line.known.explained.get(one, 0.0) for one in stems_of(line.scene, at)), default=0.0))


def _step(
    stretch: Stretch,
    line: Line,
    left: tuple[float, ...],
    fillers: tuple[Filler, ...],
    missing: tuple[str, ...],
    mask: int,
) -> Step:
    fillers = tuple(sorted(fillers, key=lambda one: one.first))
    mask |= told_in_part(line, missing)
    words = tuple(at for at in stretch.indexes if left[at] and not mask >> at & 1 and not _points_at(line, at, missing))
    doubt = sum(left[at] for at in words)
    speaking = _speaking(line, fillers, mask)
    other = _does_another(line, mask)
    similarity = max(0.0, speaking.similarity - _OTHER_DEED * other - _OUTDATED * line.known.outdated)
    cost = w.TASK + HANDICAP + w.DISTANCE * (1.0 - similarity) + doubt + missing_cost(len(missing))
    cost += sum(w.ARGUMENT * (1.0 - one.score) + (0.0 if one.mask else w.IMPLICIT) for one in fillers)
    if not _is_anchored(line, speaking, fillers, missing) or (other and says_it_takes_away(line.known.tool.function)):
        cost, similarity = cost + w.UNANCHORED, similarity * 0.3
    grave = any(left[at] >= w.NUMBER for at in words)
    return Step(stretch.profile, stretch.first, stretch.last, fillers, missing, similarity, doubt, words, cost, grave)


def _does_another(line: Line, mask: int) -> bool:
    """The clause begins with a verb that is not what the tool says it does; all that show something "show" it."""
    scene = line.scene
    at = next((one for one in range(line.begin, line.last) if scene.words[one] and not scene.free[one]), line.last)
    if at == line.last or (mask | line.framed) >> at & 1:
        return False
    said, own = stems_of(scene, at), line.known.deeds
    if is_light(scene.tokens[at].norm) or not said.isdisjoint(SHOWING):
        return own.isdisjoint(SHOWING) and own.isdisjoint(said)
    return said.isdisjoint(own | line.known.server)


def _points_at(line: Line, at: int, missing: Iterable[str]) -> bool:
    """ "Show its status", "to another zone": what is missing is pointed at, or some other one."""
    points = line.scene.pointing >> at & 1 or line.scene.tokens[at].norm in INDEFINITE
    return bool(points) and any(True for _ in missing)


# --- what speaks for it ---------------------------------------------------------------------------------------------


def _speaking(line: Line, fillers: tuple[Filler, ...], mask: int) -> _Speaking:
    said = _said(line, fillers, mask)
    names = _share(line.known.names, said, len(line.known.names), line.known.rare)
    if line.known.names.keys() <= PLAIN_VERBS:
        names *= _ONLY_PLAIN
    return _Speaking(names, _share(line.known.summary, said, _ENOUGH))


def _said(line: Line, fillers: tuple[Filler, ...], mask: int) -> frozenset[str]:
    """The stems of the words beside the values, of the name that the tool was called by, and what values imply."""
    forms = {slot.name: slot.form for slot in line.known.slots}
    beside = (at for at in range(line.first, line.last) if not mask >> at & 1)
    found = {one for at in beside for one in stems_of(line.scene, at)}
    found |= {one for filler in fillers for one in _IMPLIED.get(forms[filler.parameter], ())}
    found |= line.known.server if line.framed else set()
    if any(_asks(line, at) for at in range(line.first, line.last)):
        found |= PLAIN_VERBS
    return frozenset(found)


def _asks(line: Line, at: int) -> bool:
    """A question and a verb that only frames a request ask for whatever a tool gives, shows or lists."""
    norm = line.scene.tokens[at].norm
    return is_question_word(norm) or is_light(norm)


def _share(
    words: Mapping[str, frozenset[str]], said: frozenset[str], most: float, rare: Mapping[str, float] = _EVERY
) -> float:
    """How much of the words is said, by weight; of more than ``most`` words not all have to be."""
    weights = {one: _PLAIN if one in PLAIN_VERBS else rare.get(one, 1.0) for one in words}
    whole = min(sum(weights.values()), most)
    own = sum(weight for one, weight in weights.items() if not words[one].isdisjoint(said))
    return min(1.0, own / whole) if whole else 0.0


def _is_anchored(line: Line, speaking: _Speaking, fillers: tuple[Filler, ...], missing: tuple[str, ...]) -> bool:
    """Whether the tool is spoken of: called by its name, most of its own name is said, or of its description.

    One word of two ("open" of "open nodes") is enough beside half of the description: what is opened is the question. A
    call that takes nothing, and lacks nothing, is what its words say.
    """
    if line.framed:
        return True
    if not fillers and not missing:
        return speaking.name >= 1.0 or speaking.summary >= _ALL_BUT
    if speaking.summary >= _MOST:
        return True
    telling = {one: alike for one, alike in line.known.names.items() if one not in PLAIN_VERBS}
    if not telling:
        return speaking.summary >= _HALF
    said = _said(line, (), sum({one.mask for one in fillers}))
    named = any(not alike.isdisjoint(said) for alike in telling.values())
    return named and (speaking.name >= _MOST or speaking.summary >= _HALF)
