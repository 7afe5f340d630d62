"""Processes that change a graph and are killed before a chosen statement on the graph's file or the ledger's call.

Reads commands as JSON lines (``folder``, ``limit``) and forks one process for each: it does the script, and ends at
once before statement number ``limit``. Each says "pid N", "acknowledged N" after step N, and "statements N" when it was
not killed; then the server says "exit CODE".
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from memory import Ledger
from memory.graph import Claim, Graph, Object, Stores
from memory.model import EntityId

DAY_NS = 86_400 * 10**9


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def script(graph: Graph) -> Iterator[Callable[[], object]]:
    """The steps, in order; the same every time, but for the ids."""

    def find(name: str) -> EntityId:
        return next(entity.id for entity in graph.entities() if entity.name == name)

    def tell(who: str, predicate: str, value: Object, day: int | None = None) -> None:
        at = None if day is None else day * DAY_NS
        graph.assert_fact(Claim(find(who), predicate, value, "user", valid_from=at))

    yield lambda: graph.make_entity("person", "Anna Quillfeather", ["Anna Q"])
    yield lambda: graph.make_entity("person", "Ben")
    yield lambda: graph.make_entity("org", "Xenon")
    yield lambda: tell("Anna Quillfeather", "works_at", Object.entity(find("Xenon")), 100)
    yield lambda: tell("Ben", "partner", Object.entity(find("Anna Quillfeather")), 50)
    yield lambda: tell("Ben", "remembered", Object.text("Anna Quillfeather likes marzipan"))
    yield lambda: graph.search("marzipan")
    yield lambda: tell("Ben", "email", Object.text("ben@example.org"))
    yield lambda: graph.forget(find("Anna Quillfeather"))
    yield lambda: tell("Ben", "works_at", Object.entity(find("Xenon")), 200)
    yield lambda: graph.search("xenon")


def change(folder: Path, limit: int) -> None:
    """Do the script in ``folder``; this process ends here, before statement ``limit`` or after the last."""
    count = 0

    def before(_: str) -> None:
        nonlocal count
        count += 1
        if count == limit:
            os._exit(9)

    connect = sqlite3.connect

    def watched(path: object, *arguments: object, **options: object) -> sqlite3.Connection:
        connection = connect(path, *arguments, **options)  # type: ignore[call-overload]
        connection.set_trace_callback(before)
        return connection

    sqlite3.connect = watched  # type: ignore[assignment]
    with Ledger.open(folder / "ledger") as ledger, Graph.open(folder / "graph", ledger, Stores()) as graph:
        for number, step in enumerate(script(graph)):
            step()
            say(f"acknowledged {number}")
    say(f"statements {count}")
    os._exit(0)


def main() -> None:
    for line in iter(sys.stdin.readline, ""):
        process = os.fork()
        if not process:
            try:
                say(f"pid {os.getpid()}")
                command = json.loads(line)
                change(Path(command["folder"]), command["limit"])
            except BaseException as error:
                say(f"{type(error).__name__}: {error}")
                os._exit(1)
        say(f"exit {os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])}")


if __name__ == "__main__":
    main()
