"""What follows what: the chain against its formula, arguments and company, and sequences that come and go."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.sequences.following import COLUMNS, WORDS, Act, Following

A, B, C = (Act(name) for name in "abc")


def _counted(*lines: list[Act], around: tuple[str, ...] = ()) -> Following:
    found = Following(around)
    for line in lines:
        found.add(line)
    return found


def _column(found: Following, name: str, before: list[Act], around: dict[str, str] | None = None) -> dict[str, float]:
    items = found.items
    columns = found.columns_of(before, around or {}, items)
    return dict(zip(items, columns[:, found.columns.index(name)].tolist(), strict=True))


def test_a_chain_is_interpolated_over_its_orders() -> None:
    found = _counted([A, B], [A, B], [A, C])
    # usual: a 3/6, b 2/6, c 1/6 of three kinds; after a: b 2/3, c 1/3 of two kinds (Witten and Bell 1991)
    usual = {"a": (3 + 3 / 3) / 9, "b": (2 + 3 / 3) / 9, "c": (1 + 3 / 3) / 9}
    after_a = [2 * usual["a"] / 5, (2 + 2 * usual["b"]) / 5, (1 + 2 * usual["c"]) / 5]
    assert found.chances([A], "abc", order=1) == pytest.approx(after_a)


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=8))
def test_chances_are_a_distribution_and_a_line_that_is_taken_away_was_never_there(lines: list[list[str]]) -> None:
    acts = [[Act(name) for name in line] for line in lines]
    found = _counted(*acts)
    before = acts[0]
    assert found.chances(before, found.items).sum() == pytest.approx(1.0)
    known = found.items
    as_it_was = found.columns_of(before, {}, known)
    found.add([A, B, C, A], 0.3)
    found.add([A, B, C, A], -0.3)
    assert found.columns_of(before, {}, known) == pytest.approx(as_it_was)


def test_what_an_act_was_done_with_tells_what_comes() -> None:
    up, down = Act("cd", about=("..",)), Act("cd", about=("inbox",))
    found = _counted([up, A], [up, A], [down, B], [down, B])
    whole = _column(found, "whole", [down])
    assert whole["b"] > whole["a"]
    chain = _column(found, "chain1", [down])
    assert chain["a"] == chain["b"]


def test_how_often_something_was_just_done_tells_when_it_is_enough() -> None:
    found = _counted([A, A, B], [A, A, B], [A, A, B])
    twice, once = _column(found, "row", [A, A]), _column(found, "row", [A])
    assert twice["b"] > twice["a"]
    assert once["a"] > once["b"]


def test_what_is_the_case_around_an_act_counts_by_its_kind() -> None:
    early, late = Act("mail", around={"hour": "4"}), Act("backup", around={"hour": "11"})
    found = _counted([early], [early], [late], [late], around=("hour",))
    assert found.columns == (*COLUMNS, "hour")
    hour = _column(found, "hour", [], {"hour": "11"})
    assert hour["backup"] > hour["mail"]
    nothing = _column(found, "hour", [])
    assert nothing["backup"] == nothing["mail"]


def test_older_lines_count_less() -> None:
    found = Following()
    found.add([A, B], 0.25)
    found.add([A, C], 1.0)
    after = dict(zip("abc", found.chances([A], "abc"), strict=True))
    assert after["c"] > after["b"] > after["a"]


def test_nothing_that_was_seen_says_the_same_of_everything() -> None:
    columns = Following().columns_of([], {}, ["x", "y"])
    assert np.ptp(columns, axis=0) == pytest.approx(0.0)


def test_words_tell_what_comes_and_unknown_ones_tell_nothing() -> None:
    lines = [[Act("mail", said=frozenset({"send", "anna"}))], [Act("note", said=frozenset({"write", "anna"}))]]
    found = Following(words=True)
    for line in 2 * lines:
        found.add(line)
    assert found.columns == (*COLUMNS, *WORDS)

    def words(*said: str) -> dict[str, float]:
        columns = found.columns_of([], {}, found.items, said)
        return dict(zip(found.items, columns[:, found.columns.index("words")].tolist(), strict=True))

    assert words("send")["mail"] > 0 > words("send")["note"]
    assert words("anna")["mail"] == pytest.approx(words("anna")["note"])
    assert words("send", "never heard") == words("send"), "what nobody said yet takes nothing away"
    assert words() == {"mail": 0.0, "note": 0.0}
    found.add(lines[0], -2.0)
    assert not found.knows("send")
    assert found.knows("anna")
