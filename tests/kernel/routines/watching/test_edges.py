"""When a state begins: once, never at the first look, and not where a value trembles about its bound."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kernel.routines.model import Machine, State
from kernel.routines.watching.edges import Edges, stands

GB = 1e9


def begun(trigger: Machine, values: Sequence[float]) -> list[int]:
    """At which of the looks the state begins."""
    edges = Edges()
    return [at for at, value in enumerate(values) if edges.begins("a", stands(trigger, value), at) is not None]


@pytest.mark.parametrize(
    ("values", "times"),
    [
        ([20, 16, 14, 13, 5], [2]),
        ([20, 15, 14], [2]),  # 15 is not below 15
        ([14, 13, 20, 14], [3]),  # it was there at the first look
        ([20, 14, 15, 14, 16, 14], [1]),  # it trembles
        ([20, 14, 17, 14], [1, 3]),
        ([16, 14], [1]),  # it was not there, though near
    ],
)
def test_a_battery_runs_low_once(values: list[float], times: list[int]) -> None:
    assert begun(Machine(State.BATTERY, 15.0), values) == times


def test_a_bound_near_the_top_is_left_again() -> None:
    assert begun(Machine(State.BATTERY, 99.0), [100, 98, 100, 98]) == [1, 3]


@pytest.mark.parametrize(
    ("values", "times"),
    [
        ([70, 80, 81], [1]),
        ([80, 90], []),  # it was there at the first look
        ([70, 80, 79, 80], [1]),  # it trembles
        ([70, 80, 78, 80], [1, 3]),
    ],
)
def test_a_battery_is_charged_once(values: list[float], times: list[int]) -> None:
    assert begun(Machine(State.CHARGED, 80.0), values) == times


@pytest.mark.parametrize(
    ("values", "times"),
    [
        ([80, 85, 86, 90], [2]),  # 85 is not above 85
        ([86, 90], []),  # it was there at the first look
        ([85, 86, 84, 86], [1]),  # it trembles
        ([85, 86, 83, 86], [1, 3]),
    ],
)
def test_a_battery_rises_above_a_bound_once(values: list[float], times: list[int]) -> None:
    assert begun(Machine(State.ABOVE, 85.0), values) == times


@pytest.mark.parametrize(
    ("gone", "times"),
    [
        ([(0, 1), (10, 1), (299, 1), (300, 1), (900, 1)], [300]),  # once it has lasted
        ([(0, 1), (299, 1), (300, 0), (301, 1), (500, 1)], []),  # it was back in between
        ([(0, 1), (200, 0), (300, 1), (599, 1), (600, 1)], [600]),  # anew from its second beginning
    ],
)
def test_what_has_to_last_begins_once_it_has(gone: list[tuple[float, float]], times: list[float]) -> None:
    edges = Edges()
    edges.begins("a", stands(Machine(State.OFFLINE), 0), -1, 300)
    looks = ((now_s, edges.begins("a", stands(Machine(State.OFFLINE), value), now_s, 300)) for now_s, value in gone)
    assert [now_s for now_s, begun_s in looks if begun_s is not None] == times


def test_a_disk_is_free_again_when_a_twentieth_more_is() -> None:
    assert begun(Machine(State.DISK, 10 * GB), [11 * GB, 9.9 * GB, 10.2 * GB, 9.9 * GB, 10.6 * GB, 9 * GB]) == [1, 5]


def test_what_is_so_or_not_begins_when_it_becomes_so() -> None:
    assert begun(Machine(State.PLUGGED), [0, 1, 1, 0, 1]) == [1, 4]
    assert begun(Machine(State.OFFLINE), [1, 1, 0, 1]) == [3]
    assert begun(Machine(State.IDLE, 60.0), [0, 59, 60, 600, 0, 61]) == [2, 5]


def test_it_is_told_for_how_long_it_was_not_so() -> None:
    edges = Edges()
    assert edges.begins("a", False, 10.0) is None
    assert edges.begins("a", False, 20.0) is None
    assert edges.begins("a", True, 40.0) == 30.0
    assert edges.begins("a", False, 50.0) is None
    assert edges.begins("a", True, 55.0) == 5.0


def test_who_is_forgotten_begins_nothing_when_seen_again() -> None:
    edges = Edges()
    edges.begins("a", False, 0.0)
    edges.keep(["b"])
    assert edges.begins("a", True, 1.0) is None


def test_heat_and_memory_are_left_again_two_below() -> None:
    assert begun(Machine(State.HEAT, 85.0), [80, 86, 84, 86, 83, 86]) == [1, 5]
    assert begun(Machine(State.MEMORY, 90.0), [90, 91, 89, 91, 88, 91]) == [1, 5]


def test_what_has_to_be_so_for_a_while_begins_once_it_has() -> None:
    edges = Edges()
    assert edges.begins("a", False, 0.0, 60.0) is None
    assert edges.begins("a", True, 10.0, 60.0) is None
    assert edges.left_s("a", 30.0, 60.0) == 40.0
    assert edges.begins("a", None, 69.0, 60.0) is None  # it trembles
    assert edges.begins("a", True, 70.0, 60.0) == 10.0
    assert edges.begins("a", True, 200.0, 60.0) is None
    assert edges.left_s("a", 200.0, 60.0) is None


def test_what_ends_meanwhile_has_to_be_so_anew() -> None:
    edges = Edges()
    looks = [(False, 0), (True, 10), (False, 50), (True, 60), (True, 100), (True, 120)]
    assert [at for there, at in looks if edges.begins("a", there, float(at), 60.0) is not None] == [120]
