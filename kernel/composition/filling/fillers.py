"""Argument candidates read from the words of a segment: typed spans, choice words, and free text between cues.

Cue words come from the tool's own examples: what stood left and right of the slot there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any

from kernel.composition import weights as w
from kernel.composition.filling.ahead import to_come
from kernel.composition.filling.announced import is_called
from kernel.composition.filling.companions import stands_alone
from kernel.composition.filling.deeds import deeds
from kernel.composition.filling.doubts import doubted
from kernel.composition.filling.free_text import free_text, new_folder, without_verb
from kernel.composition.filling.joined import joined, joined_choices, joined_things
from kernel.composition.filling.labelled import is_called_otherwise
from kernel.composition.filling.left_out import set_apart
from kernel.composition.filling.names import long_names, placed, put_into
from kernel.composition.filling.noun_phrases import describes_another
from kernel.composition.filling.standing import doubt_of, may_serve
from kernel.composition.filling.topics import is_only_about, is_topic
from kernel.composition.filling.units import AMOUNTS, converted_to, is_of_another_measure, with_unit
from kernel.composition.filling.word_for_word import word_for_word
from kernel.composition.profiles.choice_phrases import ChoicePhrase
from kernel.composition.profiles.profile import Box, Profile
from kernel.composition.scene import HARD, NUMBERS, Scene, bits
from kernel.composition.window import Filler, Window
from kernel.composition.words import is_foremost, is_plural
from kernel.language.place.new_folders import says_new
from kernel.language.place.place_words import looks_like_path
from kernel.language.there import is_that_day
from kernel.model import Constant, Span
from skills.model import Parameter, ValueKind

K = ValueKind
_INSIDE = frozenset("in inside within".split())
FREE_TEXT = frozenset({K.TEXT, K.TITLE, K.QUERY, K.COLUMN, K.UNIT})
TABULAR = (".csv", ".tsv", ".xlsx", ".xls", ".xlsm", ".ods", ".parquet", ".json", ".jsonl")

ACCEPTS: Mapping[ValueKind, Mapping[ValueKind, float]] = {
    K.TEXT: {K.TEXT: 0.85},
    K.TITLE: {K.TITLE: 0.9, K.NEW_FILE: 0.6, K.FILE: 0.5},
    K.QUERY: {K.QUERY: 0.8, K.FILE: 0.75, K.NEW_FILE: 0.7},
    K.INTEGER: {K.INTEGER: 1.0},
    K.NUMBER: {K.NUMBER: 1.0, K.INTEGER: 1.0},
    K.BOOLEAN: {K.BOOLEAN: 1.0},
    K.FILE: {K.FILE: 1.0},
    K.FOLDER: {K.FOLDER: 1.0},
    K.NEW_FILE: {K.NEW_FILE: 1.0, K.FILE: 0.9},
    K.DATE: {K.DATE: 1.0},
    K.PERIOD: {K.PERIOD: 1.0, K.DATE: 0.8},
    K.SIZE: {K.SIZE: 1.0},
    K.DURATION: {K.DURATION: 1.0},
    K.HOURS: {K.HOURS: 1.0},
    K.RECURRENCE: {K.RECURRENCE: 1.0},
    K.QUANTITY: {K.QUANTITY: 1.0},
    K.UNIT: {K.UNIT: 1.0},
    K.EXPRESSION: {K.EXPRESSION: 1.0, K.NUMBER: 0.3, K.INTEGER: 0.3},
    K.CONDITION: {K.CONDITION: 1.0},
    K.COLUMN: {K.COLUMN: 0.9},
    K.URL: {K.URL: 1.0},
    K.TABLE: {K.FILE: 0.95},
    K.RECORD: {K.RECORD: 1.0, K.NUMBER: 0.7, K.INTEGER: 0.6, K.QUANTITY: 0.6},
    K.ANY: {},
    K.CHOICE: {},
}
_EVERY = frozenset("every each jeden jede jedes".split())
_TEXTUAL = frozenset({K.TEXT, K.TITLE, K.QUERY, K.COLUMN})


def accepted_by(parameter: Parameter) -> Mapping[ValueKind, float]:
    """Return the kinds of value that ``parameter`` takes, with how well."""
    accepts = ACCEPTS[parameter.type.kind]
    return {**accepts, **dict.fromkeys(AMOUNTS, 1.0)} if parameter.unit else accepts


def text_fillers(scene: Scene, profile: Profile, box: Box, first: int, last: int) -> dict[str, list[Filler]]:
    """Return the best candidates from the words [first, last) for each parameter of the tool, read once a sentence."""
    key = ("fillers", profile.tool.id, first, last)
    if key not in scene.memo:
        scene.memo[key] = _read_fillers(scene, profile, box, first, last)
    found: dict[str, list[Filler]] = scene.memo[key]
    return found


def _read_fillers(scene: Scene, profile: Profile, box: Box, first: int, last: int) -> dict[str, list[Filler]]:
    window = window_of(scene, profile, first, last)
    choices = list(_choice_fillers(window))
    choices += joined_choices(scene, choices)
    spans = tuple(without_verb(scene, box, span, (first, last)) for span in scene.spans_in(first, last))
    spans = tuple(span for span in spans if not _is_made_later(scene, profile, span))
    if any(one.type.kind is K.HOURS for one in profile.tool.parameters):
        spans = tuple(_before_hours(scene, span) for span in spans)
    found: dict[str, list[Filler]] = {}
    for parameter in profile.tool.parameters:
        own = [one for one in choices if one.parameter == parameter.name]
        own += _typed(window, parameter, spans)
        own += new_folder(window, box, parameter)
        own += long_names(window, parameter)
        own += deeds(window, parameter)
        own += put_into(window, own) if parameter.type.kind is K.NEW_FILE else ()
        own += word_for_word(window, parameter) if parameter.type.kind is K.QUERY else ()
        found[parameter.name] = own
    lonely = {one.name for one in profile.tool.parameters if one.found or stands_alone(scene, one, first, last)}
    found = {name: [] if name in lonely else own for name, own in found.items()}
    texts = [one for one in profile.tool.parameters if one.type.kind in FREE_TEXT and one.name not in lonely]
    for _ in range(2 if len(texts) > 1 else 1):
        for parameter in texts:
            own = [*found[parameter.name], *_knowable(window, parameter, free_text(window, box, parameter))]
            own = [one for one in own if not is_called_otherwise(scene, parameter, one)]
            found[parameter.name] = [one for one in doubted(window, box, parameter, own) if one.score > w.NO_VALUE]
            _mark_surest(window, found[parameter.name])
    return {name: _best(own) for name, own in set_apart(window, found).items() if own}


def _before_hours(scene: Scene, span: Span) -> Span:
    """ "Tomorrow evening", and "tomorrow | evening at 8": a day and a time of it, for a tool that takes both."""
    if span.kind not in (K.DATE, K.PERIOD):
        return span
    hours = [one for one in scene.spans if one.kind is K.HOURS]
    clocks = [one for one in hours if not one.value["rough"] and not span.first < one.first < span.last]
    parts = (
        one for one in hours if span.first < one.first < span.last <= one.last and not (clocks and one.value["rough"])
    )  # "tomorrow morning" is a day where a time of day stands elsewhere
    part = next(parts, None)
    return span if part is None else replace(span, last=part.first)


def _is_made_later(scene: Scene, profile: Profile, span: Span) -> bool:
    """ "Into a new folder": what makes or renames one folder takes it from none that is still to be made."""
    makes = profile.tool.result.kind is K.FOLDER and not profile.tool.result.many
    return makes and span.source == "missing" and says_new(scene.tokens[span.first].norm)


def _knowable(window: Window, parameter: Parameter, own: Iterable[Filler]) -> list[Filler]:
    """Nothing is called what only the person knows ("die ich brauche"), or ends in "that day"; a text may say it."""
    if parameter.type.kind is K.TEXT:
        return list(own)
    scene, days = window.scene, _days_pointed_at(window) if parameter.type.kind is K.TITLE else frozenset()
    return [one for one in own if not one.mask & scene.unknowable and one.last not in days]


def _days_pointed_at(window: Window) -> frozenset[int]:
    """Where "that day" ends, for a tool that takes a day."""
    takes = any(one.type.kind in (K.DATE, K.PERIOD) for one in window.profile.tool.parameters)
    return frozenset(one.last for one in window.scene.references if takes and is_that_day(one))


def _mark_surest(window: Window, own: list[Filler]) -> None:
    """A parameter has one value: what is less sure of being it is no context of others."""
    surest = max((one.score for one in own), default=0.0)
    for one in own:
        if one.score >= max(surest, w.CONTEXT_TEXT):
            window.mark(one)


def window_of(scene: Scene, profile: Profile, first: int, last: int) -> Window:
    """Return the window with choices, numbers and hard values marked as context, made once a sentence."""
    key = ("window", profile.tool.id, first, last)
    if key not in scene.memo:
        scene.memo[key] = _make_window(scene, profile, first, last)
    window: Window = scene.memo[key]
    return window


def _make_window(scene: Scene, profile: Profile, first: int, last: int) -> Window:
    window = Window(scene, profile, first, last)
    sure = list(_choice_fillers(window))
    spans = tuple(span for span in scene.spans_in(first, last) if span.kind in HARD or span.kind in NUMBERS)
    for parameter in profile.tool.parameters:
        if parameter.type.kind not in FREE_TEXT:
            sure += _typed(window, parameter, spans)
    for one in sure:
        window.mark(one)
    return window


def _best(fillers: list[Filler]) -> list[Filler]:
    by_mask: dict[int, Filler] = {}
    for one in fillers:
        held = by_mask.get(one.mask)
        if held is None or one.score > held.score:
            by_mask[one.mask] = one
    return sorted(by_mask.values(), key=lambda one: -one.score)[: w.FILLERS]


# --- choices ------------------------------------------------------------------------------------------------------


def _choice_fillers(window: Window) -> Iterator[Filler]:
    scene, profile = window.scene, window.profile
    for index in range(window.first, window.last):
        phrases = {phrase for form in scene.nouns[index] for phrase in profile.phrases.get(form, ())}
        for phrase in phrases:
            end = _phrase_end(scene, phrase, index, window.last)
            if phrase.parameter in profile.ordering and end < window.last and is_foremost(scene.tokens[end].norm):
                end += 1 if end else 0  # "newest first": the order of a list, not the one thing
            if not end or scene.hard & bits(index, end) or _is_verb(window, phrase, index, end):
                continue
            if end > index + 1 or not describes_another(window, index):
                yield _choice(window, phrase, index, end)


def _is_verb(window: Window, phrase: ChoicePhrase, index: int, end: int) -> bool:
    """ "Zip the folder": a kind of file where the verb of a request stands, with what it is done to behind it."""
    if not window.profile.parameter(phrase.parameter).suffixes or is_plural(window.scene.tokens[end - 1]):
        return False
    opens = index == window.scene.request_begins(window.first, window.last)
    return opens and end < window.last and window.scene.determiners[end]


def _phrase_end(scene: Scene, phrase: ChoicePhrase, index: int, last: int) -> int:
    """The token after the phrase at ``index``, 0 when it does not stand there."""
    at = index
    for allowed in phrase.words:
        while at < last and at > index and not scene.words[at]:
            at += 1
        if at >= last or allowed.isdisjoint(scene.nouns[at]):
            return 0
        at += 1
    return at


def _choice(window: Window, phrase: ChoicePhrase, index: int, end: int) -> Filler:
    value: Any = phrase.choice
    if window.profile.parameter(phrase.parameter).type.kind is K.BOOLEAN:
        value = phrase.choice == "true"
    score = 0.8 + 0.06 * (end - index) + 0.1 * window.cue(phrase.parameter, index, end)
    place = _is_named_place(window.scene, index, end) or _says_where(window.scene, index)
    score -= w.DOUBT_NAMED if place else 0.0
    constant = Constant(value, window.scene.intent.label, window.scene.text(index, end))
    return Filler(phrase.parameter, constant, bits(index, end), index, end, min(score, 1.0), "choice")


def _is_named_place(scene: Scene, index: int, end: int) -> bool:
    """A word with a capital inside a sentence that is also the name of a folder is rather the folder."""
    text = scene.tokens[index].text
    if index == 0 or not text[:1].isupper() or text.isupper() or (text[-1:] == "s" and text[:-1].isupper()):
        return False
    return any(span.kind is K.FOLDER and span.first <= index and end <= span.last for span in scene.spans)


def _says_where(scene: Scene, index: int) -> bool:
    """ "In my documents", "in den Tabellen": where something is looked for, and not which kind of thing."""
    at = index - 1
    while at >= 0 and scene.determiners[at]:
        at -= 1
    return 0 < at < index - 1 and scene.tokens[at].norm in _INSIDE


# --- typed spans --------------------------------------------------------------------------------------------------


def _typed(window: Window, parameter: Parameter, spans: tuple[Span, ...]) -> list[Filler]:
    accepts = accepted_by(parameter)
    by_place: dict[tuple[int, int], list[Span]] = {}
    for span in map(partial(to_come, window.scene, parameter), spans):
        if (
            span.kind in accepts
            and (parameter.type.many or not isinstance(span.value, list))
            and _may_be_sought(window, parameter, span)
            and may_serve(window.scene, window.profile, parameter, span)
            and not is_only_about(window, parameter, span)
            and not (parameter.unit and with_unit(window.scene, parameter, span))
        ):
            by_place.setdefault((span.first, span.last), []).append(span)
    found = [_typed_one(window, parameter, group) for group in by_place.values()]
    if parameter.type.many:
        found += list(joined(window.scene, found))
        found = [one if one.origin == "list" else _as_list(one) for one in found]
    elif parameter.names or parameter.type.kind in (K.FILE, K.TABLE, K.FOLDER):
        found += list(joined_things(window.scene, [one for one in found if _is_there(window.scene, parameter, one)]))
    if parameter.type.kind in (K.FILE, K.TABLE, K.FOLDER):
        found += placed(window, parameter, found)
    return found


def _is_there(scene: Scene, parameter: Parameter, one: Filler) -> bool:
    """A file or folder, or something that is called as it is said."""
    if parameter.names:
        return is_called(scene, parameter.names, one.first, one.last)
    return bool(one.mask & scene.hard)


def _may_be_sought(window: Window, parameter: Parameter, span: Span) -> bool:
    """What is looked for by the name of a file is that name as it is written: "invoice.pdf", and not "invoice"."""
    if parameter.type.kind is not K.QUERY or span.kind is K.QUERY:
        return True
    words = _words(window.scene, span)
    named = window.profile.is_pure or not _is_odd_title(window, parameter, span)  # "move logo.png" moves no appointment
    return named and looks_like_path(words) and "/" not in words


def _typed_one(window: Window, parameter: Parameter, group: list[Span]) -> Filler:
    scene = window.scene
    kind = parameter.type.kind
    accepts = accepted_by(parameter)
    group = sorted(group, key=lambda span: -accepts[span.kind] * span.confidence)
    best = group[0]
    same = [span for span in group if span.kind is best.kind and span.source != "missing"]
    cue = window.cue(parameter.name, best.first, best.last)
    weight = _weight(window, parameter, best, accepts[best.kind])
    score = weight * (0.75 * best.confidence + 0.25 * cue)
    if kind in _TEXTUAL:
        score = weight * _textual_score(best, cue)
    if kind is K.TABLE and not is_tabular(best.value):
        score *= w.NO_TABLE
    elif kind is K.FILE and _is_odd_file(window, parameter, best):
        score *= w.ODD_FILE
    score *= doubt_of(scene, window.profile, best) if kind is K.FOLDER else 1.0
    score *= w.ONE_OF_MANY if kind in (K.DATE, K.PERIOD) and _repeats(scene, best) else 1.0
    constants = [value_of(parameter, span, scene) for span in same or [best]]
    distinct = list({repr(one.value): one for one in constants}.values())
    others = tuple(distinct[1:]) if kind in (K.FILE, K.FOLDER, K.TABLE) else ()
    mask = bits(best.first, best.last) | _announcing(scene, best)
    return Filler(
        parameter.name, distinct[0], mask, best.first, best.last, score, "typed", others,
        missing=is_of_another_measure(parameter, best)
        or (best.source == "missing" and _must_be_there(window, parameter)),
    )  # fmt: skip


def _repeats(scene: Scene, span: Span) -> bool:
    """ "Every Sunday" is no Sunday: the day is said of a repetition."""
    said = {scene.tokens[at].norm for at in range(max(0, span.first - 1), span.first + 1)}
    again = (one for one in scene.spans if one.kind is K.RECURRENCE and one.first <= span.first < one.last)
    return not said.isdisjoint(_EVERY) and any(again)


def _must_be_there(window: Window, parameter: Parameter) -> bool:
    """A file that is read or changed is there; so is a folder that something is done to, and not only put into."""
    if parameter.type.kind in (K.FILE, K.TABLE):
        return True
    changed = not window.profile.is_pure and parameter.name not in window.profile.makes
    return parameter.type.kind is K.FOLDER and parameter.required and changed


def _is_odd_file(window: Window, parameter: Parameter, span: Span) -> bool:
    """The examples have files of a few kinds there, and never one like this: "read prices.csv" is about a table."""
    name = str(span.value).rpartition("/")[2].casefold()
    seen = {word.rpartition(".")[2] for word in window.profile.values.get(parameter.name, ()) if "." in word}
    return "." in name and len(seen) in w.FEW_SUFFIXES and name.rpartition(".")[2] not in seen


def _announcing(scene: Scene, span: Span) -> int:
    """The words that announce the value are explained with it, whether or not an example has them."""
    count = len(span.source.removeprefix("cue:").split()) if span.source.startswith("cue:") else 0
    before = range(max(0, span.first - count), span.first)
    return sum(1 << at for at in before if not scene.free[at] and not scene.never >> at & 1)


def _weight(window: Window, parameter: Parameter, best: Span, accepted: float) -> float:
    """A file's name as a title counts in full where the examples have such titles, and hardly where they have none.

    So does one that is looked for: what is inside documents is no file's name.
    """
    if parameter.type.kind not in (K.TITLE, K.QUERY) or best.kind not in HARD:
        return accepted
    if is_topic(window, parameter, best):
        return 1.0
    if _is_odd_title(window, parameter, best):
        return 0.25 * accepted
    if parameter.type.kind is K.QUERY:
        return accepted
    announced = window.cue(parameter.name, best.first, best.last) > w.CUED
    return w.FILE_AS_TITLE if announced and "/" not in _words(window.scene, best) else accepted


def _is_odd_title(window: Window, parameter: Parameter, span: Span) -> bool:
    """A file's name is a title, or looked for, only where the tool's examples have such ones."""
    if parameter.type.kind not in (K.TITLE, K.QUERY) or span.kind not in HARD:
        return False
    return not any("." in word for word in window.profile.values.get(parameter.name, ()))


def _textual_score(span: Span, cue: float) -> float:
    if span.source in ("quoted", "glob"):
        return 0.85 + 0.15 * cue
    if span.source.startswith("cue"):
        return 0.35 + 0.5 * cue
    if span.source == "stem":  # the person has something of this title
        return 0.75 * span.confidence + 0.25 * cue
    if span.kind in HARD:
        return 0.3 + 0.7 * cue
    return 0.2 + 0.6 * cue


def is_tabular(value: Any) -> bool:
    """Tell whether a file is one of those that hold tables, by its suffix."""
    path = value.get("path", "") if isinstance(value, Mapping) else value
    return str(path).casefold().endswith(TABULAR)


def _words(scene: Scene, span: Span) -> str:
    return scene.text(span.first, span.last)


def value_of(parameter: Parameter, span: Span, scene: Scene) -> Constant:
    """Return the span's value in the form, and the unit, that ``parameter`` takes."""
    converted = converted_to(parameter, span)
    value = value_for(parameter.type.kind, span, scene) if converted is None else converted
    return Constant(value, span.label, _words(scene, span))


def value_for(kind: ValueKind, span: Span, scene: Scene) -> Any:
    """Return the span's value in the form that a parameter of ``kind`` takes."""
    if kind is K.PERIOD and span.kind is K.DATE:
        return period_of_day(str(span.value))
    if kind in _TEXTUAL and span.kind in HARD:
        return scene.text(span.first, span.last).strip("\"'“”„‚‘’")
    if kind is K.EXPRESSION:
        return str(span.value)
    if kind is K.NUMBER and isinstance(span.value, str):
        return float(span.value)
    return span.value


def period_of_day(day: str) -> Any:
    """Return the period that holds exactly one day; anything unreadable stays as it is."""
    try:
        start = date.fromisoformat(day[:10])
    except ValueError:
        return day
    return {"start": start.isoformat(), "end": (start + timedelta(days=1)).isoformat()}


def _as_list(one: Filler) -> Filler:
    """One thing as a list of one; several that were found by what was done to them are a list already."""
    if not isinstance(one.argument, Constant) or isinstance(one.argument.value, list):
        return one
    listed = replace(one.argument, value=[one.argument.value])
    return replace(one, argument=listed, others=tuple(replace(other, value=[other.value]) for other in one.others))


# --- free text ----------------------------------------------------------------------------------------------------
