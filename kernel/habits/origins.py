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
_write = json.JSONEncoder(sort_keys=True, default=str).encode


class Origins:
    """What the last calls made. Not thread-safe."""

    def __init__(self) -> None:
        self._latest: deque[tuple[float, dict[str, list[Made]]]] = deque(maxlen=LATEST)

    def remember(self, run: str, step: int, at_s: float, value: Any) -> None:
        """Take in what step ``step`` of ``run`` made."""
        forms: dict[str, list[Made]] = {}
        for made, part in _parts(run, step, value):
            form = form_of(part)
            if form:
                forms.setdefault(form, []).append(made)
        if forms:
            self._latest.append((at_s, forms))

    def of(self, value: Any, since_s: float) -> tuple[Made, ...]:
        """Return what made ``value`` since then, the latest first."""
        form = form_of(value)
        if not form:
            return ()
        return tuple(made for at, forms in reversed(self._latest) if at >= since_s for made in forms.get(form, ()))


def form_of(value: Any) -> str:
    """Return what is compared of a value: of a file its path. Empty where it would be the same by chance."""
    plain = value if isinstance(value, str) else _plain(value)
    if plain is None or plain in ([], {}):
        return ""
    form = plain if isinstance(plain, str) else _write(plain)
    return form if len(form) >= _SHORTEST and form not in ("true", "false") else ""


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        path = value.get("path")
        return path if isinstance(path, str) else dict(value)
    if isinstance(value, list | tuple):
        items = [_plain(one) for one in value]
        return items[0] if len(items) == 1 else items
    return value


def _parts(run: str, step: int, value: Any) -> Iterator[tuple[Made, Any]]:
    yield Made(run, step), value
    if isinstance(value, Mapping):
        yield from ((Made(run, step, name), part) for name, part in _fields(value))
    if isinstance(value, list | tuple):
        for index, item in enumerate(value[:MOST_ITEMS]):
            yield Made(run, step, "", index), item
            if isinstance(item, Mapping):
                yield from ((Made(run, step, name, index), part) for name, part in _fields(item))


def _fields(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    inner = value.get("fields")
    fields = inner if isinstance(inner, Mapping) else value
    yield from ((str(name), part) for name, part in fields.items() if part is not None)
