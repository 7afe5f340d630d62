"""The loop of an agent ends, whatever is said in it: by turns, tokens, money, time, repetition, or for want of news."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.agents import Bounds, Cost, End, Observation, Step, Turn, go_on

TEN = Cost(10, 10)
FEW = Bounds(turns=6, most_turns=12, tokens=1000, money=1000, wall_s=5.0, same=3, idle=4)


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the tests."""

    key: str
    ends: bool = False


def numbered(number: int) -> Act:
    """Want something else each time."""
    return Act(f"a{number}")


@dataclass(slots=True)
class Script:
    """Says ``said`` of the number of a turn (from 1), and finds ``found`` by it."""

    said: Callable[[int], Act | None]
    found: Callable[[Act, int], Observation]
    cost: Cost = TEN
    held: Cost = TEN
    told: list[tuple[str, int, int]] = field(default_factory=list)
    pause_s: float = 0.0

    def most(self, history: Sequence[Step[Act]]) -> Cost:
        del history
        return self.held

    async def turn(self, history: Sequence[Step[Act]], left_s: float) -> Turn[Act]:
        assert 0 < left_s <= 900.0
        await asyncio.sleep(self.pause_s)
        action = self.said(len(history) + 1)
        return Turn(action, self.cost, "" if action else "that is no action", "" if action else "la la")

    async def act(self, action: Act, number: int) -> Observation:
        return self.found(action, number)

    async def begun(self, action: Act | None, number: int, of: int) -> None:
        self.told.append((action.key if action else "", number, of))


def news(action: Act, number: int) -> Observation:
    """Find something new each time."""
    return Observation(f"{action.key} is {number}", evidence=frozenset({f"read {number}"}))


def nothing(action: Act, number: int) -> Observation:
    """Find other words each time, and nothing new."""
    return Observation(f"{action.key}: none, {number}")


async def test_what_says_that_it_is_done_is_done_and_acts_no_more() -> None:
    script = Script(lambda number: Act("done", ends=True) if number == 3 else numbered(number), news)
    ended = await go_on(script, FEW)
    assert (ended.why, len(ended.steps), ended.last) == (End.DONE, 3, Act("done", ends=True))
    assert script.told == [("a1", 1, 6), ("a2", 2, 6), ("done", 3, 6)]
    assert ended.spent == Cost(30, 30)


async def test_turns_are_given_for_what_they_brought_and_only_so_many() -> None:
    script = Script(numbered, news)
    ended = await go_on(script, FEW)
    assert (ended.why, len(ended.steps), ended.of) == (End.TURNS, 12, 12)
    assert [of for _, _, of in script.told] == [6] * 6 + [9] * 3 + [12] * 3


async def test_none_are_given_where_fewer_than_half_brought_something() -> None:
    script = Script(numbered, lambda action, number: news(action, number) if number in (2, 5) else nothing(action, 0))
    ended = await go_on(script, FEW)
    assert (ended.why, len(ended.steps)) == (End.TURNS, 6)
    control = Script(
        numbered, lambda action, number: news(action, number) if number in (1, 3, 5) else nothing(action, 0)
    )
    assert (await go_on(control, FEW)).of > 6


async def test_the_same_with_the_same_result_ends_it_also_in_turns() -> None:
    ended = await go_on(Script(lambda _: Act("a"), lambda *_: Observation("b")), FEW)
    assert (ended.why, len(ended.steps)) == (End.REPEATS, 3)
    swaying = Script(lambda number: Act("a" if number % 2 else "b"), lambda *_: Observation("same"))
    assert (await go_on(swaying, Bounds(same=3, idle=9))).why is End.REPEATS


async def test_the_same_with_another_result_is_no_repetition() -> None:
    ended = await go_on(Script(lambda _: Act("look"), news), FEW)
    assert ended.why is End.TURNS


async def test_turns_that_bring_nothing_new_fade() -> None:
    ended = await go_on(Script(numbered, nothing), FEW)
    assert (ended.why, len(ended.steps)) == (End.FADED, 4)


async def test_news_that_was_known_is_none() -> None:
    again = Script(numbered, lambda action, number: Observation(f"{action} {number}", evidence=frozenset({"one"})))
    ended = await go_on(again, FEW)
    assert (ended.why, len(ended.steps)) == (End.FADED, 5)
    assert [one.fresh for one in ended.steps] == [True, False, False, False, False]


async def test_what_is_no_action_goes_back_and_three_in_a_row_end_it() -> None:
    ended = await go_on(Script(lambda _: None, news), FEW)
    assert (ended.why, len(ended.steps)) == (End.GARBLED, 3)
    assert ended.steps[0].seen == Observation("that is no action", ok=False)
    assert ended.steps[0].said == "la la"
    mended = Script(lambda number: None if number % 3 else numbered(number), news)
    assert (await go_on(mended, Bounds(turns=6, most_turns=6))).why is End.TURNS


@pytest.mark.parametrize(
    ("held", "cost", "why", "turns"),
    [
        (Cost(400, 0), Cost(400, 0), End.TOKENS, 2),
        (Cost(0, 300), Cost(0, 300), End.MONEY, 3),
        (Cost(400, 0), Cost(100, 0), End.TOKENS, 7),  # what was not used is given back
        (Cost(1001, 0), Cost(1, 0), End.TOKENS, 0),
    ],
)
async def test_a_turn_is_reserved_before_it_and_settled_after(held: Cost, cost: Cost, why: End, turns: int) -> None:
    ended = await go_on(Script(numbered, news, cost=cost, held=held), FEW)
    assert (ended.why, len(ended.steps)) == (why, turns)
    assert ended.spent.tokens <= 1000
    assert ended.spent.money <= 1000


async def test_time_ends_it_in_the_middle_of_a_turn() -> None:
    ended = await go_on(Script(numbered, news, pause_s=30.0), Bounds(wall_s=0.05))
    assert (ended.why, ended.steps, ended.spent) == (End.TIME, [], Cost(10, 10))


async def test_time_that_is_over_elsewhere_is_no_end_of_this() -> None:
    def late(action: Act, number: int) -> Observation:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await go_on(Script(numbered, late), FEW)


async def test_a_cancel_is_heard_at_once() -> None:
    job = asyncio.ensure_future(go_on(Script(numbered, news, pause_s=30.0), FEW))
    await asyncio.sleep(0)
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job


_MOVES = st.lists(st.tuples(st.sampled_from(["a", "b", "", "done"]), st.integers(0, 3)), max_size=40)


@settings(max_examples=200, deadline=None)
@given(_MOVES, st.integers(1, 8), st.integers(1, 20), st.integers(1, 300), st.integers(1, 4))
def test_it_ends_within_its_bounds_whatever_is_said(
    moves: list[tuple[str, int]], turns: int, most: int, tokens: int, same: int
) -> None:
    bounds = Bounds(turns=turns, most_turns=max(turns, most), tokens=tokens, money=10**6, wall_s=5.0, same=same)

    def said(number: int) -> Act | None:
        word = moves[number % len(moves)][0] if moves else "a"
        return Act(word, ends=word == "done") if word else None

    def found(action: Act, number: int) -> Observation:
        result = moves[number % len(moves)][1] if moves else 0
        return Observation(str(result), evidence=frozenset({f"{action.key}{result}"} if result else ()))

    ended = asyncio.run(go_on(Script(said, found), bounds))
    assert len(ended.steps) <= bounds.most_turns
    assert ended.spent.tokens <= tokens
    assert (ended.last is not None) == (ended.why is End.DONE)
    counted = [(one.action.key, one.seen.text) for one in ended.steps if one.action and not one.action.ends]
    assert all(counted.count(one) <= same for one in counted)
