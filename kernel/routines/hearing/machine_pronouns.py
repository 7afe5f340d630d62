"""What "it" is in a rule about the machine: "when 90 % of the memory is in use, list what takes most of it"."""

from __future__ import annotations

from collections.abc import Mapping

from kernel.language import Line
from kernel.language.free_text import covered
from kernel.routines.hearing.model import Heard, Words
from kernel.routines.model import Machine, State

_NAMES: Mapping[str, Mapping[State, str]] = {
    "en": {
        State.BATTERY: "the battery", State.DISK: "the disk", State.MEMORY: "the memory", State.HEAT: "the computer",
    },
    "de": {
        State.BATTERY: "Akku", State.DISK: "Platte", State.MEMORY: "Arbeitsspeicher", State.HEAT: "Rechner",
    },
}  # fmt: skip
_FORMS: Mapping[str, Mapping[str, str]] = {
    "en": {"it": "{}"},
    "de": {"davon": "von {}", "ihn": "den {}", "ihm": "dem {}", "er": "der {}", "sie": "die {}"},
}


def machine_pronouns(line: Line, heard: Heard) -> dict[Words, str]:
    """Return the name of what a rule about the machine speaks of, for each word of the request that points at it."""
    state = heard.trigger.state if isinstance(heard.trigger, Machine) else None
    state = State.BATTERY if state in (State.CHARGED, State.ABOVE) else state
    name = _NAMES.get(line.language, {}).get(state) if state is not None else None
    if name is None:
        return {}
    gone = covered(heard.words)
    forms = _FORMS[line.language]
    return {
        (at, at + 1): forms[line.norm(at)].format(name)
        for at in range(line.size)
        if at not in gone and line.norm(at) in forms
    }
