"""Search: clauses, tools and arguments are chosen together, as the cheapest typed composition.

Every boundary is optional. A state is a list of steps for the words so far; it is extended by reading the words up to
a later boundary as one call (which may take results of earlier steps), or as a described object and a call on it.
Bounded: boundaries, segments, tools a segment, states a boundary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from kernel.composition import weights as w
from kernel.composition.draft import Draft, Forbidden
from kernel.composition.filling.holding_back import holds_back, waits_for
from kernel.composition.fit import Step, read, with_dense
from kernel.composition.profiles.profile import Box, Profile
from kernel.composition.scene import Scene
from kernel.composition.schemas import Untaught
from kernel.composition.segments import Segment, begins, segments_of
from kernel.composition.steps.again import once_more
from kernel.composition.steps.asides import Aside, aside_of
from kernel.composition.steps.completing import completes
from kernel.composition.steps.keeping import keeps_something
from kernel.composition.steps.leaving import may_be_left
from kernel.composition.steps.objects import Objects, speaks_of_somebody, swallows
from kernel.composition.steps.results import Source
from kernel.composition.steps.sharing import is_again, repeats, shared
from kernel.composition.steps.sources import argument_source, sources_of
from kernel.composition.stretch import Stretch
from kernel.language.excepting import leaves_out
from kernel.language.function_words import is_question_word
from kernel.model import Candidate, Constant
from kernel.paths import holds, paths_of
from skills.deciding import takes_away
from skills.model import EffectClass, ToolId, ValueKind, ValueType

K = ValueKind
_TAKES_AWAY, _MAKES = "fs.delete", "fs.create"
_MOST_OWN = 4  # tools known by own requests alone that are tried for a stretch


@dataclass(slots=True)
class Search:
    """One search over one sentence."""

    scene: Scene
    box: Box
    candidates: Mapping[tuple[int, int], tuple[Candidate, ...]]
    old: tuple[Source, ...] = ()
    untaught: Untaught = field(default_factory=Untaught)
    leaves: bool = False  # one clause may be left undone
    among: frozenset[ToolId] = frozenset()  # of the tools without examples those that are tried
    memo: dict[tuple[object, ...], list[tuple[Step, ...]]] = field(default_factory=dict)
    tried: dict[tuple[int, int], tuple[ToolId, ...]] = field(default_factory=dict)

    def run(self) -> list[Draft]:
        """Return complete drafts, cheapest first; stretches over strong boundaries only when others leave doubts."""
        segments = segments_of(self.scene.intent)
        plain = [one for one in segments if not one.strained]
        done = self._run(plain) if len(plain) < len(segments) else []
        return done if done and _is_settled(done[0]) else self._run(segments)

    def _run(self, segments: list[Segment]) -> list[Draft]:
        starts = sorted({one.first for one in segments})
        states: dict[int, list[Draft]] = defaultdict(list)
        for start in begins(self.scene.intent):
            states[start].append(Draft((), 0.0))
        done: list[Draft] = []
        for start in starts:
            here = _best(states[start])
            for segment in (one for one in segments if one.first == start):
                for draft in here:
                    grown = list(self._extend(draft, segment))
                    (done if segment.after >= self.scene.size else states[segment.after]).extend(grown)
        return self._just(sorted((one for one in done if one.steps), key=lambda one: one.cost))[: 2 * w.BEAM]

    def _just(self, drafts: list[Draft]) -> list[Draft]:
        """The drafts that do justice to what is told beside the request, for ``drafts`` from the cheapest on.

        Where the cheapest does not, no dearer reading of the same words takes anything away in its place.
        """
        kept = [one for one in drafts if _is_just_to_asides(one)]
        if keeps_something(self.scene, self.box):
            kept = [one for one in kept if not _removes(one)]
        if kept[:1] != drafts[:1]:
            kept = [one for one in kept if not _takes_away(one) and not _does(one, drafts[0].forbids)]
        called_off = any(
            holds_back(self.scene, step) or waits_for(self.scene, step) for one in drafts[:1] for step in one.steps
        )
        if called_off or leaves_out(self.scene.tokens, self.scene.spans):
            kept = [one for one in kept if _changes_nothing(one)]
        return kept

    def _extend(self, draft: Draft, segment: Segment) -> Iterable[Draft]:
        skipped = [at for at in range(segment.first, segment.last) if self.scene.costs[at]]
        if not skipped:
            yield replace(draft, cost=draft.cost + segment.price)
            return
        if self.among and self.untaught.names(self.scene, segment.first, segment.last):
            yield replace(draft, cost=draft.cost + segment.price)
            return
        aside = aside_of(self.scene, segment, self.box)
        if aside is not None:
            yield _beside(draft, segment, aside)
        if self.leaves and draft.left is None and may_be_left(self.scene, segment):
            yield replace(draft, cost=draft.cost + segment.price + w.LEFT, left=(segment.first, segment.last))
        topic = self._topic(segment)
        if topic is not None:
            yield replace(draft, cost=draft.cost + segment.price + w.TASK, topics=(*draft.topics, topic))
        if len(draft.steps) >= w.MAX_TASKS or completes(self.scene, draft, segment):
            return
        again = once_more(self.scene, self.box, draft, segment)
        for steps in (*self._readings(draft, segment), *([] if again is None else [(again,)])):
            if repeats(draft, steps):
                continue
            if is_again(draft, steps):
                yield replace(draft, cost=draft.cost + segment.price + w.TASK)
                continue
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
        key = (segment.first, segment.last, context, len(draft.topics), draft.deaf)
        if key not in self.memo:
            self.memo[key] = self._read_all(draft, segment)
        return self.memo[key]

    def _read_all(self, draft: Draft, segment: Segment) -> list[tuple[Step, ...]]:
        sources = sources_of(draft.steps, self.scene, (*draft.topics, *(() if draft.deaf else self.old)))
        found: list[tuple[Step, ...]] = []
        for tool in self._tools(segment):
            profile = self.box.profile(tool, self.scene.intent.language)
            found += self._read_tool(profile, segment, sources, draft.steps)
        self._note(segment, found)
        found += shared(draft, found)
        return sorted(found, key=_cost_of)[: w.BEAM]

    def _tools(self, segment: Segment) -> tuple[ToolId, ...]:
        """The tools to try: the recommended ones and one more whose very verb is said, later those that did best.

        Where no verb of such a one is said, one more that knows all of the words: "get rid of".
        """
        key = (segment.first, segment.last)
        if key in self.tried:
            return self.tried[key]
        if self.among and self.untaught.calls(self.scene, segment.first, segment.last):
            return self._more(segment)
        most = w.TOOLS_STRAINED if segment.price >= w.STRETCHED else w.TOOLS_A_SEGMENT
        ranked = self.candidates.get((segment.first, segment.last), ())
        most += sum(one.score >= ranked[most - 1].score - w.TIED for one in ranked[most : most + w.TIES])
        said = (one.tool for why in ("verb", "coverage") for one in ranked[most:] if one.reasons.get(why, 0.0) >= 1.0)
        verbal = next(said, None)
        return (*(one.tool for one in ranked[:most]), *(() if verbal is None else (verbal,)), *self._more(segment))

    def _more(self, segment: Segment) -> tuple[ToolId, ...]:
        """The tools without examples that the words may speak of, by a person's own requests or by their schemas."""
        likely = self.untaught.likely(self.scene, segment.first, segment.last) if self.among else ()
        return tuple(dict.fromkeys((*(one for one in likely if one in self.among), *self._learnt(segment))))

    def _learnt(self, segment: Segment) -> list[ToolId]:
        language = self.scene.intent.language
        own = self.box.learnt(language)
        said = {form for at in range(segment.first, segment.last) for form in self.scene.forms[at]} if own else set()
        known = (one for one in sorted(own) if not self.box.profile(one, language).vocabulary.keys().isdisjoint(said))
        return list(islice(known, _MOST_OWN))

    def _note(self, segment: Segment, found: list[tuple[Step, ...]]) -> None:
        ranked = sorted(found, key=_cost_of)
        best = tuple(dict.fromkeys(steps[-1].tool for steps in ranked))[: w.TOOLS_AGAIN]
        ranked_here = self.candidates.get((segment.first, segment.last), ())
        called = bool(self.among) and self.untaught.calls(self.scene, segment.first, segment.last)
        likeliest = () if called else tuple(one.tool for one in ranked_here[:1])
        self.tried.setdefault(
            (segment.first, segment.last), tuple(dict.fromkeys((*best, *likeliest)))
        )  # the likeliest too: what it lacked here may be there in another context

    def _read_tool(
        self, profile: Profile, segment: Segment, sources: tuple[Source, ...], steps: tuple[Step, ...]
    ) -> list[tuple[Step, ...]]:
        stretch = Stretch(self.scene, profile, self.box, segment.first, segment.last)
        by_schema: list[tuple[Step, ...]] = []
        if profile.tool.id in self.among:
            by_schema += [(step,) for step in self.untaught.read(stretch, sources)]
        if profile.tool.id in self.untaught and not profile.skeletons:
            return by_schema
        dense, lag = self._dense(segment, profile.tool.id)
        words = self.untaught.values(stretch) if profile.tool.id in self.untaught else None
        found: list[tuple[Step, ...]] = [(step,) for step in read(stretch, sources=sources, words=words)]
        best = self._rated(found[0], dense, lag)[-1] if found else None
        if not segment.strained and (best is None or self._is_open(best)):
            found += Objects(self.scene, self.box).readings(stretch, sources, steps)
        return [*by_schema, *(self._rated(one, dense, lag) for one in found)]

    def _rated(self, steps: tuple[Step, ...], dense: float, lag: float) -> tuple[Step, ...]:
        return (*steps[:-1], with_dense(self.scene, self.box, steps[-1], dense, lag))

    def _dense(self, segment: Segment, tool: ToolId) -> tuple[float, float]:
        """The cosine of the clause with the tool's nearest example, and how far the best tool's is ahead; or zeros."""
        ranked = self.candidates.get((segment.first, segment.last), ())
        own = next((one.reasons.get("dense", 0.0) for one in ranked if one.tool == tool), 0.0)
        return own, max((one.reasons.get("dense", 0.0) for one in ranked), default=0.0) - own

    def _is_open(self, best: Step) -> bool:
        """A described object may help: something is missing or unexplained, but not the very verb of the clause."""
        scene = self.scene
        verb = next((at for at in range(best.first, best.last) if scene.words[at] and not scene.free[at]), -1)
        if verb in best.words and self.box.is_verb(scene.forms[verb], scene.intent.language):
            asks = any(is_question_word(scene.tokens[at].norm) for at in range(best.first, verb))
            return asks and best.unexplained > 0
        if best.missing or best.unexplained > 0:
            return True
        return swallows(scene, best) or speaks_of_somebody(scene, best, self.box)


def _beside(draft: Draft, segment: Segment, aside: Aside) -> Draft:
    """``draft`` with the segment passed over."""
    return replace(
        draft,
        cost=draft.cost + segment.price + aside.cost,
        topics=(*draft.topics, *aside.topics),
        deaf=draft.deaf or aside.deaf,
        spares=draft.spares or aside.spares,
        forbids=draft.forbids | aside.forbids,
        places=(*draft.places, *aside.places),
        named=(*draft.named, *aside.named),
        unless=draft.unless | aside.unless,
        reads=draft.reads or aside.reads,
        touches=draft.touches or (aside.touches and bool(draft.steps)),  # said before, it is why something is asked
    )


def _is_just_to_asides(draft: Draft) -> bool:
    """What asides say holds: what stays, where things are, and that nothing of them was meant for a step."""
    if _takes_away(draft) and (draft.spares or not _works_on(draft, draft.named)):
        return False
    if _does(draft, draft.forbids):
        return False
    if _removes(draft) and (draft.touches or not set(draft.named).issubset(_given_paths(draft))):
        return False
    if draft.reads and not _changes_nothing(draft):
        return False
    return _keeps_to_places(draft) and not any(_could_use(step, draft.unless) for step in draft.steps)


def _does(draft: Draft, forbidden: frozenset[Forbidden]) -> bool:
    loses = any(step.profile.destroys for step in draft.steps)
    sends = any(step.profile.tool.effect is EffectClass.ONCE for step in draft.steps)
    return (Forbidden.LOSING in forbidden and loses) or (Forbidden.SENDING in forbidden and sends)


def _could_use(step: Step, kinds: frozenset[ValueKind]) -> bool:
    """A tool that takes such a value, and did not get one or looks for things by it, may have been meant to have it."""
    if not kinds:
        return False
    tool = step.profile.tool
    taken = [one for one in tool.parameters if one.type.kind in kinds]
    given = {one.parameter for one in step.fillers}
    return bool(taken) and (bool(tool.rights) or any(one.name not in given for one in taken))


def _changes_nothing(draft: Draft) -> bool:
    return all(step.profile.is_pure for step in draft.steps)


def _removes(draft: Draft) -> bool:
    """Something is gone afterwards, and not only elsewhere."""
    rights = ({right.action for right in step.profile.tool.rights} for step in draft.steps)
    return any(_TAKES_AWAY in one and _MAKES not in one for one in rights)


def _works_on(draft: Draft, paths: tuple[str, ...]) -> bool:
    given = _given_paths(draft)
    return all(any(path == one or holds(one, path) for one in given) for path in paths)


def _given_paths(draft: Draft) -> list[str]:
    return [path for step in draft.steps for one in step.fillers if isinstance(one.argument, Constant)
            for path in paths_of(one.argument.value)]  # fmt: skip


def _takes_away(draft: Draft) -> bool:
    return any(takes_away(step.profile.tool) for step in draft.steps)


def _keeps_to_places(draft: Draft) -> bool:
    """What changes something works where it was said that its things are; what only reads may look elsewhere."""
    if not draft.places or _changes_nothing(draft):
        return True
    given = _given_paths(draft)
    return all(any(path == place or holds(place, path) for path in given) for place in draft.places)


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


def _best(drafts: list[Draft]) -> list[Draft]:
    """The cheapest states, no two with the same steps."""
    seen = set()
    kept = []
    for draft in sorted(drafts, key=lambda one: one.cost):
        asides = (len(draft.topics), draft.spares, draft.places, draft.named, draft.unless, draft.reads, draft.touches,
                  draft.forbids)  # fmt: skip
        shape = (*(step.shape for step in draft.steps), *asides)
        if shape not in seen:
            seen.add(shape)
            kept.append(draft)
        if len(kept) >= w.BEAM:
            break
    return kept
