"""Graphs over real ledgers, in a folder whose syncs cost little where the machine has one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from memory import Ledger
from memory.graph import Claim, Graph, Object, Stores
from memory.graph.model import DAY_NS, Entity, Fact
from memory.model import EntityId
from tests.memory.conftest import scratch


@dataclass
class World:
    """A ledger with a clock that the test sets, and the graph over it."""

    folder: Path
    stores: Stores = field(default_factory=Stores)
    now: int = 20_000 * DAY_NS

    def __post_init__(self) -> None:
        self.ledger = Ledger.open(self.folder / "ledger", clock_ns=lambda: self.now)
        self.graph = Graph.open(self.folder / "graph", self.ledger, self.stores)

    def close(self) -> None:
        self.graph.close()
        self.ledger.close()

    def reopen(self, *, ledger: bool = False, anew: bool = False) -> None:
        """Close and open the graph; with ``ledger`` that too, with ``anew`` without the graph's files."""
        self.graph.close()
        if ledger:
            self.ledger.close()
            self.ledger = Ledger.open(self.folder / "ledger", clock_ns=lambda: self.now)
        if anew:
            shutil.rmtree(self.folder / "graph")
        self.graph = Graph.open(self.folder / "graph", self.ledger, self.stores)

    def made(self, name: str, kind: str = "person", *names: str) -> EntityId:
        entity: Entity = self.graph.make_entity(kind, name, names)
        return entity.id

    def told(self, subject: str, predicate: str, value: str | Object, **more: Any) -> Fact:
        declared = self.graph.predicates()[predicate]
        thing = value if isinstance(value, Object) else Object(declared.type, value)
        fields: dict[str, Any] = {"extractor": "user"} | more
        return self.graph.assert_fact(Claim(EntityId(subject), predicate, thing, **fields))

    def holding(self) -> bytes:
        """Every byte under the folder."""
        return b"\0".join(path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file())


@pytest.fixture
def new_world() -> Iterator[Callable[..., World]]:
    worlds: list[World] = []

    def make(**options: Any) -> World:
        worlds.append(World(scratch("graph-"), **options))
        return worlds[-1]

    yield make
    for world in worlds:
        world.close()
        shutil.rmtree(world.folder)


@pytest.fixture
def world(new_world: Callable[..., World]) -> World:
    return new_world()
