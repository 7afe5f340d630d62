"""How sizes, days, places, lists, file names and table cells are written for a person, in English and German."""

from __future__ import annotations

import codecs
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from permissions.naming import UNSEEN, readable
from skills.sdk.types import File, Folder

_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}

MONTHS = {
    name: at
    for at, names in enumerate(
        (
            "january januar jan jän jänner", "february februar feb", "march märz mar mär mrz", "april apr", "may mai",
            "june juni jun", "july juli jul", "august aug", "september sep sept", "october oktober oct okt",
            "november nov", "december dezember dec dez",
        ), 1,
    )
    for name in names.split()
}  # fmt: skip
"""Which month is meant by a name of it, or by its usual short form, in small letters: "märz" is 3."""

_STROKES = str.maketrans({"ı": "i", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
_DIGRAPH = re.compile(r"(?<![aeiouq])([aou])e(?=[^\W\d_])")
_STREET = re.compile(r"(?<=[^\W\d_])str(?:\.|(?!\w))")

_UNFIT = re.compile(r"[\s<>:\"/\\|?*]+")
_SUFFIX = re.compile(r"(?<=.)\.\w{1,12}\Z")
_MOST_NAME_BYTES = 200
"""A name on a disk has at most 255 bytes; the rest is left to a number behind it."""


def size(size_bytes: int, language: str = "en") -> str:
    """Return a size in decimal units (1 kB = 1,000 bytes), e.g. ``3.4 MB`` or ``3,4 MB``."""
    value, unit = float(size_bytes), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    if unit == 0:
        name = ("Byte" if language == "de" else "byte") + ("s" if size_bytes != 1 and language != "de" else "")
        return f"{size_bytes} {name}"
    text = f"{value:.1f}".removesuffix(".0") if value < 99.95 else f"{value:.0f}"
    return f"{text.replace('.', ',') if language == 'de' else text} {_UNITS[unit]}"


def day(value: date, language: str = "en") -> str:
    """Return a day as words, e.g. ``3 March 2025`` or ``3. März 2025``."""
    month = _MONTHS["de" if language == "de" else "en"].split()[value.month - 1]
    return f"{value.day}{'.' if language == 'de' else ''} {month} {value.year}"


def name(text: str) -> str:
    """Return the name of a file as it is, with what does not show in it (line breaks, direction marks) as escapes."""
    return readable(text)


def file_name(text: str) -> str:
    """Return ``text`` as the name of a file in a folder: at most 200 bytes, with its suffix; "" where nothing is left.

    What a name may not hold is a blank; what does not show is left out, and so are dots at the edges.
    """
    plain = _UNFIT.sub(" ", unicodedata.normalize("NFC", text))
    whole = " ".join(without_unseen(plain).split()).strip(". ")
    suffix = suffix_of(whole)
    return _cut(whole.removesuffix(suffix), _MOST_NAME_BYTES - len(suffix.encode())).rstrip(". ") + suffix


def suffix_of(file_name: str) -> str:
    """Return the suffix of a file's name with its dot; "" for "Mr. Smith", for its last dot begins no suffix."""
    found = _SUFFIX.search(file_name)
    return found[0] if found else ""


def without_unseen(text: str, kept: str = "") -> str:
    """Return ``text`` without the characters that nobody sees for what they are, but for those ``kept``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one for one in text if one in kept or unicodedata.category(one) not in UNSEEN)


def _cut(text: str, most_bytes: int) -> str:
    """Return the beginning of ``text``; no letter is parted, nor from its marks, unless these alone are too long."""
    kept = whole = text.encode()[:most_bytes].decode("utf-8", "ignore")
    while kept and len(kept) < len(text) and _belongs_before(text[len(kept)]):
        kept = kept[:-1]
    return kept or whole


def _belongs_before(character: str) -> bool:
    return unicodedata.category(character).startswith("M") or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones


def place(path: str, home: str) -> str:
    """Return ``path`` with ``~`` for the home, as ``name`` writes it."""
    if path == home:
        return "~"
    return readable(f"~{path[len(home) :]}" if path.startswith(home.rstrip("/") + "/") else path)


def count(number: int, one: str, many: str) -> str:
    """Return ``1 file`` or ``12 files``; give the words of the language."""
    return f"{number} {one if number == 1 else many}"


def listing(items: Sequence[str], language: str = "en", *, most: int = 20) -> str:
    """Join items as a sentence does (``a, b and c``); what exceeds ``most`` is counted."""
    joiner = "und" if language == "de" else "and"
    shown = list(items[:most])
    if len(items) > most:
        shown.append(f"{len(items) - most} {'weitere' if language == 'de' else 'more'}")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} {joiner} {shown[-1]}"


def short(text: str, most: int) -> str:
    """Return a text in one line, its first ``most`` letters where it is longer."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rstrip()} …"


def unaccented(text: str) -> str:
    """Return a text without case and accents, "ß" as "ss", "ı" as "i", every gap one blank."""
    if text.isascii():
        return " ".join(text.lower().split())
    spread = unicodedata.normalize("NFKD", text.casefold().translate(_STROKES))
    return " ".join("".join(one for one in spread if not unicodedata.combining(one)).lower().split())


def fold(text: str) -> str:
    """Return a text as it is compared, however it is written: ``unaccented``, "ae" as "ä" and "Gartenstr." in full.

    "ue" behind another vowel or a "q" is no "ü" ("Steuer", "queue"), nor is one at the end of a word ("Sue", "Joe").
    """
    return _STREET.sub("strasse", _DIGRAPH.sub(r"\1", unaccented(text)))


def has_all(there: Iterable[str], wanted: Iterable[str], alike: Callable[[str, str], bool]) -> bool:
    """Tell whether for each of the ``wanted`` words one is ``there`` so that ``alike(wanted, there)``."""
    held = tuple(there)
    return all(any(alike(word, one) for one in held) for word in wanted)


def cell(value: Any) -> Any:
    """Return ``value`` as a JSON scalar: dates as ISO 8601, decimals and everything else as text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return str(value)
        case date() | datetime():
            return value.isoformat()
        case File() | Folder():
            return readable(value.path)
        case _:
            return str(value)


def encoding_of(data: bytes) -> str:
    """Return the encoding in which a text file is read: a byte order mark decides, else UTF-8, else Windows-1252."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and len(data) % 2 == 0:
        return "utf-16"
    for encoding in ("utf-8", "cp1252"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"
