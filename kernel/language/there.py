"""Adverbs that stand for what was made or found: "da rein", "in there", "bis dahin", "kopier die nach Archiv"."""

from __future__ import annotations

from kernel.language.line import Line, phrases
from kernel.language.time.calendar_words import WEEKDAYS
from kernel.model import Reference, ReferenceKind

_INTO_IT = frozenset("rein hinein".split())
_INSIDE_IT = frozenset("drin drinnen".split())
_PLACED = frozenset("da dort hier".split())
_HOLDING = frozenset("in im aus ins".split())
_TILL = frozenset("until till by bis".split())
_THEN = frozenset("then dahin".split())
_THITHER = frozenset("dorthin dahin hinein there".split())
_IN_IT = frozenset({"darin"})
_SAYS = frozenset("steht stehen ist sind war vorkommt".split())
_SUFFIX = 6
"""Letters behind the dot of a file's name, with the dot, at most."""
_DAYS = phrases(
    "on that same day|on that day|on the same day|that same day|the same day|that day",
    "am selben tag|am gleichen tag|an demselben tag|an diesem tag|an dem tag|am selben tage|am gleichen tage",
)
_OF_IT = frozenset("daran darauf".split())
_OF = frozenset("of about".split())
_NEAR = frozenset("today tomorrow tonight".split())
_AT_HOURS = frozenset("um ab von gegen".split())
_ON_THE_CLOCK = frozenset("um am ab".split())
_AFTER_VERB = frozenset("mir mal bitte dann jetzt".split())
_ASKED = frozenset("du ihr".split())
_NO_NOUN = frozenset("nach ins zum zur alle bitte dann mal auch weg ab um vor".split())
_ACCUSATIVE = frozenset("den die das meinen meine einen".split())
_PREPOSED = frozenset("alle beide für um ohne gegen durch über".split())
_AFTER_PLACE = frozenset("and then too as please und dann".split())
_BEING = frozenset("is are was were be lies lie".split())
_ALONE = frozenset("die der den".split())


def thither(line: Line, index: int) -> Reference | None:
    """ "Move it there", "verschieb sie dorthin": the folder that was spoken of; not "there are"."""
    if line.norm(index) not in _THITHER or index == 0:
        return None
    ends = line.norm(index + 1) in _AFTER_PLACE or not line.is_word(index + 1)
    moved = line.language == "de" or (ends and line.norm(index - 1) not in _BEING)
    return Reference(ReferenceKind.RESULT, index, index + 1, False, nouns=("folder",)) if moved else None


def within(line: Line, index: int) -> Reference | None:
    """ "Räum Downloads auf und such darin nach Duplikaten": the folder that was spoken of, where no file was."""
    if line.norm(index) not in _IN_IT or line.norm(index + 1) in _SAYS:
        return None
    later = any(line.norm(at) == "und" or line.is_mark(at) for at in range(index))
    named = any("." in line.norm(at)[-_SUFFIX:-1] for at in range(index))
    return Reference(ReferenceKind.RESULT, index, index + 1, False, nouns=("folder",)) if later and not named else None


def until_then(line: Line, index: int) -> Reference | None:
    """ "How many days are there until then", "bis dahin": the day that was spoken of."""
    if line.norm(index) not in _THEN or line.norm(index - 1) not in _TILL or index == 0:
        return None
    return Reference(ReferenceKind.RESULT, index, index + 1, False)


def by_then(line: Line, index: int) -> Reference | None:
    """ "Wie viele Tage hab ich da noch": the day that was spoken of."""
    if line.norm(index) != "da" or line.norm(index + 1) != "noch" or line.norm(index - 1) not in {"ich", "wir", "man"}:
        return None
    return Reference(ReferenceKind.RESULT, index, index + 1, False)


def then_at(line: Line, index: int) -> Reference | None:
    """ "Trag da um 14 Uhr den Friseur ein": the day that was spoken of, with a time of day behind."""
    at_an_hour = line.norm(index + 1) in _AT_HOURS and line.norm(index + 2)[:1].isdigit()
    if line.language != "de" or line.norm(index) != "da" or not at_an_hour:
        return None
    return Reference(ReferenceKind.RESULT, index, index + 1, False, nouns=("date",))


def same_day(line: Line, index: int) -> Reference | None:
    """ "On that day", "am selben Tag": the day that was spoken of; "on that day in May" says itself which."""
    count = line.phrase(index, _DAYS)
    if not count or line.norm(index + count) in {"in", "im", "of", "when", "als"}:
        return None
    return Reference(ReferenceKind.RESULT, index, index + count, False, nouns=("date",))


def is_that_day(reference: Reference) -> bool:
    """Tell whether the words are "that day", "am selben Tag"."""
    return reference.kind is ReferenceKind.RESULT and reference.nouns == ("date",)


def of_that(line: Line, index: int) -> Reference | None:
    """ "Remind me of that friday at nine": what was spoken of, and then the day."""
    behind = line.norm(index + 1) in WEEKDAYS or line.norm(index + 1) in _NEAR
    told = line.norm(index) == "that" and line.norm(index - 1) in _OF and index > 0 and behind
    return Reference(ReferenceKind.RESULT, index, index + 1, False) if told else None


def of_it(line: Line, index: int) -> Reference | None:
    """ "Erinnere mich um 9 daran": what was spoken of, where neither a clause nor a text follows that says it."""
    behind = line.norm(index + 1)
    timed = behind in _ON_THE_CLOCK and not any(_is_infinitive(line.norm(at)) for at in range(index + 1, line.size))
    ends = index + 1 >= line.size or behind in {".", "!", "?", "und", "bitte"} or timed
    return Reference(ReferenceKind.RESULT, index, index + 1, False) if line.norm(index) in _OF_IT and ends else None


def _is_infinitive(word: str) -> bool:
    """ "Daran, am Freitag den Müll rauszubringen" says itself of what."""
    return word == "zu" or ("zu" in word[2:-3] and word.endswith("n"))


def into_it(line: Line, index: int) -> Reference | None:
    """ "Schieb sie da rein", "was da drin ist", "was drin ist": what was made or spoken of, where no place is said."""
    start = index + (line.norm(index) in _PLACED)
    word = line.norm(start)
    if start > index and word in _INTO_IT:
        return Reference(ReferenceKind.RESULT, index, start + 1, False, nouns=("folder",))
    asked = start > index or (index > 0 and line.norm(index - 1) == "was")
    if word not in _INSIDE_IT or not asked or any(line.norm(at) in _HOLDING for at in range(max(0, index - 8), index)):
        return None
    return Reference(ReferenceKind.RESULT, index, start + 1, False)


def behind_verb(line: Line, index: int) -> Reference | None:
    """ "Kopier die nach Documents", "lösch die alle", "zeig mir die dann": no noun and no place follows the article."""
    if line.language != "de" or line.norm(index) not in _ALONE or index == 0:
        return None
    if not (line.is_content(index - 1) or line.norm(index - 1) in _AFTER_VERB | _ASKED):
        return None
    after, further = line.norm(index + 1), line.norm(index + 2)
    if _closes(line, index + 1) and line.norm(index - 1) in _ASKED:
        return Reference(ReferenceKind.RESULT, index, index + 1, None)
    goes = after in _NO_NOUN or not line.is_word(index + 1) or (after in {"auf", "in"} and further in _ACCUSATIVE)
    known = goes and line.norm(index - 1) not in _PREPOSED
    return Reference(ReferenceKind.RESULT, index, index + 1, None) if known else None


def _closes(line: Line, at: int) -> bool:
    """ "Kannst du die bitte öffnen": only the verb follows, in small letters."""
    while line.norm(at) in {"bitte", "mal", "dann", "noch", "auch"}:
        at += 1
    ends = at + 1 >= line.size or line.is_mark(at + 1) or line.norm(at + 1) in {"und", "oder"}
    return ends and line.raw(at).islower() and line.norm(at).endswith("n")
