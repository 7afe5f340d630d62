"""A macro that is told its values with its name: "big files in Downloads", "report for March".

What this stops: a sentence that only begins like a macro being one; each word behind the name is a value of a
parameter, or a link to one. What it does not: take a text or a title from there; those are asked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kernel.errors import BadRequest
from kernel.language.whole_values import is_read
from kernel.macros.model import Called, Macro, Parameter
from kernel.macros.requests import called_first
from kernel.macros.values import told
from kernel.model import Constant, Utterance
from skills.errors import SkillError
from skills.model import Tool, ValueKind

if TYPE_CHECKING:
    from kernel.house import House

_LINK = r"(?:for|of|in|from|on|with|to|and|für|von|vom|aus|im|am|mit|nach|und)"
_LINKS = re.compile(rf"(?:^|\s+){_LINK}\s+", re.IGNORECASE)
_PLACES = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.TABLE})


def with_values(house: House, said: Utterance, macros: Sequence[Macro]) -> Called | None:
    """Return the macro whose name the sentence begins with, told all that stands behind it; None where none is."""
    for macro in macros:
        rest = called_first(said.text, macro) if macro.parameters else ""
        given = _given(house, said, macro, rest) if rest else {}
        if given:
            return Called(macro.name, "words", given)
    return None


def _given(house: House, said: Utterance, macro: Macro, rest: str) -> dict[str, Constant]:
    """The values in ``rest`` by their parameters; nothing where a part of it is none."""
    found: dict[str, Constant] = {}
    for piece in filter(None, (one.strip() for one in _LINKS.split(rest))):
        free = (one for one in macro.parameters if one.name not in found)
        values = ((one.name, _value(house, said, macro, one, piece)) for one in free)
        name, value = next(((name, value) for name, value in values if value is not None), ("", None))
        if value is None:
            return {}
        found[name] = value
    return found


def _value(house: House, said: Utterance, macro: Macro, one: Parameter, piece: str) -> Constant | None:
    try:
        tool = house.registry.tool(next(task.tool for task in macro.plan.tasks if task.id == one.tasks[0]))
        kind = tool.parameter(one.argument).type.kind
        if kind in _PLACES:
            return _place(house, said, one, tool, macro.language, piece)
        if is_read(kind) or kind is ValueKind.CHOICE:
            return told(one, piece, tool, macro.language, said.now, said.cwd, said.home)
    except (BadRequest, SkillError, KeyError):
        return None
    return None


def _place(house: House, said: Utterance, one: Parameter, tool: Tool, language: str, piece: str) -> Constant | None:
    """A file or folder that is there: by its path, or the only one of that name."""
    world = house.world
    paths = world.folders(piece) if tool.parameter(one.argument).type.kind is ValueKind.FOLDER else world.files(piece)
    path = paths[0] if len(paths) == 1 else os.path.join(said.cwd or said.home, os.path.expanduser(piece))
    if not os.path.exists(path):
        return None
    return told(one, path, tool, language, said.now, said.cwd, said.home)
