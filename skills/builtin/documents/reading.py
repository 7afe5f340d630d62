"""The text of documents, page by page: PDF, DOCX, HTML, Markdown and plain text.

What this stops: documents that hang or fill the memory (bounds on bytes, unpacked bytes, pages and seconds), external
entities and remote resources (nothing is fetched, XML entities are not resolved), scripts (they are dropped as text).
What it does not: a flaw inside of a parser. The cell that this runs in holds that.
"""

from __future__ import annotations

import datetime
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skills.sdk import Context, File, ToolError

from . import damage, sniffing, wrong

SUFFIXES = (".pdf", ".docx", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text", ".rst", ".log")
"""What counts as a document in a folder."""

_HEAD_BYTES = 64 << 10
_PACKED_BYTES = 100 << 20
_TEXT_BYTES = 20 << 20
_UNPACKED_BYTES = 500 << 20
_MOST_PAGES = 500
_MOST_SECONDS = 40.0
_BLOCKS = (
    "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "blockquote", "pre", "dt", "dd",
    "table", "ul", "ol", "header", "footer", "figcaption",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """A document's text by page, and what it says about itself. ``cut`` is set when a bound ended the reading."""

    pages: tuple[str, ...]
    count: int
    title: str | None = None
    author: str | None = None
    created: datetime.date | None = None
    language: str | None = None
    layout: tuple[str, ...] = field(default=())
    cut: tuple[str, str] | None = None

    @property
    def text(self) -> str:
        """The text of all pages."""
        return "\n\n".join(page.strip() for page in self.pages if page.strip())

    @property
    def printed(self) -> tuple[str, ...]:
        """The pages as they look, with gaps between cells, where the format has that."""
        return self.layout or self.pages


def load(ctx: Context, file: File, *, layout: bool = False) -> Document:
    """Return the document in ``file``; ``layout`` asks for pages with their gaps as well. Raises ToolError."""
    found = ctx.file(file)
    label = ctx.shown(found)
    real = ctx.real(found)
    with real.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
    if not head:
        raise wrong.empty(label)
    if b"%PDF-" in head[:1024]:
        _check_size(found, label, _PACKED_BYTES)
        return _pdf(real, label, ctx.patience(_MOST_SECONDS), layout=layout)
    if found.suffix == ".docx" or (
        head.startswith(b"PK\x03\x04") and found.suffix not in (".xlsx", ".pptx", ".odt", ".zip")
    ):
        _check_size(found, label, _PACKED_BYTES)
        return _docx(real, label)
    if found.suffix == ".pdf":
        raise wrong.damaged(label)
    if found.suffix in (".doc", ".odt", ".rtf", ".pages", ".xlsx", ".pptx", ".epub", ".zip"):
        raise wrong.unknown(label)
    if other := sniffing.no_text(found.suffix, head):
        raise wrong.no_text(label, kind=other[0], art=other[1])
    _check_size(found, label, _TEXT_BYTES)
    return _written(ctx.read_text(found), found.suffix)


def _pdf(real: Path, label: str, is_late: Callable[[], bool], *, layout: bool) -> Document:
    import logging

    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it repairs is no news; what it cannot, it raises
    try:
        reader = pypdf.PdfReader(real, strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise wrong.encrypted(label)
        pages, printed, cut = _pdf_pages(reader, is_late, layout=layout)
        count = len(reader.pages)
        about = reader.metadata
        title, author = _told(about and about.title), _told(about and about.author)
        created = _pdf_day(about)
    except damage.of_pdf() as error:
        raise wrong.damaged(label) from error
    if sum(len(page.strip()) for page in pages) < 3:
        raise wrong.scanned(label, pages=count)
    return Document(tuple(pages), count, title, author, created, None, tuple(printed), cut)


def _pdf_pages(
    reader: Any, is_late: Callable[[], bool], *, layout: bool
) -> tuple[list[str], list[str], tuple[str, str] | None]:
    pages: list[str] = []
    printed: list[str] = []
    for at, page in enumerate(reader.pages):
        if at == _MOST_PAGES or is_late():
            return (
                pages,
                printed,
                (f"Only the first {at} pages were read.", f"Nur die ersten {at} Seiten wurden gelesen."),
            )
        pages.append(page.extract_text())
        if layout:
            printed.append(_layout(page) or pages[-1])
    return pages, printed, None


def _layout(page: Any) -> str:
    """Return a page as it is laid out; nothing where that fails, since the plain text is there."""
    try:
        return str(page.extract_text(extraction_mode="layout", layout_mode_space_vertically=False))
    except damage.of_pdf():
        return ""


def _pdf_day(about: Any) -> datetime.date | None:
    try:
        created = about.creation_date if about else None
    except damage.of_pdf():
        return None
    return created.date() if created else None


def _docx(real: Path, label: str) -> Document:
    import docx

    try:
        with zipfile.ZipFile(real) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _UNPACKED_BYTES:
                raise _too_big(label)
            pages = _docx_pages(archive)
        document = docx.Document(str(real))
        text = _docx_text(document)
        about = document.core_properties
        title, author, created = _told(about.title), _told(about.author), about.created
        about_title = next((para.text.strip() for para in document.paragraphs if _is_title(para)), None)
    except damage.of_docx() as error:
        if real.read_bytes()[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":  # an encrypted DOCX is an OLE file
            raise wrong.encrypted(label) from error
        raise wrong.damaged(label) from error
    return Document((text,), pages, title or about_title, author, created.date() if created else None)


def _docx_text(document: Any) -> str:
    lines: list[str] = []
    for part in [document, *(section.header for section in document.sections[:1])]:
        lines.extend(_docx_lines(part))
    for section in document.sections[:1]:
        lines.extend(_docx_lines(section.footer))
    return "\n".join(lines)


def _docx_lines(part: Any) -> list[str]:
    lines: list[str] = []
    for block in part.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                cells = dict.fromkeys(cell._tc for cell in row.cells)  # a merged cell stands there once for each column
                texts = {cell._tc: " ".join(cell.text.split()) for cell in row.cells}
                lines.append("\t".join(texts[cell] for cell in cells))
            lines.append("")
        else:
            lines.extend([block.text, ""])
    return lines


def _docx_pages(archive: zipfile.ZipFile) -> int:
    """Return the page count that the writing program noted, else one more than the page breaks."""
    names = archive.namelist()
    if "docProps/app.xml" in names:
        match = re.search(rb"<Pages>(\d{1,5})</Pages>", archive.read("docProps/app.xml")[:100_000])
        if match and int(match[1]) > 0:
            return int(match[1])
    body = archive.read("word/document.xml") if "word/document.xml" in names else b""
    return 1 + max(len(re.findall(rb'<w:br [^>]*w:type="page"', body)), body.count(b"<w:lastRenderedPageBreak"))


def _is_title(paragraph: Any) -> bool:
    style = paragraph.style.name if paragraph.style is not None else ""
    return bool(paragraph.text.strip()) and style in ("Title", "Heading 1", "Titel", "Überschrift 1")


def _written(text: str, suffix: str) -> Document:
    if suffix in (".html", ".htm", ".xhtml"):
        return _html(text)
    if suffix in (".md", ".markdown"):
        return _markdown(text)
    if re.match(r"\s*(?:<!doctype html|<html)", text, re.I):
        return _html(text)
    pages = tuple(text.split("\f"))
    return Document(pages, len(pages))


def _html(text: str) -> Document:
    import warnings

    from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup: Any = BeautifulSoup(text, "lxml")
    title = _told(soup.title.get_text() if soup.title else None)
    author = next(
        (_told(tag.get("content")) for tag in soup.find_all("meta", attrs={"name": re.compile("^author$", re.I)})), None
    )
    language = str(soup.html.get("lang", ""))[:2].casefold() if soup.html else ""
    for tag in soup(["script", "style", "noscript", "template", "head"]):
        tag.decompose()
    for tag in soup.find_all("br"):
        tag.replace_with("\n")
    for tag in soup.find_all(["table", "thead", "tbody", "tfoot", "tr"]):
        blanks: list[Any] = [child for child in tag.children if isinstance(child, str) and not child.strip()]
        for blank in blanks:
            blank.extract()
    for tag in soup.find_all(["td", "th"]):
        if tag.find("table") is None:
            tag.string = " ".join(tag.get_text(" ").split())
        tag.append("\t")
    for tag in soup.find_all(_BLOCKS):
        tag.append("\n" if tag.name in ("tr", "li", "dt", "dd") else "\n\n")
    raw = soup.get_text()
    lines = [re.sub(r"[^\S\t]+", " ", line).strip(" ").rstrip("\t") for line in raw.splitlines()]
    return Document((re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(),), 1, title, author, None, language or None)


def _markdown(text: str) -> Document:
    from markdown_it import MarkdownIt

    front: dict[str, str] = {}
    if match := re.match(r"\ufeff?---\r?\n(.*?)\r?\n---\r?\n", text, re.S):
        front = {key.casefold(): value.strip("\"' ") for key, value in re.findall(r"^(\w+):\s*(.+)$", match[1], re.M)}
        text = text[match.end() :]
    # A line break in the source stays one: notes are often written as lists of lines.
    rendered = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").render(text)
    heading = re.search(r"^#{1,2}\s+(.+)$", text, re.M)
    plain = _html(rendered)
    title = front.get("title") or (heading[1].strip(" #*") if heading else None)
    created = None
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", front.get("date", "")[:10]):
        try:
            created = datetime.date.fromisoformat(front["date"][:10])
        except ValueError:
            created = None
    return Document(plain.pages, 1, title, front.get("author"), created)


def _told(text: Any) -> str | None:
    """Return a title or an author when it says something."""
    plain = " ".join(str(text or "").split())
    return (
        plain
        if plain and plain.casefold() not in ("untitled", "unknown", "python-docx", "anonymous", "unspecified")
        else None
    )


def _check_size(file: File, label: str, most: int) -> None:
    if file.size_bytes > most:
        raise _too_big(label)


def _too_big(label: str) -> ToolError:
    return wrong.too_big(label, packed=_PACKED_BYTES >> 20, text=_TEXT_BYTES >> 20)
