"""Where a request takes up a thing that was named or told of before it: by a pronoun right behind its verb.

What this stops: that "die" of "lösch die alte Liste", or "that" of "tell Mira that I am ill", passes for such a word.
"""

from __future__ import annotations

from kernel.language.function_words import PREPOSITIONS, is_question_word
from kernel.language.kindred import kindred_verbs
from kernel.language.lemmas import is_german_noun
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line
from kernel.language.time.calendar_words import TIME_NAMES

_TAKEN_UP = frozenset("it them that those this das die den es sie ihn der dem ihm".split())
_ONLY_PRONOUNS = frozenset("it them ihn".split())
"""They stand for a thing wherever they are; the others do so only right behind the verb."""
_AT_VERB = frozenset(
    "please bitte mal doch just can could would you me us kannst könntest würdest du können sie mir uns".split()
)
_BEHIND_PRONOUN = PREPOSITIONS["en"] | frozenset(
    "out off up down away back please now then instead too as and so".split()
)
_PARTED = frozenset(
    "raus rein weg ab an aus auf um vor zurück hin her dazu runter hoch durch los fertig hinten wieder".split()
)
_GIVING = frozenset("gib gebe geben".split())
_ADJECTIVES = ("e", "en", "er", "es", "em")


def pronoun_at(line: Line, lexicon: Lexicon, start: int) -> int | None:
    """Where the request from ``start`` on takes the thing up: behind its verb or what asks; "it" also later, alone."""
    at = start
    while line.norm(at) in _AT_VERB:
        at += 1
    asked = at > start or is_question_word(line.norm(at))
    if is_asking_verb(line, lexicon, at):
        at, asked = at + 1, True
        while line.norm(at) in _AT_VERB and not _is_taken_up(line, lexicon, at):
            at += 1
    if asked and _is_taken_up(line, lexicon, at):
        return at
    alone = [one for one in range(at, line.size) if line.norm(one) in _ONLY_PRONOUNS]
    return alone[0] if asked and len(alone) == 1 else None


def is_asking_verb(line: Line, lexicon: Lexicon, at: int) -> bool:
    """Tell whether the example of some tool begins with the word, or with one that means the same."""
    if not 0 <= at < line.size:
        return False
    alike = kindred_verbs((line.norm(at), line.lemma(at)), line.language)
    return lexicon.is_verb(line.tokens[at]) or not alike.isdisjoint(lexicon.verbs)


def _is_taken_up(line: Line, lexicon: Lexicon, at: int) -> bool:
    return line.norm(at) in _TAKEN_UP and not _opens_noun(line, lexicon, at)


def _opens_noun(line: Line, lexicon: Lexicon, at: int) -> bool:
    """ "That file", "die alte Liste", "den timer", "that I am ill": the word belongs to what stands behind it."""
    word, following = line.norm(at), line.norm(at + 1)
    if word in _ONLY_PRONOUNS or word in {"es", "ihm"} or not following or line.is_mark(at + 1):
        return False
    if line.language == "en":
        return not line.raw(at + 1)[:1].isupper() if line.is_content(at + 1) else following not in _BEHIND_PRONOUN
    given = line.norm(at - 1) in _GIVING and word in {"der", "dem"}  # "gib der hohe Priorität"
    described = line.is_content(at + 1) and following.endswith(_ADJECTIVES) and _is_noun(line, lexicon, at + 2)
    return not given and (_is_noun(line, lexicon, at + 1) or described)


def _is_noun(line: Line, lexicon: Lexicon, at: int) -> bool:
    """A German noun, also in small letters, that no request begins with and that is no time."""
    word = line.norm(at)
    if not line.is_content(at) or word in _PARTED or (word in TIME_NAMES and line.raw(at).islower()):
        return False
    return line.raw(at)[:1].isupper() or (is_german_noun(word) and not lexicon.is_verb(line.tokens[at]))
