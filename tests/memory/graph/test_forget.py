"""Forgetting somebody: no byte of it is left in the graph's files, the ledger's keys, or the stores that joined."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from typing import Any

import pytest

from memory import Draft
from memory.graph import Claim, GraphError, Object, Query, Stores
from memory.model import EntityId

ANNA = "Anna Quillfeather"
WORDS = (b"Quillfeather", b"quillfeather", b"marzipan", b"+49 30 555", b"Swordfish")


class Notes:
    """A store that derived something, as later ones will."""

    name = "notes"

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        self.failing = False

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        if self.failing:
            raise OSError("the disk is full")
        self.asked.append((tuple(entities), tuple(words)))
        return len(words)


def fill(world: Any) -> dict[str, Any]:
    anna = world.made(ANNA, "person", "Swordfish")
    ben, xenon = world.made("Ben Okafor"), world.made("Xenon", "org")
    kept = world.told(ben, "works_at", xenon)
    world.told(anna, "phone", "+49 30 555")
    world.told(anna, "works_at", xenon)
    world.told(ben, "remembered", f"{ANNA} likes marzipan")
    world.told(ben, "remembered", "marzipan is for the party", about=(anna,))
    taken = world.told(anna, "email", "anna@marzipan.example")
    world.graph.retract(taken.id, "she said Swordfish")
    world.ledger.append(Draft("note.kept", {"text": "marzipan"}, entities=(anna,)))
    assert world.graph.search("marzipan")
    return {"anna": anna, "ben": ben, "xenon": xenon, "kept": kept}


def test_no_byte_of_what_was_forgotten_is_left(world: Any) -> None:
    who = fill(world)
    for word in WORDS[:-1]:
        assert word in world.holding()  # control: what is searched for was readable there
    done = world.graph.forget(who["anna"])
    assert done.events == 8
    assert not [word for word in WORDS if word in world.holding()]
    assert world.graph.facts() == (who["kept"],)
    assert world.graph.search("marzipan") == ()
    assert world.ledger.verify().ok
    with pytest.raises(GraphError, match="Nobody"):
        world.graph.entity(who["anna"])
    assert not [word for word in WORDS if word in world.holding()]  # nor after the index was filled anew
    rows = world.graph.dump()
    world.reopen(ledger=True, anew=True)
    assert world.graph.dump() == rows


@pytest.mark.slow
def test_no_byte_is_left_among_many_others(world: Any) -> None:
    anna, ben = world.made(ANNA), world.made("Ben Okafor")
    for start in range(0, 3_000, 500):
        world.graph.assert_facts(
            *(
                Claim(
                    ben if n % 3 else anna, "remembered", Object.text(f"{'tea' if n % 3 else 'marzipan'} {n}" * 9), "u"
                )
                for n in range(start, start + 500)
            )
        )
    world.graph.search("marzipan")
    world.graph.forget(anna)
    assert not [word for word in WORDS if word in world.holding()]
    assert len(world.graph.facts()) == 2_000


def test_deleting_rows_alone_would_leave_the_words(world: Any) -> None:
    """Control: an ordinary DELETE without what ``Projection`` does leaves them in the file."""
    fill(world)
    import sqlite3

    world.graph.close()
    copy = world.folder / "copy.db"
    shutil.copy(world.folder / "graph" / "graph.db", copy)
    connection = sqlite3.connect(copy)
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("DELETE FROM fact")
    connection.execute("DELETE FROM name")
    connection.execute("DELETE FROM entity")
    connection.commit()
    connection.close()
    assert b"marzipan" in copy.read_bytes()


def test_a_forget_of_the_ledger_alone_reaches_the_graph(world: Any) -> None:
    who = fill(world)
    world.ledger.forget(who["anna"])
    assert who["anna"] not in [entity.id for entity in world.graph.entities()]
    assert b"+49 30 555" not in world.holding()


def test_everything_that_is_one_with_it_goes_too(world: Any) -> None:
    who = fill(world)
    other = world.made("Dr. A. Quillfeather")
    world.told(other, "email", "dr@marzipan.example")
    world.graph.merge(who["anna"], other)
    done = world.graph.forget(who["anna"])
    assert set(done.entities) == {who["anna"], other}
    assert not [word for word in WORDS if word in world.holding()]


def test_a_text_from_before_the_name_was_known_is_found_too(world: Any) -> None:
    ben = world.made("Ben Okafor")
    world.told(ben, "remembered", f"call {ANNA.upper()} about the marzipan")
    other = world.told(ben, "remembered", "Anna Quill sells feathers")
    anna = world.made(ANNA)
    world.graph.forget(anna)
    assert world.graph.facts() == (other,)
    assert b"marzipan" not in world.holding()


def test_a_reason_that_names_somebody_goes_with_what_was_taken_back(world: Any) -> None:
    ben = world.made("Ben Okafor")
    world.graph.retract(world.told(ben, "phone", "1").id, f"{ANNA} likes marzipan more")
    anna = world.made(ANNA)
    assert b"marzipan" in world.holding()
    world.graph.forget(anna)
    assert b"marzipan" not in world.holding()
    assert world.graph.facts(Query(retracted=True)) == ()


def test_a_homonym_and_what_is_said_of_it_stay(world: Any) -> None:
    one, other, ben = world.made(ANNA), world.made(ANNA), world.made("Ben Okafor")
    kept = world.told(other, "phone", "123")
    unclear = world.told(ben, "remembered", f"{ANNA} called")
    done = world.graph.forget(one)
    assert world.graph.facts() == (kept, unclear)
    assert done.kept == (other,)


def test_what_a_forgotten_fact_had_ended_stays_ended(world: Any) -> None:
    anna, ben, carl = world.made(ANNA), world.made("Ben Okafor"), world.made("Carl")
    before = world.told(ben, "boss", carl, valid_from=100)
    world.told(ben, "boss", anna, valid_from=200)
    world.graph.forget(anna)
    (left,) = world.graph.facts(Query(subject=ben))
    assert (left.id, left.valid_to, left.closed_by) == (before.id, 200, None)


def test_stores_that_joined_forget_with_it(new_world: Any) -> None:
    notes = Notes()
    world = new_world(stores=Stores(notes))
    who = fill(world)
    done = world.graph.forget(who["anna"])
    assert done.stores == {"notes": 2}
    gone = notes.asked[0][0]
    assert gone[0] == who["anna"]
    assert len(gone) == 6
    assert all(id.startswith("fact:") for id in gone[1:])
    assert notes.asked[0][1] == (ANNA, "Swordfish")


def test_a_store_that_fails_is_asked_again_at_the_next_opening(new_world: Any) -> None:
    notes = Notes()
    world = new_world(stores=Stores(notes))
    who = fill(world)
    notes.failing = True
    with pytest.raises(OSError, match="full"):
        world.graph.forget(who["anna"])
    assert not [word for word in WORDS if word in world.holding()]
    notes.failing = False
    world.reopen(ledger=True)
    assert [asked[1] for asked in notes.asked] == [(ANNA, "Swordfish")]
    world.reopen(ledger=True)
    assert len(notes.asked) == 1  # once it is done, nobody can read any more what was to go
    assert all(event.body is None for event in world.ledger.events(kinds=("entity.forgetting",)))


def test_the_order_to_forget_names_nobody_in_the_open(world: Any) -> None:
    who = fill(world)
    world.graph.forget(who["anna"])
    (order,) = world.ledger.events(kinds=("entity.forgetting",))
    assert order.body is None
    assert order.run is None
