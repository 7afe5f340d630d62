"""Rights in words that a person can answer: ``files wants to read and remove ~/Downloads/logo.png``.

Each fact is said once: what a skill may do in one place is one line, and places with the same rights share it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kernel.models.model import is_this_machine
from kernel.paths import short
from permissions.model import Action, Right

NAMED = 50
"""So many files are named on one line, and of more at least one for each folder; of the others, the number."""

NAMED_OF_STRANGERS = 500
"""So many of a skill that does not come with Steward: what it asks for stands nowhere else."""

_DEEDS: Mapping[str, Mapping[Action, tuple[str, str]]] = {
    "en": {
        Action.FS_READ: ("read", "read everything"),
        Action.FS_CREATE: ("create", "create files"),
        Action.FS_WRITE: ("change", "change files"),
        Action.FS_DELETE: ("remove", "remove files"),
        Action.NET_CONNECT: ("connect to", "connect to"),
        Action.SKILL_CALL: ("call", "call"),
        Action.DEVICE_USE: ("use the device", "use the device"),
        Action.GRAPH_READ: ("read what is known about", "read what is known about"),
        Action.GRAPH_WRITE: ("remember something about", "remember something about"),
        Action.SECRET_USE: ("use the secret", "use the secret"),
        Action.SECRET_REVEAL: ("see the secret", "see the secret"),
        Action.MICROPHONE_LISTEN: ("listen to the microphone", "listen to the microphone"),
        Action.SYSTEM_READ: ("look up about this computer:", "look up about this computer:"),
        Action.SYSTEM_STOP: ("end the program", "end the program"),
        Action.DESKTOP_OPEN: ("open on your screen", "open on your screen"),
        Action.DESKTOP_USE: ("use of your desktop:", "use of your desktop:"),
        Action.MODEL_SEE: ("let a model see", "let a model see"),
    },
    "de": {
        Action.FS_READ: ("lesen", "alles lesen"),
        Action.FS_CREATE: ("anlegen", "Dateien anlegen"),
        Action.FS_WRITE: ("ändern", "Dateien ändern"),
        Action.FS_DELETE: ("entfernen", "Dateien entfernen"),
        Action.NET_CONNECT: ("Verbindung aufnehmen mit", "Verbindung aufnehmen mit"),
        Action.SKILL_CALL: ("das Werkzeug benutzen", "das Werkzeug benutzen"),
        Action.DEVICE_USE: ("das Gerät benutzen", "das Gerät benutzen"),
        Action.GRAPH_READ: ("lesen, was bekannt ist über", "lesen, was bekannt ist über"),
        Action.GRAPH_WRITE: ("sich etwas merken über", "sich etwas merken über"),
        Action.SECRET_USE: ("das Geheimnis benutzen", "das Geheimnis benutzen"),
        Action.SECRET_REVEAL: ("das Geheimnis sehen", "das Geheimnis sehen"),
        Action.MICROPHONE_LISTEN: ("dem Mikrofon zuhören", "dem Mikrofon zuhören"),
        Action.SYSTEM_READ: ("über diesen Rechner nachsehen:", "über diesen Rechner nachsehen:"),
        Action.SYSTEM_STOP: ("das Programm beenden", "das Programm beenden"),
        Action.DESKTOP_OPEN: ("auf deinem Bildschirm öffnen", "auf deinem Bildschirm öffnen"),
        Action.DESKTOP_USE: ("vom Desktop benutzen:", "vom Desktop benutzen:"),
        Action.MODEL_SEE: ("einem Modell zeigen:", "einem Modell zeigen:"),
    },
}
_FRAMES: Mapping[str, Mapping[str, str]] = {
    "en": {"one": "{deeds} {places}", "tree": "{deeds} in {places}", "to": "{deeds} {places}", "and": "and",
           "more": "{count} more"},
    "de": {"one": "{places} {deeds}", "tree": "in {places} {deeds}", "to": "{deeds} {places}", "and": "und",
           "more": "{count} weitere"},
}  # fmt: skip
_SEEN: Mapping[str, Mapping[str, str]] = {
    "en": {"facts": "what is known about you", "files": "words of your files", "results": "what tools have found",
           "*": "what is known about you, words of your files and what tools have found", "at": "{what}, at {host}",
           "here": "{what}, at {host} (it stays on this machine)"},
    "de": {"facts": "was über dich bekannt ist", "files": "Worte aus deinen Dateien",
           "results": "was Werkzeuge gefunden haben",
           "*": "was über dich bekannt ist, Worte aus deinen Dateien und was Werkzeuge gefunden haben",
           "at": "{what}, bei {host}", "here": "{what}, bei {host} (es bleibt auf diesem Rechner)"},
}  # fmt: skip
_NO_PLACE = frozenset(action for action in Action if not action.startswith("fs."))


def right_words(right: Right, home: str, language: str) -> str:
    """Say one right: ``read everything in ~/Downloads``."""
    return _words([right.action], [_place(right.action, right.scope, home, language)], right.tree, language)


def _place(action: Action, scope: str, home: str, language: str) -> str:
    """Say what a right is about; of a model, what it sees and where that goes."""
    seen, at, host = scope.rpartition("@")
    words = _SEEN.get(language, _SEEN["en"])
    if action is not Action.MODEL_SEE or not at or seen not in words:
        return short(scope, home)
    where = "here" if is_this_machine(host.rpartition(":")[0]) else "at"
    return words[where].format(what=words[seen], host=host)


def deed_words(action: Action, place: str, language: str) -> str:
    """Say what a right allows to do with ``place``: ``remove 3 files in ~/Downloads``."""
    return _words([action], [place], False, language)


def right_lines(
    held: Iterable[tuple[str, Right, str, str]], home: str, language: str, strangers: Container[str] = ()
) -> list[dict[str, Any]]:
    """Return the lines of a card for ``held``: the skill, a right of it, the verdict and the reason of each.

    ``strangers`` are the skills that do not come with Steward. Folders, hosts and tools are named, every one. A line
    has ``skill``, ``verdict``, ``words``, ``reasons`` and ``places``, the number of places it speaks of.
    """
    deeds: dict[tuple[str, str, str, bool], dict[Action, list[str]]] = {}
    for skill, right, verdict, reason in held:
        place = deeds.setdefault((skill, verdict, right.scope, right.tree), {})
        place.setdefault(right.action, []).append(reason)
    lines: dict[tuple[Any, ...], list[str]] = {}
    for (skill, verdict, scope, tree), found in deeds.items():
        reasons = tuple(dict.fromkeys(reason for each in found.values() for reason in each if reason))
        lines.setdefault((skill, verdict, tree, tuple(found), reasons), []).append(
            _place(next(iter(found)), scope, home, language)
        )
    return [
        {"skill": skill, "verdict": verdict,
         "words": _words(actions, places, tree, language, NAMED_OF_STRANGERS if skill in strangers else NAMED),
         "reasons": list(reasons), "places": len(places)}
        for (skill, verdict, tree, actions, reasons), places in lines.items()
    ]  # fmt: skip


def _words(actions: Sequence[Action], places: Sequence[str], tree: bool, language: str, most: int = NAMED) -> str:
    frame, deeds = _FRAMES.get(language, _FRAMES["en"]), _DEEDS.get(language, _DEEDS["en"])
    way = "to" if actions[0] in _NO_PLACE else "tree" if tree else "one"
    named = list(_named(places, most)) if way == "one" else list(places)
    if len(named) < len(places):
        named.append(frame["more"].format(count=len(places) - len(named)))
    done = [deeds[action][tree] for action in actions]
    return frame[way].format(deeds=_joined(done, frame["and"]), places=_joined(named, frame["and"]))


def _named(places: Sequence[str], most: int) -> Iterator[str]:
    """Yield the first files, and of the others those of folders of which none was named."""
    folders = set[str]()
    for number, place in enumerate(places):
        folder = place.rpartition("/")[0]
        if number < most or folder not in folders:
            yield place
        folders.add(folder)


def _joined(words: Sequence[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
