"""Cards of somebody are taken in: who is new as they are, who is there not twice, and nothing overwritten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skills.builtin.contacts import importing, skill
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome

ANNA = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:anna-1\r\nFN:Anna Berg\r\nTEL;TYPE=CELL:0170 1234\r\nEND:VCARD\r\n"
TOM = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Tom Weber\r\nEMAIL:tom@example.org\r\nTEL:0228 55\r\nEND:VCARD\r\n"


def card(name: str, *lines: str, version: str = "4.0") -> str:
    return "".join(f"{one}\r\n" for one in ("BEGIN:VCARD", f"VERSION:{version}", f"FN:{name}", *lines, "END:VCARD"))


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Contacts/all.vcf", ANNA + TOM)
    return made


def take(home: PracticeHome, text: str | bytes, name: str = "people.vcf") -> Any:
    return home.do(skill.import_file, file=home.add(f"Downloads/{name}", text))


def test_everybody_new_comes_in_as_they_are(home: PracticeHome) -> None:
    lena = card("Lena Fischer", "TEL:0160 9", "X-OWN;X-P=1:kept \r\n  as it is", "item1.URL:https://x.example")
    ben = card("Ben Roth", "N;ENCODING=QUOTED-PRINTABLE:R=C3=B6th;Ben", version="2.1")
    done = take(home, lena + ben)
    assert home.tree()["Contacts/people.vcf"] == (lena + ben).encode()
    assert home.tree()["Contacts/all.vcf"] == (ANNA + TOM).encode()
    assert (
        done.answer
        == "I put 2 people from people.vcf into your contacts (~/Contacts/people.vcf): Lena Fischer and Ben Roth."
    )
    assert done.value.added == ["Lena Fischer", "Ben Roth"]
    assert home.do(skill.find, name="Lena", pure=True).value.phone == "0160 9"
    assert [(one.subject, one.object) for one in done.value.facts] == [("Lena Fischer", "0160 9")]


def test_the_first_people_of_all(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, language="de")
    assert "1 Person aus people.vcf in deine Kontakte eingetragen" in take(home, card("Lena Fischer")).answer
    assert home.do(skill.people, pure=True).value == ["Lena Fischer"]


def test_who_is_there_is_not_doubled(home: PracticeHome) -> None:
    before = home.tree()["Contacts/all.vcf"]
    same = [ANNA, card("tom weber", "EMAIL:TOM@example.org"), card("Tom Weber", "TEL:0228-55")]
    new = card("Lena Fischer", "TEL:1")
    done = take(home, "".join(same) + new + new)
    assert home.tree()["Contacts/people.vcf"] == new.encode()
    assert home.tree()["Contacts/all.vcf"] == before
    assert done.value.already == ["Anna Berg", "tom weber", "Tom Weber", "Lena Fischer"]
    again = take(home, "".join(same) + new, "again.vcf")
    assert again.value.added == []
    assert "Contacts/again.vcf" not in home.tree()
    assert again.answer.startswith("In your contacts already: Anna Berg")


def test_what_a_card_says_otherwise_is_told_and_not_taken_over(home: PracticeHome) -> None:
    before = home.tree()["Contacts/all.vcf"]
    anna = ANNA.replace("Anna Berg", "Anna Lind").replace("0170 1234", "0170 9999")
    done = take(home, anna + card("Tom Weber", "TEL:0228 55", "BDAY:19900503", "ORG:Xenon"))
    assert home.tree()["Contacts/all.vcf"] == before
    assert "Contacts/people.vcf" not in home.tree()
    assert done.answer == (
        "In your contacts already; people.vcf says of them also, or otherwise (none of it was taken over):\n"
        "- Anna Berg: Anna Lind, phone 0170 9999\n- Tom Weber: birthday 3 May 1990, organisation Xenon"
    )


def test_another_of_that_name_is_somebody_else_and_said(home: PracticeHome) -> None:
    done = take(home, card("Tom Weber", "TEL:0999", "EMAIL:other@example.org"))
    assert done.value.added == ["Tom Weber"]
    assert "Somebody else in your contacts is called so, with another number and address: Tom Weber." in done.answer


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no card", "no card that can be read"),
        ("", "no card that can be read"),
        (card("Lena") + "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Cut", "its end is missing"),
        (card("Lena").encode("utf-16"), "UTF-16"),
        ("".join(card(f"P{at}") for at in range(importing.MOST_CARDS + 1)), "too large"),
    ],
)
def test_a_file_that_cannot_be_taken_in_changes_nothing(home: PracticeHome, text: str | bytes, says: str) -> None:
    with pytest.raises(ToolError, match=says) as raised:
        take(home, text)
    assert raised.value.hint
    assert [name for name in home.tree() if name.startswith("Contacts/")] == ["Contacts/all.vcf"]


def test_a_file_of_the_contacts_is_there_already(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="already"):
        home.do(skill.import_file, file=home.file("Contacts/all.vcf"))
