"""What a macro is told for a parameter, as a value of its kind: held against the tool, and places against the disk.

What this stops: a value of another kind, a file that is not there, a relative path that lands elsewhere.
What it does not: decide rights. The plan is authorized as any other.
"""

from __future__ import annotations

import os
from datetime import datetime
from typing import Any

from kernel.errors import BadRequest
from kernel.language.whole_values import is_read, whole_values
from kernel.macros.model import Parameter
from kernel.model import Constant
from kernel.paths import whole
from permissions.labels import USER_SAID
from permissions.naming import sentence, shown
from skills.arguments import checked_values
from skills.errors import BadResult
from skills.model import Parameter as Taken
from skills.model import Tool, ValueKind

_PLACES = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE})
_LANGUAGES = ("en", "de")


def told(one: Parameter, given: Any, tool: Tool, language: str, now: datetime, cwd: str, home: str) -> Constant:
    """Return what a person gave for a parameter, as words or as JSON. Raises BadRequest."""
    taken = tool.parameter(one.argument)
    many = taken.type.many
    items = given if many and isinstance(given, list) else [given]
    values = [_value(one, item, taken, language, now, cwd or home, home) for item in items]
    value = values if many else values[0]
    try:
        checked_values(tool, {one.argument: value})
    except (BadResult, RecursionError) as error:
        raise _refused(one, given, sentence(str(error))) from error
    return Constant(value, USER_SAID, ", ".join(item for item in items if isinstance(item, str)))


def _value(one: Parameter, item: Any, taken: Taken, language: str, now: datetime, cwd: str, home: str) -> Any:
    kind = taken.type.kind
    if item is None or (isinstance(item, str) and not item.strip()):
        raise _refused(one, item, f"{one.name} has to be said.")
    if not isinstance(item, str):
        return item
    if kind in _PLACES:
        return _place(one, item, kind, cwd, home)
    if kind is ValueKind.CHOICE:
        return _choice(taken, item)
    if not is_read(kind):
        return item
    spoken = dict.fromkeys((language, *_LANGUAGES))
    return next((value for each in spoken for value in whole_values(item, kind, each, now)), item)


def _place(one: Parameter, item: str, kind: ValueKind, cwd: str, home: str) -> str:
    path = str(whole(item if item.startswith(("/", "~")) else os.path.join(cwd, item), home))
    there = os.path.isfile(path) if kind is ValueKind.FILE else not os.path.isfile(path)
    if kind in (ValueKind.FILE, ValueKind.FOLDER) and not there:
        wanted = "file" if kind is ValueKind.FILE else "folder"
        raise _refused(one, item, f"{one.name} has to be a {wanted}, and {shown(item)} is none.")
    return path


def _choice(taken: Taken, item: str) -> str:
    """The choice that a word means, in any language."""
    said = item.strip().casefold()
    for choice in taken.type.choices:
        words = (word for spoken in taken.words.get(choice, {}).values() for word in spoken)
        if said in (choice.casefold(), *(word.casefold() for word in words)):
            return choice
    return item


def _refused(one: Parameter, given: Any, why: str) -> BadRequest:
    return BadRequest("macro.value", why, subject=one.name,
                      hint=f"Say it in another way: {one.name}=VALUE ({one.kind})")  # fmt: skip
