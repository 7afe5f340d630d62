"""Makes the files of a home: the same bytes and times every time."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from docx import Document
from openpyxl import Workbook
from PIL import Image
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped, unused-ignore]

BERLIN = ZoneInfo("Europe/Berlin")
TAKEN_AT = 306, 36867, 36868  # EXIF: DateTime, DateTimeOriginal, DateTimeDigitized
EXIF_IFD = 0x8769


def date_folders(home: Path) -> None:
    """Give all folders of the home one day on which they were last changed."""
    at = seconds("2026-03-01")
    for folder in [*(each for each in home.rglob("*") if each.is_dir() and not each.is_symlink()), home]:
        os.utime(folder, (at, at))


def write(path: Path, content: bytes, day: str, *, size: int | None = None) -> None:
    """Write a file that was last changed on ``day``; with ``size`` a sparse one of so many bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if size is not None:
        os.truncate(path, size)
    at = seconds(day)
    os.utime(path, (at, at))


def seconds(day: str) -> float:
    """A local time, noon where no hour is given, as seconds since the epoch."""
    moment = datetime.fromisoformat(day if ":" in day else f"{day} 12:00")
    return moment.replace(tzinfo=BERLIN).timestamp()


def pdf(title: str, author: str, pages: Sequence[str]) -> bytes:
    """Return a PDF with these pages, the same bytes every time."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor(author)
    for page in pages:
        canvas.setFont("Helvetica", 11)
        for row, line in enumerate(page.splitlines()):
            canvas.drawString(60, 780 - 18 * row, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def docx(title: str, paragraphs: Sequence[str]) -> bytes:
    """Return a document of Jana Müller's."""
    document = Document()
    document.core_properties.title = title
    document.core_properties.author = "Jana Müller"
    document.add_heading(title, level=1)
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    out = io.BytesIO()
    document.save(out)
    return _repacked(out.getvalue())


def xlsx(title: str, rows: Iterable[Sequence[Any]]) -> bytes:
    """Return a workbook of one sheet."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return _repacked(out.getvalue())


def _repacked(archive: bytes) -> bytes:
    """The same archive without the time at which it was packed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "docProps/core.xml":
                content = re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"2026-01-07T11:00:00Z", content)
            new.writestr(zipfile.ZipInfo(name, (2026, 1, 7, 12, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def picture(seed: int, taken: str | None, suffix: str) -> bytes:
    """A soft landscape of chance colours; ``taken`` becomes its EXIF time."""
    coarse = np.random.default_rng(seed).integers(0, 256, (4, 6, 3), dtype=np.uint8)
    picture = Image.fromarray(coarse).resize((640, 480), Image.Resampling.BICUBIC)
    out = io.BytesIO()
    if suffix == ".png":
        picture.save(out, "PNG")
        return out.getvalue()
    exif = Image.Exif()
    if taken is not None:
        written = datetime.fromisoformat(taken).strftime("%Y:%m:%d %H:%M:%S")
        exif[TAKEN_AT[0]] = written
        exif.get_ifd(EXIF_IFD).update(dict.fromkeys(TAKEN_AT[1:], written))
    picture.save(out, "JPEG", quality=80, exif=exif)
    return out.getvalue()
