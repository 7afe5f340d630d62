"""What happens to the machine: "weniger als 10 GB auf der Platte frei sind", "nobody has touched it for an hour".

A clause is read as the words that it has, in whatever order the language puts them; a word that is not known here
leaves it unread (its battery: ``power``, its network: ``networks``). A disk that gets emptier is not looked at.
"""

from __future__ import annotations

import re

from kernel.routines.hearing.gist import BYTES, LENGTH, PERCENT, amount_in
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.reading import Clause, Doubt, Reading, has, only, word_set
from kernel.routines.model import Machine, State

LITTLE = word_set(
    "wurde wurden i'm i've we're we've it's there's "
    "the my this our a of to 's is are has have been be being there than in on at "
    "had hatte it its and with for from only left over i we "
    "der die das des de den dem mein meine meinem meinen meiner da auf am an im in ist is hat habe hab sind war waren "
    "gewesen worden wird werden nur noch mehr mal wieder als zu ganz es schon seit ich i wir man grad gerade again "
    "back down up ' "
    "computer laptop pc rechner notebook machine tablet gerät computers laptops rechners now dann jetzt us mir was "
    "were "
    "thing box kiste ding maschine workstation macbook thinkpad dieser diese dieses"
)
"""Words that say nothing of what is looked at."""
BELOW = word_set(
    "wia wie below under less lower beneath unter weniger kleiner drunter fewer nur only unterhalb niedriger"
)
ABOVE = word_set(
    "above over more full voll über mehr charged geladen aufgeladen vollgeladen fully exceeds steigt "
    "rises climbs mehr reicht"
)
FALLS = word_set(
    "drops drop falls fall goes go gets get sinks sink dips dip runs run dropped fallen gone sunk comes come "
    "becomes become hits "
    "reaches shrinks slips fällt foit fallt falle sinkt sinke geht gehn kommt rutscht wird rutsch gefallen gesunken "
    "absinkt "
    "runtergeht abfällt unterschreitet ab schrumpft crosses crossed läuft is'"
)
IS = word_set("is 's are has have ist is sind hat habe liegt steht remains there bin am liegen lies")

_DISK = word_set(
    "disk drive ssd platte festplatte harddisk disc storage speicherplatz speicher space platz plattenplatz space "
    "festplattenplatz "
    "room hard diskspace festplattenspeicher"
)
_FREE = word_set(
    "free left available frei freier freien freie freies übrig verfügbar remaining platz space room "
    "speicher speicherplatz"
)
_FULL = word_set("full voll fills füllt knapp knapper out low tight scarce eng enger ausgeht short neige aus")
_SCARCE = word_set("not n't nicht kein kaum hardly barely little wenig running isn't aren't near close")
_MUCH = word_set(
    "much any a lot viel arg besonders many so too very nearly almost fast beinahe ziemlich sehr bald quite"
)
_NOT_MUCH = (_SCARCE, _MUCH | _FREE)


_NOT_EVEN = re.compile(r"\b(?:keine|no|not even|nicht mal|nicht einmal) #byt:\S+(?: mehr| left)?\b")
_EVEN = frozenset("keine no even einmal".split())
"""Less than so much: "keine 10 GB mehr frei", "not even 10 GB left"."""


_KNOWN = (LITTLE, _DISK, _FREE, BELOW, FALLS, _FULL, ABOVE, IS, *_NOT_MUCH)


def not_even(clause: Clause) -> Reading | None:
    """Return a disk with not even so much left."""
    if not _NOT_EVEN.search(clause.text):
        return None
    words = tuple(word for word in clause.words if word not in _EVEN)
    size = amount_in(words, BYTES) if only(words, *_KNOWN) and has(words, _FREE) else None
    return None if size is None else Reading(Machine(State.DISK, size), state=True)


def disk(clause: Clause) -> Reading | Doubt | None:
    """Return a disk with too little left; in doubt where nobody says how little that is."""
    words = clause.words
    if not only(words, *_KNOWN) or not has(words, _DISK | _FREE):
        return None
    size = amount_in(words, BYTES)
    state = not has(words, FALLS)
    if size is None:
        runs_out = has(words, _DISK, _FULL) and not amount_in(words, PERCENT)
        if has(words, _DISK) and amount_in(words, PERCENT) is not None:
            return Doubt(Lack.UNKNOWN, clause.said(0, len(words)))
        scarce = has(words, _DISK | _FREE, *_NOT_MUCH) or has(words, _DISK, _FULL, _MUCH)
        vague = scarce or (runs_out and (clause.lasting or not state))
        return Doubt(Lack.HOW_MUCH, clause.said(0, len(words))) if vague else None
    if has(words, _SCARCE - word_set("running little close near")):
        return None
    if has(words, _FULL) or not has(words, BELOW):
        return None
    return Reading(Machine(State.DISK, size), state=state)


_NOBODY = word_set(
    "nobody noone no-one nobodys niemand keiner koana neamd no kein keine nothing nichts nix niemals "
    "nicht not haven't hasn't ned net"
)
_TOUCHED = word_set(
    "sits tue tu mache mach do doing touched used using touch touches uses moves use move moved one anybody anyone "
    "at keyboard mouse tastatur maus "
    "benutzt angefasst berührt angerührt bedient genutzt "
    "gearbeitet gemacht getan bewegt dran dransitzt sitzt rührt hingreift angreift angegriffen tut macht happened "
    "happens passiert worked "
    "working been or oder war done bin arbeitet eingegeben getippt typed"
)
_STILL = word_set(
    "idle untouched unused unbenutzt unberührt ungenutzt untätig leerlauf inactive inaktiv away weg "
    "stillsteht rumsteht allein alone"
)
_SINCE = word_set(
    "for at least more than länger lang long mindestens über seit over mehr als since has ein a the whole time ganze"
)
DEVICE = word_set(
    "computer laptop pc rechner notebook machine keyboard mouse tastatur maus gerät dran kiste desktop maschine tablet "
    "macbook thinkpad"
)


def idle(clause: Clause) -> Reading | None:
    """Return a machine that nobody has used for so long."""
    words = clause.words
    length = amount_in(words, LENGTH)
    if length is None or not only(words, LITTLE, _NOBODY, _TOUCHED, _STILL, _SINCE, DEVICE, IS):
        return None
    mine = has(words, word_set("i ich i'm i've")) and has(words, _STILL | word_set("nichts nothing"))
    if not (has(words, _NOBODY, DEVICE) or has(words, _STILL, DEVICE) or mine):
        return None
    return Reading(Machine(State.IDLE, length))
