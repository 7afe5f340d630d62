"""Tenures: the calls that run, each with the rights it holds; one whose right is taken away is stopped.

What this stops: a call going on with a right that was revoked, denied or has ended since it began.
What it does not: take back what a call has read. What it described is dropped with its run: nothing is staged of a
call that was stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kernel.errors import TaskFailed
from kernel.failures import reason
from permissions.model import Decision, Verdict

Lost = Callable[[], Decision | None]
"""Decides every right of a call again; the first that it no longer holds, or None."""


@dataclass(eq=False, slots=True)
class _Tenure:
    job: asyncio.Task[object]
    lost: Lost
    taken: Decision | None = None


class Tenures:
    """The calls under way. All methods belong to one event loop."""

    def __init__(self) -> None:
        self._held: set[_Tenure] = set()

    @contextmanager
    def hold(self, tool: str, lost: Lost, ends_in_s: float | None = None) -> Iterator[None]:
        """Let the calling task work as long as it holds its rights; they are decided again after ``ends_in_s``.

        Raises TaskFailed when a right was missing already, or is taken away meanwhile (source: asyncio.timeout).
        """
        missing, job = lost(), asyncio.current_task()
        if missing is not None:
            raise taken_away(tool, missing)
        assert job is not None
        tenure, cancelling = _Tenure(job, lost), job.cancelling()
        self._held.add(tenure)
        timer = None if ends_in_s is None else asyncio.get_running_loop().call_later(ends_in_s, self.recheck)
        try:
            yield
        except asyncio.CancelledError:
            if tenure.taken is not None and job.uncancel() <= cancelling:
                raise taken_away(tool, tenure.taken) from None
            raise
        finally:
            self._held.discard(tenure)
            if timer is not None:
                timer.cancel()

    def recheck(self) -> None:
        """Decide the rights of every call under way again, and stop those that lost one."""
        for tenure in [one for one in self._held if one.taken is None]:
            tenure.taken = tenure.lost()
            if tenure.taken is not None:
                tenure.job.cancel()


def taken_away(tool: str, lost: Decision) -> TaskFailed:
    """Return how a call ends that has lost a right, in both languages."""
    denied = lost.verdict is Verdict.DENY
    why, warum = (lost.reason, reason(lost.reason, "de")) if denied else ("it is not granted", "es ist nicht erlaubt")
    return TaskFailed(
        "task.revoked", f"{tool} was stopped: {lost.right} was taken away ({why}). Nothing was changed.",
        subject=tool, hint=lost.remedy or "./steward perms shows what is allowed.",
        de=f"{tool} wurde angehalten: {lost.right} ist nicht mehr erlaubt ({warum}). Es wurde nichts geändert.",
        de_hint=lost.remedy or "./steward perms zeigt, was erlaubt ist.",
    )  # fmt: skip
