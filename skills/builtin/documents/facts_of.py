"""What is certain about a document: who issued it, its number, date and total; and what to say when a value is not."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from skills.sdk import Context, File, ToolError, words

from . import amounts, centrality, labels, prose
from .reading import Document

_COMPANY = re.compile(
    r"\b(?:GmbH(?:\s*&\s*Co\.?\s*KG)?|AG|KG|OHG|UG|e\.\s?K\.|e\.\s?V\.|SE|Ltd\.?|Limited|LLC|LLP|Inc\.?|Corp\.?|Corporation"
    r"|PLC|S\.?A\.?R\.?L\.?|S\.A\.|B\.V\.|N\.V\.|S\.p\.A\.|S\.r\.l\.)(?![\w])"
)
_BILL = re.compile(r"\b(?:invoice|receipt|bill|rechnung|quittung|beleg|kassenbon)", re.I)
_CUSTOMER = re.compile(r"\b(?:bill(?:ed)?\s+to|customer|ship\s+to|sold\s+to|kunde|empfänger|an:)", re.I)
_QUOTED = 200  # characters of a sentence in an answer
_HEADLINE = 15  # lines in which the issuer stands


@dataclass(frozen=True, slots=True)
class Issued:
    """What is certain about a document as a paper; None where it is not."""

    day: datetime.date | None
    language: str | None
    vendor: str | None
    number: str | None
    total: Decimal | None
    currency: str | None


def facts(document: Document, *, bill: bool = False) -> Issued:
    """Return what a document says about itself in print; ``bill``: its name says already that it is one."""
    printed = document.printed
    whole = document.text
    day = _value(printed, "date")
    language = document.language or centrality.language_of(whole)
    currency = amounts.currency_of(whole)
    if not bill and not _BILL.search(whole):
        return Issued(day.day if day else None, language, None, None, None, currency)
    number, total = _value(printed, "invoice number"), _value(printed, "total")
    money = total.money if total else None
    return Issued(
        day.day if day else None,
        language,
        _vendor(printed),
        number.text if number else None,
        money.amount if money else None,
        (money.currency if money else None) or currency,
    )


def is_company(name: str) -> bool:
    """Tell whether a name has the legal form of a company."""
    return bool(_COMPANY.search(name))


def is_bill(document: Document, lines: int) -> bool:
    """Tell whether the first lines of a document say that it is an invoice or a receipt."""
    return any(_BILL.search(line.text) for line in labels.lines_of(document.pages[:1])[:lines])


def named(found: Any, language: str) -> list[tuple[str, str]]:
    """Return the facts that are known, with their names, in the order of their fields."""
    german = {
        "title": "Titel", "author": "Autor", "date": "Datum", "language": "Sprache", "pages": "Seiten",
        "words": "Wörter", "vendor": "Aussteller", "number": "Nummer", "total": "Gesamtbetrag",
    }  # fmt: skip
    rows = []
    for name, label in german.items():
        told = getattr(found, name)
        if told is None:
            continue
        if isinstance(told, datetime.date):
            told = words.day(told, language)
        if name == "total":
            told = amounts.written(Decimal(str(told)), found.currency, language)
        rows.append((label if language == "de" else name, str(told)))
    return rows


def absent(ctx: Context, file: File, asked: str, document: Document) -> ToolError:
    """Return the error of a value that is not in a document, with what there is instead."""
    others = [name for name in ("total", "invoice number", "date", "due date", "iban", "customer") if name != asked]
    there = [name for name in others if _value(document.printed, name)]
    sentence = prose.nearest(document.pages, asked)
    near = nah = ""
    if sentence:
        quoted = sentence.text if len(sentence.text) <= _QUOTED else f"{sentence.text[:_QUOTED].rstrip()}…"
        near = f" The nearest that mentions it is on page {sentence.page}: “{quoted}”"
        nah = f" Am nächsten kommt auf Seite {sentence.page}: „{quoted}“"
    read, lies = "Read its text to see what it says.", "Lies den Text, um zu sehen, was darin steht."
    return ToolError(
        f"I did not find a line that states “{asked}” in {ctx.shown(file)}.{near}",
        hint=f"It does have: {words.listing(there)}." if there else read,
        code="documents.no-value",
        de=f"In {ctx.shown(file)} habe ich keine Zeile gefunden, die „{asked}“ angibt.{nah}",
        de_hint=f"Vorhanden ist: {words.listing(there, 'de')}." if there else lies,
    )


def _value(pages: Sequence[str], name: str) -> labels.Found | None:
    return labels.find(pages, name, labels.SORTS[name])


def _vendor(pages: Sequence[str]) -> str | None:
    """Return who issued a bill: the labelled name, else a company by its legal form at the top, not the customer."""
    if found := _value(pages, "vendor"):
        return found.text
    lines = labels.lines_of(pages[:1])[:_HEADLINE]
    customer = False
    for line in lines:
        customer = customer or bool(_CUSTOMER.search(line.text))
        for _, cell in line.cells:
            if _COMPANY.search(cell) and not customer:
                return re.split(r"\s*[·|•,–]\s*", cell)[0].strip()
    return _letterhead(lines)


def _letterhead(lines: Sequence[labels.Line]) -> str | None:
    """Return the first line of the page when it can only be a name: a few capitalised words and nothing else."""
    first = lines[0].cells[0][1] if lines else ""
    name = re.fullmatch(r"[A-ZÄÖÜ][\w&'’.-]*(?: (?:[A-ZÄÖÜ&][\w&'’.-]*|of|and|und|the|der|für|for)){0,4}", first)
    if name is None or _BILL.search(first) or re.search(r"\d", first):
        return None
    return first
