"""Where a value came from: what an earlier call made that is the same, all of it, one field of it, one item of it.

A value is compared and then let go of: only where it was made is kept. What is too short to be told from another one by
chance ("1", "ja") says nothing.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeGuard

from kernel.habits.model import Made

MOST_ITEMS = 20
"""So many items of a list are looked at one by one."""
LATEST = 40
"""So many results are remembered for later requests."""
_SHORTEST = 4
"""Letters; what is shorter, or a number of fewer digits, is the same by chance."""
_BY_CHANCE = frozenset(("true", "false"))
_Place = tuple[str, int | None]
"""A part of a value: one field, one item; ("", None) is all of it."""
_PLAIN = frozenset((str, int, float, bool, list, type(None)))
_write = json.JSONEncoder(sort_keys=True, default=str).encode


_Forms = dict[str, list[_Place]]
_WRITTEN = ("{", "[")
"""What the form of a record or a list begins with."""
_NOWHERE: list[_Place] = []


class _Result:
    """What a call made. The forms of its records and lists are only written where such a value is looked for."""

    __slots__ = ("_value", "at_s", "forms", "run", "step")

    def __init__(self, run: str, step: int, at_s: float, value: Any) -> None:
        self.run, self.step, self.at_s = run, step, at_s
        self.forms = _forms_of(value, _short_form)
        self._value = value
        if not self.forms:
            self._write_out()

    def places(self, form: str) -> list[_Place]:
        """Return which parts of it are ``form``."""
        if self._value is not None and form.startswith(_WRITTEN):
            self._write_out()
        return self.forms.get(form, _NOWHERE)

    def _write_out(self) -> None:
        self.forms, self._value = _forms_of(self._value, form_of), None


class Origins:
    """What the last calls made. Not thread-safe."""

    def __init__(self) -> None:
        self._latest: deque[_Result] = deque(maxlen=LATEST)

    def remember(self, run: str, step: int, at_s: float, value: Any) -> None:
        """Take in what step ``step`` of ``run`` made."""
        made = _Result(run, step, at_s, value)
        if made.forms:
            self._latest.append(made)

    def of(self, value: Any, since_s: float) -> tuple[Made, ...]:
        """Return what made ``value`` since then, the latest first."""
        form = form_of(value)
        if not form:
            return ()
        return tuple(
            [
                Made(one.run, one.step, field, index)
                for one in reversed(self._latest)
                if one.at_s >= since_s
                for field, index in one.places(form)
            ]
        )


def form_of(value: Any) -> str:
    """Return what is compared of a value: of a file its path. Empty where it would be the same by chance."""
    if type(value) is int:
        form = repr(value)
    else:
        plain = value if isinstance(value, str) else _plain(value)
        if plain is None:
            return ""
        form = plain if isinstance(plain, str) else _write(plain)
    return form if len(form) >= _SHORTEST and form not in _BY_CHANCE else ""


def _short_form(value: Any) -> str:
    """Return the same of what is not written as a record or a list, which comes to nothing."""
    if type(value) is str:
        return value if len(value) >= _SHORTEST and value not in _BY_CHANCE else ""
    while type(value) is list and len(value) == 1:
        value = value[0]
    if type(value) is dict:
        value = value.get("path")
        return form_of(value) if isinstance(value, str) else ""
    return "" if type(value) is list else form_of(value)


def _forms_of(value: Any, form_of: Callable[[Any], str]) -> _Forms:
    forms: _Forms = {}
    for place, part in _parts(value):
        form = form_of(part)
        if form:
            forms.setdefault(form, []).append(place)
    return forms


def _plain(value: Any) -> Any:
    if _is_record(value):
        path = value.get("path")
        return path if isinstance(path, str) else dict(value)
    if isinstance(value, list | tuple):
        items = [_plain(one) for one in value]
        return items[0] if len(items) == 1 else items
    return value


def _parts(value: Any) -> Iterator[tuple[_Place, Any]]:
    """Yield what may be given to a later call: all of it, its fields, its items and theirs."""
    yield ("", None), value
    if _is_record(value):
        for name, part in _fields(value):
            yield (name, None), part
    if isinstance(value, list | tuple):
        for index, item in enumerate(value[:MOST_ITEMS]):
            yield ("", index), item
            if _is_record(item):
                for name, part in _fields(item):
                    yield (name, index), part


def _fields(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    inner = value.get("fields")
    fields = inner if _is_record(inner) else value
    return [(str(name), part) for name, part in fields.items() if part is not None]


def _is_record(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Tell whether a value is a record; what JSON has beside them is told by its type alone, which is soon done."""
    kind = type(value)
    return kind is dict or (kind not in _PLAIN and isinstance(value, Mapping))
