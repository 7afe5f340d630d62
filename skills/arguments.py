"""Arguments that did not come from a plan: those that a tool hands to another one, out of a cell.

What this stops: a value in another form than its parameter's type reaching whoever computes rights from it; paths that
are relative, not normalised or not text; more than so many places at once.
What it does not: judge what a value names (the kernel does, against rights).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from skills.errors import BadResult
from skills.model import Tool, ValueKind
from skills.values import to_json, to_python

MOST_PLACES = 500
"""So many files and folders one call may be handed: a right of each is decided."""

_PLACES = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE})


def checked_arguments(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``given`` in the one JSON form of each parameter's type. Raises BadResult."""
    missing = next((one.name for one in tool.parameters if one.required and given.get(one.name) is None), None)
    values = checked_values(tool, given)
    if missing is not None:
        raise _bad(tool, f"needs {missing}")
    return values


def checked_values(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``given`` in the one JSON form of each parameter's type; some may be left out. Raises BadResult."""
    known = {parameter.name: parameter for parameter in tool.parameters}
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        raise _bad(tool, f"takes no {unknown[:60]}")
    values = {
        name: to_json(to_python(value, known[name].type, name)) for name, value in given.items() if value is not None
    }
    empty = next((name for name, value in values.items() if isinstance(value, list) and None in value), None)
    if empty is not None and known[empty].type.many:
        raise _bad(tool, f"was handed nothing among the {empty}")
    places = [place for name, value in values.items() if known[name].type.kind in _PLACES for place in _places(value)]
    if len(places) > MOST_PLACES:
        raise _bad(tool, f"was handed {len(places)} files and folders, and at most {MOST_PLACES} are taken at once")
    wrong = next((place for place in places if not _is_whole(place)), None)
    if wrong is not None:
        raise _bad(tool, f"takes whole paths, and {ascii(wrong)[:80]} is none")
    return values


def _places(value: Any) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        place = item.get("path") or item.get("source") if isinstance(item, Mapping) else item
        if place:
            yield str(place)


def _is_whole(path: str) -> bool:
    """Tell whether ``path`` is absolute, normalised, and can be a path at all."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return path.startswith("/") and "\0" not in path and os.path.normpath(path) == path and not path.startswith("//")


def _bad(tool: Tool, what: str) -> BadResult:
    return BadResult(
        "result.argument", f"{tool.id} {what}.", subject=tool.id, hint="Report this to the skill's author."
    )
