"""The rule: nearly all of the last calls fit into what the next one begins with; nothing exceeds what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.limits.rule import FIRST_BYTES, FLOOR_BYTES, KEPT, LATEST, Peak, learn, like, shape_of, stepped

MIB = 1 << 20
GIB = 1 << 30
peaks = st.lists(st.builds(Peak, st.integers(1, 4 * GIB), st.booleans()), max_size=KEPT)


def test_a_tool_that_nobody_knows_begins_with_a_quarter_of_a_gibibyte_if_it_asks_for_that() -> None:
    assert learn((), GIB, 8 * GIB).reserve_bytes == FIRST_BYTES
    assert learn((), 100 * MIB, 8 * GIB).reserve_bytes == 100 * MIB


def test_small_calls_begin_with_little_and_never_with_less_than_the_floor() -> None:
    assert learn([Peak(3 * MIB)] * 9, GIB, 8 * GIB).reserve_bytes == FLOOR_BYTES
    assert learn([Peak(200 * MIB)] * 9, GIB, 8 * GIB).reserve_bytes == 256 * MIB


def test_one_large_call_counts_until_others_came_after_it() -> None:
    small, large = Peak(40 * MIB), Peak(600 * MIB)
    assert learn([large, small], GIB, 8 * GIB).reserve_bytes >= 600 * MIB
    assert learn([large, *[small] * KEPT][-KEPT:], GIB, 8 * GIB).reserve_bytes == FLOOR_BYTES


def test_a_call_that_was_killed_doubles_the_next_one() -> None:
    killed = Peak(512 * MIB, killed=True)
    found = learn([Peak(100 * MIB), killed], 512 * MIB, 8 * GIB)
    assert (found.reserve_bytes, found.most_bytes) == (GIB, GIB)
    assert learn([killed] * 3, 512 * MIB, GIB).most_bytes == 512 * MIB, "never more than half of the machine"
    assert learn([Peak(2 * GIB)], 512 * MIB, 8 * GIB).most_bytes == 512 * MIB, "only a call that was killed widens"


@given(peaks, st.integers(64 * MIB, 4 * GIB), st.integers(GIB, 64 * GIB))
def test_the_laws(told: list[Peak], asked: int, machine: int) -> None:
    found = learn(told, asked, machine)
    assert 0 < found.reserve_bytes <= found.most_bytes
    assert asked <= found.most_bytes <= max(asked, machine // 2)
    assert found == learn(told, asked, machine)
    fits = [
        peak for peak in told[-LATEST:] if peak.size_bytes <= found.reserve_bytes or found.most_bytes < peak.wanted()
    ]
    assert len(fits) == len(told[-LATEST:])
    assert learn([*told, Peak(1)], asked, machine).most_bytes == found.most_bytes


@given(st.integers(0, 1 << 45))
def test_steps_are_upward_and_close(size: int) -> None:
    step = stepped(size)
    assert step >= size
    assert step - size < max(16 * MIB, size // 4 + 1)
    assert stepped(step) == step


def test_the_shape_is_the_size_of_the_files_that_are_read(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"x" * 1000)
    with large.open("wb") as file:
        file.truncate(5 * MIB)
    gone, folder = str(tmp_path / "gone"), str(tmp_path)
    assert shape_of(()) == shape_of([str(small), gone, folder]) == 0
    assert shape_of([str(large)]) == shape_of([str(large), str(small)]) == 3


@pytest.mark.parametrize(("shape", "known", "found"), [
    (3, {3, 9}, (3, 1)), (5, {3}, (3, 4)), (9, {3}, (3, 4)), (1, {3}, (3, 1)), (4, {3, 5}, (5, 1)),
])  # fmt: skip
def test_an_unknown_shape_is_like_the_nearest_and_larger_ones_need_more(
    shape: int, known: set[int], found: tuple[int, int]
) -> None:
    assert like(shape, known) == found
