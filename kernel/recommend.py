"""Recommend: which tools each possible clause may mean, with the reasons in numbers.

Candidates come from the shelf (``kernel.ranking``): by words, n-grams, vectors and past requests together. A linear
model orders them: nearest example, words covered, verb, BM25 over the manifest, dense cosine, choice words, values of
the kinds that the tool takes, and what the person's own requests say. The weights are data, refitted on their log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from kernel.composition import weights as w
from kernel.composition.filling.companions import lacking
from kernel.composition.profiles.asked_alike import is_asked_alike, opening_of
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import HARD, Scene, scene_of
from kernel.composition.segments import clauses_of
from kernel.composition.words import FRAME, is_light, is_superlative
from kernel.context.toolbox import Encode, Toolbox
from kernel.language.amounts.open_expressions import OPEN
from kernel.language.kindred import kindred_verbs
from kernel.language.sought import asks_where
from kernel.model import Candidate, Intent, ReferenceKind
from kernel.ranking import Experience, Question, relative
from kernel.ranking.model import Floats
from kernel.ranking.shelf import Found
from skills.model import ToolId, ValueKind

_LOOKED_AT = 16  # tools whose reasons are all worked out
_ENCODED = 4  # segments that are encoded at most: 6 ms each
_TIE = 0.06  # of two tools that fit alike, the one that finds such things, where one that is there is named
_SOUGHT = 1.0  # "where is X", and X is a file
_ASKED_ALIKE = 0.5  # "when is X": an example asks just so
_LACKING = 1.5  # a tool that cannot do without something that is not spoken of
_PAST = ("near", "alike")  # what makes a tool likely, of the reasons that come from the past


def recommend(
    intent: Intent, toolbox: Toolbox, *, encode: Encode | None = None, experience: Experience | None = None
) -> tuple[Candidate, ...]:
    """Return the best tools for every stretch of ``intent`` that may be one clause, best first within a stretch.

    ``encode`` adds vectors to a toolbox that has none; without both, lexical reasons alone count. ``experience`` adds
    what the person's own requests say, and the weights that were fitted to them. Pure.
    """
    if encode is not None and toolbox.shelf.encode is None:
        toolbox = toolbox.with_vectors(encode)
    known = experience or Experience()
    scene = scene_of(intent)
    found: list[Candidate] = []
    clauses = _ordered(clauses_of(intent))
    vectors = _vectors(scene, toolbox, clauses[:_ENCODED])
    for first, last in clauses:
        found += _rank(scene, toolbox, known, first, last, vectors.get((first, last)))
    return tuple(found)


def _vectors(scene: Scene, toolbox: Toolbox, clauses: list[tuple[int, int]]) -> dict[tuple[int, int], Floats]:
    if toolbox.shelf.encode is None or not clauses:
        return {}
    texts = [scene.text(first, last) for first, last in clauses]
    return dict(zip(clauses, toolbox.shelf.encode(texts), strict=True))


def _ordered(clauses: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The whole sentence first, then the clauses as they come: the likeliest before the others."""
    whole = sorted(clauses, key=lambda one: one[0] - one[1])[:1]
    return list(dict.fromkeys([*whole, *clauses]))[: w.MAX_SEGMENTS]


def _rank(
    scene: Scene, toolbox: Toolbox, known: Experience, first: int, last: int, vector: Floats | None
) -> list[Candidate]:
    language = scene.intent.language
    keys = {key for at in range(first, last) if not scene.idle[at] for key in (scene.keys[at], *scene.forms[at])}
    if any(not scene.free[at] and not is_light(scene.tokens[at].norm) for at in _plain(scene, first, last)):
        keys = {key for key in keys if not is_light(key)}
    else:
        keys.add(FRAME)  # "show me a.csv" has nothing else to go by
    if not any(scene.costs[at] for at in range(first, last)):
        return []
    kinds = kinds_in(scene, first, last)
    said = Question(scene.text(first, last), vector, words=tuple(sorted(keys)))
    reckoning = _reckoning(scene, toolbox, first, last)
    found = toolbox.shelf.look(said, also=(*known.likely(said), *reckoning))
    columns = _evidence(found)
    nearest = _nearest(scene, toolbox, found.ids, first, last, keys | _alike(scene, first, last), kinds)
    columns["example"] = [1.0 if one in reckoning else near for one, near in zip(found.ids, nearest, strict=True)]
    past = known.reasons(found.ids, said)
    lacks = [_lacks(scene, toolbox.profile(ToolId(one), language), first, last) for one in found.ids]
    likely = [
        2.0 * columns["example"][at] + columns["text"][at] + columns["dense"][at]
        + sum(past[one].get(name, 0.0) for name in _PAST) - _LACKING * lacks[at]
        for at, one in enumerate(found.ids)
    ]  # fmt: skip
    sought = ValueKind.FILE in kinds and asks_where([token.norm for token in scene.tokens[first:last]])
    opening = opening_of(scene, first, last)
    ranked = []
    for at in sorted(range(len(likely)), key=lambda one: (-likely[one], found.ids[one]))[:_LOOKED_AT]:
        tool = ToolId(found.ids[at])
        reasons = _reasons(scene, toolbox.profile(tool, language), first, last, kinds)
        reasons |= {name: values[at] for name, values in columns.items()} | past[tool]
        score = sum(known.weights.values.get(name, 0.0) * value for name, value in reasons.items())
        score += _TIE if ValueKind.FILE in kinds and _finds_files(toolbox.profile(tool, language)) else 0.0
        score += _SOUGHT if sought and _finds_files(toolbox.profile(tool, language)) else 0.0
        score += _ASKED_ALIKE if opening and is_asked_alike(toolbox.profile(tool, language), opening) else 0.0
        score -= _LACKING * lacks[at]
        ranked.append(Candidate(tool, first, last, score, reasons))
    ranked.sort(key=lambda one: (-one.score, one.tool))
    return [one for one in ranked[: w.TOP_TOOLS] if one.score >= w.KEEP_SHARE * ranked[0].score]


def _lacks(scene: Scene, profile: Profile, first: int, last: int) -> bool:
    """Whether it cannot do without what is not spoken of; words that point may mean what it found before."""
    if any(one.found for one in profile.tool.parameters) and _points(scene, profile, first, last):
        return False
    return bool(lacking(scene, profile.tool, first, last))


def _points(scene: Scene, profile: Profile, first: int, last: int) -> bool:
    """ "The second one", or "it" beside words of the tool alone: "read it out"."""
    kinds = {one.kind for one in scene.references_in(first, last)}
    if kinds & {ReferenceKind.ORDINAL, ReferenceKind.EXTREME}:
        return True
    said = [at for at in range(first, last) if scene.words[at] and not scene.free[at]]
    own = all(any(form in profile.carriers for form in scene.forms[at]) for at in said)
    telling = any(not is_light(scene.tokens[at].norm) for at in said)
    return own and telling and bool(kinds & {ReferenceKind.RESULT, ReferenceKind.FIELD})


def _reckoning(scene: Scene, toolbox: Toolbox, first: int, last: int) -> tuple[ToolId, ...]:
    """The tools that take arithmetic, where some works on an earlier number: such a value says all."""
    if not any(span.source == OPEN for span in scene.spans_in(first, last)):
        return ()
    return tuple(
        tool.id for tool in toolbox.tools if any(one.type.kind is ValueKind.EXPRESSION for one in tool.parameters)
    )


def _finds_files(profile: Profile) -> bool:
    return profile.is_pure and profile.tool.result.kind is ValueKind.FILE


def _evidence(found: Found) -> dict[str, list[float]]:
    """BM25 as shares of the best, and the cosine with the nearest of summary and examples."""
    dense = np.maximum(found.columns["sentence"], found.columns["example"])
    return {"text": relative(found.columns["text"]).tolist(), "dense": dense.tolist()}


def _nearest(
    scene: Scene,
    toolbox: Toolbox,
    ids: Sequence[str],
    first: int,
    last: int,
    keys: set[str],
    kinds: frozenset[ValueKind],
) -> list[float]:
    """How much of each tool's best example the stretch holds: shared words and values of its slots' kinds."""
    language = scene.intent.language
    mass = sum(toolbox.idf(key, language) for key in {scene.keys[at] for at in _plain(scene, first, last)})
    return toolbox.taught(language).examples.nearest(ids, keys, mass, kinds)


def _alike(scene: Scene, first: int, last: int) -> frozenset[str]:
    """The verbs that mean the same as the one that the stretch begins with: "stick it on the list" is "put it"."""
    verb = next((at for at in _plain(scene, first, last) if not scene.free[at]), None)
    return kindred_verbs(scene.forms[verb], scene.intent.language) if verb is not None else frozenset()


def _plain(scene: Scene, first: int, last: int) -> Iterable[int]:
    return (at for at in range(first, last) if scene.words[at] and not scene.hard >> at & 1)


def kinds_in(scene: Scene, first: int, last: int) -> frozenset[ValueKind]:
    """Return the kinds of value that stand or are referred to in the stretch."""
    found = {span.kind for span in scene.spans_in(first, last) if span.confidence >= 0.3}
    reckoned = [span for span in scene.spans_in(first, last) if span.source == OPEN]
    pointed = any(
        one.kind is not ReferenceKind.OTHER
        and not any(span.first <= one.first and one.last <= span.last for span in reckoned)
        for one in scene.references_in(first, last)
    )
    if pointed or _describes_one(scene, first, last):
        found |= {ValueKind.FILE, ValueKind.TABLE, ValueKind.RECORD}
    if pointed and scene.new and not scene.new >> first:
        found.add(ValueKind.FOLDER)  # "make a folder Trips ... and show me what's in it"
    if ValueKind.FILE in found:
        found.add(ValueKind.TABLE)
    return frozenset(found)


def _describes_one(scene: Scene, first: int, last: int) -> bool:
    """ "The newest invoice in Invoices": a thing to be found, which tools that take such things may be about."""
    return any(scene.phrases >> at & 1 and is_superlative(scene.tokens[at].norm) for at in range(first, last))


def _reasons(scene: Scene, profile: Profile, first: int, last: int, kinds: frozenset[ValueKind]) -> dict[str, float]:
    words = covered = choices = values = 0.0
    seen = profile.seen
    verb = 0.0
    opened = False
    for at in _plain(scene, first, last):
        if scene.free[at]:
            continue
        forms = scene.forms[at]
        words += 1.0
        covered += max((profile.vocabulary.get(form, 0.0) for form in forms), default=0.0)
        choices += any(form in profile.phrases for form in forms)
        values += any(form in seen for form in forms)
        if not opened and not is_light(scene.tokens[at].norm):
            verb = 1.0 if any(form in profile.verbs for form in forms) else w.KINDRED * bool(profile.begins(forms))
            opened = True
    hard = {kind for kind in kinds if kind in HARD or kind is ValueKind.TABLE}
    takes = {parameter.type.kind for parameter in profile.tool.parameters}
    return {
        "coverage": min(1.0, (covered + choices) / words) if words else 0.0,
        "verb": verb,
        "values": values / words if words else 0.0,
        "choice": min(choices, 3.0),
        "kinds": len(hard & takes) / len(hard) if hard else 0.0,
    }
