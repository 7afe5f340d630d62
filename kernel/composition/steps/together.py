"""A text of several things: "add it together with the file's name to my note", "put everything into a note called day".

What is read here is a candidate like any other; ``gathering`` makes one text of the things.

What this stops: that the words for the second thing are written down as they stand, or are left out.
What it does not: read any words as a part. One of the parts is what an earlier step of the plan finds; the others are
that, too, or the name of a file that the plan works on, a day, or what is quoted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernel.composition import weights as w
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene, bits
from kernel.composition.steps.flow import fit_described
from kernel.composition.steps.referring import fit_reference, nouns_fit
from kernel.composition.steps.results import Source, fit
from kernel.composition.window import Filler, Flow
from kernel.composition.words import is_article, is_free
from kernel.language.several_results import EVERY, all_at, beside_at, file_name_at
from kernel.model import Constant
from skills.model import Parameter, ValueKind

K = ValueKind
_SURE = 0.9
_LONGEST = 3  # words that describe what was found
_WITH = frozenset({"with", "mit"})
_S_DATE = (("'s", "date"), ("date",))


@dataclass(frozen=True, slots=True)
class _Part:
    """Words up to ``last``, and what they are."""

    last: int
    value: Constant | Flow


def together_fillers(
    scene: Scene, profile: Profile, sources: tuple[Source, ...], first: int, last: int
) -> dict[str, list[Filler]]:
    """Return the candidates for texts of several things in [first, last), for each parameter that is one text."""
    texts = [one for one in profile.tool.parameters if one.type.kind is K.TEXT and not (one.type.many or one.found)]
    if not texts or not _results(sources):
        return {}
    return {one.name: own for one in texts if (own := list(_read(scene, profile, one, sources, first, last)))}


def _read(
    scene: Scene, profile: Profile, parameter: Parameter, sources: tuple[Source, ...], first: int, last: int
) -> Iterator[Filler]:
    nearest = _nearest(parameter, sources)
    joints = [at for at in range(first, last) if _beside(scene, sources, at, last) > at]
    for at in range(first, last):
        end = all_at(scene.tokens, at, last)
        if end > at and nearest is not None:
            yield Filler(parameter.name, nearest, bits(at, end), at, end, _SURE, "reference")
    for at in range(first, joints[-1] if joints else first):
        parts, end = _parts(scene, profile, parameter, sources, at, last)
        if len(parts) > 1 and any(isinstance(one, Flow) for one in parts):
            yield Filler(parameter.name, parts[0], bits(at, end), at, end, _SURE, "reference", beside=tuple(parts[1:]))


def _parts(
    scene: Scene, profile: Profile, parameter: Parameter, sources: tuple[Source, ...], at: int, last: int
) -> tuple[list[Constant | Flow], int]:
    """The things that are put beside each other from ``at`` on, and where their words end."""
    found: list[Constant | Flow] = []
    end, behind = at, at
    while len(found) < EVERY:
        part = next(_part(scene, profile, parameter, sources, behind, last), None)
        if part is None or part.value in found:
            break
        found.append(part.value)
        end, behind = part.last, _beside(scene, sources, part.last, last)
        if behind == end:
            break
    return found, end


def _beside(scene: Scene, sources: tuple[Source, ...], at: int, last: int) -> int:
    """Where words end that put something beside what stands before ``at``; "with" alone does so with a file's name."""
    end = beside_at(scene.tokens, at, last)
    comma = at + (at + 1 < last and scene.free[at])  # "jot that down, with its name"
    word = next((place + 1 for place in (at, comma) if place < last and scene.tokens[place].norm == ","), at)
    alone = end == at and word < last and scene.tokens[word].norm in _WITH
    return word + 1 if alone and any(_file_name(scene, sources, word + 1, last)) else end


def _part(
    scene: Scene, profile: Profile, parameter: Parameter, sources: tuple[Source, ...], at: int, last: int
) -> Iterator[_Part]:
    """What words from ``at`` on mean: what they quote, the name of a file, a day, or what was found."""
    yield from _quoted(scene, at, last)
    yield from _file_name(scene, sources, at, last)
    yield from _day(scene, at, last)
    yield from _pointed_at(scene, parameter, sources, at, last)
    yield from _described(scene, profile, parameter, sources, at, last)
    if at < last and is_article(scene.tokens[at].norm) and beside_at(scene.tokens, at + 1, last) > at + 1:
        nearest = _nearest(parameter, sources)  # "häng die zusammen mit ... an"
        if nearest is not None:
            yield _Part(at + 1, nearest)


def _quoted(scene: Scene, at: int, last: int) -> Iterator[_Part]:
    for span in scene.spans_in(at, last):
        if span.first == at and span.source == "quoted" and isinstance(span.value, str):
            yield _Part(span.last, Constant(span.value, span.label, span.value))


def _file_name(scene: Scene, sources: tuple[Source, ...], at: int, last: int) -> Iterator[_Part]:
    """ "The file's name", of the nearest that the plan works on; or the file itself, which is written by its name."""
    for span in scene.spans_in(at, last):
        if span.first == at and span.kind is K.FILE and span.source != "missing" and span.confidence >= w.SURE_NAME:
            name = _path(span.value).rpartition("/")[2]
            yield _Part(span.last, Constant(name, span.label, name))
    end = file_name_at(scene.tokens, at, last)
    near = next((one for one in sources if one.type.kind is K.FILE and one.single), None) if end > at else None
    if near is not None and near.step is not None:
        yield _Part(end, Flow(near.step, "name"))
    elif near is not None and _path(near.value):
        yield _Part(end, Constant(_path(near.value).rpartition("/")[2], near.label, scene.text(at, end)))


def _path(value: object) -> str:
    return value if isinstance(value, str) else str(value.get("path", "")) if isinstance(value, dict) else ""


def _day(scene: Scene, at: int, last: int) -> Iterator[_Part]:
    """ "Today's date", "dem Datum von heute", "the 3rd of May": the day, as it is written down."""
    for span in scene.spans_in(max(at - 1, 0), last):
        if span.kind is K.DATE and span.first <= at < span.last and isinstance(span.value, str):
            behind = tuple(one.norm for one in scene.tokens[span.last : last])
            end = span.last + next((len(words) for words in _S_DATE if behind[: len(words)] == words), 0)
            yield _Part(end, Constant(span.value, span.label, scene.text(span.first, span.last)))


def _pointed_at(scene: Scene, parameter: Parameter, sources: tuple[Source, ...], at: int, last: int) -> Iterator[_Part]:
    """ "It", "their names", "that summary"."""
    for reference in scene.references_in(at, last):
        if reference.first != at:
            continue
        for step, one in _results(sources):
            fitted = fit_reference(parameter.type, reference, one)
            if fitted is not None and nouns_fit(reference, one):
                yield _Part(reference.last, Flow(step, fitted.field, fitted.index))


def _described(
    scene: Scene, profile: Profile, parameter: Parameter, sources: tuple[Source, ...], at: int, last: int
) -> Iterator[_Part]:
    """ "The total", "die Kündigungsfrist": by words that produced it."""
    if at >= last or not scene.determiners[at]:
        return
    end = at + 1
    while end < last and end - at <= _LONGEST and not is_free(scene.tokens[end]) and scene.words[end]:
        end += 1
    for stop in range(end, at + 1, -1):
        for step, one in _results(sources):
            fitted = fit_described(scene, profile, parameter, one, list(range(at + 1, stop)))
            if fitted is not None:
                yield _Part(stop, Flow(step, fitted.field, fitted.index))


def _nearest(parameter: Parameter, sources: tuple[Source, ...]) -> Flow | None:
    """What the step before comes to, as a text."""
    results = _results(sources)
    if not results:
        return None
    step, one = results[0]
    fitted = fit(one.type, parameter.type, single=one.single)
    return None if fitted is None else Flow(step, fitted.field, fitted.index)


def _results(sources: tuple[Source, ...]) -> list[tuple[int, Source]]:
    """What the steps of this plan find, each with its step, the last first."""
    return [(one.step, one) for one in sources if one.step is not None and not one.given]
