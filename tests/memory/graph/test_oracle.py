"""Any history, asked at any world time as of any system time, against a list of events and a naive definition."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memory.graph import Query
from memory.graph.errors import BadInput
from memory.graph.model import DAY_NS

PEOPLE, PLACES = 4, 3
PREDICATES = ["works_at", "knows", "partner", "uses"]
FUNCTIONAL, SYMMETRIC = {"works_at", "partner"}, {"knows", "partner"}
BETWEEN_PEOPLE = {"knows", "partner"}
days = st.none() | st.integers(0, 6).map(lambda n: 2 * n)
claims = st.tuples(
    st.just("claim"), st.sampled_from(PREDICATES), st.integers(0, PEOPLE - 1), st.integers(0, PLACES - 1),
    days, st.none() | st.integers(0, 6).map(lambda n: 2 * n + 1), st.sampled_from(["user", "contacts"]),
    st.sampled_from([None, "low"]),
)  # fmt: skip
pairs = st.tuples(st.integers(0, PEOPLE - 1), st.integers(0, PEOPLE - 1))
steps = st.one_of(
    claims, claims, claims,
    st.tuples(st.just("retract"), st.integers(0, 20)),
    st.tuples(st.just("end"), st.integers(0, 20), st.integers(1, 13)),
    st.tuples(st.just("merge"), pairs),
    st.tuples(st.just("split"), pairs),
    st.tuples(st.just("clock"), st.integers(-2, 3)),
)  # fmt: skip


@dataclass
class Told:
    """A fact as the oracle keeps it; world times in days."""

    id: str
    seq: int
    at: int
    subject: str
    predicate: str
    object: str
    begin: int | None
    end: int | None
    voice: tuple[str, str | None]
    gone: int | None = None
    ends: list[tuple[int, int]] = field(default_factory=list)


class Oracle:
    """Every event in a list, every question answered by its definition."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.joined: list[tuple[int, frozenset[str], bool]] = []

    def one(self, id: str, at: int) -> frozenset[str]:
        last = {pair: is_one for when, pair, is_one in self.joined if when <= at}
        reached = {id}
        for _ in range(PEOPLE):
            reached |= {member for pair, is_one in last.items() if is_one and pair & reached for member in pair}
        return frozenset(reached)

    def live(self, at: int) -> list[Told]:
        return [fact for fact in self.told if fact.at <= at and not (fact.gone is not None and fact.gone <= at)]

    def end(self, fact: Told, at: int) -> float:
        said = [day for when, day in fact.ends if when <= at]
        last = said[-1] if said else fact.end
        return float("inf") if last is None else last * DAY_NS

    def rivals(self, fact: Told, at: int) -> list[Told]:
        def whose(one: Told) -> set[frozenset[str]]:
            ends = (one.subject, one.object) if one.predicate in SYMMETRIC else (one.subject,)
            return {self.one(end, at) for end in ends}

        def value(one: Told) -> object:
            return whose(one) if one.predicate in SYMMETRIC else self.one(one.object, at)

        return [
            other
            for other in self.live(at)
            if (other.predicate, other.voice) == (fact.predicate, fact.voice)
            and whose(other) & whose(fact)
            and value(other) != value(fact)
        ]

    def begin(self, fact: Told, at: int) -> float:
        if fact.begin is not None:
            return fact.begin * DAY_NS
        changes = any(other.seq < fact.seq for other in self.rivals(fact, at))
        changes = changes and fact.predicate in FUNCTIONAL and self.end(fact, at) > fact.at
        return fact.at if changes else float("-inf")

    def holds(self, fact: Told, world: int, at: int) -> bool:
        if not self.begin(fact, at) <= world < self.end(fact, at):
            return False
        return fact.predicate not in FUNCTIONAL or not any(
            (self.begin(fact, at), fact.seq) < (self.begin(other, at), other.seq) and self.begin(other, at) <= world
            for other in self.rivals(fact, at)
        )


class Script:
    """Does the same to a graph and to the oracle."""

    def __init__(self, world: Any) -> None:
        self.world, self.oracle = world, Oracle()
        world.now = 8 * DAY_NS
        self.people = [world.made(f"Person {n}") for n in range(PEOPLE)]
        self.places = [world.made(f"Place {n}", "place") for n in range(PLACES)]
        self.clock = world.now

    def do(self, step: tuple[Any, ...]) -> None:
        kind, *rest = step
        self.clock = max(self.clock, self.world.now)
        if kind == "clock":
            self.world.now += rest[0] * DAY_NS
            return
        with suppress(BadInput):  # then the oracle was not told either
            getattr(self, kind)(*rest)

    def claim(
        self, predicate: str, who: int, what: int, begin: int | None, end: int | None, by: str, label: Any
    ) -> None:
        people = predicate in BETWEEN_PEOPLE
        target = self.people[(who + 1 + what) % PEOPLE] if people else self.places[what]
        fact = self.world.told(
            self.people[who], predicate, target, extractor=by, label=label,
            valid_from=None if begin is None else begin * DAY_NS, valid_to=None if end is None else end * DAY_NS,
        )  # fmt: skip
        if not any(told.id == fact.id for told in self.oracle.told):
            told = Told(fact.id, fact.seq, self.clock, self.people[who], predicate, target, begin, end, (by, label))
            self.oracle.told.append(told)

    def _some(self, number: int) -> Told:
        live = self.oracle.live(self.clock)
        return live[number % len(live)] if live else Told("fact:none", 0, 0, "", "", "", None, None, ("", None))

    def retract(self, number: int) -> None:
        fact = self._some(number)
        self.world.graph.retract(fact.id)
        fact.gone = self.clock

    def end(self, number: int, day: int) -> None:
        fact = self._some(number)
        self.world.graph.end(fact.id, day * DAY_NS)
        fact.ends.append((self.clock, day))

    def merge(self, pair: tuple[int, int]) -> None:
        one, other = (self.people[n] for n in pair)
        self.world.graph.merge(one, other)
        self.oracle.joined.append((self.clock, frozenset((one, other)), True))

    def split(self, pair: tuple[int, int]) -> None:
        one, other = (self.people[n] for n in pair)
        self.world.graph.split(one, other)
        self.oracle.joined.append((self.clock, frozenset((one, other)), False))

    def compare(self) -> None:
        graph, oracle = self.world.graph, self.oracle
        moments = sorted({self.clock, *(told.at for told in oracle.told), *(at for at, *_ in oracle.joined)})
        for at in moments:
            for world in [n * DAY_NS for n in range(-1, 15)] + [at - 1, at]:
                expected = [fact.id for fact in oracle.live(at) if oracle.holds(fact, world, at)]
                found = graph.facts(Query(valid_at=world, recorded_at=at))
                assert [fact.id for fact in found] == expected, (world / DAY_NS, at / DAY_NS)
        for who in self.people:
            expected = [
                fact.id for fact in oracle.live(self.clock)
                if {who} & oracle.one(fact.subject, self.clock)
                or (fact.predicate in SYMMETRIC and {who} & oracle.one(fact.object, self.clock))
            ]  # fmt: skip
            assert [fact.id for fact in graph.facts(Query(subject=who))] == expected


@pytest.mark.slow
@example([("claim", "works_at", 0, 0, 2, None, "user", None), ("claim", "works_at", 0, 1, 6, None, "user", None),
          ("claim", "works_at", 0, 2, 4, None, "user", None), ("retract", 1)])  # fmt: skip
@example([("claim", "works_at", 0, 0, None, None, "user", None), ("clock", 2),
          ("claim", "works_at", 0, 1, None, None, "user", None), ("clock", -2),
          ("claim", "works_at", 0, 0, None, None, "user", None)])  # fmt: skip
@example([("claim", "works_at", 0, 0, 2, None, "user", None), ("claim", "works_at", 0, 1, None, 5, "user", None)])
@example([("claim", "works_at", 0, 0, 2, None, "user", None), ("claim", "works_at", 1, 1, 4, None, "user", None),
          ("merge", (0, 1)), ("clock", 1), ("split", (0, 1))])  # fmt: skip
@given(st.lists(steps, max_size=14))
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_any_history_answers_as_its_definition(new_world: Any, script: list[tuple[Any, ...]]) -> None:
    world = new_world()
    run = Script(world)
    for step in script:
        run.do(step)
    run.compare()
    content = world.graph.dump()
    world.reopen(anew=True)
    assert world.graph.dump() == content
    world.close()


def test_the_oracle_can_fail(new_world: Any) -> None:
    """Control: a fact that the oracle was not told of is noticed."""
    run = Script(new_world())
    run.claim("works_at", 0, 0, 2, None, "user", None)
    run.compare()
    run.oracle.told[0].begin = 4
    with pytest.raises(AssertionError):
        run.compare()


dated = claims.filter(lambda claim: claim[4] is not None)


@pytest.mark.slow
@example([("claim", "partner", 1, 2, 2, None, "user", None), ("claim", "partner", 1, 1, 6, None, "user", None)], 3)
@example([("claim", "partner", 1, 2, 2, None, "user", None), ("merge", (3, 2)), ("split", (3, 2)), ("retract", 0)], 3)
@given(st.lists(st.one_of(dated, dated, steps.filter(lambda step: step[0] != "claim")), max_size=12), st.integers(0, 3))
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_forgetting_somebody_changes_nothing_else(new_world: Any, script: list[tuple[Any, ...]], number: int) -> None:
    world = new_world()
    run = Script(world)
    for step in script:
        run.do(step)
    gone = run.oracle.one(run.people[number], run.clock)
    kept = {fact.id for fact in run.oracle.live(run.clock) if not {fact.subject, fact.object} & gone}

    def answers() -> list[list[str]]:
        asked = [world.graph.facts(Query(valid_at=day * DAY_NS)) for day in range(-1, 15)]
        return [[fact.id for fact in facts if fact.id in kept] for facts in asked]

    before = answers()
    done = world.graph.forget(run.people[number])
    assert set(done.entities) == gone
    assert {fact.id for fact in world.graph.facts()} == kept
    assert answers() == before
    content = world.graph.dump()
    assert not [row for row in content if any(id in row for id in gone)]
    world.reopen(ledger=True, anew=True)
    assert world.graph.dump() == content
    assert world.ledger.verify().ok
    world.close()
