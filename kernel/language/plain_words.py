"""German words of everyday use with the English ones that descriptions of programs use for the same.

What this stops: that a German request fails over "list", "read" or "last" where a tool's own words are English only.
What it does not: translate. Words of a subject are no concern of this file, and a tool with German examples needs none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_SAME: Mapping[str, str] = {
    "zeigen anzeigen zeig zeige": "show", "auflisten listen liste aufzulisten": "list", "suchen suche such": "search",
    "finden finde": "find", "lesen lies lese": "read", "schreiben schreib schreibe": "write",
    "erstellen erstelle anlegen lege leg": "create", "löschen lösche entfernen entferne": "delete",
    "öffnen öffne": "open", "verschieben verschiebe": "move", "kopieren kopiere": "copy",
    "umbenennen benenne": "rename", "ändern ändere": "change", "hinzufügen füge": "add",
    "umrechnen rechne umwandeln konvertieren konvertiere wandle": "convert", "abrufen holen hole hol": "get",
    "starten starte": "start", "senden sende schicken schicke": "send", "prüfen prüfe": "check",
    "aktuell aktuelle aktuellen aktueller aktuelles": "current", "letzte letzten letzter letztes": "last",
    "erste ersten erster erstes": "first", "neue neuen neuer neues": "new", "ganze ganzen gesamte gesamten": "entire",
    "zeit uhrzeit": "time", "datei dateien": "file", "verzeichnis verzeichnisse ordner": "directory",
    "nachricht": "message", "größe größen": "size", "inhalt inhalte": "content", "zeile zeilen": "line",
    "zahl zahlen nummer": "number", "summe": "sum", "änderung änderungen": "change",
    "schritt schritten schritte": "step",
    "name namen": "name", "bild": "image", "sekunden sekunde": "second", "minuten minute": "minute",
}  # fmt: skip
_MEANING = {word: meaning for words, meaning in _SAME.items() for word in words.split()}
_WITH_ZU = re.compile(r"^(ab|an|auf|aus|ein|hinzu|um|ver)zu(\w+)$")


_GERMAN = {
    meaning: frozenset(word for words, one in _SAME.items() if one == meaning for word in words.split())
    for meaning in _SAME.values()
}


def in_german(word: str) -> frozenset[str]:
    """Return the plain German words for an English one."""
    return _GERMAN.get(word, frozenset())


@lru_cache(maxsize=4_000)
def in_english(word: str) -> str:
    """Return the plain English word for a German one, "" where this file has none."""
    return _MEANING.get(word) or _MEANING.get(_WITH_ZU.sub(r"\1\2", word), "")
