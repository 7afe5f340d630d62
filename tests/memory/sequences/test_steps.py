"""A walk through a session against trying every way through it."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from memory.sequences.model import Entry, Limits
from memory.sequences.steps import Walk, followers

LIMITS = Limits()
_ENTRIES = st.lists(st.tuples(st.sampled_from(["a", "a/a1", "b", "b/b1", "c"]), st.sampled_from("xyz")), max_size=7)


@given(_ENTRIES, st.lists(st.sampled_from(["a", "a1", "b", "b1", "c"]), min_size=2, max_size=4))
def test_the_first_way_is_the_one_that_trying_every_way_finds(session: list[tuple[str, str]], items: list[str]) -> None:
    entries = _entries(session)
    after = followers(entries, LIMITS)
    ways = (
        places
        for places in combinations(range(len(entries)), len(items))
        if all(item in entries[place].items for item, place in zip(items, places, strict=True))
        and all(then in after[place] for place, then in pairwise(places))
    )
    assert Walk(entries, LIMITS).way(tuple(items)) == next(ways, None)


@given(_ENTRIES, st.lists(st.sampled_from(["a", "a1", "b", "b1", "c"]), min_size=3, max_size=5))
def test_a_way_goes_on_where_the_way_without_its_last_item_ends(
    session: list[tuple[str, str]], items: list[str]
) -> None:
    walk = Walk(_entries(session), LIMITS)
    shorter = walk.way(tuple(items[:-1]))
    if shorter is not None:
        assert walk.longer(shorter, tuple(items)) == walk.way(tuple(items))


def _entries(session: list[tuple[str, str]]) -> list[Entry]:
    return [Entry(tuple(one.split("/")), 60.0 * at, "" if run == "x" else run) for at, (one, run) in enumerate(session)]
