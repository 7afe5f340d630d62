"""Programs of the session that the daemon runs: found by name, fed, waited for, ended when they take too long."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from kernel.errors import TaskFailed

_WAIT_S = 10.0
_MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended and what it put out; ``more`` where that was more than is kept."""

    status: int
    output: bytes
    more: bool = False


def first_there(choices: Sequence[Sequence[str]], variables: Mapping[str, str]) -> Sequence[str] | None:
    """Return the first of these command lines whose program is installed."""
    return next(iter(all_there(choices, variables)), None)


def all_there(choices: Sequence[Sequence[str]], variables: Mapping[str, str]) -> list[Sequence[str]]:
    """Return those of these command lines whose program is installed."""
    path = variables.get("PATH")
    return [line for line in choices if shutil.which(line[0], path=path)]


def lacking(what: str, was: str, names: str) -> TaskFailed:
    """Say which programs would do what none here does."""
    return TaskFailed(
        "desktop.program", f"There is no program here {what}.", subject=names, hint=f"Install one of: {names}.",
        de=f"Hier gibt es kein Programm, {was}.", de_hint=f"Installiere eines davon: {names}.",
    )  # fmt: skip


async def run(
    line: Sequence[str], variables: Mapping[str, str], *, fed: bytes = b"", reads: bool = False,
    most_bytes: int = _MOST_BYTES, wait_s: float = _WAIT_S,
) -> Ended:  # fmt: skip
    """Run a program to its end; of its output at most ``most_bytes`` where it ``reads``, else nothing is listened to.

    A program that goes on in the background (whoever holds the clipboard does) is not waited for. Raises TaskFailed.
    """
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *line, env=dict(variables), cwd="/", start_new_session=True, stdin=asyncio.subprocess.PIPE if fed else quiet,
        stdout=asyncio.subprocess.PIPE if reads else quiet, stderr=quiet,
    )  # fmt: skip
    try:
        async with asyncio.timeout(wait_s):
            output = await _exchanged(process, fed, most_bytes if reads else 0)
            more = len(output) > most_bytes
            if more:
                _kill(process)
            return Ended(await process.wait(), output[:most_bytes], more)
    except TimeoutError as error:
        raise _late(line[0], wait_s) from error
    finally:
        if process.returncode is None:
            _kill(process)
            await process.wait()


async def _exchanged(process: asyncio.subprocess.Process, fed: bytes, most_bytes: int) -> bytes:
    if process.stdin is not None:
        with suppress(ConnectionError):
            process.stdin.write(fed)
            await process.stdin.drain()
        process.stdin.close()
    found = bytearray()
    while process.stdout is not None and len(found) <= most_bytes:
        part = await process.stdout.read(64 << 10)
        if not part:
            break
        found += part
    return bytes(found)


def _kill(process: asyncio.subprocess.Process) -> None:
    """End a program with what it started: that may hold its output, for whose end is waited."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _late(name: str, wait_s: float) -> TaskFailed:
    return TaskFailed(
        "desktop.time", f"{name} did not answer within {wait_s:g} seconds.", subject=name,
        hint="Look whether the desktop answers, and ask again.",
        de=f"{name} hat in {wait_s:g} Sekunden nicht geantwortet.",
        de_hint="Sieh nach, ob der Desktop antwortet, und frag noch einmal.",
    )  # fmt: skip
