"""Names as a person reads them: safe in any line, and never two alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.naming import readable, sentence, shown
from skills.sdk import words

TRICKY = st.text(st.sampled_from("ab /\\x0a2u{}\n\t\r\x1b\x9b\u00a0\u200b\u202e\u2028é"), max_size=12)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("report.pdf", "report.pdf"),
        ("a  b.txt", "a  b.txt"),
        ("Müller – Übersicht (2).txt", "Müller – Übersicht (2).txt"),
        ("日本語.txt", "日本語.txt"),
        ("tab\there", "tab\\x09here"),
        ("new\nline", "new\\x0aline"),
        ("new\\x0aline", "new\\\\x0aline"),
        ("rtl\u202etxt.exe", "rtl\\u{202e}txt.exe"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("nbsp\u00a0x", "nbsp\\xa0x"),
        (" lead", "\\x20lead"),
        ("trail ", "trail\\x20"),
        ("~/ a/b /c", "~/\\x20a/b\\x20/c"),
        ("bad\udcff", "bad\\u{dcff}"),
    ],
)
def test_a_name_stays_as_it_is_but_for_what_does_not_show(name: str, shown: str) -> None:
    assert readable(name) == shown == words.name(name)


@pytest.mark.parametrize(
    ("said", "fit"),
    [
        ("There is no folder /srv/wheels, nor ~/a b/c.", "There is no folder /srv/wheels, nor ~/a b/c."),
        ("No wheel of a\u202eb\x1b[31m\n", "No wheel of a\\u{202e}b\\x1b[31m\\x0a"),
    ],
)
def test_of_a_message_only_what_does_not_show_is_written_out(said: str, fit: str) -> None:
    assert sentence(said) == fit
    assert len(sentence(fit * 20)) == 300


@given(TRICKY, TRICKY)
def test_two_names_are_never_shown_alike(one: str, other: str) -> None:
    assert (readable(one) == readable(other)) is (one == other)


@given(st.text(max_size=30))
def test_what_is_shown_is_one_line_that_moves_and_hides_nothing(name: str) -> None:
    shown = readable(name)
    hidden = {"Cc", "Cf", "Zl", "Zp", "Zs", "Cs", "Co", "Cn"}
    assert all(one == " " or unicodedata.category(one) not in hidden for one in shown)
    assert not shown.startswith(" ")
    assert not shown.endswith(" ")


def test_places_and_cells_are_written_so_too() -> None:
    from skills.sdk import File

    assert words.place("/h/x/a\nb  c", "/h/x") == "~/a\\x0ab  c"
    assert words.cell(File("/h/a\nb")) == "/h/a\\x0ab"


def test_in_a_message_no_name_looks_like_another_one_and_none_is_endless() -> None:
    assert shown("a\x1bb") == "a\\x1bb" != shown("a\\x1bb")
    assert len(shown("x" * 5000)) == 300
    assert shown("x" * 300) == "x" * 300
