"""Data flow: which earlier results a parameter may take, and which words point at them.

A result fits by type; a person points at it by a pronoun, a projection ("its total", "their names"), an ordinal
("the second one") or a description made of the words that produced it ("the invoice").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernel.composition import weights as w
from kernel.composition.filling.fillers import is_tabular, period_of_day, window_of
from kernel.composition.filling.regions import regions
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene, bits
from kernel.composition.steps.picking import pick
from kernel.composition.window import Filler, Flow
from kernel.composition.words import is_article, is_entire, is_fresh, is_original, is_possessive
from kernel.fields import BESIDE, fields_in, side_by_side
from kernel.language.extremes import BY_WORD
from kernel.language.fields_beside import fields_beside
from kernel.language.inner_pointers import inside_field
from kernel.language.place.place_words import FILE_NOUNS, FOLDER_NOUNS, PLURAL_FILES
from kernel.language.there import is_that_day
from kernel.model import Constant, Reference, ReferenceKind
from permissions.labels import Label
from skills.model import Parameter, ValueKind, ValueType

K = ValueKind
_SCALARS = frozenset({K.INTEGER, K.NUMBER, K.QUANTITY, K.DATE, K.DURATION})
_TAKES_RESULTS = frozenset(
    {
        K.FILE, K.FOLDER, K.TABLE, K.RECORD, K.TEXT, K.TITLE, K.QUERY, K.DATE, K.PERIOD, K.NUMBER, K.INTEGER,
        K.QUANTITY,
    }
)  # fmt: skip
_TOLD = "text"
_WRITTEN_DOWN = 0.95  # several fields, over the first alone
_HELD = frozenset({K.FILE, K.DATE, K.NUMBER})
_HAVE = ("have", "hab", "habe", "haben")
_DESCRIBED = frozenset({K.FILE, K.TABLE, K.RECORD, K.TEXT, K.FOLDER, K.TITLE, K.NUMBER})
_RESULTS = frozenset({"result", "results", "ergebnis"})
_NUMBERS = frozenset("number count figure amount sum total value zahl anzahl summe betrag wert".split())
_CALLED: Mapping[ValueKind, frozenset[str]] = {
    K.FILE: FILE_NOUNS | PLURAL_FILES,
    K.FOLDER: FOLDER_NOUNS,
    K.TABLE: frozenset("table tabelle rows zeilen".split()),
}
"""What a person calls what a step came to, whatever it is about."""


_PARTICIPLE = re.compile(r"te[nrsm]?$")

UNKNOWN = Label()
"""Of a value nobody vouches for."""


@dataclass(frozen=True, slots=True)
class Source:
    """A result that may be referred to: of step ``step`` of this plan, or of an earlier run (then ``step`` is None)."""

    type: ValueType
    step: int | None
    single: bool  # certainly one thing
    words: frozenset[str]  # forms of the words that produced it, for descriptions
    age: float  # 0 is the nearest
    value: Any = None
    label: Label = UNKNOWN
    text: str = ""
    given: bool = False  # a value that a task was given, not what it found
    owner: str = ""  # the skill whose tool found it
    said: frozenset[str] = frozenset()  # of ``words``, those that were said


@dataclass(frozen=True, slots=True)
class Fit:
    """How a result serves a parameter: how well (0..1), by which field, by which item."""

    score: float
    field: str = ""
    index: int | None = None
    items: tuple[int, ...] = ()  # several, of a value that is known
    inside: str = ""  # the field of the record which holds the items


def fit(source: ValueType, wanted: ValueType, *, single: bool, plural: bool | None = None) -> Fit | None:
    """Return how a result of type ``source`` serves a parameter of type ``wanted``, or None.

    ``single`` says that the result is certainly one thing, ``plural`` how the words refer to it (None: open).
    """
    score = _kind_fit(source, wanted)
    if wanted.kind is K.TEXT and not source.many and _TOLD in source.fields and _holds_many(source):
        return Fit(0.75, _TOLD)  # what is said of all of them, and not what each of them holds
    if score is None:
        return _by_field(source, wanted, single)
    many_to_one = source.many and not wanted.many and wanted.kind not in (K.TEXT, K.TABLE)
    if many_to_one or (source.many and wanted.kind is K.TABLE and source.kind is not K.RECORD):
        if single:
            return Fit(score, index=0)
        return None if plural else Fit(score * 0.85)
    if plural is True and not source.many and source.kind not in (K.TABLE, K.RECORD, K.ANY, K.TEXT):
        score *= 0.6
    return Fit(score)


def _holds_many(source: ValueType) -> bool:
    """A record of many things: the days of a calendar with their events."""
    return source.kind is K.RECORD and any(one.kind is K.RECORD and one.many for one in source.fields.values())


def _kind_fit(source: ValueType, wanted: ValueType) -> float | None:
    if wanted.kind is K.TEXT:
        return {K.TEXT: 1.0, K.FILE: 0.6}.get(source.kind, 0.75)
    if source.kind is wanted.kind:
        return 1.0
    if wanted.kind is K.TABLE:
        return {K.FILE: 0.6, K.RECORD: 0.6 if source.many else None}.get(source.kind)
    if wanted.kind is K.RECORD and not source.many:
        return 0.7 if source.kind in _SCALARS else 0.5 if source.kind in (K.TEXT, K.ANY) else None
    if wanted.kind is K.NUMBER and source.kind is K.INTEGER:
        return 1.0
    return None


def _by_field(source: ValueType, wanted: ValueType, single: bool) -> Fit | None:
    """A record serves as the file (or the date, the number) that it holds, when it holds exactly one of that kind."""
    if source.kind is not K.RECORD:
        return None
    names = [name for name, inner in source.fields.items() if inner.kind is wanted.kind and wanted.kind in _HELD]
    if len(names) != 1 or (source.many and not wanted.many and not single):
        return None
    return Fit(0.7, field=names[0], index=0 if source.many and not wanted.many else None)


def project(source: ValueType, lemma: str) -> str:
    """Return the field of ``source`` that a person calls ``lemma``; empty when there is none."""
    lemma = lemma.casefold().replace(" ", "_")
    singular = lemma[:-1] if lemma.endswith("s") and len(lemma) > 3 else lemma
    for name in source.fields:
        if name.casefold() in (lemma, singular) or name.casefold().rstrip("s") == singular:
            return name
    parts = [name for name in source.fields if {lemma, singular} & set(name.casefold().split("_"))]
    return parts[0] if len(parts) == 1 else ""


# --- fillers ------------------------------------------------------------------------------------------------------


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
    numeric = source.type.kind in _SCALARS or any(one.kind in _SCALARS for one in source.type.fields.values())
    named = _CALLED.get(source.type.kind, frozenset()) if not source.given else frozenset()
    figures = _NUMBERS if numeric and source.type.kind is not K.FILE and not source.given else frozenset()
    return source.words | named | figures | _RESULTS | {str(source.type.kind)}


def _referred(
    scene: Scene, profile: Profile, parameter: Parameter, reference: Reference, sources: tuple[Source, ...]
) -> Iterator[Filler]:
    cue = profile.cues.share_left(parameter.name, _left(scene, reference.first))
    several = any(one.step is not None and one.type.many and not one.single for one in sources)  # "them" are these
    for source in sources:
        if source.given and source.type.kind is K.QUERY and not _takes_what_is_done(profile, parameter):
            continue
        fitted = fit_reference(parameter.type, reference, source) or _fit_title(profile, parameter, reference, source)
        named = nouns_fit(reference, source) or _is_called_so_by(profile, parameter, reference, source)
        if fitted is None or not named or _is_no_table(parameter, source, fitted):
            continue
        if profile.removes(parameter.name) and _is_foreign(profile, parameter, source, fitted):
            continue  # "when is Ada's birthday? put it in my calendar": the file of the cards stays where it is
        if reference.plural and source.given and source.single and several:
            continue
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


def fit_reference(wanted: ValueType, reference: Reference, source: Source) -> Fit | None:
    """Return how what the words refer to in ``source`` serves a parameter of type ``wanted``, or None."""
    match reference.kind:
        case ReferenceKind.RESULT if wanted.kind is K.PERIOD:
            return _fit_that_day(reference, source)
        case ReferenceKind.RESULT:
            return fit(source.type, wanted, single=source.single, plural=reference.plural)
        case ReferenceKind.FIELD:
            return _fit_field(wanted, reference, source)
        case ReferenceKind.ORDINAL:
            return _fit_ordinal(wanted, reference, source)
        case ReferenceKind.EXTREME:
            return _fit_extreme(wanted, reference, source)
        case ReferenceKind.OTHER:
            return None


def _fit_that_day(reference: Reference, source: Source) -> Fit | None:
    """ "That day" is the whole day that was said before, and no other stretch of time is pointed at."""
    said = source.given and source.type.kind is K.DATE and not source.type.many
    return Fit(1.0) if said and is_that_day(reference) else None


def _fit_field(wanted: ValueType, reference: Reference, source: Source) -> Fit | None:
    if BESIDE in reference.field:
        return _fit_fields(wanted, fields_in(reference.field), source)
    name = project(source.type, reference.field)
    if not name:
        return None
    inner = source.type.fields[name]
    found = fit(ValueType(inner.kind, inner.many or source.type.many), wanted, single=source.single)
    return None if found is None else Fit(max(found.score, 0.9), name, found.index)


def _fit_fields(wanted: ValueType, called: tuple[str, ...], source: Source) -> Fit | None:
    """ "Their names and sizes", for a text: side by side, where each is a field of its own."""
    names = [project(source.type, one) for one in called]
    if wanted.kind is not K.TEXT or not all(names) or len(set(names)) < len(names):
        return None
    return Fit(_WRITTEN_DOWN, BESIDE.join(names))


def _fit_ordinal(wanted: ValueType, reference: Reference, source: Source) -> Fit | None:
    if not source.type.many or not reference.ordinal:
        return None
    if reference.field.isdigit() and int(reference.field) > 1:
        return _fit_some(wanted, reference, source)
    index = reference.ordinal - 1 if reference.ordinal > 0 else reference.ordinal
    one = ValueType(source.type.kind, False, source.type.choices, source.type.fields)
    found = fit(one, wanted, single=True)
    return None if found is None else Fit(found.score, found.field, index)


def _fit_some(wanted: ValueType, reference: Reference, source: Source) -> Fit | None:
    """ "The first two" of what an earlier run found, for what takes several; of what is still to be found, none."""
    count = int(reference.field)
    if source.step is not None or not wanted.many or not isinstance(source.value, list) or len(source.value) < count:
        return None
    one = ValueType(source.type.kind, False, source.type.choices, source.type.fields)
    found = fit(one, ValueType(wanted.kind, False, wanted.choices, wanted.fields), single=True)
    size = len(source.value)
    places = range(count) if reference.ordinal > 0 else range(size - count, size)
    return None if found is None else Fit(found.score, found.field, items=tuple(places))


def _fit_extreme(wanted: ValueType, reference: Reference, source: Source) -> Fit | None:
    """ "The oldest one" of what an earlier run found; what this plan will find is picked by a step of its own."""
    if source.step is not None or source.given or not source.type.many:
        return None
    places = pick(source.value, reference.field, reference.ordinal)
    if places is None:
        return None
    one = ValueType(source.type.kind, False, source.type.choices, source.type.fields)
    found = fit(one, wanted, single=True)
    if found is None or (len(places) > 1 and not wanted.many):
        return None
    if wanted.many:
        return Fit(found.score, found.field, items=places)
    return Fit(found.score, found.field, places[0])


def _fit_title(profile: Profile, parameter: Parameter, reference: Reference, source: Source) -> Fit | None:
    """Within one skill a thing that it found is called by its name where its tools take a title, or words for it."""
    if parameter.type.kind not in (K.TITLE, K.QUERY) or source.owner != profile.tool.skill:
        return None
    if parameter.type.kind is K.QUERY:
        return _fit_words(source, reference)
    if source.type.kind is not K.FILE:
        return fit_name(profile, parameter, source) if reference.kind is ReferenceKind.RESULT else None
    found = fit_reference(ValueType(K.FILE), reference, source)
    return None if found is None or found.field else replace(found, score=found.score * w.BY_NAME, field="stem")


def _fit_words(source: Source, reference: Reference) -> Fit | None:
    """The one title of a record that an earlier run told of: "mark it done", "the second one" of a list in it."""
    if source.type.kind is not K.RECORD or source.type.many or source.step is not None:
        return None
    if reference.kind is ReferenceKind.ORDINAL:
        return _fit_listed(source, reference)
    title = _only_title(source.type)
    return Fit(w.BY_TITLE, title) if title and reference.kind is ReferenceKind.RESULT else None


def _fit_listed(source: Source, reference: Reference) -> Fit | None:
    """The title of one of the records that a record lists, where it has one: a nameless one is not known by words."""
    lists = [(name, one) for name, one in source.type.fields.items() if one.kind is K.RECORD and one.many]
    if len(lists) != 1 or reference.field or not reference.ordinal:
        return None
    (inside, held), place = lists[0], reference.ordinal - (reference.ordinal > 0)
    found = Fit(w.BY_TITLE, _only_title(held), place, inside=inside)
    return found if found.field and value_of(source.value, found) else None


def _only_title(record: ValueType) -> str:
    titles = [name for name, one in record.fields.items() if one.kind is K.TITLE and not one.many]
    return titles[0] if len(titles) == 1 else ""


def nouns_fit(reference: Reference, source: Source) -> bool:
    """Tell whether "that note" may be the source: the noun names its kind, a field of it, or a word that made it."""
    nouns = {noun.casefold() for noun in reference.nouns} - {"result", "ergebnis", "one", "thing", "output"}
    if not nouns:
        return True
    if reference.kind is ReferenceKind.EXTREME:
        return nouns <= source.words | {str(source.type.kind)}
    return bool(nouns & (source.words | {str(source.type.kind), *source.type.fields}))


def _described(
    scene: Scene, profile: Profile, parameter: Parameter, sources: tuple[Source, ...], first: int, last: int
) -> Iterator[Filler]:
    """A definite description: every content word is one that produced the result, or names its kind or a field."""
    for start, end, cue in regions(window_of(scene, profile, first, last), parameter.name):
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
            fitted = _fit_description(scene, profile, parameter, source, content)
            if fitted is not None:
                score = fitted.score * (0.55 + 0.3 * cue) - w.RECENCY * source.age
                score -= w.FOREIGN if _is_foreign(profile, parameter, source, fitted) else 0.0
                yield filler_from(scene, parameter, source, fitted, begin, end, max(score, 0.05))


def _most(scene: Scene, content: list[int]) -> bool:
    return any(scene.tokens[at].norm in BY_WORD for at in content)


def _tells(scene: Scene, at: int) -> bool:
    return scene.words[at] and not scene.free[at] and not is_entire(scene.tokens[at].norm)


def _fit_description(
    scene: Scene, profile: Profile, parameter: Parameter, source: Source, content: list[int]
) -> Fit | None:
    wanted, named = parameter.type, called_so(source)
    if source.given and source.type.kind is K.FILE and all(is_original(scene.tokens[at].norm) for at in content):
        return fit(source.type, wanted, single=source.single)
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


def fit_name(profile: Profile, parameter: Parameter, source: Source) -> Fit | None:
    """What a thing is called that is there, or was made by an earlier step of the same skill."""
    if not parameter.names:
        return None
    if source.type.kind is K.TITLE:
        return Fit(1.0)
    only = source.step is None and source.single and source.type.many  # a list of one that was found before
    found = (
        source.type.many and source.step is not None and source.type.kind is K.RECORD
    )  # of several it is asked which
    if (source.type.many and not (only or found)) or source.owner != profile.tool.skill:
        return None
    place = 0 if only else None
    if source.type.kind is K.FILE:
        return Fit(w.BY_NAME, "stem", place)
    said = source.type.kind is K.RECORD and "title" in source.type.fields and (source.step is not None or only)
    return Fit(w.BY_TITLE, "title", place) if said else None


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
        argument = Constant(value, source.label, scene.text(first, last) or source.text)
    return Filler(parameter.name, argument, bits(first, last), first, last, score, "reference")


def value_of(value: Any, fitted: Fit, language: str = "en") -> Any:
    """Return the item and field of an earlier run's value; None where it does not have them."""
    value = _field(value, fitted.inside) if fitted.inside else value
    if fitted.items and isinstance(value, list):
        value = [value[at] for at in fitted.items if at < len(value)]
    elif fitted.index is not None and isinstance(value, list):
        value = value[fitted.index] if -len(value) <= fitted.index < len(value) else None
    names = fields_in(fitted.field)
    if not names:
        return value
    if isinstance(value, list):
        return [_part(item, names, language) for item in value]
    return _part(value, names, language)


def _part(value: Any, names: tuple[str, ...], language: str) -> Any:
    if len(names) == 1:
        return _field(value, names[0])
    return side_by_side({name: _field(value, name) for name in names}, language)


def _field(value: Any, name: str) -> Any:
    if not isinstance(value, Mapping):
        return None
    inner = value.get("fields")
    fields = inner if isinstance(inner, Mapping) else value
    if name in fields:
        return fields[name]
    path = str(value.get("path", ""))
    tail = path.rsplit("/", 1)[-1]
    stem, dot, suffix = tail.rpartition(".")
    implied = {
        "name": tail,
        "stem": stem if dot and stem else tail,
        "suffix": f".{suffix}".lower() if dot and stem else "",
        "folder": path.rsplit("/", 1)[0] or "/",
    }
    return implied.get(name) if path else None
