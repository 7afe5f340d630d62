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
_ENTIRE = frozenset(
    "whole entire full complete final overall grand resulting exact ganze ganzen komplette kompletten vollständige "
    "vollständigen fertige fertigen genaue genauen".split()
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
    "größe": ("size", "total_bytes"),
    "größen": ("size",),
    "uhrzeit": ("time", "start"),
    "time": ("time", "start"),
    "telefonnummer": ("phone",),
    "wochentag": ("weekday",),
    "pfad": ("path",),
}


def means_an_outcome(norms: Sequence[str]) -> bool:
    """Tell whether the words are an article and such a noun, and nothing else but "whole" or "final"."""
    if len(norms) < 2 or norms[0] not in _DEFINITE:
        return False
    *between, noun = norms[1:]
    return is_outcome(noun) and all(one in _ENTIRE for one in between)


def is_outcome(noun: str) -> bool:
    """Tell whether the noun means a result of some kind."""
    return noun in FIGURES | LISTS | NAMES | DAYS | _OTHERS


def fields_called(noun: str) -> Sequence[str]:
    """Return the fields that a noun may mean which is not what they are called: "place" for "the location"."""
    return _FIELDS.get(noun, ())
