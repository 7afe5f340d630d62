"""What a step found, as a person writes it down: a value as text, and several fields of one thing side by side.

"Their names and sizes" are a line for each thing: "clip.mp4, 9.4 MB". Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

BESIDE = ", "
"""What stands between the fields of one reference: "name, size_bytes"."""

_BYTES = "_bytes"
_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")
_STEP = 1000
_DAY = len("2026-06-23")


def fields_in(names: str) -> tuple[str, ...]:
    """Return the fields that a reference names, in order; none where it means the whole."""
    return tuple(names.split(BESIDE)) if names else ()


def side_by_side(values: Mapping[str, Any], language: str) -> str:
    """Return fields of one thing in a line: what counts bytes in the unit that suits it, a moment as its day."""
    return ", ".join(_told(name, value, language) for name, value in values.items() if value is not None)


def _told(name: str, value: Any, language: str) -> str:
    text = as_text(in_words(name, value, language))
    return text[:_DAY] if text[4:5] == "-" and text[_DAY : _DAY + 1] == "T" else text


def in_words(name: str, value: Any, language: str) -> Any:
    """Return the value of a field, of several things those of each: a number of bytes as "9.4 MB", others as it is."""
    if isinstance(value, list):
        return [in_words(name, one, language) for one in value]
    return bytes_words(value, language) if name.endswith(_BYTES) and isinstance(value, int) else value


def bytes_words(size_bytes: int, language: str) -> str:
    """Say a number of bytes in the unit that suits it: "9.4 MB", in German "9,4 MB"."""
    size, unit = float(size_bytes), 0
    while size >= _STEP and unit + 1 < len(_UNITS):
        size, unit = size / _STEP, unit + 1
    number = f"{size:.1f}".removesuffix(".0")
    return f"{number.replace('.', ',') if language == 'de' else number} {_UNITS[unit]}"


def as_text(value: Any) -> str:
    """Render a value the way a person would write it down: one line an item, a file by its name."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "\n".join(as_text(item) for item in value)
    if isinstance(value, Mapping):
        return _mapping_text(value)
    return str(value)


def _mapping_text(value: Mapping[str, Any]) -> str:
    if "columns" in value and "rows" in value:
        lines = [value["columns"], *value["rows"]]
        return "\n".join("\t".join(as_text(cell) for cell in line) for line in lines)
    if "path" in value:
        return PurePosixPath(str(value["path"])).name
    fields = parts_of(value)
    return "\n".join(f"{name.replace('_', ' ')}: {as_text(item)}" for name, item in fields.items() if item is not None)


def parts_of(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a record by name, however it is written."""
    inner = value.get("fields")
    return inner if isinstance(inner, Mapping) else value
