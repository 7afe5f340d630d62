"""Free text between cues: where the examples have a title, words to look for or a body, and how much to doubt it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from kernel.composition import weights as w
from kernel.composition.cues import AFTER_ARTICLE
from kernel.composition.new_names import NEW
from kernel.composition.patterns import is_pattern, patterns
from kernel.composition.profile import Box
from kernel.composition.scene import Scene, bits
from kernel.composition.skeletons import START
from kernel.composition.standing import holds_part, sets_apart
from kernel.composition.window import Filler, Window
from kernel.composition.words import (
    is_article,
    is_determiner,
    is_indefinite,
    is_negation,
    is_preposition,
    is_superlative,
)
from kernel.language.function_words import is_question_word
from kernel.language.place_words import FILE_NOUNS, FOLDER_NOUNS, announces_folder, looks_like_path
from kernel.model import Constant, ReferenceKind, Span
from skills.model import Parameter, ValueKind

K = ValueKind


def is_called(scene: Scene, pattern: str, first: int, last: int) -> bool:
    """Tell whether some of the words [first, last), and none beside them, name a file whose path fits ``pattern``."""
    wanted = pattern.replace("~", scene.home, 1)
    return any(
        first <= span.first < span.last <= last and isinstance(span.value, str) and fnmatchcase(span.value, wanted)
        for span in scene.spans
        if span.kind is K.FILE
    )


def without_verb(scene: Scene, box: Box, span: Span, first: int) -> Span:
    """A run of words that begins with the clause's verb is read without it."""
    start = span.first
    if span.source != "chunk" or span.last - start < 2 or not all(scene.free[first:start]):
        return span
    if not box.is_verb(scene.forms[start], scene.intent.language):
        return span
    return replace(span, first=start + 1, value=scene.text(start + 1, span.last))


def regions(window: Window, name: str, *, through: bool = False) -> list[tuple[int, int, float]]:
    """Return stretches [start, end) that stand where examples have the parameter, with a cue score 0..1, best first.

    ``through`` lets a stretch run over hard values (a described object may contain a folder or a date).
    """
    found: dict[tuple[int, int], float] = {}
    cues = window.profile.cues
    for start in range(window.first, window.last):
        left = cues.share_left(name, window.left_words(start)) or _bare_opening(window, name, start)
        if not left or not _may_start(window.scene, start):
            continue
        for end in _ends(window, name, start, through=through):
            right = cues.share_right(name, window.right_words(end))
            score = 0.6 * left + 0.4 * (right if right is not None else 0.2)
            found[start, end] = max(score, found.get((start, end), 0.0))
    ranked = sorted(((start, end, score) for (start, end), score in found.items()), key=lambda one: (-one[2], one[0]))
    return ranked[: 3 * w.REGIONS]


def _bare_opening(window: Window, name: str, start: int) -> float:
    """A value that an example had may open a clause without the article that the examples have before it."""
    if window.left_words(start) != (START,):
        return 0.0
    known = window.profile.values.get(name, frozenset())
    if window.scene.free[start] or known.isdisjoint(window.scene.forms[start]):
        return 0.0
    return window.profile.cues.share_left(name, (START, AFTER_ARTICLE)) or 0.0


def _may_start(scene: Scene, start: int) -> bool:
    token = scene.tokens[start]
    return scene.words[start] or token.norm in "\"'“„‘‚"


def _ends(window: Window, name: str, start: int, *, through: bool) -> Iterator[int]:
    scene, cues = window.scene, window.profile.cues
    others = [other for other in cues.left if other != name]
    final = window.last
    while final > start and not scene.words[final - 1]:
        final -= 1
    for end in range(start + 1, final):
        if not through and scene.hard & (1 << (end - 1)):
            return
        words = window.right_words(end)
        stops = cues.share_right(name, words) or any(cues.share_left(other, words) for other in others)
        if stops or not scene.words[end] or (not through and scene.hard & (1 << end)):
            yield end
    if through or not scene.hard & bits(start, final):
        yield final


def free_text(window: Window, parameter: Parameter) -> list[Filler]:
    scene, kind = window.scene, parameter.type.kind
    found = []
    for start, end, score in regions(window, parameter.name, through=kind is K.TEXT):
        trimmed = (start, end) if kind is K.TEXT else _trim(scene, start, end)
        if trimmed and not _meets_quote(scene, *trimmed, body=kind is K.TEXT) and _is_free_text(scene, kind, *trimmed):
            found.append(_free_one(scene, parameter, *trimmed, score))
    return found


def new_folder(window: Window, box: Box, parameter: Parameter) -> list[Filler]:
    """A folder to put things into may be new: a name where the examples have it, meant below the home."""
    scene = window.scene
    if parameter.type.kind is not K.FOLDER or parameter.name not in window.profile.makes or not scene.home:
        return []
    found = []
    for start, end, score in regions(window, parameter.name):
        trimmed = _trim(scene, start, end)
        if trimmed is None or score < w.SURE_FOLDER or trimmed[1] - trimmed[0] > 4:
            continue
        first, last = trimmed
        name = _name_within(scene, first, last)
        doubt = sum(_doubt_word(window, box, at) for at in range(*name))
        text = scene.text(*name).strip("\"'“”„‘’")
        negated = any(is_negation(scene.tokens[at].norm) for at in range(first, last))
        if announces_folder(scene.tokens[first].norm) or scene.tokens[name[1] - 1].norm in NEW:
            continue  # "a folder called best of summer" is no name as a whole, and "a new folder" has none
        if (
            negated
            or looks_like_path(text)
            or "/" in text
            or text.startswith((".", "~"))
            or scene.hard & bits(first, last)
        ):
            continue
        value = Constant(f"{scene.home}/{text}", scene.intent.label, text)
        found.append(
            Filler(parameter.name, value, bits(first, last), first, last, 0.2 + 0.4 * score - doubt, "doubted")
        )
    return found


def _name_within(scene: Scene, first: int, last: int) -> tuple[int, int]:
    """The name itself in "new folder called Letters" and "Letters folder"."""
    start = first + 1 if scene.tokens[first].norm in NEW else first
    while first < start < last and announces_folder(scene.tokens[start].norm):
        start += 1
    first = start if first + 1 < start < last else first
    return first, last - 1 if last - first > 1 and scene.tokens[last - 1].norm in FOLDER_NOUNS else last


def _meets_quote(scene: Scene, start: int, end: int, *, body: bool) -> bool:
    """A quoted stretch is read as quoted, whole; so is a pattern of file names, but in a body of text."""
    if not body and patterns(scene) & bits(start, end):
        return True
    return scene.is_quoted(start, end) or scene.cuts_quote(bits(start, end))


def _free_one(scene: Scene, parameter: Parameter, start: int, end: int, cue: float) -> Filler:
    kind = parameter.type.kind
    text = scene.text(start, end).strip()
    length = end - start
    long = 0.0 if kind is K.TEXT else 0.15 * max(0, length - 3)
    score = 0.3 + 0.6 * cue - long
    value = [text] if parameter.type.many else text
    return Filler(
        parameter.name, Constant(value, scene.intent.label, text), bits(start, end), start, end, score, "text"
    )


def doubted(window: Window, box: Box, parameter: Parameter, found: list[Filler]) -> list[Filler]:
    """Free text that looks like something else is doubted: a pronoun, a number, a choice, words that carry requests."""
    scene = window.scene
    kept = []
    for one in found:
        quoted = scene.is_quoted(one.first, one.last)
        if not quoted and not is_pattern(one) and says_nothing(window, box, parameter, one):
            continue
        if _says_file(scene, parameter, one):
            continue
        if one.origin == "doubted" or quoted or _is_own_title(scene, parameter, one) or _is_file_name(parameter, one):
            kept.append(one)
            continue
        if sets_apart(scene, window.profile, one.first, one.last):
            continue
        score = _of_pattern(window, parameter, one)
        score = one.score + _bonus(window, box, parameter, one) if score is None else score
        kept.append(replace(one, score=min(1.0, score), origin="doubted"))
    return kept


def _of_pattern(window: Window, parameter: Parameter, one: Filler) -> float | None:
    """The score of a file's name or a pattern of names: it means nothing else; only what examples give such takes it.

    What is inside documents is no file's name.
    """
    if parameter.type.kind is not K.QUERY or not (is_pattern(one) or looks_like_path(_words(one))):
        return None
    mark = "*" if is_pattern(one) else "."
    taken = any(mark in word for word in window.profile.values.get(parameter.name, ()))
    return one.score if taken else one.score * w.NO_PATTERN


def _is_own_title(scene: Scene, parameter: Parameter, one: Filler) -> bool:
    """The title of something that the person has written is vouched for by the world, as a file is."""
    return parameter.type.kind is K.TITLE and any(
        span.kind is K.TITLE and span.source == "stem" and (span.first, span.last) == (one.first, one.last)
        for span in scene.spans
    )


def _is_file_name(parameter: Parameter, one: Filler) -> bool:
    """A file's name as it is written ("invoice.pdf") is nothing else, and may be looked for."""
    return parameter.type.kind is K.QUERY and one.origin == "typed" and looks_like_path(_words(one))


def _says_file(scene: Scene, parameter: Parameter, one: Filler) -> bool:
    """ "The file invoice.pdf" is looked for by its name alone."""
    written = looks_like_path(scene.tokens[one.last - 1].text)
    return parameter.type.kind is K.QUERY and written and scene.tokens[one.first].norm in FILE_NOUNS


def _words(one: Filler) -> str:
    return one.argument.text if isinstance(one.argument, Constant) else ""


def _bonus(window: Window, box: Box, parameter: Parameter, one: Filler) -> float:
    scene = window.scene
    values = window.profile.values.get(parameter.name, frozenset())
    bonus = -w.DOUBT_POINTING * (one.mask & scene.pointing).bit_count()
    bonus -= w.DOUBT_PART if holds_part(scene, one.first, one.last) else 0.0
    bonus -= _doubt_opening(window, box, parameter, one) + _doubt_tail(window, one)
    bonus -= w.DOUBT_UNNAMED if parameter.names and not is_called(scene, parameter.names, one.first, one.last) else 0.0
    bonus -= w.DOUBT_HEAD if parameter.type.kind is K.QUERY and _is_asked_of(window, one) else 0.0
    if parameter.type.kind is K.TEXT:
        return bonus - _doubt_text(window, one)
    announced = (
        is_announced(scene, one.first, one.last)
        and not one.mask & scene.hard
        and window.cue(parameter.name, one.first, one.last) > w.CUED
    )
    if announced or whole_name(scene, one.first, one.last) or _is_new_name(window, parameter, one):
        return bonus
    known = 0.0
    is_title = parameter.type.kind is K.TITLE
    for at in range(one.first, one.last):
        forms = scene.forms[at]
        selects = not is_title and is_superlative(scene.tokens[at].norm)
        if any(form in values for form in forms) and not scene.free[at] and not selects:
            known = w.KNOWN_VALUE
        else:
            doubt = _doubt_word(window, box, at, title=is_title)
            doubt += w.DOUBT_PHRASE if _opens_phrase(scene, parameter, at, one.last) else 0.0
            bonus -= doubt if is_title or not scene.free[at] else 1.5 * doubt
    return bonus + known


def _is_asked_of(window: Window, one: Filler) -> bool:
    """ "The mode of all invoices", "der Modus aller Rechnungen": what is wanted of them, and not which of them."""
    scene, at = window.scene, one.last
    if not _is_of_something(window, at):
        return False
    noun = next((index for index in range(at + 1, window.last) if not scene.free[index]), at)
    return any(form in window.profile.carriers for form in scene.forms[noun])


def _is_of_something(window: Window, at: int) -> bool:
    """ "... of", "... von", and in German an article right behind: the words before are a noun."""
    scene = window.scene
    genitive = at < window.last and scene.determiners[at] and scene.intent.language == "de"
    return at < window.last and (genitive or scene.tokens[at].norm in ("of", "von"))


def _opens_phrase(scene: Scene, parameter: Parameter, at: int, last: int) -> bool:
    """A preposition, inside a column's name, or before an article in words to look for: "salary in the contract"."""
    if not is_preposition(scene.tokens[at].norm):
        return False
    definite = at + 1 < last and is_article(scene.tokens[at + 1].norm) and not is_indefinite(scene.tokens[at + 1].norm)
    return parameter.type.kind is K.COLUMN or (parameter.type.kind is K.QUERY and definite)


# --- what is no value at all --------------------------------------------------------------------------------------


def says_nothing(window: Window, box: Box, parameter: Parameter, one: Filler) -> bool:
    """Tell whether the words only repeat what kind of thing is wanted, announce a value, or cut a reference in two.

    "Delete a file" names no file, "called" is no title, and "the second" is half of "the second one".
    """
    scene = window.scene
    if parameter.type.kind not in (K.TEXT, K.TITLE, K.QUERY, K.COLUMN) or one.origin not in ("text", "typed"):
        return False
    if any(_is_cut(one, tail.first, tail.last) for tail in scene.references if tail.kind is ReferenceKind.ORDINAL):
        return True
    if is_announced(scene, one.first, one.last):
        return False
    return _is_bare_noun(window, box, parameter, one) or _is_cue(window, parameter, one)


def _is_cut(one: Filler, first: int, last: int) -> bool:
    return one.first < last and first < one.last and not (one.first <= first and last <= one.last)


def _is_bare_noun(window: Window, box: Box, parameter: Parameter, one: Filler) -> bool:
    """An article or "which" and words of requests only: the tool's own, or after "a" those of any tool."""
    scene, language = window.scene, window.scene.intent.language
    content = [at for at in range(one.first, one.last) if not scene.free[at]]
    lead = scene.tokens[one.first].norm if scene.determiners[one.first] else _lead(window, one.first)
    if not content or scene.hard & one.mask or (parameter.type.kind is K.COLUMN and not is_indefinite(lead)):
        return False
    if not (is_determiner(lead) or is_question_word(lead)):
        return False
    vocabulary = window.profile.vocabulary
    values = window.profile.values.get(parameter.name, frozenset())
    own = all(
        any(form in vocabulary for form in scene.forms[at]) and not any(form in values for form in scene.forms[at])
        for at in content
    )
    return own or (
        (is_indefinite(lead) or parameter.type.kind is K.TITLE)
        and all(box.is_carrier(scene.forms[at], language) or box.is_choice(scene.forms[at], language) for at in content)
    )


def _lead(window: Window, first: int) -> str:
    """The word before the noun phrase that has ``first`` in it: past choices and extremes ("the oldest file")."""
    scene = window.scene
    at = first - 1
    while at > window.first and (
        is_superlative(scene.tokens[at].norm) or any(form in window.profile.phrases for form in scene.forms[at])
    ):
        at -= 1
    return scene.tokens[max(at, window.first)].norm


def _is_cue(window: Window, parameter: Parameter, one: Filler) -> bool:
    """Short text that begins or ends with a word by which the examples announce a value ("called", "saying")."""
    scene = window.scene
    edges = {one.first, one.last - 1}
    if parameter.type.kind is K.TEXT:  # "call the bank" is a text, "called the bank" is not
        edges = {one.first} if scene.tokens[one.first].norm != scene.keys[one.first] else set()
    return any(not scene.free[at] and _announces(window, at) for at in edges)


def _announces(window: Window, at: int) -> bool:
    """The word stands left of slots in the examples, more often than any example begins with it."""
    scene, profile = window.scene, window.profile
    if scene.keys[at] not in profile.announcers:
        return False
    return not scene.hard >> at & 1


def is_announced(scene: Scene, first: int, last: int) -> bool:
    """Tell whether the stretch is what a word like "called" announces, whole."""
    return any((first, end) == (first, last) for start, end in strong_tails(scene) if start == first)


def strong_tails(scene: Scene) -> tuple[tuple[int, int], ...]:
    """Return the stretches that words like "called" and "saying" announce, each up to where it may end first."""
    key = ("tails",)
    if key not in scene.memo:
        shortest: dict[int, int] = {}
        for span in scene.spans:
            if span.source.startswith("cue") and span.confidence >= w.STRONG_CUE:
                shortest[span.first] = min(span.last, shortest.get(span.first, span.last))
        scene.memo[key] = tuple(shortest.items())
    found: tuple[tuple[int, int], ...] = scene.memo[key]
    return found


def _doubt_tail(window: Window, one: Filler) -> float:
    """What "called" announces is not cut at a mere preposition, unless a known thing follows it."""
    scene = window.scene
    for first, end in strong_tails(scene):
        last = min(end, window.last)
        if one.first < first or one.last > last or (one.first, one.last) == (first, last):
            continue
        rest = bits(first, last) & ~one.mask
        if one.first > first and scene.free[one.first - 1]:
            return w.DOUBT_CUT
        if one.first == first and not rest & scene.hard and scene.free[one.last]:
            return w.DOUBT_CUT
    return 0.0


def _is_new_name(window: Window, parameter: Parameter, one: Filler) -> bool:
    """Tell whether a title is the name of a file to be, where the examples give such names: "to ideas.txt"."""
    scene, given = window.scene, window.profile.values.get(parameter.name, frozenset())
    if parameter.type.kind is not K.TITLE or not any("." in word for word in given):
        return False
    spans = (span for span in scene.spans if (span.first, span.last) == (one.first, one.last))
    return "/" not in scene.text(one.first, one.last) and any(span.kind is K.NEW_FILE for span in spans)


def whole_name(scene: Scene, first: int, last: int) -> bool:
    """Tell whether the stretch is exactly the name of a thing that exists, without a suffix: "garden plan"."""
    return "." not in scene.text(first, last) and any(
        (span.first, span.last) == (first, last) and span.source == "stem" for span in scene.spans
    )


# --- doubts -------------------------------------------------------------------------------------------------------


def _doubt_text(window: Window, one: Filler) -> float:
    """A body of text does not end in the middle of a phrase, is no echo of the request, and hardly holds a path."""
    scene = window.scene
    doubt = w.DOUBT_ECHO if _only_carriers(window, one) else 0.0
    tail = one.last - 1
    if tail > one.first and scene.free[tail] and (scene.determiners[tail] or is_preposition(scene.tokens[tail].norm)):
        doubt += w.DOUBT_TAIL
    return doubt + w.DOUBT_MARK * ((one.mask & scene.hard) != 0)


def _only_carriers(window: Window, one: Filler) -> bool:
    """Nothing but words with which the tool is asked for ("a note")."""
    scene, carriers = window.scene, window.profile.carriers
    content = [at for at in range(one.first, one.last) if not scene.free[at]]
    return all(any(form in carriers for form in scene.forms[at]) for at in content)


def _doubt_opening(window: Window, box: Box, parameter: Parameter, one: Filler) -> float:
    """Free text hardly begins with the clause's verb or with the very word that announces it."""
    scene, forms = window.scene, window.scene.forms[one.first]
    doubt = 0.0
    if parameter.type.kind is not K.TEXT:
        cues = window.profile.cues
        inside = range(one.first, max(one.last - 1, one.first + 1))
        announced = [at for at in inside if cues.share_left(parameter.name, (scene.keys[at], *scene.forms[at]))]
        doubt += w.DOUBT_CUE * len(announced)
    opens = one.first == scene.request_begins(window.first, window.last)
    if opens and not (_is_of_something(window, one.last) and _bare_opening(window, parameter.name, one.first)):
        doubt += w.DOUBT_VERB if box.is_verb(forms, scene.intent.language) else w.DOUBT_OPENING
    return doubt


def _doubt_word(window: Window, box: Box, at: int, *, title: bool = False) -> float:
    """How much one word of a short free text looks like something else. A ``title`` may be called like anything."""
    scene, token = window.scene, window.scene.tokens[at]
    if scene.hard >> at & 1:
        return w.DOUBT_HARD
    if scene.free[at]:
        return 0.0 if scene.determiners[at] else w.DOUBT_MARK
    extreme = w.DOUBT_EXTREME if is_superlative(token.norm) else 0.0
    other = _doubt_known(window, box, at, title=title)
    return max(extreme, other) if title else extreme + other


def _doubt_known(window: Window, box: Box, at: int, *, title: bool) -> float:
    """A word that is a choice, or with which something is asked for."""
    scene, forms = window.scene, window.scene.forms[at]
    if any(form in window.profile.phrases for form in forms):
        return w.DOUBT_OWN_CHOICE
    if box.is_choice(forms, scene.intent.language) or scene.costs[at] == w.NUMBER:
        return w.DOUBT_CHOICE
    if any(form in window.profile.carriers for form in forms):
        return w.DOUBT_OWN_CARRIER
    if not box.is_carrier(forms, scene.intent.language):
        return 0.0
    return w.DOUBT_TITLE_CARRIER if title else w.DOUBT_CARRIER


def _trim(scene: Scene, start: int, end: int) -> tuple[int, int] | None:
    """Drop closed-class words and marks at both ends."""
    while start < end and _is_edge(scene, start):
        start += 1
    while end > start and _is_edge(scene, end - 1):
        end -= 1
    return (start, end) if end > start else None


def _is_edge(scene: Scene, index: int) -> bool:
    token = scene.tokens[index]
    named = index > 0 and token.text[:1].isupper() and len(token.text) > 1
    return not scene.words[index] or (scene.free[index] and not named and not is_negation(token.norm))


def _is_free_text(scene: Scene, kind: ValueKind, start: int, end: int) -> bool:
    tokens = scene.tokens[start:end]
    if kind in (K.QUERY, K.COLUMN, K.UNIT) and (end - start > 7 or any(is_negation(one.norm) for one in tokens)):
        return False
    return not all(scene.free[start:end])
