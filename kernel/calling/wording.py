"""What is read of a caller, what it is answered, and what stands in the ledger of it. Pure.

Of values only small ones are written down: a tool may call very often, and what it hands on is its own affair.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from kernel.calling.lending import Loan
from kernel.calling.refusals import malformed
from kernel.model import FromTask, TaskId
from kernel.remembering.bulk import FIRST
from permissions.labels import Label
from permissions.model import Right
from skills.model import Tool

_SMALL_BYTES = 4 << 10
_LONGEST_NAME = 130
_MOST_ANSWER = 500

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a caller names: a tool with arguments, and where it is a step of a plan, which parts of those are meant."""

    tool: str
    arguments: dict[str, Any]
    step: bool = False
    parts: Mapping[str, FromTask] = field(default_factory=dict)


def read_question(data: bytes) -> Asked:
    """Return what a caller names. Raises TaskFailed; nothing else in it was judged."""
    try:
        body = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise malformed("no JSON") from error
    tool, arguments = (body.get("tool"), body.get("arguments")) if isinstance(body, dict) else (None, None)
    if not isinstance(tool, str) or not isinstance(arguments, dict) or len(tool) > _LONGEST_NAME:
        raise malformed("no tool with arguments")
    parts = body.get("parts")
    if parts is None:
        return Asked(tool, arguments)
    if not isinstance(parts, dict) or not parts.keys() <= arguments.keys():
        raise malformed("parts of something else")
    return Asked(tool, arguments, True, {name: _part(one) for name, one in parts.items()})


def _part(one: Any) -> FromTask:
    name, index = (one.get("field"), one.get("index")) if isinstance(one, dict) else (None, None)
    if not isinstance(name, str) or len(name) > _LONGEST_NAME or not (index is None or type(index) is int):
        raise malformed("a part that is none")
    return FromTask(TaskId(""), name, index)


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def reply(ran: Any, called: Tool, loan: Loan, changes: Sequence[Mapping[str, Any]] = ()) -> Body:
    """Return what the caller is answered: the value with its type, or what went wrong; a step's ``changes``."""
    result, kind = ran.result, called.result
    if result.error:
        return {"error": {name: result.error[name] for name in ("code", "message", "hint")}}
    return {"value": result.value, "type": [kind.kind, kind.many, list(kind.choices)], "answer": result.answer,
            "withheld": [str(right) for right in loan.withheld], "changes": list(changes)}  # fmt: skip


def started(call: str, caller: Tool, called: Tool, depth: int, values: Mapping[str, Any], loan: Loan) -> Body:
    """Return the event of a call that begins: who asks for what, with which values and which rights."""
    return {
        "call": call, "by": caller.id, "tool": called.id, "depth": depth, **_small("arguments", values),
        **_rights("rights", loan.all()), **_rights("withheld", loan.withheld), "rights_hash": rights_hash(loan.all()),
    }  # fmt: skip


def ended(call: str, caller: Tool, called: Tool, ran: Any, label: Label) -> Body:
    """Return the event of a call that has ended by itself; of one that failed it has a ``code``."""
    result, cell = ran.result, ran.cell
    measured = {
        "call": call, "by": caller.id, "tool": called.id, "level": str(cell.level),
        "wall_ms": round(cell.wall_s * 1000, 1), "peak_bytes": cell.peak_bytes, "reserved_bytes": cell.reserved_bytes,
    }  # fmt: skip
    if result.error:
        return measured | {name: result.error[name] for name in ("code", "message", "hint")}
    return measured | {
        "answer": result.answer[:_MOST_ANSWER],
        **_small("value", result.value),
        "label": label.to_json(),
    }


def failed(call: str, caller: Tool, tool: str, code: str, message: str, hint: str) -> Body:
    """Return the event of a call that was not made, or was ended."""
    return {"call": call, "by": caller.id, "tool": tool, "code": code, "message": message, "hint": hint}


def rights_hash(rights: Iterable[Right]) -> str:
    """Return the SHA-256 over the sorted rights, one a line."""
    return hashlib.sha256("\n".join(sorted(map(str, rights))).encode("utf-8", "surrogatepass")).hexdigest()


def _small(name: str, value: Any) -> Body:
    """Return ``value`` under ``name``; of a large one its size."""
    size = len(json.dumps(value, default=dict))
    return {name: value} if size <= _SMALL_BYTES else {f"{name}_bytes": size}


def _rights(name: str, rights: tuple[Right, ...]) -> Body:
    """Return the first of ``rights``, and how many there are where those are not all."""
    more = {f"{name}_count": len(rights)} if len(rights) > FIRST else {}
    return {name: [str(right) for right in rights[:FIRST]], **more}
