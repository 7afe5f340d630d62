"""A deed as items, from its tool alone to all that it was told: what is mined is which of them come together.

Three of them: the tool; the tool with the places, people, addresses, choices and relative days that it was given; and
with every word and number, too. A value that others wrote is in none of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from kernel.habits.deeds import FindTool
from kernel.habits.model import Deed
from kernel.habits.relative import relative_of
from kernel.paths import paths_of
from skills.model import Parameter, ParamRole, ValueKind

AGAINST = "!"
"""What the items of a deed begin with that is no evidence: they are mined, and never offered."""
FILES = frozenset((ValueKind.FILE, ValueKind.TABLE))
DAYS = frozenset((ValueKind.DATE, ValueKind.PERIOD))
_PLACES = frozenset((
    ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.URL, ValueKind.CHOICE, ValueKind.COLUMN, ValueKind.UNIT,
    ValueKind.BOOLEAN, ValueKind.RECURRENCE,
))  # fmt: skip

_write = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str).encode


def items_of(deed: Deed, tool: FindTool) -> tuple[str, ...]:
    """Return the items of a deed, the most general first, each once."""
    known = tool(deed.tool)
    mark = AGAINST if deed.against else ""
    plain = f"{mark}{deed.tool}"
    if known is None:
        return (plain,)
    rough, exact = [], []
    for name, given in sorted(deed.arguments.items()):
        if given.said:
            rough += [f"{name}={one}" for one in _rough(known.parameter(name), given.value, deed.at)]
            exact += [f"{name}={one}" for one in _exact(known.parameter(name), given.value)]
    levels = [plain, "|".join([plain, *rough]), "|".join([plain, *rough, *exact])]
    return tuple(dict.fromkeys(levels))


def folders_of(value: Any) -> frozenset[str]:
    """Return the folders in which the files of a value lie."""
    return frozenset(str(PurePosixPath(path).parent) for path in paths_of(value))


def canonical(value: Any) -> str:
    """Return a value as one text, to be compared."""
    return _write(value)


def _rough(parameter: Parameter, value: Any, at: datetime) -> Iterator[str]:
    kind = parameter.type.kind
    if parameter.role is ParamRole.SINK or kind in _PLACES:
        yield canonical(value)
    elif kind in FILES:
        yield from sorted(folders_of(value))
    elif kind in DAYS:
        yield from relative_of(value, at)[:1]


def _exact(parameter: Parameter, value: Any) -> Iterator[str]:
    kind = parameter.type.kind
    if parameter.role is not ParamRole.SINK and kind not in _PLACES and kind not in DAYS:
        yield canonical(value)
