"""Text, search, summary, counts and labelled values of PDF, DOCX, HTML, Markdown and plain text documents."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from skills.sdk import Context, File, Folder, Query, Text, ToolError, words

from . import amounts, centrality, facts_of, labels, reading, searching

_SPOKEN_CHARACTERS = 20_000
_MOST_CHARACTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class Hit:
    """Where the words were found: the file, the page (from 1) and the text around them."""

    file: File
    page: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Extent:
    """How long a document is."""

    file: File
    pages: int
    words: int
    characters: int


@dataclass(frozen=True, slots=True)
class Value:
    """One labelled value of a document.

    ``value`` is the value as written; ``amount`` and ``currency`` are set when it is a sum of money or a number;
    ``date`` is the document's date, or the value itself when it is a date; ``name`` is the label as asked for;
    ``vendor`` is who issued the document, when that is certain.
    """

    value: str
    amount: float | None
    currency: str | None
    date: datetime.date | None
    name: str
    file: File
    vendor: str | None
    page: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What is certain about a document; None where it is not."""

    file: File
    title: str | None
    author: str | None
    date: datetime.date | None
    language: str | None
    pages: int
    words: int
    vendor: str | None
    number: str | None
    total: float | None
    currency: str | None


def text(ctx: Context, file: File) -> Text:
    """Read the text of a document (PDF, DOCX, HTML, Markdown or plain text).

    Args:
        file: the document to read.
    """
    document = reading.load(ctx, file)
    whole = document.text[:_MOST_CHARACTERS]
    if not whole:
        ctx.say(f"{ctx.shown(file)} has no text.", de=f"{ctx.shown(file)} enthält keinen Text.")
    elif len(whole) <= _SPOKEN_CHARACTERS:
        ctx.say(whole)
    else:
        ctx.say(
            f"{whole[:_SPOKEN_CHARACTERS]}\n… ({len(whole) - _SPOKEN_CHARACTERS} more characters)",
            de=f"{whole[:_SPOKEN_CHARACTERS]}\n… ({len(whole) - _SPOKEN_CHARACTERS} weitere Zeichen)",
        )
    _say_cut(ctx, document)
    return Text(whole)


def search(ctx: Context, words: Query, folder: Folder | None = None) -> list[Hit]:
    """Search the contents of documents for words; finds the places that contain all of them.

    Args:
        words: the words to look for inside the documents.
        folder: where to look; the whole home when absent.
    """
    top = ctx.path(folder) if folder else ctx.home
    found = searching.search(ctx, str(words), top)
    hits = [Hit(hit.file, hit.page, hit.excerpt) for hit in found.hits]
    place = ctx.shown(top)
    skipped_en = f" {found.unread} of them could not be read." if found.unread else ""
    skipped_de = f" {found.unread} davon ließen sich nicht lesen." if found.unread else ""
    if found.cut:
        skipped_en += " The search ended early; name a smaller folder to see everything."
        skipped_de += " Die Suche endete vorzeitig; nenne einen kleineren Ordner, um alles zu sehen."
    if left_out := found.passed.said(ctx.language, hidden=not hits):
        skipped_en, skipped_de = f"{skipped_en} {left_out}", f"{skipped_de} {left_out}"
    if not hits:
        ctx.say(
            f"None of the {found.documents} documents in {place} mentions “{words}”.{skipped_en}",
            de=f"Keines der {found.documents} Dokumente in {place} erwähnt „{words}“.{skipped_de}",
        )
        return hits
    files = len({hit.file.path for hit in hits})
    lines = "\n".join(searching.line(hit, ctx) for hit in found.hits[:10])
    ctx.say(
        f"{files} of {found.documents} documents in {place} mention “{words}”:{skipped_en}\n{lines}",
        de=f"{files} von {found.documents} Dokumenten in {place} erwähnen „{words}“:{skipped_de}\n{lines}",
    )
    columns = ("Datei", "Seite", "Stelle") if ctx.language == "de" else ("file", "page", "excerpt")
    ctx.table(columns, [(ctx.shown(hit.file), hit.page, hit.excerpt) for hit in hits])
    return hits


def summary(ctx: Context, file: File, sentences: int = 5) -> Text:
    """Summarise a document by its most central sentences, kept in their order.

    Args:
        file: the document to summarise.
        sentences: how many sentences to keep.
    """
    document = reading.load(ctx, file)
    chosen = centrality.central(document.text, max(1, min(sentences, 50)))
    if not chosen:
        raise ToolError(
            f"{ctx.shown(file)} has no sentences to choose from.",
            hint="Read its text instead.",
            code="documents.no-sentences",
            de=f"{ctx.shown(file)} enthält keine Sätze, aus denen sich wählen ließe.",
            de_hint="Lies stattdessen den Text.",
        )
    result = " ".join(chosen)
    ctx.say(result)
    _say_cut(ctx, document)
    return Text(result)


def pages(ctx: Context, file: File) -> Extent:
    """Count the pages and words of a document.

    Args:
        file: the document to count.
    """
    document = reading.load(ctx, file)
    whole = document.text
    extent = Extent(ctx.file(file), document.count, len(whole.split()), len(whole))
    pages_en = f"{extent.pages} page{'s' if extent.pages != 1 else ''}"
    pages_de = f"{extent.pages} Seite{'n' if extent.pages != 1 else ''}"
    name = ctx.shown(file)
    ctx.say(f"{name} has {pages_en} and {extent.words} words.", de=f"{name} hat {pages_de} und {extent.words} Wörter.")
    _say_cut(ctx, document)
    return extent


def value(ctx: Context, file: File, name: Query | None = None) -> Value:
    """Read one labelled value of a document, such as its total, invoice number, due date or IBAN.

    Args:
        file: the document to read, such as an invoice or a receipt.
        name: what the value is called; the total when absent.
    """
    document = reading.load(ctx, file, layout=True)
    asked = str(name).strip() if name else "total"
    known, sort = labels.sort_of(asked)
    found = labels.find(document.printed, known, sort) or labels.find(document.pages, known, sort)
    issued = facts_of.facts(document)
    if found is None and known == "vendor" and issued.vendor:
        found = labels.where(document.printed, issued.vendor)
    if found is None:
        raise facts_of.absent(ctx, file, asked, document)
    amount = float(found.money.amount) if found.money else None
    currency = (found.money.currency or issued.currency) if found.money else None
    shown = _shown(ctx, found, currency)
    place_en = f"page {found.page}, line {found.line}: “{found.excerpt}”"
    place_de = f"Seite {found.page}, Zeile {found.line}: „{found.excerpt}“"
    ctx.say(
        f"The {asked} in {ctx.shown(file)} is {shown} ({place_en}).",
        de=f"{asked} in {ctx.shown(file)}: {shown} ({place_de}).",
    )
    day = found.day or issued.day
    return Value(found.text, amount, currency, day, asked, ctx.file(file), issued.vendor, found.page)


def facts(ctx: Context, file: File) -> Facts:
    """List what is certain about a document: title, author, date, length, and the total of an invoice.

    Args:
        file: the document to look at.
    """
    document = reading.load(ctx, file, layout=True)
    found = facts_of.facts(document)
    result = Facts(
        ctx.file(file),
        document.title,
        document.author,
        found.day or document.created,
        found.language,
        document.count,
        len(document.text.split()),
        found.vendor,
        found.number,
        float(found.total) if found.total is not None else None,
        found.currency if found.total is not None else None,
    )
    named = facts_of.named(result, ctx.language)
    ctx.table(("Angabe", "Wert") if ctx.language == "de" else ("fact", "value"), named)
    said = "; ".join(f"{label}: {told}" for label, told in named)
    ctx.say(f"{ctx.shown(file)}: {said}.", de=f"{ctx.shown(file)}: {said}.")
    _say_cut(ctx, document)
    return result


def _say_cut(ctx: Context, document: reading.Document) -> None:
    if document.cut:
        ctx.say(document.cut[0], de=document.cut[1])


def _shown(ctx: Context, found: labels.Found, currency: str | None) -> str:
    """Return a found value as a sentence has it: money with its currency, days in words."""
    if found.money:
        return amounts.written(found.money.amount, currency, ctx.language)
    return words.day(found.day, ctx.language) if found.day else found.text
