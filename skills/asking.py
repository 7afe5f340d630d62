"""The cell's side of a call of another tool: values go out as JSON and come back in the type that the tool declares."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from permissions.confine import Asker
from skills.model import ValueKind, ValueType
from skills.sdk import ErrorWords, ToolError
from skills.sdk.asks import Called
from skills.values import to_json, to_python

_CUT = ErrorWords(
    "call.cut",
    "Steward listens to this call no more.",
    "It asked too much, or wrongly.",
    "Steward hört diesem Aufruf nicht mehr zu.",
    "Er hat zu viel oder falsch gefragt.",
)
_TOO_LARGE = ErrorWords(
    "call.size",
    "What {place} was to be handed is too large.",
    "Hand it a file in a folder of ctx.workroom.",
    "Was {place} bekommen sollte, ist zu groß.",
    "Gib es als Datei in einem Ordner von ctx.workroom.",
)


class Asking:
    """Has calls made over the line of this cell."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    @classmethod
    def of_cell(cls) -> Asking | None:
        """Return one where this cell has a line; None where its call may call nothing."""
        asker = Asker.of_cell()
        return None if asker is None else cls(asker)

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Called:
        """Return what ``tool`` gave back. Raises ToolError."""
        question = {"tool": tool, "arguments": {name: to_json(value) for name, value in arguments.items()}}
        try:
            said = json.loads(self._asker.ask(json.dumps(question, allow_nan=False).encode()))
        except OSError as error:
            raise _CUT() from error
        except ValueError as error:
            raise _TOO_LARGE(tool) from error
        if problem := said.get("error"):
            raise ToolError(problem["message"], hint=problem["hint"], code=problem["code"])
        kind, many, choices = said["type"]
        value = to_python(said["value"], ValueType(ValueKind(kind), many, tuple(choices)), tool)
        return Called(value, said["answer"], tuple(said["withheld"]))

    def mailbox(self, wish: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the daemon says of the person's mailbox. Raises ToolError."""
        try:
            said = json.loads(self._asker.ask(json.dumps({"mail": dict(wish)}).encode()))
        except OSError as error:
            raise _CUT() from error
        if problem := said.get("error"):
            raise ToolError(problem["message"], hint=problem["hint"], code=problem["code"])
        return dict(said)
