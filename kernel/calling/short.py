"""A call for another tool that ran out of memory: which limit of a person it met, told to its caller and kept for it.

Its caller is told under a code of its own (``call.memory``): under the code of those that ran out of it themselves it
would be taken for one of these.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kernel.allotting import Allotment, Short, met_memory, with_bound
from permissions.model import Limits
from skills.model import Tool

MEMORY = "call.memory"
_OWN = "task.memory"


def judged(
    ran: Any, called: Tool, caller: Tool, task: str, allotments: tuple[Allotment, Allotment], left: Limits,
    written_bytes: int, language: str,
) -> tuple[Any, Short | None]:  # fmt: skip
    """Return how a call that failed is told to its caller, and what a person can be asked about it.

    ``allotments`` are those of the call and of its caller, ``left`` is what that one had left to lend: where this was
    all the call had, the limit it met is its caller's.
    """
    own, lenders = allotments
    memory = tuple(bound for bound in lenders.bounds if bound.meter == "memory")
    bounds = own.bounds + (memory if own.limits.memory_bytes >= left.memory_bytes else ())
    error = with_bound(ran.result.error, called.id, ran.cell, bounds, written_bytes, language)
    met = met_memory(error, ran.cell, bounds)
    if error.get("code") == _OWN:
        error = {**error, "code": MEMORY}
    told = replace(ran, result=replace(ran.result, error=error))
    if met is None:
        return told, None
    tool = called if met in own.bounds else caller
    return told, Short(task, tool.id, met, ran.cell.peak_bytes)
