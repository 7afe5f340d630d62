"""The outbox: letters as they leave, on disk, from before a person is asked until it is certain what became of them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from permissions.private_file import sync_folder, write_private

_RUN = re.compile(r"[A-Za-z0-9-]{1,80}")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A composed letter of a run. ``seen`` is what a person is shown of it; ``digest`` the SHA-256 of its bytes."""

    number: int
    message_id: str
    recipients: tuple[str, ...]
    digest: str
    size_bytes: int
    seen: dict[str, Any]


class Outbox:
    """The letters below ``folder``, by run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, run: str, letter: Waiting, mail: bytes) -> None:
        """Keep a letter, on disk when this returns. Raises OSError."""
        place = self._place(run)
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(place / f"{letter.number}.eml", mail)
        write_private(place / f"{letter.number}.json", json.dumps(asdict(letter)).encode())
        for folder in (self._folder, self._folder.parent):
            sync_folder(folder)

    def of(self, run: str) -> list[Waiting]:
        """Return the letters of ``run`` in order."""
        place = self._place(run)
        if not place.is_dir():
            return []
        found = [json.loads(path.read_bytes()) for path in place.glob("*.json")]
        letters = [Waiting(**{**one, "recipients": tuple(one["recipients"])}) for one in found]
        return sorted(letters, key=lambda one: one.number)

    def mail(self, run: str, letter: Waiting) -> bytes:
        """Return the bytes of a letter. Raises OSError."""
        return (self._place(run) / f"{letter.number}.eml").read_bytes()

    def drop(self, run: str) -> None:
        """Let go of the letters of ``run``."""
        shutil.rmtree(self._place(run), ignore_errors=True)

    def sweep(self, runs: Collection[str]) -> None:
        """Let go of the letters of every run but ``runs``: they have ended."""
        for place in self._folder.iterdir() if self._folder.is_dir() else ():
            if place.name not in runs:
                shutil.rmtree(place, ignore_errors=True)

    def _place(self, run: str) -> Path:
        if not _RUN.fullmatch(run):
            raise ValueError("no run")
        return self._folder / run
