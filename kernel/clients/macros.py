"""Macros as tools of a client: each that the person offered it, described by its steps, told by a typed schema.

What this stops: a macro that was not offered, or whose skills changed since it was kept, being called; one that was
kept anew being called by what was offered of the earlier one. What it does not: decide rights. Its plan is authorized
in the client's name as any call is; what the person said when it was kept is nobody's word then.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kernel.clients.describing import hints, value_schema
from kernel.clients.model import OWN, ToolCall
from kernel.errors import BadRequest
from kernel.macros.filling import filled
from kernel.macros.guards import changed
from kernel.macros.model import Macro, Parameter
from kernel.macros.values import told
from kernel.model import Constant, Plan
from kernel.routines.moving import CannotTell, moved
from permissions.labels import CLIENT_SAID
from permissions.naming import shown
from skills.model import Tool

if TYPE_CHECKING:
    from kernel.house import House

View = dict[str, Any]
_BEGINS = f"{OWN}.macro_"
_LONGEST_NAME = 40
_HINT = "The tool's input schema says what it takes."


def offer_of(macro: Macro) -> str:
    """Return what a macro is offered as: by its key, so that one that is kept anew is offered anew."""
    return f"{_BEGINS}{macro.key}"


def offered_macro(house: House, offer: str) -> Macro | None:
    """Return the macro that an offer means; None for every other offer, and where it is gone."""
    return house.macros.of_key(offer.removeprefix(_BEGINS)) if offer.startswith(_BEGINS) else None


def macro_views(house: House, macros: Sequence[Macro]) -> list[View]:
    """Return macros as they are offered; one whose skills have changed is none."""
    whole = [one for one in macros if not changed(one.plan, one.guards, house.registry)]
    names = [f"macro-{_slug(one.name)}" for one in whole]
    return [
        _view(house, one, name if names.count(name) == 1 else f"{name}-{one.key[:6]}")
        for one, name in zip(whole, names, strict=True)
    ]


def plan_of_macro(house: House, call: ToolCall, macro: Macro) -> Plan:
    """Return the plan that makes ``call``. Raises BadRequest where it cannot be made, or an argument does not fit."""
    if changed(macro.plan, macro.guards, house.registry):
        raise BadRequest("macro.changed", f"A skill of {shown(macro.name)} has changed since it was kept.",
                         subject=macro.name, hint="The person can keep it anew.")  # fmt: skip
    known = {one.name: one for one in macro.parameters}
    wrong = next((name for name in [*call.arguments, *known] if (name in known) != (name in call.arguments)), None)
    if wrong is not None:
        what = "is missing" if wrong in known else "is not known"
        raise BadRequest("call.argument", f"The argument {shown(wrong)} {what}.", subject=macro.name, hint=_HINT)
    now, home = house.clock(), str(house.folders.home)
    try:
        plan = moved(macro.plan, macro.language, macro.made, now, house.registry.tool)
    except CannotTell as error:
        raise BadRequest("macro.words", f"What “{error}” means today cannot be told.", subject=macro.name) from error
    given = {
        name: told(known[name], value, _tool(house, macro, known[name]), macro.language, now, home, home)
        for name, value in call.arguments.items()
    }
    return filled(macro, replace(plan, why={}), {name: _as_clients(one) for name, one in given.items()})


def _as_clients(value: Constant) -> Constant:
    return replace(value, label=CLIENT_SAID)


def _view(house: House, macro: Macro, name: str) -> View:
    tools = [house.registry.tool(task.tool) for task in macro.plan.tasks]
    steps = "; then ".join(tool.summary.strip().rstrip(".") for tool in tools)
    fields = {one.name: _schema(house, macro, one) for one in macro.parameters}
    schema = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {"offer": offer_of(macro), "name": name, "title": macro.name,
            "description": f"The person's macro “{macro.name}”: {steps}.",
            "input_schema": schema, "annotations": _hints([hints(tool) for tool in tools])}  # fmt: skip


def _hints(each: Sequence[Mapping[str, bool]]) -> dict[str, bool]:
    """A plan only reads where all of it does, and may lose something where one step may."""
    every, some = ("readOnlyHint", "idempotentHint"), ("destructiveHint", "openWorldHint")
    return {name: all(one[name] for one in each) for name in every} | {
        name: any(one[name] for one in each) for name in some
    }


def _schema(house: House, macro: Macro, one: Parameter) -> View:
    taken = _tool(house, macro, one).parameter(one.argument)
    schema = value_schema(taken.type)
    said = " ".join(part for part in (taken.doc, schema.get("description", "")) if part)
    return schema | ({"description": said} if said else {})


def _tool(house: House, macro: Macro, one: Parameter) -> Tool:
    return house.registry.tool(next(task.tool for task in macro.plan.tasks if task.id == one.tasks[0]))


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_NAME].strip("-")
