"""The loop of an agent: turns until it says that it is done, or has had enough. Pure of what it does.

What this stops: a model that goes on for ever, whatever it says; one that uses more tokens or money than it was given
(what a turn may use at most is reserved before it, what it used is settled after); one that does the same again and
again, or nothing that brings anything new; one that cannot be understood.
What it does not: know what an action does. It is handed ``turn`` and ``act``, and believes of progress only the
evidence that ``act`` brings: the model's own word for it counts for nothing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

MOST_GARBLED = 3
"""So many replies in a row that are no action end it."""


class End(StrEnum):
    """Why a loop ended."""

    DONE = "done"
    TURNS = "turns"
    TOKENS = "tokens"
    MONEY = "money"
    TIME = "time"
    REPEATS = "repeats"  # the same action came to the same again and again
    FADED = "faded"  # turn after turn brought nothing new
    GARBLED = "garbled"  # what it answers is no action


class Action(Protocol):
    """What a model wants done: ``key`` is the same for the same, and it is the last one where it ``ends``."""

    @property
    def key(self) -> str: ...
    @property
    def ends(self) -> bool: ...


A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a loop has at most: ``turns`` at first, ``most_turns`` with every extension; tokens, money in millionths.

    ``same`` actions with the same result end it, and so do ``idle`` turns in a row that bring nothing new.
    """

    turns: int = 12
    most_turns: int = 36
    tokens: int = 120_000
    money: int = 500_000
    wall_s: float = 900.0
    same: int = 3
    idle: int = 4


@dataclass(frozen=True, slots=True)
class Cost:
    """What a turn uses: tokens in and out together, and money in millionths."""

    tokens: int = 0
    money: int = 0


@dataclass(frozen=True, slots=True)
class Turn(Generic[A]):
    """What a model answered and what that used; of what is none ``problem`` says why, ``said`` is the reply."""

    action: A | None
    cost: Cost
    problem: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """What came of an action. ``evidence`` names what is new in the world by it: a content read, a file changed."""

    text: str
    ok: bool = True
    evidence: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Step(Generic[A]):
    """A turn that is over. ``fresh`` tells that it brought something new; ``said`` is the reply where it was none."""

    action: A | None
    seen: Observation
    fresh: bool
    said: str = ""


@dataclass(slots=True)
class Ended(Generic[A]):
    """How a loop ended, with every step of it, what it used, and how many turns it had in the end."""

    why: End
    steps: list[Step[A]]
    spent: Cost
    of: int

    @property
    def last(self) -> A | None:
        """The action that ended it; None where it was stopped."""
        return self.steps[-1].action if self.why is End.DONE else None


class Hands(Protocol[A]):
    """What a loop is handed."""

    def most(self, history: Sequence[Step[A]]) -> Cost:
        """Return what the next turn may use at most."""

    async def turn(self, history: Sequence[Step[A]], left_s: float) -> Turn[A]:
        """Ask for the next action. What it raises ends the loop."""

    async def act(self, action: A, number: int) -> Observation:
        """Do it. What it raises ends the loop."""

    async def begun(self, action: A | None, number: int, of: int) -> None:
        """Be told of a turn before it is acted on; of a reply that was none with None."""


async def go_on(hands: Hands[A], bounds: Bounds) -> Ended[A]:
    """Take turns until an action ends it or a bound is met. Raises what ``turn`` and ``act`` raise."""
    one = _Loop(hands, bounds)
    try:
        async with asyncio.timeout(bounds.wall_s) as limit:
            return await one.run()
    except TimeoutError:
        if not limit.expired():
            raise
        return one.ended(End.TIME)


@dataclass(slots=True)
class _Loop(Generic[A]):
    """A loop under way."""

    hands: Hands[A]
    bounds: Bounds
    steps: list[Step[A]] = field(default_factory=list)
    spent: Cost = Cost()
    of: int = 0
    known: set[str] = field(default_factory=set)
    again: Counter[tuple[str, str]] = field(default_factory=Counter)
    since: int = 0  # the turn of the last extension

    def ended(self, why: End) -> Ended[A]:
        return Ended(why, self.steps, self.spent, self.of)

    async def run(self) -> Ended[A]:
        self.of = self.bounds.turns
        clock = asyncio.get_running_loop().time
        ends = clock() + self.bounds.wall_s
        while True:
            stop = self._stop()
            if stop is not None:
                return self.ended(stop)
            held = self.hands.most(self.steps)
            short = self._short(held)
            if short is not None:
                return self.ended(short)
            turn = await self._turned(held, ends - clock())
            if await self._taken(turn):
                return self.ended(End.DONE)

    def _stop(self) -> End | None:
        """Tell why there is no next turn; None where there is one. More turns are given for what they brought."""
        if len(self.steps) >= MOST_GARBLED and all(one.action is None for one in self.steps[-MOST_GARBLED:]):
            return End.GARBLED
        if self.again and max(self.again.values()) >= self.bounds.same:
            return End.REPEATS
        if len(self.steps) >= self.bounds.idle and not any(one.fresh for one in self.steps[-self.bounds.idle :]):
            return End.FADED
        if len(self.steps) < self.of:
            return None
        return None if self._extended() else End.TURNS

    def _extended(self) -> bool:
        """Give half as many turns again where at least half of those since the last time brought something new."""
        lately = self.steps[self.since :]
        if self.of >= self.bounds.most_turns or 2 * sum(one.fresh for one in lately) < len(lately):
            return False
        self.since = len(self.steps)
        self.of = min(self.bounds.most_turns, self.of + max(1, self.bounds.turns // 2))
        return True

    def _short(self, held: Cost) -> End | None:
        if self.spent.tokens + held.tokens > self.bounds.tokens:
            return End.TOKENS
        return End.MONEY if self.spent.money + held.money > self.bounds.money else None

    async def _turned(self, held: Cost, left_s: float) -> Turn[A]:
        """Ask with ``held`` reserved, and settle what was used: all of it where nobody can say."""
        before = self.spent
        self.spent = _sum(before, held)
        turn = await self.hands.turn(self.steps, left_s)
        self.spent = _sum(before, turn.cost)
        return turn

    async def _taken(self, turn: Turn[A]) -> bool:
        """Act on a turn; tell whether it was the last one."""
        number = len(self.steps) + 1
        await self.hands.begun(turn.action, number, self.of)
        if turn.action is None:
            self.steps.append(Step(None, Observation(turn.problem, ok=False), fresh=False, said=turn.said))
            return False
        if turn.action.ends:
            self.steps.append(Step(turn.action, Observation(""), fresh=False))
            return True
        seen = await self.hands.act(turn.action, number)
        fresh = bool(seen.evidence - self.known)
        self.known |= seen.evidence
        self.again[turn.action.key, seen.text] += 1
        self.steps.append(Step(turn.action, seen, fresh))
        return False


def _sum(one: Cost, other: Cost) -> Cost:
    return Cost(one.tokens + other.tokens, one.money + other.money)
