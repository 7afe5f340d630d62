"""Phrases: what the examples of a manifest can stand for in a longer sentence - a request, or a thing that is found.

What this stops: nothing is said that no manifest says; only values, and the words that join requests, are new.
What it does not: grammar beyond that. A phrase whose form is not clear is not used in longer sentences.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from kernel.composition.profiles.profile import Box
from kernel.language.function_words import is_function_word, is_question_word
from kernel.language.joining_words import DETERMINERS, PARTICLES, SHOWING
from kernel.schooling.model import Hole, Phrase
from skills.model import Example, Tool, ValueKind

_POINTS = frozenset(
    "it that this them these those us they one ones both all es das sie diese dieses ihn ihm ihnen dies denen alle "
    "beide result results ergebnis ergebnisse list liste answer antwort".split()
)
_OPENING = re.compile(r"^(?:and|also|und|auch|then|dann|now|jetzt|please|bitte|hey|ok|okay)[ ,]+", re.IGNORECASE)
_CLOSING = re.compile(r"(?:[ ,]+(?:please|bitte|thanks|danke|for me))?[?!. ]*$", re.IGNORECASE)
_VERBS_COMMON = 2
_TOOLS_SHOWN = 6  # tools whose examples begin with a verb that only shows
_LEAST_WORDS = 4


def phrases_of(tool: Tool, language: str) -> tuple[Phrase, ...]:
    """Return the examples of ``tool`` in ``language`` as phrases, without courtesy at their ends."""
    return tuple(filter(None, (_phrase(tool, one) for one in tool.examples if one.language == language)))


def _phrase(tool: Tool, example: Example) -> Phrase | None:
    pieces: list[str | Hole] = []
    at = 0
    for slot in sorted(example.slots, key=lambda one: one.start):
        if slot.start < at:
            return None
        pieces += [example.text[at : slot.start], Hole(slot.parameter, example.text[slot.start : slot.end])]
        at = slot.end
    pieces.append(example.text[at:])
    first, last = pieces[0], pieces[-1]
    if isinstance(first, str):
        pieces[0] = _OPENING.sub("", first)
    if isinstance(last, str):
        pieces[-1] = _CLOSING.sub("", last)
    names = [one.parameter for one in pieces if isinstance(one, Hole)]
    whole = tuple(one for one in pieces if one != "")
    return Phrase(tool, example.language, whole) if whole and len(set(names)) == len(names) else None


def points(hole: Hole) -> bool:
    """Tell whether the words in a hole point at something that was found before: "them", "the sum", "their names"."""
    words = [word for word in hole.text.casefold().split() if word not in DETERMINERS]
    return not words or bool(_POINTS & set(hole.text.casefold().split())) or hole.text.casefold().startswith("the ")


def stands_alone(phrase: Phrase) -> bool:
    """Tell whether the phrase says everything that its tool needs, and points at nothing."""
    words = set(phrase.example.casefold().split())
    text = {one.parameter for one in phrase.holes if _kind(phrase, one) in (ValueKind.TEXT, ValueKind.RECORD)}
    own = [one for one in phrase.holes if points(one) and (_kind(phrase, one) in _FOUND or one.parameter in text)]
    return not phrase.open and not own and not words & _BACK


_FOUND = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.TABLE, ValueKind.RECORD, ValueKind.TEXT})
_BACK = frozenset("it them these those its their es sie davon daraus darin diese there dort dahin".split())


def _kind(phrase: Phrase, hole: Hole) -> ValueKind:
    return phrase.tool.parameter(hole.parameter).type.kind


def is_imperative(phrase: Phrase, box: Box) -> bool:
    """Tell whether the phrase begins with a verb as a request does, so that it can follow another one."""
    first = phrase.pieces[0]
    if not isinstance(first, str) or phrase.example.rstrip().endswith("?"):
        return False
    words = first.casefold().split()
    if not words or not words[0].isalpha() or not phrase.example[0].islower() or is_question_word(words[0]):
        return False
    if is_function_word(words[0]) or box.verb_count((words[0],), phrase.language) < _VERBS_COMMON:
        return False
    follows_hole = len(words) == 1 and len(phrase.pieces) > 1
    return follows_hole or (len(words) > 1 and (is_function_word(words[1]) or words[1] in SHOWING | DETERMINERS))


def showing_verbs(tools: Iterable[Tool], language: str) -> frozenset[str]:
    """Return the verbs by which the examples of many tools begin: they say nothing but that something is wanted."""
    users: dict[str, set[str]] = defaultdict(set)
    for tool in tools:
        for phrase in phrases_of(tool, language):
            users[phrase.example.partition(" ")[0].casefold()].add(tool.id)
    return frozenset(verb for verb, tools_of in users.items() if len(tools_of) >= _TOOLS_SHOWN)


def noun_phrase(phrase: Phrase, box: Box, showing: frozenset[str]) -> Phrase | None:
    """Return what "show me the largest files in Music" shows, as a phrase: "the largest files in Music"."""
    first = str(phrase.pieces[0])
    words = first.split()
    if not is_imperative(phrase, box) or not words or words[0].casefold() not in showing:
        return None
    at = 1
    while at < len(words) and words[at].casefold() in SHOWING and words[at].casefold() not in DETERMINERS:
        at += 1
    if at >= len(words) or words[at].casefold() not in DETERMINERS:
        return None
    space = " " if first[-1:].isspace() else ""
    rest = replace(phrase, pieces=(" ".join(words[at:]) + space, *phrase.pieces[1:]))
    last = rest.pieces[-1]
    if phrase.language == "de" and isinstance(last, str) and last.split()[-1:] and last.split()[-1] in PARTICLES:
        kept = last.rstrip().rpartition(" ")[0]
        rest = replace(rest, pieces=(*rest.pieces[:-1], *([kept] if kept.strip() else [])))
    return rest if _has_noun(rest) else None


def _has_noun(phrase: Phrase) -> bool:
    """A word of its own says what is found, or the hole right behind the article does."""
    first = str(phrase.pieces[0]).casefold().split()
    own = [word for word in first if word not in DETERMINERS and not is_function_word(word)]
    return bool(own) or len(phrase.pieces) > 1


def filled(phrase: Phrase, words: Mapping[str, str]) -> str:
    """Return the phrase with ``words`` in its holes."""
    return "".join(one if isinstance(one, str) else words[one.parameter] for one in phrase.pieces).strip()


def places_in(phrase: Phrase) -> Iterator[tuple[Hole, Phrase]]:
    """Yield each folder that the phrase names behind "in", with the phrase without it."""
    for at, one in enumerate(phrase.pieces):
        if not isinstance(one, Hole) or _kind(phrase, one) is not ValueKind.FOLDER or not at:
            continue
        before = str(phrase.pieces[at - 1])
        if before.casefold().endswith(" in "):
            rest = (*phrase.pieces[: at - 1], before[:-4], *phrase.pieces[at + 1 :])
            if len(before.split()) >= _LEAST_WORDS:
                yield one, replace(phrase, pieces=tuple(piece for piece in rest if piece != ""))
