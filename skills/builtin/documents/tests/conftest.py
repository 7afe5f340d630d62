"""A tiny PDF writer, so that the tests make their own documents: text at places on A4 pages, in Helvetica."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

Spot = tuple[float, float, str]
"""Points from the left and from the top, and the text there."""


def _page(spots: Sequence[Spot]) -> bytes:
    out = []
    for x, y, text in spots:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("cp1252")
        out.append(b"BT /F1 11 Tf 1 0 0 1 %.1f %.1f Tm (%s) Tj ET" % (x, 842 - y, escaped))
    return b"\n".join(out)


def write_pdf(pages: Sequence[Sequence[Spot]]) -> bytes:
    """Return a PDF with one page for each list of spots."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", _FONT]
    kids = []
    for spots in pages:
        content = _page(spots)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        resources = b"/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(b"<< /Type /Page /Parent 2 0 R %s /Contents %d 0 R >>" % (resources, len(objects)))
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def _placed(at: int, item: str | Spot) -> Spot:
    return (60.0, 60.0 + 16 * at, item) if isinstance(item, str) else item


@pytest.fixture
def pdf() -> Callable[..., bytes]:
    """Write a PDF of lines, or of spots, for each page."""

    def make(*pages: Sequence[str | Spot]) -> bytes:
        return write_pdf([[_placed(at, item) for at, item in enumerate(page)] for page in pages])

    return make
