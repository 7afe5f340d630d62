"""Data flow: which earlier results a parameter may take, and which words point at them.

A result fits by type; a person points at it by a pronoun, a projection ("its total", "their names"), an ordinal
("the second one") or a description made of the words that produced it ("the invoice").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kernel.composition import weights as w
from kernel.composition.filling.fillers import is_tabular, period_of_day, window_of
from kernel.composition.filling.regions import regions
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene, bits
from kernel.composition.steps.outcomes import fit_outcome
from kernel.composition.steps.referring import fit_name, fit_reference, fit_title, nouns_fit
from kernel.composition.steps.results import SCALARS, Fit, Source, fit, project, value_of
from kernel.composition.window import Filler, Flow
from kernel.composition.words import is_article, is_entire, is_fresh, is_original, is_possessive, is_to_whom
from kernel.fields import in_words
from kernel.language.extremes import BY_WORD
from kernel.language.fields_beside import fields_beside
from kernel.language.inner_pointers import inside_field
from kernel.language.outcome_nouns import FIGURES, is_bare
from kernel.language.place.place_words import FILE_NOUNS, FOLDER_NOUNS, PLURAL_FILES
from kernel.model import Constant, Reference, ReferenceKind
from skills.model import Parameter, ValueKind

K = ValueKind
_TAKES_RESULTS = frozenset(
    {
        K.FILE, K.FOLDER, K.TABLE, K.RECORD, K.TEXT, K.TITLE, K.QUERY, K.DATE, K.PERIOD, K.NUMBER, K.INTEGER,
        K.QUANTITY,
    }
)  # fmt: skip
_HAVE = ("have", "hab", "habe", "haben")
_DESCRIBED = frozenset({K.FILE, K.TABLE, K.RECORD, K.TEXT, K.FOLDER, K.TITLE, K.NUMBER})
_RESULTS = frozenset({"result", "results", "ergebnis"})
_CALLED: Mapping[ValueKind, frozenset[str]] = {
    K.FILE: FILE_NOUNS | PLURAL_FILES,
    K.FOLDER: FOLDER_NOUNS,
    K.TABLE: frozenset("table tabelle rows zeilen".split()),
}
"""What a person calls what a step came to, whatever it is about."""
_PARTICIPLE = re.compile(r"te[nrsm]?$")


def flow_fillers(
    scene: Scene, profile: Profile, sources: tuple[Source, ...], first: int, last: int
) -> dict[str, list[Filler]]:
    """Return the candidates that words of [first, last) draw from ``sources``, for each parameter."""
    found: dict[str, list[Filler]] = {}
    if not sources:
        return found
    references = list(pointers(scene, first, last))
    for parameter in profile.tool.parameters:
        if parameter.type.kind not in _TAKES_RESULTS or parameter.found:
            continue
        own = [one for reference in references for one in _referred(scene, profile, parameter, reference, sources)]
        if parameter.type.kind in _DESCRIBED:
            own += list(_described(scene, profile, parameter, sources, first, last))
        if own:
            found[parameter.name] = sorted(own, key=lambda one: -one.score)[: w.FILLERS]
    return found


def pointers(scene: Scene, first: int, last: int) -> Iterator[Reference]:
    """Yield the references of the segment; "its total" is also "it", with the noun left to other parameters.

    "The total of that bill" is also "that bill".
    """
    for one in scene.references_in(first, last):
        yield one
        if one.kind is ReferenceKind.FIELD and is_possessive(scene.tokens[one.first].norm):
            plural = scene.tokens[one.first].norm in {"their", "deren"} or None
            yield Reference(ReferenceKind.RESULT, one.first, one.first + 1, plural)
            yield from fields_beside(scene.tokens, one, last)
        elif (inner := inside_field(scene.tokens, one)) is not None:
            yield inner


def called_so(source: Source) -> frozenset[str]:
    """The words by which a person may mean the source: those that produced it, and those for things of its kind."""
    numeric = source.type.kind in SCALARS or any(one.kind in SCALARS for one in source.type.fields.values())
    named = _CALLED.get(source.type.kind, frozenset()) if not source.given else frozenset()
    figures = FIGURES if numeric and source.type.kind is not K.FILE and not source.given else frozenset()
    return source.words | named | figures | _RESULTS | {str(source.type.kind)}


def _referred(
    scene: Scene, profile: Profile, parameter: Parameter, reference: Reference, sources: tuple[Source, ...]
) -> Iterator[Filler]:
    cue = profile.cues.share_left(parameter.name, _left(scene, reference.first))
    several = any(one.step is not None and one.type.many and not one.single for one in sources)  # "them" are these
    for source in sources:
        if source.given and source.type.kind is K.QUERY and not _takes_what_is_done(profile, parameter):
            continue
        fitted = fit_reference(parameter.type, reference, source) or fit_title(profile, parameter, reference, source)
        named = nouns_fit(reference, source) or _is_called_so_by(profile, parameter, reference, source)
        if fitted is None or not named or _is_no_table(parameter, source, fitted):
            continue
        if profile.removes(parameter.name) and _is_foreign(profile, parameter, source, fitted):
            continue  # "when is Ada's birthday? put it in my calendar": the file of the cards stays where it is
        if reference.plural and source.given and source.single and (several or source.type.kind is K.DATE):
            continue  # "them" is no day that was said
        score = fitted.score * 0.9 + 0.1 * (cue or 0.0) - w.RECENCY * source.age
        old = source.step is None and not source.given
        score -= w.OLD_RUN if old and any(one.step is not None for one in sources) else 0.0
        score -= w.STRANGER if old and source.owner != profile.tool.skill else 0.0
        score -= w.FOREIGN if _is_foreign(profile, parameter, source, fitted) else 0.0
        yield filler_from(scene, parameter, source, fitted, reference.first, reference.last, max(score, 0.05))


def _takes_what_is_done(profile: Profile, parameter: Parameter) -> bool:
    """ "I have {called Anna}, tick that off": its examples say of the thing what has been done with it."""
    cues, name = profile.cues, parameter.name
    return bool(cues.share_left(name, _HAVE) or cues.share_right(name, _HAVE))


def _is_called_so_by(profile: Profile, parameter: Parameter, reference: Reference, source: Source) -> bool:
    """ "Save the attachment and read the total of that bill": whoever reads such files calls them so."""
    files = parameter.type.kind is K.FILE and source.type.kind is K.FILE and reference.kind is ReferenceKind.RESULT
    found = source.step is not None and not source.given and profile.is_pure
    return files and found and not profile.carriers.isdisjoint(noun.casefold() for noun in reference.nouns)


def _is_foreign(profile: Profile, parameter: Parameter, source: Source, fitted: Fit) -> bool:
    """The file in which another skill keeps the one thing that it found: a note is a note before it is a file."""
    held = parameter.type.kind is K.FILE and bool(fitted.field) and not source.type.many
    return held and source.step is not None and source.owner != profile.tool.skill


def _is_no_table(parameter: Parameter, source: Source, fitted: Fit) -> bool:
    """A file that an earlier run found, and that holds no table by its name."""
    if parameter.type.kind is not K.TABLE or source.type.kind is not K.FILE or source.step is not None:
        return False
    value = value_of(source.value, fitted)
    return not all(map(is_tabular, value if isinstance(value, list) else [value]))


def _left(scene: Scene, index: int) -> tuple[str, ...]:
    at = scene.left_of(index, 0)
    return (scene.keys[at], *scene.forms[at]) if at >= 0 else ()


def _described(
    scene: Scene, profile: Profile, parameter: Parameter, sources: tuple[Source, ...], first: int, last: int
) -> Iterator[Filler]:
    """A definite description: every content word is one that produced the result, or names its kind or a field."""
    for region, end, cue in regions(window_of(scene, profile, first, last), parameter.name):
        start = region + (region + 1 < end and is_to_whom(scene.tokens[region].norm))
        begin = start if start == first or not scene.determiners[start - 1] else start - 1
        if not scene.determiners[start] and begin == start:
            continue
        content = [at for at in range(begin, end) if _tells(scene, at)]
        if not content or len(content) > 3 or scene.hard & bits(begin, end):
            continue
        for source in sources:
            if source.step is None and (parameter.type.kind is K.NUMBER or not is_article(scene.tokens[begin].norm)):
                continue
            if source.type.kind is K.RECORD and source.owner != profile.tool.skill and _most(scene, content):
                continue  # "the newest mail" is the newest of all, and no file that one was read from
            fitted = fit_described(scene, profile, parameter, source, content)
            if fitted is not None:
                score = fitted.score * (0.55 + 0.3 * cue) - w.RECENCY * source.age
                score -= w.FOREIGN if _is_foreign(profile, parameter, source, fitted) else 0.0
                yield filler_from(scene, parameter, source, fitted, begin, end, max(score, 0.05))


def _most(scene: Scene, content: list[int]) -> bool:
    return any(scene.tokens[at].norm in BY_WORD for at in content)


def _tells(scene: Scene, at: int) -> bool:
    return scene.words[at] and not scene.free[at] and not is_entire(scene.tokens[at].norm)


def fit_described(
    scene: Scene, profile: Profile, parameter: Parameter, source: Source, content: list[int]
) -> Fit | None:
    """Return how the source serves the parameter where the words ``content`` describe it, or None."""
    wanted, named = parameter.type, called_so(source)
    if source.given and source.type.kind is K.FILE and all(is_original(scene.tokens[at].norm) for at in content):
        return fit(source.type, wanted, single=source.single)
    if wanted.kind is K.TEXT and is_bare([scene.tokens[at].norm for at in content]):
        content = content[-1:]  # "the final number"
    if wanted.kind is K.TEXT and len(content) == 1:
        found = fit_outcome(source, scene.tokens[content[0]].norm)
        if found is not None:
            return found
    field = next((name for at in content if (name := project(source.type, scene.keys[at]))), "")
    for at in content:
        made = source.step is not None and not source.given and is_fresh(scene.tokens[at].norm)
        if not (means(named, scene, at) or made or project(source.type, scene.keys[at])):
            return None
    if field and wanted.kind is K.TEXT and len(content) == 1:
        return Fit(0.9, field)
    if wanted.kind is K.TITLE:
        return fit_name(profile, parameter, source)
    return fit(source.type, wanted, single=source.single)


def means(named: frozenset[str], scene: Scene, at: int) -> bool:
    """One of the words, or in German the end of one: "die Liste" of "Einkaufsliste", "die sortierte" of "sortieren"."""
    if not named.isdisjoint(scene.forms[at]):
        return True
    norm = scene.tokens[at].norm
    if scene.intent.language != "de" or len(norm) <= 4:
        return False
    done = _PARTICIPLE.sub("", norm)
    deeds = {done, done.removeprefix("ge")} if done != norm and len(done) > 4 else set()
    return any(word.endswith(norm) or word.removesuffix("n").removesuffix("e") in deeds for word in named)


def filler_from(
    scene: Scene, parameter: Parameter, source: Source, fitted: Fit, first: int, last: int, score: float
) -> Filler:
    """Return the filler that takes ``source`` as ``fitted`` says, for the words [first, last)."""
    argument: Flow | Constant
    if source.step is not None:
        argument = Flow(source.step, fitted.field, fitted.index)
    else:
        value = value_of(source.value, fitted, scene.intent.language)
        value = period_of_day(value) if parameter.type.kind is K.PERIOD else value
        value = in_words(fitted.field, value, scene.intent.language) if parameter.type.kind is K.TEXT else value
        argument = Constant(value, source.label, scene.text(first, last) or source.text)
    return Filler(parameter.name, argument, bits(first, last), first, last, score, "reference")
