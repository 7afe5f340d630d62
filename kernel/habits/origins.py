"""Where a value came from: what an earlier call made that is the same, all of it, one field of it, one item of it.

A value is compared and then let go of: only where it was made is kept. What is too short to be told from another one by
chance ("1", "ja") says nothing.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from kernel.habits.model import Made

MOST_ITEMS = 20
"""So many items of a list are looked at one by one."""
LATEST = 40
"""So many results are remembered for later requests."""
_SHORTEST = 4
"""Letters; what is shorter, or a number of fewer digits, is the same by chance."""
_Place = tuple[str, int | None]
"""A part of a value: one field, one item; ("", None) is all of it."""
_RECORDS = (dict, Mapping)  # a look at dict alone says yes for next to all of them, and soon
_write = json.JSONEncoder(sort_keys=True, default=str).encode


class Origins:
    """What the last calls made. Not thread-safe."""

    def __init__(self) -> None:
        self._latest: deque[tuple[float, str, int, dict[str, list[_Place]]]] = deque(maxlen=LATEST)

    def remember(self, run: str, step: int, at_s: float, value: Any) -> None:
        """Take in what step ``step`` of ``run`` made."""
        forms: dict[str, list[_Place]] = {}
        for place, part in _parts(value):
            form = form_of(part)
            if form:
                forms.setdefault(form, []).append(place)
        if forms:
            self._latest.append((at_s, run, step, forms))

    def of(self, value: Any, since_s: float) -> tuple[Made, ...]:
        """Return what made ``value`` since then, the latest first."""
        form = form_of(value)
        if not form:
            return ()
        return tuple(
            Made(run, step, field, index)
            for at, run, step, forms in reversed(self._latest)
            if form in forms and at >= since_s
            for field, index in forms[form]
        )


def form_of(value: Any) -> str:
    """Return what is compared of a value: of a file its path. Empty where it would be the same by chance."""
    plain = value if isinstance(value, str) else _plain(value)
    if plain is None:
        return ""
    form = plain if isinstance(plain, str) else _write(plain)
    return form if len(form) >= _SHORTEST and form not in ("true", "false") else ""


def _plain(value: Any) -> Any:
    if isinstance(value, _RECORDS):
        path = value.get("path")
        return path if isinstance(path, str) else dict(value)
    if isinstance(value, list | tuple):
        items = [_plain(one) for one in value]
        return items[0] if len(items) == 1 else items
    return value


def _parts(value: Any) -> Iterator[tuple[_Place, Any]]:
    """Yield what may be given to a later call: all of it, its fields, its items and theirs."""
    yield ("", None), value
    if isinstance(value, _RECORDS):
        for name, part in _fields(value):
            yield (name, None), part
    if isinstance(value, list | tuple):
        for index, item in enumerate(value[:MOST_ITEMS]):
            yield ("", index), item
            if isinstance(item, _RECORDS):
                for name, part in _fields(item):
                    yield (name, index), part


def _fields(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    inner = value.get("fields")
    fields = inner if isinstance(inner, _RECORDS) else value
    return [(str(name), part) for name, part in fields.items() if part is not None]
