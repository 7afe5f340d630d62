"""The form of a reply as a JSON schema: a server that holds to it can only answer with tools that there are.

It keeps to what strict modes take: every member is required (null where it does not apply), none is added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kernel.clients.describing import value_schema
from kernel.composition.validate import MOST_TASKS
from kernel.model import Comparison, Measure
from kernel.prompting.sight import Sight
from skills.model import Parameter, Tool, ValueKind, ValueType

Schema = dict[str, Any]

_NULL: Schema = {"type": "null"}
_TEXT: Schema = {"type": "string"}
_MAYBE_TEXT: Schema = {"type": ["string", "null"]}
_KEPT = frozenset({"type", "enum", "items", "properties", "required", "additionalProperties", "anyOf", "description"})
_ANYTHING: Schema = {"type": ["string", "number", "boolean"]}


def form_of(sight: Sight) -> Schema:
    """Return the schema of a reply about ``sight``."""
    tasks: Schema = {
        "type": "array",
        "maxItems": MOST_TASKS,
        "items": {"anyOf": [_task(one, sight) for one in sight.tools]},
    }
    about = _object(task=_TEXT, parameter=_TEXT)
    return _object(
        tasks=tasks if sight.tools else {"type": "array", "maxItems": 0, "items": _TEXT},
        ask=_MAYBE_TEXT, about={"anyOf": [about, _NULL]}, decline=_MAYBE_TEXT,
    )  # fmt: skip


def _object(**members: Schema) -> Schema:
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def _task(tool: Tool, sight: Sight) -> Schema:
    arguments = _object(**{one.name: _argument(one, sight) for one in tool.parameters})
    when = _object(
        task=_TEXT, measure={"enum": [str(one) for one in Measure]}, field=_MAYBE_TEXT,
        comparison={"enum": [str(one) for one in Comparison]}, value=_ANYTHING,
    )  # fmt: skip
    return _object(
        id=_TEXT, tool={"enum": [str(tool.id)]}, arguments=arguments, each=_MAYBE_TEXT,
        when={"type": "array", "items": when},
    )  # fmt: skip


def _argument(parameter: Parameter, sight: Sight) -> Schema:
    ways: list[Schema] = [_object(value=_strict(_value(parameter.type)))]
    if sight.said:
        ways.append(_object(said={"enum": [one.number for one in sight.said]}))
    ways.append(_object(**{"from": _TEXT, "field": _MAYBE_TEXT, "index": {"type": ["integer", "null"]}}))
    return {"anyOf": [*ways, _NULL]}


def _value(kind: ValueType) -> Schema:
    loose = {ValueKind.ANY, ValueKind.RECORD, ValueKind.TABLE}  # nothing that is written down in a plan
    return {"type": "string"} if kind.kind in loose and not kind.many else value_schema(kind)


def _strict(schema: Mapping[str, Any]) -> Schema:
    """Return ``schema`` without what strict modes refuse: formats, bounds, members that may be missing."""
    kept = {key: value for key, value in schema.items() if key in _KEPT}
    if isinstance(kept.get("properties"), Mapping):
        kept["properties"] = {name: _strict(one) for name, one in kept["properties"].items()}
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    if isinstance(kept.get("items"), Mapping):
        kept["items"] = _strict(kept["items"])
    if isinstance(kept.get("anyOf"), Sequence):
        kept["anyOf"] = [_strict(one) for one in kept["anyOf"]]
    return kept or dict(_ANYTHING)
