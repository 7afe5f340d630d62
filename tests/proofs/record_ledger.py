"""Be a ledger's life on a disk that is written down: ``record_ledger.py FOLDER SYNCHRONOUS LOG``."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from tests.proofs import sqlite_by_apsw


def main() -> None:
    """Open, write, close, open again, write, forget, write, close; note every acknowledgement where it came."""
    folder, synchronous, log = sys.argv[1:]
    sqlite_by_apsw.install(synchronous)
    from memory import Draft, Ledger
    from memory.model import EntityId

    anna = EntityId("person:anna")

    def append(ledger: Ledger, number: int, *, about: bool = False, size: int = 300, many: int = 1) -> None:
        entities = (anna,) if about else ()
        body = {"number": number, "text": "x" * size}
        done = ledger.append(*(Draft("task.done", body, run="r", entities=entities) for _ in range(many)))
        sqlite_by_apsw.LOG.append(("ack", [(event.seq, event.hash) for event in done]))

    with Ledger.open(Path(folder)) as ledger:
        append(ledger, 1, about=True)
        append(ledger, 2, size=6000)
        append(ledger, 3, many=5)
    with Ledger.open(Path(folder)) as ledger:
        for number in range(4, 10):
            append(ledger, number, about=number % 3 == 0, size=300 * number)
        ledger.forget(anna)
        sqlite_by_apsw.LOG.append(("forgot", 0))
        append(ledger, 10)
        append(ledger, 11, about=True)
    sqlite_by_apsw.LOG.append(("closed", 0))
    Path(log).write_bytes(pickle.dumps(sqlite_by_apsw.LOG))


if __name__ == "__main__":
    main()
