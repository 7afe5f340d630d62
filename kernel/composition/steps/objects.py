"""Described objects: "delete [the three largest files in Downloads]" is a call on what another call finds.

A noun phrase stands where a parameter would; it is read as a call of a tool that only reads and whose result can serve.
It may hold another such phrase: "append [the total of [the newest invoice]] to expenses.csv". Two levels are the most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import fsum

from kernel.composition import weights as w
from kernel.composition.filling.announced import is_announced
from kernel.composition.filling.fillers import window_of
from kernel.composition.filling.joined import EACH, NAMED
from kernel.composition.filling.patterns import is_pattern, patterns
from kernel.composition.filling.regions import OF_WHOM, regions
from kernel.composition.fit import Step, flows, read
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene, bits
from kernel.composition.steps.pointing import picked_again, points
from kernel.composition.steps.results import Source, fit
from kernel.composition.steps.sources import sources_of
from kernel.composition.stretch import Stretch
from kernel.composition.trying import well_placed
from kernel.composition.vouching import is_known, is_limited
from kernel.composition.window import Filler, Flow
from kernel.composition.words import is_article, is_indefinite, is_plural, is_possessive, is_preposition, is_whole
from kernel.language.place.place_words import ANY_THING, FOLDER_NOUNS
from skills.model import Parameter, ParamRole, ToolId, ValueKind

K = ValueKind
_READ = frozenset({K.RECORD, K.DATE, K.TEXT})
"""What another tool may have to read first: "add [the total of a.pdf] to b.csv"."""
_NAMED = frozenset({K.FILE, K.DATE, K.EXPRESSION, K.QUANTITY})
_HOLDING = frozenset("in from of inside im in aus von vom".split())
_FOUND = _READ | {K.FILE, K.TABLE, K.FOLDER}


@dataclass(frozen=True, slots=True)
class Objects:
    """Reads noun phrases of one sentence as calls."""

    scene: Scene
    box: Box
    deep: bool = True  # a phrase may hold another one

    def readings(
        self, stretch: Stretch, sources: tuple[Source, ...], steps: tuple[Step, ...]
    ) -> list[tuple[Step, ...]]:
        """Return the stretch as a call on a described object, with the calls that find it before it.

        ``steps`` are those of the clauses before; "the oldest one" picks among what one of them finds.
        """
        found: list[tuple[Step, ...]] = []
        base = len(steps)
        for parameter in stretch.profile.tool.parameters:
            if (
                parameter.found
                or parameter.type.kind not in _FOUND
                or (parameter.type.kind in _READ and not parameter.required)
                or (parameter.type.kind is K.FOLDER and not parameter.type.many)
            ):
                continue
            if parameter.type.kind is K.TEXT and parameter.role is ParamRole.SINK:
                continue  # a command is said, and never what something else comes to
            picked = [(one,) for one in picked_again(self.scene, stretch.first, stretch.last, steps)]
            for inner in picked:
                found += self._on_object(stretch, parameter, inner, sources, base)
            for some in (*self._of_earlier(stretch, parameter, steps), *self._its(stretch, parameter, steps)):
                found += self._on_object(stretch, parameter, some, sources, base)
            found += self.of(stretch, parameter, sources, base)
        return found

    def _of_earlier(self, stretch: Stretch, parameter: Parameter, steps: tuple[Step, ...]) -> list[tuple[Step, ...]]:
        """Some of the table that the clause before came to: "sort a.csv by size and save [the top 3 rows] as b.csv"."""
        if parameter.type.kind is not K.TABLE or not steps or steps[-1].profile.tool.result.kind is not K.TABLE:
            return []
        table = sources_of(steps, self.scene, ())[:1]
        found: list[tuple[Step, ...]] = []
        for start, end in self._phrases(stretch, parameter):
            for tool in self._likely(self.box.producers(K.TABLE), start, end):
                profile = self.box.profile(tool, self.scene.intent.language)
                count = profile.count if profile.is_pure else ""
                some = read(Stretch(self.scene, profile, self.box, start, end), sources=table, keep=1) if count else []
                found += [(one,) for one in some if _is_object(self.scene, one) and _takes_some(one, count)]
        return sorted(found, key=_chain_cost)[:1]

    def _its(self, stretch: Stretch, parameter: Parameter, steps: tuple[Step, ...]) -> list[tuple[Step, ...]]:
        """What is read of the thing that the clause before came to: "find the bill and add [its total] to b.csv"."""
        if parameter.type.kind not in _READ or not steps:
            return []
        thing = sources_of(steps, self.scene, ())[:1]
        found: list[tuple[Step, ...]] = []
        for start, end in self._phrases(stretch, parameter):
            if not is_possessive(self.scene.tokens[start].norm):
                continue
            for tool in self._likely(self.box.producers(parameter.type.kind), start, end):
                profile = self.box.profile(tool, self.scene.intent.language)
                some = read(Stretch(self.scene, profile, self.box, start, end), sources=thing, keep=1)
                found += [(one,) for one in some if flows(one) and _is_object(self.scene, one)]
        return sorted(found, key=_chain_cost)[:1]

    def of(
        self, stretch: Stretch, parameter: Parameter, sources: tuple[Source, ...], base: int
    ) -> list[tuple[Step, ...]]:
        """Return the stretch as a call whose ``parameter`` is described by a noun phrase in it."""
        return [
            reading
            for inner in self._objects(stretch, parameter, base)
            for reading in self._on_object(stretch, parameter, inner, sources, base)
        ]

    def _objects(self, stretch: Stretch, parameter: Parameter, base: int) -> list[tuple[Step, ...]]:
        """Readings of a noun phrase where the parameter stands, as calls of tools that find such things."""
        chains = [
            chain
            for start, end in self._phrases(stretch, parameter)
            for tool in self._likely(self.box.producers(parameter.type.kind), start, end)
            for chain in self._object(tool, start, end, base)
            if _is_worth(self.scene, chain[-1], parameter)
        ]
        costs = self.scene.costs
        surest = sorted(chains, key=_chain_cost)[:3]
        longest = sorted(chains, key=lambda one: _chain_cost(one) - sum(costs[one[-1].first : one[-1].last]))[:2]
        return list({tuple(step.shape for step in chain): chain for chain in (*longest, *surest)}.values())

    def _phrases(self, stretch: Stretch, parameter: Parameter) -> Iterator[tuple[int, int]]:
        """Where the noun phrase may stand: it does not begin with the verb of the request."""
        window = window_of(self.scene, stretch.profile, stretch.first, stretch.last)
        begin = self.scene.request_begins(stretch.first, stretch.last)
        opening = self.scene.forms[begin] if begin < stretch.last else ()  # a courtesy may be all that there is
        verb = begin if any(form in stretch.profile.verbs for form in opening) else -1
        regional = regions(window, parameter.name, through=True)
        found = [(start, end) for start, end, _ in regional if start != verb and not self._runs_over(start, end)]
        yield from found[: w.REGIONS]
        if parameter.type.kind is K.FOLDER:
            yield from (one for one in self._folders(stretch, verb) if one not in found)

    def _folders(self, stretch: Stretch, verb: int) -> Iterator[tuple[int, int]]:
        """ "All empty folders in Work": where folders are spoken of by more than a name, up to the noun or the end."""
        tokens = self.scene.tokens
        nouns = [at for at in range(stretch.first, stretch.last) if tokens[at].norm in FOLDER_NOUNS]
        start = next((at for at in range(stretch.first, stretch.last) if at > verb and self.scene.words[at]), -1)
        ends = {stretch.last, *(at + 1 for at in nouns)} if start >= 0 else set()
        yield from ((start, end) for end in sorted(ends) if start < end and any(start < at < end for at in nouns))

    def _runs_over(self, start: int, end: int) -> bool:
        """A second request begins inside it: "b.csv, total up the amounts" describes no table."""
        inside = (one for one in self.scene.intent.boundaries if start < one.left and one.at < end)
        return any(one.strength >= w.PARTING for one in inside)

    def _object(self, tool: ToolId, start: int, end: int, base: int) -> list[tuple[Step, ...]]:
        """The best readings of a noun phrase as what ``tool`` finds: alone, or with a phrase inside it."""
        if points(self.scene, start, end):
            return []
        step = self._alone(tool, start, end)
        if step is not None:
            return [(step,)]
        return self._around(tool, start, end, base) if self.deep else []

    def _alone(self, tool: ToolId, start: int, end: int) -> Step | None:
        """The best reading without another object, worked out once a sentence."""
        key = ("object", tool, start, end)
        if key not in self.scene.memo:
            profile = self.box.profile(tool, self.scene.intent.language)
            found = read(Stretch(self.scene, profile, self.box, start, end), keep=1, whole=True)
            self.scene.memo[key] = (
                _of_whom(self.scene, found[0]) if found and _is_object(self.scene, found[0]) else None
            )
        step: Step | None = self.scene.memo[key]
        return step

    def _around(self, tool: ToolId, start: int, end: int, base: int) -> list[tuple[Step, ...]]:
        """The best reading around another object, "the total of [the newest invoice]", of a tool that reads one."""
        profile = self.box.profile(tool, self.scene.intent.language)
        needs = [one for one in profile.tool.parameters if one.required and one.type.kind is K.FILE]
        if len(needs) != 1 or not _has_inner(self.scene, start, end):
            return []
        key = ("around", tool, start, end, base)
        if key not in self.scene.memo:
            inner = Objects(self.scene, self.box, deep=False)
            stretch = Stretch(self.scene, profile, self.box, start, end)
            chains = [one for one in inner.of(stretch, needs[0], (), base) if _is_object(self.scene, one[-1])]
            self.scene.memo[key] = sorted(chains, key=_chain_cost)[:1]
        found: list[tuple[Step, ...]] = self.scene.memo[key]
        return found

    def _likely(self, producers: frozenset[ToolId], start: int, end: int) -> list[ToolId]:
        """The producers whose words stand in the phrase, the best of them and of every skill."""
        language = self.scene.intent.language
        words = {form for at in range(start, end) for form in self.scene.forms[at]}
        named = {span.kind for span in self.scene.spans_in(start, end) if self.scene.hard >> span.first & 1} & _NAMED
        scored = []
        for tool in producers:
            profile = self.box.profile(tool, language)
            hits = sum(word in profile.phrases for word in words)
            known = fsum(profile.vocabulary.get(word, 0.0) for word in words)
            hits += bool(patterns(self.scene) & bits(start, end)) and profile.takes_patterns
            takes = any(one.required and one.type.kind in named for one in profile.tool.parameters)
            scored.append((hits + 0.3 * known + w.TAKES_IT * takes + 0.01 * len(profile.tool.parameters), tool))
        ranked = [tool for score, tool in sorted(scored, reverse=True) if score > w.LIKELY]
        return well_placed(self.box, ranked, w.PRODUCERS)

    def _on_object(
        self, stretch: Stretch, parameter: Parameter, chain: tuple[Step, ...], sources: tuple[Source, ...], base: int
    ) -> list[tuple[Step, ...]]:
        inner, at = chain[-1], base + len(chain) - 1
        plural = _plural(self.scene, inner, parameter)
        fitted = fit(inner.profile.tool.result, parameter.type, single=inner.single, plural=plural)
        if fitted is None:
            return []
        score = (0.5 if selects(self.scene, inner) else 0.05) + 0.4 * fitted.score
        score -= w.UNSEEN_TABLE if parameter.type.kind is K.TABLE else 0.0
        mask = bits(inner.first, inner.last)
        flow = Flow(at, fitted.field, fitted.index)
        own = Filler(parameter.name, flow, mask, inner.first, inner.last, score, "object")
        outer = read(stretch, sources=_moved(sources, base), extra={parameter.name: [own]}, keep=2)
        cost = _object_cost(inner) - (w.READ_OBJECT if parameter.type.kind is K.TEXT else 0.0)
        cost -= w.ITS if is_possessive(self.scene.tokens[inner.first].norm) else 0.0
        found = (*chain[:-1], replace(inner, cost=cost, described=True))
        return [(*found, step) for step in outer if own in step.fillers and not _says_no_more(step, own)]


def _says_no_more(step: Step, own: Filler) -> bool:
    """Some rows of what was found, and nobody said which: no example takes the thing alone and returns such a thing."""
    same = step.profile.tool.result.kind is step.profile.parameter(own.parameter).type.kind is K.TABLE
    if not same or len(step.fillers) > 1:
        return False
    slot = f"<{own.parameter}>"
    slots = ({one for one in each.elements if one.startswith("<")} for each in step.profile.skeletons)
    return not any(one == {slot} for one in slots)


def _takes_some(step: Step, count: str) -> bool:
    """A number says how many, and what they are taken of is what was found before."""
    return any(one.parameter == count and one.mask for one in step.fillers) and bool(flows(step))


def _chain_cost(chain: tuple[Step, ...]) -> float:
    return sum(_object_cost(step) for step in chain)


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


def _is_object(scene: Scene, step: Step) -> bool:
    """A noun phrase is an object only when all of it is understood and something in it selects, not only leaves out."""
    chosen = any(one.mask for one in step.fillers if one.parameter not in step.profile.left_out)
    return not step.missing and step.unexplained <= 0.0 and (chosen or _says_which(scene, step))


def _says_which(scene: Scene, step: Step) -> bool:
    """ "The empty folders": a word of the tool's own says which folders are meant, beside the noun."""
    if step.profile.tool.result.kind is not K.FOLDER:
        return False
    mask = sum({1 << at for one in step.fillers if one.mask for at in range(one.first, one.last)})
    said = (at for at in range(step.first, step.last) if not (scene.free[at] or mask >> at & 1))
    return any(not step.profile.telling.isdisjoint(set(scene.forms[at]) - ANY_THING) for at in said)


def _is_worth(scene: Scene, inner: Step, parameter: Parameter) -> bool:
    """A step of its own must find or read something: not hand on what is named anyway, nor stand for just any thing."""
    said = [one for one in inner.fillers if one.mask]
    kinds = {inner.profile.parameter(one.parameter).type.kind for one in said}
    if inner.weakest < w.LEAST_OBJECT or _is_content(scene, inner, said):
        return False
    if parameter.type.kind is K.TEXT and _is_name_alone(scene, inner):
        return False
    if parameter.type.kind in _READ:
        of_whom = parameter.type.kind is K.TEXT and _is_of_somebody(scene, inner)
        return of_whom or any(one.mask & scene.never or one.origin == "object" for one in said)
    if kinds <= {parameter.type.kind, K.FILE} and all(one.origin == "typed" for one in said):
        return _says_which(scene, inner)
    return inner.single or not _is_anything(scene, inner)


def _is_name_alone(scene: Scene, inner: Step) -> bool:
    """ "Copy beach.jpg": the file, and not what stands in it."""
    things = (one for one in scene.spans_in(inner.first, inner.last) if one.kind is K.FILE and one.source != "missing")
    held = {at for one in things if one.confidence >= w.SURE_NAME for at in range(one.first, one.last)}
    return all(at in held or scene.free[at] for at in range(inner.first, inner.last))


def _is_of_somebody(scene: Scene, inner: Step) -> bool:
    """ "Lena's phone number": what is asked for, and of whom; words that are announced ("saying ...") are not."""
    said = [(one, inner.profile.parameter(one.parameter)) for one in inner.fillers if one.mask]
    of_whom = any(of.person and _is_name(scene, one) for one, of in said)
    asked = any(of.type.kind is K.CHOICE for _, of in said)
    return of_whom and asked and not is_announced(scene, inner.first, inner.last)


def _is_name(scene: Scene, one: Filler) -> bool:
    """ "Lena", "lena's", and not "the plumber", of whom nobody knows who that is."""
    owns = one.last < scene.size and scene.tokens[one.last].norm in OF_WHOM
    led = one.first > 0 and scene.determiners[one.first - 1]
    return (owns or scene.tokens[one.first].text[:1].isupper()) and not led and not scene.determiners[one.first]


def _of_whom(scene: Scene, inner: Step) -> Step:
    """Return a step with whoever stands beside what is asked for as sure: all of its words are understood."""
    if not _is_of_somebody(scene, inner):
        return inner
    of = inner.profile.parameter
    sure = (
        replace(one, score=max(one.score, w.OF_WHOM)) if one.mask and of(one.parameter).person else one
        for one in inner.fillers
    )
    return replace(inner, fillers=tuple(sure))


def _is_content(scene: Scene, inner: Step, said: list[Filler]) -> bool:
    """ "Everything from the letter" is what the letter holds, and not the letter."""
    if not any(is_whole(scene.tokens[at].norm) for at in range(inner.first, inner.last)):
        return False
    names = [one for one in said if inner.profile.parameter(one.parameter).type.kind is K.QUERY]
    before = {scene.tokens[at].norm for one in names if (at := scene.left_of(one.first, inner.first)) >= inner.first}
    return not before.isdisjoint(_HOLDING)


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
        one.origin in ("choice", EACH, NAMED, "list")
        or one.mask & scene.never
        or is_known(scene, step.profile, one)
        or is_pattern(one)
        for one in step.fillers
        if one.mask
    )


def swallows(scene: Scene, step: Step) -> bool:
    """A text that nobody announced holds the name of a thing: it may rather be what is to be read from that thing."""
    return any(
        one.origin == "doubted"
        and step.profile.parameter(one.parameter).type.kind is K.TEXT
        and one.mask & scene.hard
        and not is_announced(scene, one.first, one.last)
        for one in step.fillers
    )


def speaks_of_somebody(scene: Scene, step: Step, box: Box) -> bool:
    """A text that nobody announced has a word for what a tool tells of people: "Lena's phone number" may be that."""
    texts = [
        one for one in step.fillers
        if one.origin == "doubted" and step.profile.parameter(one.parameter).type.kind is K.TEXT
        and not is_announced(scene, one.first, one.last)
    ]  # fmt: skip
    words = {form for one in texts for at in range(one.first, one.last) for form in scene.forms[at]}
    return bool(words) and any(
        not words.isdisjoint(box.profile(tool, scene.intent.language).phrases) for tool in box.tellers()
    )


def _has_inner(scene: Scene, start: int, end: int) -> bool:
    """A noun phrase with a determiner stands inside the phrase, behind a preposition: "of the newest invoice"."""
    return any(is_preposition(scene.tokens[at].norm) and scene.determiners[at + 1] for at in range(start + 1, end - 2))
