"""Text, search, summary, counts and labelled values of PDF, DOCX, HTML, Markdown and plain text documents."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from skills.sdk import Context, File, Folder, Query, Table, Text, ToolError, words

from . import asked_of, bills, centrality, facts_of, filing, labels, metadata, reading, searching

_UNREAD = 3  # files that could not be read, named in the answer
_NAMED = 10  # files that have the words only in their name, told in the answer
_SPOKEN_CHARACTERS = 20_000
_MOST_CHARACTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class Hit:
    """Where the words were found: the file, the page (from 1) and the text around them."""

    file: File
    page: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a document says of itself, in the words of the graph."""

    subject: str
    kind: str
    names: list[str]
    predicate: str
    object: str
    object_kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Extent:
    """How long a document is."""

    file: File
    pages: int
    words: int
    characters: int
    facts: list[Fact]
    sources: list[str]


@dataclass(frozen=True, slots=True)
class Value:
    """One labelled value of a document.

    ``value`` is the value as written, or several with a semicolon between them; ``amount`` and ``currency`` are set
    when it is a sum of money or a number; ``date`` is the document's date, or the value itself when it is a date;
    ``name`` is the label as asked for; ``vendor`` is who issued the document, when that is certain.
    """

    value: str
    amount: float | None
    currency: str | None
    date: datetime.date | None
    name: str
    file: File
    vendor: str | None
    page: int
    facts: list[Fact]
    sources: list[str]


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
    created: datetime.date | None
    facts: list[Fact]
    sources: list[str]


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
    skipped_en, skipped_de = _unread(ctx, found.unread, "en"), _unread(ctx, found.unread, "de")
    if found.cut:
        skipped_en += " The search ended early; name a smaller folder to see everything."
        skipped_de += " Die Suche endete vorzeitig; nenne einen kleineren Ordner, um alles zu sehen."
    if left_out := found.passed.said(ctx.language, hidden=not hits):
        skipped_en, skipped_de = f"{skipped_en} {left_out}", f"{skipped_de} {left_out}"
    named_en, named_de = _named(ctx, found.named, "en"), _named(ctx, found.named, "de")
    if not hits:
        ctx.say(
            f"None of the {found.documents} documents in {place} mentions “{words}” in its text.{named_en}{skipped_en}",
            de=f"Keines der {found.documents} Dokumente in {place} erwähnt „{words}“ im Text.{named_de}{skipped_de}",
        )
        return hits
    if (shown := len({hit.file.path for hit in hits})) < found.mentioning:
        skipped_en = f" {shown} of the {found.mentioning} that mention it are shown.{skipped_en}"
        skipped_de = f" {shown} der {found.mentioning}, die es erwähnen, werden gezeigt.{skipped_de}"
    lines = "\n".join(searching.line(hit, ctx) for hit in found.hits[:10])
    ctx.say(
        f"{_mention(found, place, str(words), 'en')}:\n{lines}",
        de=f"{_mention(found, place, str(words), 'de')}:\n{lines}",
    )
    if skipped_en:
        ctx.say(skipped_en.strip(), de=skipped_de.strip())
    if found.named:
        ctx.say(named_en.strip(), de=named_de.strip())
    columns = ("Datei", "Seite", "Stelle") if ctx.language == "de" else ("file", "page", "excerpt")
    ctx.table(columns, [(ctx.shown(hit.file), hit.page, hit.excerpt) for hit in hits])
    return hits


def _mention(found: searching.Found, place: str, sought: str, language: str) -> str:
    files = found.mentioning
    if language == "de":
        looked = words.count(found.documents, "Dokument", "Dokumenten")
        return f"{files} von {looked} in {place} {'erwähnt' if files == 1 else 'erwähnen'} „{sought}“ im Text"
    looked, verb = words.count(found.documents, "document", "documents"), "mentions" if files == 1 else "mention"
    return f"{files} of {looked} in {place} {verb} “{sought}” in {'its' if files == 1 else 'their'} text"


def _unread(ctx: Context, files: Sequence[File], language: str) -> str:
    """Return which documents could not be read; empty without any."""
    if not files:
        return ""
    listed = words.listing([ctx.shown(file) for file in files], language, most=_UNREAD)
    if language == "de":
        was = "Ein Dokument ließ sich" if len(files) == 1 else f"{len(files)} Dokumente ließen sich"
        return f" {was} nicht lesen: {listed}."
    return f" {words.count(len(files), 'document', 'documents')} could not be read: {listed}."


def _named(ctx: Context, files: Sequence[File], language: str) -> str:
    """Return which files have the words in their name only; empty without any."""
    if not files:
        return ""
    listed = words.listing([ctx.shown(file) for file in files], language, most=_NAMED)
    if language == "de":
        return f" Nur im Namen: {listed}."
    return f" Only in the name: {listed}."


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
    own = _own(ctx, file, document)
    extent = Extent(ctx.file(file), document.count, len(whole.split()), len(whole), own, [ctx.path(file)])
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
        name: what the value is called, or what several are called ("total and date"); the total when absent.
    """
    document = reading.load(ctx, file, layout=True)
    asked = labels.names_in(str(name)) if name else ("total",)
    issued = facts_of.facts(document)
    read = [asked_of.read(ctx, file, document, issued, one) for one in asked]
    for one in read:
        asked_of.say(ctx, file, one)
    first = next((one for one in read if one.found.money), read[0])
    day = next((one.found.day for one in read if one.found.day), issued.day)
    own, place = _own(ctx, file, document), [ctx.path(file)]
    text, names = "; ".join(one.found.text for one in read), words.listing(asked, ctx.language)
    return Value(text, first.amount, first.currency, day, names, ctx.file(file), issued.vendor, first.found.page,
                 own, place)  # fmt: skip


def file_away(ctx: Context, files: list[File], to: Folder, by: Literal["date", "month", "year"]) -> list[File]:
    """Put files into the subfolder of their year, month or day: by the date that stands in them, else by their own.

    Args:
        files: what to file.
        to: the folder with the subfolders; what is missing of it is made.
        by: one subfolder for each day, month or year.
    """
    return filing.filed(ctx, files, to, by)


def totals(
    ctx: Context,
    folder: Folder | None = None,
    about: Query | None = None,
    show: Literal["sum", "each", "highest", "lowest", "average"] = "each",
) -> Table:
    """Read the totals of all invoices and receipts in a folder: each of them, their sum, the highest or the lowest.

    Args:
        folder: where the invoices are; the whole home when absent.
        about: words that stand in their names or that name who issued them; all invoices when absent.
        show: what to tell: each total, their sum, the highest, the lowest or the average.
    """
    top = ctx.path(folder) if folder else ctx.home
    found = bills.gathered(ctx, top, str(about) if about else "")
    chosen = bills.chosen(found.bills, show)
    columns = ("file", "vendor", "number", "date", "total", "currency")
    german = ("Datei", "Aussteller", "Nummer", "Datum", "Betrag", "Währung")
    rows = [(b.file.name, b.vendor, b.number, b.date and b.date.isoformat(), b.total, b.currency) for b in chosen]
    ctx.table(german if ctx.language == "de" else columns, rows)
    said = {language: bills.said(ctx, found, show, language) for language in ("en", "de")}
    ctx.say(said["en"], de=said["de"])
    return Table(columns, tuple((*row[:4], float(row[4]), row[5]) for row in rows))


def facts(ctx: Context, file: File, what: Literal["all", "author", "title", "created"] = "all") -> Facts:
    """List what is certain about a document: title, author, date, length, and the total of an invoice.

    Args:
        file: the document to look at.
        what: what is asked for; everything when absent.
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
        document.created,
        _own(ctx, file, document),
        [ctx.path(file)],
    )
    if what != "all":
        en, de = (metadata.answer(what, ctx.shown(file), document, document.created, language)
                  for language in ("en", "de"))  # fmt: skip
        ctx.say(en, de=de)
        return result
    named = facts_of.named(result, ctx.language)
    ctx.table(("Angabe", "Wert") if ctx.language == "de" else ("fact", "value"), named)
    said = "; ".join(f"{label}: {told}" for label, told in named)
    ctx.say(f"{ctx.shown(file)}: {said}.", de=f"{ctx.shown(file)}: {said}.")
    _say_cut(ctx, document)
    return result


def _own(ctx: Context, file: File, document: reading.Document) -> list[Fact]:
    """What a document says of itself, of the file by its place: a name alone may be that of two."""
    name, place = ctx.shown(file), ctx.path(file)
    alias = [ctx.file(file).name]
    return [Fact(name, "thing", alias, relation, value, of, place) for relation, value, of in metadata.told(document)]


def _say_cut(ctx: Context, document: reading.Document) -> None:
    if document.cut:
        ctx.say(document.cut[0], de=document.cut[1])
