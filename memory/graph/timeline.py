"""When facts of a functional predicate hold beside each other: pure, worked out at every reading.

A fact ends where the next fact of the same subject, predicate and *voice* (who says it, and with which label) with
another object begins. Order is that of world time; of two with one beginning the one that was told later counts. An
undated fact that says otherwise than its voice said before begins when it was told. Different voices never end each
other's facts: where they overlap, that is a conflict to be shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from memory.graph.model import ENDLESS, Conflict, Fact, FactId, Predicate, Type

Same = Callable[[str], str]
"""The one id under which merged entities stand."""


def succeed(predicate: Predicate, facts: Iterable[Fact], same: Same) -> dict[FactId, Fact]:
    """The facts of a functional predicate (all that count, of any subjects) with the times at which they hold."""
    ordered = sorted(facts, key=lambda fact: fact.seq)
    beside: dict[tuple[str, tuple[str, str]], list[Fact]] = defaultdict(list)
    dated: dict[FactId, Fact] = {}
    for fact in ordered:
        keys = [(who, fact.voice) for who in _whose(predicate, fact, same)]
        said = (other for key in keys for other in beside[key])
        undated = fact.valid_from is None and fact.end > fact.recorded_from
        if undated and any(_value(predicate, other, same) != _value(predicate, fact, same) for other in said):
            dated[fact.id] = replace(fact, valid_from=fact.recorded_from)
        else:
            dated[fact.id] = fact
        for key in keys:
            beside[key].append(dated[fact.id])
    return {fact.id: _ended(predicate, fact, beside, same) for fact in dated.values()}


def _ended(predicate: Predicate, fact: Fact, beside: dict[tuple[str, tuple[str, str]], list[Fact]], same: Same) -> Fact:
    value = _value(predicate, fact, same)
    following = [
        other
        for who in _whose(predicate, fact, same)
        for other in beside[who, fact.voice]
        if (other.begin, other.seq) > (fact.begin, fact.seq) and _value(predicate, other, same) != value
    ]
    if not following:
        return fact
    closing = min(following, key=lambda other: (other.begin, other.seq))
    if closing.begin >= fact.end:
        return fact
    return replace(fact, valid_to=max(closing.begin, 1 - ENDLESS), closed_by=closing.id)


def conflicts(predicate: Predicate, facts: Sequence[Fact], same: Same) -> Iterator[Conflict]:
    """Pairs of facts, as ``succeed`` gave them, that different voices say of one time, in the order they were told."""
    beside: dict[str, list[Fact]] = defaultdict(list)
    seen: set[tuple[FactId, FactId]] = set()
    for fact in sorted(facts, key=lambda fact: fact.seq):
        for who in sorted(_whose(predicate, fact, same)):
            for other in beside[who]:
                pair = (other.id, fact.id)
                if pair not in seen and _differ(predicate, other, fact, same):
                    seen.add(pair)
                    yield Conflict(other.subject, predicate.name, other, fact)
            beside[who].append(fact)


def _differ(predicate: Predicate, one: Fact, other: Fact, same: Same) -> bool:
    overlap = max(one.begin, other.begin) < min(one.end, other.end)
    return overlap and one.voice != other.voice and _value(predicate, one, same) != _value(predicate, other, same)


def _whose(predicate: Predicate, fact: Fact, same: Same) -> frozenset[str]:
    mutual = predicate.symmetric and fact.object.type is Type.ENTITY
    return frozenset((same(fact.subject), same(fact.object.value)) if mutual else (same(fact.subject),))


def _value(predicate: Predicate, fact: Fact, same: Same) -> object:
    if fact.object.type is not Type.ENTITY:
        return fact.object
    return _whose(predicate, fact, same) if predicate.symmetric else same(fact.object.value)
