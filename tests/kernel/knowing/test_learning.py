"""Facts that a tool found in files: written as the file's word, taken back when it is silent, nothing unsound."""

from __future__ import annotations

from typing import Any

from kernel.knowing.learning import learn
from permissions.labels import Label

Bench = Any  # tests/kernel/conftest.py


def _work(org: str) -> dict[str, Any]:
    fact = {"subject": "Anna Berg", "kind": "person", "names": [], "predicate": "works_at", "object": org,
            "object_kind": "org", "source": "/book.vcf"}  # fmt: skip
    return {"facts": [fact], "sources": ["/book.vcf"]}


async def test_a_file_never_speaks_for_the_person_and_again_changes_nothing(bench: Bench) -> None:
    await bench.ask("remember that Anna Berg works at Xenon")
    graph = bench.kernel._house.knowledge.graph()
    assert len(learn(graph, _work("Ypsilon"), Label(), "people", 0).facts) == 1
    assert not learn(graph, _work("Ypsilon"), Label(), "people", 0).facts
    answer = (await bench.ask("where does Anna Berg work?"))["answer"]
    assert all(word in answer for word in ("Xenon", "Ypsilon", "people:book.vcf", "disagree"))
    learnt = learn(graph, {"facts": [], "sources": ["/book.vcf"]}, Label(), "people", 0)
    assert len(learnt.retracted) == 1
    assert "Ypsilon" not in (await bench.ask("where does Anna Berg work?"))["answer"]


async def test_what_is_no_sound_fact_is_passed_over(bench: Bench) -> None:
    graph = bench.kernel._house.knowledge.graph()
    good = {"subject": "Anna", "kind": "person", "names": [], "predicate": "email", "object": "a@b.c",
            "object_kind": "", "source": "/x.vcf"}  # fmt: skip
    bad: list[Any] = [
        None, {}, good | {"predicate": "owns_soul"}, good | {"kind": "self"}, good | {"object": ""},
        good | {"object": 7},
        good | {"predicate": "birthday", "object": "yesterday"}, good | {"predicate": "works_at"},
        good | {"predicate": "happened_at", "object": "never"}, good | {"object": "x" * 100_000},
    ]  # fmt: skip
    learnt = learn(graph, {"facts": [good, *bad], "sources": ["/x.vcf"]}, Label(), "people", 0)
    assert len(learnt.facts) == 1
    assert learnt.passed_over == len(bad)


async def test_a_tool_that_ran_for_each_of_several_tells_of_all(bench: Bench) -> None:
    graph = bench.kernel._house.knowledge.graph()
    other = _work("Ypsilon")
    other = {"facts": [other["facts"][0] | {"source": "/b.vcf"}], "sources": ["/b.vcf"]}
    assert len(learn(graph, [_work("Xenon"), other, None], Label(), "people", 0).facts) == 2


async def test_an_event_that_is_only_over_is_not_taken_back(bench: Bench) -> None:
    graph = bench.kernel._house.knowledge.graph()
    fact = {"subject": "Kickoff", "kind": "event", "names": [], "predicate": "happened_at", "source": "/a.ics",
            "object": "2025-03-17T15:00:00+01:00", "object_kind": ""}  # fmt: skip
    who = {"subject": "Anna Berg", "kind": "person", "names": [], "predicate": "attends", "source": "/a.ics",
           "object": "Kickoff", "object_kind": "event"}  # fmt: skip
    standing = [{"name": "Kickoff", "source": "/a.ics"}]
    silent = {"facts": [], "sources": ["/a.ics"]}
    assert len(learn(graph, {"facts": [fact, who], "sources": ["/a.ics"]}, Label(), "calendar", 0).facts) == 2
    assert not learn(graph, silent | {"standing": standing}, Label(), "calendar", 0).retracted
    later = fact | {"object": "2025-03-24T15:00:00+01:00"}
    moved = learn(graph, silent | {"facts": [later], "standing": standing}, Label(), "calendar", 0)
    assert (len(moved.facts), len(moved.retracted)) == (1, 2)  # the time and who was there are told no more
    assert len(learn(graph, silent | {"standing": [{}, None, 7]}, Label(), "calendar", 0).retracted) == 1


async def test_what_a_file_said_that_is_gone_is_taken_back(bench: Bench) -> None:
    graph = bench.kernel._house.knowledge.graph()
    learn(graph, _work("Ypsilon"), Label(), "people", 0)
    silent: dict[str, Any] = {"facts": [], "sources": []}
    assert not learn(graph, silent, Label(), "people", 0).retracted
    assert not learn(graph, silent | {"present": ["/", "/book.vcf"]}, Label(), "people", 0).retracted
    assert not learn(graph, silent | {"present": ["/"]}, Label(), "others", 0).retracted
    assert not learn(graph, silent | {"present": []}, Label(), "people", 0).retracted
    assert len(learn(graph, silent | {"present": ["/"]}, Label(), "people", 0).retracted) == 1
