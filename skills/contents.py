"""The bytes of skills: which come with Steward, and the one hash that grants are bound to. It reads no manifest.

It is light: what looks at bytes alone needs nothing that reads them.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from skills.errors import BadSkill

BUILTIN = Path(__file__).resolve().parent / "builtin"
SHIPPED = (BUILTIN, BUILTIN.parents[1] / "gpu_skills")
"""Where skills lie that come with Steward."""

COMPILED = "__pycache__"
INSTRUCTIONS = "SKILL.md"
_MOST_FILES, _MOST_BYTES = 2000, 64 << 20


def ships(folder: Path) -> bool:
    """Tell whether the skill in ``folder`` comes with Steward."""
    return folder.resolve().parent in SHIPPED


def shipped_folders() -> dict[str, Path]:
    """Return the folder of every skill that comes with Steward, by its id; none of them is read."""
    places = (place for top in SHIPPED if top.is_dir() for place in sorted(top.iterdir()))
    return {place.name: place for place in places if (place / INSTRUCTIONS).exists()}


def content_hash(folder: Path) -> str:
    """Return the SHA-256 (hex) over every file's relative path, length and content, in sorted order.

    Compiled Python is left out. Raises BadSkill for links, special files, and more than 2,000 files or 64 MiB.
    """
    digest, total = hashlib.sha256(b"steward skill 1\0"), 0
    files = sorted(_files(folder), key=lambda path: path.relative_to(folder).as_posix().encode())
    if len(files) > _MOST_FILES:
        raise BadSkill(
            "skill.size",
            f"{folder} holds more than {_MOST_FILES} files.",
            subject=folder.name,
            hint="Remove what the skill does not need.",
        )
    for path in files:
        data = path.read_bytes()
        total += len(data)
        if total > _MOST_BYTES:
            raise BadSkill(
                "skill.size",
                f"{folder} is larger than 64 MiB.",
                subject=folder.name,
                hint="Remove what the skill does not need.",
            )
        name = path.relative_to(folder).as_posix().encode()
        digest.update(len(name).to_bytes(8, "big") + name + len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def uncounted(folder: Path) -> tuple[str, ...]:
    """Return the folders of compiled Python, which ``content_hash`` leaves out: no call may read what no hash binds."""
    return tuple(sorted(f"{top}/{COMPILED}" for top, below, _ in os.walk(folder) if COMPILED in below))


def _files(folder: Path) -> Iterable[Path]:
    for path in folder.rglob("*"):
        if COMPILED in path.relative_to(folder).parts:
            continue
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            yield path
        elif not stat.S_ISDIR(mode):
            raise BadSkill(
                "skill.file",
                f"{path} is a link or a special file.",
                subject=folder.name,
                hint="A skill holds plain files and folders only.",
            )
