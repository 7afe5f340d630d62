"""The bound of the tree that a call met, in words: which node has it, how much it is, and the command that changes it.

What this says is what a person set (a limit of each call, or a budget of all). A bound that the tool asked for itself
is not spoken of here: no command of the tree would raise it.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernel.errors import TaskFailed
from permissions.model import CellOutcome, Limits
from permissions.policy import amount_words

_FALLS = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGKILL, signal.SIGTRAP)


@dataclass(frozen=True, slots=True)
class Bound:
    """An amount of the tree that bounds a call: at ``node``, for one call or (``total``) what is left of a budget.

    ``renewed`` is the budget's own amount.
    """

    node: str
    meter: str
    amount: int
    total: bool = False
    renewed: int = 0

    def command(self) -> str:
        """Return the command that gives more: twice as much for each call, or the whole budget anew."""
        name, more = _name(self.node), self.renewed if self.total else 2 * self.amount
        value = amount_words(more, self.meter).replace(" ", "") if more else "none"
        return f"./steward perms limit {name} {self.meter} {value}{' --total' if self.total else ''}"

    def said(self, language: str) -> str:
        """Return what it is: "The limit of files for memory is 512 MB."."""
        name, amount = _name(self.node), amount_words(self.amount, self.meter)
        if language == "de":
            what = "Vom Budget von {} für {} sind {} übrig." if self.total else "Die Grenze von {} für {} ist {}."
        else:
            what = "The budget of {} for {} has {} left." if self.total else "The limit of {} for {} is {}."
        return what.format(name, self.meter, amount)


def binding(limits: Limits, bounds: Sequence[Bound]) -> tuple[Bound, ...]:
    """Return those of ``bounds`` that made ``limits`` what they are."""
    own = {
        "memory": limits.memory_bytes,
        "wall": round(limits.wall_s * 1000),
        "cpu": limits.cpu_s * 1000,
        "pids": limits.processes,
        "processes": limits.processes,
        "disk": limits.file_bytes,
    }
    return tuple(bound for bound in bounds if bound.meter in own and bound.amount <= own[bound.meter])


def with_bound(
    error: Mapping[str, str], tool: str, cell: CellOutcome, bounds: Sequence[Bound], written_bytes: int, language: str
) -> dict[str, str]:
    """Return the error of a call of ``tool``, with the one of ``bounds`` that it met, or may have met."""
    met = next((bound for bound in bounds if _is_met(bound.meter, error, cell, bound.amount, written_bytes)), None)
    if met is None:
        met = next((bound for bound in bounds if _may_be_why(bound.meter, cell)), None)
        if met is None:
            return dict(error)
        perhaps = "Das kann daran liegen:" if language == "de" else "That may be why:"
        said = f"{error.get('message', '')} {perhaps} {met.said(language)}"
    elif error.get("code") == "tool.disk_full":  # the disk is not: what it wrote is bounded
        refused = beyond(tool, met)
        said = refused.de if language == "de" else str(refused)
    else:
        said = f"{error.get('message', '')} {met.said(language)}"
    hint = f"Mehr erlauben: {met.command()}" if language == "de" else f"To allow more: {met.command()}"
    return {**error, "message": said.strip(), "hint": hint}


def met_memory(error: Mapping[str, str], cell: CellOutcome, bounds: Sequence[Bound]) -> Bound | None:
    """Return the limit of the tree for memory that a call has met for certain; None where it met none of these."""
    is_met = _is_met("memory", error, cell, 0, 0)
    return next((bound for bound in bounds if bound.meter == "memory"), None) if is_met else None


def _is_met(meter: str, error: Mapping[str, str], cell: CellOutcome, amount: int, written_bytes: int) -> bool:
    match meter:
        case "memory":
            return error.get("code") == "task.memory" and not cell.starved
        case "wall":
            return error.get("code") == "task.time"
        case "cpu":
            return cell.signal == signal.SIGXCPU or (cell.signal is not None and cell.cpu_s * 1000 >= amount)
        case "disk":
            full = error.get("code") == "tool.disk_full"
            return full or cell.signal == signal.SIGXFSZ or written_bytes >= max(amount, 1)
        case _:
            return cell.refused_processes > 0


def _may_be_why(meter: str, cell: CellOutcome) -> bool:
    """A library that gets no memory, or no thread, often falls over instead of saying so."""
    return meter in ("memory", "pids", "processes") and cell.signal in _FALLS


def beyond(tool: str, bound: Bound) -> TaskFailed:
    """Return the refusal of a call that cannot keep to a bound."""
    return TaskFailed(
        "refused.limit",
        f"{tool} needs more than it may have. {bound.said('en')} Nothing was changed.",
        subject=f"{tool} ({bound.meter})",
        hint=f"To allow more: {bound.command()}",
        de=f"{tool} braucht mehr, als es haben darf. {bound.said('de')} Es wurde nichts geändert.",
        de_hint=f"Mehr erlauben: {bound.command()}",
    )


def _name(node: str) -> str:
    return node.rpartition("/")[2]
