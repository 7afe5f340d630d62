"""From a folder in quarantine to a ``Staged`` package: everything that can be told without running it.

What this stops: what ``members`` stops, in a folder that somebody gave; texts that a person or a planner would read
otherwise than they are written; an id that is nearly another skill's; a sum or a signature that does not fit.
What it does not: judge what the code does. That is what its powers are reviewed, and its calls confined, for.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from skills.contents import INSTRUCTIONS
from skills.loading import load_skill
from skills.manifest import MANIFEST, read_manifest
from skills.packages.likeness import check_likeness, check_title
from skills.packages.members import Member, check_members
from skills.packages.model import Bounds, Staged
from skills.packages.sums import signer_of
from skills.packages.texts import check_files, check_texts


def opened(
    folder: Path,
    known: Collection[str],
    bounds: Bounds = Bounds(),  # noqa: B008  # a value
    tools: Collection[str] | None = None,
) -> Staged:
    """Return the package in ``folder``, which nobody else may write to. ``known`` are the ids that are taken.

    ``tools`` are the ids of the tools that there are, which no other skill may speak about.
    Raises Refused, and BadSkill where its manifest or its signatures cannot be understood.
    """
    check_folder(folder, bounds)
    signer = signer_of(folder, _publisher(folder))
    skill = load_skill(folder)
    check_texts(skill, known, tools)
    check_files(folder)
    check_likeness(skill.id, known)
    check_title(skill.id, skill.title, known)
    return Staged(skill, folder, signer)


def check_folder(folder: Path, bounds: Bounds) -> list[Member]:
    """Return what lies in a folder. Raises Refused where no package may hold it."""
    return check_members(_members(folder), bounds)


def found_in(folder: Path) -> list[Path]:
    """Return the folders at or below ``folder`` that hold a skill, the highest only, as paths below it."""
    tops = []
    for top, below, files in os.walk(folder):
        if INSTRUCTIONS in files or MANIFEST in files:
            tops.append(Path(top).relative_to(folder))
            below.clear()
        below.sort()
    return tops


def _members(folder: Path) -> Iterator[Member]:
    """Give what lies in a folder, links as links."""
    todo = [("", folder)]
    while todo:
        above, place = todo.pop()
        with os.scandir(place) as entries:
            for entry in sorted(entries, key=lambda one: one.name):
                found = entry.stat(follow_symlinks=False)
                path = f"{above}{entry.name}"
                is_folder = entry.is_dir(follow_symlinks=False)
                yield Member(path + "/" * is_folder, 0 if is_folder else found.st_size, found.st_mode)
                if is_folder:
                    todo.append((f"{path}/", Path(entry.path)))


def _publisher(folder: Path) -> str:
    return read_manifest(folder).publisher if (folder / MANIFEST).exists() else ""
