"""Rows as JSON lines, for export and import: each line is read strictly, or refused with its number."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from math import isfinite
from typing import Any

from gpu_skills.errors import NothingKnown
from gpu_skills.knowledge.model import Device, Features, Row

_MOST = 1 << 63
_NUMBERS = ("log_elements", "log_row", "intensity", "row_in_cache")


def written(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a line a row."""
    for row in rows:
        yield json.dumps(asdict(row), sort_keys=True, separators=(",", ":"))


def read(lines: Iterable[str]) -> Iterator[Row]:
    """Yield the rows of lines. Raises NothingKnown with the number of the first line that is none."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield row_of(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            raise NothingKnown(
                "knowledge.line", f"Line {number} is no row: {error}", hint="Export it again with this version."
            ) from error


def row_of(told: dict[str, Any]) -> Row:
    """Return a row. Raises ValueError, TypeError or KeyError where it is none."""
    if told.keys() != {one.name for one in fields(Row)}:
        raise ValueError("other fields than those of a row")
    genome = {str(name): _choice(value) for name, value in told["genome"].items()}
    return Row(
        features_from(told["features"]), genome, _time(told["best_ns"]), _time(told["median_ns"]),
        _count(told["samples"]), _figures(told["statics"]), str(told["verdict"]), str(told["made_by"]),
        tuple(map(str, told["parents"])), str(told["compiler"]), str(told["generator"]),
    )  # fmt: skip


def features_from(told: dict[str, Any]) -> Features:
    """Return features. Raises ValueError, TypeError or KeyError where they are none."""
    numbers = {name: _number(told[name]) for name in _NUMBERS}
    return Features(
        problem=str(told["problem"]), family=str(told["family"]), device=Device(told["device"]),
        dtype=str(told["dtype"]), folds=_count(told["folds"]), products=_count(told["products"]),
        transcendental=_count(told["transcendental"]), hardware=_figures(told["hardware"]), **numbers,
    )  # fmt: skip


def _choice(value: object) -> int | str | bool:
    if not isinstance(value, int | str):
        raise TypeError(f"{value!r} is no choice")
    return value


def _figures(told: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple((str(name), _number(value)) for name, value in told)


def _count(value: float) -> int:
    number = int(value)
    if not 0 <= number < _MOST:
        raise ValueError("a count below 0, or one that is too large")
    return number


def _number(value: float) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError("a number that is not finite")
    return number


def _time(value: float | None) -> float | None:
    if value is None:
        return None
    if (number := _number(value)) <= 0:
        raise ValueError("a time that is not above 0")
    return number
