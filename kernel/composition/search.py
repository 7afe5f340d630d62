"""Search: clauses, tools and arguments are chosen together, as the cheapest typed composition.

Every boundary is optional. A state is a list of steps for the words so far; it is extended by reading the words up to
a later boundary as one call (which may take results of earlier steps), or as a described object and a call on it.
Bounded: boundaries, segments, tools a segment, states a boundary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from kernel.composition import weights as w
from kernel.composition.fillers import window_of
from kernel.composition.fit import Step, argument_source, read, sources_of, with_dense
from kernel.composition.flow import Source, fit
from kernel.composition.free_text import is_announced, regions
from kernel.composition.profile import Box, Profile
from kernel.composition.scene import Scene, bits
from kernel.composition.scoring import Stretch, is_known, is_limited
from kernel.composition.window import Filler, Flow
from kernel.composition.words import is_article, is_indefinite, is_plural
from kernel.language.function_words import is_question_word
from kernel.model import Boundary, Candidate, Constant, Intent
from skills.model import Parameter, ToolId, ValueKind, ValueType

K = ValueKind
_SHARED = frozenset({K.FILE, K.FOLDER, K.TABLE, K.DATE})
_READ = frozenset({K.RECORD, K.DATE, K.TEXT})
"""What another tool may have to read first: "add [the total of a.pdf] to b.csv"."""
_NAMED = frozenset({K.FILE, K.DATE, K.EXPRESSION, K.QUANTITY})
_FOUND = _READ | {K.FILE, K.TABLE}


@dataclass(frozen=True, slots=True)
class Draft:
    """A composition for the words so far: its steps in order and its cost."""

    steps: tuple[Step, ...]
    cost: float
    skipped: tuple[int, ...] = ()  # content words outside every step
    topics: tuple[Source, ...] = ()  # what was only named, to be worked on later: "take a.csv, ..."

    @property
    def tools(self) -> tuple[ToolId, ...]:
        """The tools in order, without those that only find a described object."""
        return tuple(step.tool for step in self.steps if not step.described)


@dataclass(frozen=True, slots=True)
class Segment:
    """Words [first, last) between two places where a clause may begin or end; ``price`` is that of its boundaries."""

    first: int
    last: int
    after: int  # where the next clause begins
    price: float
    strained: bool = False  # it runs over a strong boundary, so it is hardly one clause


@dataclass(slots=True)
class Search:
    """One search over one sentence."""

    scene: Scene
    box: Box
    candidates: Mapping[tuple[int, int], tuple[Candidate, ...]]
    old: tuple[Source, ...] = ()
    memo: dict[tuple[object, ...], list[tuple[Step, ...]]] = field(default_factory=dict)

    def run(self) -> list[Draft]:
        """Return complete drafts, cheapest first; stretches over strong boundaries only when others leave doubts."""
        segments = segments_of(self.scene.intent)
        plain = [one for one in segments if not one.strained]
        done = self._run(plain) if len(plain) < len(segments) else []
        return done if done and _is_settled(done[0]) else self._run(segments)

    def _run(self, segments: list[Segment]) -> list[Draft]:
        starts = sorted({one.first for one in segments})
        states: dict[int, list[Draft]] = defaultdict(list)
        for start, price in begins(self.scene.intent):
            states[start].append(Draft((), price))
        done: list[Draft] = []
        for start in starts:
            here = _best(states[start])
            for segment in (one for one in segments if one.first == start):
                for draft in here:
                    grown = list(self._extend(draft, segment))
                    (done if segment.after >= self.scene.size else states[segment.after]).extend(grown)
        return sorted((one for one in done if one.steps), key=lambda one: one.cost)[: 2 * w.BEAM]

    def _extend(self, draft: Draft, segment: Segment) -> Iterable[Draft]:
        skipped = [at for at in range(segment.first, segment.last) if self.scene.costs[at]]
        if not skipped:
            yield replace(draft, cost=draft.cost + segment.price)
            return
        topic = self._topic(segment)
        if topic is not None:
            yield replace(draft, cost=draft.cost + segment.price + w.TASK, topics=(*draft.topics, topic))
        if len(draft.steps) >= w.MAX_TASKS:
            return
        for steps in self._readings(draft, segment):
            cost = draft.cost + segment.price + sum(step.cost for step in steps)
            yield replace(draft, steps=(*draft.steps, *steps), cost=cost)

    def _topic(self, segment: Segment) -> Source | None:
        """The thing that "take a.csv" names, when the clause says nothing else."""
        scene = self.scene
        said = [at for at in range(segment.first, segment.last) if scene.costs[at]]
        if scene.opener not in said:
            return None
        for span in scene.spans_in(segment.first, segment.last):
            if span.kind is K.FILE and span.source != "missing" and set(said[1:]) <= set(range(span.first, span.last)):
                text = scene.text(span.first, span.last)
                return argument_source(ValueType(K.FILE), span.value, span.label, text, 0.0)
        return None

    def _readings(self, draft: Draft, segment: Segment) -> list[tuple[Step, ...]]:
        """The readings of a segment after ``draft``; equal contexts are read once."""
        context = tuple((step.tool, step.single, step.first, step.last) for step in draft.steps)
        key = (segment.first, segment.last, context, len(draft.topics))
        if key not in self.memo:
            self.memo[key] = self._read_all(draft, segment)
        return self.memo[key]

    def _read_all(self, draft: Draft, segment: Segment) -> list[tuple[Step, ...]]:
        sources = sources_of(draft.steps, self.scene, (*draft.topics, *self.old))
        found: list[tuple[Step, ...]] = []
        for tool in self._tools(segment):
            profile = self.box.profile(tool, self.scene.intent.language)
            found += self._read_tool(profile, segment, sources, len(draft.steps))
        self._note(segment, found)
        found += _shared(draft, found)
        return sorted(found, key=_cost_of)[: w.BEAM]

    def _tools(self, segment: Segment) -> tuple[ToolId, ...]:
        """The tools to try: the recommended ones, and after the first context only those that did best in it."""
        key = ("tools", segment.first, segment.last)
        if key in self.scene.memo:
            best: tuple[ToolId, ...] = self.scene.memo[key]
            return best
        most = w.TOOLS_STRAINED if segment.price >= w.STRETCHED else w.TOOLS_A_SEGMENT
        return tuple(one.tool for one in self.candidates.get((segment.first, segment.last), ())[:most])

    def _dense(self, segment: Segment, tool: ToolId) -> float:
        """The cosine of the clause with the tool's nearest example, 0 without an encoder."""
        ranked = self.candidates.get((segment.first, segment.last), ())
        return next((one.reasons.get("dense", 0.0) for one in ranked if one.tool == tool), 0.0)

    def _lag(self, segment: Segment, dense: float) -> float:
        """How far the tool's cosine is behind the best tool's."""
        ranked = self.candidates.get((segment.first, segment.last), ())
        return max((one.reasons.get("dense", 0.0) for one in ranked), default=0.0) - dense

    def _note(self, segment: Segment, found: list[tuple[Step, ...]]) -> None:
        ranked = sorted(found, key=_cost_of)
        self.scene.memo.setdefault(
            ("tools", segment.first, segment.last),
            tuple(dict.fromkeys(steps[-1].tool for steps in ranked))[: w.TOOLS_AGAIN],
        )

    def _read_tool(
        self, profile: Profile, segment: Segment, sources: tuple[Source, ...], base: int
    ) -> list[tuple[Step, ...]]:
        dense = self._dense(segment, profile.tool.id)
        stretch = Stretch(self.scene, profile, self.box, segment.first, segment.last)
        lag = self._lag(segment, dense)
        plain = [with_dense(self.scene, self.box, step, dense, lag) for step in read(stretch, sources=sources)]
        found: list[tuple[Step, ...]] = [(step,) for step in plain]
        best = plain[0] if plain else None
        if segment.strained:
            return found
        if best is None or self._is_open(best):
            found += self._nested(profile, segment, sources, base)
        return found

    def _is_open(self, best: Step) -> bool:
        """A described object may help: something is missing or unexplained, but not the very verb of the clause."""
        scene = self.scene
        verb = next((at for at in range(best.first, best.last) if scene.words[at] and not scene.free[at]), -1)
        if verb in best.words and self.box.is_verb(scene.forms[verb], scene.intent.language):
            asks = any(is_question_word(scene.tokens[at].norm) for at in range(best.first, verb))
            return asks and best.unexplained > 0
        return bool(best.missing) or best.unexplained > 0 or _swallows(scene, best)

    # --- a described object: "delete [the three largest files in Downloads]"

    def _nested(
        self, profile: Profile, segment: Segment, sources: tuple[Source, ...], base: int
    ) -> list[tuple[Step, ...]]:
        found: list[tuple[Step, ...]] = []
        for parameter in profile.tool.parameters:
            if parameter.type.kind not in _FOUND or (parameter.type.kind in _READ and not parameter.required):
                continue
            for inner in self._objects(profile, parameter, segment):
                found += self._on_object(profile, parameter, inner, segment, sources, base)
        return found

    def _objects(self, profile: Profile, parameter: Parameter, segment: Segment) -> list[Step]:
        """Readings of a noun phrase where the parameter stands, as calls of tools that find such things."""
        producers = self.box.producers(parameter.type.kind)
        window = window_of(self.scene, profile, segment.first, segment.last)
        steps: list[Step] = []
        stretches = regions(window, parameter.name, through=True)
        for start, end, _ in stretches[: w.REGIONS]:
            for tool in self._likely(producers, segment, start, end):
                one = self._object(tool, start, end)
                if one is not None and _is_worth(self.scene, one, parameter):
                    steps.append(one)
        costs = self.scene.costs
        surest = sorted(steps, key=_object_cost)[:3]
        longest = sorted(steps, key=lambda one: _object_cost(one) - sum(costs[one.first : one.last]))[:2]
        return list({step.shape: step for step in (*longest, *surest)}.values())

    def _object(self, tool: ToolId, start: int, end: int) -> Step | None:
        """The best reading of a noun phrase as what ``tool`` finds, worked out once a sentence."""
        key = ("object", tool, start, end)
        if key not in self.scene.memo:
            profile = self.box.profile(tool, self.scene.intent.language)
            found = read(Stretch(self.scene, profile, self.box, start, end), keep=1)
            self.scene.memo[key] = found[0] if found and _is_object(found[0]) else None
        step: Step | None = self.scene.memo[key]
        return step

    def _likely(self, producers: frozenset[ToolId], segment: Segment, start: int, end: int) -> list[ToolId]:
        """The producers whose choice words stand in the phrase, or which the segment suggests."""
        language = self.scene.intent.language
        words = {form for at in range(start, end) for form in self.scene.forms[at]}
        named = {span.kind for span in self.scene.spans_in(start, end) if self.scene.hard >> span.first & 1} & _NAMED
        scored = []
        for tool in producers:
            profile = self.box.profile(tool, language)
            hits = sum(word in profile.phrases for word in words)
            known = sum(profile.vocabulary.get(word, 0.0) for word in words)
            takes = any(one.required and one.type.kind in named for one in profile.tool.parameters)
            scored.append((hits + 0.3 * known + w.TAKES_IT * takes + 0.01 * len(profile.tool.parameters), tool))
        return [tool for score, tool in sorted(scored, reverse=True)[:3] if score > 0.3]

    def _on_object(
        self,
        profile: Profile,
        parameter: Parameter,
        inner: Step,
        segment: Segment,
        sources: tuple[Source, ...],
        base: int,
    ) -> list[tuple[Step, ...]]:
        fitted = fit(
            inner.profile.tool.result, parameter.type, single=inner.single, plural=_plural(self.scene, inner, parameter)
        )
        if fitted is None:
            return []
        score = (0.5 if selects(self.scene, inner) else 0.05) + 0.4 * fitted.score
        score -= w.UNSEEN_TABLE if parameter.type.kind is K.TABLE else 0.0
        mask = bits(inner.first, inner.last)
        own = Filler(
            parameter.name, Flow(base, fitted.field, fitted.index), mask, inner.first, inner.last, score, "object"
        )
        stretch = Stretch(self.scene, profile, self.box, segment.first, segment.last)
        outer = read(stretch, sources=_moved(sources, base), extra={parameter.name: [own]}, keep=2)
        cost = _object_cost(inner) - (w.READ_OBJECT if parameter.type.kind is K.TEXT else 0.0)
        cheap = replace(inner, cost=cost, described=True)
        dense = self._dense(segment, profile.tool.id)
        lag = self._lag(segment, dense)
        return [(cheap, with_dense(self.scene, self.box, step, dense, lag)) for step in outer if own in step.fillers]


def _is_settled(draft: Draft) -> bool:
    """Every word is explained, every value is there and sure."""
    return not draft.skipped and all(
        not step.missing
        and step.unexplained <= 0.0
        and step.weakest >= w.SETTLED
        and (step.described or step.similarity >= w.SETTLED)
        for step in draft.steps
    )


def _cost_of(steps: tuple[Step, ...]) -> float:
    return sum(step.cost for step in steps)


def _plural(scene: Scene, inner: Step, parameter: Parameter) -> bool | None:
    """Whether the noun phrase names several things: by the form of its head noun."""
    if inner.single or parameter.type.many:
        return None
    return True if _has_plural_head(scene, inner, unknown=True) else None


def _has_plural_head(scene: Scene, inner: Step, *, unknown: bool = False) -> bool:
    head = None
    for at in range(inner.first, inner.last):
        if scene.free[at] and head is not None:
            break
        if not scene.free[at] and not scene.hard >> at & 1:
            head = at
    return unknown if head is None else is_plural(scene.tokens[head])


def _moved(sources: tuple[Source, ...], base: int) -> tuple[Source, ...]:
    """Steps before the object keep their numbers: the object itself is step ``base``."""
    return tuple(one for one in sources if one.step is None or one.step < base)


def _is_object(step: Step) -> bool:
    """A noun phrase is an object only when all of it is understood and something in it selects."""
    return not step.missing and step.unexplained <= 0.0 and any(one.mask for one in step.fillers)


def _swallows(scene: Scene, step: Step) -> bool:
    """A text that nobody announced holds the name of a thing: it may rather be what is to be read from that thing."""
    return any(
        one.origin == "doubted"
        and step.profile.parameter(one.parameter).type.kind is K.TEXT
        and one.mask & scene.hard
        and not is_announced(scene, one.first, one.last)
        for one in step.fillers
    )


def _is_worth(scene: Scene, inner: Step, parameter: Parameter) -> bool:
    """A step of its own must find or read something: not hand on what is named anyway, nor stand for just any thing."""
    said = [one for one in inner.fillers if one.mask]
    kinds = {inner.profile.parameter(one.parameter).type.kind for one in said}
    if inner.weakest < w.LEAST_OBJECT:
        return False
    if parameter.type.kind in _READ:
        return any(one.mask & scene.never for one in said)
    if kinds <= {parameter.type.kind, K.FILE} and all(one.origin == "typed" for one in said):
        return False
    return inner.single or not _is_anything(scene, inner)


def _is_anything(scene: Scene, inner: Step) -> bool:
    """ "A document", or "the document" without a word that tells it from the others: one, but nobody said which."""
    lead = scene.tokens[inner.first if scene.determiners[inner.first] else max(inner.first - 1, 0)].norm
    if not is_article(lead) or _has_plural_head(scene, inner):
        return False
    kinds = {inner.profile.parameter(one.parameter).type.kind for one in inner.fillers if one.mask}
    return is_indefinite(lead) or kinds <= {K.CHOICE, K.FOLDER}


def _object_cost(step: Step) -> float:
    """A noun phrase has no verb, so its distance from whole sentences counts for little."""
    doubt = sum(w.ARGUMENT * (1.0 - one.score) for one in step.fillers)
    doubt += w.LIMITED if is_limited(step.profile, step.fillers) else 0.0
    return w.NESTED + doubt + 0.35 * w.DISTANCE * (1.0 - step.similarity)


def selects(scene: Scene, step: Step) -> bool:
    """Tell whether more than unknown free text says which objects are meant."""
    return any(
        one.origin in ("choice", "list") or one.mask & scene.never or is_known(scene, step.profile, one)
        for one in step.fillers
        if one.mask
    )


def _best(drafts: list[Draft]) -> list[Draft]:
    """The cheapest states, no two with the same steps."""
    seen = set()
    kept = []
    for draft in sorted(drafts, key=lambda one: one.cost):
        shape = (*(step.shape for step in draft.steps), len(draft.topics))
        if shape not in seen:
            seen.add(shape)
            kept.append(draft)
        if len(kept) >= w.BEAM:
            break
    return kept


# --- a value stated once for two clauses --------------------------------------------------------------------------


def _shared(draft: Draft, readings: list[tuple[Step, ...]]) -> list[tuple[Step, ...]]:
    """A required value that a clause lacks may be stated in an earlier one."""
    found = []
    for steps in readings:
        step = steps[-1]
        if len(step.missing) != 1 or not draft.steps:
            continue
        wanted = step.profile.parameter(step.missing[0]).type
        for earlier in reversed(draft.steps):
            given = next((one for one in earlier.fillers if _is_same(earlier, one, wanted.kind, wanted.many)), None)
            if given is not None:
                found.append((*steps[:-1], with_shared(step, given)))
                break
    return found


def _is_same(step: Step, one: Filler, kind: ValueKind, many: bool) -> bool:
    own = step.profile.parameter(one.parameter).type
    return own.kind is kind and own.many is many and isinstance(one.argument, Constant) and kind in _SHARED


def with_shared(step: Step, given: Filler) -> Step:
    """Return ``step`` with its missing value taken from the words of another clause."""
    one = replace(given, parameter=step.missing[0], mask=0, origin="shared", score=min(given.score, 0.8))
    cost = step.cost - w.MISSING + w.SHARED
    return replace(step, fillers=(*step.fillers, one), missing=(), cost=cost)


def share_backwards(draft: Draft) -> Draft:
    """Give a clause that lacks a required value the one that the next clause states ("read and summarise a.pdf")."""
    steps = list(draft.steps)
    for index, step in enumerate(steps[:-1]):
        if len(step.missing) != 1:
            continue
        wanted = step.profile.parameter(step.missing[0]).type
        given = next(
            (one for one in steps[index + 1].fillers if _is_same(steps[index + 1], one, wanted.kind, wanted.many)), None
        )
        if given is not None:
            steps[index] = with_shared(step, given)
    cost = draft.cost + sum(new.cost - old.cost for new, old in zip(steps, draft.steps, strict=True))
    return replace(draft, steps=tuple(steps), cost=cost)


# --- segments -----------------------------------------------------------------------------------------------------


def boundaries_of(intent: Intent) -> tuple[Boundary, ...]:
    """Return the boundaries inside the sentence, the strongest ``MAX_BOUNDARIES`` in order."""
    inside = [one for one in intent.boundaries if one.left > 0 and one.at < len(intent.tokens)]
    strongest = sorted(inside, key=lambda one: -one.strength)[: w.MAX_BOUNDARIES]
    return tuple(sorted({(one.left, one.at): one for one in strongest}.values(), key=lambda one: (one.left, one.at)))


def begins(intent: Intent) -> list[tuple[int, float]]:
    """Return where the first clause may begin: at the start, or after an opening connective."""
    found = {0: 0.0}
    for one in intent.boundaries:
        if one.left == 0 and 0 < one.at < len(intent.tokens):
            found[one.at] = 0.0
    return sorted(found.items())


def segments_of(intent: Intent) -> list[Segment]:
    """Return the stretches that may be one clause, with the price of the boundaries they use and leave out."""
    inner = boundaries_of(intent)
    size = len(intent.tokens)
    starts = sorted({*(start for start, _ in begins(intent)), *(one.at for one in inner)})
    found = []
    for start in starts:
        passed = 0.0
        for one in inner:
            if one.left <= start:
                continue
            price = passed + w.BOUNDARY_USED * (1.0 - one.strength)
            found.append(Segment(start, one.left, one.at, price, passed >= w.STRAINED))
            passed += w.BOUNDARY_UNUSED * one.strength
        found.append(Segment(start, size, size, passed, passed >= w.STRAINED))
    return found[: 2 * w.MAX_SEGMENTS]


def clauses_of(intent: Intent) -> list[tuple[int, int]]:
    """Return the distinct stretches [first, last) that may be one clause, without closing marks."""
    return list(dict.fromkeys((one.first, one.last) for one in segments_of(intent)))
