"""Extremes of earlier values are picked by what the values say, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.composition.steps.picking import pick
from kernel.language.extremes import LARGEST, NEWEST, OLDEST, SMALLEST


def _file(name: str, day: int, size: int) -> dict[str, Any]:
    return {"path": f"/home/{name}", "modified": f"2025-03-{day:02}T10:00:00+01:00", "size_bytes": size}


FILES = [_file("a", 5, 300), _file("b", 2, 100), _file("c", 9, 200)]


@pytest.mark.parametrize(
    ("which", "count", "places"),
    [(OLDEST, 1, (1,)), (NEWEST, 1, (2,)), (LARGEST, 1, (0,)), (SMALLEST, 2, (1, 2)), (NEWEST, 3, (2, 0, 1))],
)
def test_the_extreme_items_are_picked(which: str, count: int, places: tuple[int, ...]) -> None:
    assert pick(FILES, which, count) == places


def test_a_record_is_as_old_as_the_one_thing_in_it() -> None:
    notes = [{"title": one["path"], "file": one} for one in FILES]
    assert pick(notes, OLDEST, 1) == (1,)


@pytest.mark.parametrize(
    ("value", "which", "count"),
    [
        ([_file("a", 5, 1), _file("b", 5, 2)], OLDEST, 1),  # nobody could say which
        ([*FILES, {"path": "/home/d", "modified": None, "size_bytes": 1}], OLDEST, 1),  # one does not say its age
        (FILES, OLDEST, 4),
        (FILES, OLDEST, 0),
        ("text", OLDEST, 1),
        ([1, 2, 3], LARGEST, 1),
        ([{"modified": "no day"}], OLDEST, 1),
    ],
)
def test_what_does_not_tell_is_not_guessed(value: object, which: str, count: int) -> None:
    assert pick(value, which, count) is None
