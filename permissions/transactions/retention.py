"""How long, and how much, is kept to take runs back with; what is past that is let go of, the oldest first.

What this stops: old contents growing without an end, also while a daemon stays up for months; a journal without its
old contents passing for a run that can be taken back, when the process dies in the middle (the journal goes first).
What it does not: let go of the run that was committed just now, or of one whose undo waits for its disk; empty the
trash.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from permissions.transactions import journal
from permissions.transactions.garbage import throw_away
from permissions.transactions.resolve import Folders
from permissions.transactions.shop import Shop
from permissions.transactions.space import size_below


@dataclass(frozen=True, slots=True)
class Keep:
    """A committed run can be undone for ``seconds`` at least, unless old contents outgrow ``size_bytes`` on disk."""

    seconds: float = 90 * 86_400.0
    size_bytes: int = 50 << 30


class Shelf:
    """The runs of a shop that can be taken back, and when the oldest of them must go. Not safe between threads.

    Between two whole looks it adds up what came, so that asking whether something is due reads no folder. What an undo
    gives back is found out at the next look.
    """

    def __init__(self, shop: Shop, keep: Keep) -> None:
        self._shop = shop
        self.keep = keep
        self._most_bytes: int | None = None
        self._oldest_s = 0.0

    def add(self, run: str) -> None:
        """Take note that ``run`` was committed. Where its old contents cannot be measured, a whole look is due."""
        if self._most_bytes is None:
            return
        try:
            self._most_bytes += size_below(self._shop.preimages(run))
        except OSError:  # the changes stand, and nobody is to hear that they failed
            self._most_bytes = None
        self._oldest_s = min(self._oldest_s, time.time())

    def is_due(self, now_s: float) -> bool:
        """Tell whether something may have to go at ``now_s`` (Unix seconds)."""
        if self._most_bytes is None:
            return True
        return self._most_bytes > self.keep.size_bytes or now_s - self._oldest_s > self.keep.seconds

    def trim(self, folders: Folders, now_s: float, spare: str = "") -> tuple[str, ...]:
        """Let go of the oldest runs past their time or over the quota, not of ``spare``; return them. Raises OSError.

        One whose undo waits for its disk stays until that is settled.
        """
        tags = journal.tags(self._shop, "done")
        open_tags = journal.tags(self._shop, "open")
        waiting = {tag.partition("~")[0] for tag in open_tags}
        left = sorted((self._at(tag), tag) for tag in tags if "~" not in tag)
        used = size_below(f"{self._shop.folder}/preimages")
        gone = []
        for at, run in left:
            if now_s - at <= self.keep.seconds and used <= self.keep.size_bytes:
                break
            if run not in waiting and run != spare:
                used -= size_below(self._shop.preimages(run))
                self._let_go(folders, run, tags)
                gone.append(run)
        self._most_bytes = used
        self._oldest_s = min((at for at, run in left if run not in gone), default=now_s)
        return tuple(gone)

    def _at(self, run: str) -> float:
        return os.stat(f"{self._shop.journal('done')}/{run}").st_mtime

    def _let_go(self, folders: Folders, run: str, tags: Sequence[str]) -> None:
        """Its journal first: what dies behind that leaves orphans, which recovery drops, and never half a run."""
        os.unlink(f"{self._shop.journal('done')}/{run}")
        self._shop.checkpoint("retention:journal")
        for tag in tags:
            if tag.startswith(f"{run}~"):
                os.unlink(f"{self._shop.journal('done')}/{tag}")
        throw_away(self._shop, folders, self._shop.preimages(run))


def drop_orphans(shop: Shop) -> None:
    """Remove the journals of undos whose run was let go of, when the process died in the middle. Raises OSError."""
    runs = {tag for state in ("done", "open") for tag in journal.tags(shop, state) if "~" not in tag}
    for tag in journal.tags(shop, "done"):
        if "~" in tag and tag.partition("~")[0] not in runs:
            os.unlink(f"{shop.journal('done')}/{tag}")
