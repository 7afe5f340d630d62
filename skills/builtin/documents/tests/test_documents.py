from __future__ import annotations

import contextlib
import datetime
import io
from collections.abc import Callable
from pathlib import Path

import docx
import pypdf
import pytest

from skills.builtin.documents import skill
from skills.sdk import Query, ToolError
from skills.sdk.testing import PracticeHome

INVOICE = [
    "ACME Office Supplies Ltd",
    "12 Main Street, London",
    "Invoice number: INV-2024-017",
    "Invoice date: 3 March 2024",
    "Due date: 2 April 2024",
    "Bill to: Jane Doe",
    (60.0, 230.0, "Description"), (300.0, 230.0, "Qty"), (380.0, 230.0, "Price"), (470.0, 230.0, "Total"),
    (60.0, 250.0, "Paper A4"), (300.0, 250.0, "10"), (380.0, 250.0, "4.50"), (470.0, 250.0, "45.00"),
    (60.0, 270.0, "Toner"), (300.0, 270.0, "2"), (380.0, 270.0, "60.00"), (470.0, 270.0, "120.00"),
    (380.0, 300.0, "Subtotal"), (470.0, 300.0, "165.00"),
    (380.0, 316.0, "VAT 20%"), (470.0, 316.0, "33.00"),
    (380.0, 332.0, "Total"), (470.0, 332.0, "£198.00"),
    (60.0, 400.0, "IBAN: GB82 WEST 1234 5698 7654 32"),
]  # fmt: skip

RECHNUNG = [
    "Müller & Söhne GmbH · Hauptstr. 5 · 10115 Berlin",
    "Rechnung",
    "Rechnungsnr.: RE-4711",
    "Rechnungsdatum: 05.02.2024",
    "Kundennummer: 10023",
    "Nettobetrag                1.037,45 EUR",
    "zzgl. 19% MwSt.              197,11 EUR",
    "Gesamtbetrag             1.234,56 EUR",
    "Zahlbar bis 19.02.2024",
    "IBAN DE89 3704 0044 0532 0130 00",
]

ESSAY = (
    "Gardens are good for people and cities. Many people in cities have no garden at all. A shared garden brings "
    "people of a city together. The mayor likes cake very much. Shared gardens need water, soil and people who care. "
    "Prices rose by 3.5 percent, e.g. for seeds and tools. In short, cities should give people shared gardens."
)

Pdf = Callable[..., bytes]


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)


def word(*paragraphs: str, table: list[tuple[str, str]] | None = None) -> bytes:
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    if table:
        made = document.add_table(len(table), 2)
        for row, cells in zip(made.rows, table, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def locked(data: bytes, user: str, owner: str | None = None) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(user, owner, algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


# --- text -----------------------------------------------------------------------------------------------------------


def test_text_of_a_pdf_joins_its_pages(home: PracticeHome, pdf: Pdf) -> None:
    home.add("a.pdf", pdf(["Hello first page"], ["Hello second page"]))
    done = home.do(skill.text, pure=True, file=home.file("a.pdf"))
    assert done.value.index("first page") < done.value.index("second page")
    assert "second page" in done.answer


def test_text_of_word_keeps_the_order_of_paragraphs_and_tables(home: PracticeHome) -> None:
    home.add("a.docx", word("Before the table", table=[("Room", "200"), ("Total", "230")]))
    text = home.do(skill.text, pure=True, file=home.file("a.docx")).value
    assert "Before the table" in text
    assert "Total\t230" in text


def test_text_of_html_has_no_scripts_and_rows_in_lines(home: PracticeHome) -> None:
    page = (
        "<html><head><title>T</title><script>evil()</script></head><body><table>\n<tr>\n<td>Room</td>\n<td>2</td></tr>"
    )
    home.add("a.html", f"{page}</table><p>One<br>Two</p></body></html>")
    assert home.do(skill.text, pure=True, file=home.file("a.html")).value == "Room\t2\n\nOne\nTwo"


def test_text_of_markdown_is_plain(home: PracticeHome) -> None:
    home.add("a.md", "---\ntitle: x\n---\n# Plan\n\nSome **bold** [link](http://example.org).\n")
    assert home.do(skill.text, pure=True, file=home.file("a.md")).value == "Plan\n\nSome bold link."


def test_text_in_an_old_encoding(home: PracticeHome) -> None:
    home.add("a.txt", "Größe: 5 €".encode("cp1252"))
    assert home.do(skill.text, pure=True, file=home.file("a.txt")).value == "Größe: 5 €"


def test_html_never_loads_an_external_entity(home: PracticeHome) -> None:
    secret = home.add("secret.txt", "TOPSECRET")
    home.add(
        "a.xhtml",
        f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{secret.path}">]><html><body><p>a &x; b</p></body></html>',
    )
    assert "TOPSECRET" not in home.do(skill.text, pure=True, file=home.file("a.xhtml")).value


def test_word_never_loads_an_external_entity(home: PracticeHome) -> None:
    import zipfile

    secret = home.add("secret.txt", "TOPSECRET")
    source = io.BytesIO(word("before MARK after"))
    out = io.BytesIO()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "word/document.xml":
                head, rest = data.split(b"?>", 1)
                data = head + b"?>" + f'<!DOCTYPE w [<!ENTITY x SYSTEM "file://{secret.path}">]>'.encode() + rest
                data = data.replace(b"MARK", b"&x;")
            new.writestr(name, data)
    home.add("a.docx", out.getvalue())
    assert "TOPSECRET" not in home.do(skill.text, pure=True, file=home.file("a.docx")).value


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.pdf", b"%PDF-1.4 nonsense", "documents.damaged"),
        ("a.pdf", b"hello", "documents.damaged"),
        ("a.pdf", b"", "documents.data"),
        ("a.docx", b"PK\x03\x04xxxx", "documents.damaged"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), "documents.encrypted"),
        ("a.xlsx", b"PK\x03\x04", "documents.format"),
        ("a.bin", bytes(1000), "documents.format"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_next_step(home: PracticeHome, name: str, data: bytes, code: str) -> None:
    home.add(name, data)
    with pytest.raises(ToolError) as refused:
        home.do(skill.text, pure=True, file=home.file(name))
    assert refused.value.code == code
    assert name in str(refused.value)
    assert refused.value.hint
    assert refused.value.words("de")[0] != str(refused.value)


def test_a_truncated_pdf_is_refused_or_read_but_never_crashes(home: PracticeHome, pdf: Pdf) -> None:
    whole = pdf(["Some text on the page"])
    for length in range(0, len(whole), 37):
        home.add("a.pdf", whole[:length])
        with contextlib.suppress(ToolError):
            home.do(skill.text, pure=True, file=home.file("a.pdf"))


def test_a_scan_is_named_as_such(home: PracticeHome, pdf: Pdf) -> None:
    home.add("scan.pdf", pdf([], []))
    with pytest.raises(ToolError, match="has no text") as refused:
        home.do(skill.text, pure=True, file=home.file("scan.pdf"))
    assert "ocrmypdf" in refused.value.hint


def test_a_password_is_asked_for_and_an_empty_one_is_none(home: PracticeHome, pdf: Pdf) -> None:
    home.add("locked.pdf", locked(pdf(["secret words"]), "pw"))
    home.add("printable.pdf", locked(pdf(["open words"]), "", "owner"))
    with pytest.raises(ToolError, match="password"):
        home.do(skill.text, pure=True, file=home.file("locked.pdf"))
    assert "open words" in home.do(skill.text, pure=True, file=home.file("printable.pdf")).value


# --- value ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (None, ("£198.00", 198.0, "GBP")),
        ("total", ("£198.00", 198.0, "GBP")),
        ("the grand total", ("£198.00", 198.0, "GBP")),
        ("subtotal", ("165.00", 165.0, "GBP")),
        ("tax", ("33.00", 33.0, "GBP")),
        ("invoice number", ("INV-2024-017", None, None)),
        ("IBAN", ("GB82WEST12345698765432", None, None)),
        ("customer", ("Jane Doe", None, None)),
        ("vendor", ("ACME Office Supplies Ltd", None, None)),
        ("due date", ("2 April 2024", None, None)),
    ],
)
def test_values_of_an_english_invoice(
    home: PracticeHome, pdf: Pdf, name: str | None, expected: tuple[object, ...]
) -> None:
    home.add("inv.pdf", pdf(INVOICE))
    found = home.do(skill.value, pure=True, file=home.file("inv.pdf"), name=Query(name) if name else None).value
    assert (found.value, found.amount, found.currency) == expected
    assert found.vendor == "ACME Office Supplies Ltd"


@pytest.mark.parametrize(
    ("name", "expected", "amount"),
    [
        ("Gesamtbetrag", "1.234,56 EUR", 1234.56),
        ("Summe", "1.234,56 EUR", 1234.56),
        ("Nettobetrag", "1.037,45 EUR", 1037.45),
        ("MwSt", "197,11 EUR", 197.11),
        ("Rechnungsnummer", "RE-4711", None),
        ("Kundennummer", "10023", None),
        ("IBAN", "DE89370400440532013000", None),
    ],
)
def test_values_of_a_german_invoice(
    home: PracticeHome, pdf: Pdf, name: str, expected: str, amount: float | None
) -> None:
    home.language = "de"
    home.add("re.pdf", pdf(RECHNUNG))
    done = home.do(skill.value, pure=True, file=home.file("re.pdf"), name=Query(name))
    assert (done.value.value, done.value.amount) == (expected, amount)
    assert done.value.vendor == "Müller & Söhne GmbH"
    assert done.value.date == datetime.date(2024, 2, 5)
    assert "Seite 1" in done.answer


def test_a_date_is_the_value_itself(home: PracticeHome, pdf: Pdf) -> None:
    home.add("re.pdf", pdf(RECHNUNG))
    found = home.do(skill.value, pure=True, file=home.file("re.pdf"), name=Query("due date")).value
    assert found.date == datetime.date(2024, 2, 19)


def test_the_answer_says_where_the_value_stands(home: PracticeHome, pdf: Pdf) -> None:
    home.add("two.pdf", pdf(["Invoice"], ["Total: 12.00 EUR"]))
    done = home.do(skill.value, pure=True, file=home.file("two.pdf"))
    assert done.value.page == 2
    assert "12.00 EUR" in done.answer
    assert "page 2, line 1" in done.answer


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Total: 1,234.56 USD", 1234.56),
        ("Total: 1.234,56 EUR", 1234.56),
        ("Gesamtbetrag 99,00 €", 99.0),
        ("TOTAL EUR 17,20\nMwSt 7% 1,13\nBar 20,00\nRückgeld 2,80", 17.2),
        ("Subtotal 50.00\nTotal excl. VAT 50.00\nTotal incl. VAT 59.50", 59.5),
        ("Total: 12 items\nTotal: 17.00", 17.0),
        ("Total 100.00\nDiscount total 10.00\nGrand Total 90.00", 90.0),
        ("Amount due\n$1,250.00", 1250.0),
        ("Zwischensumme 80,00\nSumme 95,20", 95.2),
        ("Total: CHF 1'234.50", 1234.5),
        ("Total: 250", 250.0),
        ("Price Total\n3.00 3.00\nTotal 6.00 EUR", 6.0),
        ("Rechnungsbetrag inkl. 19% MwSt: 119,00 EUR", 119.0),
        ("Total hours: 40\nTotal: 2,000.00", 2000.0),
        ("Total due by 01.03.2024: 45,00 EUR", 45.0),
    ],
)
def test_the_total_in_many_layouts(home: PracticeHome, text: str, amount: float) -> None:
    home.add("r.txt", text)
    assert home.do(skill.value, pure=True, file=home.file("r.txt")).value.amount == amount


def test_labels_above_their_values_in_columns(home: PracticeHome, pdf: Pdf) -> None:
    spots = [
        (60.0, 140.0, "Invoice No"), (200.0, 140.0, "Date"), (340.0, 140.0, "Amount Due"),
        (60.0, 156.0, "A-99"), (200.0, 156.0, "2024-05-06"), (340.0, 156.0, "$1,250.00"),
    ]  # fmt: skip
    home.add("c.pdf", pdf(spots))
    read = {
        n: home.do(skill.value, pure=True, file=home.file("c.pdf"), name=Query(n)).value
        for n in ("invoice number", "date", "total")
    }
    assert read["invoice number"].value == "A-99"
    assert read["date"].date == datetime.date(2024, 5, 6)
    assert (read["total"].amount, read["total"].currency) == (1250.0, "USD")


def test_tables_of_word_and_html(home: PracticeHome) -> None:
    home.add("q.docx", word("Quote", table=[("Subtotal", "80.00"), ("Total amount", "95.20 EUR")]))
    home.add(
        "h.html", "<table><tr><td>Tax</td><td>9.00</td></tr><tr><th>Grand total</th><td>€ 230.50</td></tr></table>"
    )
    assert home.do(skill.value, pure=True, file=home.file("q.docx")).value.amount == 95.2
    assert home.do(skill.value, pure=True, file=home.file("h.html")).value.amount == 230.5


@pytest.mark.parametrize(
    ("text", "vendor"),
    [
        ("INVOICE\nFrom: Globex Corp\nBill to: Hooli Inc\nTotal: 5.00", "Globex Corp"),
        ("Stadtwerke Musterstadt\nRechnung\nSumme: 5,00", "Stadtwerke Musterstadt"),
        ("Invoice\nBill to: Hooli Inc\nTotal: 5.00", None),
        ("Invoice 17\nTotal: 5.00", None),
        ("Dear Anna,\nyour invoice over 5.00 is attached.\nTotal: 5.00", None),
    ],
)
def test_the_issuer_is_named_only_when_certain(home: PracticeHome, text: str, vendor: str | None) -> None:
    home.add("i.txt", text)
    assert home.do(skill.value, pure=True, file=home.file("i.txt")).value.vendor == vendor


def test_cells_are_told_apart_at_any_width(home: PracticeHome) -> None:
    for label in ("Station", "Meter no", "Contract holder"):
        home.add("t.txt", f"{label}\tnorth of town\n")
        assert (
            home.do(skill.value, pure=True, file=home.file("t.txt"), name=Query(label)).value.value == "north of town"
        )


def test_an_unknown_label_is_looked_for_as_written(home: PracticeHome) -> None:
    home.add("a.txt", "Meter reading: 4711 kWh\nThe meter reading is due soon.\n")
    found = home.do(skill.value, pure=True, file=home.file("a.txt"), name=Query("meter reading")).value
    assert found.value == "4711 kWh"


def test_an_absent_value_is_refused_and_never_guessed(home: PracticeHome, pdf: Pdf) -> None:
    home.add("inv.pdf", pdf(INVOICE))
    with pytest.raises(ToolError, match="did not find a line that states “purchase order”") as refused:
        home.do(skill.value, pure=True, file=home.file("inv.pdf"), name=Query("purchase order"))
    assert "total" in refused.value.hint
    home.add("letter.txt", "Dear Anna,\nsee you in May.\nBob")
    with pytest.raises(ToolError, match="states “total”"):
        home.do(skill.value, pure=True, file=home.file("letter.txt"))


# --- the others -----------------------------------------------------------------------------------------------------


def test_facts_are_what_is_certain(home: PracticeHome, pdf: Pdf) -> None:
    home.add("inv.pdf", pdf(INVOICE))
    done = home.do(skill.facts, pure=True, file=home.file("inv.pdf"))
    assert (done.value.number, done.value.total, done.value.currency) == ("INV-2024-017", 198.0, "GBP")
    assert done.value.date == datetime.date(2024, 3, 3)
    assert done.value.title is None
    assert "ACME" in done.answer
    home.add(
        "n.md", "---\nauthor: Ada\ndate: 2024-01-02\n---\n# Notes on the garden and the house\n\nThe plan is to dig."
    )
    note = home.do(skill.facts, pure=True, file=home.file("n.md")).value
    assert (note.title, note.author, note.total) == ("Notes on the garden and the house", "Ada", None)
    assert note.date == datetime.date(2024, 1, 2)


def test_pages_and_words_are_counted(home: PracticeHome, pdf: Pdf) -> None:
    home.add("a.pdf", pdf(["one two three"], ["four five"], ["six"]))
    done = home.do(skill.pages, pure=True, file=home.file("a.pdf"))
    assert (done.value.pages, done.value.words) == (3, 6)
    assert "3 pages and 6 words" in done.answer


def test_search_finds_all_words_with_page_and_excerpt(home: PracticeHome, pdf: Pdf) -> None:
    home.add("Docs/a.pdf", pdf(["nothing here"], ["the termination clause of the contract"]))
    home.add("Docs/b.md", "clauses about termination, far away")
    home.add("Docs/c.txt", "only a clause")
    home.add("Docs/broken.pdf", b"%PDF-1.4")
    home.add("Other/d.txt", "termination clause")
    done = home.do(skill.search, pure=True, words=Query("termination clause"), folder=home.folder("Docs"))
    assert [(hit.file.name, hit.page) for hit in done.value] == [("a.pdf", 2), ("b.md", 1)]
    assert "termination clause" in done.value[0].excerpt
    assert "2 of 4 documents" in done.answer
    assert done.answer.endswith("1 document could not be read: ~/Docs/broken.pdf.")
    only = home.do(skill.search, pure=True, words=Query("contract"), folder=home.folder("Docs"))
    assert "1 of 4 documents in ~/Docs mentions “contract” in its text:\n" in only.answer
    assert len(home.do(skill.search, pure=True, words=Query("termination clause")).value) == 3


@pytest.mark.parametrize("words", ["Gartenstraße", "Gartenstrasse", "gartenstr.", "Flat in Gaertenstraße"])
def test_search_finds_words_however_they_are_written(home: PracticeHome, pdf: Pdf, words: str) -> None:
    home.add("a.txt", "The flat in Gärtenstraße" if "Gaerten" in words else "The flat in Gartenstraße 17")
    home.add("b.txt", "The flat in Gaertenstrasse" if "Gaerten" in words else "A flat, Gartenstr. 5")
    home.add("c.txt", "The flat in Gartenweg, no street")
    done = home.do(skill.search, pure=True, words=Query(words))
    assert sorted(hit.file.name for hit in done.value) == ["a.txt", "b.txt"]
    assert all("flat" in hit.excerpt for hit in done.value)


def test_junk_and_depth_do_not_use_up_the_search(home: PracticeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        home.add(f"app/node_modules/pkg{number}/readme.md", "nothing")
        home.add(f"Archive/2001/letters/{number}.txt", "nothing")
    home.add("Letters/will.txt", "the testament of my aunt")
    monkeypatch.setattr("skills.builtin.documents.searching._MOST_DOCUMENTS", 10)
    done = home.do(skill.search, pure=True, words=Query("testament"))
    assert [hit.file.name for hit in done.value] == ["will.txt"]
    assert "Not looked at unless you name them: 1 cache or package folder." in done.answer
    assert "The search ended early" in done.answer
    nothing = home.do(skill.search, pure=True, words=Query("uncle"), folder=home.folder("app"))
    assert nothing.answer.startswith("None of the 0 documents in ~/app mentions")
    assert nothing.answer.endswith("Not looked at unless you name them: 1 cache or package folder.")
    named = home.do(skill.search, pure=True, words=Query("nothing"), folder=home.folder("app/node_modules/pkg3"))
    assert [hit.file.name for hit in named.value] == ["readme.md"]


def test_search_without_a_hit_says_so(home: PracticeHome) -> None:
    home.add("a.txt", "hello")
    done = home.do(skill.search, pure=True, words=Query("zebra"))
    assert done.value == []
    assert "None of the 1 documents" in done.answer


@pytest.mark.parametrize("language", ["en", "de"])
def test_search_says_that_it_looked_inside_and_which_files_have_the_words_in_their_name(
    home: PracticeHome, language: str
) -> None:
    home.language = language
    home.add("Docs/letter.md", "your tax is due")
    home.add("Docs/Tax_return.md", "tax tax")
    home.add("Docs/taxes 2024.jpg", b"x")
    home.add("Docs/syntax.txt", "nothing")
    done = home.do(skill.search, pure=True, words=Query("tax"), folder=home.folder("Docs"))
    assert sorted(hit.file.name for hit in done.value) == ["Tax_return.md", "letter.md"]
    assert ("in their text" if language == "en" else "im Text") in done.answer
    assert ("Only in the name: " if language == "en" else "Nur im Namen: ") + "~/Docs/taxes 2024.jpg." in done.answer
    none = home.do(skill.search, pure=True, words=Query("2024"), folder=home.folder("Docs"))
    assert none.value == []
    assert none.answer.endswith("taxes 2024.jpg.")


def test_summary_keeps_sentences_and_their_order(home: PracticeHome) -> None:
    home.add("e.txt", ESSAY)
    done = home.do(skill.summary, pure=True, file=home.file("e.txt"), sentences=3)
    places = [ESSAY.index(sentence) for sentence in done.value.split(". ")]
    assert len(places) == 3
    assert places == sorted(places)
    assert "cake" not in done.value
    assert "garden" in done.value


def test_summary_does_not_split_at_abbreviations(home: PracticeHome) -> None:
    home.add("e.txt", ESSAY)
    assert home.do(skill.summary, pure=True, file=home.file("e.txt"), sentences=7).value == ESSAY


def test_summary_of_a_table_is_refused(home: PracticeHome, pdf: Pdf) -> None:
    home.add("inv.pdf", pdf(INVOICE))
    with pytest.raises(ToolError, match="no sentences"):
        home.do(skill.summary, pure=True, file=home.file("inv.pdf"))
