"""Finding the column that a person means: as written, without case and marks, in part, misspelled or translated."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from skills.sdk import ToolError
from skills.sdk.words import fold, listing

MEANINGS: dict[str, frozenset[str]] = {
    meaning: frozenset(words.split())
    for meaning, words in {
        "amount": "amount total sum price cost costs value paid spent gross net expense charge fee "
        "betrag summe preis kosten gesamt gesamtbetrag endbetrag brutto netto ausgabe ausgaben wert",
        "date": "date day datum tag when wann booked buchungstag rechnungsdatum invoicedate",
        "vendor": "vendor supplier shop store merchant payee company seller recipient "
        "lieferant händler anbieter firma laden geschäft empfänger verkäufer",
        "description": "description item name title what text note notes details comment article entry purpose "
        "beschreibung bezeichnung artikel titel notiz bemerkung posten zweck verwendungszweck eintrag was",
        "file": "file filename source document doc receipt path datei dateiname quelle dokument beleg pfad",
        "currency": "currency währung",
        "number": "number no nr nummer invoicenumber invoiceno rechnungsnummer reference referenz belegnummer",
    }.items()
}
"""What a column's name says about its values, in English and German."""

_TRANSLATED = (
    "amount betrag", "price preis", "cost kosten", "total sum gesamt summe", "date datum", "category kategorie",
    "city stadt ort", "country land", "customer kunde", "product produkt", "quantity menge anzahl", "revenue umsatz",
    "month monat", "year jahr", "day tag", "age alter", "region region", "status status", "salary gehalt",
    "department abteilung", "street straße", "description beschreibung", "supplier lieferant", "temperature temperatur",
    "height größe höhe", "shop laden geschäft", "weight gewicht", "item artikel", "stock bestand", "team mannschaft",
)  # fmt: skip
_MONEY = frozenset(
    "spending spendings expense expenses cost costs price revenue turnover sales income earnings takings money "
    "ausgabe ausgaben kosten preis umsatz umsätze einnahme einnahmen erlös geld".split()
)
_AMOUNTS = frozenset("amount total sum value betrag summe wert gesamt gesamtbetrag".split())
"""What a column of money is called in a table that is all about spending, or all about sales."""
_CLOSE = 86.0  # rapidfuzz ratio in 0..100 above which a misspelled name is meant


def plain(name: str) -> str:
    """Return ``name`` in lower case, composed, with everything but letters and digits as single spaces."""
    folded = unicodedata.normalize("NFC", name).casefold()
    return " ".join(re.sub(r"[^\w]+|_", " ", re.sub(r"(?<=[a-zß-ÿ])(?=[A-Z])", " ", folded)).split())


def stems(name: str) -> frozenset[str]:
    """Return the words of ``name`` without plural endings; "Gehälter" and "Gehalt" have one stem."""
    folded = plain(name).translate(str.maketrans("äöü", "aou"))
    return frozenset(re.sub(r"(?<=\w{3})(?:ern|er|en|es|s|n|e)$", "", word) for word in folded.split())


def meaning(name: str) -> str:
    """Return what a column's name says about its values ("amount", "date" ...), or "" when it says nothing known."""
    words = [plain(name).replace(" ", ""), *plain(name).split()]
    return next((kind for word in words for kind, known in MEANINGS.items() if word in known), "")


def find(wanted: str, names: Sequence[str]) -> int:
    """Return the position of the column that ``wanted`` means. Raises ToolError when none or several may be meant."""
    for candidates in _ladder(wanted, names):
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            chosen = [names[at] for at in candidates]
            raise ToolError(
                f"“{wanted}” may mean several columns: {listing(chosen)}.",
                hint="Name one of them in full.",
                code="data.ambiguous-column",
                instead_of=wanted,
                choices=chosen,
                de=f"„{wanted}“ kann mehrere Spalten meinen: {listing(chosen, 'de')}.",
                de_hint="Nenne eine davon mit vollem Namen.",
            )
    raise ToolError(
        f"There is no column “{wanted}”; the columns are {listing(names, most=40)}.",
        hint="Use one of these names.",
        code="data.no-column",
        instead_of=wanted,
        choices=[name for name in names if name.strip()],
        de=f"Es gibt keine Spalte „{wanted}“; die Spalten sind {listing(names, 'de', most=40)}.",
        de_hint="Nimm einen dieser Namen.",
    )


def means_any(wanted: str, names: Sequence[str]) -> bool:
    """Tell whether ``wanted`` means one of the columns, or may mean several."""
    return any(_ladder(wanted, names))


def ordered(column: str, order: str | None) -> tuple[str, str | None]:
    """Return the column without a word of order behind it ("salary descending"), and the order that it says."""
    match = re.fullmatch(r"(.+?)\s+(?:(asc\w*|aufsteigend\w*)|(desc\w*|absteigend\w*))", column.strip(), re.I)
    if match is None or order is not None:
        return column, order
    return match[1], "ascending" if match[2] else "descending"


def _ladder(wanted: str, names: Sequence[str]) -> list[list[int]]:
    """Return the candidates of each reading, the strictest first."""
    from rapidfuzz import fuzz

    bare, words = (
        plain(re.sub(r"^(?:the|die|der|das)\s+|\s+(?:column|spalte)$", "", wanted.strip(), flags=re.I)),
        stems(wanted),
    )
    every = range(len(names))
    near = [(fuzz.ratio(bare, plain(names[at])), at) for at in every]
    best = max(near, default=(0.0, 0))[0]
    return [
        [at for at in every if names[at].strip() == wanted.strip()],
        [at for at in every if plain(names[at]) == bare],
        [at for at in every if fold(names[at]) == fold(bare)],
        [at for at in every if stems(names[at]) == words],
        [at for at in every if words and (words < stems(names[at]) or stems(names[at]) < words)],
        [at for score, at in near if score >= max(_CLOSE, best)],
        [
            at
            for at in every
            if any({*words} & stems(group) and stems(names[at]) & stems(group) for group in _TRANSLATED)
        ],
        [at for at in every if bare in _MONEY and plain(names[at]) in _AMOUNTS],
    ]
