"""The nouns of reminding."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from kernel.reminding.hushing import quiet_name
from skills.schedule import Scheduled

MISSED_AFTER_S = 60.0
"""What is told so much too late was missed."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One entry that a skill keeps on the clock. ``titles`` is what the skill is called, by language.

    ``is_quiet``: a private request put it there, so the ledger hears nothing of what it says.
    """

    skill: str
    titles: dict[str, str]
    entry: Scheduled
    is_quiet: bool = False

    @property
    def name(self) -> str:
        """What tells it from every other entry."""
        name = f"{self.skill}/{self.entry.id}"
        return quiet_name(name) if self.is_quiet else name


@dataclass(frozen=True, slots=True)
class Due:
    """One time (UTC) at which an entry is to be told.

    ``earlier`` are times of it before that one, which passed unseen and are not told one by one; ``again``: it was
    begun before, and nobody knows whether it was seen.
    """

    kept: Kept
    at: datetime
    earlier: int = 0
    again: bool = False

    @property
    def key(self) -> str:
        """What the journal knows it by; no words of the person's."""
        return key_of(self.kept.name, self.at)

    def missed(self, now: datetime) -> bool:
        """Tell whether it comes too late to be on time."""
        return (now - self.at).total_seconds() > MISSED_AFTER_S


def key_of(name: str, at: datetime) -> str:
    """Return the key of one time of the entry ``name``."""
    return f"{name}@{at.astimezone(UTC).isoformat(timespec='seconds')}"


def parted(key: str) -> tuple[str, datetime]:
    """Return the entry's name and the time of a key. Raises ValueError on anything else."""
    name, _, at = key.rpartition("@")
    return name, datetime.fromisoformat(at)
