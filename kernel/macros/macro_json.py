"""A macro as JSON: the body of ``macro.kept``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from kernel.macros.model import Macro, Parameter
from kernel.model import TaskId
from kernel.planning.plan_json import plan_from_json, plan_to_json
from skills.model import ValueKind


def to_json(one: Macro) -> dict[str, Any]:
    """Return ``one`` as JSON values."""
    return {
        "name": one.name, "text": one.text, "phrases": list(one.phrases), "language": one.language,
        "plan": plan_to_json(one.plan), "parameters": [_parameter_to_json(each) for each in one.parameters],
        "guards": dict(one.guards), "key": one.key, "made": one.made.isoformat(), "cwd": one.cwd, "run": one.run,
        "origin": one.origin,
    }  # fmt: skip


def from_json(body: Mapping[str, Any]) -> Macro:
    """Read what ``to_json`` wrote. Raises KeyError, TypeError or ValueError on anything else."""
    made = datetime.fromisoformat(body["made"])
    if made.tzinfo is None or not body["name"] or not body["key"]:
        raise ValueError("a macro without a name, a key or a moment")
    return Macro(
        str(body["name"]), str(body["text"]), tuple(str(one) for one in body["phrases"]), str(body["language"]),
        plan_from_json(body["plan"]), tuple(_parameter_from_json(one) for one in body["parameters"]),
        {str(name): str(digest) for name, digest in body["guards"].items()}, str(body["key"]), made,
        str(body["cwd"]), str(body["run"]), str(body.get("origin", "")),
    )  # fmt: skip


def _parameter_to_json(one: Parameter) -> dict[str, Any]:
    return {
        "name": one.name, "kind": str(one.kind), "tasks": list(one.tasks), "argument": one.argument, "many": one.many,
        "folder": one.folder, "usual": list(one.usual),
    }  # fmt: skip


def _parameter_from_json(body: Mapping[str, Any]) -> Parameter:
    return Parameter(
        str(body["name"]), ValueKind(body["kind"]), tuple(TaskId(str(task)) for task in body["tasks"]),
        str(body["argument"]), bool(body.get("many")), str(body.get("folder", "")), tuple(body.get("usual", ())),
    )  # fmt: skip
