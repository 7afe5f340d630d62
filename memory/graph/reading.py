"""Asking the projection: facts at two clocks, entities, who is one with whom."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from memory.graph import timeline
from memory.graph.model import (
    ENDLESS,
    Conflict,
    Entity,
    Fact,
    FactId,
    Kind,
    Object,
    Predicate,
    Query,
    Type,
)
from memory.graph.vocabulary import BUILT_IN
from memory.model import EntityId

_FACTS = """
SELECT f.seq, f.at, f.id, f.subject, f.predicate, f.type, f.value, f.unit, f.valid_from, f.valid_to, f.source,
    f.extractor, f.confidence, f.label, f.owner,
    (SELECT min(r.at) FROM retracted r WHERE r.fact = f.id AND r.at <= ?1),
    (SELECT e.valid_to FROM ended e WHERE e.fact = f.id AND e.at <= ?1 ORDER BY e.seq DESC LIMIT 1)
FROM fact f WHERE f.at <= ?1
"""
_MANY = 400
"""More subjects than this are not named one by one: all facts of their predicate are read."""


class Groups:
    """Which entities are one. Merges that were not split make a forest, so that a split restores what was."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self.pairs = frozenset(pairs)
        beside: dict[str, set[str]] = defaultdict(set)
        for one, other in self.pairs:
            beside[one].add(other)
            beside[other].add(one)
        self._of: dict[str, tuple[str, ...]] = {}
        for start in beside:
            if start not in self._of:
                members = tuple(sorted(_reach(start, beside)))
                self._of |= dict.fromkeys(members, members)

    def of(self, id: str) -> tuple[str, ...]:
        """Everything that ``id`` is one with, itself included, in order."""
        return self._of.get(id, (id,))

    def one(self, id: str) -> str:
        """The first of them: the id under which all of them stand."""
        return self.of(id)[0]


def _reach(start: str, beside: Mapping[str, set[str]]) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        fresh = beside[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    return reached


class Reading:
    """Answers from one state of the projection; made anew whenever events were taken in."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.predicates = _predicates(connection)
        self.groups = self.groups_at(ENDLESS)

    # --- facts --------------------------------------------------------------------------------------------------------

    def facts(self, query: Query) -> list[Fact]:
        """The facts that ``query`` asks for, in the order they were told."""
        at = ENDLESS if query.recorded_at is None else query.recorded_at
        groups = self.groups if query.recorded_at is None else self.groups_at(at)
        found = list(self._select(*self._where(query, groups), at, retracted=query.retracted))
        settled = self._settled(found, at, groups)
        return [
            fact
            for fact in settled
            if (query.valid_at is None or fact.holds_at(query.valid_at))
            and (query.label is None or query.label(fact.label))
        ]

    def asserted(self, query: Query) -> list[Fact]:
        """The same with the times that were said (or by which it was ended), and with no filter by time or label."""
        return list(self._select(*self._where(query, self.groups), ENDLESS))

    def conflicts(self, recorded_at: int | None = None) -> list[Conflict]:
        """Facts of functional predicates that different sources say of one time."""
        at = ENDLESS if recorded_at is None else recorded_at
        groups = self.groups if recorded_at is None else self.groups_at(at)
        found: list[Conflict] = []
        for name, predicate in sorted(self.predicates.items()):
            if predicate.functional:
                facts = self._select(" AND f.predicate = ?", [name], at)
                held = timeline.succeed(predicate, facts, groups.one)
                found += timeline.conflicts(predicate, list(held.values()), groups.one)
        return found

    def _where(self, query: Query, groups: Groups) -> tuple[str, list[object]]:
        """Conditions and their values. The first is the one to look up; the rest, behind a "+", only filter."""
        text = ""
        values: list[object] = []
        mutual = [name for name, predicate in self.predicates.items() if predicate.symmetric]

        def also(condition: str, given: Collection[object]) -> None:
            nonlocal text
            text += f" AND ({condition.format('+f.' if values else 'f.')})"
            values.extend(given)

        if query.ids is not None:
            also("{0}id IN (SELECT value FROM json_each(?))", [json.dumps(query.ids)])
        if query.subject is not None:
            also(*_end(groups.of(query.subject), "subject", "value", mutual))
        if query.either is not None:
            also(*_end(groups.of(query.either), "subject", "value", None))
        if query.object is not None and query.object.type is Type.ENTITY:
            also(*_end(groups.of(query.object.value), "value", "subject", mutual))
        for column in ("source", "predicate", "extractor", "owner"):
            wanted = getattr(query, column)
            if wanted is not None:
                also(f"{{0}}{column} = ?", [wanted])
        if query.object is not None and query.object.type is not Type.ENTITY:
            thing = query.object
            also("+f.type = ? AND +f.value = ? AND +f.unit = ?", [thing.type.value, thing.value, thing.unit])
        return text, values

    def _select(self, where: str, values: Sequence[object], at: int, *, retracted: bool = False) -> Iterator[Fact]:
        for row in self._connection.execute(f"{_FACTS}{where} ORDER BY f.seq", (at, *values)):
            if retracted or row[15] is None:
                yield _fact(row)

    def _settled(self, facts: list[Fact], at: int, groups: Groups) -> list[Fact]:
        """With the times at which functional facts hold, given all others of their subject."""
        held: dict[FactId, Fact] = {}
        subjects: dict[str, set[str]] = defaultdict(set)
        for fact in facts:
            predicate = self.predicates.get(fact.predicate)
            if predicate is not None and predicate.functional:
                ends = (fact.subject, fact.object.value) if predicate.symmetric else (fact.subject,)
                subjects[fact.predicate].update(member for end in ends for member in groups.of(end))
        for name, ids in subjects.items():
            predicate = self.predicates[name]
            where, values = " AND f.predicate = ?", [name]
            if len(ids) <= _MANY:
                condition, given = _end(ids, "subject", "value", [name] if predicate.symmetric else [])
                lookup = "+f" if predicate.symmetric else "f"
                where = f" AND ({condition.format('f.')}) AND {lookup}.predicate = ?"
                values = [*given, name]
            held |= timeline.succeed(predicate, self._select(where, values, at), groups.one)
        return [held.get(fact.id, fact) for fact in facts]

    def tags(self, fact: Fact) -> tuple[EntityId, ...]:
        """What the event of a fact stands under in the ledger's index."""
        row = self._connection.execute("SELECT tags FROM fact WHERE seq = ?", (fact.seq,)).fetchone()
        return tuple(json.loads(row[0]))

    def tagged(self, ids: Collection[str]) -> set[str]:
        """The facts whose events stand under one of ``ids`` in the ledger's index."""
        marks = _marks(ids)
        asked = f"SELECT DISTINCT f.id FROM fact f, json_each(f.tags) t WHERE t.value IN ({marks})"  # noqa: S608
        return {id for (id,) in self._connection.execute(asked, tuple(ids))}

    def pairs(self) -> Iterator[tuple[str, str]]:
        """(subject, object) of every fact between entities that counts."""
        return self._connection.execute(
            "SELECT subject, value FROM fact f WHERE type = 'entity' AND "
            "NOT EXISTS (SELECT 1 FROM retracted r WHERE r.fact = f.id) ORDER BY seq"
        )

    def said(self) -> Iterator[tuple[str, str]]:
        """(fact, text) of every text that was told, and of every reason for which a fact was taken back."""
        return self._connection.execute(
            "SELECT id, value FROM fact WHERE type = 'text' UNION ALL SELECT fact, reason FROM retracted"
        )

    def texts(self, after: int) -> Iterator[tuple[int, str, str, str, str, str]]:
        """(seq, id, subject, predicate, type, value) of all facts told after event ``after``."""
        return self._connection.execute(
            "SELECT seq, id, subject, predicate, type, value FROM fact WHERE seq > ? ORDER BY seq", (after,)
        )

    # --- entities -----------------------------------------------------------------------------------------------------

    def groups_at(self, at: int) -> Groups:
        """Who was one with whom at a system time."""
        rows = self._connection.execute("SELECT a, b, joined FROM same WHERE at <= ? ORDER BY seq", (at,))
        last = {(one, other): joined for one, other, joined in rows}
        return Groups(pair for pair, joined in last.items() if joined)

    def entity(self, id: str) -> Entity | None:
        """The entity with this id, with its own names and those that it is one with."""
        row = self._connection.execute("SELECT kind, name FROM entity WHERE id = ? ORDER BY seq", (id,)).fetchone()
        if row is None:
            return None
        others = tuple(EntityId(other) for other in self.groups.of(id) if other != id)
        names = self._connection.execute("SELECT name FROM name WHERE entity = ? ORDER BY seq, place", (id,))
        return Entity(EntityId(id), row[0], row[1], tuple(dict.fromkeys(name for (name,) in names)), others)

    def has(self, id: str) -> bool:
        """Whether there is an entity with this id."""
        return self._connection.execute("SELECT 1 FROM entity WHERE id = ?", (id,)).fetchone() is not None

    def entities(self) -> Iterator[tuple[str, str]]:
        """(id, kind) of all, in the order they were made."""
        return self._connection.execute("SELECT id, kind FROM entity ORDER BY seq")

    def of_kind(self, kind: str) -> list[str]:
        """The ids of all of a kind, in the order they were made."""
        rows = self._connection.execute("SELECT id FROM entity WHERE kind = ? ORDER BY seq", (kind,))
        return [id for (id,) in rows]

    def named(self, forms: Collection[str]) -> Iterator[tuple[str, str]]:
        """(form, entity) for every name that is exactly one of the folded ``forms``."""
        ordered = sorted(forms)
        for at in range(0, len(ordered), _MANY):
            part = ordered[at : at + _MANY]
            asked = f"SELECT DISTINCT form, entity FROM name WHERE form IN ({_marks(part)})"  # noqa: S608
            yield from self._connection.execute(asked, part)

    def has_few_names(self, most: int) -> bool:
        """Whether there were never more than ``most`` folded names."""
        (last,) = self._connection.execute("SELECT max(rowid) FROM name").fetchone()
        return (last or 0) <= most

    def forms(self) -> tuple[list[str], list[str]]:
        """Every folded name and, beside it, whose it is."""
        rows = self._connection.execute("SELECT form, entity FROM name GROUP BY form, entity ORDER BY min(seq), form")
        forms, entities = [], []
        for form, entity in rows:
            forms.append(form)
            entities.append(entity)
        return forms, entities

    def count(self) -> tuple[int, int, int]:
        """(entities, facts ever told, facts taken back)."""
        ask = "SELECT (SELECT count(*) FROM entity), (SELECT count(*) FROM fact), (SELECT count(*) FROM retracted)"
        row: tuple[int, int, int] = self._connection.execute(ask).fetchone()
        return row


def _end(ids: Collection[str], end: str, other: str, mutual: Collection[str] | None) -> tuple[str, list[str]]:
    """Facts with one of ``ids`` at an end; at the other too where the relation is mutual (None: any relation)."""
    here = f"{{0}}{end} IN ({_marks(ids)})"
    if mutual is not None and not mutual:
        return here, [*ids]
    there = f"{{0}}{other} IN ({_marks(ids)})"
    typed = "f.type = 'entity' AND "
    here, there = (typed + here, there) if end == "value" else (here, typed + there)
    named = "" if mutual is None else f" AND +f.predicate IN ({_marks(mutual)})"
    return f"({here}) OR ({there}{named})", [*ids, *ids, *(mutual or ())]


def _predicates(connection: sqlite3.Connection) -> dict[str, Predicate]:
    declared: dict[str, Predicate] = {}
    for (body,) in connection.execute("SELECT body FROM predicate ORDER BY seq DESC"):
        predicate = predicate_of(json.loads(body))
        declared[predicate.name] = predicate
    return declared | BUILT_IN


def predicate_of(body: Mapping[str, Any]) -> Predicate:
    """A predicate from its JSON. Raises KeyError, TypeError or ValueError for anything else."""
    half_life, prior = body["half_life_days"], body["prior"]
    if not isinstance(half_life, int | float) or not isinstance(prior, int | float):
        raise TypeError("half_life_days and prior are numbers")
    return Predicate(
        str(body["name"]), Type(str(body["type"])), Kind(str(body["kind"])),
        body["functional"] is True, body["symmetric"] is True, float(half_life), float(prior),
    )  # fmt: skip


def _fact(row: tuple[Any, ...]) -> Fact:
    seq, at, id, who, predicate, kind, value, unit, begin, end, source, extractor, sure, label, owner, gone, to = row
    return Fact(
        id, seq, who, predicate, Object(Type(kind), value, unit), begin, end if to is None else to, at, gone,
        source, extractor, sure, json.loads(label), owner,
    )  # fmt: skip


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))
