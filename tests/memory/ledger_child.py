"""Processes for the tests to kill: reads commands as JSON lines, forks one process for each.

Each says "pid N", then the seq of every event that was acknowledged to it, then "exit CODE" (by the server).
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from memory import Draft, Ledger
from memory.model import EntityId


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def work(command: dict[str, Any]) -> None:
    ledger = Ledger.open(Path(command["folder"]))
    for number in command.get("numbers", ()):
        entities = (EntityId(command["entity"]),) if number % 2 else ()
        for event in ledger.append(Draft("task.done", {"number": number}, run="child", entities=entities)):
            say(str(event.seq))
    if command.get("forget"):
        say(f"forgot {ledger.forget(EntityId(command['entity']))}")
    signal.pause()  # until it is killed


def main() -> None:
    for line in iter(sys.stdin.readline, ""):
        process = os.fork()
        if not process:
            try:
                say(f"pid {os.getpid()}")
                work(json.loads(line))
            except BaseException as error:
                say(f"{type(error).__name__}: {error}")
                os._exit(1)
            os._exit(0)
        say(f"exit {os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])}")


if __name__ == "__main__":
    main()
