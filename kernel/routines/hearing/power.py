"""What the machine runs on: "the battery drops below 15 percent", "sobald das Ladekabel raus ist"."""

from __future__ import annotations

import re

from kernel.routines.hearing.gist import PERCENT, amount_in
from kernel.routines.hearing.machines import ABOVE, BELOW, DEVICE, FALLS, IS, LITTLE
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.reading import Clause, Doubt, Reading, has, only, word_set
from kernel.routines.model import Machine, State

_BATTERY = word_set(
    "battery akku batterie akkustand ladestand batteriestand charge akkuladung accu akkus batteries laptopakku "
    "ladung akkupegel"
)
_LEVEL = word_set(
    "level percentage stand status reading charge ladung ladestand prozent percent strom power saft juice"
)
_LOW = word_set("low empty leer schwach knapp niedrig tief weak flat dying runter alle dead neige")
_NEARLY = word_set("nearly almost fast beinahe ziemlich quite very too zu sehr bald")
_REACHES = word_set("down hits reaches reach reached hit erreicht at bei auf")
_DOWN = word_set("down")
_FULL = word_set("full voll charged geladen aufgeladen vollgeladen fully")
_OVER = word_set("above over more mehr über exceeds exceed exceeding übersteigt überschreitet beyond past")
_RISES = word_set(
    "steigt steige rises rise climbs climb goes geht klettert exceeds exceed übersteigt überschreitet passes gets "
    "kommt comes jumps springt"
)
_MOST, _HALF = 100.0, 50.0


def battery(clause: Clause) -> Reading | Doubt | None:
    """Return a battery that falls below so much, or that is charged so far."""
    words = clause.words
    known = (LITTLE, _BATTERY, _LEVEL, BELOW, ABOVE, _LOW, _NEARLY, FALLS, _REACHES, _RISES, _OVER, _FULL, IS)
    falls = has(words, DEVICE, BELOW | _DOWN) and amount_in(words, PERCENT) is not None
    if not (falls or has(words, _BATTERY) or has(words, DEVICE, _FULL)) or not only(words, *known):
        return None
    if sum(word.startswith("#") for word in words) > 1:
        return None  # "above 20 percent and below 40"
    percent = amount_in(words, PERCENT)
    percent = _bare(clause) if percent is None else percent
    if percent is None:
        return _without_amount(clause)
    return _at(clause, percent) if 0 < percent <= _MOST else None


def _at(clause: Clause, percent: float) -> Reading | Doubt | None:
    """Up to half of it is fallen to, and more is charged to, where the words do not say which."""
    words = clause.words
    if has(words, _OVER) and not has(words, BELOW):
        return Reading(Machine(State.ABOVE, percent), state=not has(words, _RISES)) if percent < _MOST else None
    charged = percent > _HALF and not has(words, BELOW | _DOWN)
    if charged and has(words, ABOVE | _REACHES | _FULL):
        return Reading(Machine(State.CHARGED, percent), state=not has(words, _REACHES - word_set("at bei auf")))
    if not charged and has(words, BELOW | _REACHES):
        return Reading(Machine(State.BATTERY, percent), state=not has(words, FALLS | word_set("hits")))
    return Doubt(Lack.UNKNOWN, clause.said(0, len(words))) if has(words, ABOVE) else None


def _without_amount(clause: Clause) -> Reading | Doubt | None:
    """A battery that is full, or one that is low: nobody says how low that is."""
    words, state = clause.words, not has(clause.words, FALLS)
    if has(words, _FULL) and not has(words, _NEARLY | _LOW):
        charged = has(words, word_set("charged geladen aufgeladen vollgeladen"))
        return Reading(Machine(State.CHARGED, _MOST), state=state and not charged)
    vague = has(words, _LOW, _NEARLY) or (has(words, _LOW | FALLS) and (clause.lasting or not state))
    return Doubt(Lack.HOW_MUCH, clause.said(0, len(words))) if vague else None


def _bare(clause: Clause) -> float | None:
    """ "Below 20": percent, which nobody says."""
    numbers = [word for word in clause.words if word.startswith(("#num:", "#clk:"))]
    if len(numbers) != 1:
        return None
    value = float(numbers[0][5:])
    return value / 3600 if numbers[0].startswith("#clk:") else value


_CABLE = word_set(
    "charger ladegerät ladekabel netzteil kabel cable cord stecker lader adapter plug netzkabel stromkabel ladestecker"
)
_CHARGER = _CABLE | word_set("strom power charging akku battery mains netz steckdose it")
_IN = word_set(
    "plugged plug connect connected connects charging angesteckt eingesteckt anstecke anstecken einstecke "
    "angeschlossen anschließe lädt "
    "dranhängt dran hängt steckt ansteckt einsteckt laden geladen gesteckt plugs starts begins stecke steck an ein "
    "in hängt on"
)
_OUT = word_set(
    "unplugged unplug unplugs disconnected disconnect pull pulled out abgesteckt ausgesteckt abstecke aussteck "
    "ausstecke abziehe rausziehe ab "
    "abgezogen rausgezogen gezogen ziehe zieh raus ausstecken aus removed remove off"
)
_PLUGGING = word_set(
    "unplugged unplug unplugs charging steck stecke anstecke ansteck einstecke einsteck plug plugged "
    "angesteckt abgesteckt"
)
_COMES = word_set("comes come came falls fall slips goes gets kommt fällt rutscht geht")
_WHO = word_set("somebody someone jemand i ich wer man wir we you when wird")


_MAINS = re.compile(
    r"(?:am (?:strom|netz|ladekabel|ladegerät|netzteil|kabel|stecker)|an der (?:steckdose|ladestation)|"
    r"(?:on|at) (?:the )?(?:charger|mains|ac|ac power|mains power|power cable|wall power))"
)
_OFF_MAINS = re.compile(
    r"(?:auf|im|mit|on|from) (?:den |dem |the |its |own |reinem )*(?:akku|akkubetrieb|batterie|batteriebetrieb|battery|"
    r"battery power|akkustrom)"
)
_RUNS = word_set("läuft runs running hängt hänge steckt sitzt bin ist is are am 's running run")
_NOT = word_set("nicht not n't ned net no longer mehr off")


def supply(clause: Clause) -> Reading | None:
    """What the machine runs on: "der Laptop hängt am Strom", "the computer is running on battery"."""
    text = clause.text
    on, off = _MAINS.search(text), _OFF_MAINS.search(text)
    found = on or off
    if found is None or (on and off):
        return None
    words = tuple(f"{text[: found.start()]} {text[found.end() :]}".split())
    negative = has(words, _NOT - word_set("mehr longer"))
    if not has(words, _RUNS) or not only(words, LITTLE, DEVICE, _RUNS, _NOT, word_set("it er es")):
        return None
    return Reading(Machine(State.PLUGGED if bool(on) != negative else State.UNPLUGGED), state=True)


_TAKES_OFF = re.compile(
    r"(?:ich|i|wir|we|man|jemand|somebody|someone) (?:(?:take|takes|pull|pulls|get|gets|unplug|unplugs|disconnect|"
    r"disconnects) (?:the |my )?(?:laptop|notebook|computer|it|plug|charger|cable) (?:off|from|out of) "
    r"(?:the |its |my )?(?:mains|charger|power|socket|wall|laptop|notebook|computer|cable)|"
    r"(?:den|das|mein|meinen|es|ihn) (?:(?:laptop|notebook|rechner|computer|stecker|ladegerät|kabel) )?"
    r"(?:vom|von der|aus der|aus dem) (?:strom|netz|steckdose|ladegerät|ladekabel|kabel|netzteil|laptop|notebook|"
    r"rechner) (?:abziehe?|nehme?|abnehme?|trenne?|abstecke?|rausziehe?|ziehe?))"
)
"""Who takes the machine off its power: "sobald ich das Laptop vom Strom abziehe"."""


def charger(clause: Clause) -> Reading | None:
    """Return a charger that is plugged in or out."""
    words = clause.words
    if _TAKES_OFF.fullmatch(clause.straight):
        return Reading(Machine(State.UNPLUGGED))
    if any(word.startswith("#") for word in words):
        return None
    if not only(words, LITTLE, _CHARGER, _IN, _OUT, _COMES, _WHO, IS) or not has(words, _CHARGER | _PLUGGING):
        return None
    sure_in = has(words, _IN - word_set("an ein in on hängt starts begins laden lädt charging"))
    loose = has(words, word_set("zieh ziehe pull pulled") | _CABLE, _OUT)
    if has(words, _OUT - word_set("ab raus aus out off")) or loose:
        return Reading(Machine(State.UNPLUGGED))
    charging = has(words, word_set("charging lädt laden"), word_set("battery akku laptop computer rechner it notebook"))
    return Reading(Machine(State.PLUGGED)) if sure_in or charging else None
