"""What the contacts say becomes known, and what memory does not know is looked up there."""

from __future__ import annotations

from typing import Any

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
