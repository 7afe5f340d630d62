"""Finding a labelled value in the lines of a document: beside its label, in the next cell, or below it.

A total is looked for under its unmistakable names first ("grand total", "Gesamtbetrag"), then under "total", then under
"amount due"; lines about subtotals, taxes, discounts and shipping never count as totals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from . import amounts
from .amounts import Money


@dataclass(frozen=True, slots=True)
class Found:
    """A value with its place: page and line count from 1."""

    text: str
    page: int
    line: int
    excerpt: str
    money: Money | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line: its cells are what wide gaps or tabs divide."""

    page: int
    number: int
    text: str

    @property
    def cells(self) -> list[tuple[int, str]]:
        """The cells with the column they begin at."""
        return [(match.start(), match.group().strip()) for match in re.finditer(r"\S+(?: \S+)*", self.text)]


@dataclass(frozen=True, slots=True)
class Sort:
    """A kind of value: what it is called (patterns by tier, best first) and how it is read."""

    kind: str  # "money", "date", "code", "iban" or "text"
    tiers: tuple[str, ...]
    names: str  # how a person asks for it


_NOT_TOTAL = re.compile(
    r"sub[\s-]?total|zwischensumme|\bnet\b|\bnett?o|\btax\b|\bvat\b|\bgst\b|mwst|\bust\b|umsatzsteuer|mehrwertsteuer|steuer"
    r"|discount|rabatt|skonto|shipping|versand|\bexcl|\bexkl|\bohne\b|saved|points|previous",
    re.I,
)
_WITH_TAX = re.compile(r"\bincl|\binkl|including|einschl|brutto|\bgross\b", re.I)

SORTS: dict[str, Sort] = {
    "total": Sort(
        "money",
        (
            r"grand\s+total|total\s+amount(?:\s+due)?|invoice\s+(?:total|amount)|total\s+(?:due|payable|to\s+pay|price)"
            r"|order\s+total"
            r"|gesamt\s?betrag|rechnungs\s?betrag|rechnungs\s?summe|end\s?betrag|gesamt\s?summe|end\s?summe|brutto\s?betrag"
            r"|gesamt\s?preis|summe\s+brutto|gesamt\s+brutto|total\s+incl[^:\d]*|gesamt\s+inkl[^:\d]*",
            r"totals?|gesamt|summe",
            r"amount\s+(?:due|payable)|balance\s+due|zahl\s?betrag|zu\s+zahlen(?:der\s+betrag)?|to\s+pay",
            r"amount|betrag|price|preis",
        ),
        r"(?:grand |invoice |order )?total(?: amount| sum| price)?|sum|amount|price|costs?|how much"
        r"|gesamt\s?(?:betrag|summe|preis)?|summe|betrag|(?:end|rechnungs)\s?(?:betrag|summe)|preis|kosten|brutto(?:betrag)?",
    ),
    "amount due": Sort(
        "money",
        (r"amount\s+(?:due|payable)|balance\s+due|total\s+due|zahl\s?betrag|zu\s+zahlen(?:der\s+betrag)?|to\s+pay",),
        r"(?:amount|balance) (?:due|payable)|zahlbetrag|zu zahlender betrag",
    ),
    "subtotal": Sort(
        "money",
        (r"sub[\s-]?total|zwischen\s?summe|net\s+(?:total|amount)|total\s+net|netto\s?(?:betrag|summe)?|summe\s+netto|net",),
        r"sub[\s-]?total|net(?: amount| total)?|netto(?:betrag)?|zwischensumme",
    ),
    "tax": Sort(
        "money",
        (r"(?:sales\s+)?tax|vat|gst|mwst|ust|umsatzsteuer|mehrwertsteuer|steuer",),
        r"(?:sales )?tax(?:es)?|vat|gst|mwst|ust|(?:umsatz|mehrwert)?steuer",
    ),
    "invoice number": Sort(
        "code",
        (
            r"invoice\s*(?:number|num|no|nr|id|#)|rechnungs?\s?-?\s?(?:nummer|nr|no)|re\.?-?nr|beleg\s?-?\s?(?:nummer|nr)"
            r"|receipt\s*(?:number|no|#)|bill\s*(?:number|no|#)|document\s*(?:number|no)",
            r"invoice|rechnung|receipt|beleg",
        ),
        r"invoice(?: number| no| nr| id)?|rechnungs?\s?-?(?:nummer|nr)|(?:receipt |bill )?number|(?:beleg)?nummer",
    ),
    "customer number": Sort(
        "code",
        (r"customer\s*(?:number|no|nr|id|#)|kunden\s?-?\s?(?:nummer|nr|no)|client\s*(?:number|no|id)|account\s*(?:number|no)",),
        r"(?:customer|client|account) (?:number|no|id)|kunden\s?-?(?:nummer|nr)",
    ),
    "order number": Sort(
        "code",
        (
            r"order\s*(?:number|no|nr|id|#)|bestell\s?-?\s?(?:nummer|nr)|auftrags\s?-?\s?(?:nummer|nr)"
            r"|purchase\s+order|po\s*(?:number|no|#)",
        ),
        r"order(?: number| no| id)?|(?:bestell|auftrags)\s?-?(?:nummer|nr)",
    ),
    "due date": Sort(
        "date",
        (
            r"due\s+date|payment\s+due|due\s+(?:on|by)|pay\s+(?:by|before)|payable\s+(?:by|until)"
            r"|fälligkeits?\s?(?:datum)?|fällig(?:\s+am|\s+bis)?|zahlbar\s+bis(?:\s+zum)?|zu\s+zahlen\s+bis"
            r"|zahlungsziel|due",
        ),
        r"due(?: date| day)?|when due|fälligkeits?(?:datum)?|fällig|zahlungsziel|deadline"
        r"|(?:by|until|till|til) when|bis wann",
    ),
    "date": Sort(
        "date",
        (
            r"(?:invoice|issue|billing|receipt|order)\s+date|date\s+of\s+(?:issue|invoice)"
            r"|(?:rechnungs|beleg|ausstellungs)\s?datum",
            r"date|dated|datum|issued(?:\s+on)?",
        ),
        r"(?:invoice |issue )?date|day|(?:rechnungs|beleg)?datum|tag",
    ),
    "end date": Sort(
        "date",
        (
            r"ends?(?:\s+on)?|ending(?:\s+on)?|expires?(?:\s+on)?|expiry\s+date|expiration\s+date|end\s+date"
            r"|valid\s+(?:until|to)|runs\s+(?:until|to)|endet(?:\s+am)?|gültig\s+bis|läuft\s+bis|befristet\s+bis"
            r"|(?:vertrags|lauf\s?zeit)?\s?ende|ablauf\s?datum|läuft\s+(?:am\s+)?ab",
        ),
        r"ends?|end(?:ing)? date|expir(?:y|es|ation)(?: date)?|endet|(?:vertrags|laufzeit)?ende|ablaufdatum|ablauf",
    ),
    "signing date": Sort(
        "date",
        (r"signed(?:\s+on)?|date\s+of\s+signature|unterschrieben(?:\s+am)?|unterzeichnet(?:\s+am)?",),
        r"signed|sign(?:ing|ature) date|date of signature|unterschrieben|unterzeichnet|unterschriftsdatum",
    ),
    "iban": Sort("iban", (r"iban",), r"iban|bank account|account|konto(?:nummer)?|bankverbindung"),
    "customer": Sort(
        "text",
        (
            r"customer|bill(?:ed)?\s+to|invoice\s+to|sold\s+to|client|kunde|kundin|rechnungsempfänger|recipient"
            r"|empfänger",
        ),
        r"customer|client|recipient|kunde|kundin|(?:rechnungs)?empfänger",
    ),
    "vendor": Sort(
        "text",
        (r"vendor|seller|supplier|merchant|issued\s+by|from|lieferant|verkäufer|händler|rechnungssteller|absender|von",),
        r"vendor|seller|supplier|merchant|issuer|company|lieferant|verkäufer|händler|firma",
    ),
}  # fmt: skip

VERBS = {"end date": "Ende", "signing date": "Unterschrift", "due date": "Fälligkeit"}
"""Sorts that are asked for by a verb ("when does it end"), with what the answer calls them in German."""


def lines_of(pages: Sequence[str]) -> list[Line]:
    """Return the printed lines of all pages that are not blank."""
    return [
        Line(page, number, text.replace("\t", "\t  ").expandtabs(8).rstrip())
        for page, whole in enumerate(pages, start=1)
        for number, text in enumerate(whole.splitlines(), start=1)
        if text.strip()
    ]


def sort_of(name: str) -> tuple[str, Sort]:
    """Return the sort of value that a person asks for; an unknown name is a label of its own."""
    asked = _bare(name)
    for known, sort in SORTS.items():
        if re.fullmatch(sort.names, asked):
            return known, sort
    words = _spaced(asked)
    of_a_day = re.fullmatch(r"(.{3,}?)[\s-]*(?:date|datum)|(?:date|datum)\s(?:of|der|des)\s(.{3,})", asked)
    if of_a_day is None:
        return asked, Sort("text", (words,), words)
    bare = _spaced(of_a_day[1] or of_a_day[2])  # "arrival date" of a line "Arrival: 20 April"
    return asked, Sort("date", (words, bare), words)


def names_in(name: str) -> tuple[str, ...]:
    """Return the values that a person asks for at once ("total and its date"), each by its name; one in most cases."""
    parts = tuple(one for one in re.split(r"\s*,\s*|\s+(?:and|und|sowie|as well as)\s+", name.strip(" ,")) if one)
    known = all(any(re.fullmatch(sort.names, _bare(one)) for sort in SORTS.values()) for one in parts)
    return parts if parts and known else (name.strip(),)


def _bare(name: str) -> str:
    """Return a name without its article, in small letters."""
    bare = re.sub(r"^(?:the|its|their|d(?:ie|er|as|en|em)|ihre?|seine?n?|dessen|deren)\s+", "", name.strip().casefold())
    return " ".join(bare.split())


def _spaced(words: str) -> str:
    """Return the pattern of words that a space, a colon or a hyphen may part."""
    return r"[\s:_-]+".join(map(re.escape, words.split()))


def find(pages: Sequence[str], known: str, sort: Sort) -> Found | None:
    """Return the value of ``sort`` in the document, or None when it is not there."""
    lines = lines_of(pages)
    whole = "\n".join(pages)
    reader = _Reader(known, sort, comma=amounts.writes_comma(whole), day_first=amounts.currency_of(whole) != "USD")
    for tier in sort.tiers:
        if found := _best(known, list(_beside(lines, tier, reader))):
            return found
    for tier in sort.tiers:
        if found := next(_below(lines, tier, reader), None):
            return found
    if sort.kind == "iban":
        return next((found for line in lines if (found := reader.read(line, line.text))), None)
    return None


def where(pages: Sequence[str], text: str) -> Found | None:
    """Return the first place at which ``text`` stands."""
    for line in lines_of(pages):
        if text in line.text:
            return Found(text, line.page, line.number, " ".join(line.text.split())[:120])
    return None


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads a value of one sort from the text behind or below a label."""

    known: str
    sort: Sort
    comma: bool
    day_first: bool

    def read(self, line: Line, text: str) -> Found | None:
        match self.sort.kind:
            case "money":
                return self._money(line, text)
            case "date":
                days = amounts.dates(text, day_first=self.day_first)
                return self._found(line, days[0][1], day=days[0][0]) if days else None
            case "code":
                code = amounts.code(text)
                return self._found(line, code) if code and not amounts.dates(text[: len(code) + 2]) else None
            case "iban":
                account = amounts.iban(text)
                return self._found(line, account) if account else None
        return self._text(line, text)

    def _money(self, line: Line, text: str) -> Found | None:
        found = amounts.moneys(text, comma=self.comma)
        strong = [money for money in found if money.strong]
        directly = found and not re.search(r"[^\W\d_]{2,}", text[: found[0].start].replace("EUR", ""))
        chosen = strong[-1] if strong else found[0] if directly else None
        return self._found(line, chosen.text, money=chosen) if chosen else None

    def _text(self, line: Line, text: str) -> Found | None:
        cell = re.split(r"\s{2,}", text.strip())[0].strip(" :–-|\t")
        if not cell or len(cell) > 200:
            return None
        found = amounts.moneys(cell, comma=self.comma)
        days = amounts.dates(cell, day_first=self.day_first)
        money = found[0] if len(found) == 1 and (found[0].strong or found[0].text == cell) else None
        return self._found(line, cell, money=money, day=days[0][0] if days else None)

    def _found(self, line: Line, text: str, *, money: Money | None = None, day: date | None = None) -> Found:
        return Found(text, line.page, line.number, " ".join(line.text.split())[:120], money, day)


def _matches(line: Line, tier: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<![\w-])(?:{tier})(?![^\W\d_])", line.text, re.I)


def _beside(lines: Sequence[Line], tier: str, reader: _Reader) -> Iterator[Found]:
    """Yield the values behind a label on its own line."""
    for line in lines:
        if reader.known == "total" and _NOT_TOTAL.search(line.text) and not _WITH_TAX.search(line.text):
            continue
        for match in _matches(line, tier):
            rest = re.sub(r"^[\s:.=#№*)(…·_|]+", "", line.text[match.end() :])
            if reader.sort.kind == "text" and not _labels(line, match):
                continue
            if rest and (found := reader.read(line, rest)):
                yield found
                break


def _labels(line: Line, match: re.Match[str]) -> bool:
    """Tell whether a word is a label with its value behind it, not running text and not the head of a column."""
    after = line.text[match.end() :]
    led = re.match(r"\s*(?::|[.…·_]{3,}|[=|])", after)  # "Rent: 850", "Rent ........ 850", "Rent = 850"
    return bool(led or (re.match(r"\s{2,}", after) and len(line.cells) < 3))


def _below(lines: Sequence[Line], tier: str, reader: _Reader) -> Iterator[Found]:
    """Yield the values that stand under a label: in the cell of the same place, or alone on the next line."""
    for at, line in enumerate(lines[:-1]):
        for match in _matches(line, tier):
            following = lines[at + 1]
            if following.page != line.page or not _heads(reader.sort, match.group(), _cell_at(line, match.start())):
                continue
            text = _under(line, match.start(), following)
            if text and (found := reader.read(following, text)):
                yield found
                break


def _heads(sort: Sort, label: str, cell: str) -> bool:
    """Tell whether a label is the head of what stands below it: most of its cell, so no word of a sentence."""
    return len(label) * 3 >= len(cell) * 2 if sort.kind == "text" else len(label) >= len(cell) // 2


def _cell_at(line: Line, column: int) -> str:
    return next((text for start, text in line.cells if start <= column < start + len(text)), "")


def _under(line: Line, column: int, following: Line) -> str:
    """Return the cell of ``following`` under the cell of ``line`` at ``column``: by count, else by place."""
    above, below = line.cells, following.cells
    if len(above) == len(below):
        place = next((at for at, (start, text) in enumerate(above) if start <= column < start + len(text)), 0)
        return below[place][1]
    return min(below, key=lambda cell: abs(cell[0] - column))[1] if below else ""


def _best(known: str, found: Sequence[Found]) -> Found | None:
    """Return the largest sum for a total (a part is never larger), else the first."""
    if not found:
        return None
    if known != "total":
        return found[0]
    return max(found, key=lambda item: item.money.amount if item.money else Decimal(0))
