"""Nouns by which a person means what a step came to: "the number", "die Summe", "the list", "das Datum".

With an article and nothing else said of them they mean a result, and never the words themselves: nobody wants a note
that says "the number".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

FIGURES = frozenset(
    "number numbers count counts figure figures amount amounts sum sums total totals value values average averages "
    "tally percentage zahl zahlen anzahl summe summen betrag beträge wert werte gesamtsumme endsumme gesamtbetrag "
    "endbetrag gesamtzahl durchschnitt prozentsatz".split()
)
"""They mean a number that was found, counted or worked out."""
LISTS = frozenset("list lists overview liste listen auflistung aufstellung übersicht".split())
"""They mean several things that were found, all of them."""
NAMES = frozenset("name names title titles filename filenames namen titel dateiname dateinamen".split())
DAYS = frozenset("date dates day datum tag".split())
_OTHERS = frozenset(
    "result results outcome ergebnis ergebnisse resultat location place address addresses time sender subject "
    "size sizes recipient zeit zeitpunkt empfänger ort adresse adressen uhrzeit absender betreff größe größen".split()
)
_NOUNS = FIGURES | LISTS | NAMES | DAYS | _OTHERS
_FINISHED = frozenset(
    "final overall grand resulting exact vollständige vollständigen fertige fertigen genaue genauen".split()
)
_DEFINITE = frozenset("the der die das den dem".split())

_FIELDS: Mapping[str, Sequence[str]] = {
    "number": ("count",),
    "zahl": ("count",),
    "anzahl": ("count",),
    "gesamtzahl": ("count",),
    "location": ("place", "address"),
    "ort": ("place", "address"),
    "adresse": ("address",),
    "absender": ("sender",),
    "betreff": ("subject",),
    "size": ("size", "total_bytes"),
    "größe": ("size", "total_bytes"),
    "größen": ("size",),
    "uhrzeit": ("time", "start"),
    "time": ("time", "start"),
    "telefonnummer": ("phone",),
    "wochentag": ("weekday",),
    "pfad": ("path",),
}


def means_an_outcome(norms: Sequence[str]) -> bool:
    """Tell whether the words are an article and a bare noun for a result."""
    return bool(norms) and norms[0] in _DEFINITE and is_bare(norms[1:])


def is_bare(norms: Sequence[str]) -> bool:
    """Tell whether the words are a noun for a result of some kind, and nothing else but "final" or "exact"."""
    return bool(norms) and norms[-1] in _NOUNS and _FINISHED.issuperset(norms[:-1])


def fields_called(noun: str) -> Sequence[str]:
    """Return the fields that a noun may mean which is not what they are called: "place" for "the location"."""
    return _FIELDS.get(noun, ())
