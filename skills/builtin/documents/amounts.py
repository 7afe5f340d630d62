"""Sums of money, dates, bank accounts and numbers as they are printed in documents, English and German."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from decimal import Decimal

from skills.sdk import words

_SIGNS = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "eur": "EUR", "euro": "EUR", "euros": "EUR", "usd": "USD",
    "gbp": "GBP", "chf": "CHF", "jpy": "JPY", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN", "czk": "CZK",
    "cad": "CAD", "aud": "AUD", "us$": "USD",
}  # fmt: skip
_CURRENCY = r"(?:US\$|[€$£¥]|(?:EUR|Euros?|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|CAD|AUD)(?![^\W\d_]))"
_MONEY = re.compile(
    rf"(?<![\w.,/-])(?:(?P<before>{_CURRENCY})\s?)?(?P<sign>[-−])?"
    r"(?P<number>\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)(?!\d|[.,]\d)"
    rf"(?:,[-–]{{1,2}})?\s?(?P<after>{_CURRENCY})?",
    re.IGNORECASE,
)
_MONTH = "|".join(sorted(words.MONTHS, key=len, reverse=True))
_DATES = (
    (re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"), False),
    (re.compile(r"(?<!\d)(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>(?:19|20)?\d\d)(?!\d)"), False),
    (re.compile(r"(?<!\d)(?P<d>\d{1,2})[/-](?P<m>\d{1,2})[/-](?P<y>(?:19|20)\d\d)(?!\d)"), True),
    (
        re.compile(
            rf"(?<!\d)(?P<d>\d{{1,2}})(?:\.|st|nd|rd|th)?[\s-]+(?P<n>{_MONTH})\.?,?[\s-]+(?P<y>(?:19|20)\d\d)", re.I
        ),
        False,
    ),
    (re.compile(rf"\b(?P<n>{_MONTH})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>(?:19|20)\d\d)", re.I), False),
)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]{2,4}){3,8}(?:[ \u00a0]?[A-Z0-9]{1,4})?\b")
_CODE = re.compile(r"[#№]?\s*(?P<code>(?=[\w./-]*\d)[\w][\w./-]*)")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount as printed. ``strong`` tells that decimals or a currency show it to be money."""

    amount: Decimal
    currency: str | None
    text: str
    strong: bool
    start: int


def moneys(text: str, *, comma: bool) -> list[Money]:
    """Return the amounts in a line, without percentages and dates. ``comma``: the document writes decimal commas."""
    hidden = _without_dates(text)
    found = []
    for match in _MONEY.finditer(hidden):
        if re.match(r"\s?(?:%|percent|prozent)", hidden[match.end("number") :], re.I):
            continue
        currency = match["before"] or match["after"]
        digits = match["number"]
        strong = bool(currency) or re.search(r"[.,]\d{2}$", digits) is not None
        amount = number(digits, comma=comma) * (-1 if match["sign"] else 1)
        name = _SIGNS.get(currency.casefold()) if currency else None
        found.append(Money(amount, name, match.group().strip(), strong, match.start("number")))
    return found


def number(digits: str, *, comma: bool) -> Decimal:
    """Read a printed number; a mark with three digits behind it groups, unless the other language is plain."""
    plain = re.sub(r"['\u2019\u00a0\u202f ]", "", digits)
    last = max(plain.rfind(","), plain.rfind("."))
    if last < 0:
        return Decimal(plain)
    mark = plain[last]
    other = "." if mark == "," else ","
    grouping = len(plain) - last - 1 == 3 and (plain.count(mark) > 1 or (other not in plain and comma != (mark == ",")))
    if len(plain) - last - 1 == 3 and other not in plain and not grouping:
        grouping = True  # money has no three decimals
    if grouping:
        return Decimal(plain.replace(mark, "").replace(other, "."))
    return Decimal(plain.replace(other, "").replace(mark, "."))


def writes_comma(text: str) -> bool:
    """Tell whether a document writes decimal commas, by counting what its amounts end in."""
    return len(re.findall(r"\d,\d{2}(?!\d)", text)) > len(re.findall(r"\d\.\d{2}(?![\d.])", text))


def dates(text: str, *, day_first: bool = True) -> list[tuple[datetime.date, str, int]]:
    """Return the dates in a line with their text and place, in order. ``day_first`` decides 3/4/2024."""
    found: list[tuple[datetime.date, str, int]] = []
    for pattern, slashed in _DATES:
        for match in pattern.finditer(text):
            day = _day(match, slashed=slashed, day_first=day_first)
            if day is not None and not any(start <= match.start() < start + len(said) for _, said, start in found):
                found.append((day, match.group(), match.start()))
    return sorted(found, key=lambda item: item[2])


def iban(text: str) -> str | None:
    """Return the first valid IBAN in a text (ISO 13616: country, check digits, remainder 1 modulo 97)."""
    for match in _IBAN.finditer(text.upper()):
        plain = re.sub(r"\s", "", match.group())
        for end in range(min(34, len(plain)), 14, -1):
            if _checks(plain[:end]):
                return plain[:end]
    return None


def code(text: str) -> str | None:
    """Return the first word with a digit in it, such as an invoice number."""
    match = _CODE.match(text.strip())
    return match["code"].rstrip("./-") if match else None


def written(amount: Decimal, currency: str | None, language: str) -> str:
    """Return an amount for a sentence, with two decimals unless it is whole and no money."""
    text = f"{amount:.2f}" if currency or amount != amount.to_integral_value() else f"{amount:.0f}"
    return f"{text.replace('.', ',') if language == 'de' else text} {currency or ''}".strip()


def currency_of(text: str) -> str | None:
    """Return the currency that a document names most often."""
    names = [_SIGNS.get(found.casefold()) for found in re.findall(rf"(?<![^\W\d_]){_CURRENCY}", text, re.I)]
    known = [name for name in names if name]
    return max(set(known), key=lambda name: (known.count(name), name)) if known else None


def _day(match: re.Match[str], *, slashed: bool, day_first: bool) -> datetime.date | None:
    parts = match.groupdict()
    day = int(parts["d"])
    month = words.MONTHS[parts["n"].casefold()] if parts.get("n") else int(parts["m"])
    year = int(parts["y"]) + (2000 if len(parts["y"]) == 2 else 0)
    if slashed and (month > 12 or (not day_first and day <= 12)):
        day, month = month, day
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def _without_dates(text: str) -> str:
    """Return ``text`` of the same length with its dates blanked."""
    for _, said, start in dates(text):
        text = text[:start] + "x" * len(said) + text[start + len(said) :]
    return text


def _checks(plain: str) -> bool:
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1
