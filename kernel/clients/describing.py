"""How a tool is described to a client: its parameters as a JSON schema, its effect as what MCP calls annotations.

Truthful rather than flattering: what may change or delete a file of the person, end a program, or send something, is
destructive; a client decides by these whether it asks its own user, Steward decides by its policy and never by these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernel.clients.model import ASK, MEMORY
from permissions.model import Action
from skills.model import EffectClass, Parameter, Tool, ValueKind, ValueType

Schema = dict[str, Any]

_PATH = "An absolute path, or one that begins with ~/."
_STRING: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}


def _fields(required: tuple[str, ...], **fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(required), "additionalProperties": False}


def _path(_type: ValueType) -> Schema:
    return {"type": "string", "minLength": 1, "description": _PATH}


def _record(kind: ValueType) -> Schema:
    return {"type": "object", "properties": {name: value_schema(one) for name, one in kind.fields.items()}}


def _plain(schema: Schema) -> Callable[[ValueType], Schema]:
    return lambda _type: dict(schema)


_TABLE: Schema = {
    "description": "The path of a table file, or the table itself.",
    "anyOf": [
        {"type": "string"},
        {"type": "object", "required": ["columns", "rows"],
         "properties": {"columns": {"type": "array", "items": _STRING},
                        "rows": {"type": "array", "items": {"type": "array"}}}},
    ],
}  # fmt: skip

_SCHEMAS: Mapping[ValueKind, Callable[[ValueType], Schema]] = {
    ValueKind.TEXT: _plain(_STRING),
    ValueKind.TITLE: _plain(_STRING),
    ValueKind.QUERY: _plain(_STRING),
    ValueKind.UNIT: _plain(_STRING),
    ValueKind.EXPRESSION: _plain(_STRING),
    ValueKind.COLUMN: _plain(_STRING),
    ValueKind.URL: _plain({"type": "string", "description": "A web address with its scheme."}),
    ValueKind.INTEGER: _plain({"type": "integer"}),
    ValueKind.NUMBER: _plain({"type": "number"}),
    ValueKind.BOOLEAN: _plain({"type": "boolean"}),
    ValueKind.CHOICE: lambda kind: {"type": "string", "enum": list(kind.choices)},
    ValueKind.FILE: _path,
    ValueKind.FOLDER: _path,
    ValueKind.NEW_FILE: _path,
    ValueKind.DATE: _plain({"type": "string", "format": "date"}),
    ValueKind.DURATION: _plain({"type": "number", "description": "Seconds."}),
    ValueKind.RECURRENCE: _plain({"type": "string", "description": "A rule of RFC 5545, e.g. FREQ=WEEKLY;BYDAY=MO."}),
    ValueKind.PERIOD: _plain(_fields((), start=_TEXT_OR_NULL, end=_TEXT_OR_NULL)
                             | {"description": "ISO dates; the end is not part of it. Null: open."}),
    ValueKind.HOURS: _plain(_fields(("start",), start=_STRING, end=_TEXT_OR_NULL, rough={"type": "boolean"})),
    ValueKind.SIZE: _plain(_fields((), min=_NUMBER_OR_NULL, max=_NUMBER_OR_NULL) | {"description": "Bytes."}),
    ValueKind.QUANTITY: _plain(_fields(("value", "unit"), value={"type": ["string", "number"]}, unit=_STRING)),
    ValueKind.CONDITION: _plain(_fields(("column", "op", "value"), column=_STRING, value=_STRING,
                                        op={"enum": ["=", "!=", "<", "<=", ">", ">=", "contains"]})),
    ValueKind.TABLE: _plain(_TABLE),
    ValueKind.RECORD: _record,
    ValueKind.ANY: _plain({}),
}  # fmt: skip


def value_schema(kind: ValueType) -> Schema:
    """Return the JSON schema of a value of this type."""
    one = _SCHEMAS[kind.kind](kind)
    return {"type": "array", "items": one} if kind.many else one


def input_schema(tool: Tool) -> Schema:
    """Return the JSON schema of the arguments of ``tool``."""
    needed = [one.name for one in tool.parameters if one.required]
    fields = {one.name: _described(one) for one in tool.parameters}
    return _fields(tuple(needed), **fields)


def _described(parameter: Parameter) -> Schema:
    schema = value_schema(parameter.type)
    said = " ".join(part for part in (parameter.doc, schema.get("description", "")) if part)
    schema |= {"description": said} if said else {}
    return schema | ({"default": parameter.default} if parameter.default is not None else {})


_LOSING = frozenset({Action.FS_WRITE, Action.FS_DELETE, Action.SYSTEM_STOP})
_OUTWARD = frozenset({Action.NET_CONNECT, Action.SECRET_USE, Action.DESKTOP_OPEN})
"""What may reach others: a host, a mail server with the person's password, a web address in their browser."""


def hints(tool: Tool) -> dict[str, bool]:
    """Return what a call of ``tool`` may do, in MCP's words."""
    actions = {right.action for right in tool.rights if not right.is_own}
    reads = tool.effect is EffectClass.PURE
    outward = bool(actions & _OUTWARD)
    loses = bool(actions & _LOSING) or bool(tool.works_in)
    sends = outward and tool.effect is EffectClass.ONCE
    return {
        "readOnlyHint": reads,
        "destructiveHint": not reads and (loses or sends),
        "idempotentHint": tool.effect is not EffectClass.ONCE,
        "openWorldHint": outward,
    }


def tool_view(tool: Tool) -> dict[str, Any]:
    """Return ``tool`` as it is offered."""
    return {"offer": tool.id, "name": offered_name(tool.id), "title": tool.id, "description": tool.summary,
            "input_schema": input_schema(tool), "annotations": hints(tool)}  # fmt: skip


def offered_name(tool: str) -> str:
    """Return the name under which a tool is called: of the letters that every client takes (no point)."""
    return tool.replace(".", "-")


_ASK_SCHEMA = _fields(
    ("text",),
    text={"type": "string", "minLength": 1, "description": "What is wanted, in English or German."},
    conversation={"type": "string",
                  "description": "Go on with this conversation, e.g. to answer a question that came back."},
)  # fmt: skip
_MEMORY_SCHEMA = _fields(
    ("words",),
    words={"type": "string", "minLength": 1, "description": "What to look for."},
    limit={"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
)

OWN_VIEWS: Mapping[str, Mapping[str, Any]] = {
    ASK: {
        "offer": ASK, "name": "ask", "title": "Ask Steward",
        "description": "Ask Steward in plain words to do something on this person's machine: it plans with its skills, "
                       "asks the person (never you) for what is not allowed yet, runs each call in a sandbox and can "
                       "undo what it changed. A question that comes back is answered with the same conversation.",
        "input_schema": _ASK_SCHEMA,
        "annotations": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True},
    },
    MEMORY: {
        "offer": MEMORY, "name": "memory_search", "title": "Search Steward's memory",
        "description": "Search what Steward knows and this client may read: facts it was told, what it was asked and "
                       "did; what it found in files and mails only where the person granted that.",
        "input_schema": _MEMORY_SCHEMA,
        "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    },
}  # fmt: skip
"""The kernel's own two offers."""
