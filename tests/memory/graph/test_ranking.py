"""What comes first: activation orders, PageRank against networkx and a dense solve."""

from __future__ import annotations

from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.graph import Query
from memory.graph.model import DAY_NS
from memory.graph.ranking import DAMPING, Ranks, _Rows
from memory.graph.reading import Groups
from memory.model import EntityId

arcs = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=40)


def solved(pairs: list[tuple[str, str]], seeds: dict[str, float]) -> dict[str, float]:
    """x = d P x + (1 - d) v, solved as it stands."""
    ids = sorted({id for pair in pairs for id in pair})
    place = {id: number for number, id in enumerate(ids)}
    arcs = np.zeros((len(ids), len(ids)))
    for one, other in pairs:
        arcs[place[other], place[one]] += 1
        arcs[place[one], place[other]] += 1
    restart = np.array([seeds.get(id, 0.0) for id in ids])
    restart /= restart.sum()
    shares = np.linalg.solve(np.eye(len(ids)) - DAMPING * arcs / arcs.sum(axis=0), (1 - DAMPING) * restart)
    return dict(zip(ids, shares, strict=True))


@given(arcs, st.data())
def test_pagerank_is_the_solution(numbers: list[tuple[int, int]], data: st.DataObject) -> None:
    pairs = [(f"n{one}", f"n{other}") for one, other in numbers]
    ids = sorted({id for pair in pairs for id in pair})
    seeds = {EntityId(id): 1.0 + n for n, id in enumerate(data.draw(st.lists(st.sampled_from(ids), min_size=1)))}
    ranks = Ranks(Groups(()))
    half = len(pairs) // 2
    ranks.add(pairs[:half])
    if half:
        ranks.rank({EntityId(pairs[0][0]): 1.0})  # arrays are there, and grow
    ranks.add(pairs[half:])
    found = ranks.rank(seeds)
    expected = solved(pairs, dict(seeds))
    assert {id for id, _ in found} == set(ids)
    assert sum(abs(share - expected[id]) for id, share in found) < 1e-6
    assert [share for _, share in found] == sorted((share for _, share in found), reverse=True)


def test_pagerank_agrees_with_networkx() -> None:
    random = np.random.default_rng(1)
    pairs = [(f"n{one}", f"n{other}") for one, other in random.zipf(1.4, (3_000, 2)) % 500]
    ranks = Ranks(Groups(()))
    ranks.add(pairs)
    graph = networkx.MultiDiGraph([*pairs, *((other, one) for one, other in pairs)])
    single = networkx.DiGraph()
    for one, other in graph.edges():
        single.add_edge(one, other, weight=graph.number_of_edges(one, other))
    start = pairs[0][0]
    nodes = list(single)
    google = np.asarray(networkx.google_matrix(single, DAMPING, {start: 1.0}, nodelist=nodes))
    shares = np.full(len(nodes), 1 / len(nodes))
    for _ in range(300):
        shares = shares @ google
    expected = dict(zip(nodes, shares, strict=True))
    found = ranks.rank({EntityId(start): 1.0}, limit=20)
    assert [id for id, _ in found] == sorted(expected, key=lambda id: -expected[id])[:20]
    assert all(abs(share - expected[id]) < 1e-6 for id, share in found)


def test_pagerank_takes_few_passes_where_everybody_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fixed steps for the worst graph there is take 27; a ring is such a graph."""
    passes: list[int] = []
    once = _Rows._rest
    monkeypatch.setattr(_Rows, "_rest", lambda *given: (passes.append(1), once(*given))[1])
    random = np.random.default_rng(3)
    ranks, ring = Ranks(Groups(())), Ranks(Groups(()))
    ranks.add((f"n{one}", f"n{other}") for one, other in random.integers(0, 1_000, (10_000, 2)))
    ranks.rank({EntityId("n7"): 1.0})
    assert len(passes) <= 16
    passes.clear()
    ring.add((f"n{number}", f"n{(number + 1) % 1_000}") for number in range(1_000))
    shares = dict(ring.rank({EntityId("n7"): 1.0}))
    assert 20 < len(passes) <= 30
    assert min(shares.values()) == 0  # what is out of reach has no share, and no negative one


def test_seeds_that_are_not_there() -> None:
    ranks = Ranks(Groups(()))
    assert ranks.rank({EntityId("x"): 1.0}) == []
    ranks.add([("a", "b")])
    assert ranks.rank({EntityId("x"): 1.0}) == []
    assert ranks.rank({EntityId("a"): 0.0}) == []


def test_the_graph_ranks_what_is_near_and_follows_every_change(world: Any) -> None:
    anna, ben, carl, far = (world.made(name) for name in ("Anna", "Ben", "Carl", "Far Away"))
    world.told(anna, "knows", ben)
    world.told(carl, "knows", far)
    assert [id for id, share in world.graph.rank({anna: 1.0}) if share > 0] == [anna, ben]
    fact = world.told(ben, "knows", carl)
    assert [id for id, _ in world.graph.rank({anna: 1.0})][-1] == far
    kept = world.graph.rank({anna: 1.0})
    world.reopen()
    assert world.graph.rank({anna: 1.0}) == kept  # grown arrays are those made from scratch
    world.graph.retract(fact.id)
    assert dict(world.graph.rank({anna: 1.0}))[carl] == 0
    world.graph.merge(carl, ben)
    assert dict(world.graph.rank({anna: 1.0}))[far] > 0


def test_activation_falls_with_age_and_rises_with_use(world: Any) -> None:
    anna = world.made("Anna")
    old = world.told(anna, "prefers", "tea")
    world.now += 400 * DAY_NS
    new = world.told(anna, "prefers", "coffee")
    order = world.graph.by_activation(Query(subject=anna), world.now)
    assert [fact for fact, _ in order] == [new, old]
    for number in range(5):
        world.told(anna, "prefers", "tea", extractor=f"document:{number}")
    order = world.graph.by_activation(Query(subject=anna), world.now)
    assert [fact.object.value for fact, _ in order][:6] == ["tea"] * 6
    assert len(order) == 7  # nothing is hidden


def test_confidence_and_the_relations_prior_count(world: Any) -> None:
    anna, ben = world.made("Anna"), world.made("Ben")
    sure = world.told(anna, "phone", "1")
    unsure = world.told(anna, "phone", "2", confidence=0.2)
    mention = world.told(anna, "mentions", ben)
    order = [fact for fact, _ in world.graph.by_activation(Query(), world.now)]
    assert order == [sure, mention, unsure]
    scores = dict((fact.id, score) for fact, score in world.graph.by_activation(Query(), world.now))
    assert scores[unsure.id] == pytest.approx(0.2 * scores[sure.id])
