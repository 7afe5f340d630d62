"""What happens to the machine: "the battery drops below 15 percent", "weniger als 10 GB auf der Platte frei sind".

A clause is read as the words that it has, in whatever order the language puts them; a word that is not known here
leaves it unread. A battery or a disk that is reached from below ("full", "above 80 percent") is not looked at.
"""

from __future__ import annotations

from kernel.routines.hearing.gist import BYTES, LENGTH, PERCENT, amount_in
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.reading import Clause, Doubt, Reading, has, only
from kernel.routines.model import Limit, Machine, State


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


LITTLE = _set(
    "wurde wurden i'm i've we're we've it's there's "
    "the my this our a of to 's is are has have been be being there than in on at "
    "it its and with for from only left over i we "
    "der die das des de den dem mein meine meinem meinen meiner da auf am an im in ist is hat habe hab sind war waren "
    "gewesen worden wird werden nur noch mehr mal wieder als zu ganz es schon seit ich i wir man grad gerade again "
    "back down up ' "
    "computer laptop pc rechner notebook machine tablet gerät computers laptops rechners now dann jetzt us mir was were"
)
"""Words that say nothing of what is looked at."""
_BATTERY = _set(
    "battery akku batterie akkustand ladestand batteriestand charge akkuladung accu akkus batteries laptopakku "
    "ladung akkupegel"
)
_LEVEL = _set("level percentage stand status reading charge ladung ladestand prozent percent strom power saft juice")
_BELOW = _set("wia wie below under less lower beneath unter weniger kleiner drunter fewer nur only unterhalb niedriger")
_ABOVE = _set(
    "above over more full voll über mehr charged geladen aufgeladen vollgeladen fully exceeds steigt "
    "rises climbs mehr reicht"
)
_LOW = _set("low empty leer schwach knapp niedrig tief weak flat dying runter alle dead")
_REACHES = _set("hits reaches reach hit erreicht at bei auf")
_FALLS = _set(
    "drops drop falls fall goes go gets get sinks sink dips dip runs run dropped fallen gone sunk comes come "
    "becomes become hits "
    "reaches shrinks slips fällt foit fallt falle sinkt sinke geht gehn kommt rutscht wird rutsch gefallen gesunken "
    "absinkt "
    "runtergeht abfällt unterschreitet ab schrumpft crosses crossed läuft is'"
)
_IS = _set("is 's are has have ist is sind hat habe liegt steht remains there bin am liegen lies")

_HALF = 50  # percent: what is reached above it is reached from below


def machine(clause: Clause) -> Reading | Doubt | None:
    """Return what of the machine the clause speaks of."""
    return _battery(clause) or _disk(clause) or _idle(clause) or _network(clause) or _charger(clause)


def _battery(clause: Clause) -> Reading | Doubt | None:
    words = clause.words
    if not has(words, _BATTERY) or not only(words, LITTLE, _BATTERY, _LEVEL, _BELOW, _ABOVE, _LOW, _FALLS, _REACHES):
        return None
    percent = amount_in(words, PERCENT)
    if percent is None:
        percent = _bare(clause)
    state = not has(words, _FALLS)
    if has(words, _ABOVE) and not has(words, _BELOW):
        return Doubt(Lack.UNKNOWN, clause.said(0, len(words)))
    if percent is None:
        low = has(words, _LOW) or has(words, _FALLS)
        return Doubt(Lack.HOW_MUCH, clause.said(0, len(words))) if low and (clause.lasting or not state) else None
    if not has(words, _BELOW) and percent > _HALF:
        return Doubt(Lack.UNKNOWN, clause.said(0, len(words))) if has(words, _REACHES) else None
    if not has(words, _BELOW | _REACHES) or not 0 < percent <= 100:
        return None
    return Reading(Machine(State.BATTERY, percent), state=state and "hits" not in words)


def _bare(clause: Clause) -> float | None:
    """ "Below 20": percent, which nobody says."""
    numbers = [word for word in clause.words if word.startswith(("#num:", "#clk:"))]
    if len(numbers) != 1:
        return None
    value = float(numbers[0][5:])
    return value / 3600 if numbers[0].startswith("#clk:") else value


_DISK = _set(
    "disk drive ssd platte festplatte harddisk disc storage speicherplatz speicher space platz plattenplatz space "
    "festplattenplatz "
    "room hard diskspace festplattenspeicher"
)
_FREE = _set(
    "free left available frei freier freien freie freies übrig verfügbar remaining platz space room "
    "speicher speicherplatz"
)
_FULL = _set("full voll fills füllt knapp out low tight scarce eng ausgeht")


def _disk(clause: Clause) -> Reading | Doubt | None:
    words = clause.words
    if not only(words, LITTLE, _DISK, _FREE, _BELOW, _FALLS, _FULL, _ABOVE, _IS) or not has(words, _DISK | _FREE):
        return None
    size = amount_in(words, BYTES)
    state = not has(words, _FALLS)
    if size is None:
        runs_out = has(words, _DISK, _FULL) and not amount_in(words, PERCENT)
        if has(words, _DISK) and amount_in(words, PERCENT) is not None:
            return Doubt(Lack.UNKNOWN, clause.said(0, len(words)))
        return Doubt(Lack.HOW_MUCH, clause.said(0, len(words))) if runs_out and (clause.lasting or not state) else None
    falls = has(words, _DISK) and not state
    if not (has(words, _FREE | _set("speicherplatz space")) or falls) or has(words, _FULL) or not has(words, _BELOW):
        return None
    return Reading(Machine(State.DISK, size), state=state)


_NOBODY = _set(
    "nobody noone no-one nobodys niemand keiner koana neamd no kein keine nothing nichts nix niemals "
    "nicht not haven't hasn't ned net"
)
_TOUCHED = _set(
    "sits tue tu mache mach do doing touched used using touch touches uses moves use move moved one anybody anyone "
    "at keyboard mouse tastatur maus "
    "benutzt angefasst berührt angerührt bedient genutzt "
    "gearbeitet gemacht getan bewegt dran dransitzt sitzt rührt hingreift angreift angegriffen tut macht happened "
    "happens passiert worked "
    "working been or oder war done bin arbeitet eingegeben getippt typed"
)
_STILL = _set(
    "idle untouched unused unbenutzt unberührt ungenutzt untätig leerlauf inactive inaktiv away weg "
    "stillsteht rumsteht allein alone"
)
_SINCE = _set(
    "for at least more than länger lang long mindestens über seit over mehr als since has ein a the whole time ganze"
)
_DEVICE = _set("computer laptop pc rechner notebook machine keyboard mouse tastatur maus gerät dran kiste desktop")


def _idle(clause: Clause) -> Reading | None:
    words = clause.words
    length = amount_in(words, LENGTH)
    if length is None or not only(words, LITTLE, _NOBODY, _TOUCHED, _STILL, _SINCE, _DEVICE, _IS):
        return None
    mine = has(words, _set("i ich i'm i've")) and has(words, _STILL | _set("nichts nothing"))
    if not (has(words, _NOBODY, _DEVICE) or has(words, _STILL, _DEVICE) or mine):
        return None
    return Reading(Machine(State.IDLE, length))


_NET = _set(
    "network net netz internet wifi wi-fi wlan w-lan connection verbindung internetverbindung netzwerk online "
    "offline lan vpn empfang "
    "netzverbindung w-lan-verbindung"
)
_ON = _set(
    "online connected verbunden verbinde verbindet back da there again wieder zurück returns steht connect "
    "connects reconnect reconnects läuft"
)
_OFF = _set(
    "offline disconnected lost lose loses gone weg ausfällt ausgefallen aus abbricht abreißt drops dropped down "
    "verliere verliert fort "
    "unavailable missing unterbrochen abgebrochen gone goes away bricht abgeht fällt tot out"
)
_AGAIN = _set("again back wieder zurück returns reconnect reconnects")
_COMES = _set(
    "comes come goes go gets get connect connects kommt komm komme kommen geh gehe geht habe hab verbinde verbindet "
    "bekomme krieg kriege "
    "become becomes drops lost lose loses ausfällt abbricht abreißt verliere verliert verschwindet reconnect "
    "reconnects returns bricht wird werde"
)
_LONGER = _set(
    "länger lang long longer more than als for at least mindestens over über mehr after nach seit time zeit now"
)


def _network(clause: Clause) -> Reading | Doubt | None:
    words = clause.words
    if not has(words, _NET) or not only(words, LITTLE, _NET, _ON, _OFF, _COMES, _LONGER, _AGAIN, _IS):
        return None
    length = amount_in(words, LENGTH)
    on = has(words, _ON - _set("there da steht")) or (has(words, _NET - _set("offline"), _ON))
    off = has(words, _OFF)
    if off and length is not None and not (has(words, _AGAIN) and "online" in words):
        return Reading(None, ((Limit.LASTED, length),), state=True)
    if off and not has(words, _AGAIN):
        return Reading(Machine(State.OFFLINE), state=not has(words, _COMES))
    if not on:
        return None
    limits = ((Limit.LASTED, length),) if length is not None else ()
    return Reading(Machine(State.ONLINE), limits, state=not has(words, _COMES | _AGAIN))


def comes_back(clause: Clause) -> Reading | None:
    """Return the network's return where the words before have named it: "... and comes back"."""
    words = clause.words
    known = only(words, LITTLE, _ON, _COMES, _AGAIN, _IS) and has(words, _AGAIN | _set("da there online"))
    return Reading(Machine(State.ONLINE)) if known else None


_CHARGER = _set(
    "charger ladegerät ladekabel netzteil kabel cable cord stecker strom power charging lader adapter plug "
    "netzkabel stromkabel "
    "ladestecker akku battery mains netz steckdose it"
)
_IN = _set(
    "plugged plug connect connected connects charging angesteckt eingesteckt anstecke anstecken einstecke "
    "angeschlossen anschließe lädt "
    "dranhängt dran hängt steckt ansteckt einsteckt laden geladen gesteckt plugs starts begins stecke steck an ein "
    "in hängt on"
)
_OUT = _set(
    "unplugged unplug unplugs disconnected disconnect pull pulled out abgesteckt ausgesteckt abstecke aussteck "
    "ausstecke abziehe rausziehe ab "
    "abgezogen rausgezogen gezogen ziehe zieh raus ausstecken aus removed remove off"
)
_PLUGGING = _set(
    "unplugged unplug unplugs charging steck stecke anstecke ansteck einstecke einsteck plug plugged "
    "angesteckt abgesteckt"
)
_WHO = _set("somebody someone jemand i ich wer man wir we you when wird")


def _charger(clause: Clause) -> Reading | None:
    words = clause.words
    if not only(words, LITTLE, _CHARGER, _IN, _OUT, _WHO, _IS) or not has(words, _CHARGER | _PLUGGING):
        return None
    sure_in = has(words, _IN - _set("an ein in on hängt starts begins laden lädt charging"))
    if has(words, _OUT - _set("ab raus aus out off")) or (has(words, _set("zieh ziehe pull pulled"), _OUT)):
        return Reading(Machine(State.UNPLUGGED))
    charging = has(words, _set("charging lädt laden"), _set("battery akku laptop computer rechner it notebook"))
    return Reading(Machine(State.PLUGGED)) if sure_in or charging else None
