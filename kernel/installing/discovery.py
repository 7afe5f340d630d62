"""Skills that other agents keep: ``.agents/skills`` and ``.claude/skills`` of the folder worked in, then of the home.

They are looked at and named, nothing more: none of them is installed, ranked, granted or run until a person takes it
(``./steward skills install agents:NAME``), and then it goes the way of every package.

What this stops: a link or a pipe in somebody's project that has another file read, or the reader waiting for good; a
tree without end. What it does not: say whether a description is honest; it is shown as the package's own words.
Source: agentskills.io, "Adding skills support": a project's before the person's, few levels, few folders.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from permissions.naming import shown
from skills.errors import BadSkill
from skills.packages import Refused, Source, SourceKind, read_instructions

PLACES = (".agents/skills", ".claude/skills")
_MOST_FOLDERS, _DEEPEST = 2000, 4
_LONGEST_SHOWN = 300
_NAME = re.compile(r"[a-z][a-z0-9-]{1,62}")
"""What a skill can be called: a client may show it in a line for the shell."""
_FILES = ("SKILL.md", "steward.toml")


@dataclass(frozen=True, slots=True)
class Found:
    """A skill where other agents keep theirs. ``whose`` is ``project`` or ``home``; ``why`` it is not read."""

    name: str
    folder: Path
    whose: str
    description: str
    has_tools: bool
    why: str = ""

    def view(self, home: Path, installed: Collection[str]) -> dict[str, Any]:
        """Return it as clients show it."""
        place = f"~/{self.folder.relative_to(home)}" if self.folder.is_relative_to(home) else str(self.folder)
        return {"name": shown(self.name), "place": shown(place), "whose": self.whose, "problem": shown(self.why),
                "description": shown(self.description), "kind": "tools" if self.has_tools else "instructions",
                "installed": self.name in installed}  # fmt: skip


def found_at(cwd: Path, home: Path) -> list[Found]:
    """Return every skill that lies there, the ones of ``cwd`` first; of two with one name only the first counts."""
    found: dict[str, Found] = {}
    for top, whose in ((cwd, "project"), (home, "home")):
        for place in PLACES:
            left = [_MOST_FOLDERS]  # for each place its own: what lies in a project hides nothing of the home
            for folder in _folders(top / place, (top, home), left):
                found.setdefault(folder.name, _read(folder, whose))
            if left[0] <= 0:
                found.setdefault(str(top / place), _cut_short(top / place, whose))
    return sorted(found.values(), key=lambda one: (one.whose != "project", one.name))


def kept_by_agents(name: str, cwd: Path, home: Path) -> Source:
    """Return where the skill ``name`` lies. Raises Refused with the names that there are."""
    found = {one.name: one for one in found_at(cwd, home) if _NAME.fullmatch(one.name)}
    if name not in found:
        there = ", ".join(shown(one) for one in sorted(found)[:20]) or "none"
        raise Refused("package.source", f"Other agents keep no skill {name} here or in the home. There is: {there}.",
                      subject=name, hint="./steward skills found lists them.")  # fmt: skip
    return Source(SourceKind.FOLDER, str(found[name].folder))


def _cut_short(place: Path, whose: str) -> Found:
    """Return a note in place of what was not looked at any more."""
    why = f"More than {_MOST_FOLDERS} folders lie here; the rest was not looked at."
    return Found(f"{place.parent.name}/{place.name}", place, whose, "", False, why)


def _folders(top: Path, within: tuple[Path, ...], left: list[int], depth: int = 0) -> Iterator[Path]:
    """Give the folders of skills at or below ``top``, real paths. A link counts where it stays in one of ``within``."""
    real = Path(os.path.realpath(top))
    if not real.is_dir() or not any(real.is_relative_to(os.path.realpath(one)) for one in within) or left[0] <= 0:
        return
    left[0] -= 1
    if depth and any((real / name).is_file() for name in _FILES):
        yield real
        return
    if depth < _DEEPEST:
        for entry in _entries(real):
            yield from _folders(entry, within, left, depth + 1)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(one for one in folder.iterdir() if not one.name.startswith(".") and one.is_dir())
    except OSError:
        return []


def _read(folder: Path, whose: str) -> Found:
    has_tools = (folder / "steward.toml").is_file()
    if not _NAME.fullmatch(folder.name):
        return Found(folder.name, folder, whose, "", has_tools, "Its folder has no name that a skill can have.")
    if not _is_plain(folder / "SKILL.md"):
        return Found(folder.name, folder, whose, "", has_tools, "Its SKILL.md is no plain file.")
    try:
        said = " ".join(read_instructions(folder).description.split())
    except (BadSkill, OSError, ValueError) as error:
        return Found(folder.name, folder, whose, "", has_tools, str(error)[:_LONGEST_SHOWN])
    return Found(folder.name, folder, whose, said[:_LONGEST_SHOWN], has_tools)


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
