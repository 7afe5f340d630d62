"""Which paths a backup has, and none else.

What this stops: a member that leads out of the folder it is put into (``..``, an absolute path, an empty or a double
part, a NUL), one that lands where nothing of a backup belongs (a runtime folder, a token, a database's log), a file
that is also a folder of another.
What it does not: judge what a file says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kernel.backup.model import LEDGER, Manifest
from permissions.transactions import KEPT

SECRETS = "data/secrets"
TREES = ("data/own", "data/skills", "data/skill-versions", "data/pictures", SECRETS, "config",
         *(f"data/transactions/{name}" for name in KEPT))  # fmt: skip
"""Folders of which everything is in a backup; secrets where that was asked for."""

FILES = (*(f"data/ledger/{name}" for name in LEDGER), "data/skills.lock.json")
MUST = FILES[: len(LEDGER)]
_LONGEST_BYTES, _LONGEST_PART_BYTES = 4096, 255
_PART = re.compile(r"[^/\0]+")


def wrong_path(path: str) -> str:
    """Say what is wrong with a member's path; "" for nothing."""
    parts = path.split("/")
    if not all(_PART.fullmatch(part) and part not in (".", "..") for part in parts):
        return "a path that leads out of its folder"
    if len(path.encode()) > _LONGEST_BYTES or any(len(part.encode()) > _LONGEST_PART_BYTES for part in parts):
        return "a path that is too long"
    if path in FILES or any(path.startswith(f"{tree}/") for tree in TREES):
        return ""
    return "a file that belongs in no backup"


def wrong_tree(manifest: Manifest) -> str:
    """Say what is wrong with a manifest's members together; "" for nothing."""
    files = [member.path for member in manifest.members]
    folders = [folder.path for folder in manifest.folders]
    for path in (*files, *(one for one in folders if one not in TREES)):
        if wrong := wrong_path(path):
            return f"it holds {wrong} ({path[:80]!r})"
    return _clash(manifest, files, folders)


def _clash(manifest: Manifest, files: list[str], folders: list[str]) -> str:
    if len({*files, *folders}) < len(files) + len(folders):
        return "it holds a path twice"
    if set(_above([*files, *folders])) & set(files):
        return "it holds a file that is also a folder"
    if not set(MUST) <= set(files):
        return "its ledger is not whole"
    if any(path == SECRETS or path.startswith(f"{SECRETS}/") for path in files) and not manifest.secrets:
        return "it holds secrets and says that it has none"
    taken = {path.split("/")[2] for path in [*files, *folders] if path.startswith("data/skills/")}
    return "it holds a skill twice" if taken & set(manifest.links) else ""


def _above(paths: Iterable[str]) -> Iterable[str]:
    for path in paths:
        above = path.rpartition("/")[0]
        while above:
            yield above
            above = above.rpartition("/")[0]
