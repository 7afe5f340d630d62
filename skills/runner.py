"""The runner: one call of a tool, from typed arguments to a checked result, through a cell."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from permissions.model import CellOutcome, CellSpec, CellStatus, Connection, Raised
from skills.contents import uncounted
from skills.errors import UnknownTool
from skills.manifest import SOURCE
from skills.model import Call, CallResult
from skills.schema import Signature, read_signatures
from skills.sdk import words
from skills.wire import decode_reply, encode_request

Progress = Callable[[float | None, str], None]
Connected = Callable[[Connection], None]
Answer = Callable[[bytes, int], Awaitable[bytes | None]]
"""Answers what a call asks the daemon for, with the memory that it has been given by then."""

_PROGRESS_PAUSE_S = 0.05
"""Reports that follow sooner are dropped: every one becomes an event, and a skill's own code may send millions."""


class CellHouse(Protocol):
    """What the runner needs of ``permissions.Cells``."""

    async def call(
        self,
        spec: CellSpec,
        request: bytes,
        *,
        on_progress: Callable[[bytes], None] | None = None,
        on_connection: Connected | None = None,
        on_raised: Callable[[Raised], None] | None = None,
        answer: Answer | None = None,
    ) -> CellOutcome:
        """Run one request in a cell of its own."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a call gave back, and what its cell measured."""

    result: CallResult
    cell: CellOutcome


class Runner:
    """Runs calls. Cancelling the awaiting task kills the cell."""

    def __init__(self, cells: CellHouse) -> None:
        self._cells = cells

    async def run(
        self,
        call: Call,
        spec: CellSpec,
        on_progress: Progress | None = None,
        on_connection: Connected | None = None,
        answer: Answer | None = None,
    ) -> Ran:
        """Run ``call`` with the rights of ``spec``.

        A cell that crashed or ran out of time or memory is a result with an error in words. Raises BadSkill or
        UnknownTool when the tool is gone, BadResult when an argument or the result does not fit its declared type,
        and what ``Cells.call`` raises.
        """
        spec = replace(spec, hidden_paths=(*spec.hidden_paths, *uncounted(Path(call.folder))))
        signature = _signature(call)
        request = encode_request(call, signature, spec.hidden_paths)
        cell = await self._cells.call(
            spec, request, on_progress=_listener(on_progress), on_connection=on_connection,
            on_raised=_teller(call, on_progress), answer=answer,
        )  # fmt: skip
        if cell.status is CellStatus.RETURNED and cell.reply is not None:
            result = decode_reply(cell.reply, signature.result)
            if not (result.error and result.error["code"] == "task.memory"):
                return Ran(_with_refused(result, call, spec, cell), cell)
            cell = replace(cell, status=CellStatus.OUT_OF_MEMORY, reply=None)  # Python, or a library, noticed first
        return Ran(_with_refused(CallResult(error=_ended(call, spec, cell)), call, spec, cell), cell)


def _signature(call: Call) -> Signature:
    found = read_signatures(Path(call.folder) / SOURCE).get(call.function)
    if found is None:
        message = f"{call.tool} is not in {call.folder} any more."
        raise UnknownTool(
            "tool.unknown", message, subject=call.tool, hint="Restart Steward: ./steward down, ./steward up."
        )
    return found


def _listener(on_progress: Progress | None) -> Callable[[bytes], None] | None:
    if on_progress is None:
        return None

    heard_at = float("-inf")

    def listen(data: bytes) -> None:
        nonlocal heard_at
        if time.monotonic() - heard_at < _PROGRESS_PAUSE_S:
            return
        try:
            body = json.loads(data)
            fraction, text = body["fraction"], str(body["text"])[:500]
            part = float(fraction) if isinstance(fraction, int | float) else None
        except (ArithmeticError, KeyError, RecursionError, TypeError, ValueError):
            return  # progress is decoration; a malformed line is dropped
        heard_at = time.monotonic()
        on_progress(part if part is not None and math.isfinite(part) else None, text)

    return listen


def _teller(call: Call, on_progress: Progress | None) -> Callable[[Raised], None] | None:
    """Let a person see, as progress, that a call was given more memory while it runs."""
    if on_progress is None:
        return None

    def tell(raised: Raised) -> None:
        now, most = (words.size(number, call.language) for number in (raised.now_bytes, raised.most_bytes))
        text = (
            f"{call.tool} braucht mehr Speicher: jetzt {now} von höchstens {most}."
            if call.language == "de"
            else f"{call.tool} needs more memory: now {now} of at most {most}."
        )
        on_progress(None, text)

    return tell


def _with_refused(result: CallResult, call: Call, spec: CellSpec, cell: CellOutcome) -> CallResult:
    """Add to what went wrong that the limit on processes was met, where it was."""
    if not (result.error and cell.refused_processes):
        return result
    most = spec.limits.processes
    why = (
        f"Es wollte mehr Prozesse als die {most}, die es haben darf."
        if call.language == "de"
        else f"It wanted more processes than the {most} that it may have."
    )
    return replace(result, error={**result.error, "message": f"{result.error['message']} {why}"})


def _ended(call: Call, spec: CellSpec, cell: CellOutcome) -> dict[str, str]:
    """Say in words how a cell ended that brought no result."""
    german = call.language == "de"
    match cell.status:
        case CellStatus.OUT_OF_TIME:
            limit = f"{spec.limits.wall_s:g}"
            english = f"{call.tool} took longer than {limit} seconds and was stopped.", "Ask for less at once."
            other = (
                f"{call.tool} brauchte länger als {limit} Sekunden und wurde beendet.",
                "Verlange weniger auf einmal.",
            )
            code = "task.time"
        case CellStatus.OUT_OF_MEMORY:
            code, (english, other) = "task.memory", _memory_words(call, spec, cell)
        case CellStatus.CANCELLED:
            code = "task.cancelled"
            english, other = (f"{call.tool} was cancelled.", ""), (f"{call.tool} wurde abgebrochen.", "")
        case _:
            code, (english, other) = "task.crashed", _crash_words(call, cell)
    message, hint = other if german else english
    return {"code": code, "message": message, "hint": hint}


def _memory_words(call: Call, spec: CellSpec, cell: CellOutcome) -> tuple[tuple[str, str], tuple[str, str]]:
    """Say what it had and what was the most; where the machine had no more to give, say that."""
    english, german = (
        (
            f"{call.tool} needed more memory than this machine has left",
            f"{call.tool} brauchte mehr Speicher als frei ist",
        )
        if cell.starved
        else (f"{call.tool} needed more memory than it may use", f"{call.tool} brauchte mehr Speicher als erlaubt")
    )
    peak, limit, spitze, grenze = (
        words.size(number, language)
        for language in ("en", "de")
        for number in (cell.peak_bytes, spec.limits.memory_bytes)
    )
    english += f": it reached {peak}, its limit is {limit}." if cell.peak_bytes else f": its limit is {limit}."
    german += f": Es erreichte {spitze}, die Grenze ist {grenze}." if cell.peak_bytes else f": Die Grenze ist {grenze}."
    hint, tip = "Try a smaller file or folder.", "Versuche es mit einer kleineren Datei."
    if cell.starved:
        hint = f"Close a program that needs much memory, then ask again. {hint}"
        tip = f"Schließ ein Programm, das viel Speicher braucht, und frag noch einmal. {tip}"
    return (english, hint), (german, tip)


def _crash_words(call: Call, cell: CellOutcome) -> tuple[tuple[str, str], tuple[str, str]]:
    how = f"signal {cell.signal}" if cell.signal else f"exit code {cell.exit_code}"
    lines = cell.stderr_tail.strip().splitlines()
    last = f" Its last words: {lines[-1][:300]}" if lines else ""
    wort = f" Seine letzten Worte: {lines[-1][:300]}" if lines else ""
    hint = "Ask again; if it happens twice, report it to the skill's author."
    tip = "Versuche es noch einmal; wenn es wieder geschieht, melde es."
    return (f"{call.tool} crashed ({how}).{last}", hint), (f"{call.tool} ist abgestürzt ({how}).{wort}", tip)
