"""The nouns of a backup: its manifest, what is remembered of each that was written, and what is said of one.

steward-backup.json        the manifest: form, when, of which home, every member with size, SHA-256 and mode
data/ledger/ledger.db ...  the members, each a plain file under its own path
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

FORM = 1
"""The version of the form. A reader of an earlier one refuses what is newer."""

MANIFEST = "steward-backup.json"
LEDGER = ("ledger.db", "keys.db", "signing.key")

Sum = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Mode = Annotated[int, Field(ge=0, le=0o777)]
Size = Annotated[int, Field(ge=0, lt=1 << 53)]
Text = Annotated[str, Field(max_length=4096)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Member(_Strict):
    """One file: its path in the archive, and what must be true of it."""

    path: Text
    size: Size
    sha256: Sum
    mode: Mode
    mtime_ns: Annotated[int, Field(ge=0, lt=1 << 63)]


class Folder(_Strict):
    """A folder that is made even where it is empty."""

    path: Text
    mode: Mode


class Manifest(_Strict):
    """What a backup says of itself. ``as_of_ns`` is until when it knows of forgets; ``events`` its ledger's head.
    ``home`` and ``data`` are where the person's files and Steward's own lay: what runs are taken back with names them.

    ``links`` are the installed skills: which version (digest) counts, by id.
    """

    form: Literal[1]
    steward: Text
    id: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    at_ns: Annotated[int, Field(ge=0, lt=1 << 63)]
    as_of_ns: Annotated[int, Field(ge=0, lt=1 << 63)]
    home: Text
    data: Text
    events: Size
    secrets: bool
    folders: list[Folder]
    members: list[Member]
    links: dict[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")], Sum]

    @property
    def size_bytes(self) -> int:
        """What its members take."""
        return sum(member.size for member in self.members)

    def told(self) -> dict[str, Any]:
        """Return what a person is told of it."""
        return {
            "at_s": self.at_ns / 1e9, "steward": self.steward, "home": self.home, "events": self.events,
            "files": len(self.members), "size_bytes": self.size_bytes, "secrets": self.secrets,
            "skills": sorted(self.links),
        }  # fmt: skip


class Taken(_Strict):
    """A backup that was written. ``behind`` says that something was forgotten since which it may still hold."""

    path: Text
    sha256: Sum
    at_s: float
    size_bytes: Size
    secrets: bool
    events: Size
    behind: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the writing or reading of a backup is, in bytes of its members."""

    done_bytes: int
    total_bytes: int
