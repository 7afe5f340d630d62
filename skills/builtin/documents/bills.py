"""All invoices and receipts of a folder with their totals, within a bound of time that is said when it is reached.

A document is a bill when its name says so, or when its head does and it has a number or a date beside its total. What
is a bill by its name and has no total that can be read is named in the answer, so that a sum is never silently short.
A file with the very bytes of another one counts once, so that it is not silently long either; what only looks like the
same bill counts, and is named.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from skills.sdk import Context, File, ToolError, words

from . import amounts, facts_of, reading

_NAMED = re.compile(r"invoice|receipt|(?<![a-z])bill(?![a-z])|rechnung|quittung|beleg|kassenbon", re.I)
_GENERIC = re.compile(
    r"\b(?:my|all|the|every|each|of|from|for|invoices?|bills?|receipts?|alle[rn]?|meine[rn]?|der|die|das|von|vom|für"
    r"|rechnung(?:en)?|quittung(?:en)?|belege?n?|documents?|files?)\b",
    re.I,
)
_HEAD_LINES = 15
_MOST_SECONDS = 90.0
_SPOKEN = 30
_LOOKED_AT = frozenset(reading.SUFFIXES) - {".log", ".rst"}


@dataclass(frozen=True, slots=True)
class Read:
    """One bill with its total."""

    file: File
    vendor: str | None
    number: str | None
    date: datetime.date | None
    total: Decimal
    currency: str | None


@dataclass(frozen=True, slots=True)
class Gathered:
    """The bills of a place, oldest first; the names of those without a total that can be read; whether time ran out.

    ``copies`` are files with the bytes of one of the bills, each with that one; they are not among them.
    """

    bills: tuple[Read, ...]
    without: tuple[str, ...]
    cut: bool
    place: str
    copies: tuple[tuple[File, File], ...] = ()


def gathered(ctx: Context, top: str, about: str) -> Gathered:
    """Read the bills below ``top``. Raises ToolError when there is none."""
    found: list[Read] = []
    without: list[str] = []
    wanted = words.fold(_GENERIC.sub(" ", about)).split()
    is_late, cut = ctx.patience(_MOST_SECONDS), False
    for file in ctx.scan(top, caches=False, near=True):
        if file.suffix not in _LOOKED_AT:
            continue
        if cut := is_late():
            break
        ctx.progress(None, file.name)
        named = _NAMED.search(file.name) is not None
        bill = _read(ctx, file, named=named)
        if bill and _is_about(bill, wanted):
            found.append(bill)
        elif bill is None and named and all(word in words.fold(file.name) for word in wanted):
            without.append(words.name(file.name))
    if not found:
        raise _none(ctx, top, about, without)
    found.sort(key=lambda bill: (bill.date or datetime.date.min, bill.file.path))
    bills, copies = _each_once(ctx, found)
    return Gathered(bills, tuple(without), cut, ctx.shown(top), copies)


def _each_once(ctx: Context, found: Sequence[Read]) -> tuple[tuple[Read, ...], tuple[tuple[File, File], ...]]:
    """Return the bills without those whose file has the bytes of another one, and those with that one."""
    sizes = Counter(bill.file.size_bytes for bill in found)
    first: dict[bytes, File] = {}
    copies: dict[str, File] = {}
    for bill in sorted(found, key=lambda one: (len(one.file.path), one.file.path)):  # "a (2).pdf" is the copy
        if sizes[bill.file.size_bytes] > 1:
            original = first.setdefault(hashlib.sha256(ctx.read_bytes(bill.file)).digest(), bill.file)
            if original is not bill.file:
                copies[bill.file.path] = original
    kept = tuple(bill for bill in found if bill.file.path not in copies)
    return kept, tuple((bill.file, copies[bill.file.path]) for bill in found if bill.file.path in copies)


def chosen(bills: Sequence[Read], show: str) -> tuple[Read, ...]:
    """Return the bills that are meant: all of them, or those with the highest or lowest total."""
    if show not in ("highest", "lowest"):
        return tuple(bills)
    end = (max if show == "highest" else min)(bill.total for bill in bills)
    return tuple(bill for bill in bills if bill.total == end)


def said(ctx: Context, found: Gathered, show: str, language: str) -> str:
    """Return the sentence about what was found, with what was left out."""
    german, number = language == "de", len(found.bills)
    size = words.count(number, "Rechnung", "Rechnungen") if german else words.count(number, "invoice", "invoices")
    if show in ("highest", "lowest"):
        which = {"highest": ("The highest", "Die höchste"), "lowest": ("The lowest", "Die niedrigste")}[show][german]
        lines = "; ".join(_line(ctx, bill, language) for bill in chosen(found.bills, show))
        text = (
            f"{which} von {size} in {found.place}: {lines}."
            if german
            else f"{which} of {size} in {found.place}: {lines}."
        )
    else:
        sums = _sums(found.bills, show, language)
        heads = {"average": ("come to an average of", "haben im Durchschnitt")}.get(show, ("come to", "ergeben"))
        verb = heads[1] if german else heads[0] if number > 1 else heads[0].replace("come", "comes", 1)
        text = f"{size} in {found.place} {verb} {sums}."
        if show == "each" or number <= _SPOKEN // 3:
            lines = "\n".join(f"- {_line(ctx, bill, language)}" for bill in found.bills[:_SPOKEN])
            text = f"{text}\n{lines}"
    return text + _alike(found, ctx, german=german) + _left_out(found, german=german)


def _sums(bills: Sequence[Read], show: str, language: str) -> str:
    """Return the sum (or mean) of each currency; currencies are never added up."""
    parts = []
    for currency in sorted({bill.currency or "" for bill in bills}):
        totals = [bill.total for bill in bills if (bill.currency or "") == currency]
        value = sum(totals, Decimal(0)) / (len(totals) if show == "average" else 1)
        parts.append(amounts.written(value.quantize(Decimal("0.01")), currency or None, language))
    return words.listing(parts, language)


def _line(ctx: Context, bill: Read, language: str) -> str:
    about = [bill.vendor or "", words.day(bill.date, language) if bill.date else ""]
    more = ", ".join(part for part in about if part)
    total = amounts.written(bill.total, bill.currency, language)
    return f"{ctx.shown(bill.file)}: {total}{f' ({more})' if more else ''}"


def _alike(found: Gathered, ctx: Context, *, german: bool) -> str:
    """Name the copies that did not count, and the bills that count and may be one and the same."""
    text, language = "", "de" if german else "en"
    if found.copies:
        pairs = [(ctx.shown(copy), ctx.shown(original)) for copy, original in found.copies]
        said = [f"{copy} (= {original})" for copy, original in pairs]
        listed = words.listing(said, language, most=5)
        once = "Identische Kopien, nur einmal gezählt" if german else "Counted once, as identical copies"
        text += f"\n{once}: {listed}."
    numbered: dict[tuple[str, str, Decimal], list[str]] = {}
    for bill in found.bills:
        if bill.number:
            numbered.setdefault((bill.number, bill.vendor or "", bill.total), []).append(ctx.shown(bill.file))
    for (number, _, _), files in numbered.items():
        if len(files) > 1:
            listed = words.listing(files, language, most=5)
            text += (
                f"\nMehrmals dabei, vielleicht dieselbe Rechnung ({number}): {listed}."
                if german
                else f"\nCounted more than once, maybe the same invoice ({number}): {listed}."
            )
    return text


def _left_out(found: Gathered, *, german: bool) -> str:
    text = ""
    if found.without:
        names = words.listing(found.without, "de" if german else "en", most=5)
        text += (
            f"\nOhne lesbaren Betrag, nicht dabei: {names}." if german else f"\nLeft out, no total to be read: {names}."
        )
    if found.cut:
        text += (
            "\nDie Suche endete vorzeitig; nenne einen kleineren Ordner."
            if german
            else "\nThe search ended early; name a smaller folder."
        )
    return text


def _read(ctx: Context, file: File, *, named: bool) -> Read | None:
    """Return the bill in ``file``; None when it is none, has no total, or cannot be read."""
    try:
        if not named and not facts_of.is_bill(reading.load(ctx, file), _HEAD_LINES):
            return None
        issued = facts_of.facts(reading.load(ctx, file, layout=True), bill=True)
    except ToolError:  # damaged, protected or scanned: named in the answer when its name says that it is a bill
        return None
    if issued.total is None or not (named or issued.number or issued.day):
        return None
    return Read(file, issued.vendor, issued.number, issued.day, issued.total, issued.currency)


def _is_about(bill: Read, wanted: Sequence[str]) -> bool:
    text = words.fold(f"{bill.file.name} {bill.vendor or ''} {bill.date or ''}")
    return all(word in text for word in wanted)


def _none(ctx: Context, top: str, about: str, without: Sequence[str]) -> ToolError:
    place = ctx.shown(top)
    such, solche = (f" about “{about}”", f" zu „{about}“") if about else ("", "")
    unread = f" These have no total that I can read: {words.listing(without, most=5)}." if without else ""
    ungelesen = f" Ohne lesbaren Betrag: {words.listing(without, 'de', most=5)}." if without else ""
    return ToolError(
        f"I found no invoices with a total{such} in {place}.{unread}",
        hint="Name another folder.",
        code="documents.no-bills",
        de=f"In {place} habe ich keine Rechnungen mit einem Betrag{solche} gefunden.{ungelesen}",
        de_hint="Nenne einen anderen Ordner.",
    )
