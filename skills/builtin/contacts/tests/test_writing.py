"""What is written into contact files: read back by another library, and every byte that is not ours as it was."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skills.builtin.contacts import cards, writing
from skills.builtin.contacts.cards import Birthday, Card
from skills.builtin.contacts.saying import Said, plain
from skills.builtin.contacts.writing import Wanted
from skills.sdk.contentlines import is_wide

NOW = datetime(2025, 3, 14, 12, 0, tzinfo=UTC)
UID = "5a0c0b4e-0000-4000-8000-000000000001"

FOREIGN = [
    b"item1.X-ABLabel:_$!<Mobile>!$_",
    b"X-EVOLUTION-FILE-AS;X-NOTE=\"a;b:c\":Fischer\\, Lena",
    b"PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD\r\n 2wBDAAgGBgcGBQgHBwcJ\r\n\tCQgKDBQNDAsLDBk=",
    b"CATEGORIES:Friends,Work",
    b"NOTE:long \xc3\r\n \xbcber a fold",
    b"KEY;VALUE=uri:https://example.org/key.asc",
    b"AGENT:\r\nBEGIN:VCARD\r\nFN:Agent Smith\r\nTEL:007\r\nREV:19990101T000000Z\r\nEND:VCARD",
    b"X-SOCIALPROFILE;type=twitter:https://example.org/lena",
    b"IMPP;X-SERVICE-TYPE=Jabber:xmpp:lena@example.org",
]  # fmt: skip


def told(text: str) -> str:
    """A text as a card can hold it: of one line, without what is not seen."""
    return plain(text)


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=120).map(told).filter(bool)
foreign = st.lists(st.sampled_from(FOREIGN), max_size=6)


def card(version: str, before: list[bytes], after: list[bytes], own: bytes) -> bytes:
    head = b"BEGIN:VCARD\r\nVERSION:" + version.encode() + b"\r\nUID:keep-me\r\n"
    return head + b"".join(one + b"\r\n" for one in [*before, own, *after]) + b"END:VCARD\r\n"


def others(data: bytes, *names: str) -> list[bytes]:
    """The lines of a file as they are, but those of some names."""
    found = re.findall(rb"[^\r\n]+(?:\r?\n[ \t][^\r\n]*)*\r?\n?", data)
    return [
        one for one in found if re.split(rb"[;:]", one, maxsplit=1)[0].rpartition(b".")[2].upper().decode() not in names
    ]


def only(data: bytes, name: str = "Lena Fischer") -> Card:
    (found,) = [one for one in cards.read(data) if one.name == name]
    return found


def library() -> Any:
    return pytest.importorskip(
        "vobject", reason="vobject is the oracle of what is written: pip install 'steward[test]'"
    )


@given(before=foreign, after=foreign, note=texts, firm=texts, version=st.sampled_from(["3.0", "4.0"]))
def test_a_change_leaves_what_is_not_ours_as_it_is(
    before: list[bytes], after: list[bytes], note: str, firm: str, version: str
) -> None:
    after = [one for one in after if not one.startswith(b"NOTE")]
    data = card(
        version, before, after, b"item1.TEL;TYPE=CELL,pref:+49 170 1\r\nFN:Lena Fischer\r\nREV:20200101T000000Z"
    )
    first = writing.changed(data, only(data), Said("phone", "", "0171 22"), NOW)
    second = writing.changed(first, only(first), Said("organisation", "", firm), NOW)
    third = writing.changed(second, only(second), Said("birthday", "", "", Birthday(5, 3)), NOW)
    assert others(third, "TEL", "REV", "ORG", "BDAY") == others(data, "TEL", "REV", "ORG", "BDAY")
    assert b"\r\nitem1.TEL;TYPE=CELL,pref:0171 22\r\n" in third
    assert b"\r\nREV:20250314T120000Z\r\n" in third
    found = only(third)
    assert (found.phones, found.organisation, found.birthday) == ([("0171 22", "cell")], firm, Birthday(5, 3))
    noted = writing.changed(third, found, Said("note", "", note), NOW)
    assert only(noted).notes.split("\n")[-1] == note
    assert others(noted, "NOTE") == others(third, "NOTE")


@given(name=texts, note=texts, firm=texts, street=texts, mail=st.sampled_from(["lena@example.org", "a+b@x.example"]))
def test_another_library_reads_what_was_written(name: str, note: str, firm: str, street: str, mail: str) -> None:
    vobject = library()
    assume("," not in street)
    details = [Said("phone", "cell", "+49 170 5"), Said("email", "", mail), Said("note", "", note),
               Said("organisation", "", firm), Said("birthday", "", "", Birthday(5, 3, 1990)),
               Said("address", "", f"{street}, 53111 Bonn, Germany")]  # fmt: skip
    data = writing.added(b"", [], Wanted(UID, name, details), NOW)
    read = vobject.readOne(data.decode())
    assert (read.fn.value, read.note.value, read.org.value) == (name, note, [firm])
    assert (read.tel.value, read.tel.type_param, read.email.value) == ("+49 170 5", "CELL", mail)
    assert (read.adr.value.street, read.adr.value.city) == (street, "Bonn")
    assert (read.adr.value.code, read.adr.value.country) == ("53111", "Germany")
    assert (read.bday.value, read.uid.value, read.version.value) == ("1990-05-03", UID, "3.0")
    assert max(map(len, data.split(b"\r\n"))) <= 75
    assert (only(data, name).name, only(data, name).notes) == (name, note)


@given(name=texts)
def test_every_name_is_kept_in_its_parts(name: str) -> None:
    vobject = library()
    parts = vobject.readOne(writing.added(b"", [], Wanted(UID, name), NOW).decode()).n.value
    said = " ".join(filter(None, (parts.prefix, parts.given, parts.family)))
    assert said == name


@given(kept=st.lists(st.sampled_from(["Tom", "Ida", "Ben"]), max_size=5), at=st.integers(0, 5), end=st.booleans())
def test_taking_one_out_leaves_the_others(kept: list[str], at: int, end: bool) -> None:
    """Several cards of one file, whatever stands between them."""
    parts = [f"BEGIN:VCARD\nVERSION:3.0\nFN:{one}\nX-A:{nth}\nEND:VCARD\n\n".encode() for nth, one in enumerate(kept)]
    mine = b"BEGIN:VCARD\nVERSION:4.0\nFN:Lena Fischer\nEND:VCARD\n"
    parts.insert(min(at, len(parts)), mine)
    data = b"".join(parts) if end else b"".join(parts).rstrip(b"\n")
    rest = writing.removed(data, only(data))
    assert rest.strip() == b"".join(one for one in parts if one is not mine).strip()


@pytest.mark.parametrize("version", ["2.1", "3.0", "4.0"])
@pytest.mark.parametrize("year", [0, 1990])
def test_a_birthday_is_read_as_it_was_written(version: str, year: int) -> None:
    data = card(version, [], [], b"FN:Lena Fischer\r\nBDAY;VALUE=text:circa 1800\r\nBDAY:1970-01-01")
    new = writing.changed(data, only(data), Said("birthday", "", "", Birthday(2, 29, year and 1992)), NOW)
    assert only(new).birthday == Birthday(2, 29, year and 1992)
    assert new.count(b"BDAY") == 1
    if version == "3.0" and not year:  # RFC 2426 knows no birthday without a year: one that other programs read as none
        assert library().readOne(new.decode()).bday.x_apple_omit_year_param == "1604"


def test_an_old_card_gets_values_that_it_can_hold() -> None:
    data = card(
        "2.1", [b"N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg"], [], b"TEL;CELL;VOICE:0171 5"
    )
    one = only(data, "Jörg Müller")
    new = writing.changed(data, one, Said("note", "", "mag Käse; viel, und lang: " + "ä" * 60), NOW)
    new = writing.changed(new, only(new, "Jörg Müller"), Said("note", "", "zweite"), NOW)
    new = writing.changed(new, only(new, "Jörg Müller"), Said("name", "", "Jörg Möller"), NOW)
    new = writing.changed(new, only(new, "Jörg Möller"), Said("phone", "", "0172 6"), NOW)
    found = only(new, "Jörg Möller")
    assert found.notes == "mag Käse; viel, und lang: " + "ä" * 60 + "\nzweite"
    assert found.phones == [("0172 6", "cell")]
    assert b"TEL;CELL;VOICE:0172 6\r\n" in new
    assert new.isascii()


def test_which_number_is_meant_is_not_guessed() -> None:
    own = b"FN:Lena Fischer\r\nTEL;TYPE=WORK:1111\r\nTEL;TYPE=CELL:2222\r\nTEL;TYPE=FAX,WORK:3333"
    data = card("3.0", [], [], own)
    with pytest.raises(writing.Several) as several:
        writing.changed(data, only(data), Said("phone", "", "4444"), NOW)
    assert several.value.values == ["1111", "2222"]
    mobile = writing.changed(data, only(data), Said("phone", "cell", "4444"), NOW)
    assert only(mobile).phones == [("1111", "work"), ("4444", "cell"), ("3333", "fax")]
    home = writing.changed(data, only(data), Said("phone", "home", "5555"), NOW)
    assert only(home).phones[-1] == ("5555", "home")
    more = writing.changed(data, only(data), Said("phone", "", "6666"), NOW, besides=True)
    assert [one for one, _ in only(more).phones] == ["1111", "2222", "3333", "6666"]
    assert writing.changed(data, only(data), Said("phone", "", "22 22"), NOW) == data


@given(note=st.text("\\\\n;,:ab \n", min_size=1, max_size=40).map(lambda text: plain(text, lines=True)).filter(bool))
@pytest.mark.parametrize("version", ["2.1", "3.0", "4.0"])
def test_backslashes_of_a_note_are_no_line_breaks(version: str, note: str) -> None:
    """ "C:\\new" holds no line break, whatever the version of the card writes for one."""
    data = card(version, [], [], b"FN:Lena Fischer")
    new = writing.changed(data, only(data), Said("note", "", note), NOW)
    new = writing.changed(new, only(new), Said("note", "", "second"), NOW)
    assert only(new).notes == "\n".join([*filter(None, note.split("\n")), "second"])


def test_an_old_card_has_backslashes_as_they_are() -> None:
    data = card("2.1", [b"NOTE:see C:\\new; a\\;b", b"ORG:A\\;B;Sales"], [], b"FN:Lena Fischer")
    assert (only(data).notes, only(data).organisation) == ("see C:\\new; a;b", "A;B")


def test_a_fax_is_no_phone_number() -> None:
    data = card("3.0", [], [], b"FN:Lena Fischer\r\nTEL;TYPE=WORK,FAX:3333")
    assert only(data).phones == [("3333", "fax")]
    new = writing.changed(data, only(data), Said("phone", "", "4444"), NOW)
    assert only(new).phones == [("3333", "fax"), ("4444", "")]
    assert writing.without(data, only(data), "phone", "", NOW) == data
    assert only(writing.without(data, only(data), "phone", "fax", NOW)).phones == []


def test_a_number_as_an_address_becomes_one_that_is_read() -> None:
    data = card("4.0", [], [], b'FN:Lena Fischer\r\nTEL;VALUE=uri;PREF=1;TYPE="cell,home":tel:+1-555-0100')
    new = writing.changed(data, only(data), Said("phone", "", "+1 555 0199"), NOW)
    assert b'TEL;PREF=1;TYPE="cell,home":+1 555 0199\r\n' in new


def test_a_file_goes_on_as_it_is_written() -> None:
    data = b"BEGIN:VCARD\nVERSION:4.0\nFN:Tom\nEND:VCARD"
    new = writing.added(data, cards.read(data), Wanted(UID, "Käthe van der Berg", []), NOW)
    assert new.startswith(data + b"\nBEGIN:VCARD\nVERSION:4.0\nUID:urn:uuid:")
    assert "\nN:van der Berg;Käthe;;;\n".encode() in new
    assert b"\r" not in new
    old = "BEGIN:VCARD\nVERSION:3.0\nFN:Käthe\nEND:VCARD\n".encode("cp1252")
    mixed = writing.changed(old, only(old, "Käthe"), Said("note", "", "mag Nüsse"), NOW)
    assert "NOTE:mag Nüsse".encode("cp1252") in mixed
    with pytest.raises(writing.Unwritable):
        writing.changed(old, only(old, "Käthe"), Said("note", "", "名前"), NOW)
    wide = "BEGIN:VCARD\nVERSION:3.0\nFN:Käthe\nEND:VCARD\n".encode("utf-16")
    with pytest.raises(writing.Unwritable):
        writing.changed(wide, only(wide, "Käthe"), Said("note", "", "x"), NOW)
    with pytest.raises(writing.Unwritable):
        writing.removed(wide, only(wide, "Käthe"))


@given(st.binary(max_size=400))
def test_no_file_makes_the_writer_lose_what_is_not_the_card(rubbish: bytes) -> None:
    data = rubbish + b"\r\nBEGIN:VCARD\r\nFN:Lena Fischer\r\nEND:VCARD\r\n" + rubbish
    assume(not is_wide(data) and b"=" not in rubbish)
    try:
        one = only(data)
        new = writing.changed(data, one, Said("phone", "", "0170 1"), NOW)
    except (ValueError, writing.Unwritable):
        return
    assert new.replace(b"TEL:0170 1\r\n", b"", 1).replace(b"TEL:0170 1\n", b"", 1) == data
