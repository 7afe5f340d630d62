"""The form of a reply as a JSON schema: a server that holds to it can only answer with tools that there are.

It keeps to what strict modes take: every member is required (null where it does not apply), none is added. What many
tools share stands in it once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from kernel.clients.describing import value_schema
from kernel.composition.validate import MOST_TASKS
from kernel.model import Comparison, Measure
from kernel.prompting.sight import Sight
from skills.model import Tool, ValueKind, ValueType

Schema = dict[str, Any]

_NULL: Schema = {"type": "null"}
_TEXT: Schema = {"type": "string"}
_MAYBE_TEXT: Schema = {"type": ["string", "null"]}
_KEPT = frozenset({"type", "enum", "items", "properties", "required", "additionalProperties", "anyOf"})
_ANYTHING: Schema = {"type": ["string", "number", "boolean"]}
_LOOSE = frozenset({ValueKind.ANY, ValueKind.RECORD, ValueKind.TABLE})
"""Kinds that nobody writes down in a plan."""


def form_of(sight: Sight) -> Schema:
    """Return the schema of a reply about ``sight``."""
    return _Form(sight).whole()


def _object(**members: Schema) -> Schema:
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


class _Form:
    """One schema in the making; ``_shared`` are its parts that stand in it once, by what they say."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._shared: dict[str, tuple[str, Schema]] = {}

    def whole(self) -> Schema:
        tasks: Schema = {"type": "array", "maxItems": 0, "items": _TEXT}
        if self._sight.tools:
            tasks = {"type": "array", "maxItems": MOST_TASKS,
                     "items": {"anyOf": [self._task(one) for one in self._sight.tools]}}  # fmt: skip
        about = _object(task=_TEXT, parameter=_TEXT)
        schema = _object(tasks=tasks, ask=_MAYBE_TEXT, about={"anyOf": [about, _NULL]}, decline=_MAYBE_TEXT,
                         later=_MAYBE_TEXT)  # fmt: skip
        return schema | {"$defs": dict(self._shared.values())}

    def _once(self, schema: Schema) -> Schema:
        """Return a reference to ``schema``, which is kept."""
        key = json.dumps(schema, sort_keys=True)
        name, _ = self._shared.setdefault(key, (f"d{len(self._shared) + 1}", schema))
        return {"$ref": f"#/$defs/{name}"}

    def _task(self, tool: Tool) -> Schema:
        when = _object(
            task=_TEXT, measure={"enum": [str(one) for one in Measure]}, field=_MAYBE_TEXT,
            comparison={"enum": [str(one) for one in Comparison]}, value=_ANYTHING,
        )  # fmt: skip
        arguments = _object(**{one.name: self._argument(one.type) for one in tool.parameters})
        return _object(
            id=_TEXT, tool={"enum": [str(tool.id)]}, arguments=arguments, each=_MAYBE_TEXT,
            when=self._once({"type": "array", "items": when}),
        )  # fmt: skip

    def _argument(self, kind: ValueType) -> Schema:
        ways = [_object(value=_value(kind))]
        if self._sight.said:
            ways.append(self._once(_object(said={"enum": [one.number for one in self._sight.said]})))
        source = _object(**{"from": _TEXT, "field": _MAYBE_TEXT, "index": {"type": ["integer", "null"]}})
        return self._once({"anyOf": [*ways, self._once(source), _NULL]})


def _value(kind: ValueType) -> Schema:
    return dict(_TEXT) if kind.kind in _LOOSE and not kind.many else _strict(value_schema(kind))


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
