"""Where the words of a trigger begin, how surely they are one, and where they may end.

A question before what is to be done ("Battery below 20 percent? Then ...") is such words as well, and so is what is
noted before an arrow, a colon or a dash ("netz weg: ...", "new pdf in Downloads -> ...").

``EVERY``: the words speak of every time ("whenever", "jedes Mal wenn", "after each"). ``WHEN``: of a coming moment
("when", "wenn", and a German verb that stands first). ``IF``: of what is so now, unless something comes to be in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import dropwhile

from kernel.language.line import Phrases, phrases
from kernel.language.time.calendar_words import TIME_UNITS, WEEKDAYS
from kernel.routines.hearing.asides import begins_behind
from kernel.routines.hearing.due_days import due_day
from kernel.routines.hearing.gist import ARROW, LENGTH, SUFFIX, Gist


class Weight(IntEnum):
    """How surely words are meant as a trigger."""

    IF = 1
    WHEN = 2
    EVERY = 3


@dataclass(frozen=True, slots=True)
class Opening:
    """The joint [at, first) of a trigger; its clause begins at ``first``.

    ``each``: what follows is a noun ("after each undo"), not a clause; ``fronted``: its verb stands first.
    ``before_s``: so long before it. ``asked``: it is a question or a note, and what is to be done stands behind its
    mark.
    """

    at: int
    first: int
    weight: Weight
    each: str = ""
    before_s: int | None = None
    fronted: bool = False
    asked: bool = False


_EVERY = phrases(
    "whenever|every time|every time that|everytime|each time|each time that|any time|anytime|any time that|as soon "
    "as|as and when|the moment|"
    "the minute|the instant|always when|every single time|each and every time|immediately when",
    "immer wenn|immer , wenn|jedes mal wenn|jedes mal , wenn|jedesmal wenn|jedesmal , wenn|sobald|sooft|so oft|"
    "wann immer|immer dann wenn|immer dann , wenn|immer sobald|imma wenn|immer wann|jeds mal wenn|jedes moi wenn|"
    "jedsmal wenn|jeds mal , wenn|kaum dass|jedes mal sobald|immer falls|ois wia",
)
_WHEN = phrases("when|once|wenn|wann|when ever|immediately after|right after|should|sollte|sollten")
_IF = phrases("if|in case|falls|sofern|für den fall dass|für den fall , dass|im fall dass")
_EACH = {
    "after": phrases("after each|after every|after any|upon each|upon every|on each|on every|on any|with each|with "
    "every|for each|"
                     "for every|for any|nach jedem|nach jeder|nach jeden|bei jedem|bei jeder|bei jeden|mit jedem|"
                     "mit jeder|"
                     "für jede|für jeden|für jedes"),
    "before": phrases("before each|before every|before all|before any|before all of|ahead of each|ahead of every|"
                      "before my|before all my|vor jedem|vor jeder|vor jeden|vor allen|vor meinen|vor allen meinen|"
                      "vor all meinen|kurz vor jedem|kurz vor jeder|kurz vor allen|shortly before each|"
                      "shortly before every|just before each|just before every|right before each|right before every"),
}  # fmt: skip
_AHEAD = phrases("before|ahead of|vor|bevor|prior to")
_FRONTED = frozenset(
    "hab habe kommt kimmt wird wird's werden fällt foit sinkt rutscht geht ist sind landet landen taucht tauchen "
    "erscheint "
    "erscheinen ändert ändern liegt liegen löschst verschickst schickst erfährst lernst bin schlägt trifft bekomm "
    "bekomme "
    "krieg kriege steck stecke schick schreibt schickt hat gibt's gibts fängt beginnt verschwindet verschwinden "
    "machst nimmst trudelt trudeln flattert hängt hängen mailt "
    "zieh ziehe klingelt regnet speichert legt verschiebt bearbeitet steckt sinkts stürzt schrumpft kriegst "
    "steht".split()
)
_PERSONS = frozenset("ich i du wir man ma jemand wer einer irgendwer irgendjemand steward".split())
_SUBJECTS = frozenset(
    "der die das mein meine unser unsere ein eine sich etwas was irgendwas irgendetwas irgendein irgendeine es da dort "
    "in im aus auf bei beim zu zum nach an am mir uns auch wieder".split()
)
"""With what a sentence goes on behind a verb that stands first."""
_SHORT = 3
_ENDS = frozenset(", ; : – — then dann".split()) | {ARROW}
_STARTS = frozenset(". ! ? ; : , – — and und aber but dann then also so bitte please".split())
_BEGINS = frozenset(". ! ? bitte hey steward".split())
_WHEN_WORDS = frozenset(one for table in (_EVERY, _WHEN, *_EACH.values()) for found in table.values() for one in found)
_LEADS = frozenset(", also so ok okay right well ja na gut hey hallo bitte steward".split())
"""What a sentence may begin with before it says anything."""
_ANY = frozenset("any every each jede jeder jedes jeden".split())
_ONE = frozenset("a an new eine neue ne".split())
_MAILS = frozenset("mail email e-mail message nachricht".split())
_NEAR = 4
_AGAIN = frozenset("every each daily weekly monthly jeden jede jedes alle täglich wöchentlich monatlich".split())
_FEW = 3
_ON_DAYS = frozenset("on am an".split())
_DAYS = frozenset(
    "first second third fourth fifth last ersten zweiten dritten vierten letzten vorletzten weekdays workdays weekends "
    "werktags wochentags wochenends mon tue tues wed thu thurs fri sat sun mo di mi do fr sa so".split()
).union(WEEKDAYS, (f"{day}s" for day in WEEKDAYS), map(str, range(1, 32)))
"""With what days begin that come again: "first and third Thursday of the month", "am 1. und 15.", "mo bis do"."""
_ALWAYS = frozenset("always immer jedesmal imma stets".split())
_ENDS_SENTENCE = frozenset(". ! ? ; :".split())
_ARROW = re.compile(r"(?:[-=]+>|[→⇒➔➜⟶])\s*\w")
_FAR = 200
_FIRST = 60
_MOST = 8
LONGEST = 32
"""Items of a trigger's clause."""


def begins_when(text: str) -> bool:
    """Tell whether a sentence begins as one about something that happens: where that is heard it is a rule, though a
    tool may take what is left of it.
    """
    return points_on(text) or any(map(_begins_when, begins_behind(text)))


def _begins_when(text: str) -> bool:
    first = tuple(_past_leads(text))
    return any(first[: len(one)] == one for one in _WHEN_WORDS)


def points_on(text: str) -> bool:
    """Tell whether an arrow leads from the beginning of a sentence to what is to be done."""
    return _ARROW.search(text[:_FAR]) is not None


def _past_leads(text: str) -> Iterator[str]:
    """The first words of a sentence and its commas, behind words that say nothing: "Also, wenn"."""
    return dropwhile(_LEADS.__contains__, re.findall(r"\w+|,", text[:_FIRST].casefold()))


def begins_again(text: str) -> bool:
    """Tell whether a sentence begins with how often: "every Monday at eight", "täglich um neun"."""
    first, *more = (*(word.strip(",:.") for word in text.casefold().split()[:_FEW]), "")
    return first in _AGAIN or (more[:1] if first in _ON_DAYS else [first])[0] in _DAYS


def begins_with_verb(text: str) -> bool:
    """Tell whether a sentence begins with the verb of what happens: "Wird in Downloads was gelöscht, ..."."""
    first, _, rest = text.casefold().partition(" ")
    return _is_verb_first(first, rest.partition(" ")[0]) and "," in rest


def _is_verb_first(word: str, following: str) -> bool:
    """Tell whether a verb stands before its subject: "Ändere ich ...", "Bleibt der Akku ...". No request does so."""
    if word in _FRONTED:
        return True
    if word in _QUESTIONS or not word.isalpha():
        return False
    return following in _PERSONS or (word.endswith("t") and len(word) > _SHORT and following in _SUBJECTS)


def may_open(text: str) -> bool:
    """Tell whether a sentence may begin with a trigger, by the first word that says anything alone."""
    return points_on(text) or any(map(_may_open, begins_behind(text)))


def _may_open(text: str) -> bool:
    first, following, *_ = (*_past_leads(text), "", "")
    opens = any(first in table for table in (_EVERY, _WHEN, _IF, *_EACH.values()))
    return opens or _is_verb_first(first, following)


def openings(gist: Gist) -> Iterator[Opening]:
    """Yield where a trigger may begin, left to right; the first few."""
    yield from _asked(gist)
    yield from _noted(gist)
    found = 0
    for at in range(gist.size):
        one = _at(gist, at)
        if one is not None:
            yield one
            found += 1
        if found >= _MOST:
            return


def _at(gist: Gist, at: int) -> Opening | None:
    return (
        _due(gist, at)
        or _before(gist, at)
        or _joint(gist, at)
        or _each(gist, at)
        or _alone(gist, at)
        or _fronted(gist, at)
        or _absolute(gist, at)
    )


def _asked(gist: Gist) -> Iterator[Opening]:
    """ "Akku unter 20 Prozent? Dann ...": a question that begins the sentence, as a clause and as a noun."""
    mark = next((at for at in range(min(gist.size, LONGEST)) if gist.word(at) == "?"), 0)
    then = gist.word(mark + 1) in _THEN
    if not mark or mark + 1 == gist.size or gist.word(0) in _QUESTIONS:
        return
    fronted = gist.line.language == "de" and _is_verb_first(gist.word(0), gist.word(1))
    if fronted and not then:
        return
    yield Opening(0, 0, Weight.WHEN, fronted=fronted, asked=True)
    if not fronted:
        yield Opening(0, 0, Weight.WHEN, "after", asked=True)


def _noted(gist: Gist) -> Iterator[Opening]:
    """ "battery under 12% -> ...", "netz weg: ...": a note that begins the sentence, as a clause and as a noun."""
    marks = (at for at in range(1, min(gist.size, LONGEST)) if gist.word(at) in _NOTES)
    mark = next(marks, 0)
    if not mark or mark + 1 == gist.size or gist.word(0) in _QUESTIONS or _joint(gist, 0) or _each(gist, 0):
        return
    yield Opening(0, 0, Weight.WHEN, asked=True)
    yield Opening(0, 0, Weight.WHEN, "after", asked=True)


_NOTES = frozenset(": - – —".split()) | {ARROW}
_THEN = frozenset("then dann".split())
_QUESTIONS = frozenset(
    "is are was were do does did have has had will would could can should may what who whom whose which when where why "
    "how was wer wen wem wessen welche welcher welches welchen wann wo wohin woher warum wieso wie wieviel ob kannst "
    "könntest magst würdest willst darf soll kann können könnt könnten möchtest mögt würdet wollt sollst sollen "
    "muss musst müssen weißt".split()
)


def _alone(gist: Gist, at: int) -> Opening | None:
    """ "Any mail from Lena, put it on my list": what comes, with nothing that says so, before a comma."""
    one_mail = gist.word(at) in _ONE and not _MAILS.isdisjoint(gist.words[at + 1 : at + _NEAR])
    if not (gist.word(at) in _ANY or one_mail) or (at and gist.word(at - 1) not in _BEGINS):
        return None
    parted = next((one for one in range(at + 2, min(gist.size, at + LONGEST)) if gist.word(one) in {",", ":"}), 0)
    return Opening(at, at + 1, Weight.EVERY, "after") if parted and parted + 1 < gist.size else None


def _due(gist: Gist, at: int) -> Opening | None:
    """Read "on the day that", "the evening before", of something that is due."""
    found = due_day(gist.words, at)
    return None if found is None else Opening(at, at + found[0], Weight.EVERY, "before", found[1])


def _before(gist: Gist, at: int) -> Opening | None:
    """Read "ten minutes before"."""
    length = gist.amount(at, LENGTH)
    ahead = _phrase(gist, at + 1, _AHEAD) if length is not None else 0
    return Opening(at, at + 1 + ahead, Weight.EVERY, "before", int(length or 0)) if ahead else None


def _joint(gist: Gist, at: int) -> Opening | None:
    for weight, table in ((Weight.EVERY, _EVERY), (Weight.WHEN, _WHEN), (Weight.IF, _IF)):
        said = _phrase(gist, at, table)
        if said and not _is_other(gist, at, weight):
            always = weight is not Weight.EVERY and _is_said_of_always(gist, at)
            return Opening(at, at + said, Weight.EVERY if always else weight)
    return None


def _is_said_of_always(gist: Gist, at: int) -> bool:
    """ "Always make a copy when ...", "mach immer eine Kopie, wenn ...": what is done is said to be done every time."""
    first = next((one for one in range(at - 1, -1, -1) if gist.word(one) in _ENDS_SENTENCE), -1) + 1
    return any(gist.word(one) in _ALWAYS for one in range(first, at))


def _each(gist: Gist, at: int) -> Opening | None:
    """Read "after each", "bei jeder"."""
    for each, table in _EACH.items():
        said = _phrase(gist, at, table)
        if said and not (each == "before" and gist.word(at - 1).startswith(LENGTH)):
            return Opening(at, at + said, Weight.EVERY, each)
    return None


def _fronted(gist: Gist, at: int) -> Opening | None:
    """A German verb that stands first: "Kommt eine Mail, ..."."""
    if gist.line.language != "de" or (at and gist.word(at - 1) not in _BEGINS):
        return None
    does = gist.word(at) in _DOES and gist.text(at + 1, at + 3) in _IT_DOES
    if not does and not _is_verb_first(gist.word(at), gist.word(at + 1)):
        return None
    parted = not {",", ":"}.isdisjoint(gist.words[at : at + LONGEST])
    return Opening(at, at, Weight.WHEN, fronted=True) if parted else None


_DOES = frozenset("tut macht".split())
_IT_DOES = frozenset({"er das", "sie das", "es das", "der das", "die das", "das der", "das die"})
"""With which a clause takes up what was told before: "Der Trockner ruft den Webhook auf. Tut er das, ..."."""


def _absolute(gist: Gist, at: int) -> Opening | None:
    """ "It being pinged, ...": a clause without a joint."""
    led = gist.word(at) in {"it", "that", "this"} and gist.word(at + 1) == "being"
    begins = not at or gist.word(at - 1) in _BEGINS
    return Opening(at, at, Weight.EVERY) if led and begins and "," in gist.words[at : at + LONGEST] else None


def _is_other(gist: Gist, at: int, weight: Weight) -> bool:
    """ "Once a day", "since when", "wann ist ...?": the word asks or counts, and opens no clause of a trigger."""
    word, before, after = gist.word(at), gist.word(at - 1), gist.word(at + 1)
    if before in _NOT_BEHIND.get(word, ()):
        return True
    if word in _AT_START:
        return at > 0 and before not in _STARTS
    if word == "once":
        return (
            after in _COUNTS or after.startswith(LENGTH) or (after in {"a", "an"} and gist.word(at + 2) in TIME_UNITS)
        )
    return word == "when" and weight is Weight.WHEN and after in _ASKING


_AT_START = frozenset("wann sollte sollten should".split())
_COUNTS = frozenset("per every more again in and , .".split()) | {""}
_NOT_BEHIND = {
    word: frozenset(before.split())
    for words, before in (
        ("once", "the than"), ("when", "since till until of"), ("if wenn", "as als even auch selbst"),
        ("the", "at of for in from by"),
    )
    for word in words.split()
}  # fmt: skip
_ASKING = frozenset("is was are were do does did will would can could should has had have 's exactly".split())


def _phrase(gist: Gist, at: int, table: Phrases) -> int:
    words = gist.words
    if not 0 <= at < len(words):
        return 0
    return next((len(one) for one in table.get(words[at], ()) if words[at : at + len(one)] == one), 0)


def ends(gist: Gist, opening: Opening) -> Iterator[int]:
    """Yield where the clause may end by a mark or a joint, the nearest first, and last where the sentence does."""
    last = min(gist.size, opening.first + LONGEST)
    for at in range(opening.first + 1, last):
        mark = gist.line.is_mark(gist.spans[at][0]) and not gist.word(at).startswith((",", SUFFIX))
        if gist.word(at) in _ENDS or mark or (opening.asked and gist.word(at) in _NOTES):
            yield at
        if gist.word(at) in {".", "!", "?"}:
            return
    yield last
