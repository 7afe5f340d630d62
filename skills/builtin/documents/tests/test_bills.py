"""The totals of all invoices of a folder; and files that are no text at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from skills.builtin.documents import skill
from skills.sdk import Query, ToolError
from skills.sdk.testing import PracticeHome

NOISE = b"".join(hashlib.sha256(bytes([number])).digest() for number in range(100))
"""Bytes without any order, the same every time."""


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Bills/Invoice_05.txt", "ACME GmbH\nInvoice number: 17\nInvoice date: 2026-05-03\nTotal: 119.00 EUR\n")
    made.add("Bills/Rechnung 06.txt", "Nordwind AG\nRechnungsdatum: 3.6.2026\nGesamtbetrag: 1.238,40 EUR\n")
    made.add("scan.md", "Receipt\nPaper Shop Ltd\nDate: 2026-04-01\nTotal: 8.50 EUR\n")
    made.add("todo.txt", "- pay the total of the invoice\n- total: 5 jobs\n")
    made.add("Bills/Invoice_broken.pdf", b"%PDF-1.4 broken")
    return made


def test_the_sum_names_every_bill_and_what_is_left_out(home: PracticeHome) -> None:
    done = home.do(skill.totals, pure=True, show="sum")
    assert "3 invoices in ~ come to 1365.90 EUR." in done.answer
    assert "~/scan.md: 8.50 EUR" in done.answer
    assert "Left out, no total to be read: Invoice_broken.pdf." in done.answer
    assert [row[4] for row in done.value.rows] == [8.5, 119.0, 1238.4]


def test_the_highest_and_the_lowest_are_one_bill(home: PracticeHome) -> None:
    highest = home.do(skill.totals, pure=True, show="highest")
    assert [row[0] for row in highest.value.rows] == ["Rechnung 06.txt"]
    assert "The highest of 3 invoices in ~: ~/Bills/Rechnung 06.txt: 1238.40 EUR" in highest.answer
    lowest = home.do(skill.totals, pure=True, folder=home.folder("Bills"), show="lowest")
    assert [row[0] for row in lowest.value.rows] == ["Invoice_05.txt"]


def test_bills_of_one_issuer(home: PracticeHome) -> None:
    done = home.do(skill.totals, pure=True, about=Query("invoices from Nordwind"))
    assert [row[1] for row in done.value.rows] == ["Nordwind AG"]


def test_bills_of_an_issuer_whose_name_is_written_otherwise(home: PracticeHome) -> None:
    home.add("Bills/Rechnung 07.txt", "Bücher Özdemir AG\nRechnungsdatum: 3.6.2026\nGesamtbetrag: 12,40 EUR\n")
    done = home.do(skill.totals, pure=True, about=Query("Buecher Ozdemir"))
    assert [row[1] for row in done.value.rows] == ["Bücher Özdemir AG"]


def test_currencies_are_never_added_up(home: PracticeHome) -> None:
    home.add("Bills/bill_us.txt", "Shop Inc\nDate: 2026-07-01\nTotal: $20.00\n")
    assert "come to 1365.90 EUR and 20.00 USD." in home.do(skill.totals, pure=True, show="sum").answer


def test_an_identical_copy_counts_once_and_is_named(home: PracticeHome) -> None:
    home.add("Bills/Invoice_05 (2).txt", home.text("Bills/Invoice_05.txt"))
    for show in ("sum", "each", "average"):
        done = home.do(skill.totals, pure=True, show=show)
        assert (
            "\nCounted once, as identical copies: ~/Bills/Invoice_05 (2).txt (= ~/Bills/Invoice_05.txt)." in done.answer
        )
        assert sorted(row[4] for row in done.value.rows) == [8.5, 119.0, 1238.4]
    assert "3 invoices in ~ come to 1365.90 EUR." in home.do(skill.totals, pure=True, show="sum").answer


def test_two_files_of_one_bill_count_and_are_named(home: PracticeHome) -> None:
    home.add("Bills/Invoice_05 again.txt", home.text("Bills/Invoice_05.txt") + "\nThank you\n")
    home.add("Bills/Invoice_07.txt", home.text("Bills/Invoice_05.txt").replace("119", "120"))
    done = home.do(skill.totals, pure=True, show="sum")
    assert "5 invoices in ~ come to 1604.90 EUR." in done.answer
    named = "~/Bills/Invoice_05 again.txt and ~/Bills/Invoice_05.txt"
    assert f"\nCounted more than once, maybe the same invoice (17): {named}." in done.answer
    home.language = "de"
    assert "vielleicht dieselbe Rechnung (17): ~/Bills/" in home.do(skill.totals, pure=True, show="sum").answer


def test_no_bills_are_an_error_with_what_could_not_be_read(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("invoice.txt", "Thank you")
    with pytest.raises(ToolError, match=r"no invoices with a total in ~\. .*invoice\.txt"):
        home.do(skill.totals, pure=True)


# --- what is no text ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [("sunset.JPG", "a picture"), ("song.mp3", "a sound file"), ("clip.mp4", "a film"), ("notes.dat", "no text"),
     ("report.txt", "no text")],
)  # fmt: skip
@pytest.mark.parametrize("tool", [skill.pages, skill.text, skill.summary, skill.facts])
def test_random_bytes_are_refused_by_kind(
    home: PracticeHome, tool: Callable[..., object], name: str, kind: str
) -> None:
    home.add(name, NOISE * 20)
    with pytest.raises(ToolError, match=f"is {kind}, not a document"):
        home.do(tool, pure=True, file=home.file(name))


def test_bytes_without_a_nul_are_no_text_either(home: PracticeHome) -> None:
    home.add("a.txt", NOISE.replace(b"\0", b"\1"))
    with pytest.raises(ToolError, match="no text"):
        home.do(skill.pages, pure=True, file=home.file("a.txt"))


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "utf-8-sig"])
def test_text_in_every_encoding_is_text(home: PracticeHome, encoding: str) -> None:
    home.add("a.txt", ("Größe und Maß\n\tÜber Öl\f" * 400).encode(encoding))
    assert home.do(skill.pages, pure=True, file=home.file("a.txt")).value.words == 400 * 4 + 400


def test_a_cut_search_says_how_many_there_are(home: PracticeHome) -> None:
    for number in range(60):
        home.add(f"Many/{number}.txt", "lorem ipsum")
    done = home.do(skill.search, pure=True, words=Query("lorem ipsum"), folder=home.folder("Many"))
    assert "60 of 60 documents in ~/Many mention “lorem ipsum” in their text" in done.answer
    assert "50 of the 60 that mention it are shown." in done.answer
    assert len(done.value) == 50
