"""What set a rule off, told when it has: "A mail has come". A notice that says no more than that says this."""

from __future__ import annotations

from collections.abc import Mapping

from kernel.paths import short
from kernel.routines.model import (
    Added,
    BeforeEvent,
    Called,
    Change,
    FileSeen,
    Happened,
    Learnt,
    Machine,
    State,
    TaskDue,
    Trigger,
)
from kernel.routines.task_words import task_statement
from kernel.routines.waited_for import is_mail
from kernel.routines.wording import fact_words, few, length_words

_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "event": "An event begins in {length}",
        "events": "An event with “{words}” begins in {length}",
        "event now": "An event begins",
        "events now": "An event with “{words}” begins",
        "mail": "A mail has come",
        "called": "The webhook {name} was called",
        "done undo": "Something was taken back",
        "done deletion": "Steward has deleted something",
        "done move": "Steward has moved something",
        "done mail sent": "A mail was sent",
        "done run failed": "Something did not work",
        "added": "{thing} was added",
        "learnt": "You have told me {what}",
        "any": "A file",
        "some": "A file {pattern}",
        str(Change.CREATED): "{file} is new in {folder}",
        str(Change.CHANGED): "{file} was changed in {folder}",
        str(Change.WRITTEN): "{file} is new or was changed in {folder}",
        str(Change.MOVED_IN): "{file} was moved to {folder}",
        str(Change.DELETED): "{file} was deleted in {folder}",
        str(State.BATTERY): "The battery is below {n} %",
        str(State.CHARGED): "The battery has reached {n} %",
        str(State.ABOVE): "The battery is above {n} %",
        str(State.DISK): "Less than {n} GB of the disk are free",
        str(State.IDLE): "Nobody has used the computer for {length}",
        str(State.ONLINE): "The network is there again",
        str(State.OFFLINE): "The network has gone",
        str(State.PLUGGED): "The charger is plugged in",
        str(State.UNPLUGGED): "The charger is unplugged",
        str(State.MEMORY): "More than {n} % of the memory are in use",
        str(State.HEAT): "The computer is hotter than {n} °C",
    },
    "de": {
        "event": "Ein Termin beginnt in {length}",
        "events": "Ein Termin mit „{words}“ beginnt in {length}",
        "event now": "Ein Termin beginnt",
        "events now": "Ein Termin mit „{words}“ beginnt",
        "mail": "Eine Mail ist gekommen",
        "called": "Der Webhook {name} wurde gerufen",
        "done undo": "Etwas wurde zurückgenommen",
        "done deletion": "Steward hat etwas gelöscht",
        "done move": "Steward hat etwas verschoben",
        "done mail sent": "Eine Mail wurde gesendet",
        "done run failed": "Etwas ging nicht",
        "added": "{thing} kam dazu",
        "learnt": "Du hast mir {what} gesagt",
        "any": "Eine Datei",
        "some": "Eine Datei {pattern}",
        str(Change.CREATED): "{file} ist neu in {folder}",
        str(Change.CHANGED): "{file} wurde in {folder} geändert",
        str(Change.WRITTEN): "{file} ist neu oder wurde geändert in {folder}",
        str(Change.MOVED_IN): "{file} wurde in {folder} abgelegt",
        str(Change.DELETED): "{file} wurde in {folder} gelöscht",
        str(State.BATTERY): "Der Akku ist unter {n} %",
        str(State.CHARGED): "Der Akku hat {n} % erreicht",
        str(State.ABOVE): "Der Akku ist über {n} %",
        str(State.DISK): "Auf der Platte sind weniger als {n} GB frei",
        str(State.IDLE): "Den Rechner hat {length} niemand benutzt",
        str(State.ONLINE): "Das Netz ist wieder da",
        str(State.OFFLINE): "Das Netz ist weg",
        str(State.PLUGGED): "Das Ladegerät ist angesteckt",
        str(State.UNPLUGGED): "Das Ladegerät ist abgesteckt",
        str(State.MEMORY): "Mehr als {n} % des Speichers sind belegt",
        str(State.HEAT): "Der Rechner ist heißer als {n} °C",
    },
}


def statement(trigger: Trigger, language: str, home: str) -> str:
    """Return what has happened where ``trigger`` has set a rule off; empty for a moment of the clock."""
    said = _SAID.get(language, _SAID["en"])
    if isinstance(trigger, FileSeen):
        return said["mail"] if is_mail(trigger, home) else _of_file(trigger, said, home)
    if isinstance(trigger, TaskDue):
        return task_statement(trigger, language, lambda seconds: length_words(seconds, language))
    key, values = _filled(trigger, language)
    return said[key].format(**values) if key else ""


def _filled(trigger: Trigger, language: str) -> tuple[str, Mapping[str, str]]:
    """Return which statement it is, and what stands in it."""
    key, values = "", dict[str, str]()
    match trigger:
        case BeforeEvent(before_s, words):
            key = f"{'events' if words else 'event'}{'' if before_s else ' now'}"
            values = {"length": length_words(before_s, language), "words": words}
        case Machine(state, bound):
            n = round(bound / 1e9, 1) if state is State.DISK else bound
            key, values = str(state), {"n": f"{n:g}", "length": length_words(int(bound), language)}
        case Called(name):
            key, values = "called", {"name": name}
        case Added(_, thing):
            key, values = "added", {"thing": f"{thing[:1].upper()}{thing[1:]}"}
        case Happened(what):
            key = f"done {what}"
        case Learnt(what):
            key, values = "learnt", {"what": fact_words(what, language)}
        case _:
            pass
    return key, values


def _of_file(trigger: FileSeen, said: Mapping[str, str], home: str) -> str:
    one = not any(mark in trigger.pattern for mark in "*?[{")
    key = "any" if trigger.pattern == "*" else "some"
    file = trigger.pattern if one else said[key].format(pattern=few(trigger.pattern))
    return said[str(trigger.change)].format(file=file, folder=short(trigger.folder, home))
