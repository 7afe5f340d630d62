"""The suites' tools as tools of ours: roles by the rule for tools of servers, effects by the first word of the name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from permissions.model import Action
from skills.mcp.loading import USES
from skills.mcp.mapping import parameters_of, resolved
from skills.mcp.texts import first_sentence
from skills.model import (
    EffectClass,
    Parameter,
    ParamRole,
    RightTemplate,
    Skill,
    SkillId,
    Tool,
    ToolId,
    ValueKind,
    ValueType,
)

READS = frozenset({"get", "search", "list", "read", "check"})
ROLES = Path(__file__).with_name("roles.json")
MODEL = SkillId("model")
Schemas = Mapping[str, tuple[str, Mapping[str, Any]]]


def effect_of(name: str) -> EffectClass:
    """Return what calling a tool may change, by the first word of its name; what is not known to read changes."""
    return EffectClass.PURE if name.split("_", maxsplit=1)[0] in READS else EffectClass.ONCE


def skill_of(suite: str, schemas: Schemas) -> Skill:
    """Return a suite as a skill of somebody else's, as a server's would be."""
    tools = tuple(_tool(SkillId(suite), name, said, schema) for name, (said, schema) in schemas.items())
    return _skill(SkillId(suite), tools)


def _tool(skill: SkillId, name: str, said: str, schema: Mapping[str, Any]) -> Tool:
    right = RightTemplate(str(Action.SKILL_CALL), f"{skill}.{name}", USES)
    return Tool(
        ToolId(f"{skill}.{name}"), skill, name, first_sentence(said, 200), effect_of(name), parameters_of(name, schema),
        ValueType(ValueKind.TEXT), (), (right,),
    )  # fmt: skip


def _skill(skill: SkillId, tools: tuple[Tool, ...]) -> Skill:
    digest = hashlib.sha256(repr(tools).encode()).hexdigest()
    return Skill(skill, "1.0.0", skill.title(), f"tools of {skill}", "/", digest, False, tools)


def model() -> Skill:
    """Return the model as a skill: it is shown what was found, and gives back values or the answer."""
    text = Parameter("found", ValueType(ValueKind.TEXT), False, "what was found", ParamRole.NEUTRAL)
    given = {"take": ("Take values out of what was found", ValueKind.RECORD), "answer": ("Answer", ValueKind.TEXT)}
    tools = tuple(
        Tool(ToolId(f"{MODEL}.{name}"), MODEL, name, said, EffectClass.PURE, (text,), ValueType(kind), (), ())
        for name, (said, kind) in given.items()
    )
    return _skill(MODEL, tools)


def table(suites: Mapping[str, Schemas]) -> dict[str, Any]:
    """Return the role of every argument and the effect of every tool, with the types that they follow from."""
    found: dict[str, Any] = {}
    for suite, schemas in suites.items():
        for tool in skill_of(suite, schemas).tools:
            whole = schemas[tool.function][1]
            types = {name: _json_type(one, whole) for name, one in whole.get("properties", {}).items()}
            arguments = {one.name: [types[one.name], str(one.role)] for one in tool.parameters}
            found[tool.id] = {"effect": str(tool.effect), "arguments": arguments}
    return found


def _json_type(one: object, whole: Mapping[str, Any]) -> str:
    schema = resolved(one, whole)
    arms = [resolved(arm, whole) for arm in schema.get("anyOf", [schema])]
    arm = next(arm for arm in arms if arm.get("type") != "null")
    if arm.get("type") == "array" and _json_type(arm.get("items"), whole) == "object":
        return "objects"
    return "enum" if "enum" in arm else str(arm.get("type") or "string")


def digest(roles: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a table of roles."""
    return hashlib.sha256(json.dumps(roles, sort_keys=True).encode()).hexdigest()


def frozen() -> dict[str, Any]:
    """Return the table of roles as it was before anything was run."""
    roles: dict[str, Any] = json.loads(ROLES.read_text())
    return roles
