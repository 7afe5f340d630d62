"""The sentences and tables in which files are told to a person, in English and German."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skills.sdk import Context, File, Folder, Passed, words

from . import kinds
from .copies import Twice
from .wanted import Wanted
from .whole import Extent

_SPOKEN = 20  # so many files are named in the sentence; the table has more
_ROWS = 200
MOST_COUNTED = 2_000
_NAMED = 5  # so many copies are named


_HEADS = {
    "name": "Name",
    "folder": "Ordner",
    "size": "Größe",
    "modified": "geändert",
    "kind": "Art",
    "files": "Dateien",
    "copy": "Kopie",
    "original": "Original",
}


def _heads(ctx: Context, *names: str) -> tuple[str, ...]:
    """Return the heads of a table in the language of the request."""
    return tuple(_HEADS[name] if ctx.language == "de" else name for name in names)


def row(ctx: Context, file: File) -> tuple[str, str, str | None]:
    """Return the name, size and day of a file as cells of a table."""
    return (
        words.name(file.name),
        words.size(file.size_bytes, ctx.language),
        f"{file.modified:%Y-%m-%d}" if file.modified else None,
    )


def named(ctx: Context, files: Sequence[File], language: str) -> str:
    """Return the files as part of a sentence."""
    return words.listing([ctx.shown(file) for file in files], language, most=_SPOKEN)


def _details(ctx: Context, files: Sequence[File], top: Folder, language: str) -> str:
    home = ctx.path(top)
    parts = []
    for file in files:
        name = words.name(file.name) if file.folder == home else ctx.shown(file)
        day = f", {words.day(file.modified.date(), language)}" if file.modified else ""
        parts.append(f"{name} ({words.size(file.size_bytes, language)}{day})")
    return words.listing(parts, language, most=_SPOKEN)


def found(ctx: Context, kept: Sequence[File], total: int, top: Folder, wanted: Wanted, order: str | None) -> None:
    """Tell which files were found, ``kept`` of ``total`` of them, what was asked for, and in which order."""
    place = ctx.shown(top)
    english, german = f"{place}{wanted.filters('en')}", f"{place}{wanted.filters('de')}"
    if not kept:
        ctx.say(
            f"I found no {wanted.noun(0, 'en')} in {english}.{wanted.inside(place, 'en')}",
            de=f"In {german} habe ich keine {wanted.noun(0, 'de')} gefunden.{wanted.inside(place, 'de')}",
        )
        return
    ctx.table(_heads(ctx, "name", "folder", "size", "modified"), [_found_row(ctx, file) for file in kept[:_ROWS]])
    details, einzeln = _details(ctx, kept, top, "en"), _details(ctx, kept, top, "de")
    if order in _ORDERED and (len(kept) < total or order in ("largest", "smallest")):
        adjective, adjektiv = _ORDERED[order]
        number, verb, ist = ("", "is", "ist") if len(kept) == 1 else (f"{len(kept)} ", "are", "sind")
        ctx.say(
            f"The {number}{adjective} {wanted.noun(len(kept), 'en')} in {english} {verb}: {details}.",
            de=f"Am {adjektiv} {ist} von {total} {wanted.noun(total, 'de')} in {german}: {einzeln}.",
        )
        return
    inside, innen = (wanted.inside(place, "en"), wanted.inside(place, "de")) if wanted.modified else ("", "")
    more, mehr = (f", showing {len(kept)}", f", hier {len(kept)}") if len(kept) < total else ("", "")
    ctx.say(
        f"I found {total} {wanted.noun(total, 'en')} in {english}{more}: {details}.{inside}",
        de=f"In {german} habe ich {total} {wanted.noun(total, 'de')} gefunden{mehr}: {einzeln}.{innen}",
    )


_ORDERED = {
    "newest": ("newest", "neuesten"),
    "oldest": ("oldest", "ältesten"),
    "largest": ("largest", "größten"),
    "smallest": ("smallest", "kleinsten"),
}


def _found_row(ctx: Context, file: File) -> tuple[str, str, str, str | None]:
    name, size, modified = row(ctx, file)
    return (name, ctx.shown(file.folder), size, modified)


def contents(ctx: Context, top: Folder, below: Sequence[Folder], files: Sequence[File]) -> None:
    """Tell which folders and files lie directly in ``top``."""
    place = ctx.shown(top)
    folders = [f"{words.name(each.name)}/" for each in below]
    names = [*folders, *(words.name(file.name) for file in files)]
    rows = [(name, None, None) for name in folders]
    ctx.table(_heads(ctx, "name", "size", "modified"), [*rows, *(row(ctx, file) for file in files)][:_ROWS])
    if not names:
        ctx.say(f"{place} is empty.", de=f"{place} ist leer.")
        return
    counts = [(len(below), "folder", "folders", "Ordner", "Ordner"), (len(files), "file", "files", "Datei", "Dateien")]
    english = " and ".join(words.count(number, one, many) for number, one, many, _, _ in counts if number)
    german = " und ".join(words.count(number, one, many) for number, _, _, one, many in counts if number)
    ctx.say(
        f"In {place} there {'is' if len(names) == 1 else 'are'} {english}: {words.listing(names)}.",
        de=f"In {place} {'liegt' if len(names) == 1 else 'liegen'} {german}: {words.listing(names, 'de')}.",
    )


def deeper(ctx: Context, count: int) -> None:
    """Tell that ``count`` files lie in the subfolders of what was listed, and how to mean these too."""
    if not count:
        return
    number, zahl = (f"{count} or more", f"{count} oder mehr") if count >= MOST_COUNTED else (str(count), str(count))
    one = count == 1
    ctx.say(
        f"{number} more {'file lies' if one else 'files lie'} deeper, in its folders; "
        f"say “with all subfolders” to include {'it' if one else 'them'}.",
        de=f"{zahl} weitere {'Datei liegt' if one else 'Dateien liegen'} tiefer, in seinen Ordnern; "
        f"mit „samt Unterordnern“ {'ist sie' if one else 'sind sie'} mitgemeint.",
    )


def usage(ctx: Context, top: Folder, sizes: Mapping[str, int], counts: Mapping[str, int], kind: str | None) -> None:
    """Tell how much space the groups of files in ``top`` take."""
    groups = sorted(sizes, key=lambda group: -sizes[group])
    rows = [(group, counts[group], words.size(sizes[group], ctx.language)) for group in groups]
    ctx.table(_heads(ctx, "kind", "files", "size"), rows)
    place, number, total = ctx.shown(top), sum(counts.values()), sum(sizes.values())
    if number == 0:
        what, was = kinds.name(kind, 2, "en"), kinds.name(kind, 2, "de")
        ctx.say(f"There are no {what} in {place}.", de=f"In {place} gibt es keine {was}.")
        return
    most, meist = "", ""
    if len(groups) > 1:
        most = f": {words.listing([f'{group} {words.size(sizes[group])} ({counts[group]})' for group in groups])}"
        parts = [f"{group} {words.size(sizes[group], 'de')} ({counts[group]})" for group in groups]
        meist = f": {words.listing(parts, 'de')}"
    english, german = f"{number} {kinds.name(kind, number, 'en')}", f"{number} {kinds.name(kind, number, 'de')}"
    ctx.say(
        f"{english} in {place} {'takes' if number == 1 else 'take'} up {words.size(total)}{most}.",
        de=f"{german} in {place} {'belegt' if number == 1 else 'belegen'} {words.size(total, 'de')}{meist}.",
    )


def twice(ctx: Context, found: Twice) -> None:
    """Tell what of the measured files is there more than once, if anything."""
    if found.names:
        number = len(found.names)
        ctx.say(
            f"{words.count(number, 'of them is', 'of them are')} only another name of the same file, counted once.",
            de=f"{words.count(number, 'davon ist', 'davon sind')} nur ein anderer Name einer Datei, einmal gezählt.",
        )
    if found.copies:
        number, size = len(found.copies), found.copied_bytes
        ctx.say(
            f"{words.count(number, 'of them is an identical copy', 'of them are identical copies')} of another one "
            f"({words.size(size)}): {words.listing([ctx.shown(file) for file in found.copies], most=_NAMED)}.",
            de=f"{words.count(number, 'davon ist eine genaue Kopie', 'davon sind genaue Kopien')} einer anderen "
            f"({words.size(size, 'de')}): "
            f"{words.listing([ctx.shown(file) for file in found.copies], 'de', most=_NAMED)}.",
        )


def duplicates(ctx: Context, top: Folder, found: Twice, kind: str | None) -> None:
    """Tell which files in ``top`` are identical copies of other ones, and of which."""
    place, copies = ctx.shown(top), found.copies
    if not copies and found.unread:
        ctx.say(
            f"Of what I compared in {place}, no {kinds.name(kind, 2, 'en')} are there twice.",
            de=f"Von dem, was ich in {place} verglichen habe, sind keine {kinds.name(kind, 2, 'de')} doppelt da.",
        )
        _unread(ctx, found)
        return
    if not copies:
        ctx.say(
            f"No {kinds.name(kind, 2, 'en')} in {place} are there twice.",
            de=f"In {place} sind keine {kinds.name(kind, 2, 'de')} doppelt da.",
        )
        return
    pairs = list(zip(copies, found.firsts, strict=True))
    rows = [(ctx.shown(copy), ctx.shown(first), words.size(copy.size_bytes, ctx.language)) for copy, first in pairs]
    ctx.table(_heads(ctx, "copy", "original", "size"), rows[:_ROWS])
    parts = [f"{ctx.shown(copy)} (like {ctx.shown(first)})" for copy, first in pairs]
    teile = [f"{ctx.shown(copy)} (wie {ctx.shown(first)})" for copy, first in pairs]
    size, one = found.copied_bytes, len(copies) == 1
    verb, ist = ("is a copy", "ist eine Kopie") if one else ("are copies", "sind Kopien")
    ctx.say(
        f"{words.count(len(copies), 'file', 'files')} in {place} {verb} of other ones, {words.size(size)} in all: "
        f"{words.listing(parts, most=_SPOKEN)}.",
        de=f"{words.count(len(copies), 'Datei', 'Dateien')} in {place} {ist} von anderen, zusammen "
        f"{words.size(size, 'de')}: {words.listing(teile, 'de', most=_SPOKEN)}.",
    )
    _unread(ctx, found)


def _unread(ctx: Context, found: Twice) -> None:
    """Tell which files were not compared, if any: they may be copies all the same."""
    if not found.unread:
        return
    files = found.unread
    was, ist = ("was", "ist") if len(files) == 1 else ("were", "sind")
    ctx.say(
        f"{words.count(len(files), 'file', 'files')} of the same size as another one {was} not compared, "
        f"being too large or not to be read: {named(ctx, files, 'en')}.",
        de=f"{words.count(len(files), 'Datei', 'Dateien')} von gleicher Größe wie eine andere {ist} nicht verglichen, "
        f"weil zu groß oder nicht lesbar: {named(ctx, files, 'de')}.",
    )


def empty(ctx: Context, top: Folder, found: Sequence[Folder]) -> None:
    """Tell which folders in ``top`` are empty."""
    place = ctx.shown(top)
    if not found:
        ctx.say(f"There are no empty folders in {place}.", de=f"In {place} gibt es keine leeren Ordner.")
        return
    names = [ctx.shown(folder) for folder in found]
    ctx.table(_heads(ctx, "folder"), [(name,) for name in names[:_ROWS]])
    ctx.say(
        f"{words.count(len(found), 'folder is', 'folders are')} empty in {place}: "
        f"{words.listing(names, most=_SPOKEN)}.",
        de=f"{words.count(len(found), 'Ordner ist', 'Ordner sind')} leer in {place}: "
        f"{words.listing(names, 'de', most=_SPOKEN)}.",
    )


def put(ctx: Context, files: Sequence[File], to: Folder, done: str, getan: str) -> None:
    """Tell that ``files`` were moved or copied into ``to``."""
    place = ctx.shown(to)
    if not files:
        ctx.say(
            f"There was nothing to be {done} to {place}.", de=f"Es gab nichts, was nach {place} {getan} werden konnte."
        )
        return
    ctx.say(
        f"I {done} {named(ctx, files, 'en')} to {place}.",
        de=f"Ich habe {named(ctx, files, 'de')} nach {place} {getan}.",
    )


def passed(ctx: Context, passed: Passed, *, hidden: bool = True) -> None:
    """Tell what was not looked at, if anything."""
    if said := passed.said(ctx.language, hidden=hidden):
        ctx.say(said, de=said)


def _folder(ctx: Context, one: Extent, language: str) -> str:
    size = words.size(one.size_bytes, language)
    if language == "de":
        return f"{ctx.shown(one.folder)} mit {words.count(one.files, 'Datei', 'Dateien')} ({size})"
    return f"{ctx.shown(one.folder)} with {words.count(one.files, 'file', 'files')} ({size})"


def folders(ctx: Context, counted: Sequence[Extent], language: str) -> str:
    """Return whole folders as part of a sentence, each with what is in it."""
    one, many = ("den Ordner", "die Ordner") if language == "de" else ("the folder", "the folders")
    parts = [_folder(ctx, extent, language) for extent in counted]
    return f"{one if len(parts) == 1 else many} {words.listing(parts, language, most=_SPOKEN)}"


def folders_put(ctx: Context, counted: Sequence[Extent], to: Folder, done: str, getan: str) -> None:
    """Tell that whole folders were moved or copied into ``to``."""
    place = ctx.shown(to)
    ctx.say(
        f"I {done} {folders(ctx, counted, 'en')} to {place}.",
        de=f"Ich habe {folders(ctx, counted, 'de')} nach {place} {getan}.",
    )


def ranked(ctx: Context, top: Folder, kept: Sequence[Extent], total: int, order: str) -> None:
    """Tell which folders in ``top`` take the most or the least space."""
    place = ctx.shown(top)
    rows = [(words.name(one.folder.name), one.files, words.size(one.size_bytes, ctx.language)) for one in kept]
    ctx.table(_heads(ctx, "folder", "files", "size"), rows)
    if not kept:
        ctx.say(f"There are no folders in {place}.", de=f"In {place} gibt es keine Ordner.")
        return
    adjective, adjektiv = _ORDERED[order]
    english, german = (
        words.listing([_folder(ctx, one, language) for one in kept], language, most=_SPOKEN)
        for language in ("en", "de")
    )
    number, verb, ist = ("", "is", "ist") if len(kept) == 1 else (f"{len(kept)} ", "are", "sind")
    ctx.say(
        f"The {number}{adjective} {'folder' if len(kept) == 1 else 'folders'} in {place} {verb}: {english}.",
        de=f"Am {adjektiv} {ist} von {words.count(total, 'Ordner', 'Ordnern')} in {place}: {german}.",
    )
