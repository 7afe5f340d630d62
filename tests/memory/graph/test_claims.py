"""What cannot be written down is refused by name, and nothing is lost by it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from memory import Draft, Ledger
from memory.graph import Claim, Graph, GraphError, Object, Predicate, Query
from memory.graph.errors import _WORDS, BadInput, shown
from memory.graph.model import DAY_NS, Kind, Type
from memory.model import EntityId


def refused(code: str, work: Any, *arguments: Any, **named: Any) -> GraphError:
    with pytest.raises(BadInput) as error:
        work(*arguments, **named)
    assert error.value.code == code
    assert all((str(error.value), error.value.hint, error.value.de, error.value.de_hint))
    assert str(error.value).isprintable()
    return error.value


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("graph.unknown_entity", {"subject": EntityId("person:nobody-0000")}),
        ("graph.unknown_entity", {"about": (EntityId("x"),)}),
        ("graph.unknown_predicate", {"predicate": "hat\u202eX"}),
        ("graph.object", {"object": Object(Type.NUMBER, "1")}),
        ("graph.object", {"object": Object(Type.TEXT, "x", "EUR")}),
        ("graph.object", {"predicate": "birthday", "object": Object(Type.DAY, "2024-02-30")}),
        ("graph.object", {"predicate": "total", "object": Object(Type.AMOUNT, "NaN", "EUR")}),
        ("graph.object", {"predicate": "total", "object": Object(Type.AMOUNT, "1e999999", "EUR")}),
        ("graph.unknown_entity", {"predicate": "knows", "object": Object.entity("person:nobody")}),
        ("graph.text", {"object": Object.text("x" * (1 << 20))}),
        ("graph.text", {"object": Object.text("  ")}),
        ("graph.text", {"object": Object.text("\udc80")}),
        ("graph.text", {"extractor": ""}),
        ("graph.time", {"valid_from": 10, "valid_to": 9}),
        ("graph.time", {"valid_from": 10, "valid_to": 10}),
        ("graph.time", {"valid_from": 2**63}),
        ("graph.time", {"valid_from": 1.5}),
        ("graph.time", {"valid_from": True}),
        ("graph.confidence", {"confidence": math.nan}),
        ("graph.confidence", {"confidence": 1.1}),
        ("graph.confidence", {"confidence": -0.1}),
        ("graph.source", {"source": 10_000}),
        ("graph.source", {"source": -1}),
        ("graph.echo", {"extractor": "recall"}),
        ("graph.echo", {"extractor": "recall:planner"}),
    ],
)
def test_a_claim_that_cannot_be_kept(world: Any, code: str, changes: dict[str, Any]) -> None:
    anna = world.made("Anna")
    good = Claim(anna, "remembered", Object.text("tea"), "user")
    head = world.ledger.head()
    refused(code, world.graph.assert_facts, good, replace(good, **changes))
    assert world.ledger.head() == head  # not even the good one beside it
    assert world.graph.assert_fact(good).object == good.object


def test_nothing_is_learnt_from_what_memory_answered(world: Any) -> None:
    anna = world.made("Anna")
    (answer,) = world.ledger.append(Draft("recall.answered", {"text": "Anna likes tea"}))
    (said,) = world.ledger.append(Draft("run.created", {"text": "Anna likes tea"}))
    claim = Claim(anna, "remembered", Object.text("Anna likes tea"), "user", source=answer.seq)
    refused("graph.echo", world.graph.assert_fact, claim)
    fact = world.graph.assert_fact(replace(claim, source=said.seq))  # control: the same from a person is written
    assert fact.source == said.seq


def test_the_same_from_the_same_source_is_written_once(world: Any) -> None:
    anna = world.made("Anna")
    claim = Claim(anna, "phone", Object.text("123"), "contacts", label={"a": [1, 2]})
    first = world.graph.assert_fact(claim)
    head = world.ledger.head()
    for _ in range(100):
        assert world.graph.assert_facts(claim, claim) == (first, first)
    assert world.ledger.head() == head
    assert world.graph.assert_fact(replace(claim, extractor="user")).id != first.id
    assert world.graph.assert_fact(replace(claim, label="other")).id != first.id
    world.graph.retract(first.id)
    assert world.graph.assert_fact(claim).id != first.id


def test_what_is_so_again_is_written_again(world: Any) -> None:
    anna, x, y = world.made("Anna"), world.made("Xenon", "org"), world.made("Ypsilon", "org")
    first = world.told(anna, "works_at", x)
    world.now += 10
    world.told(anna, "works_at", y)
    world.now += 10
    again = world.told(anna, "works_at", x)
    assert again.id != first.id
    assert world.graph.facts(Query(valid_at=world.now)) == (again,)
    assert world.told(anna, "works_at", x) == again


def test_a_history_that_is_read_every_night_is_written_once(world: Any) -> None:
    anna, x, y = world.made("Anna"), world.made("Xenon", "org"), world.made("Ypsilon", "org")
    history = [
        Claim(anna, "works_at", Object.entity(x), "contacts", 10),
        Claim(anna, "works_at", Object.entity(y), "contacts", 20, 30),
        Claim(anna, "works_at", Object.entity(x), "contacts", 25, 40),
    ]
    first = [fact.id for fact in world.graph.assert_facts(*history)]
    head = world.ledger.head()
    for _ in range(3):
        world.now += DAY_NS
        assert [fact.id for fact in world.graph.assert_facts(*history)] == first
    assert world.ledger.head() == head
    other = world.told(anna, "works_at", y, extractor="contacts", valid_from=10)  # in the place of the first
    back = world.told(anna, "works_at", x, extractor="contacts", valid_from=10)
    assert back.id not in (other.id, *first)


def test_a_symmetric_fact_is_the_same_from_both_sides(world: Any) -> None:
    anna, ben = world.made("Anna"), world.made("Ben")
    assert world.told(anna, "knows", ben) == world.told(ben, "knows", anna)


def test_numbers_and_amounts_are_exact_and_have_one_form(world: Any) -> None:
    bill = world.made("Bill", "document")
    one = world.told(bill, "total", Object(Type.AMOUNT, "0019.90", "EUR"))
    assert one.object == Object(Type.AMOUNT, "19.9", "EUR")
    assert world.told(bill, "total", Object(Type.AMOUNT, "19.900", "EUR")) == one


def test_relations_are_declared_and_kept(world: Any) -> None:
    fond = Predicate("fond_of", Type.ENTITY, Kind.PREFERENCE, half_life_days=10)
    world.graph.declare(fond)
    head = world.ledger.head()
    world.graph.declare(fond)
    assert world.ledger.head() == head
    refused("graph.predicate_differs", world.graph.declare, replace(fond, functional=True))
    refused("graph.predicate_differs", world.graph.declare, Predicate("email", Type.NUMBER))
    anna, ben = world.made("Anna"), world.made("Ben")
    fact = world.told(anna, "fond_of", ben)
    world.reopen(anew=True)
    assert world.graph.predicates()["fond_of"] == fond
    assert world.graph.facts() == (fact,)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "a b"}, {"name": ""}, {"type": Type.TEXT, "symmetric": True}, {"half_life_days": math.inf},
        {"half_life_days": 0.0}, {"prior": math.nan}, {"name": "x\u202e"},
    ],
)  # fmt: skip
def test_a_relation_that_nothing_could_be_said_with(world: Any, changes: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        world.graph.declare(replace(Predicate("likes", Type.ENTITY), **changes))


def test_merges_that_make_no_sense(world: Any) -> None:
    a, b, c = (world.made(name) for name in ("Anna", "Ann", "A. Berg"))
    refused("graph.same", world.graph.merge, a, a)
    refused("graph.unknown_entity", world.graph.merge, a, EntityId("person:nobody"))
    world.graph.merge(a, b)
    world.graph.merge(b, c)
    refused("graph.same", world.graph.merge, c, a)
    refused("graph.not_same", world.graph.split, a, c)
    world.graph.split(c, b)
    assert world.graph.entity(a).same_as == (b,)
    refused("graph.not_same", world.graph.split, c, b)


def test_what_is_not_there_cannot_be_changed(world: Any) -> None:
    anna = world.made("Anna")
    fact = world.told(anna, "phone", "123", valid_from=100)
    refused("graph.time", world.graph.end, fact.id, 100)
    world.graph.retract(fact.id)
    for work in (lambda: world.graph.retract(fact.id), lambda: world.graph.end(fact.id, 200)):
        refused("graph.unknown_fact", work)
    for work in (world.graph.forget, world.graph.entity, lambda id: world.graph.add_name(id, "x")):
        refused("graph.unknown_entity", work, EntityId("person:nobody"))


def test_strange_names_are_kept_as_they_are_and_shown_readably(world: Any) -> None:
    strange = "An\u202ena\x00\x1b[31m 🦆"
    id = world.made(strange)
    assert world.graph.entity(id).name == strange
    assert world.graph.resolve(strange)[0].entity.id == id
    assert id.isprintable()
    world.reopen(anew=True)
    assert world.graph.entity(id).name == strange
    assert shown(strange) == "An\\u202ena\\x00\\x1b[31m 🦆"
    assert len(shown("x" * 10_000)) == 60
    for name in ("", " ", "x" * 2_000, "\ud800"):
        refused("graph.text", world.made, name)


def test_every_error_says_what_happened_and_what_to_do_in_both_languages() -> None:
    for code in _WORDS:
        error = GraphError(code, subject="X", detail="Y")
        assert all((str(error), error.hint, error.de, error.de_hint))


def test_a_closed_graph_says_so(world: Any) -> None:
    world.graph.close()
    with pytest.raises(GraphError) as error:
        world.graph.facts()
    assert error.value.code == "graph.closed"


def test_a_ledger_that_is_only_looked_at_can_be_asked(world: Any) -> None:
    anna = world.made("Anna")
    fact = world.told(anna, "phone", "123")
    world.close()
    with (
        Ledger.open(world.folder / "ledger", read_only=True) as ledger,
        Graph.open(world.folder / "g", ledger) as graph,
    ):
        assert graph.facts() == (fact,)
