"""Which message about an event a file is (iTIP, RFC 5546): said in the mail, so that programs can answer it.

What this stops: a file deciding more about its mail than one word of a closed list; one that says two things, of which
another program takes the other. What it does not: read events.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise

LARGEST_BYTES = 1 << 20

_METHODS = frozenset((b"REQUEST", b"REPLY", b"CANCEL", b"COUNTER"))
_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,20}BEGIN:VCALENDAR[ \t]*\r?\n", re.IGNORECASE)
_SAID = re.compile(rb"^METHOD", re.IGNORECASE | re.MULTILINE)
_BARE = re.compile(rb"\r(?!\n)")
_METHOD = re.compile(rb"METHOD:[ \t]*([A-Z]{1,20})[ \t]*\r?", re.IGNORECASE)


def scheduling_method(name: str, content: bytes) -> str:
    """Return the METHOD of a calendar (``.ics``) that is such a message; "" for everything else."""
    begins = _BEGINS.match(content) if name.casefold().endswith(".ics") and len(content) <= LARGEST_BYTES else None
    if begins is None or _BARE.search(content) or len(list(islice(_SAID.finditer(content), 2))) != 1:
        return ""
    lines = content[begins.end() :].split(b"\n", 50)[:50]
    for line, following in pairwise(lines):
        if line[:6].upper() in (b"BEGIN:", b"END:VC"):
            return ""
        found = _METHOD.fullmatch(line)
        if found is not None:
            whole = found[1].upper() in _METHODS and following[:1] not in (b" ", b"\t")
            return found[1].upper().decode() if whole else ""
    return ""
