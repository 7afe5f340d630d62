"""Whom a name means: exact, part of it, alike; homonyms, kinds and neighbours."""

from __future__ import annotations

from typing import Any

import pytest

from memory.graph.names import folded, is_guarded, likeness


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jörg Groß", "joerg gross"), ("Jörg Groß", "JORG GROSS"), ("Müller", "MUELLER"),
        ("Łukasz Çelik", "ŁUKASZ CELIK"),
        ("ﬁona", "Fiona"), ("Ｂｅｎ", "ben"), ("O'Neil-Smith", "o neil smith"),
        ("Zoe\u0308", "Zoë"), ("a\u200bnna", "Anna"),
    ],
)  # fmt: skip
def test_spellings_that_are_one_name(one: str, other: str) -> None:
    assert set(folded(one)) & set(folded(other))


@pytest.mark.parametrize(("one", "other"), [("Anna", "Hanna"), ("Masse", "Maße x"), ("1a", "1b"), ("👩", "👨")])
def test_spellings_that_are_not(one: str, other: str) -> None:
    assert not set(folded(one)) & set(folded(other))


def test_short_names_are_guarded() -> None:
    assert [is_guarded(form) for form in ("bo", "eva", "aaaa", "anna")] == [True, True, True, False]
    assert likeness("anna berg", "anna berg") == 1
    assert likeness("anna berg", "xyz") == 0


def found(world: Any, name: str, **more: Any) -> list[tuple[str, str]]:
    return [(one.entity.id, one.reasons[0].partition(":")[0]) for one in world.graph.resolve(name, **more)]


def test_exact_before_part_before_alike(world: Any) -> None:
    berg = world.made("Anna Berg", "person", "Annchen")
    ann = world.made("Anna")
    alike = world.made("Anna Burg")
    assert found(world, "anna") == [(ann, "exact"), (berg, "part of the name"), (alike, "part of the name")][:3]
    assert found(world, "ANNCHEN") == [(berg, "exact")]
    assert found(world, "Anna Berk") == [(berg, "alike"), (ann, "alike")]
    assert found(world, "Anna Burgg") == [(alike, "alike"), (ann, "alike")]
    assert found(world, "Nobody at all") == []


def test_homonyms_come_as_several_and_are_not_merged(world: Any) -> None:
    ids = {world.made("Max Weber") for _ in range(3)}
    some = world.graph.resolve("max weber")
    assert {one.entity.id for one in some} == ids
    assert len({one.score for one in some}) == 1
    assert world.graph.stats().merged == 0


def test_kind_and_neighbours_decide_between_homonyms(world: Any) -> None:
    person, place = world.made("Paris"), world.made("Paris", "place")
    other, friend = world.made("Paris"), world.made("Ben")
    world.told(other, "knows", friend)
    assert found(world, "Paris", kind="place")[0][0] == place
    assert found(world, "Paris", kind="person", context=[friend])[0][0] == other
    best = world.graph.resolve("Paris", "person", [friend])[0]
    assert best.reasons == ("exact", "kind", "near:1")
    assert best.score > world.graph.resolve("Paris", "person")[0].score
    assert person in [id for id, _ in found(world, "Paris")]


def test_a_short_name_is_found_exactly_or_as_a_part_only(world: Any) -> None:
    bo = world.made("Bo")
    world.made("Boa")
    assert found(world, "bo") == [(bo, "exact")]
    assert found(world, "bu") == []


def test_merged_entities_are_one_candidate(world: Any) -> None:
    one, other = world.made("Anna Berg"), world.made("Anna Berg")
    world.graph.merge(one, other)
    assert [candidate.entity.id for candidate in world.graph.resolve("Anna Berg")] == [min(one, other)]


def test_a_new_name_is_found_at_once_and_a_forgotten_one_no_more(world: Any) -> None:
    anna = world.made("Anna Berg")
    assert found(world, "Spatz") == []
    world.graph.add_name(anna, "Spatz")
    assert found(world, "spatz") == [(anna, "exact")]
    world.graph.forget(anna)
    assert found(world, "spatz") == []
