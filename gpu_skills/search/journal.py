"""The journal of a search: one JSON line an answer, so that nothing measured is lost and nothing is asked twice.

Stops: half a last line (left out), a line that is no JSON (left out; it is asked again), two searches in one folder
(a lock), the journal of another space (refused). Does not stop: somebody who writes false lines; a folder is its
owner's.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from pathlib import Path
from typing import Any, Final

from gpu_skills.errors import SearchElsewhere
from gpu_skills.model import Space

FILE: Final = "search.jsonl"
_VERSION: Final = 1
Line = dict[str, Any]


class Journal:
    """The lines of a search. ``lines`` are those of an earlier run; ``seed`` is the one that counts."""

    def __init__(self, folder: Path, space: Space, seed: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.place = folder / FILE
        self._file = os.open(self.place, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            self._lock()
            self.lines, self.seed = self._begun(_fingerprint(space), seed)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, line: Line, *, sync: bool = False) -> None:
        """Write a line whole; with ``sync`` it is on the disk when this returns."""
        _write(self._file, json.dumps(line, separators=(",", ":")).encode() + b"\n")
        if sync:
            os.fsync(self._file)

    def close(self) -> None:
        """Write through and let the folder go."""
        os.fsync(self._file)
        os.close(self._file)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise SearchElsewhere(
                "search.running", f"Another search writes into {self.place.parent}.", hint="Wait for it, or end it."
            ) from error

    def _begun(self, space: str, seed: int) -> tuple[list[Line], int]:
        """Read what is there, or begin."""
        data = self.place.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._file, whole)
        lines = [line for line in map(_parsed, data[:whole].splitlines()) if line is not None]
        if not lines:
            os.ftruncate(self._file, 0)
            self.append({"search": _VERSION, "space": space, "seed": seed}, sync=True)
            return [], seed
        head = lines[0]
        if head.get("search") != _VERSION or head.get("space") != space:
            raise SearchElsewhere(
                "search.other", f"{self.place} is the journal of another search.", hint="Take another, empty folder."
            )
        return lines[1:], int(head["seed"])


def _parsed(data: bytes) -> Line | None:
    try:
        found = json.loads(data)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def _fingerprint(space: Space) -> str:
    knobs = [[one.name, [[type(each).__name__, each] for each in one.choices]] for one in space.knobs]
    told = [space.family, knobs, [sorted(one.items()) for one in space.excluded]]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()
