"""Whose word stands in the graph: what a file said stays its word, also where it comes back into a plan."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.knowing.learning import learn
from kernel.knowing.naming import named
from kernel.model import Constant, Plan, Task, TaskId
from memory.graph import Claim, Query
from permissions.labels import USER_SAID, Integrity, Label
from skills.model import ToolId

Bench = Any  # tests/kernel/conftest.py


def told_by_a_file(predicate: str = "works_at", about: str = "Anna Berg") -> dict[str, Any]:
    fact = {"subject": about, "kind": "person", "names": [], "predicate": predicate, "object": "Ypsilon",
            "object_kind": "org", "source": "/book.vcf"}  # fmt: skip
    return {"facts": [fact], "sources": ["/book.vcf"]}


@pytest.mark.parametrize("label", [Label(), Label(Integrity.TRUSTED_SOURCE), Label(Integrity.KERNEL)])
async def test_a_fact_keeps_the_label_of_the_result_that_it_stood_in(bench: Bench, label: Label) -> None:
    graph = bench.kernel._house.knowledge.graph()
    (fact,) = learn(graph, told_by_a_file(), label, "people", 0).facts
    (kept,) = graph.facts(Query(extractor=fact.extractor))
    assert Label.from_json(kept.label) == label
    assert Label.from_json(kept.label).integrity is not Integrity.USER


async def test_what_the_person_says_has_the_persons_label_and_the_same_words_in_a_file_have_not(bench: Bench) -> None:
    await bench.ask("remember that Anna Berg works at Ypsilon")
    graph = bench.kernel._house.knowledge.graph()
    learn(graph, told_by_a_file(), Label(), "people", 0)
    found = {Label.from_json(one.label).integrity for one in graph.facts(Query()) if one.predicate == "works_at"}
    assert found == {Integrity.USER, Integrity.UNTRUSTED}


@pytest.mark.parametrize("whose", [Integrity.USER, Integrity.UNTRUSTED])
async def test_a_name_out_of_the_graph_is_the_word_of_whoever_told_it(bench: Bench, whose: Integrity) -> None:
    await bench.ask("remember that Ute is my sister")
    house = bench.kernel._house
    graph = house.knowledge.graph()
    for fact in graph.facts(Query()) if whose is Integrity.UNTRUSTED else ():  # the same, told by a file alone
        graph.retract(fact.id, "it was a file")
        graph.assert_fact(Claim(fact.subject, fact.predicate, fact.object, "file:x", label=Label().to_json()))
    text = "find files about my sister in Downloads"
    search = next(
        (tool, one.name) for tool in house.registry.tools() for one in tool.parameters
        if tool.id == "documents.search" and one.type.kind == "query"
    )  # fmt: skip
    given = {search[1]: Constant("my sister", USER_SAID, "my sister")}
    plan = Plan((Task(TaskId("t1"), ToolId(search[0].id), given),), "en")
    made = named(graph, plan, text, house.registry.tool, {}).tasks[0].arguments[search[1]]
    assert isinstance(made, Constant)
    assert (made.value, made.label.integrity) == ("Ute", whose)
    plain = Plan((Task(TaskId("t1"), ToolId(search[0].id), {search[1]: Constant("invoice", USER_SAID)}),), "en")
    same = named(graph, plain, text, house.registry.tool, {}).tasks[0].arguments[search[1]]
    assert isinstance(same, Constant)
    assert same.label.integrity is Integrity.USER, "the control"
