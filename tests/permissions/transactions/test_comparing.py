"""Lines that differ, also where there are too many to be compared one by one."""

from __future__ import annotations

import pytest

from permissions.transactions import comparing
from permissions.transactions.comparing import differences
from tests.clock import less_than


def test_few_lines_are_compared_one_by_one() -> None:
    assert list(differences(["a", "b", "c"], ["a", "B", "c"], "x", "y")) == [
        "--- x", "+++ y", "@@ -1,3 +1,3 @@", " a", "-b", "+B", " c",
    ]  # fmt: skip


def test_of_many_all_between_two_like_ends_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "_MOST_PAIRS", 1)
    assert list(differences(["a", "b", "c", "d"], ["a", "B", "c", "C", "d"], "x", "y")) == [
        "--- x", "+++ y", "@@ -2,2 +2,3 @@", "-b", "-c", "+B", "+c", "+C",
    ]  # fmt: skip
    assert list(differences(["a"], ["a"], "x", "y")) == []
    assert list(differences(["a", "a"], ["a"], "x", "y"))[2:] == ["@@ -2,1 +2,0 @@", "-a"]


def test_many_lines_take_no_time() -> None:
    old, new = ([str(n % 50) for n in range(size)] for size in (60_000, 60_001))
    with less_than(5.0):
        assert sum(1 for _ in differences(old, new, "x", "y"))
