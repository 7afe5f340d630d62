"""A reader sees the facts that they may read, and whoever these are about, and nothing else of the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memory.graph import Claim, Object, Query
from memory.graph.errors import BadInput
from memory.graph.seen import Seen
from memory.model import EntityId

World = Any  # tests/memory/graph/conftest.py

OPEN, SHUT = "open", "shut"


def seen(world: World, may_read: Callable[[Any], bool] = lambda label: label == OPEN) -> Seen:
    return Seen(world.graph, may_read)


@pytest.fixture
def two(world: World) -> tuple[World, EntityId, EntityId]:
    """Anna, of whom one fact is open and one shut, and Zora, of whom all is shut."""
    anna, zora = world.made("Anna Berg"), world.made("Zora Kern", "person", "Zorro")
    world.told(anna, "phone", "111", label=OPEN)
    world.told(anna, "address", "Hidden Lane 9", label=SHUT)
    world.told(zora, "phone", "999", label=SHUT)
    world.told(anna, "knows", Object.entity(zora), label=SHUT)
    return world, anna, zora


def test_what_is_shut_is_in_no_answer(two: tuple[World, EntityId, EntityId]) -> None:
    world, anna, zora = two
    reader = seen(world)
    assert [fact.object.value for fact in reader.facts()] == ["111"]
    assert [fact.object.value for fact, _ in reader.search("hidden lane phone 111 999")] == ["111"]
    assert [fact.object.value for fact, _ in reader.by_activation(Query(either=anna), 0)] == ["111"]
    assert [one.id for one in reader.entities()] == [anna]
    assert reader.neighbours(anna) == ()
    for name in ("Zora", "Zora Kern", "Zorro", "Zorra"):
        assert reader.resolve(name) == ()
        assert not reader.named_in(f"what of {name}?")
    with pytest.raises(BadInput, match="Nobody"):
        reader.entity(zora)
    assert {one.id for one in world.graph.entities()} == {anna, zora}, "the control: the graph itself has all of it"
    assert world.graph.resolve("Zorro")
    assert world.graph.named_in("what of Zorro?") == {zora: "zorro"}


def test_a_filter_of_the_question_narrows_and_never_widens(two: tuple[World, EntityId, EntityId]) -> None:
    world, _, _ = two
    assert [fact.object.value for fact in seen(world).facts(Query(label=lambda _: True))] == ["111"]
    assert seen(world).facts(Query(label=lambda label: label == SHUT)) == ()


def test_a_hidden_name_of_somebody_who_is_seen_leads_to_nobody(two: tuple[World, EntityId, EntityId]) -> None:
    """Merged with somebody from a file, Anna answers to that name; a reader who may not read the file learns it not."""
    world, anna, zora = two
    world.graph.merge(anna, zora)
    reader = seen(world)
    assert reader.resolve("Zorro") == ()
    assert [one.entity.name for one in reader.resolve("Anna")] == ["Anna Berg"]
    assert reader.entity(anna).same_as == ()
    assert reader.named_in("what of Zorro's mail?") == {}
    assert reader.named_in("what of Annas mail?") == {anna: "annas"}
    assert reader.named_in("what of Anna?", besides=("person",)) == {}
    assert world.graph.resolve("Zorro"), "the control"
    assert set(world.graph.named_in("what of Zorro's mail?")) == set(world.graph.named_in("Anna Berg")), "the control"


@pytest.mark.parametrize("of_two", [0, 1])
def test_no_answer_holds_the_id_of_whom_the_reader_may_not_read_of(world: World, of_two: int) -> None:
    """Of two who are one, the graph answers with the first by id; a reader is told only the one that they know."""
    both = sorted((world.made("Anna Berg"), world.made("Anna Berg")))
    known, hidden = both[of_two], both[1 - of_two]
    world.told(known, "phone", "111", label=OPEN)
    world.told(hidden, "phone", "999", label=SHUT)
    firm = world.made("Xenon", "org")
    world.told(hidden, "works_at", Object.entity(firm), label=SHUT)
    world.graph.merge(known, hidden)
    reader = seen(world)
    assert reader.named_in("Anna Berg") == {known: "anna berg"}
    assert [one.entity.id for one in reader.resolve("Anna Berg")] == [known]
    assert [id for id, _ in reader.rank({known: 1.0})] == [known]
    assert firm in dict(world.graph.rank({known: 1.0})), "the control"


def test_what_disagrees_is_shown_only_where_both_may_be_read(world: World) -> None:
    anna = world.made("Anna Berg")
    world.told(anna, "address", "Lane 1", label=OPEN)
    world.told(anna, "address", "Lane 2", label=SHUT, extractor="file")
    assert len(world.graph.conflicts()) == 1
    assert seen(world).conflicts() == ()
    assert len(seen(world, lambda _: True).conflicts()) == 1


def test_a_reader_writes_nothing(two: tuple[World, EntityId, EntityId]) -> None:
    world, anna, _ = two
    reader, head = seen(world), world.ledger.head()
    claim = Claim(anna, "phone", Object.text("222"), "user")
    for attempt in (
        lambda: reader.assert_fact(claim), lambda: reader.make_entity("person", "Eve"),
        lambda: reader.add_name(anna, "Eve"), lambda: reader.forget(anna), lambda: reader.retract(reader.facts()[0].id),
        reader.export_lines, reader.export_graphml, reader.dump, reader.stats, lambda: reader.foresee(anna),
    ):  # fmt: skip
        with pytest.raises(BadInput, match="nothing else"):
            attempt()
    assert world.ledger.head() == head


def test_a_text_names_whom_it_names(world: World) -> None:
    """By a whole name or a word of one, with the s of a genitive; homonyms all of them, common words nobody."""
    berg, klein = world.made("Anna Berg"), world.made("Anna Klein", "person", "Annchen")
    for number in range(9):
        world.made(f"Meeting {number}", "event")
    named = world.graph.named_in
    assert named("Anna Berg's last mail") == {berg: "anna berg"}
    assert named("Annas letzte Mail") == named("what did Anna say?") | {berg: "annas", klein: "annas"}
    assert set(named("what did Anna say?")) == {berg, klein}
    assert named("a note for Annchen") == {klein: "annchen"}
    assert not named("the meeting on Monday")
    assert not named("")
    assert named("what did Annchen say?", besides=("person",)) == {}


def test_among_very_many_names_whole_ones_are_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    berg = world.made("Anna Berg")
    monkeypatch.setattr("memory.graph.graph.MANY_NAMES", 0)
    assert world.graph.named_in("Anna Bergs letzte Mail") == {berg: "anna bergs"}
    assert not world.graph.named_in("Annas letzte Mail")
