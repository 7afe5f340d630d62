"""Which suffixes make a kind of file, and what a kind is called."""

from __future__ import annotations

import os

SUFFIXES: dict[str, frozenset[str]] = {
    kind: frozenset(f".{suffix}" for suffix in suffixes.split())
    for kind, suffixes in {
        "pdf": "pdf",
        "jpeg": "jpg jpeg",
        "png": "png",
        "image": "jpg jpeg png gif webp heic heif tif tiff bmp svg avif raw cr2 cr3 nef arw dng",
        "video": "mp4 m4v mkv mov avi webm mpg mpeg wmv flv ogv 3gp",
        "audio": "mp3 m4a aac flac ogg oga opus wav wma aiff mid",
        "word": "docx doc odt rtf",
        "csv": "csv tsv",
        "spreadsheet": "xlsx xls xlsm ods csv tsv",
        "presentation": "pptx ppt odp key",
        "archive": "zip tar gz tgz bz2 xz zst 7z rar",
        "code": "py js ts jsx tsx c h cpp hpp cc rs go java kt rb php sh bash pl lua sql css scss r jl ipynb",
        "markdown": "md markdown",
        "text": "txt text md markdown log rst",
        "ebook": "epub mobi azw3 fb2",
        "document": "pdf docx doc odt rtf txt md tex pages",
    }.items()
}

NAMES: dict[str, tuple[str, str, str, str]] = {
    "pdf": ("PDF", "PDFs", "PDF", "PDFs"),
    "jpeg": ("JPEG", "JPEGs", "JPEG", "JPEGs"),
    "png": ("PNG", "PNGs", "PNG", "PNGs"),
    "image": ("image", "images", "Bild", "Bilder"),
    "video": ("video", "videos", "Video", "Videos"),
    "audio": ("audio file", "audio files", "Audiodatei", "Audiodateien"),
    "word": ("Word document", "Word documents", "Word-Dokument", "Word-Dokumente"),
    "csv": ("CSV file", "CSV files", "CSV-Datei", "CSV-Dateien"),
    "spreadsheet": ("spreadsheet", "spreadsheets", "Tabelle", "Tabellen"),
    "presentation": ("presentation", "presentations", "Präsentation", "Präsentationen"),
    "archive": ("archive", "archives", "Archiv", "Archive"),
    "code": ("source file", "source files", "Quelltext", "Quelltexte"),
    "markdown": ("Markdown file", "Markdown files", "Markdown-Datei", "Markdown-Dateien"),
    "text": ("text file", "text files", "Textdatei", "Textdateien"),
    "ebook": ("e-book", "e-books", "E-Book", "E-Books"),
    "document": ("document", "documents", "Dokument", "Dokumente"),
}
"""One and many, in English and in German."""

_FOLDERS: tuple[tuple[str, str, str], ...] = (
    ("pdf", "PDFs", "PDFs"),
    ("image", "Images", "Bilder"),
    ("video", "Videos", "Videos"),
    ("audio", "Audio", "Audio"),
    ("spreadsheet", "Spreadsheets", "Tabellen"),
    ("presentation", "Presentations", "Präsentationen"),
    ("archive", "Archives", "Archive"),
    ("code", "Code", "Quelltexte"),
    ("ebook", "E-books", "E-Books"),
    ("document", "Documents", "Dokumente"),
    ("text", "Text", "Texte"),
)

_PACKED = frozenset(".gz .bz2 .xz .zst .lz .lzma .br".split())
"""What stands behind the suffix of a file that is packed."""

KNOWN = frozenset[str]().union(*SUFFIXES.values())


def parted(name: str) -> tuple[str, str]:
    """Part a name from its suffix, both of them where a known kind of file is packed: ``site``, ``.tar.gz``."""
    stem, suffix = os.path.splitext(name)
    before, inner = os.path.splitext(stem)
    return (before, inner + suffix) if suffix.lower() in _PACKED and inner.lower() in KNOWN else (stem, suffix)


def matches(suffix: str, kind: str | None) -> bool:
    """Tell whether a file with ``suffix`` (lower case, with its dot) is of ``kind``; None is every kind."""
    return kind is None or suffix in SUFFIXES[kind]


def folder_for(suffix: str, language: str) -> str:
    """Return the name of the subfolder in which files with ``suffix`` are kept."""
    for kind, english, german in _FOLDERS:
        if suffix in SUFFIXES[kind]:
            return german if language == "de" else english
    return "Andere" if language == "de" else "Other"


def name(kind: str | None, number: int, language: str) -> str:
    """Return what ``number`` files of ``kind`` are called, without the number."""
    one, many, eine, viele = NAMES[kind] if kind else ("file", "files", "Datei", "Dateien")
    if language == "de":
        return eine if number == 1 else viele
    return one if number == 1 else many
