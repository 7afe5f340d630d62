"""Errors of the graph, sorted by what the caller does next.

StoreError
└── GraphError
    ├── BadInput      fix the input: nothing was written   (every other ``graph.*``)
    └── GraphFailed   try again: the graph is built anew   (``graph.damaged``, ``graph.closed``)
"""

from __future__ import annotations

import unicodedata

from memory.errors import StoreError

MAX_SHOWN = 60


class GraphError(StoreError):
    """Root of the graph's errors. ``de`` and ``de_hint`` say message and hint in German."""

    def __init__(self, code: str, *, subject: str = "", detail: str = "") -> None:
        words = [text.format(shown(subject), shown(detail)) for text in _WORDS[code]]
        super().__init__(code, words[0], subject=subject, hint=words[1])
        self.de, self.de_hint = words[2], words[3]


class BadInput(GraphError):
    """What was asked for cannot be written down or does not exist; nothing was changed."""


class GraphFailed(GraphError):
    """The graph's own files failed; what it holds is in the ledger."""

    retryable = True


def shown(text: str) -> str:
    """``text`` on one line, cut, with every character that does not show as an escape; for messages only."""
    cut = text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"
    return "".join(_visible(character) for character in cut)


def _visible(character: str) -> str:
    hidden = unicodedata.category(character)[0] in "CZ" and character != " "
    return character.encode("unicode_escape").decode() if hidden or character == "\\" else character


_WORDS = {
    "graph.unknown_entity": (
        "Nobody and nothing is called {0} in the graph.", "Look for it by its name, or make it first.",
        "Im Graphen heißt niemand und nichts {0}.", "Suche es mit seinem Namen, oder lege es zuerst an.",
    ),
    "graph.unknown_fact": (
        "There is no fact {0} that still counts.", "Look at the facts; it may have been taken back or forgotten.",
        "Es gibt keine Aussage {0}, die noch gilt.",
        "Sieh die Aussagen an; sie kann zurückgenommen oder vergessen sein.",
    ),
    "graph.unknown_predicate": (
        "The relation {0} has not been declared.", "Declare it first, with its kind and whether it has one value.",
        "Die Beziehung {0} ist nicht erklärt.", "Erkläre sie zuerst: ihre Art und ob sie nur einen Wert hat.",
    ),
    "graph.predicate_differs": (
        "The relation {0} is already declared in another way.", "Use another name for yours.",
        "Die Beziehung {0} ist schon anders erklärt.", "Gib deiner einen anderen Namen.",
    ),
    "graph.predicate_form": (
        "The relation {0} cannot be declared so: {1}.", "Correct the declaration.",
        "Die Beziehung {0} lässt sich so nicht erklären: {1}.", "Berichtige die Erklärung.",
    ),
    "graph.object": (
        "{0} is not a value of this relation: {1}.", "Give it a value of the kind that the relation declares.",
        "{0} ist kein Wert dieser Beziehung: {1}.", "Gib ihr einen Wert der erklärten Art.",
    ),
    "graph.text": (
        "A name or text cannot be kept: {1}.", "Shorten or correct it; long texts belong in a file.",
        "Ein Name oder Text lässt sich nicht behalten: {1}.",
        "Kürze oder berichtige ihn; lange Texte gehören in eine Datei.",
    ),
    "graph.time": (
        "A time cannot be kept: {1}.", "Give the beginning before the end, between the years 1678 and 2262.",
        "Eine Zeit lässt sich nicht behalten: {1}.",
        "Gib den Anfang vor dem Ende an, zwischen den Jahren 1678 und 2262.",
    ),
    "graph.confidence": (
        "A confidence of {0} is not between 0 and 1.", "Give a number from 0 to 1.",
        "Eine Gewissheit von {0} liegt nicht zwischen 0 und 1.", "Gib eine Zahl von 0 bis 1 an.",
    ),
    "graph.echo": (
        "{0} was answered by memory itself; nothing is learnt from that.", "Name the source that memory had it from.",
        "{0} hat das Gedächtnis selbst geantwortet; daraus wird nichts gelernt.",
        "Nenne die Quelle, aus der das Gedächtnis es hatte.",
    ),
    "graph.source": (
        "Event {0} is not in the ledger.", "Name the event that the fact was read from.",
        "Ereignis {0} steht nicht im Protokoll.", "Nenne das Ereignis, aus dem die Aussage stammt.",
    ),
    "graph.same": (
        "{0} and {1} are one already.", "Nothing needs to be done.",
        "{0} und {1} sind schon eins.", "Es ist nichts zu tun.",
    ),
    "graph.not_same": (
        "{0} and {1} were not joined directly.", "Split one of the pairs that were joined.",
        "{0} und {1} wurden nicht unmittelbar verbunden.", "Trenne eines der Paare, die verbunden wurden.",
    ),
    "graph.line": (
        "Line {0} cannot be read: {1}.", "Correct the line; nothing was taken over.",
        "Zeile {0} ist nicht lesbar: {1}.", "Berichtige die Zeile; es wurde nichts übernommen.",
    ),
    "graph.only_read": (
        "This reader may look things up in the graph and do nothing else.", "Ask the person.",
        "Dieser Leser darf im Graphen nachsehen, sonst nichts.", "Frag die Person.",
    ),
    "graph.damaged": (
        "The graph's file {0} is damaged: {1}.", "Try again: it is built anew from the ledger.",
        "Die Datei des Graphen {0} ist beschädigt: {1}.",
        "Versuche es noch einmal: sie wird aus dem Protokoll neu gebaut.",
    ),
    "graph.closed": (
        "The graph is closed.", "Open it again; nothing was written.",
        "Der Graph ist geschlossen.", "Öffne ihn wieder; es wurde nichts geschrieben.",
    ),
}  # fmt: skip
"""Message, hint, and both in German; {0} is the subject, {1} a detail."""
