"""Web addresses in a sentence: "https://example.org/a", "wikipedia.org/wiki/Berlin", "example dot org slash news".

Without a scheme only what ends as hosts do and files do not is one ("example.org", and not "notes.md"), unless it
begins with "www."; and a file of that name that is there is the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernel.language.line import Found, Line
from skills.model import ValueKind

_ENDINGS = frozenset(
    "com org net edu gov mil int info biz io dev app eu de at ch li uk ie fr it es pt nl be lu se no dk fi is cz sk hu "
    "gr tr us ca mx br ar au nz jp kr cn tw hk sg za tv wiki blog news online shop berlin hamburg wien koeln swiss "
    "museum academy cloud site website space tech xyz".split()
)
_SCHEME = re.compile(r"https?://[^\s<>\"“”„]+", re.IGNORECASE)
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_BARE = re.compile(
    rf"(?:{_LABEL}\.)+[^\W\d_]{{2,24}}(?::\d{{1,5}})?(?:/[^\s<>\"“”„]*)?(?:[?#][^\s<>\"“”„]*)?", re.IGNORECASE
)
_HOST = re.compile(rf"(?:{_LABEL}\.)+(?P<ending>[^\W\d_]{{2,24}})", re.IGNORECASE)
_TRAILING = ".,;:!?)]}'’…"
_DOTS = frozenset({"dot", "punkt"})
_SLASHES = frozenset({"slash", "schrägstrich"})
_SPOKEN_LABEL = re.compile(r"[^\W_][\w-]*")
_MOST_LABELS = 12
_SOURCE, _HOST_ALONE = "grammar.address", "grammar.address.host"
_SURE, _SPOKEN = 0.97, 0.93
_MISSING = frozenset({ValueKind.FILE, ValueKind.FOLDER})


def find_web_addresses(line: Line) -> Iterator[Found]:
    """Yield every web address of the sentence, with ``https://`` where no scheme was said."""
    end = 0
    for index in range(line.size):
        if index < end:
            continue
        found = _written(line, index) or _spoken(line, index)
        if found is not None:
            end = found.last
            yield found


def without_missing_files(typed: list[Found]) -> list[Found]:
    """Let an address be no file that is not there, and a file that is there be no address.

    A bare host ("emacs.info", "Notes.app") may as well be a file that is not there: then it stays both, rather
    the address, and the tool's kind decides.
    """
    addresses = [one for one in typed if one.kind is ValueKind.URL]
    if not addresses:
        return typed
    files = [one for one in typed if one.kind in _MISSING and one.source != "missing"]
    meant = [one for one in addresses if not any(_same(one, file) for file in files)]
    gone = {id(one) for one in addresses if one not in meant}
    kept = (_beside(one, meant) for one in typed if id(one) not in gone)
    return [one for one in kept if one is not None]


def _beside(one: Found, addresses: list[Found]) -> Found | None:
    """Return what stays of a value beside the addresses: None of a file that is not there and is an address."""
    if one.kind not in _MISSING or one.source != "missing":
        return one
    met = [address for address in addresses if _meets(one, address)]
    return one if all(_same(one, address) and address.source == _HOST_ALONE for address in met) else None


def _same(address: Found, file: Found) -> bool:
    return (address.first, address.last) == (file.first, file.last)


def _meets(one: Found, other: Found) -> bool:
    return one.first < other.last and other.first < one.last


def _written(line: Line, index: int) -> Found | None:
    start = line.tokens[index].start
    if start and line.text[start - 1] in "@/.~":
        return None
    scheme = _SCHEME.match(line.text, start)
    match = scheme or _BARE.match(line.text, start)
    if match is None or (scheme is None and not _is_host(match[0])):
        return None
    text = match[0].rstrip(_TRAILING)
    last = index + 1
    while last < line.size and line.tokens[last].end <= start + len(text):
        last += 1
    if line.tokens[last - 1].end != start + len(text) or line.text[start + len(text) : start + len(text) + 1] == "@":
        return None
    source = _HOST_ALONE if not scheme and _is_file_name(text) else _SOURCE
    return Found(ValueKind.URL, index, last, text if scheme else f"https://{text}", _SURE, source)


def _is_file_name(text: str) -> bool:
    """Tell whether a file may be called so: a host and no more, without "www."."""
    host = _HOST.fullmatch(text)
    return host is not None and not text.lower().startswith("www.")


def _is_host(text: str) -> bool:
    host = _HOST.match(text)
    return host is not None and (host["ending"].lower() in _ENDINGS or text.lower().startswith("www."))


def _spoken(line: Line, index: int) -> Found | None:
    """ "example dot org slash news": words with the sign between them said."""
    labels, at = [line.raw(index)], index + 1
    while len(labels) < _MOST_LABELS and line.norm(at) in _DOTS and _SPOKEN_LABEL.fullmatch(line.raw(at + 1)):
        labels.append(line.raw(at + 1))
        at += 2
    if len(labels) < 2 or labels[-1].lower() not in _ENDINGS or not _SPOKEN_LABEL.fullmatch(labels[0]):
        return None
    path = ""
    while line.norm(at) in _SLASHES and _SPOKEN_LABEL.fullmatch(line.raw(at + 1)):
        path += f"/{line.raw(at + 1)}"
        at += 2
    host = ".".join(labels).lower()
    return Found(ValueKind.URL, index, at, f"https://{host}{path}", _SPOKEN, _SOURCE)
