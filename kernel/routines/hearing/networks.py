"""What becomes of the network: "the wifi comes back", "sobald ich nach einem Ausfall wieder Netz habe".

That it was gone before it comes back says nothing more, wherever it is said; how long it was gone does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kernel.routines.hearing.gist import LENGTH, amount_in
from kernel.routines.hearing.machines import IS, LITTLE
from kernel.routines.hearing.reading import Clause, Reading, has, only, word_set
from kernel.routines.model import Limit, Machine, State

_NET = word_set(
    "network net netz internet wifi wi-fi wlan w-lan connection verbindung internetverbindung netzwerk online "
    "offline lan vpn empfang "
    "netzverbindung w-lan-verbindung signal router internetzugang netzzugang hotspot broadband verbindungen"
)
_ON = word_set(
    "online connected verbunden verbinde verbindet back da there again wieder zurück returns steht connect "
    "connects reconnect reconnects läuft restored reachable available works working up got funktioniert erreichbar "
    "verfügbar hergestellt hängt"
)
_OFF = word_set(
    "offline disconnected lost lose loses gone weg ausfällt ausgefallen aus abbricht abreißt drops dropped down "
    "verliere verliert fort "
    "ab ausfallen abbrechen wegbleiben fehlen streikt "
    "unavailable missing unterbrochen abgebrochen gone goes away bricht abgeht fällt tot out losing dropping "
    "disconnecting outage outages interruption dropout ausfall netzausfall internetausfall unterbrechung abbruch "
    "verbindungsabbruch funkloch störung unreachable broke"
)
_AGAIN = word_set("again back wieder zurück returns reconnect reconnects restored hergestellt")
_NO = word_set("isn't aren't no not n't without nicht ned net kein keine keinen keinem keiner ohne fehlt missing")
_GONE_AGAIN = re.compile(
    r"\b(?:wieder (?:kein\w*|nicht|ohne|mal|weg|fort|offline|aus|ab|tot|\w*(?:fällt|bricht|geht|gefallen|brochen))|"
    r"(?:gone|down|out|away|offline|off|lost|drops|dropped|goes|fails|disconnected) again|again "
    r"(?:no|without|offline))\b"
)
_BEFORE = word_set("after nach nachdem having following because")
_COMES = word_set(
    "comes come goes go gets get connect connects kommt komm komme kommen geh gehe geht habe hab verbinde verbindet "
    "bekomme krieg kriege "
    "become becomes drops lost lose loses ausfällt abbricht abreißt verliere verliert verschwindet reconnect "
    "reconnects returns bricht wird werde gibt"
)
_LONGER = word_set(
    "länger lang long longer more than als for at least mindestens over über mehr after nach seit time zeit now "
    "nachdem having following an einem einer eine einen had sie er"
)


def is_gone(words: Iterable[str]) -> bool:
    """Tell whether the words say that a network is gone, or that there is none."""
    return has(words, _OFF | _NO)


def network(clause: Clause) -> Reading | None:
    """Return a network that goes or comes back."""
    words = clause.words
    if not has(words, _NET) or not only(words, LITTLE, _NET, _ON, _OFF, _NO, _COMES, _LONGER, _AGAIN, IS):
        return None
    length = amount_in(words, LENGTH)
    on = has(words, _ON - word_set("there da steht")) or (has(words, _NET - word_set("offline"), _ON))
    if is_gone(words) and not (has(words, _AGAIN) and not _GONE_AGAIN.search(clause.text)):
        return None if length is not None else Reading(Machine(State.OFFLINE), state=not has(words, _COMES))
    if not on:
        return None
    limits = ((Limit.LASTED, length),) if length is not None else ()
    return Reading(Machine(State.ONLINE), limits, state=not has(words, _COMES | _AGAIN))


def comes_back(clause: Clause) -> Reading | None:
    """Return the network's return where the words before have named it: "... and comes back"."""
    words = clause.words
    known = only(words, LITTLE, _ON, _COMES, _AGAIN, IS) and has(words, _AGAIN | word_set("da there online"))
    return Reading(Machine(State.ONLINE)) if known else None


def gone_before(clause: Clause) -> tuple[tuple[Limit, float], ...] | None:
    """Return for how long it had to be gone that comes back, as the words behind say: "nachdem es weg war"; None where
    they say no such thing.
    """
    words = clause.words
    if words[:1] and words[0] in _BEFORE and has(words, _OFF) and only(words, LITTLE, _NET, _OFF, _COMES, _LONGER, IS):
        length = amount_in(words, LENGTH)
        return () if length is None else ((Limit.LASTED, length),)
    return None
