"""What a tool of the same skill found before, for an argument that is never said by name: "read me the second one".

What this stops: that a mail that was listed or read is opened as a file, or that another one than it is taken.
What it does not: choose among several that were found where no word says which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kernel.composition import weights as w
from kernel.composition.filling.companions import stands_alone
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene, bits
from kernel.composition.steps.flow import called_so, filler_from, means, pointers
from kernel.composition.steps.referring import fit_reference, nouns_fit
from kernel.composition.steps.results import Fit, Source, fit, value_of
from kernel.composition.window import Filler
from kernel.language.amounts.numbers import ordinals
from kernel.language.extremes import BY_WORD, NEWEST
from kernel.model import Constant, Reference, ReferenceKind
from skills.model import Parameter, ValueKind

_TELLS_WHICH = frozenset({ValueKind.QUERY, ValueKind.PERIOD, ValueKind.DATE})
_LAST = -1

FOUND = "found"
"""Where a filler comes from that is one of several which were found before."""


def found_fillers(
    scene: Scene, profile: Profile, sources: tuple[Source, ...], first: int, last: int
) -> dict[str, list[Filler]]:
    """Return what words of [first, last) mean of what the skill found, for the parameter that takes such a thing."""
    parameter = _parameter(profile)
    near = _of_the_skill(profile, sources) if parameter is not None else ()
    if parameter is None or not near:
        return {}
    own = [*_pointed(scene, parameter, near, first, last), *_described(scene, parameter, near, first, last)]
    return {parameter.name: sorted(own, key=lambda one: -one.score)[: w.FILLERS]}


def says_twice(profile: Profile, given: tuple[Filler, ...]) -> bool:
    """Tell whether one that was found is given and words that say which: "the mail from Olga" is no mail from Ada."""
    parameter = _parameter(profile)
    names = {one.parameter for one in given}
    telling = (one.name for one in profile.tool.parameters if _tells_which(one))
    return parameter is not None and parameter.name in names and not names.isdisjoint(telling)


def unsaid(
    scene: Scene, profile: Profile, given: tuple[Filler, ...], sources: tuple[Source, ...], first: int, last: int
) -> Filler | None:
    """Return the one thing that was found last, where [first, last) says in no way which one is meant.

    "Save the attachment" after a mail was read; "save the attachment of the mail from Anna" names one itself.
    """
    parameter = _parameter(profile)
    if parameter is None or any(one.parameter == parameter.name for one in given):
        return None
    telling = {one.name for one in profile.tool.parameters if _tells_which(one)}
    said = any(one.parameter in telling or one.origin == "reference" for one in given)
    if said or scene.pointing & bits(first, last) or not _is_unnamed(scene, profile, first, last):
        return None
    for source in _of_the_skill(profile, sources)[:1]:
        fitted = fit(source.type, parameter.type, single=source.single)
        if fitted is not None:
            return filler_from(scene, parameter, source, fitted, 0, 0, w.FOUND_LAST)
        return _one_of_several(scene, parameter, source)
    return None


def _one_of_several(scene: Scene, parameter: Parameter, source: Source) -> Filler | None:
    """The first that this plan will find; any of those that an earlier run found: the person is asked which."""
    fitted = fit(replace(source.type, many=False), parameter.type, single=True)
    if fitted is not None and source.step is not None:
        return filler_from(scene, parameter, source, replace(fitted, index=0), 0, 0, w.FOUND_LAST)
    if fitted is None or not isinstance(source.value, list) or not source.value:
        return None
    places = range(len(source.value))
    values = [value_of(source.value, replace(fitted, index=at)) for at in places]
    told = [Constant(value, source.label, _told(source.value[at])) for at, value in zip(places, values, strict=True)]
    return Filler(parameter.name, told[0], 0, 0, 0, w.FOUND_LAST, FOUND, tuple(told[1:]))


def _told(record: Any) -> str:
    """What a record says of itself in words: from whom it is, about what, of which day."""
    fields = record.values() if isinstance(record, Mapping) else ()
    return ", ".join(one for one in fields if isinstance(one, str) and one)


def _parameter(profile: Profile) -> Parameter | None:
    return next((one for one in profile.tool.parameters if one.found), None)


def _of_the_skill(profile: Profile, sources: tuple[Source, ...]) -> tuple[Source, ...]:
    """What tools of the same skill came to: things of its own, which know where they lie."""
    own = (one for one in sources if one.owner == profile.tool.skill and not one.given)
    return tuple(one for one in own if one.type.kind is ValueKind.RECORD)


# --- said ---------------------------------------------------------------------------------------------------------


def _pointed(
    scene: Scene, parameter: Parameter, sources: tuple[Source, ...], first: int, last: int
) -> Iterator[Filler]:
    """ "It", "the second one", "the newest of them", "its attachment"."""
    for reference in pointers(scene, first, last):
        for source in sources:
            fitted = fit_reference(parameter.type, _by_time(reference), source)
            if fitted is not None and nouns_fit(reference, source):
                score = w.FOUND - w.RECENCY * source.age
                yield filler_from(
                    scene, parameter, source, fitted, reference.first, reference.last, max(score, w.WEAKEST)
                )


def _by_time(reference: Reference) -> Reference:
    """ "The last one" of things of which each has its day is the newest, wherever it stands in the list."""
    if reference.kind is not ReferenceKind.ORDINAL or reference.ordinal != _LAST or reference.field:
        return reference
    return replace(reference, kind=ReferenceKind.EXTREME, field=NEWEST, ordinal=1)


def _described(
    scene: Scene, parameter: Parameter, sources: tuple[Source, ...], first: int, last: int
) -> Iterator[Filler]:
    """ "The mail", "the second mail": a word for such things, and at most its place in the list."""
    for start in range(first, last):
        end = _noun_end(scene, start, last)
        place = ordinals().get(scene.tokens[start + 1].norm, 0) if end > start + 1 else 0
        content = range(start + 1 + bool(place), end)
        if not content or place < 0 or any(_is_extreme(scene, at) for at in content):
            continue
        for source in sources:
            fitted = _at(source, parameter, place)
            if fitted is not None and all(means(called_so(source), scene, at) for at in content):
                score = w.FOUND - w.RECENCY * source.age
                yield filler_from(scene, parameter, source, fitted, start, end, max(score, w.WEAKEST))


def _noun_end(scene: Scene, start: int, last: int) -> int:
    """Where the content words behind the article at ``start`` end; ``start`` where none stands there."""
    at = start + 1
    while scene.determiners[start] and at < last and scene.words[at] and _is_content(scene, at):
        at += 1
    return at if at > start + 1 else start


def _is_content(scene: Scene, at: int) -> bool:
    return not scene.free[at] or scene.tokens[at].norm in ordinals()


def _is_extreme(scene: Scene, at: int) -> bool:
    """ "The latest mail" is the latest of all, and not the one that was read."""
    return scene.tokens[at].norm in BY_WORD or ordinals().get(scene.tokens[at].norm, 0) == _LAST


def _at(source: Source, parameter: Parameter, place: int) -> Fit | None:
    if place:
        return fit_reference(parameter.type, Reference(ReferenceKind.ORDINAL, 0, 0, False, ordinal=place), source)
    return fit(source.type, parameter.type, single=source.single)


# --- unsaid -------------------------------------------------------------------------------------------------------


def _tells_which(one: Parameter) -> bool:
    return not one.required and one.type.kind in _TELLS_WHICH


def _is_unnamed(scene: Scene, profile: Profile, first: int, last: int) -> bool:
    """No word of a kind that a request has which says which one: "mail", "inbox"."""
    telling = [one for one in profile.tool.parameters if _tells_which(one) and one.beside]
    return bool(telling) and all(stands_alone(scene, one, first, last) for one in telling)
