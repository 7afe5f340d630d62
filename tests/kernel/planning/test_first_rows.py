"""Of a table that is sorted, the first rows are kept: how many is no part of the column's name."""

from __future__ import annotations

import pytest

from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "column", "count"),
    [
        ("sort sales.csv by price and keep the top 3", "price", 3),
        ("sort orders.csv by date and keep the top five", "date", 5),
        ("sortiere sales.csv nach Preis und behalte die höchsten drei", "Preis", 3),
    ],
)
def test_the_first_rows_are_kept(sentence: str, column: str, count: int, planner: Planner) -> None:
    shape = planner.shape(planner.say(sentence))
    assert shape.startswith("data.sort(")
    assert f"column={column}, count={count}, order=descending" in shape
