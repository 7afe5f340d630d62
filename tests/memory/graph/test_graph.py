"""What a person relies on: two clocks, one voice, reversible merges, and files that may be lost."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import memory.graph
from memory import Draft
from memory.graph import Query, events
from memory.graph.errors import GraphFailed
from memory.graph.model import DAY_NS, day_ns

JAN_2020, JAN_2024 = day_ns("2020-01-01"), day_ns("2024-01-01")


def test_the_door_is_small_and_light() -> None:
    assert memory.graph.__all__ == sorted(memory.graph.__all__)
    assert len(memory.graph.__all__) <= 8
    code = "import sys, memory.graph; print(*({'numpy', 'networkx', 'kernel', 'permissions'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_newer_fact_of_the_same_voice_ends_an_older_one_and_nothing_is_lost(world: Any) -> None:
    anna, x, y = world.made("Anna"), world.made("Xenon", "org"), world.made("Ypsilon", "org")
    first = world.told(anna, "works_at", x, valid_from=JAN_2020)
    before = world.now
    world.now += DAY_NS
    second = world.told(anna, "works_at", y, valid_from=JAN_2024)
    then, now = world.graph.facts(Query(subject=anna))
    assert (then.id, then.valid_to, then.closed_by) == (first.id, JAN_2024, second.id)
    assert (now.id, now.valid_to) == (second.id, None)
    assert world.graph.facts(Query(valid_at=JAN_2024 - 1)) == (then,)
    assert world.graph.facts(Query(valid_at=JAN_2024)) == (now,)
    assert world.graph.facts(Query(valid_at=JAN_2024, recorded_at=before)) == (first,)
    assert world.graph.conflicts() == ()


@pytest.mark.parametrize("other", [{"extractor": "document:4f2a"}, {"label": {"integrity": "untrusted"}}])
def test_another_voice_ends_nothing(world: Any, other: dict[str, Any]) -> None:
    """An attack: a document that Steward read says that Anna works elsewhere since yesterday."""
    anna, x, y = world.made("Anna"), world.made("Xenon", "org"), world.made("Evil Corp", "org")
    mine = world.told(anna, "works_at", x, valid_from=JAN_2020, label={"integrity": "user"})
    world.told(anna, "works_at", y, **{"valid_from": JAN_2024, "label": {"integrity": "user"}} | other)
    assert mine in world.graph.facts(Query(valid_at=world.now))
    (conflict,) = world.graph.conflicts()
    assert conflict.first == mine
    world.told(anna, "works_at", y, valid_from=JAN_2024, label={"integrity": "user"})  # control: the same voice does
    assert mine.id not in [fact.id for fact in world.graph.facts(Query(valid_at=world.now))]


def test_many_values_and_other_relations_stand_beside_each_other(world: Any) -> None:
    anna = world.made("Anna")
    for number in range(20):
        world.told(anna, "phone", f"{number}", valid_from=number)
        world.told(anna, "prefers", f"tea {number}", valid_from=number)
    assert len(world.graph.facts(Query(subject=anna, valid_at=world.now))) == 40


def test_what_was_taken_back_counted_until_then(world: Any) -> None:
    anna = world.made("Anna")
    fact = world.told(anna, "phone", "123")
    known = world.now
    world.now += 5
    world.graph.retract(fact.id, "a wrong number")
    assert world.graph.facts() == ()
    assert world.graph.facts(Query(recorded_at=known)) == (fact,)
    (gone,) = world.graph.facts(Query(retracted=True))
    assert (gone.id, gone.recorded_to) == (fact.id, known + 5)


def test_a_clock_that_is_set_back_breaks_no_order(world: Any) -> None:
    anna = world.made("Anna")
    fact = world.told(anna, "phone", "123")
    world.now -= 10 * DAY_NS
    world.graph.retract(fact.id)
    (gone,) = world.graph.facts(Query(retracted=True))
    assert gone.recorded_to == gone.recorded_from


def test_a_mutual_relation_is_found_from_both_sides(world: Any) -> None:
    anna, ben, carl = world.made("Anna"), world.made("Ben"), world.made("Carl")
    fact = world.told(anna, "partner", ben, valid_from=10)
    for one, other in ((anna, ben), (ben, anna)):
        assert world.graph.facts(Query(subject=one)) == (fact,)
        assert world.graph.facts(Query(object=fact.object.entity(one))) == (fact,)
        assert world.graph.neighbours(one) == ((other, fact),)
    new = world.told(carl, "partner", anna, valid_from=20)
    (old,) = world.graph.facts(Query(subject=ben))
    assert (old.valid_to, old.closed_by) == (20, new.id)
    boss = world.told(anna, "boss", carl)
    assert boss not in world.graph.facts(Query(subject=carl))  # control: one that is not mutual


def test_filters(world: Any) -> None:
    anna, ben = world.made("Anna"), world.made("Ben")
    mine = world.told(anna, "phone", "1", label="mine", owner="contacts")
    world.told(anna, "phone", "2", extractor="contacts", source=mine.seq)
    world.told(ben, "knows", anna)
    assert world.graph.facts(Query(owner="contacts")) == (mine,)
    assert world.graph.facts(Query(label=lambda label: label == "mine")) == (mine,)
    assert [fact.object.value for fact in world.graph.facts(Query(source=mine.seq, extractor="contacts"))] == ["2"]
    assert len(world.graph.facts(Query(either=anna))) == 3
    assert len(world.graph.facts(Query(subject=anna, predicate="phone", object=mine.object))) == 1
    assert world.graph.facts(Query(ids=(mine.id, *(f"fact:{number}" for number in range(100_000))))) == (mine,)


names = st.sampled_from("abcd")
merging = st.lists(st.tuples(st.booleans(), names, names), max_size=10)


@pytest.mark.slow
@given(merging, st.tuples(names, names).filter(lambda pair: pair[0] != pair[1]))
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_after_a_split_everything_is_as_before(new_world: Any, before: Any, pair: tuple[str, str]) -> None:
    world = new_world()
    ids = {name: world.made(f"Person {name}") for name in "abcd"}
    places = [world.made(f"Place {number}", "place") for number in range(4)]
    for number, name in enumerate("abcd"):
        world.told(ids[name], "works_at", places[number], valid_from=10 * number)
        world.told(ids[name], "partner", ids["abcd"[number - 1]], valid_from=5 * number)

    def try_to(join: bool, one: str, other: str) -> bool:
        try:
            (world.graph.merge if join else world.graph.split)(ids[one], ids[other])
        except memory.graph.GraphError:
            return False
        return True

    def everything() -> object:
        graph = world.graph
        return (
            graph.facts(), graph.conflicts(), graph.entities(), [graph.facts(Query(subject=id)) for id in ids.values()],
            graph.resolve("person a"), graph.rank({ids["a"]: 1.0}), [graph.neighbours(id) for id in ids.values()],
        )  # fmt: skip

    for step in before:
        try_to(*step)
    was = everything()
    if try_to(True, *pair):
        assert everything() != was
        assert try_to(False, *pair)
    assert everything() == was
    world.close()
    shutil.rmtree(world.folder)
    world.folder.mkdir()


def test_merged_entities_answer_as_one(world: Any) -> None:
    one, other, x, y = world.made("Anna Berg"), world.made("A. Berg"), world.made("X", "org"), world.made("Y", "org")
    first = world.told(one, "works_at", x, valid_from=10)
    world.told(other, "works_at", y, valid_from=20)
    world.graph.merge(one, other)
    assert {fact.subject for fact in world.graph.facts(Query(subject=other))} == {one, other}
    assert world.graph.facts(Query(subject=one, valid_at=30))[0].object.value == y
    merged_at = world.now
    world.now += 1
    world.graph.split(one, other)
    assert world.graph.facts(Query(subject=one)) == (first,)
    assert len(world.graph.facts(Query(subject=one, recorded_at=merged_at))) == 2


@pytest.mark.parametrize("harm", ["missing", "empty", "cut", "noise", "version", "schema", "state", "folder"])
def test_a_file_that_cannot_be_trusted_is_built_anew(world: Any, harm: str) -> None:
    import sqlite3

    anna = world.made("Anna")
    for number in range(200):
        world.told(anna, "phone", f"{number}")
    expected = world.graph.dump()
    world.graph.close()
    path = world.folder / "graph" / "graph.db"
    data = path.read_bytes()
    if harm == "missing":
        path.unlink()
    elif harm == "folder":
        shutil.rmtree(path.parent)
    elif harm in ("empty", "cut", "noise"):
        path.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "noise": os.urandom(len(data))}[harm])
    else:
        connection = sqlite3.connect(path)
        statement = {
            "version": "PRAGMA user_version = 99", "schema": "DROP INDEX fact_id", "state": "DELETE FROM state",
        }[harm]  # fmt: skip
        connection.execute(statement)
        connection.commit()
        connection.close()
    world.reopen()
    assert world.graph.dump() == expected


def test_a_file_that_breaks_while_it_is_used_is_named_and_then_built_anew(world: Any) -> None:
    anna = world.made("Anna")
    for number in range(500):
        world.told(anna, "phone", f"{number}" * 20)
    expected = world.graph.dump()
    world.reopen()  # the log is folded in
    world.graph._keeper.refresh().connection.execute("PRAGMA shrink_memory")  # nothing of the file is kept in memory
    path = world.folder / "graph" / "graph.db"
    with path.open("r+b") as file:
        file.seek(8 * 4096)
        file.write(os.urandom(40 * 4096))
    with pytest.raises(GraphFailed) as error:
        world.graph.dump()
    assert (error.value.code, error.value.retryable) == ("graph.damaged", True)
    assert world.graph.dump() == expected


def test_a_damaged_text_index_is_made_anew(world: Any) -> None:
    anna = world.made("Anna")
    fact = world.told(anna, "remembered", "likes marzipan")
    assert world.graph.search("marzipan")[0][0] == fact
    world.graph.close()
    (world.folder / "graph" / "graph-text.db").write_bytes(os.urandom(8192))
    world.reopen()
    assert world.graph.search("marzipan")[0][0] == fact


def test_a_projection_of_another_ledger_is_not_believed(new_world: Any) -> None:
    one, other = new_world(), new_world()
    one.made("Anna")
    other.made("Ben")
    one.graph.close()
    other.graph.close()
    shutil.rmtree(one.folder / "graph")
    shutil.copytree(other.folder / "graph", one.folder / "graph")
    one.reopen()
    assert [entity.name for entity in one.graph.entities()] == ["Anna"]
    other.reopen()


def test_events_that_others_wrote_to_the_ledger_are_passed_over(world: Any) -> None:
    anna = world.made("Anna")
    world.ledger.append(*(Draft("task.done", {"n": number}) for number in range(700)))
    fact = world.told(anna, "phone", "1")
    world.reopen()
    assert world.graph.facts() == (fact,)


@pytest.mark.parametrize("kind", [kind for kind in events.KINDS if not kind.startswith("ledger.")])
@pytest.mark.parametrize("body", [{}, {"fact": 1, "entity": 2, "object": 3, "a": [], "predicate": {}}])
def test_an_event_of_another_form_is_passed_over_and_said(world: Any, caplog: Any, kind: str, body: Any) -> None:
    anna = world.made("Anna")
    (bad,) = world.ledger.append(Draft(kind, body))
    fact = world.told(anna, "knows", world.made("Ben"))
    assert world.graph.facts() == (fact,)
    assert world.graph.rank({anna: 1.0})
    assert f"event {bad.seq} " in caplog.text
    content = world.graph.dump()
    world.reopen(anew=True)
    assert world.graph.dump() == content


def test_files_are_private(world: Any) -> None:
    anna = world.made("Anna")
    world.told(anna, "phone", "1")
    world.graph.search("phone")
    assert stat.S_IMODE((world.folder / "graph").stat().st_mode) == 0o700
    files = list((world.folder / "graph").iterdir())
    assert len(files) >= 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_several_threads_write_and_read(world: Any) -> None:
    anna = world.made("Anna")
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(15):
                world.told(anna, "phone", f"{number}-{step}")
                assert len(world.graph.facts(Query(subject=anna))) > step
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(world.graph.facts()) == 60
    content = world.graph.dump()
    world.reopen(anew=True)
    assert world.graph.dump() == content


def test_searching_by_words(world: Any) -> None:
    anna, ben = world.made("Anna"), world.made("Ben")
    tea = world.told(anna, "remembered", "likes green tea in the morning")
    world.told(ben, "remembered", "likes coffee")
    gone = world.told(ben, "remembered", "tea is fine too")
    world.graph.retract(gone.id)
    assert [fact for fact, _ in world.graph.search("tea")] == [tea]
    assert len(world.graph.search("likes")) == 2
    assert next(fact for fact, _ in world.graph.search("likes", query=Query(subject=ben))).subject == ben
    assert world.graph.search("") == ()
    stats = world.graph.stats()
    assert (stats.entities, stats.facts, stats.retracted, stats.merged, stats.conflicts) == (2, 3, 1, 0, 0)
    assert stats.size_bytes > 0
