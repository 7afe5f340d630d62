"""The miner against counting by hand: what it finds, what it forgets, and that it comes back the same."""

from __future__ import annotations

import gc
import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.sequences import Entry, Limits, Miner, log_lift, miner_from_json, miner_to_json
from memory.sequences.rows import NEVER

DAY = 86_400.0
ALWAYS = Limits(half_life_s=1e15, closed=2.0)
CLOSED = Limits(half_life_s=1e15)


def _session(words: str, at: float = 0.0) -> list[Entry]:
    """Every word an entry, a minute apart; what is joined by + was asked for together."""
    session = []
    for minute, word in enumerate(words.split()):
        group = word if "+" in word else ""
        session += [Entry(tuple(one.split("/")), at + 60 * minute, group) for one in word.split("+")]
    return session


def _mined(sessions: Sequence[str], limits: Limits = ALWAYS) -> Miner:
    miner = Miner(limits)
    for day, words in enumerate(sessions):
        miner.fold(_session(words, day * DAY))
    return miner


def _times(miner: Miner) -> dict[str, int]:
    return {" ".join(one.items): one.times for one in miner.found(100 * DAY)}


def test_what_comes_together_three_times_is_found_with_one_thing_in_between() -> None:
    miner = _mined(["a b c", "a x b c", "y a b x c", "a"])
    assert _times(miner) == {"a b": 3, "b c": 3, "a b c": 3}


def test_two_things_in_between_are_one_too_many() -> None:
    assert "a b" not in _times(_mined(["a x y b", "a y z b", "a z x b"]))


def test_what_lies_too_far_apart_in_time_does_not_follow() -> None:
    miner = Miner(ALWAYS)
    for day in range(4):
        miner.fold([Entry(("a",), day * DAY), Entry(("b",), day * DAY + ALWAYS.apart_s + 1)])
    assert _times(miner) == {}


def test_calls_of_one_request_follow_each_other_without_anything_between() -> None:
    assert _times(_mined(["a+x+b", "a+y+b", "a+z+b"])) == {}
    assert _times(_mined(["a+b c", "a+b c", "a+b x c"])) == {"a b": 3, "a b c": 3, "b c": 3}


def test_a_part_of_a_longer_one_is_left_out_and_so_is_a_wider_one() -> None:
    miner = _mined(["a/a1 b/b1 c"] * 4, Limits(half_life_s=1e15))
    assert _times(miner) == {"a1 b1 c": 4}


def test_a_wider_one_that_comes_much_oftener_stands_beside() -> None:
    miner = _mined(["a/a1 b"] * 3 + [f"a/a{day} b" for day in range(2, 9)], Limits(half_life_s=1e15))
    assert _times(miner) == {"a1 b": 3, "a b": 10}


def test_what_tells_most_comes_first() -> None:
    chance = random.Random(5)
    noise = [" ".join(chance.choices("pqrs", k=4)) for _ in range(60)]
    found = _mined([f"{words} a b" if day % 6 == 0 else words for day, words in enumerate(noise)]).found(100 * DAY)
    assert found[0].items[-2:] == ("a", "b")


def test_what_is_old_counts_less_and_what_has_not_come_is_over() -> None:
    miner = _mined(["a b"] * 4, Limits(half_life_s=10 * DAY))
    fresh, old = miner.found(4 * DAY)[0], miner.found(24 * DAY)[0]
    assert old.support == pytest.approx(fresh.support / 4, rel=1e-6)
    assert miner.found(24 * DAY, over_s=21 * DAY - 1) == []


def test_held_back_chances_are_those_after_the_second_time() -> None:
    miner = _mined(["a b", "a b", "a", "a b", "a b"])
    assert miner.held(("a", "b")) == (2, 3)
    assert miner.held(("a", "b"), lambda at: at >= 3 * DAY) == (2, 2)


def test_chances_whose_times_are_not_kept_any_more_are_not_counted_as_taken() -> None:
    miner = _mined(["a b" if day % 7 == 0 else "a" for day in range(140)])
    kept = range(140 - ALWAYS.latest, 140)
    assert miner.held(("a", "b")) == (sum(day % 7 == 0 for day in kept), len(kept))


def test_log_lift_is_nothing_where_things_meet_by_chance() -> None:
    assert log_lift(25, (50, 50), 100) == pytest.approx(0)
    assert log_lift(50, (50, 50), 100) > 0


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=6), max_size=12))
def test_pairs_are_those_that_counting_by_hand_finds(sessions: list[list[str]]) -> None:
    miner = _mined([" ".join(one) for one in sessions], Limits(half_life_s=1e15, least=1, closed=2.0))
    for first in "abcd":
        for second in "abcd":
            by_hand = sum(_near(one, first, second) for one in sessions)
            assert miner.rows.get((first, second), NEVER)[0] == by_hand


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=1, max_size=12))
def test_longer_ones_are_counted_where_they_came_before_they_were_looked_for(sessions: list[list[str]]) -> None:
    miner = _mined([" ".join(one) for one in sessions])
    for items, row in miner.rows.items():
        if len(items) == 3:
            assert row[0] == sum(_in_a_row(one, items) for one in sessions)


@given(st.lists(st.lists(st.sampled_from(["a", "a/a1", "b", "b/b1", "c"]), max_size=6), min_size=3, max_size=9))
def test_what_is_found_is_all_that_stands_for_itself(sessions: list[list[str]]) -> None:
    entries = [_session(" ".join(one)) for one in sessions]
    counts = Counter(items for one in entries for items in _all_in(one))
    often = {items: count for items, count in counts.items() if count >= ALWAYS.least}
    alone = {
        items: count
        for items, count in often.items()
        if not any(_holds(other, items) and count * 0.85 <= often[other] for other in often if other != items)
    }
    found = {one.items: one.times for one in _mined([" ".join(one) for one in sessions], CLOSED).found(0)}
    assert found == alone


def test_a_long_session_that_comes_again_is_not_taken_apart() -> None:
    long = " ".join(f"{name}/{name}1/{name}2" for name in "abcdefghijklmnop")
    miner = _mined([long] * 4, CLOSED)
    windows = [tuple(f"{name}2" for name in "abcdefghijklmnop"[at : at + 7]) for at in range(10)]
    assert {one.items for one in miner.found(0)} == set(windows)
    assert len(miner.rows) < 1_500


def test_what_came_without_the_more_particular_one_is_followed_from_then_on() -> None:
    miner = _mined(["a/a1 b c"] * 4 + ["a b c"] * 3, CLOSED)
    assert _times(miner) == {"a b c": 7, "a1 b c": 4}
    assert _times(_mined(["a x b c"] * 4 + ["a b c"] * 3, CLOSED)) == {"a b c": 7, "a x b c": 4}


def test_what_is_counted_is_nothing_that_the_garbage_collector_looks_at() -> None:
    miner = _mined(["a/a1 b/b1 c d"] * 5)
    for _ in range(4):  # one pass for each tuple in a tuple
        gc.collect()
    assert len(miner.rows) > 12
    assert not any(map(gc.is_tracked, [*miner.rows.values(), *miner.singles.values()]))


def test_what_came_wherever_a_more_particular_one_came_is_counted_and_kept_once() -> None:
    miner = _mined(["a/a1 b/b1", "a/a1 b/b1", "a/a2 b/b1"])
    miner = miner_from_json(json.loads(json.dumps(miner_to_json(miner))), ALWAYS)
    miner.fold(_session("a/a1 b/b1", 3 * DAY))
    assert miner.rows["a1", "b"] is miner.rows["a1", "b1"]
    assert miner.rows["a", "b"] is miner.rows["a", "b1"] != miner.rows["a1", "b1"]
    assert [one[0] for one in (miner.rows["a", "b"], miner.rows["a1", "b1"], miner.rows["a2", "b1"])] == [4, 3, 1]


def test_an_item_is_the_same_object_wherever_it_came_from() -> None:
    miner = miner_from_json(json.loads(json.dumps(miner_to_json(_mined(["first second"] * 5)))), ALWAYS)
    miner.fold(_session("".join(["fir", "st sec", "ond"]), 9 * DAY))
    known = {id(item) for item in miner.singles}
    assert known == {id(item) for entries in miner.sessions.values() for entry in entries for item in entry.items}
    assert known == {id(item) for items in miner.rows for item in items}


def test_memory_is_bounded() -> None:
    chance = random.Random(1)
    limits = Limits(sessions=50, most=300)
    miner = Miner(limits)
    for day in range(400):
        words = " ".join(f"w{chance.randrange(200)}" for _ in range(6))
        miner.fold(_session(f"a b {words}", day * DAY))
    assert len(miner.sessions) == limits.sessions
    assert len(miner.rows) <= limits.most
    assert len(miner.general) <= len(miner.singles)
    assert "a b" in {" ".join(one.items) for one in miner.found(400 * DAY)}


def test_a_miner_comes_back_the_same_and_goes_on_alike() -> None:
    miner = _mined(["a/a1 b c", "a/a1 x b c", "a/a2 b+c", "b c"])
    back = miner_from_json(json.loads(json.dumps(miner_to_json(miner))), ALWAYS)
    for one in (miner, back):
        one.fold(_session("a/a1 b c", 9 * DAY))
    assert back.found(9 * DAY) == miner.found(9 * DAY)
    with pytest.raises(ValueError, match="form"):
        miner_from_json({"form": 0})


def test_what_is_taken_out_was_never_seen() -> None:
    days = ["a b c", "a b", "a b c", "a b c"]
    miner = _mined(days).without({1, 2}, lambda number: [] if number == 1 else _session("a", 2 * DAY))
    assert miner.found(9 * DAY) == []
    assert miner.rows["a", "b"][0] == 2
    assert [one.session for one in miner.seen("a")] == [0, 2, 3]
    assert miner.fold(_session("a b c", 5 * DAY)) == len(days)


def _near(session: list[str], first: str, second: str) -> bool:
    return any(
        (session[one], session[other]) == (first, second) and other - one <= 2
        for one, other in combinations(range(len(session)), 2)
    )


def _in_a_row(session: list[str], items: tuple[str, ...]) -> bool:
    return any(
        tuple(session[place] for place in places) == items
        and all(after - before <= 2 for before, after in pairwise(places))
        for places in combinations(range(len(session)), len(items))
    )


def _all_in(session: Sequence[Entry]) -> set[tuple[str, ...]]:
    """Every sequence of two items or more of a session without groups: one entry at most lies between two of them."""
    ways = [
        places
        for length in range(2, len(session) + 1)
        for places in combinations(range(len(session)), length)
        if all(after - before <= 2 for before, after in pairwise(places))
    ]
    return {items for places in ways for items in product(*(session[place].items for place in places))}


def _holds(whole: Sequence[str], part: Sequence[str]) -> bool:
    """Tell whether ``part`` is in ``whole``, in order; an item is also every wider one: a1 is a, too."""
    rest = iter(whole)
    return all(any(one.startswith(item) for one in rest) for item in part)
