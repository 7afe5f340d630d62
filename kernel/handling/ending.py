"""How a run ends: exactly one resolution, written once, with what stands and what does not.

Whatever happens on the way becomes ``run.finished``; only where the ledger itself cannot be written is nobody told.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

from kernel.approval.card import change_view
from kernel.commit import drop
from kernel.errors import KernelError
from kernel.failures import told
from kernel.macros.calling import note as macro_note
from kernel.mailing import sending
from kernel.mailing.standing import Standing as MailStanding
from kernel.model import Resolution
from kernel.remember import CLOSED, REFUSED
from kernel.remembering.bulk import lean_changes
from kernel.run import Run, Stop, error_view, unbroken, words
from kernel.terms import Overdue
from memory.errors import StoreError
from permissions.errors import PermissionsError
from skills.errors import SkillError

_DONE = (Resolution.EXECUTED, Resolution.CONFIRMED)


async def ended(run: Run, way: Coroutine[Any, Any, None]) -> None:
    """Go the ``way`` of a run to its end, whatever that is, and write it down. Raises nothing."""
    try:
        await way
    except Stop as stop:
        await finish(run, stop.resolution, stop.answer, **stop.more)
    except asyncio.CancelledError:
        if run.abandoned:
            return
        end = await unbroken(_cut_short(run, "run.cancelled", words(run, "cancelled"), words(run, "late")))
        await finish(run, end.resolution, end.answer, **end.more)
    except Overdue:
        over, late = run.held.over(run.language), run.held.late(run.language)
        end = await unbroken(_cut_short(run, "run.deadline", over, late))
        await finish(run, end.resolution, end.answer, **end.more)
    except (KernelError, PermissionsError, SkillError) as error:
        await _finish_failed(run, error.code, *told(error, run.language))
    except StoreError as error:  # the ledger cannot be written: nobody can be told through it
        run.house.report(error)
        run.fault = error
        await drop(run)
    except Exception as error:  # the request edge: an unforeseen fault ends this run, not the daemon
        run.house.report(error)
        message = words(run, "fault").format(fault=f"{type(error).__name__}: {error}")
        await _finish_failed(run, "kernel.fault", message, "./steward doctor")


async def finish(run: Run, resolution: Resolution, answer: str, **more: Any) -> None:
    """Write the one end of a run, with ``more`` of its view; nothing of what was only staged stays."""
    await drop(run)
    run.house.policy = run.house.policy.after_run(run.id)
    run.timings["total_ms"] = (time.perf_counter() - run.began) * 1000
    run.timings["ledger_ms"] = run.log.ledger_s * 1000
    timings = {stage: round(ms, 2) for stage, ms in run.timings.items()}
    if "effects" in more:
        more["effects"] = lean_changes(more["effects"])
    if run.macro:
        answer = "\n".join(filter(None, (answer, macro_note(run, done=resolution in _DONE))))
    body = {"resolution": str(resolution), "answer": answer, "language": run.language, "timings": timings}
    body |= run.reply() | more
    if run.private:
        refused = (more.get("error") or {}).get("code") == REFUSED
        await unbroken(run.log.say(CLOSED, None, {"resolution": str(resolution), "refused": refused}))
    await unbroken(run.log.say("run.finished", None, body))
    await unbroken(asyncio.to_thread(run.house.post.outbox.drop, run.id))


async def _finish_failed(run: Run, code: str, message: str, hint: str) -> None:
    answer = " ".join(part for part in (message, hint) if part)
    await finish(run, Resolution.FAILED, answer, error=error_view(code, message, hint))


async def _cut_short(run: Run, code: str, undone: str, done: str) -> Stop:
    """Say how a run stands that was ended early: in the words for what was left ``undone``, or was ``done`` by then."""
    if any(stand is not MailStanding.PREPARED for stand in sending.standing(run).values()):
        return await how_it_stands(run)
    if run.id in run.house.with_effects and run.house.transactions.effects(run.id):
        if await asyncio.to_thread(run.house.post.outbox.of, run.id):
            return await how_it_stands(run)
        return _with_effects(run, Stop(Resolution.CONFIRMED, done))
    return Stop(Resolution.ROLLED_BACK, undone, error=error_view(code, undone, ""))


async def how_it_stands(run: Run, ended: Stop | KernelError | PermissionsError | None = None) -> Stop:
    """Say of a run that ended among its letters how each of them stands, why it ended, and what it has changed."""
    why, code, resolution = "", "", None
    if isinstance(ended, Stop):
        why, resolution = ended.answer, ended.resolution
        code = str((ended.more.get("error") or {}).get("code", ""))
    elif ended is not None:
        why, code = " ".join(filter(None, told(ended, run.language))), ended.code
    letters = await asyncio.to_thread(run.house.post.outbox.of, run.id)
    stop = sending.report(run, letters, why=why, code=code)
    return _with_effects(run, Stop(resolution or stop.resolution, stop.answer, **stop.more))


def _with_effects(run: Run, stop: Stop) -> Stop:
    """Return ``stop`` with what the run has changed all the same."""
    changes = [change_view(change) for change in run.house.transactions.effects(run.id)]
    if changes and run.id not in run.house.with_effects:
        run.house.with_effects.append(run.id)
    return Stop(stop.resolution, stop.answer, **{"effects": changes, **stop.more})
