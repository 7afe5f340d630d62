"""A call that a client asks for, as the plan of one task that goes the way of every plan.

What this stops: a tool that was not offered to this client; arguments of another form than the tool's types, places
that are not whole paths, unknown or missing arguments, more places than one call takes.
What it does not: decide rights. The plan is authorized like any other, in the client's name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kernel.clients.model import ToolCall
from kernel.errors import BadRequest
from kernel.model import Constant, Plan, Task, TaskId
from kernel.paths import whole
from permissions.labels import CLIENT_SAID
from permissions.naming import sentence
from skills.arguments import checked_arguments
from skills.errors import BadResult
from skills.model import Tool, ValueKind

_PLACES = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE})
_TASK = TaskId("t1")
_LONGEST = 300


def plan_of(call: ToolCall, tool: Tool, home: str) -> Plan:
    """Return the plan that makes ``call``. Raises BadRequest where an argument does not fit."""
    try:
        values = checked_arguments(tool, _at_home(tool, call.arguments, home))
    except (BadResult, RecursionError) as error:
        hint = "The tool's input schema says what it takes."
        raise BadRequest("call.argument", sentence(str(error)), subject=tool.id, hint=hint) from error
    constants = {name: Constant(value, CLIENT_SAID) for name, value in values.items()}
    return Plan((Task(_TASK, tool.id, constants, text=said(call)),), "en")


def said(call: ToolCall) -> str:
    """Return the call as one line of text, as the record shows it."""
    given = json.dumps(dict(call.arguments), ensure_ascii=False, default=str)
    text = f"{call.tool} {given}".encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _at_home(tool: Tool, given: Mapping[str, Any], home: str) -> dict[str, Any]:
    """Let ``~/`` at the beginning of a path mean the home folder, as people and clients write it."""
    places = {one.name for one in tool.parameters if one.type.kind in _PLACES}
    return {name: whole(value, home) if name in places else value for name, value in given.items()}
