"""What the words that point at an earlier result mean of it: all, a field, an item, the oldest, its title or name."""

from __future__ import annotations

from dataclasses import replace

from kernel.composition import weights as w
from kernel.composition.profiles.profile import Profile
from kernel.composition.steps.picking import pick
from kernel.composition.steps.results import Fit, Source, fit, project, value_of
from kernel.fields import BESIDE, fields_in
from kernel.language.there import is_that_day
from kernel.model import Reference, ReferenceKind
from skills.model import Parameter, ValueKind, ValueType

K = ValueKind
_WRITTEN_DOWN = 0.95  # several fields, over the first alone


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


def fit_title(profile: Profile, parameter: Parameter, reference: Reference, source: Source) -> Fit | None:
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
    alone = source.type.many and isinstance(source.value, list) and len(source.value) == 1  # a list of one is that one
    if source.type.kind is not K.RECORD or (source.type.many and not alone) or source.step is not None:
        return None
    if reference.kind is ReferenceKind.ORDINAL:
        return _fit_listed(source, reference)
    title = _only_title(source.type)
    found = Fit(w.BY_TITLE, title, 0 if alone else None)
    return found if title and reference.kind is ReferenceKind.RESULT else None


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


def nouns_fit(reference: Reference, source: Source) -> bool:
    """Tell whether "that note" may be the source: the noun names its kind, a field of it, or a word that made it."""
    nouns = {noun.casefold() for noun in reference.nouns} - {"result", "ergebnis", "one", "thing", "output"}
    if not nouns:
        return True
    if reference.kind is ReferenceKind.EXTREME:
        return nouns <= source.words | {str(source.type.kind)}
    return bool(nouns & (source.words | {str(source.type.kind), *source.type.fields}))
