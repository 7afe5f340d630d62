"""Changes as lines: one each where there are few; of many, a count for each folder and the first of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portal.cli.phrases import phrase
from portal.cli.words import one_line, path_line, size

FEW = 20
"""So many changes are listed one by one."""

FIRST = 10
FOLDERS = 8
FOLDER_LONGEST = 200
PATH_LONGEST = 300

Change = Mapping[str, Any]
_SIGNS = {"created": "+", "modified": "~", "overwritten": "~", "deleted": "-", "moved": "→"}
_WIDTH = 8


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """A set of changes, sent whole or as a summary: how many, those at hand, and counts by folder."""

    total: int
    known: tuple[Change, ...]
    folders: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, sent: Any) -> ChangeSet:
        """Read a list of changes, or a summary with ``count``, ``first`` and ``folders``."""
        if isinstance(sent, Mapping):
            return cls(int(sent.get("count") or 0), tuple(sent.get("first") or ()), tuple(sent.get("folders") or ()))
        known = tuple(sent or ())
        return cls(len(known), known, _by_folder(known))

    def shown(self, *, everything: bool = False) -> tuple[Change, ...]:
        """Return those that are listed one by one."""
        return self.known if everything or self.total <= FEW else self.known[:FIRST]


def change_lines(changes: ChangeSet, language: str, run: str = "", *, everything: bool = False) -> Iterator[str]:
    """Yield the lines that tell ``changes``; ``run`` is named as the place where all of them can be seen."""
    shown = changes.shown(everything=everything)
    yield from summary_lines(changes, language, listed=len(shown))
    for change in shown:
        yield change_line(change, language)
    yield from rest_lines(changes, language, run, listed=len(shown))


def summary_lines(
    changes: ChangeSet, language: str, *, listed: int, longest: int | None = FOLDER_LONGEST
) -> Iterator[str]:
    """Yield the counts by folder, where not all changes are listed; with None for ``longest`` each folder whole."""
    if listed >= changes.total:
        return
    yield phrase(language, "changes", count=changes.total)
    for folder in changes.folders[:FOLDERS]:
        kinds = ", ".join(f"{count} {_kind(kind, language)}" for kind, count in (folder.get("kinds") or {}).items())
        place = path_line(str(folder.get("folder")), longest)
        yield f"  {kinds or folder.get('count')} {phrase(language, 'in', folder=place)}"
    rest = changes.total - sum(int(folder["count"]) for folder in changes.folders[:FOLDERS])
    if rest > 0:
        yield "  " + phrase(language, "folders", count=rest, folders=max(1, len(changes.folders) - FOLDERS))
    yield phrase(language, "first", count=listed)


def rest_lines(changes: ChangeSet, language: str, run: str, *, listed: int) -> Iterator[str]:
    """Yield the line that counts what is not listed."""
    if changes.total > listed:
        yield phrase(language, "more" if run else "more.plain", count=changes.total - listed, run=run)


def change_line(change: Change, language: str = "en", *, longest: int | None = PATH_LONGEST) -> str:
    """Say one change on one line: a sign, what happens, the path, and of a whole folder what is in it.

    A path is cut to ``longest`` characters, and stands whole with None.
    """
    kind = str(change.get("kind", ""))
    path = path_line(str(change.get("path", "")), longest)
    source = change.get("source")
    where = f"{path_line(str(source), longest)} → {path}" if source else path
    files = int(change.get("files") or 0)
    room = size(change.get("size_bytes"), language)
    inside = phrase(language, "file" if files == 1 else "files", count=files, size=room)
    line = f"{_SIGNS.get(kind, '•')} {_kind(kind, language):<{_WIDTH}} {where}"
    return f"{line}  {inside}" if files else line


def told_in_line(change: Change, language: str = "en") -> str:
    """Say one change without its sign and the blanks that make columns."""
    return re.sub(r"^\S+ (\S+)\s+", r"\1 ", change_line(change, language))


def _kind(kind: str, language: str) -> str:
    return phrase(language, kind) if kind in _SIGNS else one_line(kind, 40)


def _by_folder(changes: Sequence[Change]) -> tuple[Mapping[str, Any], ...]:
    kinds: dict[str, Counter[str]] = {}
    for change in changes:
        folder = str(change.get("path", "")).rpartition("/")[0]
        kinds.setdefault(folder, Counter())[str(change.get("kind", ""))] += 1
    fullest = sorted(kinds, key=lambda folder: (-kinds[folder].total(), folder))
    return tuple({"folder": one, "count": kinds[one].total(), "kinds": dict(kinds[one])} for one in fullest)
