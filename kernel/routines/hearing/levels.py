"""What of the machine is reached from below: "more than 90 % of the memory is in use", "der Rechner wird heißer als 85
Grad".

The temperature has to be said to be the machine's: outside, in a room, nothing here can tell it.
"""

from __future__ import annotations

from kernel.routines.hearing.gist import NUMBER, PERCENT, amount_in
from kernel.routines.hearing.machines import LITTLE
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.reading import Clause, Doubt, Reading, has, only, word_set
from kernel.routines.model import Machine, State

_OVER = word_set("above over more than als mehr über exceeds exceed übersteigt überschreitet beyond past wie zu")
_UNDER = word_set("below under less unter unterhalb weniger niedriger lower")
_RISES = word_set(
    "goes go gets get climbs climb rises rise steigt steige geht wird reaches reach erreicht hits hit jumps passes "
    "exceeds übersteigt überschreitet comes kommt klettert becomes fills füllt schießt"
)
_OF = word_set("at least von vom")
_MEMORY = word_set(
    "memory ram arbeitsspeicher arbeitsspeichers hauptspeicher hauptspeichers speicherauslastung memory's "
    "ram-auslastung"
)
_USED = word_set(
    "use used usage utilisation utilization full taken occupied consumed belegt voll benutzt verwendet gebraucht "
    "ausgelastet auslastung verbrauch verbraucht belegung genutzt"
)
_FREE = word_set("free left available frei übrig verfügbar")
_MACHINE = word_set(
    "computer laptop pc rechner processor cpu prozessor prozessors rechners gpu grafikkarte graphics card chip machine "
    "notebook "
    "kiste gerät prozessortemperatur cpu-temperatur rechnertemperatur computer's laptop's processor's"
)
_HOT = word_set("hot hotter warm warmer heiß heißer wärmer heiss heisser temperature temperatur temp hitze heat")
_DEGREES = word_set("degrees degree grad ° c celsius °c")
_TOO = word_set("too zu very sehr so")


def level(clause: Clause) -> Reading | Doubt | None:
    """Return what of the machine the clause says is reached."""
    return _memory(clause) or _heat(clause)


def _memory(clause: Clause) -> Reading | Doubt | None:
    words, percent = clause.words, amount_in(clause.words, PERCENT)
    if percent is None or not has(words, _MEMORY):
        return None
    if not only(words, LITTLE, _MEMORY, _USED, _FREE, _OVER, _UNDER, _RISES, _OF):
        return None
    few, free = has(words, _UNDER), has(words, _FREE)
    bound = 100 - percent if free else percent
    if few != free or not 0 < bound < 100:
        return Doubt(Lack.UNKNOWN, clause.said(0, len(words)))
    return _reached(clause, State.MEMORY, bound)


def _heat(clause: Clause) -> Reading | Doubt | None:
    words, celsius = clause.words, amount_in(clause.words, NUMBER)
    if not has(words, _MACHINE) or not only(words, LITTLE, _MACHINE, _HOT, _DEGREES, _OVER, _RISES, _OF, _TOO):
        return None
    if celsius is None:
        vague = has(words, _HOT, _RISES) or has(words, _HOT, _TOO)
        return Doubt(Lack.HOW_MUCH, clause.said(0, len(words))) if vague else None
    if not has(words, _DEGREES) or not (has(words, _OVER) or has(words, _RISES)):
        return None
    return _reached(clause, State.HEAT, celsius)


def _reached(clause: Clause, state: State, bound: float) -> Reading:
    return Reading(Machine(state, bound), state=not has(clause.words, _RISES))
