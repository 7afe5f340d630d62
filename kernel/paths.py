"""Files and folders as paths: which ones a value names, and whether they are the same or one holds the other."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from permissions.naming import prose, readable


def paths_of(value: Any) -> Iterator[str]:
    """Yield the absolute paths that a value names: a path, a file as a tool finds it, or a list of such."""
    for item in value if isinstance(value, list) else [value]:
        path = item.get("path") if isinstance(item, Mapping) else item
        if isinstance(path, str) and path.startswith("/"):
            yield path.rstrip("/") or "/"


def above(path: str) -> Iterator[str]:
    """Yield the folders that hold ``path``, the outermost first."""
    for end, letter in enumerate(path):
        if letter == "/" and path != "/":
            yield path[:end] or "/"


def holds(folder: str, path: str) -> bool:
    """Tell whether ``path`` lies somewhere below ``folder``."""
    return folder in above(path)


def is_nested(paths: Iterable[str]) -> bool:
    """Tell whether one of the paths holds another one."""
    known = set(paths)
    return any(folder in known for path in known for folder in above(path))


def meet(some: Iterable[str], others: Iterable[str]) -> bool:
    """Tell whether a path of the one is a path of the other, or holds it."""
    one, other = set(some), set(others)
    return not one.isdisjoint(other) or _is_above(one, other) or _is_above(other, one)


def _is_above(folders: set[str], paths: set[str]) -> bool:
    return any(folder in folders for path in paths for folder in above(path))


def whole(value: Any, home: str) -> Any:
    """Return a path, or a list of paths, with ``~`` for the home written out; what is none stays as it is."""
    if isinstance(value, list):
        return [whole(one, home) for one in value]
    if isinstance(value, str) and (value == "~" or value.startswith("~/")):
        value = home + value[1:]
    return os.path.normpath(value) if isinstance(value, str) and value.startswith("/") and "\0" not in value else value


def tilded(text: str, home: str) -> str:
    """Return a text with ``~`` for the home in each path that begins with it; nothing else of it is changed."""
    return re.sub(rf"(?<![\w./~-]){re.escape(home.rstrip('/'))}(?![\w-]|\.\w)", "~", text) if home.strip("/") else text


def short(path: str, home: str) -> str:
    """Write a path with ``~`` for the home, where one is known, and what does not show in it as escapes."""
    if home and path == home:
        return "~"
    below = bool(home) and path.startswith(home.rstrip("/") + "/")
    return readable("~" + path[len(home) :] if below else path)


def homely(text: str, home: str) -> str:
    """Write words in which paths may stand with ``~`` for the home, and what does not show in them as escapes.

    A path alone is written as one: blanks at the edges of its names are seen.
    """
    if text.startswith("/"):
        return short(text, home)
    return prose(tilded(text, home))
