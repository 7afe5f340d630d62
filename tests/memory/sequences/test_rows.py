"""Rows against a list of all that was counted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.sequences.model import Entry, Limits
from memory.sequences.rows import NEVER, OneMore, Row, Seen, came_where, counted, counted_all, latest, row_of

_LIMITS = st.integers(1, 20).map(lambda latest: Limits(latest=latest))


def _seen(count: int) -> list[Seen]:
    return [(session, (session % 3, 5), float(session)) for session in range(count)]


def _counted(seen: Sequence[Seen], limits: Limits) -> Row:
    row = NEVER
    for one in seen:
        row = counted(row, one, limits)
    return row


@given(st.integers(0, 60), _LIMITS)
def test_the_latest_places_are_kept_one_a_session(count: int, limits: Limits) -> None:
    seen = _seen(count)
    row = _counted([one for one in seen for _ in range(2)], limits)
    assert row[0] == count
    assert latest(row, limits) == tuple(seen[-limits.latest :])


@given(st.integers(1, 60), st.integers(0, 30), _LIMITS)
def test_a_row_goes_on_as_if_it_had_been_counted_one_by_one(count: int, more: int, limits: Limits) -> None:
    seen = _seen(count + more)
    by_one = _counted(seen, limits)
    row = counted_all(seen[:count], limits)
    read = row_of(*row[:3], latest(row, limits))
    for one in seen[count:]:
        row, read = counted(row, one, limits), counted(read, one, limits)
    for other in (row, read):
        assert other[0] == by_one[0]
        assert other[1:3] == pytest.approx(by_one[1:3])
        assert latest(other, limits) == latest(by_one, limits)
        assert came_where(other, by_one, limits)


@given(st.integers(1, 40), st.integers(0, 39), _LIMITS)
def test_where_it_came_is_where_the_other_came_of_what_is_kept(count: int, other: int, limits: Limits) -> None:
    whole = _seen(count)
    part = [(session, (9, *places[1:]) if session == other else places, at) for session, places, at in whole]
    short = [(session, places[:1], at) for session, places, at in part]
    kept = count - limits.latest <= other < count
    assert came_where(_counted(part, limits), _counted(whole, limits), limits) is not kept
    assert came_where(_counted(short, limits), _counted(whole, limits), limits, 1) is not kept
    assert not came_where(_counted(part[1:], limits), _counted(whole, limits), limits)


def test_what_is_one_object_stays_one_where_it_came_at_the_same_places() -> None:
    one_more = OneMore(7, [Entry(("a",), 5.0), Entry(("b",), 6.0)], Limits())
    same, other = _counted(_seen(3), Limits()), _counted(_seen(4), Limits())
    assert one_more.count(same, (0, 1)) is one_more.count(same, (0, 1)) == counted(same, (7, (0, 1), 5.0), Limits())
    assert one_more.count(same, (1,)) == counted(same, (7, (1,), 6.0), Limits())
    assert one_more.count(other, (0, 1)) == counted(other, (7, (0, 1), 5.0), Limits())
