"""What skills keep in folders of their own (tasks, timers), as a store that forgets: lines and entries with a name.

What this stops: a task or a reminder about a forgotten person staying on a list, and ringing.
What it does not: change a file whose form only its skill knows; that one is named to the person. What a person's own
files say is theirs.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from memory.graph.mentions import Mentions
from memory.model import EntityId
from permissions.private_file import write_private
from skills.errors import SkillError
from skills.schedule import FILE, Scheduled, read_schedule, write_schedule

InText = Callable[[str], bool]
_LINES = ".txt"
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


@dataclass(frozen=True, slots=True)
class Kept:
    """What skills keep that mentions somebody: lines and entries counted by skill, and files that stay."""

    counts: tuple[tuple[str, int], ...] = ()
    stays: tuple[str, ...] = ()

    def to_json(self) -> dict[str, int]:
        """Return the counts as a client shows them."""
        return dict(self.counts)


@dataclass(frozen=True, slots=True)
class _Found:
    """A file with a mention: how many places, and its bytes without them (None: nobody but its skill can tell)."""

    path: Path
    count: int
    rest: bytes | None


def kept_about(own: Path, words: Collection[str]) -> Kept:
    """Return what the folders below ``own`` hold that mentions one of ``words``; nothing is changed."""
    counts: dict[str, int] = {}
    stays: list[str] = []
    for found in _all(own, words):
        place = found.path.relative_to(own)
        if found.rest is None:
            stays.append(f"own/{place}")
        else:
            counts[place.parts[0]] = counts.get(place.parts[0], 0) + found.count
    return Kept(tuple(sorted(counts.items())), tuple(sorted(stays)))


class OwnStore:
    """The skills' own folders as a store of the graph's purge."""

    name = "own"

    def __init__(self, own: Path) -> None:
        self._own = own

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Remove every line and entry that mentions one of ``words``; return how many went. Raises OSError."""
        del entities
        gone = 0
        for found in list(_all(self._own, words)):
            if found.rest is not None:
                write_private(found.path, found.rest)
                gone += found.count
        return gone


def _all(own: Path, words: Collection[str]) -> Iterator[_Found]:
    in_text = Mentions(words).in_text
    for top, folders, names in os.walk(own):
        folders.sort()
        for name in sorted(names) if words and Path(top) != own else ():
            path = Path(top, name)
            found = _look(path, in_text)
            if found is not None:
                yield found
            if _is_named(path.relative_to(own), in_text) and (found is None or found.rest is not None):
                yield _Found(path, 1, None)


def _is_named(path: Path, in_text: InText) -> bool:
    """Tell whether a file or a folder is called so; the first folder is what the skill itself is called."""
    return any(_is_said(part, in_text) for part in path.parts[1:])


def _look(path: Path, in_text: InText) -> _Found | None:
    """Return what is to go of a plain file; None where it mentions nobody."""
    try:
        data = path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else b""
    except FileNotFoundError:
        return None  # a run that ends meanwhile put another in its place
    if path.name == FILE and (entries := _entries(data)) is not None:
        kept = [one for one in entries if not _mentions(one, in_text)]
        return _Found(path, len(entries) - len(kept), write_schedule(kept)) if len(kept) < len(entries) else None
    text = data.decode("utf-8", "replace")
    if path.suffix != _LINES:
        return _Found(path, 1, None) if in_text(text) or in_text(_written_out(text)) else None
    lines = data.splitlines(keepends=True)
    left = [line for line in lines if not _is_said(line.decode("utf-8", "replace"), in_text)]
    return _Found(path, len(lines) - len(left), b"".join(left)) if len(left) < len(lines) else None


def _written_out(text: str) -> str:
    """Return ``text`` with the letters that JSON may write by their numbers."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def _is_said(line: str, in_text: InText) -> bool:
    return in_text(line) or in_text(line.replace("_", " "))  # a list is a name without blanks: +Anna_Kern


def _entries(data: bytes) -> tuple[Scheduled, ...] | None:
    try:
        return read_schedule(data)
    except SkillError:
        return None


def _mentions(one: Scheduled, in_text: InText) -> bool:
    return any(_is_said(text, in_text) for text in (one.id, *one.says.values(), *one.about.values()))
