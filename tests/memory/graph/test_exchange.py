"""Out and in again: JSON lines, GraphML, and files that lie."""

from __future__ import annotations

import io
import json
from typing import Any

import networkx
import pytest

from memory.graph import GraphError, Object, Predicate, Query
from memory.graph.errors import BadInput
from memory.graph.model import Kind, Type


def fill(world: Any) -> None:
    world.graph.declare(Predicate("fond_of", Type.ENTITY, Kind.PREFERENCE))
    anna, ben, x = world.made("Anna\x1b", "person", "Änne"), world.made("Ben"), world.made("Xenon", "org")
    other = world.made("A. Berg")
    world.told(anna, "works_at", x, valid_from=10, valid_to=20, label={"integrity": "user"})
    world.told(anna, "fond_of", ben, confidence=0.5, owner="people")
    world.told(ben, "total", Object(Type.AMOUNT, "1.50", "EUR"))
    world.told(ben, "remembered", 'a "quoted" <text>\nin two lines')
    world.graph.merge(anna, other)


def said(world: Any) -> set[tuple[object, ...]]:
    facts = world.graph.facts()
    return {
        (one.subject, one.predicate, one.object, one.valid_from, one.valid_to, one.extractor, one.owner, one.confidence)
        for one in facts
    }


def test_what_goes_out_comes_back(new_world: Any) -> None:
    world, empty = new_world(), new_world()
    fill(world)
    lines = world.graph.export_lines()
    done = empty.graph.import_lines(lines, lambda label: label, voice="")
    assert (done.entities, done.facts) == (4, 4)
    assert said(empty) == said(world)
    assert [fact.label for fact in empty.graph.facts()] == [fact.label for fact in world.graph.facts()]
    assert empty.graph.entities() == world.graph.entities()
    head = empty.ledger.head()
    again = empty.graph.import_lines(lines, lambda label: label, voice="")
    assert (again.entities, again.facts) == (0, 0)
    assert empty.ledger.head() == head
    content = empty.graph.dump()
    empty.reopen(anew=True)
    assert empty.graph.dump() == content


def test_a_file_cannot_speak_with_the_users_voice_or_label(new_world: Any) -> None:
    """An attack: a file says that the user says that Anna works elsewhere since later."""
    world = new_world()
    anna, x, y = world.made("Anna"), world.made("Xenon", "org"), world.made("Evil", "org")
    mine = world.told(anna, "works_at", x, valid_from=10, label="user")
    forged = next(line for line in world.graph.export_lines() if '"fact"' in line)
    body = json.loads(forged)
    body["fact"] |= {"object": {"type": "entity", "value": y}, "valid_from": 20}
    entities = [line for line in world.graph.export_lines() if '"entity"' in line and '"fact"' not in line]
    world.graph.import_lines([*entities, json.dumps(body)], lambda _: "untrusted")
    assert mine in world.graph.facts(Query(valid_at=30))
    (bad,) = world.graph.facts(Query(object=Object.entity(y)))
    assert (bad.label, bad.extractor) == ("untrusted", "import:user")
    world.graph.import_lines([*entities, json.dumps(body)], lambda label: label, voice="")  # control
    assert mine not in world.graph.facts(Query(valid_at=30))


@pytest.mark.parametrize(
    "line",
    [
        "nonsense", "[]", '{"fact": 3}', '{"fact": {}}', '{"same": ["a", "b"]}', "[" * 100_000,
        '{"entity": {"id": "x"}}',
        '{"entity": {"id": "x", "kind": "person", "name": ""}}', '{"predicate": {"name": "email"}}',
        '{"fact": {"subject": "x", "predicate": "phone", "object": {"type": "text", "value": "1"}, "valid_from": 5, '
        '"valid_to": 4, "extractor": "u", "confidence": 1, "label": null, "owner": ""}}',
        '{"predicate": {"name": "email", "type": "number", "kind": "state", "functional": true, "symmetric": false, '
        '"half_life_days": 1, "prior": 1}}',
        json.dumps({"entity": {"id": "x", "kind": "person", "name": "y" * (1 << 20)}}),
    ],
)  # fmt: skip
def test_a_bad_line_takes_nothing_over(world: Any, line: str) -> None:
    good = '{"entity": {"id": "person:anna-1", "kind": "person", "name": "Anna"}}'
    head = world.ledger.head()
    with pytest.raises(BadInput):
        world.graph.import_lines([good, line], lambda label: label)
    assert world.ledger.head() == head
    assert world.graph.import_lines([good, "", " \n"], lambda label: label).entities == 1


def test_a_bad_line_is_named(world: Any) -> None:
    with pytest.raises(GraphError, match="Line 2 "):
        world.graph.import_lines(["", "{"], lambda label: label)


@pytest.mark.parametrize("id", ["person:../../x", "forget:1", "fact:00", "PERSON:x", "person:\u202e", ""])
def test_an_id_that_is_not_well_formed_is_given_anew(world: Any, id: str) -> None:
    line = json.dumps({"entity": {"id": id, "kind": "person", "name": "Anna"}})
    done = world.graph.import_lines([line], lambda label: label)
    assert done.ids[id].startswith("person:anna-")


def test_an_id_of_somebody_else_is_given_anew(world: Any) -> None:
    anna = world.made("Anna")
    line = json.dumps({"entity": {"id": anna, "kind": "person", "name": "Eve"}})
    done = world.graph.import_lines([line], lambda label: label)
    assert done.ids[anna] != anna
    assert world.graph.entity(anna).name == "Anna"


def test_graphml_is_read_by_others(world: Any) -> None:
    fill(world)
    drawn = networkx.read_graphml(io.BytesIO(world.graph.export_graphml().encode()))
    assert (drawn.number_of_nodes(), drawn.number_of_edges()) == (4, 2)
    attributes = {data["name"]: data for _, data in drawn.nodes(data=True)}
    assert attributes["Ben"]["total"] == "1.5 EUR"
    assert attributes["Ben"]["remembered"].startswith('a "quoted" <text>')
    assert {data["predicate"] for _, _, data in drawn.edges(data=True)} == {"works_at", "fond_of"}
