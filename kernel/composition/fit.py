"""One task: the best ways to read a stretch of words as one call of one tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kernel.composition import weights as w
from kernel.composition.filling.companions import lacking
from kernel.composition.filling.fillers import FREE_TEXT, text_fillers
from kernel.composition.filling.outcome_words import OUTCOME
from kernel.composition.likeness import features_in, left_out, nearest_example
from kernel.composition.profiles.profile import Box, Profile
from kernel.composition.scene import Scene, bits
from kernel.composition.steps.flow import flow_fillers
from kernel.composition.steps.found import found_fillers, says_twice, unsaid
from kernel.composition.steps.operand import open_one, operand, takes_operand
from kernel.composition.steps.results import Source
from kernel.composition.steps.together import together_fillers
from kernel.composition.steps.unsaid import implicit_fillers
from kernel.composition.stretch import Stretch
from kernel.composition.unexplained import residue, unexplained, without_values
from kernel.composition.unit_words import open_units
from kernel.composition.vouching import is_anchored, is_limited
from kernel.composition.window import Filler, Flow
from kernel.composition.words import (
    is_foremost,
    is_free,
    is_plural,
    is_word,
    verb_number,
)
from kernel.language.amounts.open_expressions import HOLE
from kernel.language.function_words import is_question_word
from kernel.model import Constant, ReferenceKind
from skills.model import ToolId


@dataclass(frozen=True, slots=True)
class Step:
    """One call in the making."""

    profile: Profile
    first: int
    last: int
    fillers: tuple[Filler, ...]
    missing: tuple[str, ...]
    similarity: float
    unexplained: float
    words: tuple[int, ...]  # the unexplained tokens
    cost: float
    grave: bool = False  # a negation or a number is among the unexplained
    excused: float = 0.0  # of the unexplained cost, what a near example excuses in the ranking
    left_out: float = 0.0  # share of the nearest example's own words that the sentence does not have
    described: bool = False  # the object of another step, named by a noun phrase

    @property
    def tool(self) -> ToolId:
        """The tool's id."""
        return self.profile.tool.id

    @property
    def shape(self) -> tuple[object, ...]:
        """What tells this call from others: tool, words, and what each parameter takes."""
        return (self.tool, self.first, self.last, tuple(_taken(one) for one in self.fillers))

    @property
    def weakest(self) -> float:
        """The lowest score of an argument, 1 without arguments."""
        return min((one.score for one in self.fillers), default=1.0)

    @property
    def single(self) -> bool:
        """Tell whether the result is certainly one thing."""
        if not self.profile.tool.result.many:
            return True
        if self._is_each() == 1:
            return True
        count = next((one for one in self.fillers if one.parameter == self.profile.count), None)
        return count is not None and isinstance(count.argument, Constant) and count.argument.value == 1

    def _is_each(self) -> int:
        """How many things were given to a tool that changes each of them and returns them; 0 when that is open."""
        if self.profile.is_pure:
            return 0
        kind = self.profile.tool.result.kind
        types = {one.parameter: self.profile.parameter(one.parameter).type for one in self.fillers}
        given = [
            one.argument.value
            for one in self.fillers
            if isinstance(one.argument, Constant) and types[one.parameter].kind is kind and types[one.parameter].many
        ]
        return len(given[0]) if len(given) == 1 and isinstance(given[0], list) else 0


def _taken(one: Filler) -> tuple[object, ...]:
    value: object = one.argument if isinstance(one.argument, Flow) else repr(one.argument.value)
    return (one.parameter, one.mask, value, *map(repr, one.beside))


@dataclass(frozen=True, slots=True)
class _Partial:
    fillers: tuple[Filler, ...]
    mask: int
    gain: float
    missing: tuple[str, ...]


def read(
    stretch: Stretch,
    *,
    sources: tuple[Source, ...] = (),
    extra: Mapping[str, list[Filler]] | None = None,
    words: Mapping[str, list[Filler]] | None = None,
    keep: int = 3,
    whole: bool = False,
) -> list[Step]:
    """Return the best readings of the stretch as a call of its tool, cheapest first.

    ``words`` is what its words may be, where that was read already. Where only ``whole`` ones are wanted (nothing
    missing, nothing unexplained), others may be left out.
    """
    scene, profile, first, last = stretch.scene, stretch.profile, stretch.first, stretch.last
    found = text_fillers(scene, profile, stretch.box, first, last) if words is None else words
    candidates = _candidates(stretch, found, sources, extra or {})
    idle = _idle_choices(stretch.scene, candidates)
    partials = assign(stretch.profile, candidates, residue(stretch.scene, stretch.profile))
    partials = [one for one in partials if not says_twice(profile, one.fillers)]
    taking = (_with_unsaid(stretch, one, sources) for one in partials[: keep + 1])
    steps = [_step(stretch, partial, idle) for partial in taking if not whole or _may_be_whole(stretch, partial)]
    lacks = lacking(stretch.scene, stretch.profile.tool, stretch.first, stretch.last)
    steps = [one for one in steps if lacks.isdisjoint(one.missing)]  # nobody is asked for what was not spoken of
    steps = [one for one in steps if one.fillers or not lacks]  # nor is that called with nothing
    return sorted(steps, key=lambda step: step.cost)[:keep]


def _may_be_whole(stretch: Stretch, partial: _Partial) -> bool:
    """Cheap to tell: no value is missing, and none stands there that is not taken."""
    values = stretch.scene.never & bits(stretch.first, stretch.last)
    return not partial.missing and not values & ~partial.mask


def _with_unsaid(stretch: Stretch, partial: _Partial, sources: tuple[Source, ...]) -> _Partial:
    """With what no word says: the number that arithmetic works on, the one thing of the skill's own that was found."""
    partial = with_operand(stretch.scene, stretch.profile, partial, sources)
    found = unsaid(stretch.scene, stretch.profile, partial.fillers, sources, stretch.first, stretch.last)
    return partial if found is None else replace(partial, fillers=(*partial.fillers, found))


def with_operand(scene: Scene, profile: Profile, partial: _Partial, sources: tuple[Source, ...]) -> _Partial:
    """Return ``partial`` with the earlier number that its arithmetic works on, or without it as missing."""
    arithmetic = open_one(partial.fillers) if takes_operand(profile) else None
    if arithmetic is None:
        return partial
    found = operand(scene, arithmetic, sources)
    if found is None:
        return replace(partial, missing=(*partial.missing, HOLE))
    return replace(partial, fillers=(*partial.fillers, found))


def _candidates(
    stretch: Stretch,
    words: Mapping[str, list[Filler]],
    sources: tuple[Source, ...],
    extra: Mapping[str, list[Filler]],
) -> dict[str, list[Filler]]:
    scene, profile, first, last = stretch.scene, stretch.profile, stretch.first, stretch.last
    found = dict(words)
    pointed = flow_fillers(scene, profile, sources, first, last) | found_fillers(scene, profile, sources, first, last)
    several = together_fillers(scene, profile, sources, first, last) if stretch.box.gatherer is not None else {}
    for more in (pointed, several, extra):
        for name, fillers in more.items():
            found[name] = [*found.get(name, []), *fillers]
    found = {name: _without_faint(profile, name, _without_echo(scene, own)) for name, own in found.items()}
    if takes_operand(profile):
        found.pop(HOLE, None)  # it comes with the arithmetic
    for parameter in profile.tool.parameters if sources else ():
        if parameter.required:
            implicit = list(implicit_fillers(profile, parameter, sources, scene, first, last))
            found[parameter.name] = [*found.get(parameter.name, []), *implicit]
    return found


def _idle_choices(scene: Scene, candidates: Mapping[str, list[Filler]]) -> tuple[Filler, ...]:
    """Choices in closed-class words: nothing else would notice when they are left unused."""
    return tuple(
        one
        for fillers in candidates.values()
        for one in fillers
        if one.origin == "choice" and all(scene.free[at] for at in range(one.first, one.last))
    )


def _without_faint(profile: Profile, name: str, fillers: list[Filler]) -> list[Filler]:
    """Words that hardly anything vouches for are no value that a change could do without: "swallows" is no place."""
    if profile.is_pure or name == HOLE or profile.parameter(name).required:
        return fillers
    if profile.parameter(name).type.kind not in FREE_TEXT:
        return fillers
    return [one for one in fillers if one.origin != "doubted" or one.score >= w.OFFER_ARGUMENT]


def _without_echo(scene: Scene, fillers: list[Filler]) -> list[Filler]:
    """Words that describe an earlier result are not also text of their own, unless they are quoted."""
    described = [one.mask for one in fillers if one.origin == "reference" and one.mask]
    if not described:
        return fillers
    return [
        one
        for one in fillers
        if one.origin == "reference"
        or scene.is_quoted(one.first, one.last)
        or not any(one.mask & mask == one.mask for mask in described)
    ]


# --- assignment ---------------------------------------------------------------------------------------------------


def assign(profile: Profile, candidates: Mapping[str, list[Filler]], left: tuple[float, ...]) -> list[_Partial]:
    """Choose at most one candidate a parameter, none overlapping, by gain: words explained minus doubt. Bounded."""
    partials = [_Partial((), 0, 0.0, ())]
    order = sorted(profile.tool.parameters, key=lambda one: (not one.required, -_top(candidates.get(one.name))))
    for parameter in order:
        grown: list[_Partial] = []
        for partial in partials:
            missing = (*partial.missing, parameter.name) if parameter.required else partial.missing
            lost = w.MISSING if parameter.required else 0.0
            grown.append(_Partial(partial.fillers, partial.mask, partial.gain - lost, missing))
            grown += [
                _Partial(
                    (*partial.fillers, one), partial.mask | one.mask, partial.gain + gain_of(one, left), partial.missing
                )
                for one in candidates.get(parameter.name, ())
                if not one.mask & partial.mask
            ]
        partials = sorted(grown, key=lambda one: -one.gain)[: w.PARTIALS]
    return partials


def _top(fillers: list[Filler] | None) -> float:
    return max((one.score for one in fillers or ()), default=0.0)


def gain_of(one: Filler, left: tuple[float, ...]) -> float:
    """Return what a candidate explains minus what it leaves in doubt."""
    explained = sum(left[index] for index in range(one.first, one.last))
    if one.origin == "choice" and not explained:
        explained = w.UNUSED_CHOICE
    if not one.mask:
        return -w.IMPLICIT - w.ARGUMENT * (1.0 - one.score)
    return explained - w.ARGUMENT * (1.0 - one.score)


# --- scoring ------------------------------------------------------------------------------------------------------


def _step(stretch: Stretch, partial: _Partial, idle: tuple[Filler, ...]) -> Step:
    fillers = tuple(sorted(partial.fillers, key=lambda one: one.first))
    features = features_in(stretch, fillers, partial.missing)
    similarity, nearest = nearest_example(stretch, features)
    doubt = unexplained(stretch, fillers, nearest, features, partial.missing)
    if not fillers and not partial.missing:
        doubt = without_values(stretch, features, doubt)
    unsaid = left_out(stretch, similarity, features)
    cost = w.TASK + w.DISTANCE * (1.0 - similarity) + doubt.cost + missing_cost(len(partial.missing))
    cost += sum(w.ARGUMENT * (1.0 - one.score) + (0.0 if one.mask else w.IMPLICIT) for one in fillers)
    cost -= w.APART * sum(bool(one.mask) for one in fillers)
    cost += w.LEFT_OUT * unsaid + w.UNUSED_CHOICE * _unused(partial, idle)
    cost += w.LIGHT * open_units(stretch, fillers)
    cost += w.LIMITED_STEP if is_limited(stretch.profile, fillers) else 0.0
    if not is_anchored(stretch, fillers, partial.mask):
        cost += w.UNANCHORED
        similarity *= 0.3
    step = Step(
        stretch.profile, stretch.first, stretch.last, fillers, partial.missing,
        similarity, doubt.cost, doubt.words, cost, doubt.grave, left_out=unsaid,
    )  # fmt: skip
    return _with_count(stretch.scene, _without_outcomes(step))


def _without_outcomes(step: Step) -> Step:
    """ "Put the number in my note": what no step came to is asked for; the words say all the same what they are."""
    absent = tuple(one.parameter for one in step.fillers if one.origin == OUTCOME)
    if not absent:
        return step
    fillers = tuple(one for one in step.fillers if one.origin != OUTCOME)
    return replace(step, fillers=fillers, missing=(*step.missing, *absent))


def missing_cost(count: int) -> float:
    """Return what missing values cost: who leaves out one often leaves out the other."""
    return w.MISSING * (1.0 + w.MISSING_MORE * (count - 1)) if count else 0.0


def _unused(partial: _Partial, idle: tuple[Filler, ...]) -> int:
    filled = {one.parameter for one in partial.fillers}
    return sum(one.parameter not in filled and not one.mask & partial.mask for one in idle)


# --- one or many --------------------------------------------------------------------------------------------------


def _with_count(scene: Scene, step: Step) -> Step:
    """ "The latest invoice" is one thing: an extreme of a singular noun asks for one result."""
    count = step.profile.count
    if not count or any(one.parameter == count for one in step.fillers):
        return step
    order = next((one for one in step.fillers if one.parameter in step.profile.ordering and one.mask), None)
    if order is None or is_foremost(scene.tokens[order.last - 1].norm) or not _is_singular(scene, step, order):
        return step
    one = Filler(
        count,
        Constant(1, scene.intent.label, scene.text(order.first, order.last)),
        0,
        order.first,
        order.first,
        1.0,
        "singular",
    )
    return replace(step, fillers=(*step.fillers, one))


def _is_singular(scene: Scene, step: Step, order: Filler) -> bool:
    picks = next(
        (one for one in scene.references if one.kind is ReferenceKind.EXTREME and one.first < order.last), None
    )
    if picks is not None and not picks.nouns and order.first < picks.last:
        return picks.ordinal == 1
    head = None
    for index in range(order.last, step.last):
        token = scene.tokens[index]
        covered = [one for one in step.fillers if one.mask >> index & 1]
        if not is_word(token) or (is_free(token) and not covered and token.norm not in {"one", "ones"}):
            break
        if any(one.mask & scene.hard for one in covered):
            break
        head = index
    if head is not None:
        return not is_plural(scene.tokens[head])
    numbers = [verb_number(scene.tokens[index].norm) for index in range(step.first, step.last)]
    return any(number is False for number in numbers)


def with_dense(scene: Scene, box: Box, step: Step, dense: float, lag: float) -> Step:
    """Return ``step`` with what vectors add: a clause that means like an example is nearer than its words say.

    ``dense`` is the cosine of the clause with the tool's nearest example, ``lag`` how far another tool is ahead. A verb
    that no manifest has is excused in the ranking of tools that only read (to hide a file is near to deleting it, and
    is not it); such a plan is asked about, never acted on.
    """
    near = min(1.0, max(0.0, (dense - w.DENSE_FROM) / w.DENSE_RANGE))
    if not near and not lag:
        return step
    apart = 1.0 - step.similarity
    may_excuse = step.profile.is_pure and not step.grave and _is_unknown_verb(scene, box, step)
    excused = near * w.EXCUSE if may_excuse else 0.0
    cost = step.cost - excused - w.DISTANCE * w.NEARER * near * apart + w.LAG * max(0.0, lag) * apart
    return replace(step, similarity=step.similarity + w.NEARER * near * apart, excused=excused, cost=cost)


def _is_unknown_verb(scene: Scene, box: Box, step: Step) -> bool:
    """The only unexplained word is the clause's first content word, and no tool's manifest has it."""
    if len(step.words) != 1:
        return False
    at = step.words[0]
    opening = all(scene.free[index] for index in range(step.first, at))
    asks = any(is_question_word(scene.tokens[index].norm) for index in range(step.first, at))
    language = scene.intent.language
    known = box.is_carrier(scene.forms[at], language) or box.is_choice(scene.forms[at], language)
    return opening and not asks and not known


def flows(step: Step) -> tuple[Flow, ...]:
    """Return the flows that the step's arguments take."""
    given = (value for one in step.fillers for value in (one.argument, *one.beside))
    return tuple(value for value in given if isinstance(value, Flow))


def covered(step: Step) -> int:
    """Return the mask of the step's words."""
    return bits(step.first, step.last)
