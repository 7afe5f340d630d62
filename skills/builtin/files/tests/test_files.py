from __future__ import annotations

import io
import tomllib
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from skills.builtin.files import kinds, matching, skill
from skills.sdk import Period, Query, Size, ToolError
from skills.sdk.testing import PracticeHome


def _on(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)


def _photo(taken: str | None) -> bytes:
    image, out = Image.new("RGB", (8, 8)), io.BytesIO()
    exif = Image.Exif()
    if taken:
        exif.get_ifd(0x8769)[36867] = taken
    image.save(out, "JPEG", exif=exif)
    return out.getvalue()


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Downloads/Invoice_2024-03.pdf", "x" * 3000, _on("2024-03-05"))
    made.add("Downloads/invoice 2025-02.pdf", "x" * 2000, _on("2025-02-05"))
    made.add("Downloads/Übersicht.xlsx", "x" * 5000, _on("2025-03-10"))
    made.add("Downloads/old/setup.zip", "x" * 9000, _on("2020-01-01"))
    made.add("Documents/Rental contract.docx", "x" * 700, _on("2023-06-01"))
    made.add("Documents/notes.txt", "", _on("2025-03-13"))
    made.add(".cache/invoice.pdf", "x" * 99_999)
    return made


def _names(done: Any) -> list[str]:
    return [file.name for file in done.value]


# --- finding ------------------------------------------------------------------------------------------------------


def test_find_by_words_of_the_name(home: PracticeHome) -> None:
    done = home.do(skill.find, pure=True, name="invoice", order="newest")
    assert _names(done) == ["invoice 2025-02.pdf", "Invoice_2024-03.pdf"]
    assert done.answer == (
        "I found 2 files in ~ with “invoice” in the name: ~/Downloads/invoice 2025-02.pdf (2 kB, 5 February 2025) "
        "and ~/Downloads/Invoice_2024-03.pdf (3 kB, 5 March 2024)."
    )


def test_the_latest_is_one(home: PracticeHome) -> None:
    done = home.do(skill.find, pure=True, name="invoices", order="newest", count=1)
    assert _names(done) == ["invoice 2025-02.pdf"]
    assert done.answer.startswith(
        "The newest file in ~ with “invoices” in the name is: ~/Downloads/invoice 2025-02.pdf (2 kB,"
    )


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"kind": "pdf"}, ["Invoice_2024-03.pdf", "invoice 2025-02.pdf"]),
        ({"kind": "spreadsheet"}, ["Übersicht.xlsx"]),
        ({"modified": Period(date(2025, 3, 1), None)}, ["notes.txt", "Übersicht.xlsx"]),
        ({"modified": Period(None, date(2021, 1, 1))}, ["setup.zip"]),
        ({"size": Size(4000, None)}, ["setup.zip", "Übersicht.xlsx"]),
        ({"size": Size(None, 0)}, ["notes.txt"]),
        ({"name": "übersicht"}, ["Übersicht.xlsx"]),
        ({"name": "ubersicht"}, ["Übersicht.xlsx"]),
        ({"name": "contract rental"}, ["Rental contract.docx"]),
        ({"name": "rechnung"}, []),
        ({"order": "smallest", "count": 2}, ["notes.txt", "Rental contract.docx"]),
        ({"order": "oldest", "count": 1}, ["setup.zip"]),
        ({"order": "largest", "count": 1}, ["setup.zip"]),
        ({"count": 0}, []),
    ],
)
def test_find_by_everything_else(home: PracticeHome, asked: dict[str, Any], wanted: list[str]) -> None:
    assert sorted(_names(home.do(skill.find, pure=True, **asked))) == sorted(wanted)


@pytest.mark.parametrize(
    ("asked", "english", "german"),
    [
        ({"name": "lease"}, "with “lease” in the name", "mit „lease“ im Namen"),
        ({"kind": "pdf"}, "PDFs", "PDFs"),
        ({"modified": Period(date(2025, 3, 1), date(2025, 3, 2))}, "changed on 1 March", "geändert am 1. März"),
        ({"modified": Period(date(2025, 3, 1), None)}, "changed since 1 March 2025", "geändert seit dem 1. März 2025"),
        ({"modified": Period(None, date(2021, 1, 1))}, "until 31 December 2020", "bis zum 31. Dezember 2020"),
        (
            {"modified": Period(date(2025, 1, 1), date(2025, 2, 1))},
            "between 1 January 2025 and 31 January 2025",
            "vom 1. Januar 2025 bis zum 31. Januar 2025",
        ),
        ({"size": Size(4000, None)}, "of 4 kB or more", "ab 4 kB"),
        ({"size": Size(None, 1500)}, "of 1.5 kB or less", "bis 1,5 kB"),
        ({"size": Size(4001, None)}, "over 4 kB", "größer als 4 kB"),
        ({"size": Size(None, 1_999_999)}, "under 2 MB", "kleiner als 2 MB"),
        ({"size": Size(5_242_881, None)}, "over 5.2 MB", "größer als 5,2 MB"),
        ({"size": Size(4000, 9000)}, "of 4 kB to 9 kB", "von 4 kB bis 9 kB"),
        ({"size": Size(4000, 4000)}, "of exactly 4 kB", "von genau 4 kB"),
        ({"size": Size(1000, 2000), "name": "a"}, "with “a” in the name and of 1 kB to 2 kB", "und von 1 kB bis 2 kB"),
    ],
)
@pytest.mark.parametrize("order", [None, "newest"])
def test_an_answer_repeats_what_was_asked_for(
    home: PracticeHome, asked: dict[str, Any], english: str, german: str, order: Any
) -> None:
    assert english in home.do(skill.find, pure=True, order=order, **asked).answer
    home.language = "de"
    assert german in home.do(skill.find, pure=True, order=order, **asked).answer


def test_find_stays_in_the_folder(home: PracticeHome) -> None:
    done = home.do(skill.find, pure=True, folder=home.folder("Documents"))
    assert _names(done) == ["notes.txt", "Rental contract.docx"]
    assert done.table is not None
    assert done.table["rows"][0] == ["notes.txt", "~/Documents", "0 bytes", "2025-03-13"]


def test_finding_nothing_is_an_answer(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, language="de")
    done = home.do(skill.find, pure=True, name="Steuer", kind="pdf")
    assert done.value == []
    assert done.answer.startswith("In ~ mit „Steuer“ im Namen habe ich keine PDFs gefunden. Ich habe nur Namen")


def test_a_folder_that_does_not_exist_is_said(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match=r"There is no ~/Nowhere\."):
        home.do(skill.find, folder=home.folder("Nowhere"))


@pytest.mark.parametrize(
    ("words", "name", "fits"),
    [
        ("invoice", "Invoice_2024-03.pdf", True),
        ("invoices", "Invoice_2024-03.pdf", True),
        ("invoice 3", "Invoice_2024-03.pdf", True),
        ("invoice 4", "Invoice_2024-03.pdf", False),
        ("invoice april", "Invoice_2024-03.pdf", False),
        ("report.pdf", "report.pdf", True),
        ("report.pdf", "report.txt", False),
        ("meeting notes", "MeetingNotes.md", True),
        ("mietvertrag", "Untermietvertrag 2022.pdf", True),
        ("recieve", "receive.log", True),
        ("cat", "concatenate.py", False),
        ("straße", "Strasse.txt", True),
        ("café", "cafe menu.pdf", True),
        ("Kaesekuchen", "Käsekuchen.jpg", True),
        ("Ayse", "Ayşe Yıldız.pdf", True),
        ("house", "mouse.txt", False),
        ("form", "platform.md", False),
        ("2024", "120245.txt", False),
    ],
)
def test_words_and_names(words: str, name: str, fits: bool) -> None:
    assert (matching.score(words, name) > 0) is fits


def test_a_slip_counts_only_where_nothing_fits(home: PracticeHome) -> None:
    home.add("Work/contrast.txt")
    assert _names(home.do(skill.find, pure=True, name="contract")) == ["Rental contract.docx"]
    assert _names(home.do(skill.find, pure=True, name="contarct")) == ["Rental contract.docx"]


def test_largest(home: PracticeHome) -> None:
    done = home.do(skill.largest, pure=True, folder=home.folder("Downloads"), count=2)
    assert _names(done) == ["setup.zip", "Übersicht.xlsx"]
    assert done.answer == (
        "The 2 largest files in ~/Downloads are: ~/Downloads/old/setup.zip (9 kB, 1 January 2020) "
        "and Übersicht.xlsx (5 kB, 10 March 2025)."
    )
    assert _names(home.do(skill.largest, pure=True, kind="pdf", order="smallest", count=1)) == ["invoice 2025-02.pdf"]
    assert len(home.do(skill.largest, pure=True).value) == 6


def test_largest_in_german(home: PracticeHome) -> None:
    home.language = "de"
    done = home.do(skill.largest, pure=True, count=1)
    assert done.answer == "Am größten ist von 6 Dateien in ~: ~/Downloads/old/setup.zip (9 kB, 1. Januar 2020)."


def test_contents(home: PracticeHome) -> None:
    done = home.do(skill.contents, pure=True, folder=home.folder("Downloads"))
    assert _names(done) == ["Invoice_2024-03.pdf", "invoice 2025-02.pdf", "Übersicht.xlsx"]
    assert done.answer.startswith("In ~/Downloads there are 1 folder and 3 files: old/, Invoice_2024-03.pdf, ")
    assert done.answer.endswith("1 more file lies deeper, in its folders; say “with all subfolders” to include it.")
    home.add("One/a.txt")
    assert home.do(skill.contents, pure=True, folder=home.folder("One")).answer == "In ~/One there is 1 file: a.txt."
    (home.path / "Empty").mkdir()
    assert home.do(skill.contents, pure=True, folder=home.folder("Empty")).answer == "~/Empty is empty."


def test_usage(home: PracticeHome) -> None:
    done = home.do(skill.usage, pure=True, folder=home.folder("Downloads"))
    assert (done.value.total_bytes, done.value.count) == (19_000, 4)
    assert (
        done.answer
        == "4 files in ~/Downloads take up 19 kB: Archives 9 kB (1), PDFs 5 kB (2) and Spreadsheets 5 kB (1)."
    )
    assert done.table is not None
    assert done.table["columns"] == ["kind", "files", "size"]
    assert done.table["rows"][0] == ["Archives", 1, "9 kB"], "sizes as in the sentence"
    home.language = "de"
    one = home.do(skill.usage, pure=True, kind="word")
    assert one.table is not None
    assert one.table["columns"] == ["Art", "Dateien", "Größe"]
    assert one.table["rows"][0][2] == "700 Byte"
    hidden = "Nicht angesehen, solange nicht genannt: 1 versteckter Ordner."
    assert one.answer == f"1 Word-Dokument in ~ belegt 700 Byte.\n{hidden}"
    assert home.do(skill.usage, pure=True, kind="video").answer == f"In ~ gibt es keine Videos.\n{hidden}"


def test_usage_says_what_is_there_twice(home: PracticeHome) -> None:
    big = bytes(range(256)) * 1000
    for name, data in (
        ("a.bin", big),
        ("b.bin", big),
        ("c.bin", big[:-1] + b"x"),
        ("d.bin", b"x" + big[1:]),
        ("e.txt", b""),
        ("f.txt", b""),
    ):
        home.add(f"Twice/{name}", data)
    done = home.do(skill.usage, pure=True, folder=home.folder("Twice"))
    assert (done.value.total_bytes, done.value.count) == (4 * len(big), 6)
    assert "1 of them is an identical copy of another one (256 kB): ~/Twice/b.bin." in done.answer
    home.language = "de"
    said = home.do(skill.usage, pure=True, folder=home.folder("Twice")).answer
    assert "1 davon ist eine genaue Kopie einer anderen (256 kB): ~/Twice/b.bin." in said


def test_usage_counts_a_file_of_two_names_once(home: PracticeHome) -> None:
    home.add("Twice/a.bin", b"x" * 5000)
    (home.path / "Twice/b.bin").hardlink_to(home.path / "Twice/a.bin")
    done = home.do(skill.usage, pure=True, folder=home.folder("Twice"))
    assert (done.value.total_bytes, done.value.count) == (5000, 2)
    assert "1 of them is only another name of the same file, counted once." in done.answer
    assert "copy" not in done.answer


def test_copies_beyond_the_bound_are_not_claimed(home: PracticeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    from skills.builtin.files import copies

    monkeypatch.setattr(copies, "_MOST_BYTES", 200_000)
    for name in "ab":
        home.add(f"Twice/{name}.bin", b"x" * 300_000)
        home.add(f"Twice/{name}.txt", b"y" * 300)
    said = home.do(skill.usage, pure=True, folder=home.folder("Twice")).answer
    assert "1 of them is an identical copy of another one (300 bytes): ~/Twice/b.txt." in said


def test_every_kind_has_names_and_suffixes() -> None:
    choices = set(skill.Kind.__args__)  # type: ignore[attr-defined]
    assert choices == set(kinds.SUFFIXES) == set(kinds.NAMES)
    assert all(
        suffix.startswith(".") and suffix == suffix.lower() for all_ in kinds.SUFFIXES.values() for suffix in all_
    )


# --- changing -----------------------------------------------------------------------------------------------------


def test_move_makes_the_folder(home: PracticeHome) -> None:
    file = home.file("Documents/notes.txt")
    done = home.do(skill.move, files=[file, file], to=home.folder("Archive/2025"))
    assert "Archive/2025/notes.txt" in home.tree()
    assert "Documents/notes.txt" not in home.tree()
    assert [file.path for file in done.value] == [str(home.path / "Archive/2025/notes.txt")]
    assert done.answer == "I moved ~/Documents/notes.txt to ~/Archive/2025."


def test_move_never_overwrites(home: PracticeHome) -> None:
    home.add("Archive/notes.txt", "other")
    before = home.tree()
    with pytest.raises(ToolError, match=r"~/Archive already holds something called notes\.txt") as caught:
        home.do(skill.move, files=[home.file("Documents/notes.txt")], to=home.folder("Archive"))
    assert "Rename" in caught.value.hint
    assert home.tree() == before


def test_move_into_a_file_is_refused(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="is a file, not a folder"):
        home.do(skill.move, files=[home.file("Documents/notes.txt")], to=home.folder("Downloads/Übersicht.xlsx"))


def test_nothing_to_move_is_an_answer(home: PracticeHome) -> None:
    done = home.do(skill.move, files=[], to=home.folder("Archive"))
    assert (done.effects, done.answer) == ((), "There was nothing to be moved to ~/Archive.")


def test_copy_keeps_the_original(home: PracticeHome) -> None:
    file = home.file("Downloads/Übersicht.xlsx")
    home.do(skill.copy, files=[file], to=home.folder("Backup"))
    home.do(skill.copy, files=[file], to=home.folder("Downloads"))
    tree = home.tree()
    assert tree["Backup/Übersicht.xlsx"] == tree["Downloads/Übersicht.xlsx"] == tree["Downloads/Übersicht (2).xlsx"]
    with pytest.raises(ToolError, match="already holds"):
        home.do(skill.copy, files=[file], to=home.folder("Backup"))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("March invoice", "March invoice.pdf"),
        ("March invoice.pdf", "March invoice.pdf"),
        ("invoice.txt", "invoice.txt"),
        ("plan v1.2", "plan v1.2.pdf"),
        ("  two   spaces ", "two spaces.pdf"),
        ("Größe", "Größe.pdf"),
    ],
)
def test_rename_keeps_the_suffix(home: PracticeHome, name: str, wanted: str) -> None:
    done = home.do(skill.rename, file=home.file("Downloads/Invoice_2024-03.pdf"), name=name)
    assert done.value.name == wanted
    assert f"Downloads/{wanted}" in home.tree()
    assert done.answer == f"Invoice_2024-03.pdf in ~/Downloads is now called {wanted}."


@pytest.mark.parametrize("name", ["", "..", "a/b", "../x", "a\0b", "x" * 300])
def test_bad_names_are_refused(home: PracticeHome, name: str) -> None:
    with pytest.raises(ToolError, match="cannot be the name"):
        home.do(skill.rename, file=home.file("Documents/notes.txt"), name=name)
    with pytest.raises(ToolError, match="cannot be the name"):
        home.do(skill.make_folder, name=name)


def test_rename_never_overwrites(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match=r"already something called invoice 2025-02\.pdf in ~/Downloads"):
        home.do(skill.rename, file=home.file("Downloads/Invoice_2024-03.pdf"), name="invoice 2025-02")
    same = home.do(skill.rename, file=home.file("Documents/notes.txt"), name="notes")
    assert same.effects == ()


def test_delete_goes_to_the_trash(home: PracticeHome) -> None:
    done = home.do(skill.delete, files=[home.file("Documents/notes.txt")])
    assert home.trash == ["Documents/notes.txt"]
    assert done.answer == "I put ~/Documents/notes.txt into the trash."
    with pytest.raises(ToolError, match="There is no"):
        home.do(skill.delete, files=[home.file("Documents/notes.txt")])


def test_find_then_delete_in_one_plan(home: PracticeHome) -> None:
    found = home.step(skill.find, kind="pdf").value
    home.step(skill.delete, files=found)
    assert home.step(skill.find, kind="pdf").value == []
    assert "Downloads/Invoice_2024-03.pdf" in home.tree()
    home.commit()
    assert sorted(home.trash) == ["Downloads/Invoice_2024-03.pdf", "Downloads/invoice 2025-02.pdf"]


def test_organize_by_type(home: PracticeHome) -> None:
    done = home.do(skill.organize, folder=home.folder("Downloads"))
    assert set(home.tree()) >= {
        "Downloads/PDFs/Invoice_2024-03.pdf",
        "Downloads/PDFs/invoice 2025-02.pdf",
        "Downloads/Spreadsheets/Übersicht.xlsx",
        "Downloads/old/setup.zip",
    }
    assert done.answer == "I sorted 3 files in ~/Downloads into PDFs (2) and Spreadsheets (1)."


@pytest.mark.parametrize(("by", "wanted"), [("date", "2019-08-17"), ("month", "2019-08"), ("year", "2019")])
def test_photos_are_organized_by_the_day_they_were_taken(home: PracticeHome, by: Any, wanted: str) -> None:
    home.add("Camera/a.jpg", _photo("2019:08:17 10:00:00"), _on("2024-01-01"))
    home.add("Camera/b.jpg", _photo(None), _on("2024-05-06"))
    home.add("Camera/c.jpg", b"not a picture", _on("2023-05-06"))
    home.add("Camera/d.txt", "2019", _on("2022-05-06"))
    home.do(skill.organize, folder=home.folder("Camera"), by=by)
    length = len(wanted)
    assert {path for path in home.tree() if path.startswith("Camera/")} == {
        f"Camera/{wanted}/a.jpg",
        f"Camera/{'2024-05-06'[:length]}/b.jpg",
        f"Camera/{'2023-05-06'[:length]}/c.jpg",
        f"Camera/{'2022-05-06'[:length]}/d.txt",
    }


def test_make_folder(home: PracticeHome) -> None:
    done = home.do(skill.make_folder, name="Reisen 2025", folder=home.folder("Documents"))
    assert (home.path / "Documents" / "Reisen 2025").is_dir()
    assert done.answer == "I made the folder ~/Documents/Reisen 2025."
    again = home.do(skill.make_folder, name="Reisen 2025", folder=home.folder("Documents"))
    assert (again.effects, again.answer) == ((), "The folder ~/Documents/Reisen 2025 is there already.")


@pytest.mark.parametrize(
    ("language", "hint"),
    [("en", "“which documents in ~/Docs mention lease?”"), ("de", "„welche Dokumente in ~/Docs erwähnen lease?“")],
)
def test_a_name_that_nothing_has_may_stand_inside(home: PracticeHome, language: str, hint: str) -> None:
    home.language = language
    home.add("Docs/a.txt", "the lease")
    folder = home.folder("Docs")
    done = home.do(skill.find, pure=True, name=Query("lease"), folder=folder)
    assert done.value == []
    assert hint in done.answer
    for name in ("*.bak", "a"):
        assert hint.partition(" lease")[0] not in home.do(skill.find, pure=True, name=Query(name), folder=folder).answer


def test_a_name_that_is_exactly_the_one_comes_alone(home: PracticeHome) -> None:
    home.add("a/report.pdf")
    home.add("b/bug report.pdf")
    assert _names(home.do(skill.find, pure=True, name="Report.pdf")) == ["report.pdf"]
    assert sorted(_names(home.do(skill.find, pure=True, name="report"))) == ["bug report.pdf", "report.pdf"]
    assert "looks inside" not in home.do(skill.find, pure=True, name="nowhere.pdf").answer


def test_names_are_shown_as_they_are_and_safely(home: PracticeHome) -> None:
    for name in ("a  b.txt", "a b.txt", "new\nline.txt", "rtl\u202etxt.exe", "\x1b[31mred.txt"):
        home.add(f"Odd/{name}", "x")
    for tool in (skill.contents, skill.find, skill.largest):
        done = home.do(tool, pure=True, folder=home.folder("Odd"))
        assert done.table is not None
        for shown in ("a  b.txt", "a b.txt", "new\\x0aline.txt", "rtl\\u{202e}txt.exe", "\\x1b[31mred.txt"):
            assert shown in done.answer
            assert shown in [row[0] for row in done.table["rows"]]
        assert done.answer.isprintable()
    moved = home.do(skill.move, files=[home.file("Odd/new\nline.txt")], to=home.folder("Other"))
    assert moved.answer == "I moved ~/Odd/new\\x0aline.txt to ~/Other."


@pytest.mark.parametrize("tool", [skill.move, skill.copy])
def test_two_files_of_one_name_do_not_go_into_one_folder(home: PracticeHome, tool: Any) -> None:
    one, other = home.add("One/a.txt", "1"), home.add("Two/a.txt", "2")
    before = home.tree()
    with pytest.raises(ToolError, match=r"~/One/a\.txt and ~/Two/a\.txt have the same name") as refused:
        home.do(tool, files=[one, other], to=home.folder("Both"))
    assert refused.value.words("de")[0].startswith("~/One/a.txt und ~/Two/a.txt haben denselben Namen")
    assert home.tree() == before


def test_the_manifest_says_the_same_suffixes_of_a_kind() -> None:
    manifest = tomllib.loads((Path(skill.__file__).parent / "steward.toml").read_text())
    said = {
        kind: frozenset(f".{suffix}" for suffix in suffixes) for kind, suffixes in manifest["suffixes"]["kind"].items()
    }
    assert said == kinds.SUFFIXES
