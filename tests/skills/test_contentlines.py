"""Content lines: what is written is read again, quotations hide what they hold, and length alone costs time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.builtin.calendar import entries
from skills.builtin.contacts import cards, changing, writing
from skills.builtin.contacts.saying import Said
from skills.sdk import File
from skills.sdk import contentlines as lines

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=200)


def by_letter(head: str) -> list[str]:
    """A head at its semicolons, letter by letter; a last quotation mark without another is a letter."""
    parts, quoted, left = [""], False, head.count('"')
    for letter in head:
        if letter == '"':
            quoted, left = not quoted and left > 1, left - 1
        if letter == ";" and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


@given(st.text('ab;":=', max_size=20))
def test_parameters_are_parted_outside_quotations(head: str) -> None:
    assert lines.parted(head) == by_letter(head)


@given(texts)
def test_what_is_escaped_and_folded_is_read_again(text: str) -> None:
    raw = lines.folded(f"NOTE:{lines.escaped(text)}", b"\r\n")
    ((whole, first, last),) = lines.logical(raw)
    assert (whole, first, last) == (raw, 0, len(raw))
    assert all(len(one) <= 75 for one in raw.split(b"\r\n"))
    name, value = lines.at_colon(lines.unfolded(whole).decode())
    assert (name, lines.unescaped(value)) == ("NOTE", text)


@pytest.mark.parametrize(
    ("line", "head", "value"),
    [("A;B=c:d:e", "A;B=c", "d:e"), ('A;B="c:d":e', 'A;B="c:d"', "e"), ("A", "A", ""), ('A;B="c:d"', 'A;B="c:d"', ""),
     ('A;B="c:d', 'A;B="c', "d"), ('A;B="c:d";E="f:g:h', 'A;B="c:d";E="f', "g:h"), ('A;B="c:d"e"f', 'A;B="c', 'd"e"f'),
     ('A;B="c', 'A;B="c', "")],
)  # fmt: skip
def test_the_value_begins_behind_the_first_colon_outside_quotations(line: str, head: str, value: str) -> None:
    assert lines.at_colon(line) == (head, value)


def test_a_value_behind_a_quotation_that_does_not_end_is_read() -> None:
    (ida,) = card(b'TEL;TYPE="home:0171 1\n')
    assert ida.phones == [("0171 1", "home")]


def test_edits_are_made_in_the_order_of_their_places() -> None:
    assert lines.edited(b"abcdef", [(4, 5, b"X"), (0, 1, b""), (6, 6, b"!"), (1, 1, b"+")]) == b"+bcdXf!"


# --- files of others ----------------------------------------------------------------------------------------------


def steps(work: Callable[[], object]) -> int:
    """How many functions are called, and generators gone on with, in a piece of work: the same on every machine."""
    count = 0

    def seen(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def calendar(data: bytes) -> object:
    return entries.read(File("/a.ics"), b"BEGIN:VCALENDAR\n" + data, UTC)


def card(data: bytes) -> list[cards.Card]:
    return cards.read(b"BEGIN:VCARD\nFN:Ida\n" + data + b"END:VCARD\n")


def people(data: bytes) -> object:
    """The second of several who are called as the last one of a file."""
    known = [(one, File("/all.vcf"), "/all.vcf") for one in cards.read(data)]
    return changing.one_of(known, f"{known[-1][0].name} (all.vcf, 2)")


READ: list[tuple[Callable[[bytes], object], Callable[[int], bytes]]] = [
    (calendar, lambda many: b"BEGIN:A\n" * many + b"END:B\n" * many),
    (calendar, lambda many: b"BEGIN:A\n" * many + b"BEGIN:VEVENT\n" * many),
    (card, lambda many: b"".join(b"TEL:%d\n" % at for at in range(many))),
    (people, lambda many: b"BEGIN:VCARD\nFN:Ida\nEND:VCARD\n" * many),
    (people, lambda many: b"".join(b"BEGIN:VCARD\nFN:Ida %d\nEND:VCARD\n" % (at // 2 * 2) for at in range(many))),
]


@pytest.mark.parametrize(("read", "of"), READ)
def test_twice_as_much_is_at_most_twice_the_work(read: Callable[[bytes], object], of: Callable[[int], bytes]) -> None:
    small, large = (of(many) for many in (500, 1000))
    assert steps(lambda: read(large)) < 2.2 * steps(lambda: read(small))


@pytest.mark.parametrize("read", [calendar, card])
def test_a_hundred_thousand_lines_and_parameters_are_read(read: Callable[[bytes], object]) -> None:
    """A step for each pair of them would take longer than a test may."""
    many = 25_000
    data = b"BEGIN:VEVENT\nDTSTART:20250101\n" + b"X:1\n" * many + b"NOTE:n\n" * many
    for name in (b"ATTENDEE", b"TEL"):
        data += (name + b';A="b"' + b";" * 90_000 + b":e\n") * 4
    read(data + b"BEGIN:Z\n" * many + b"END:Z\n" * many + b"END:VEVENT\n")


def test_a_long_value_is_changed_in_its_parts() -> None:
    data = b"N:" + b"\\;" * 40_000 + b";Ida;;;\n"
    (one,) = card(data)
    whole = b"BEGIN:VCARD\nFN:Ida\n" + data + b"END:VCARD\n"
    now = datetime(2025, 3, 14, tzinfo=UTC)
    assert b"\nN:Berg;Ida;;;\n" in writing.changed(whole, one, Said("name", "", "Ida Berg"), now)
