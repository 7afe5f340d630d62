"""Facts from files: read in a cell with the ordinary rights, written as the file's word, gone when that is silent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skills.model import ValueKind

Bench = Any  # tests/kernel/conftest.py

CARD = "BEGIN:VCARD\nVERSION:3.0\nFN:{name}\nORG:{org}\nTEL:{phone}\nEND:VCARD\n"


def _card(home: Path, name: str = "Anna Berg", org: str = "Xenon", phone: str = "030 111") -> None:
    (home / "Contacts").mkdir(exist_ok=True)
    (home / "Contacts/book.vcf").write_text(CARD.format(name=name, org=org, phone=phone))


async def _learn(bench: Bench) -> dict[str, Any]:
    view = await bench.ask("learn my contacts")
    if view["resolution"] == "pending":
        view = await bench.answer(view["run"], "once")
    assert view["resolution"] in ("confirmed", "executed"), view
    return dict(view)


async def test_contacts_are_learnt_as_the_files_word(bench: Bench) -> None:
    _card(bench.home)
    asked = await bench.ask("learn my contacts", yes=False)
    assert asked["resolution"] == "pending"  # the ordinary card, for the ordinary right
    assert "Contacts" in str(asked["card"]["rights"])
    view = await bench.answer(asked["run"], "once")
    assert "2 facts" in view["answer"]
    answer = (await bench.ask("where does Anna Berg work?"))["answer"]
    assert "Xenon" in answer
    assert "people:book.vcf" in answer
    fact = bench.kernel._house.knowledge.graph().facts()[0]
    assert fact.label["integrity"] == "untrusted"
    assert fact.owner == "people"
    assert fact.source > 0


async def test_what_a_file_no_longer_says_is_taken_back_and_again_changes_nothing(bench: Bench) -> None:
    _card(bench.home)
    await _learn(bench)
    assert "0 facts" in (await _learn(bench))["answer"]
    _card(bench.home, org="Ypsilon", phone="030 222")
    view = await _learn(bench)
    assert "2 facts" in view["answer"]
    assert "Ypsilon" in (await bench.ask("where does Anna Berg work?"))["answer"]
    answer = (await bench.ask("what is Anna Berg's phone number?"))["answer"]
    assert "222" in answer
    assert "111" not in answer


async def test_it_never_speaks_for_the_person(bench: Bench) -> None:
    await bench.ask("remember that Anna Berg works at Xenon")
    _card(bench.home, org="Ypsilon")
    await _learn(bench)
    answer = (await bench.ask("where does Anna Berg work?"))["answer"]
    assert "Xenon" in answer
    assert "Ypsilon" in answer
    assert "disagree" in answer


async def test_a_reading_is_taken_back(bench: Bench) -> None:
    _card(bench.home)
    view = await _learn(bench)
    await bench.kernel.undo(view["run"])
    assert "Xenon" not in (await bench.ask("where does Anna Berg work?"))["answer"]


async def test_what_is_no_sound_fact_is_passed_over(bench: Bench) -> None:
    from kernel.knowing.learning import learn
    from permissions.labels import Label

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


async def test_only_steward_s_own_tools_are_believed_to_give_facts(bench: Bench) -> None:
    from kernel.knowing.learning import gives_facts

    given = {str(tool.id) for tool in bench.kernel._house.registry.tools() if gives_facts(tool)}
    assert given == {"people.contacts", "people.calendar"}
    assert all(
        tool.result.kind is ValueKind.RECORD for tool in bench.kernel._house.registry.tools() if gives_facts(tool)
    )
