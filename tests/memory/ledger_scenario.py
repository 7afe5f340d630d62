"""Scenes for test_storage.py that need a file system of their own: run as `ledger_scenario.py SCENE FOLDER`.

Each prints what it saw as one JSON line; the test asserts.
"""

from __future__ import annotations

import contextlib
import json
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from memory import Draft, Ledger
from memory.errors import StoreError

MORE = Draft("task.done", {"text": "x" * 3_000}, run="r")


def fill(ledger: Ledger) -> tuple[int, StoreError]:
    """Append until it fails; how many were acknowledged and the error."""
    done = 0
    while True:
        try:
            ledger.append(MORE)
        except StoreError as error:
            return done, error
        done += 1


def report(ledger: Ledger, done: int, error: StoreError, **more: Any) -> None:
    check = ledger.verify()
    last = ledger.append(MORE)[0].seq
    ledger.close()
    with Ledger.open(ledger.folder) as again:
        seen = [event.seq for event in again.events()]
        ok = check.ok and again.verify().ok
    print(
        json.dumps({"done": done, "code": error.code, "hint": error.hint, "last": last, "seen": seen, "ok": ok} | more)
    )


def full(folder: Path) -> None:
    """The disk is full until a ballast file is removed."""
    ballast = folder.parent / "ballast"
    ledger = Ledger.open(folder)
    done = len(ledger.append(MORE, MORE))
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"\0" * 4096):
            pass
    more, error = fill(ledger)
    again = fill(ledger)[1]
    ballast.unlink()
    report(ledger, done + more, error, again=again.code)


def limit(folder: Path) -> None:
    """No file may grow beyond 200 kB until the limit is lifted."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    ledger = Ledger.open(folder)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    done, error = fill(ledger)
    again = fill(ledger)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    report(ledger, done, error, again=again.code)


def look(folder: Path) -> None:
    """Read and verify where nothing can be written."""
    with Ledger.open(folder, read_only=True) as ledger:
        seen = [event.seq for event in ledger.events()]
        ok = ledger.verify().ok
    try:
        Ledger.open(folder).close()
        code = ""
    except StoreError as error:
        code = error.code
    print(json.dumps({"seen": seen, "ok": ok, "code": code}))


if __name__ == "__main__":
    {"full": full, "limit": limit, "look": look}[sys.argv[1]](Path(sys.argv[2]))
