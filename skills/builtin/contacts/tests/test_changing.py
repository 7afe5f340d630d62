"""People are added, changed and taken out as they are spoken of; what is not sure is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skills.builtin.contacts import saying, skill
from skills.builtin.contacts.cards import Birthday
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome

TOM = """BEGIN:VCARD\r
VERSION:3.0\r
FN:Tom Weber\r
N:Weber;Tom;;;\r
item1.TEL;TYPE=CELL:0170 1\r
item1.X-ABLabel:Club\r
EMAIL:tom@example.org\r
ORG:Acme;Sales\r
X-OWN;X-P=1:kept \r
  as it is\r
REV:20200101T000000Z\r
END:VCARD\r
"""
ANNA = "BEGIN:VCARD\nVERSION:4.0\nFN:Anna Berg\nTEL:0228 11\nEND:VCARD\n"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Contacts/tom.vcf", TOM)
    made.add("Contacts/anna.vcf", ANNA)
    return made


def test_somebody_new_gets_a_file_of_their_own(home: PracticeHome) -> None:
    before = home.tree()
    done = home.do(skill.add, name="Lena Fischer", details="0170 123456, lena@example.org and born on 3 May 1990")
    assert "0170 123456, lena@example.org, 3 May 1990" in done.answer
    assert [one["op"] for one in done.effects] == ["write"]
    found = home.do(skill.find, name="Lena Fischer").value
    assert (found.phone, found.email, str(found.birthday)) == ("0170 123456", "lena@example.org", "1990-05-03")
    assert found.file.name == "Lena Fischer.vcf"
    assert {name: data for name, data in home.tree().items() if name in before} == before


def test_the_first_person_of_all(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, language="de")
    done = home.do(skill.add, name="Lena Fischer, Tel. 0170 123456, geboren am 3. Mai", details=None)
    assert "Lena Fischer in deine Kontakte eingetragen (0170 123456, 3. Mai)" in done.answer
    assert "BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-03" in home.text("Contacts/Lena Fischer.vcf")
    assert "am 3. Mai Geburtstag" in home.do(skill.find, name="Lena", what="birthday").answer


def test_who_is_kept_in_one_file_stays_together(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("Contacts/all.vcf", TOM + ANNA.replace("\n", "\r\n"))
    home.do(skill.add, name="Lena Fischer", details="0170 123456")
    text = home.text("Contacts/all.vcf")
    assert text.startswith((TOM + ANNA).replace("\r\n", "\n"))
    assert text.count("VERSION:4.0") == 2
    home.do(skill.remove, name="Lena Fischer")
    assert home.tree()["Contacts/all.vcf"] == (TOM + ANNA.replace("\n", "\r\n")).encode()


def test_somebody_who_is_there_is_not_added_twice(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="Tom Weber is in your contacts already") as refused:
        home.do(skill.add, name="tom weber", details="0171 5")
    assert "another person" in refused.value.hint
    home.do(skill.add, name="Tom Weber", details="0171 5", same="another")
    assert len(list((home.path / "Contacts").iterdir())) == 3


@pytest.mark.parametrize(
    ("name", "detail", "value", "line"),
    [
        ("Tom", "phone", "0171 998877", "item1.TEL;TYPE=CELL:0171 998877"),
        ("Tom's", "mobile", "0171 998877", "item1.TEL;TYPE=CELL:0171 998877"),
        ("Tom", "email", "tom@new.example", "EMAIL:tom@new.example"),
        ("Toms", "birthday", "der 3. Mai 1980", "BDAY:1980-05-03"),
        ("Tom Weber", "address", "Lange Straße 5, 53111 Bonn", "ADR:;;Lange Straße 5;Bonn;;53111;"),
        ("Tom", "address", "12 Mill Lane, Bath BA1 2AB, UK", "ADR:;;12 Mill Lane;Bath;;BA1 2AB;UK"),
        ("Tom", "organisation", "Xenon GmbH", "ORG:Xenon GmbH"),
        ("Tom", "role", "Chemist", "TITLE:Chemist"),
        ("Tom", "note", "likes tea, and cake", "NOTE:likes tea\\, and cake"),
        ("Tom", "name", "Tom Berger", "FN:Tom Berger\nN:Berger;Tom;;;"),
        ("Tom", "work_phone", "0228 5", "item1.TEL;TYPE=CELL:0170 1\nTEL;TYPE=WORK:0228 5"),
    ],
)
def test_a_detail_is_changed_and_the_rest_stays(
    home: PracticeHome, name: str, detail: str, value: str, line: str
) -> None:
    done = home.do(skill.change, name=name, detail=detail, value=value)
    text = home.text("Contacts/tom.vcf")
    assert f"\n{line}\n" in text
    assert "item1.X-ABLabel:Club\n" in text
    assert b"X-OWN;X-P=1:kept \r\n  as it is\r\nREV:20250314T120000Z\r\n" in home.tree()["Contacts/tom.vcf"]
    assert "Tom" in done.answer
    assert done.effects[0]["op"] == "write"
    assert home.text("Contacts/anna.vcf") == ANNA


def test_the_answer_says_what_stood_there(home: PracticeHome) -> None:
    done = home.do(skill.change, name="Tom", detail="phone", value="0171 998877")
    assert done.answer == "Tom Weber’s phone number is now 0171 998877 (before: 0170 1)."
    home.language = "de"
    done = home.do(skill.change, name="Tom", detail="birthday", value="3. Mai")
    assert done.answer == "Geburtstag von Tom Weber: jetzt 3. Mai."
    again = home.do(skill.change, name="Tom", detail="birthday", value="3. Mai")
    assert (again.effects, again.answer) == ((), "Die Karte von Tom Weber sagt das schon: 3. Mai.")


@pytest.mark.parametrize(
    ("lines", "told", "left"),
    [
        ("ROLE:Baker\n", "Baker", "ROLE:Chemist\n"),
        ("TITLE:Baker\n", "Baker", "TITLE:Chemist\n"),
        ("ROLE:Cook\nTITLE:Baker\n", "Baker", "ROLE:Cook\nTITLE:Chemist\n"),
    ],
)
def test_what_somebody_does_stands_under_one_of_two_names(tmp_path: Path, lines: str, told: str, left: str) -> None:
    home = PracticeHome(tmp_path)
    home.add("Contacts/ida.vcf", f"BEGIN:VCARD\nVERSION:3.0\nFN:Ida Moor\n{lines}END:VCARD\n")
    assert f"role: {told}." in home.do(skill.find, name="Ida").answer
    done = home.do(skill.change, name="Ida", detail="role", value="Chemist")
    assert done.answer == f"Ida Moor’s job title is now Chemist (before: {told})."
    assert home.text("Contacts/ida.vcf") == f"BEGIN:VCARD\nVERSION:3.0\nFN:Ida Moor\n{left}END:VCARD\n"
    assert "role: Chemist." in home.do(skill.find, name="Ida").answer
    home.do(skill.remove, name="Ida", detail="role")
    assert home.text("Contacts/ida.vcf") == "BEGIN:VCARD\nVERSION:3.0\nFN:Ida Moor\nEND:VCARD\n"
    with pytest.raises(ToolError, match="says no job title"):
        home.do(skill.remove, name="Ida", detail="role")


def test_of_two_numbers_of_one_kind_one_can_be_said(home: PracticeHome) -> None:
    home.add("Contacts/ida.vcf", "BEGIN:VCARD\nFN:Ida Moor\nTEL;TYPE=CELL:0171 1\nTEL;TYPE=CELL:0171 2\nEND:VCARD\n")
    with pytest.raises(ToolError, match="more than one phone number: 0171 1 and 0171 2") as several:
        home.do(skill.change, name="Ida", detail="mobile", value="0171 3")
    assert several.value.instead_of == "0171 3"
    assert list(several.value.choices) == ["0171 3 instead of 0171 1", "0171 3 instead of 0171 2"]
    done = home.do(skill.change, name="Ida", detail="mobile", value=several.value.choices[1])
    assert done.answer == "Ida Moor’s phone number is now 0171 3 (before: 0171 2)."
    assert "TEL;TYPE=CELL:0171 1\nTEL;TYPE=CELL:0171 3\n" in home.text("Contacts/ida.vcf")
    with pytest.raises(ToolError, match="no phone number 0171 9; there are 0171 1 and 0171 3"):
        home.do(skill.change, name="Ida", detail="mobile", value="0171 4 statt 0171 9")
    home.language = "de"
    with pytest.raises(ToolError) as several:
        home.do(skill.remove, name="Ida", detail="mobile")
    assert list(several.value.choices) == ["Ida Moor (0171 1)", "Ida Moor (0171 3)"]
    home.do(skill.remove, name=several.value.choices[1], detail="mobile")
    assert home.text("Contacts/ida.vcf") == "BEGIN:VCARD\nFN:Ida Moor\nTEL;TYPE=CELL:0171 1\nEND:VCARD\n"


@pytest.mark.parametrize(
    ("line", "there", "da"),
    [
        ("TEL:0171 1", "; there is 0171 1", "; da ist 0171 1"),
        ("TEL;TYPE=WORK:0171 1\nTEL;TYPE=FAX:0171 2", "; there is 0171 1", "; da ist 0171 1"),
        ("TEL;TYPE=FAX:0171 2", "", ""),
    ],
)
@pytest.mark.parametrize("how", ["instead", "besides"])
def test_a_number_that_is_not_there_is_not_replaced(
    home: PracticeHome, line: str, there: str, da: str, how: str
) -> None:
    home.add("Contacts/ida.vcf", f"BEGIN:VCARD\nFN:Ida Moor\n{line}\nEND:VCARD\n")
    before = home.tree()
    with pytest.raises(ToolError) as refused:
        home.do(skill.change, name="Ida", detail="phone", value="0171 3 instead of 0171 9", how=how)
    assert str(refused.value) == f"Ida Moor has no phone number 0171 9{there}."
    assert refused.value.words("de")[0] == f"Zu Ida Moor gibt es keine Telefonnummer 0171 9{da}."
    assert refused.value.code == "contacts.not_there"
    assert refused.value.choices == (("0171 3 instead of 0171 1",) if there else ())
    assert home.tree() == before


def test_a_card_that_is_told_by_its_number_loses_what_was_asked_for(home: PracticeHome) -> None:
    home.add("Contacts/other.vcf", TOM.replace("Acme;Sales", "Xenon").replace("0170 1", "0170 2"))
    home.do(skill.remove, name="Tom Weber (0170 2)", detail="email")
    assert home.text("Contacts/tom.vcf") == TOM.replace("\r\n", "\n")
    left = home.text("Contacts/other.vcf")
    assert ("TEL;TYPE=CELL:0170 2" in left, "EMAIL" in left) == (True, False)


def test_the_number_that_went_is_said_beside_a_fax(home: PracticeHome) -> None:
    home.add("Contacts/ida.vcf", "BEGIN:VCARD\nFN:Ida Moor\nTEL;TYPE=FAX:1\nTEL:0171 2\nBDAY:1990-05-02\nEND:VCARD\n")
    assert home.do(skill.change, name="Ida", detail="phone", value="0171 3").answer.endswith("(before: 0171 2).")
    assert home.do(skill.change, name="Ida", detail="birthday", value="3 May").answer.endswith("(before: 2 May 1990).")


def test_two_of_one_name_are_asked_about_and_told_apart(home: PracticeHome) -> None:
    home.add("Contacts/other.vcf", TOM.replace("Acme;Sales", "Xenon").replace("0170 1", "0170 2"))
    before = home.tree()
    tries: list[tuple[Any, dict[str, Any]]] = [
        (skill.change, {"detail": "phone", "value": "0171 5"}), (skill.remove, {}),
    ]  # fmt: skip
    for tool, given in tries:
        with pytest.raises(ToolError, match="2 cards of Tom Weber") as several:
            home.do(tool, name="Tom", **given)
        assert sorted(several.value.choices) == ["Tom Weber (Acme)", "Tom Weber (Xenon)"]
    assert home.tree() == before
    home.do(skill.change, name="Tom Weber (Xenon)", detail="phone", value="0171 5")
    assert home.text("Contacts/tom.vcf") == TOM.replace("\r\n", "\n")
    assert "0171 5" in home.text("Contacts/other.vcf")


def test_two_cards_that_say_the_same_are_told_apart(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("Contacts/all.vcf", TOM + TOM)
    with pytest.raises(ToolError) as several:
        home.do(skill.remove, name="Tom")
    first, second = several.value.choices
    assert first != second
    home.do(skill.remove, name=second)
    assert home.tree()["Contacts/all.vcf"] == TOM.encode()


def test_who_is_only_called_like_it_is_asked_about(home: PracticeHome) -> None:
    """ "Hanna" is near "Anna": good enough to look somebody up, and not to write."""
    assert "0228 11" in home.do(skill.find, name="Hanna", what="phone").answer
    with pytest.raises(ToolError, match="could be “Anna Berg”") as near:
        home.do(skill.change, name="Hanna", detail="phone", value="0171 5")
    assert list(near.value.choices) == ["Anna Berg"]
    with pytest.raises(ToolError, match="could be “Anna Berg”"):
        home.do(skill.remove, name="Hanna")


def test_a_single_new_name_is_asked_about(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="Tom Berger or Berger Weber") as refused:
        home.do(skill.change, name="Tom", detail="name", value="Berger")
    assert list(refused.value.choices) == ["Tom Berger", "Berger Weber"]


def test_one_thing_or_the_whole_person_goes(home: PracticeHome) -> None:
    home.do(skill.remove, name="Tom", detail="email")
    assert home.text("Contacts/tom.vcf") == TOM.replace("\r\n", "\n").replace("EMAIL:tom@example.org\n", "").replace(
        "REV:20200101T000000Z", "REV:20250314T120000Z")  # fmt: skip
    with pytest.raises(ToolError, match="says no e-mail"):
        home.do(skill.remove, name="Tom", detail="email")
    done = home.do(skill.remove, name="Tom")
    assert [one["op"] for one in done.effects] == ["delete"]
    assert set(home.tree()) == {"Contacts/anna.vcf"}


@pytest.mark.parametrize(
    ("detail", "value"),
    [
        ("phone", "tomorrow"),
        ("phone", "1"),
        ("phone", "0170 5\nEMAIL:evil@example.org"),
        ("email", "tom at example"),
        ("email", "a@b.example\r\nNOTE:x"),
        ("birthday", "3/5/1990"),
        ("birthday", "31 February"),
        ("note", "  "),
    ],
)
def test_what_is_none_of_its_kind_is_not_written(home: PracticeHome, detail: str, value: str) -> None:
    before = home.tree()
    with pytest.raises(ToolError) as refused:
        home.do(skill.change, name="Tom", detail=detail, value=value)
    assert refused.value.hint
    assert home.tree() == before


@pytest.mark.parametrize("detail", ["note", "organisation", "name", "address", "role"])
@pytest.mark.parametrize("gap", ["\n", "\r\n", "\r", "\u2028", "\x85", "\x0b", "\x00\n"])
def test_no_value_brings_a_line_of_its_own(home: PracticeHome, detail: str, gap: str) -> None:
    """A text of somebody else (a mail's signature) that ends its line and begins a property, or a card."""
    evil = f"Tom X{gap}TEL:666{gap}END:VCARD{gap}BEGIN:VCARD{gap}FN:Mallory"
    home.do(skill.change, name="Tom", detail=detail, value=evil)
    home.do(skill.add, name=evil.replace("Tom X", "Ida"), details=None)
    names = home.do(skill.people).value
    assert len(names) == 3
    assert "Mallory" not in names
    found = home.do(skill.find, name="Tom").value
    assert (found.phone, found.email) == ("0170 1", "tom@example.org")


def test_what_nobody_can_tell_is_asked(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="what “Fischer” is to be"):
        home.do(skill.add, name="Lena", details="Fischer")
    with pytest.raises(ToolError, match="what the person is called"):
        home.do(skill.add, name="0170 123456", details=None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0170 123456", [("phone", "", "0170 123456")]),
        ("mobile 0170 12; work phone: 0228/44-0", [("phone", "cell", "0170 12"), ("phone", "work", "0228/44-0")]),
        ("Handy 0170 1234, Büronummer 0228 5", [("phone", "cell", "0170 1234"), ("phone", "work", "0228 5")]),
        ("a@b.example und 0170 123", [("email", "", "a@b.example"), ("phone", "", "0170 123")]),
        ("0170 123 (work)", [("phone", "work", "0170 123")]),
        ("Lange Straße 5, 53111 Bonn, Germany", [("address", "", "Lange Straße 5, 53111 Bonn, Germany")]),
        ("12 Main Street, Springfield", [("address", "", "12 Main Street, Springfield")]),
        ("company Müller und Söhne", [("organisation", "", "Müller und Söhne")]),
        ("born May 3, 1990", [("birthday", "", "May 3 1990")]),
        ("note likes tea, cake", [("note", "", "likes tea, cake")]),
    ],
)  # fmt: skip
def test_what_is_said_is_taken_apart(text: str, told: list[tuple[str, str, str]]) -> None:
    assert [(one.what, one.kind, one.value) for one in saying.details(text)] == told


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("3 May", Birthday(5, 3)), ("May 3rd, 1990", Birthday(5, 3, 1990)),
        ("the 3rd of May 1990", Birthday(5, 3, 1990)),
        ("der 3. Mai", Birthday(5, 3)), ("am 3.5.1990", Birthday(5, 3, 1990)), ("3.5.", Birthday(5, 3)),
        ("1990-05-03", Birthday(5, 3, 1990)), ("29 February", Birthday(2, 29)), ("29 February 1990", None),
        ("3/5/1990", None), ("next week", None), ("3 Mayhem", None), ("", None),
    ],
)  # fmt: skip
def test_days_as_people_say_them(text: str, when: Birthday | None) -> None:
    assert saying.day_of(text) == when
