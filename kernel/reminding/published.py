"""What skills keep on the clock, read from their own folders; a file that is not in the form is passed over by name."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kernel.reminding.model import Kept
from skills.errors import SkillError
from skills.model import Skill
from skills.schedule import FILE, MOST_BYTES, read_schedule


@dataclass(frozen=True, slots=True)
class Published:
    """The entries of all skills, and what could not be read, by skill."""

    kept: tuple[Kept, ...]
    problems: dict[str, str]


def read_all(own: Path, skills: Iterable[Skill]) -> Published:
    """Read what those of ``skills`` keep on the clock that say why they remind."""
    kept: list[Kept] = []
    problems: dict[str, str] = {}
    for skill in skills:
        if not skill.reminds:
            continue
        try:
            data = _read(own / skill.id / FILE)
            titles = {language: skill.named(language) for language in ("en", "de")}
            kept += [Kept(skill.id, titles, entry) for entry in read_schedule(data)] if data is not None else []
        except (OSError, SkillError) as error:
            problems[skill.id] = str(error)
    return Published(tuple(kept), problems)


def _read(path: Path) -> bytes | None:
    """Return a plain file's bytes, one more than may be at most; None where there is none. Links are not followed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is no plain file")
        return file.read(MOST_BYTES + 1)
