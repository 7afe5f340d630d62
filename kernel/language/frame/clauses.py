"""Clauses that tell something: a subject and its finite verb, in the order of a statement.

"My watch only shows miles", "da wird Oma neunzig", "haven't used it in years": nobody is asked for anything. Told by
closed classes of words and by where they stand, not by what the clause is about.

What this does not: decide that such a clause may be passed over. "I need the csv" is a statement and a request; what
limits the request or names its things is for the plan to see (``composition.steps.asides``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernel.language.frame import clause_words as of
from kernel.language.function_words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    is_function_word,
    is_question_word,
)
from kernel.language.lemmas import is_german_noun, lemma_of
from kernel.language.time.calendar_words import TIME_NAMES, TIME_UNITS

_LONGEST_SUBJECT = 5
_LONGEST_TIME = 6
_LONGEST = 24
_SHORTEST_PAST = 5


@dataclass(frozen=True, slots=True)
class Told:
    """Where the finite verb and the subject of a clause stand.

    ``plain``: its subject is a pronoun, so no mark need stand before. ``past``: it tells what was.
    """

    verb: int
    plain: bool = False
    past: bool = False
    subject: int = 0


def told_clause(words: Sequence[str], first: int, last: int, language: str) -> Told | None:
    """Return how the words [first, last) tell something, or None where they may be anything else.

    ``words`` are in small letters, ``language`` is "en" or "de".
    """
    at = first
    while at < last and words[at] in of.LEADS_IN.get(language, ()):
        at += 1
    if last - at < 2 or last - at > _LONGEST or is_question_word(words[at]):
        return None
    if any(word in of.NAMING for word in words[at:last]):
        return None
    clause = tuple(words[at:last])
    found = _english(clause) if language == "en" else _german(clause)
    if found is None:
        return _behind_its_time(words, at, last, language)
    return Told(at + found.verb, found.plain, _is_past(clause[found.verb], language), at)


def _behind_its_time(words: Sequence[str], first: int, last: int, language: str) -> Told | None:
    """ "Am Freitag kommt Oma", "next week my parents are coming": when it is stands first."""
    if words[first] in TIME_UNITS:
        return None  # "how many | days are there until then?"
    at = first
    while at < min(last, first + _LONGEST_TIME) and (words[at] in of.TIME_LEADS or _is_of_time(words[at])):
        at += 1
    if last - at < 2 or not any(_is_of_time(word) for word in words[first:at]):
        return None
    clause = tuple(words[at:last])
    if language == "en":
        found = _english(clause)
        return None if found is None else Told(at + found.verb, found.plain, found.past, at)
    comes = clause[0] in of.COMING
    told = (comes or _is_sure_finite(clause[0])) and clause[1] not in of.PRONOUN_OBJECTS and _is_subject(clause, 1)
    asks = clause[1] in {"ich", "wir"} and clause[0] in of.ASKING["de"]
    own = clause[1] in {"ich", "wir", "er", "man"} and _is_german_finite(clause[0])
    return Told(at, True, _is_past(clause[0], "de"), at + 1) if (told or own) and not asks else None


def _is_of_time(word: str) -> bool:
    return word in TIME_NAMES or word in of.PARTS_OF_DAYS or word.rstrip(".").isdigit()


def _is_past(verb: str, language: str) -> bool:
    if language == "de":
        return verb.startswith(("hab", "hatte", "hat", "war", "wurde", "bin", "konnte")) or verb.endswith(("te", "ten"))
    return verb.endswith(("ed", "'ve")) or verb in of.PASTS | _PAST_AUXILIARIES


_PAST_AUXILIARIES = frozenset("have has had was were did haven't hasn't hadn't wasn't weren't didn't couldn't".split())


# --- English --------------------------------------------------------------------------------------------------


def _english(words: tuple[str, ...]) -> Told | None:
    head = words[0]
    if head in of.CONTRACTIONS:
        return Told(0, plain=True)
    if head in of.SUBJECTS["en"]:
        return _behind_pronoun(words)
    if head in of.POINTERS["en"] and words[1] in of.BE_AND_HAVE["en"]:
        return Told(1, plain=True)
    if head in of.DROPPED:
        return Told(0)
    return _behind_noun(words) if head in of.HOLDERS["en"] else None


def _behind_pronoun(words: tuple[str, ...]) -> Told | None:
    at = _past_adverbs(words, 1)
    if at == len(words):
        return None
    verb = words[at]
    goes_on = verb in {"keep", "keeps"} and at + 1 < len(words) and words[at + 1].endswith("ing")
    if words[0] in {"i", "we"} and verb in of.ASKING["en"] and not goes_on:
        return None
    if words[0] in {"it", "there", "nothing", "everything"} and not _is_english_finite(words, at):
        return None
    plain = verb.replace("'", "").isalpha() and (verb in AUXILIARIES["en"] or not is_function_word(verb, "en"))
    return Told(at, plain=True) if plain else None


def _past_adverbs(words: tuple[str, ...], at: int) -> int:
    while at < len(words) and words[at] in of.ADVERBS["en"]:
        at += 1
    return at


def _behind_noun(words: tuple[str, ...]) -> Told | None:
    """ "My watch only shows miles", "the waiter is waiting": a verb within a few words, before any mark."""
    for at in range(2, min(len(words), _LONGEST_SUBJECT + 2)):
        if not words[at - 1][0].isalnum():
            return None
        if _is_english_finite(words, at) or _is_third_person(words, at):
            return Told(at)
    return None


def _is_english_finite(words: tuple[str, ...], at: int) -> bool:
    word = words[at]
    past = len(word) >= _SHORTEST_PAST and word.endswith("ed") and lemma_of(word, "en") != word
    return word in of.BE_AND_HAVE["en"] or word in of.PASTS or past or (words[0] == "it" and word.endswith("s"))


def _is_third_person(words: tuple[str, ...], at: int) -> bool:
    """ "Intends to run", "only shows miles": a form in -s behind a singular noun or an adverb, and before an object."""
    word, before = words[at], words[at - 1]
    if not word.endswith("s") or word.endswith("ss") or lemma_of(word, "en") == word:
        return False
    if before in of.ADVERBS["en"]:
        return True
    object_behind = at + 1 < len(words) and words[at + 1] in _BEFORE_AN_OBJECT
    return object_behind and not before.endswith("s") and not is_function_word(before, "en")


_BEFORE_AN_OBJECT = DETERMINERS["en"] | {"to", "me", "us", "him", "them", "it", "no", "not", "never"}


# --- German ---------------------------------------------------------------------------------------------------


def _german(words: tuple[str, ...]) -> Told | None:
    head, verb = words[0], words[1]
    if head in of.SUBJECTS["de"] and (_is_german_finite(verb) or (head == "wir" and _is_german_verb(verb))):
        taken_along = words[-1] == "mit" and words[2:3] != ("mit",)
        asks = head in {"ich", "wir"} and verb in of.ASKING["de"] and not taken_along
        return None if asks else Told(1, plain=True)
    if head in of.POINTERS["de"] and _is_sure_finite(verb):
        return Told(1, plain=True)
    if head in of.OPENINGS and _is_german_finite(verb) and _is_subject(words, 2) and not _is_order(words):
        return Told(1, plain=True)
    return _behind_german_noun(words) if head in of.HOLDERS["de"] else None


def _is_order(words: tuple[str, ...]) -> bool:
    """ "Dann lösche sie": the pronoun is what is to be worked on."""
    return words[1].endswith("e") and words[2] in {"sie", "es"} and words[1] not in AUXILIARIES["de"]


def _is_subject(words: tuple[str, ...], at: int) -> bool:
    if at >= len(words):
        return False
    word = words[at]
    return word in of.SUBJECTS["de"] or word in of.HOLDERS["de"] or is_german_noun(word)


def _behind_german_noun(words: tuple[str, ...]) -> Told | None:
    for at in range(2, min(len(words), _LONGEST_SUBJECT + 2)):
        if not words[at - 1][0].isalnum():
            return None
        if _is_sure_finite(words[at]) and is_german_noun(words[at - 1]):
            return Told(at)
    return None


def _is_sure_finite(word: str) -> bool:
    return word in of.BE_AND_HAVE["de"] or word in of.GERMAN_VERBS or (word[-1:] == "t" and _is_german_finite(word))


def _is_german_finite(word: str) -> bool:
    """A verb in another form than that which names it: "zeigt" of "zeigen"."""
    if word in of.BE_AND_HAVE["de"] or word in of.GERMAN_VERBS or word in AUXILIARIES["de"]:
        return True
    return lemma_of(word, "de") != word and _is_german_verb(word)


def _is_german_verb(word: str) -> bool:
    """A form of what a dictionary names by an infinitive."""
    if not word.isalpha() or is_function_word(word, "de") or is_german_noun(word):
        return False
    return lemma_of(word, "de").endswith("n") and not word.endswith(("end", "ende", "enden"))


def is_pointer(word: str) -> bool:
    """Tell whether the German word takes up a thing where a verb follows at once: "die gehört mir"."""
    return word in of.POINTERS["de"]


def has_object(words: Sequence[str], told: Told, last: int, language: str) -> bool:
    """Tell whether an object or a complement follows the verb at once, so that the clause is whole in itself.

    "The file i just downloaded" and "the pdf i've got in Downloads" are not: what is missing is the thing before.
    """
    if language == "de":
        return True  # a relative clause has its verb last
    at = _past_adverbs(tuple(words[:last]), told.verb + 1)
    if words[told.verb] in of.CONTRACTIONS | AUXILIARIES["en"]:
        at = _past_adverbs(tuple(words[:last]), at + 1)
    if at >= last or words[at] in PREPOSITIONS["en"] | CONJUNCTIONS["en"] or not words[at][0].isalnum():
        return False
    return words[at] in DETERMINERS["en"] | PRONOUNS["en"] | {"to"} or words[at].endswith("ing")
