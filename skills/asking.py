"""The cell's side of what a call asks the daemon for: another tool, whose values come back in the type that it
declares, or something at one of the daemon's doors (this machine's facts, the person's desktop).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from permissions.confine import Asker
from skills.model import ValueKind, ValueType
from skills.sdk import ErrorWords, ToolError
from skills.sdk.asks import Called, Part
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

    def __call__(self, tool: str, arguments: Mapping[str, Any], *, step: bool = False) -> Called:
        """Return what ``tool`` gave back; of a ``step`` with what it wants changed. Raises ToolError."""
        question: dict[str, Any] = {"tool": tool, "arguments": {}}
        if step:
            question["parts"] = {}
        for name, given in arguments.items():
            part = given.part() if isinstance(given, Called) else given
            if step and isinstance(part, Part):
                question["parts"][name] = {"field": part.field, "index": part.index}
            question["arguments"][name] = to_json(part.value if isinstance(part, Part) else part)
        said = self._asked(tool, question)
        kind, many, choices = said["type"]
        value = to_python(said["value"], ValueType(ValueKind(kind), many, tuple(choices)), tool)
        changes = tuple(_change(one) for one in said.get("changes", ()))
        return Called(value, said["answer"], tuple(said["withheld"]), changes)

    def knock(self, door: str, given: Mapping[str, Any]) -> Any:
        """Return what came of asking at a door of the daemon's. Raises ToolError."""
        return self._asked(door, {"door": door, "given": dict(given)})["value"]

    def _asked(self, what: str, question: Mapping[str, Any]) -> Any:
        try:
            said = json.loads(self._asker.ask(json.dumps(question, allow_nan=False).encode()))
        except OSError as error:
            raise _CUT() from error
        except ValueError as error:
            raise _TOO_LARGE(what) from error
        if problem := said.get("error"):
            raise ToolError(problem["message"], hint=problem["hint"], code=problem["code"])
        return said

    def mailbox(self, wish: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the daemon says of the person's mailbox. Raises ToolError."""
        return dict(self._asked("mail", {"mail": dict(wish)}))


def _change(said: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a change with its contents as bytes; a letter has them by the names of its files."""
    if said["op"] == "send":
        return {**said, "files": [{**one, "content": base64.b64decode(one["content"])} for one in said["files"]]}
    return {**said, "content": base64.b64decode(said["content"])} if "content" in said else said
