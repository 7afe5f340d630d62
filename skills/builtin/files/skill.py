"""Find, list, measure, move, copy, rename, delete and sort the files of a person."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from skills.sdk import Context, File, Folder, Passed, Period, Query, Size, Title, ToolError, words

from . import choosing, copies, kinds, matching, renaming, telling, whole
from .wanted import Wanted

Kind = Literal[
    "pdf",
    "image",
    "jpeg",
    "png",
    "video",
    "audio",
    "document",
    "word",
    "spreadsheet",
    "csv",
    "presentation",
    "archive",
    "code",
    "text",
    "markdown",
    "ebook",
]
Order = Literal["newest", "oldest", "largest", "smallest", "name"]


@dataclass(frozen=True, slots=True)
class Usage:
    """How much space files take: ``count`` files with ``total_bytes`` in ``folder``."""

    total_bytes: int
    count: int
    folder: Folder


@dataclass(frozen=True, slots=True)
class Ranked:
    """A folder and how much it holds with everything below it."""

    folder: Folder
    size_bytes: int
    count: int


def find(
    ctx: Context,
    *,
    folder: Folder | None = None,
    name: Query | None = None,
    kind: Kind | None = None,
    modified: Period | None = None,
    size: Size | None = None,
    order: Order | None = None,
    count: int | None = None,
    not_kind: list[Kind] | None = None,
    not_name: Query | None = None,
) -> list[File]:
    """Find files by name, kind, date and size, in a folder and all below it.

    Args:
        folder: where to look, with everything below it; the whole home when absent.
        name: words that are in the file's name, or a pattern such as *.tmp.
        kind: what kind of file.
        modified: when the file was last changed.
        size: how large the file is.
        order: which come first.
        count: how many at most; all when absent.
        not_kind: kinds of files that are left out.
        not_name: words in the names of files that are left out.
    """
    top, passed = folder or Folder(ctx.home), Passed()
    every = ctx.scan(top, caches=False, passed=passed)
    without = tuple(not_kind or ())
    fitting = (file for file in every if choosing.fits(file, kind, modified, size))
    wanted = choosing.but_for(fitting, not_name, without)
    found = [(matching.score(name or "", file.name), file) for file in wanted]
    files = choosing.ordered(matching.best(found), order or ("name" if not name else None))
    kept = files if count is None else files[: max(count, 0)]
    telling.found(ctx, kept, len(files), top, Wanted(name, kind, modified, size, not_name, without), order)
    telling.passed(ctx, passed, hidden=not kept)
    return kept


def largest(
    ctx: Context,
    folder: Folder | None = None,
    count: int = 10,
    kind: Kind | None = None,
    order: Literal["largest", "smallest"] = "largest",
) -> list[File]:
    """Find the files that take the most (or least) space.

    Args:
        folder: where to look, with everything below it; the whole home when absent.
        count: how many to return.
        kind: what kind of file.
        order: the largest or the smallest.
    """
    top = folder or Folder(ctx.home)
    found = [(1.0, file) for file in ctx.scan(top) if choosing.fits(file, kind, None, None)]
    kept = choosing.ordered(found, order)[: max(count, 0)]
    telling.found(ctx, kept, len(found), top, Wanted(kind=kind), order)
    return kept


def contents(ctx: Context, folder: Folder | None = None) -> list[File]:
    """List what lies directly in a folder: its files and subfolders.

    Args:
        folder: which folder; the home when absent.
    """
    top, passed = folder or Folder(ctx.home), Passed()
    files = list(ctx.scan(top, recursive=False, passed=passed))
    below = list(ctx.folders(top))
    telling.contents(ctx, top, below, files)
    telling.deeper(ctx, _deeper(ctx, top) if below else 0)
    telling.passed(ctx, passed)
    return files


def usage(ctx: Context, folder: Folder | None = None, kind: Kind | None = None) -> Usage:
    """Measure how much space the files of a folder take, and which kinds of files they are.

    Args:
        folder: which folder, with everything below it; the whole home when absent.
        kind: only files of this kind.
    """
    top, passed = folder or Folder(ctx.home), Passed()
    sizes: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    measured = [file for file in ctx.scan(top, passed=passed) if kinds.matches(file.suffix, kind)]
    twice = copies.found(ctx, measured)
    again = {file.path for file in twice.names}  # another name of a file takes no space
    for file in measured:
        group = kinds.folder_for(file.suffix, ctx.language)
        sizes[group] += 0 if file.path in again else file.size_bytes
        counts[group] += 1
    telling.usage(ctx, top, sizes, counts, kind)
    telling.twice(ctx, twice)
    telling.passed(ctx, passed)
    return Usage(sum(sizes.values()), sum(counts.values()), top)


def largest_folders(
    ctx: Context,
    folder: Folder | None = None,
    count: int = 5,
    order: Literal["largest", "smallest"] = "largest",
) -> list[Ranked]:
    """Rank the folders that lie directly in a folder by the space they take with everything below them.

    Args:
        folder: whose subfolders; those of the home when absent.
        count: how many to return.
        order: the largest or the smallest first.
    """
    top, passed = folder or Folder(ctx.home), Passed()
    found = whole.ranked(ctx, top, smallest=order == "smallest", passed=passed)
    kept = found[: max(count, 0)]
    telling.ranked(ctx, top, kept, len(found), order)
    telling.passed(ctx, passed)
    return [Ranked(one.folder, one.size_bytes, one.files) for one in kept]


def duplicates(ctx: Context, folder: Folder | None = None, kind: Kind | None = None) -> list[File]:
    """Find files that are identical copies of other ones; of each group the one with the shortest path is left out.

    Args:
        folder: where to look, with everything below it; the whole home when absent.
        kind: only files of this kind.
    """
    top, passed = folder or Folder(ctx.home), Passed()
    every = ctx.scan(top, caches=False, passed=passed)
    found = copies.found(ctx, [file for file in every if kinds.matches(file.suffix, kind)])
    telling.duplicates(ctx, top, found, kind)
    telling.passed(ctx, passed)
    return list(found.copies)


def empty_folders(ctx: Context, folder: Folder | None = None) -> list[Folder]:
    """Find folders in which nothing lies.

    Args:
        folder: where to look, with everything below it; the whole home when absent.
    """
    top, passed = folder or Folder(ctx.home), Passed()
    found = whole.empty(ctx, top, passed)
    telling.empty(ctx, top, found)
    telling.passed(ctx, passed, hidden=False)
    return found


def move(ctx: Context, files: list[File], to: Folder) -> list[File]:
    """Move files into another folder.

    Args:
        files: what to move.
        to: the folder to put them into; it is made when it does not exist.
    """
    meant = _each_once(files)
    _refuse_namesakes(ctx, meant)
    moved = [_put(ctx, file, to, keep=False) for file in meant]
    telling.put(ctx, meant, to, "moved", "verschoben")
    return moved


def copy(ctx: Context, files: list[File], to: Folder) -> list[File]:
    """Copy files into another folder; the originals stay.

    Args:
        files: what to copy.
        to: the folder to put the copies into; it is made when it does not exist.
    """
    meant = _each_once(files)
    _refuse_namesakes(ctx, meant)
    copied = [_put(ctx, file, to, keep=True) for file in meant]
    telling.put(ctx, meant, to, "copied", "kopiert")
    return copied


def rename(ctx: Context, file: File, name: Title) -> File:
    """Give a file another name; it stays in its folder and keeps its suffix unless another one is given.

    Args:
        file: what to rename.
        name: the new name.
    """
    old = ctx.file(file.path)
    new = _checked_name(name)
    if old.suffix and os.path.splitext(new)[1].lower() not in kinds.KNOWN | {old.suffix}:
        new += kinds.parted(old.name)[1]
    path = os.path.join(old.folder, new)
    if path == old.path:
        ctx.say(f"{words.name(old.name)} has that name already.", de=f"{words.name(old.name)} heißt schon so.")
        return old
    ctx.move(old, path)
    place, before, after = ctx.shown(old.folder), words.name(old.name), words.name(new)
    ctx.say(f"{before} in {place} is now called {after}.", de=f"{before} in {place} heißt jetzt {after}.")
    return File(path, old.size_bytes, old.modified)


def number_names(ctx: Context, files: list[File], name: Title) -> list[File]:
    """Give several files one name with a number behind it, such as trip 1, trip 2 and so on.

    Args:
        files: what to rename.
        name: the name before the number.
    """
    meant = _each_once(files)
    base, joint = renaming.base_of(_checked_name(name))
    width = len(str(len(meant)))
    return renaming.give(ctx, meant, lambda _old, at: f"{base}{joint}{at:0{width}d}")


def replace_in_names(ctx: Context, files: list[File], old: Query, new: Title | None = None) -> list[File]:
    """Replace words or signs in the names of files; without anything new they are taken out.

    Args:
        files: what to rename.
        old: the words or the sign to replace.
        new: what stands there instead.
    """
    meant = _each_once(files)
    return renaming.give(ctx, meant, renaming.replacing(meant, renaming.sign(old), renaming.sign(new or "")))


def add_to_names(ctx: Context, files: list[File], text: Title, where: Literal["front", "end"] = "front") -> list[File]:
    """Put words before or behind the names of files.

    Args:
        files: what to rename.
        text: what to put there.
        where: before the name or behind it.
    """
    own = _checked_name(text)

    def named(stem: str, _at: int) -> str:
        joint = renaming.beside(stem, own)
        return f"{own}{joint}{stem}" if where == "front" else f"{stem}{joint}{own}"

    return renaming.give(ctx, _each_once(files), named)


def delete(ctx: Context, files: list[File]) -> list[File]:
    """Put files into the trash.

    Args:
        files: what to delete.
    """
    gone = [ctx.file(file.path) for file in _each_once(files)]
    for file in gone:
        ctx.delete(file)
    if not gone:
        ctx.say("There was nothing to delete.", de="Es gab nichts zu löschen.")
        return gone
    ctx.say(
        f"I put {telling.named(ctx, gone, 'en')} into the trash.",
        de=f"Ich habe {telling.named(ctx, gone, 'de')} in den Papierkorb gelegt.",
    )
    return gone


def move_folder(ctx: Context, folders: list[Folder], to: Folder) -> list[Folder]:
    """Move whole folders, with everything in them, into another folder.

    Args:
        folders: what to move.
        to: the folder to put them into; it is made when it does not exist.
    """
    meant = whole.outermost(ctx, folders)
    counted = [whole.extent(ctx, folder) for folder in meant]
    placed = [Folder(whole.target(ctx, folder, to)) for folder in meant]
    for folder, new in zip(meant, placed, strict=True):
        ctx.move(folder, new)
    telling.folders_put(ctx, counted, to, "moved", "verschoben")
    return placed


def copy_folder(ctx: Context, folders: list[Folder], to: Folder) -> list[Folder]:
    """Copy whole folders, with everything in them, into another folder; the originals stay.

    Args:
        folders: what to copy.
        to: the folder to put the copies into; it is made when it does not exist.
    """
    meant = whole.outermost(ctx, folders)
    counted = [whole.extent(ctx, folder) for folder in meant]
    placed = [Folder(ctx.unused(whole.target(ctx, folder, to))) for folder in meant]
    for folder, new in zip(meant, placed, strict=True):
        ctx.copy(folder, new)
    telling.folders_put(ctx, counted, to, "copied", "kopiert")
    return placed


def rename_folder(ctx: Context, folder: Folder, name: Title) -> Folder:
    """Give a folder another name; it stays where it is, with everything in it.

    Args:
        folder: which folder to rename.
        name: the new name.
    """
    (meant,) = whole.outermost(ctx, [folder])
    old, place = ctx.path(meant), os.path.dirname(ctx.path(meant))
    path = os.path.join(place, _checked_name(name))
    shown = ctx.shown(place)
    if path == old:
        ctx.say(f"The folder {meant.name} has that name already.", de=f"Der Ordner {meant.name} heißt schon so.")
        return meant
    counted = whole.extent(ctx, meant)
    ctx.move(meant, path)
    files_en, files_de = words.count(counted.files, "file", "files"), words.count(counted.files, "Datei", "Dateien")
    ctx.say(
        f"The folder {meant.name} in {shown}, with {files_en}, is now called {os.path.basename(path)}.",
        de=f"Der Ordner {meant.name} in {shown} mit {files_de} heißt jetzt {os.path.basename(path)}.",
    )
    return Folder(path)


def delete_folder(ctx: Context, folders: list[Folder]) -> list[Folder]:
    """Put whole folders, with everything in them, into the trash.

    Args:
        folders: what to delete.
    """
    meant = whole.outermost(ctx, folders)
    counted = [whole.extent(ctx, folder) for folder in meant]
    for folder in meant:
        ctx.delete(folder)
    english, german = telling.folders(ctx, counted, "en"), telling.folders(ctx, counted, "de")
    ctx.say(f"I put {english} into the trash.", de=f"Ich habe {german} in den Papierkorb gelegt.")
    return meant


def organize(ctx: Context, folder: Folder, by: Literal["type", "date", "month", "year"] = "type") -> list[File]:
    """Sort the files that lie directly in a folder into subfolders.

    Args:
        folder: which folder to tidy up.
        by: one subfolder for each type of file, day, month or year; photos count from the day they were taken.
    """
    moved: list[File] = []
    groups: Counter[str] = Counter()
    for file in list(ctx.scan(folder, recursive=False)):
        group = (
            kinds.folder_for(file.suffix, ctx.language)
            if by == "type"
            else choosing.dated(choosing.day_of(ctx, file), by)
        )
        groups[group] += 1
        moved.append(_put(ctx, file, Folder(os.path.join(ctx.path(folder), group)), keep=False))
    place = ctx.shown(folder)
    if not moved:
        ctx.say(f"There are no files directly in {place}.", de=f"Direkt in {place} liegen keine Dateien.")
        return moved
    parts = [f"{group} ({number})" for group, number in sorted(groups.items())]
    ctx.say(
        f"I sorted {words.count(len(moved), 'file', 'files')} in {place} into {words.listing(parts)}.",
        de=f"Ich habe {words.count(len(moved), 'Datei', 'Dateien')} in {place} sortiert: {words.listing(parts, 'de')}.",
    )
    return moved


def make_folder(ctx: Context, name: Title, folder: Folder | None = None) -> Folder:
    """Make a new folder.

    Args:
        name: what to call it.
        folder: where to make it; in the home when absent.
    """
    path = os.path.join(ctx.path(folder or ctx.home), _checked_name(name))
    if ctx.is_folder(path):
        ctx.say(f"The folder {ctx.shown(path)} is there already.", de=f"Den Ordner {ctx.shown(path)} gibt es schon.")
        return Folder(path)
    ctx.mkdir(path)
    ctx.say(f"I made the folder {ctx.shown(path)}.", de=f"Ich habe den Ordner {ctx.shown(path)} angelegt.")
    return Folder(path)


# --- changing -----------------------------------------------------------------------------------------------------


def _deeper(ctx: Context, top: Folder) -> int:
    """How many files lie in the subfolders of ``top``; no further than ``telling.MOST_COUNTED`` is counted."""
    every = ctx.scan(top, caches=False)
    return sum(1 for _ in islice((file for file in every if file.folder != ctx.path(top)), telling.MOST_COUNTED))


def _each_once(files: list[File]) -> list[File]:
    return list({file.path: file for file in files}.values())


def _refuse_namesakes(ctx: Context, files: list[File]) -> None:
    """Refuse files of one name: in one folder they would be one."""
    named: dict[str, File] = {}
    for file in files:
        other = named.setdefault(file.name, file)
        if other is file:
            continue
        both = [ctx.shown(other), ctx.shown(file)]
        raise ToolError(
            f"{words.listing(both)} have the same name; nothing was moved or copied.",
            hint="Rename one of the two, or name only one of them.",
            code="tool.taken",
            de=f"{words.listing(both, 'de')} haben denselben Namen; es wurde nichts verschoben oder kopiert.",
            de_hint="Benenne eines der beiden um oder nenne nur eines.",
        )


def _put(ctx: Context, file: File, to: Folder, *, keep: bool) -> File:
    if ctx.exists(to) and not ctx.is_folder(to):
        raise ToolError(
            f"{ctx.shown(to)} is a file, not a folder.",
            hint="Name a folder to put the files into.",
            de=f"{ctx.shown(to)} ist eine Datei, kein Ordner.",
            de_hint="Nenne einen Ordner, in den die Dateien sollen.",
        )
    source = ctx.file(file.path)
    path = os.path.join(ctx.path(to), source.name)
    if keep and path == source.path:
        path = ctx.unused(path)
    if path != source.path:
        _refuse_clash(ctx, source, path)
        (ctx.copy if keep else ctx.move)(source, path)
    return File(path, source.size_bytes, source.modified)


def _refuse_clash(ctx: Context, source: File, path: str) -> None:
    if not ctx.exists(path):
        return
    place, name = ctx.shown(os.path.dirname(path)), words.name(source.name)
    raise ToolError(
        f"{place} already holds something called {name}; nothing was moved or copied.",
        hint=f"Rename one of the two, or choose another folder than {place}.",
        code="tool.taken",
        de=f"In {place} gibt es schon etwas mit dem Namen {name}; es wurde nichts verschoben oder kopiert.",
        de_hint=f"Benenne eines der beiden um oder wähle einen anderen Ordner als {place}.",
    )


def _checked_name(name: str) -> str:
    wanted = " ".join(name.split())
    if wanted in ("", ".", "..") or "/" in wanted or "\0" in wanted or len(wanted.encode()) > 255:
        raise ToolError(
            f"“{name}” cannot be the name of a file or folder.",
            hint="Choose a short name without a slash, and name the folder separately.",
            de=f"„{name}“ kann kein Name einer Datei oder eines Ordners sein.",
            de_hint="Wähle einen kurzen Namen ohne Schrägstrich und nenne den Ordner getrennt.",
        )
    return wanted
