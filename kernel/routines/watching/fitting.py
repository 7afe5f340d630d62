"""Whether a file is one that a trigger means: by its folder, its name, its size, and what a person called it.

Nothing is opened: "an invoice" is a file whose name says so, in any of the words for it.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from kernel.routines.judging import is_named
from kernel.routines.model import About, Change, FileSeen
from kernel.routines.watching.settling import Seen

Such = Sequence[tuple[About, str]]


def fits(trigger: FileSeen, seen: Seen) -> bool:
    """Tell whether what was ``seen`` is what ``trigger`` waits for."""
    if not _is_change(trigger.change, seen):
        return False
    folder, name = os.path.split(seen.path)
    inside = folder == trigger.folder or (trigger.below and folder.startswith(f"{trigger.folder}/"))
    return inside and any(one.match(name.casefold()) for one in _patterns(trigger.pattern.casefold()))


def is_such(such: Such, path: str, size: int, nouns: Iterable[Sequence[str]]) -> bool:
    """Tell whether a file is what was said of it; ``nouns`` are groups of words that mean the same in a name."""
    return all(_is(about, said, path, size, nouns) for about, said in such)


def _is_change(wanted: Change, seen: Seen) -> bool:
    if wanted is Change.WRITTEN:
        return seen.change in (Change.CREATED, Change.CHANGED)
    return seen.moved if wanted is Change.MOVED_IN else wanted is seen.change


def _is(about: About, said: str, path: str, size: int, nouns: Iterable[Sequence[str]]) -> bool:
    if about is About.LARGER:
        return size > float(said)
    return about is About.IS and is_named(said, os.path.basename(path), nouns)


@lru_cache(maxsize=200)
def _patterns(pattern: str) -> tuple[re.Pattern[str], ...]:
    """The pattern of a shell, with its braces opened."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        return (re.compile(fnmatch.translate(pattern)),)
    parts = (f"{pattern[: found.start()]}{one}{pattern[found.end() :]}" for one in found[1].split(","))
    return tuple(one for part in parts for one in _patterns(part))
