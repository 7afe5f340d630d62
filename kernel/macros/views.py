"""A macro as a client sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.macros.guards import changed
from kernel.macros.model import Macro
from skills import one_import

if TYPE_CHECKING:
    from kernel.house import House


def macro_view(macro: Macro, house: House) -> dict[str, Any]:
    """Return a macro. ``changed`` are its tools that are gone, or not as they were when it was kept."""
    return {
        "name": macro.name, "text": macro.text, "phrases": list(macro.phrases), "language": macro.language,
        "made": macro.made.isoformat(timespec="seconds"), "origin": macro.origin,
        "tools": list(dict.fromkeys(task.tool for task in macro.plan.tasks)),
        "parameters": [
            {"name": one.name, "kind": str(one.kind), "many": one.many, "folder": one.folder, "usual": list(one.usual)}
            for one in macro.parameters
        ],
        "changed": list(changed(macro.plan, macro.guards, house.registry)),
    }  # fmt: skip


def whole_view(macro: Macro, house: House) -> dict[str, Any]:
    """Return a macro with its plan and its graph; without them where one of its tools is gone."""
    view = macro_view(macro, house)
    if any(not _is_there(house, tool) for tool in view["tools"]):
        return view | {"plan": None, "graph": ""}
    with one_import:
        from kernel.approval.plan_words import plan_view
        from kernel.planning.plan_graph import mermaid
        from kernel.routines.moving import in_words

    around = house.circumstances(f"macro-{macro.name}", macro.cwd)
    plan = in_words(plan_view(macro.plan, around), macro.plan, house.registry.tool)
    return view | {"plan": plan, "graph": mermaid(plan, macro.language)}


def _is_there(house: House, tool: str) -> bool:
    return any(one.id == tool for one in house.registry.tools())
