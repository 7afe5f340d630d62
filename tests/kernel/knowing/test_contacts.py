"""What the contacts say becomes known, and what memory does not know is looked up there."""

from __future__ import annotations

from typing import Any

import pytest

from memory.graph import Query
from memory.model import Event

Bench = Any  # tests/kernel/conftest.py

BOOK = """BEGIN:VCARD
FN:Anna Berg
TEL;TYPE=CELL:+49 170 1234567
ORG:Xenon
END:VCARD
BEGIN:VCARD
FN:Anna Stein
TEL:555
END:VCARD
BEGIN:VCARD
FN:Ben Roth
EMAIL:ben@roth.org
BDAY:--0401
END:VCARD
"""


async def _done(bench: Bench, text: str) -> dict[str, Any]:
    view = await bench.ask(text)
    while view["resolution"] == "pending":
        view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view["answer"]
    return dict(view)


async def test_contacts_are_asked_where_memory_does_not_know(bench: Bench) -> None:
    (bench.home / "Contacts").mkdir()
    (bench.home / "Contacts/book.vcf").write_text(BOOK)
    first = await bench.ask("what is Anna Berg's phone number?")
    assert first["resolution"] == "confirmed"
    assert "+49 170 1234567" in first["answer"]
    again = await bench.ask("where does Anna Berg work?")
    assert again["resolution"] == "executed"
    assert "Xenon" in again["answer"]
    assert "contacts:book.vcf" in again["answer"]
    which = await bench.ask("wie ist die Telefonnummer von Anna?")  # both Annas are known by now
    assert which["resolution"] == "clarify"
    assert "555" in (await bench.ask("Anna Stein"))["answer"]
    assert "1 April" in (await bench.ask("when is Ben Roth's birthday?"))["answer"]
    await bench.ask("remember that Ben Roth lives in Bonn")
    assert "ben@roth.org" in (await bench.ask("what is Ben Roth's email address?"))["answer"]


async def test_what_was_changed_in_the_contacts_is_told_as_it_is_now(bench: Bench) -> None:
    (bench.home / "Contacts").mkdir()
    (bench.home / "Contacts/book.vcf").write_text(BOOK)
    ask = "what is Anna Berg's phone number?"
    assert "+49 170 1234567" in (await bench.ask(ask))["answer"]
    changed = await _done(bench, "change Anna Berg's phone number to 030 998877")
    assert "memory" not in changed["answer"], "what one has just said oneself is no news"
    now = (await bench.ask(ask))["answer"]
    assert ("030 998877" in now, "1234567" in now) == (True, False), now
    assert "Xenon" in (await bench.ask("where does Anna Berg work?"))["answer"]
    await bench.ask("undo that")
    back = (await bench.ask(ask))["answer"]
    assert ("998877" in back, "1234567" in back) == (False, True), back


async def test_who_is_taken_out_of_the_contacts_is_known_from_there_no_more(bench: Bench) -> None:
    (bench.home / "Contacts").mkdir()
    (bench.home / "Contacts/zoe.vcf").write_text("BEGIN:VCARD\nFN:Zoe Kern\nTEL:040 5566\nEND:VCARD\n")
    (bench.home / "Contacts/book.vcf").write_text(BOOK)
    for ask, out in (("what is Zoe Kern's phone number?", "Zoe Kern"), ("Ben Roth's email address?", "Ben Roth")):
        assert "known" not in (await bench.ask(ask))["answer"]
        await _done(bench, f"delete {out} from my contacts")
        after = (await bench.ask(ask))["answer"]
        assert "5566" not in after, after
        assert "roth.org" not in after, after
    still = bench.kernel._house.knowledge.graph().facts(Query(owner="contacts"))
    assert not [fact for fact in still if fact.recorded_to is None]


async def test_what_nobody_knows_is_said_as_ever(bench: Bench) -> None:
    await bench.ask("remember that Carla lives in Bonn")
    view = await bench.ask("when is Carla's birthday?")
    assert (view["resolution"], view["effects"]) in (("executed", []), ("failed", []))
    assert "Carla" in view["answer"] or "Contacts" in view["answer"]
    view = await bench.ask("what is Carla's profession?")
    assert view["resolution"] == "executed"
    assert "not known" in view["answer"]


async def test_undo_means_what_was_done_and_not_what_was_noted_while_something_was_read(bench: Bench) -> None:
    (bench.home / "Contacts").mkdir()
    (bench.home / "Contacts/book.vcf").write_text(BOOK)
    note = await bench.ask("make a note called ladder saying milk, eggs and bread")
    assert note["effects"], note["answer"]
    read = await bench.ask("what is Anna Berg's phone number?")
    assert "New in memory" in read["answer"]
    assert bench.kernel.undoable()["run"] == note["run"]
    assert (await bench.kernel.undo())["run"] == note["run"]
    left = bench.kernel.undoable()
    assert (left["run"], left["effects"]) == (read["run"], []), "there is no other: what was noted can go"
    assert left["facts"] > 0
    told = await bench.ask("remember that my sister is called Ida")
    await bench.ask("when is Ben Roth's birthday?")
    assert (bench.kernel.undoable()["run"], bench.kernel.undoable()["facts"]) == (told["run"], 1)


async def test_what_is_learnt_names_the_result_that_it_was_read_from(bench: Bench) -> None:
    (bench.home / "Contacts").mkdir()
    (bench.home / "Contacts/book.vcf").write_text(BOOK)
    view = await bench.ask("what is Anna Berg's phone number?")
    house = bench.kernel._house
    every = house.knowledge.graph().facts(Query())
    facts = [fact for fact in every if fact.extractor.startswith("contacts:book.vcf#")]
    assert facts
    (done,) = house.ledger.events(run=view["run"], kinds=("task.done",))
    assert {fact.source for fact in facts} == {done.seq}


async def test_an_answer_from_the_contacts_stands_where_memory_cannot_keep_it(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    (bench.home / "Contacts").mkdir()
    (bench.home / "Contacts/book.vcf").write_text(BOOK)
    await bench.ask("remember that Carla lives in Bonn")
    house = bench.kernel._house
    graph = house.knowledge.graph()

    def fail(event: Event) -> None:
        if event.kind == "task.started":
            graph.close()

    leave = house.ledger.subscribe(fail)
    view = await bench.ask("what is Anna Berg's phone number?")
    leave()
    assert view["resolution"] == "confirmed", view["answer"]
    assert "+49 170 1234567" in view["answer"]
    assert "could not be kept in memory" in view["answer"]
    assert "graph is closed" in caplog.text
    house.knowledge.close()
