"""Damaged documents end in words, whatever their libraries raise: good files, mutated."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest

from skills.builtin.documents import reading
from skills.sdk import Context, ToolError
from skills.sdk.testing import PracticeHome

MUTANTS = 150
ODD = (b"null", b"9999", b"<<>>", b"[1 1", b"/Nam", b"-1  ", b"\xff\xfe")


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Change, cut, repeat or replace a few bytes."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 2, 5, 20))):
        at = chance.randrange(max(1, len(found)))
        match chance.randrange(4):
            case 0:
                found[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del found[at : at + chance.choice((1, 10, 200))]
            case 2:
                found[at:at] = found[at : at + chance.choice((1, 10, 100))]
            case _:
                found[at : at + 4] = chance.choice(ODD)
    return bytes(found)


def word_file() -> bytes:
    document, out = docx.Document(), io.BytesIO()
    document.add_heading("Lease", 0)
    document.add_paragraph("The rent is 500 EUR.")
    document.add_table(2, 2).cell(0, 0).text = "a"
    document.save(out)
    return out.getvalue()


def with_a_broken_part(data: bytes, chance: random.Random) -> bytes:
    """Mutate or leave out one member of an archive."""
    parts = {
        name: zipfile.ZipFile(io.BytesIO(data)).read(name) for name in zipfile.ZipFile(io.BytesIO(data)).namelist()
    }
    victim, out = chance.choice(sorted(parts)), io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            if name != victim:
                archive.writestr(name, content)
            elif chance.random() < 0.8:
                archive.writestr(name, mutated(content, chance))
    return out.getvalue()


def end_of(home: PracticeHome, name: str, data: bytes) -> str:
    """Read a document: "read", or the code of the error in words. Anything else is raised."""
    home.add(name, data)
    try:
        reading.load(Context(home=str(home.path), now=home.now), home.file(name), layout=True)
    except ToolError as error:
        return error.code if error.hint else "no hint"
    return "read"


@pytest.mark.slow
def test_a_mutated_pdf_is_read_or_refused_in_words(tmp_path: Path, pdf: Callable[..., bytes]) -> None:
    home = PracticeHome(tmp_path)
    chance = random.Random(7)  # noqa: S311 - the same mutants in every run
    good = pdf([f"Line {number} 12.50 EUR" for number in range(20)], ["The second page"])
    ends = {end_of(home, "a.pdf", mutated(good, chance)) for _ in range(MUTANTS)}
    assert {"read", "documents.damaged"} <= ends
    assert "no hint" not in ends


@pytest.mark.slow
def test_a_mutated_docx_is_read_or_refused_in_words(tmp_path: Path) -> None:
    home, good = PracticeHome(tmp_path), word_file()
    chance = random.Random(7)  # noqa: S311 - the same mutants in every run
    assert end_of(home, "a.docx", good) == "read"
    ends = {end_of(home, "a.docx", with_a_broken_part(good, chance)) for _ in range(MUTANTS)}
    ends |= {end_of(home, "a.docx", mutated(good, chance)) for _ in range(20)}
    assert {"read", "documents.damaged"} <= ends
    assert "no hint" not in ends


def test_a_filter_that_pypdf_has_given_up_is_no_crash(tmp_path: Path, pdf: Callable[..., bytes]) -> None:
    good = pdf(["A line"])
    old = good.replace(b"<< /Length", b"<< /Filter /Fl /Length", 1)
    assert old != good
    assert end_of(PracticeHome(tmp_path), "a.pdf", old) == "documents.damaged"


@pytest.mark.parametrize(("name", "data"), [("a.pdf", b"%PDF-1.4 nonsense"), ("a.docx", b"PK\x03\x04xxxx")])
def test_a_fault_of_ours_is_not_called_damage(
    tmp_path: Path, name: str, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OursError(Exception):
        pass

    def fails(*_: object, **__: object) -> None:
        raise OursError

    monkeypatch.setattr("pypdf.PdfReader", fails)
    monkeypatch.setattr("zipfile.ZipFile", fails)
    with pytest.raises(OursError):
        end_of(PracticeHome(tmp_path), name, data)
