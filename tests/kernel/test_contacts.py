"""People put into the contacts and changed there by sentences: shown before, and taken back byte by byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Bench

TOM = (
    b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Tom Weber\r\nitem1.TEL;TYPE=CELL:0170 1\r\nitem1.X-ABLabel:Club\r\nEND:VCARD\r\n"
)


async def test_a_sentence_writes_a_card_and_undo_takes_it_back(bench: Bench) -> None:
    contacts = bench.home / "Contacts"
    contacts.mkdir()
    (contacts / "tom.vcf").write_bytes(TOM)
    before = bench.tree()
    made = await bench.ask("add Lena Fischer, 0170 123456, to my contacts")
    assert (made["resolution"], [one["kind"] for one in made["effects"]]) == ("confirmed", ["created"])
    assert b"\r\nTEL:0170 123456\r\n" in (contacts / "Lena Fischer.vcf").read_bytes()
    waits = await bench.ask("Lenas Geburtstag ist der 3. Mai")
    assert waits["resolution"] == "pending"  # a file that stands there is not written over for a yes to the plan
    told = await bench.answer(waits["run"], "once")
    assert (told["resolution"], "3. Mai" in told["answer"]) == ("confirmed", True)
    assert "3 May" in (await bench.ask("when is Lena Fischer's birthday?"))["answer"]
    await bench.kernel.undo(told["run"])
    await bench.kernel.undo(made["run"])
    assert bench.tree() == before


async def test_a_change_is_shown_before_it_is_made(bench: Bench) -> None:
    contacts = bench.home / "Contacts"
    contacts.mkdir()
    (contacts / "tom.vcf").write_bytes(TOM)
    waits = await bench.ask("Tom has a new number: 0171 998877", yes=False)
    assert waits["resolution"] == "pending"
    waits = await bench.answer(waits["run"], "once")
    assert waits["resolution"] == "pending"
    assert "-item1.TEL;TYPE=CELL:0170 1" in str(waits["diff"])
    assert "+item1.TEL;TYPE=CELL:0171 998877" in str(waits["diff"])
    assert (contacts / "tom.vcf").read_bytes() == TOM
    done = await bench.answer(waits["run"], "once")
    assert done["resolution"] == "confirmed"
    assert (contacts / "tom.vcf").read_bytes() == TOM.replace(b"0170 1", b"0171 998877")
    await bench.kernel.undo(done["run"])
    assert (contacts / "tom.vcf").read_bytes() == TOM


async def test_which_of_two_numbers_of_one_kind_is_asked_and_said(bench: Bench) -> None:
    contacts = bench.home / "Contacts"
    contacts.mkdir()
    two = TOM.replace(b"0170 1\r\n", b"0170 1\r\nTEL;TYPE=CELL:0170 2\r\n")
    (contacts / "tom.vcf").write_bytes(two)
    asked = await bench.ask("Toms neue Handynummer ist 0171 998877")
    assert asked["resolution"] == "clarify", asked
    assert "0170 1 und 0170 2" in asked["answer"]
    assert "2. 0171 998877 statt 0170 2" in asked["answer"]
    waits = await bench.ask("2")
    assert waits["resolution"] == "pending", waits
    done = await bench.answer(waits["run"], "once")
    assert done["resolution"] == "confirmed"
    assert (contacts / "tom.vcf").read_bytes() == two.replace(b"0170 2", b"0171 998877")


async def test_what_is_asked_of_somebody_is_written_down_and_nothing_around_it(bench: Bench) -> None:
    (bench.home / "Contacts").mkdir()
    (bench.home / "Contacts/tom.vcf").write_bytes(TOM)
    (bench.home / "Notes").mkdir()
    (bench.home / "Notes/Ideas.md").write_text("first\n")
    done = await bench.ask("write Tom's phone number into my note Ideas")
    assert done["resolution"] == "confirmed", done["answer"]
    assert (bench.home / "Notes/Ideas.md").read_text() == "first\n0170 1 (mobile)\n"
