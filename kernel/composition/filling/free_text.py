"""Free text as values: a title, words to look for, a body or the name of a new folder, where examples have one."""

from __future__ import annotations

from dataclasses import replace

from kernel.composition import weights as w
from kernel.composition.filling.doubts import doubt_word
from kernel.composition.filling.new_names import NEW
from kernel.composition.filling.noun_phrases import nouns_length
from kernel.composition.filling.patterns import patterns
from kernel.composition.filling.regions import ends_as_dictated, regions, trim
from kernel.composition.filling.swallowed import before_verb, is_left_apart, own_part
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene, bits
from kernel.composition.window import Filler, Window
from kernel.composition.words import is_article, is_negation, is_possessive, is_pronoun, is_put_away, is_to_whom
from kernel.language.boundaries import SEQUENCE
from kernel.language.left_apart import may_be_left
from kernel.language.outcome_nouns import means_an_outcome
from kernel.language.place.place_words import FOLDER_NOUNS, announces_folder, looks_like_path
from kernel.language.predicates import name_within
from kernel.language.written_moments import MOMENT
from kernel.model import Constant, ReferenceKind, Span
from skills.model import Parameter, ValueKind

K = ValueKind
_AS = frozenset("as als".split())
_JOINING = frozenset("and und".split())
_NAMES_TEXT = frozenset(": zu namens genannt".split())
_SURELY_A_VERB = 3  # examples that begin with it
_HAVING = frozenset("hab habe hat haben hatte hatten hast".split())


def without_verb(scene: Scene, box: Box, span: Span, clause: tuple[int, int]) -> Span:
    """A run of words that begins with the verb of the ``clause`` is read without it, and so is one that ends in it."""
    named = _without_predicate(scene, span.kind, span.first, span.last) if span.source == "chunk" else None
    if named and named != (span.first, span.last):
        span = replace(span, first=named[0], last=named[1], value=scene.text(*named))
    start, first = span.first, clause[0]
    end = _before_participle(scene, start, span.last) if span.source == "chunk" else span.last
    if end == span.last and span.source == "chunk":
        end = before_verb(scene, box, clause, start, end)
    elif end == span.last and span.kind is K.TEXT and span.source.startswith("cue"):
        end = before_verb(scene, box, clause, start, end, text=True)
    if end < span.last:
        return replace(span, last=end, value=scene.text(start, end))
    if span.source != "chunk" or span.last - start < 2 or not all(scene.free[first:start]):
        return span
    if not box.is_verb(scene.forms[start], scene.intent.language):
        return span
    return replace(span, first=start + 1, value=scene.text(start + 1, span.last))


def _before_participle(scene: Scene, start: int, end: int) -> int:
    """Where the words end before the participle that closes the clause: "wo habe ich die Bewerbung abgelegt"."""
    last = end - 1
    closes = last > start and is_put_away(scene.tokens[last].norm)
    return last if closes and any(scene.tokens[at].norm in _HAVING for at in range(start)) else end


def free_text(window: Window, box: Box, parameter: Parameter) -> list[Filler]:
    scene, kind = window.scene, parameter.type.kind
    found = []
    for start, over, score in regions(window, parameter.name, through=kind is K.TEXT):
        end = before_verb(scene, box, (window.first, window.last), start, over, text=kind is K.TEXT)
        trimmed = (_past_sequence(scene, start, end), end) if kind is K.TEXT else _trimmed(window, kind, start, end)
        trimmed = own_part(window, parameter, *trimmed) if trimmed else None
        if trimmed and _is_the_verb(scene, box, (window.first, window.last), *trimmed):
            continue
        whole = trimmed
        trimmed = _without_predicate(scene, kind, *trimmed) if trimmed else None
        if trimmed and not _meets_quote(scene, *trimmed, body=kind is K.TEXT) and _is_free_text(scene, kind, *trimmed):
            one = _free_one(scene, parameter, *trimmed, score)
            one = one if trimmed == whole or whole is None else replace(one, mask=bits(*whole))
            left = end < over and is_left_apart(scene.tokens[end].norm)
            found.append(replace(one, mask=one.mask | bits(end, over)) if left else one)
    return found


def _trimmed(window: Window, kind: ValueKind, start: int, end: int) -> tuple[int, int] | None:
    """The words without closed-class ones at both ends; a title that was dictated ends in its own: "…: Ofen an"."""
    found = trim(window.scene, start, _before_participle(window.scene, start, end))
    short = found is not None and found[1] == end - 1 and kind is K.TITLE and window.scene.intent.language == "de"
    own = short and may_be_left(window.scene.tokens[end - 1].norm) and ends_as_dictated(window, start, end)
    return (found[0], end) if found and own else found


def _without_predicate(scene: Scene, kind: ValueKind, start: int, end: int) -> tuple[int, int]:
    """The name or the words to look for in "what did Tom want", "was sagt Jonas", without the verb of the clause."""
    if kind not in (K.QUERY, K.COLUMN):
        return start, end
    norms = tuple(token.norm if token.text.islower() or at < start else "" for at, token in enumerate(scene.tokens))
    return name_within(norms, start, end, scene.intent.language)


def _is_the_verb(scene: Scene, box: Box, clause: tuple[int, int], start: int, end: int) -> bool:
    """ "Kannst du mir meine Aufgaben zeigen", "dass du sie mir zeigst": what is wanted, and no text to be written."""
    if scene.intent.language != "de" or end - start > 1 or not scene.tokens[start].text.islower():
        return False
    begun = scene.request_begins(*clause)
    ordered = begun < start and box.is_verb(scene.forms[begun], "de")
    closes = end == scene.end or not scene.words[end]
    named = scene.is_quoted(start, end) or (start > 0 and scene.tokens[start - 1].norm in _NAMES_TEXT)
    return closes and not ordered and not named and box.verb_count(scene.forms[start], "de") >= _SURELY_A_VERB


def _past_sequence(scene: Scene, start: int, end: int) -> int:
    """ "Füg dann Gurken hinzu", "saying that I am late": what leads to a text is no part of what is written."""
    if start + 2 < end and scene.tokens[start].norm == "that" and _opens_clause(scene.tokens[start + 1].norm):
        return start + 1
    if start + 2 < end and is_to_whom(scene.tokens[start].norm) and is_article(scene.tokens[start + 1].norm):
        return start + 1  # "zeig mir die Summe als Hinweis"
    return start + (start + 1 < end and scene.tokens[start].norm in SEQUENCE and not scene.hard >> start & 1)


def _opens_clause(norm: str) -> bool:
    return is_article(norm) or is_pronoun(norm) or is_possessive(norm)


def new_folder(window: Window, box: Box, parameter: Parameter) -> list[Filler]:
    """A folder to put things into may be new: a name where the examples have it, meant below the home."""
    scene = window.scene
    if parameter.type.kind is not K.FOLDER or parameter.name not in window.profile.makes or not scene.home:
        return []
    found = []
    for start, end, score in regions(window, parameter.name):
        trimmed = trim(scene, start, end)
        if trimmed is None or score < w.SURE_FOLDER or trimmed[1] - trimmed[0] > 4:
            continue
        first, last = trimmed
        name = _name_within(scene, first, last)
        doubt = sum(doubt_word(window, box, at) for at in range(*name))
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
    meant = _moment(scene, start, end) if kind is K.TEXT else ""
    long = 0.0 if kind is K.TEXT else 0.15 * max(0, nouns_length(scene, start, end) - 3)
    score = 0.3 + 0.6 * cue - long
    value = [meant or text] if parameter.type.many else meant or text
    return Filler(
        parameter.name, Constant(value, scene.intent.label, text), bits(start, end), start, end, score, "text"
    )


def _moment(scene: Scene, start: int, end: int) -> str:
    """What "the date and time" means, where the words are nothing else; empty for any other words."""
    found = (one for one in scene.spans_in(start, end) if one.source == MOMENT)
    return next((str(one.value) for one in found if all(scene.free[start : one.first]) and one.last == end), "")


def _is_free_text(scene: Scene, kind: ValueKind, start: int, end: int) -> bool:
    tokens = scene.tokens[start:end]
    if tokens[0].norm in _JOINING or _goes_on_behind_a_quote(scene, start, end) or _is_shown_as(scene, start, end):
        return False
    if kind in (K.QUERY, K.COLUMN, K.UNIT) and (end - start > 7 or any(is_negation(one.norm) for one in tokens)):
        return False
    return not (all(scene.free[start:end]) or (kind is K.TEXT and _follows_a_pointer(scene, start)))


def _goes_on_behind_a_quote(scene: Scene, start: int, end: int) -> bool:
    """ "“Bring cake”. Don't send it": a text that is quoted from its first word on ends with the quotation."""
    quote = next((mask for mask in scene.quoted if mask & -mask == 1 << start), 0)
    last = quote.bit_length()
    return 0 < last < end and (not scene.words[last] or not scene.words[last - 2])


def _is_shown_as(scene: Scene, start: int, end: int) -> bool:
    """ "Die Summe als Hinweis": what an earlier step came to, and how it is to be shown."""
    norms = [token.norm for token in scene.tokens[start:end]]
    at = next((at for at, norm in enumerate(norms) if norm in _AS), 0)
    return means_an_outcome(norms[:at])


def _follows_a_pointer(scene: Scene, start: int) -> bool:
    """ "Jot that down, with its size, in my note": what stands apart behind a word that points is not written down."""
    joint = next((at for at in range(max(1, start - 3), min(start + 3, scene.size)) if _is_joint(scene, at)), None)
    if joint is None:
        return False
    ends = {joint - 1, joint - 2} if scene.free[joint - 2] else {joint - 1}
    return any(one.last in ends and one.kind is ReferenceKind.RESULT for one in scene.references_in(0, joint))


def _is_joint(scene: Scene, at: int) -> bool:
    return scene.tokens[at].norm in {"with", "mit"} and scene.tokens[at - 1].norm == ","
