"""Values that nobody mentions: what an earlier step came to, where a call needs such a thing and no word names it."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.composition import weights as w
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene
from kernel.composition.steps.flow import called_so, filler_from, means
from kernel.composition.steps.referring import fit_name
from kernel.composition.steps.results import Fit, Source, fit
from kernel.composition.window import Filler
from kernel.composition.words import is_article, is_indefinite
from kernel.language.follow_words import goes_on
from kernel.language.there import is_that_day
from skills.model import Parameter, ParamRole, ValueKind

K = ValueKind
_TABLE = frozenset({"table"})


def implicit_fillers(
    profile: Profile, parameter: Parameter, sources: tuple[Source, ...], scene: Scene, first: int, last: int
) -> Iterator[Filler]:
    """A required value that nobody mentions is the nearest earlier result of this plan that fits, or the last table.

    A number only where [first, last) says that it goes on with one: "and then 19 percent VAT on top"; a title is that
    of what the step before of the same skill made.
    """
    if parameter.type.kind is K.TITLE and parameter.role is ParamRole.PAYLOAD:
        yield from _same_title(parameter, sources, scene, first, last)
    if parameter.type.kind is K.TITLE and sources and sources[0].step is not None:
        named = fit_name(profile, parameter, sources[0])
        if named is not None and profile.is_pure:
            start, end = _noun_phrase(scene, called_so(sources[0]), first, last)
            yield filler_from(scene, parameter, sources[0], named, start, end, named.score)
        return
    if parameter.type.kind is K.NUMBER:
        sources = sources[:1] if any(goes_on(scene.tokens[at].norm) for at in range(first, last)) else ()
    elif parameter.type.kind not in (K.FILE, K.TABLE, K.RECORD, K.TEXT, K.FOLDER, K.DATE):
        return
    for source in sources:
        if source.step is None:
            if _is_latest_table(parameter, source, sources):
                yield filler_from(scene, parameter, source, Fit(1.0), 0, 0, w.LATEST_TABLE)
                return
            if parameter.type.kind is K.TABLE and source.given and source.words >= _TABLE and source.age <= w.JUST_NOW:
                yield filler_from(scene, parameter, source, Fit(1.0), 0, 0, w.SAME_TABLE)
                return
            continue
        fitted = fit(source.type, parameter.type, single=source.single)
        if fitted is not None and fitted.score >= 0.5:
            one = filler_from(scene, parameter, source, fitted, 0, 0, fitted.score * 0.8 - w.RECENCY * source.age)
            yield one
            return


def _same_title(
    parameter: Parameter, sources: tuple[Source, ...], scene: Scene, first: int, last: int
) -> Iterator[Filler]:
    """ "Add lunch with Tom on 3 May and remind me that day at noon": of what was put down for that day just before."""
    if not any(map(is_that_day, scene.references_in(first, last))):
        return
    titles = (one for one in sources if one.given and one.type.kind is K.TITLE and one.age < 1)
    for source in titles:
        yield filler_from(scene, parameter, source, Fit(1.0), 0, 0, w.BY_TITLE)
        return


def _noun_phrase(scene: Scene, named: frozenset[str], first: int, last: int) -> tuple[int, int]:
    """Where an article and a word for the thing stand, "the note"; (0, 0) where none do."""
    for at in range(first + 1, last):
        article = scene.tokens[at - 1].norm
        if is_article(article) and not is_indefinite(article) and means(named, scene, at):
            return at - 1, at + 1
    return 0, 0


def _is_latest_table(parameter: Parameter, source: Source, sources: tuple[Source, ...]) -> bool:
    """ "Save as a.csv" after a table: what is to be kept is what was found last; anything else is asked for."""
    if parameter.type.kind is not K.TABLE or parameter.role is not ParamRole.PAYLOAD:
        return False
    found = [one for one in sources if one.step is None and not one.given]
    return bool(found) and found[0] is source and source.type.kind is K.TABLE
