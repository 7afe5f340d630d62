"""Folders as a whole: what is in them, which of them is the largest, and where they go."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from skills.sdk import Context, Folder, Passed, ToolError

_STANDARD = frozenset(
    "Desktop Documents Downloads Music Pictures Public Templates Videos Notes Calendar Contacts "
    "Schreibtisch Dokumente Musik Bilder Öffentlich Vorlagen".split()
)
"""The folders that every home has (xdg-user-dirs), in English and German, and those of notes, dates and people."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a folder holds, with everything below it, hidden or not."""

    folder: Folder
    files: int
    size_bytes: int


def extent(ctx: Context, folder: Folder) -> Extent:
    """Measure one folder. Raises ToolError when it is none."""
    count = size_bytes = 0
    for file in ctx.scan(folder, hidden=True):
        count += 1
        size_bytes += file.size_bytes
    return Extent(Folder(ctx.path(folder)), count, size_bytes)


def ranked(ctx: Context, top: Folder, *, smallest: bool, passed: Passed) -> list[Extent]:
    """Measure the folders directly in ``top``, in the order of their size; the name decides between equals."""
    found = [extent(ctx, folder) for folder in ctx.folders(top, passed=passed)]
    sign = 1 if smallest else -1
    return sorted(found, key=lambda one: (sign * one.size_bytes, one.folder.name.casefold()))


def empty(ctx: Context, top: Folder, passed: Passed) -> list[Folder]:
    """Return the folders below ``top`` in which nothing lies, hidden or not, but folders of that kind: the outermost.

    What cannot be looked into counts as full, and the standard folders of the home are none to be given up.
    """
    walked = {ctx.path(folder) for folder in ctx.folders(top, recursive=True, hidden=True)}
    full = {file.folder for file in ctx.scan(top, hidden=True)} | {path for path in walked if _is_full(path, walked)}
    above = {parent for path in full for parent in _parents(path, ctx.path(top))}
    empty = {path for path in walked if path not in above and not _is_standard(ctx, path)}
    seen = ctx.folders(top, recursive=True, passed=passed)
    return [one for one in seen if one.path in empty and os.path.dirname(one.path) not in empty]


def _is_standard(ctx: Context, path: str) -> bool:
    folder, name = os.path.split(path)
    return folder == ctx.home and unicodedata.normalize("NFC", name) in _STANDARD


def _is_full(path: str, walked: Collection[str]) -> bool:
    """Something lies there on the disk that is no folder that was walked: a file, a link, or what nobody may see."""
    try:
        with os.scandir(path) as entries:
            return any(entry.path not in walked for entry in entries)
    except OSError:
        return True


def _parents(path: str, top: str) -> Iterator[str]:
    while path.startswith(f"{top.rstrip('/')}/"):
        yield path
        path = os.path.dirname(path)


def outermost(ctx: Context, folders: Sequence[Folder]) -> list[Folder]:
    """Return each folder once, without those that lie in another one of them; none may be the home or hold it."""
    paths = sorted({ctx.path(folder) for folder in folders})
    for path in paths:
        if f"{ctx.home}/".startswith(path.rstrip("/") + "/"):
            raise ToolError(
                f"{ctx.shown(path)} stays where it is.",
                hint="Name a folder in your home.",
                code="files.home",
                de=f"{ctx.shown(path)} bleibt, wo es ist.",
                de_hint="Nenne einen Ordner in deinem persönlichen Ordner.",
            )
    kept: list[str] = []
    for path in paths:
        if not kept or not path.startswith(kept[-1] + "/"):
            kept.append(path)
    return [Folder(path) for path in kept]


def target(ctx: Context, folder: Folder, to: Folder) -> str:
    """Return where ``folder`` comes to lie in ``to``. Raises ToolError when ``to`` is a file."""
    if ctx.exists(to) and not ctx.is_folder(to):
        raise ToolError(
            f"{ctx.shown(to)} is a file, not a folder.",
            hint="Name a folder to put it into.",
            de=f"{ctx.shown(to)} ist eine Datei, kein Ordner.",
            de_hint="Nenne einen Ordner, in den es soll.",
        )
    return os.path.join(ctx.path(to), folder.name)
