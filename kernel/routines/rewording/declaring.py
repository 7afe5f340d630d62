"""A rule that is said as what becomes of things: "every new screenshot on the desktop goes to Pictures/Screenshots".

It is the same as "whenever a new screenshot lands on the desktop, move it to ...", and heard as that. Only new things
are meant so: "every PDF goes to Documents" may be a request to do it now. What else is said of them ("and is deleted
from ...") is no request, so such a sentence is none that is heard so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

_FORMS: Mapping[str, tuple[str, str]] = {
    "en": (
        r"(?:every|each|any) new (?P<noun>[\w .'-]+?) "
        r"(?P<place>(?:in|on) (?!to\b)(?:my |the )?(?:(?! and )[\w ./~-])+?) "
        r"(?:goes|moves|belongs|should go|has to go|is to go|must go|gets moved|is moved|is to be moved) "
        r"(?:to|into|in) (?P<to>(?:(?! and )[^,;:])+?)[.!]?",
        "Whenever a new {noun} lands {place}, move it to {to}",
    ),
    "de": (
        r"jede[rs]? neue[rs]? (?P<noun>[\w .-]+?) (?P<place>(?:aufm|auf dem|auf'm|am|im|in|in meinem|auf meinem) "
        r"(?:(?! und )[\w ./~-])+?) (?:wandert|kommt|kimmt|geht|gehört|soll|muss|wird) (?:nach|in|zu|ins) "
        r"(?P<to>(?:(?! und )[^,;:])+?)(?: verschoben| wandern| gehen| kommen)?[.!]?",
        "Sobald {one} {noun} {place} landet, verschieb {it} nach {to}",
    ),
}  # fmt: skip
_CASUAL = {"aufm": "auf dem", "auf'm": "auf dem"}
_ONE = {"jeder": "ein neuer", "jede": "eine neue", "jedes": "ein neues"}
_IT = {"jeder": "ihn", "jede": "sie", "jedes": "es"}


@cache
def _compiled(language: str) -> re.Pattern[str]:
    return re.compile(_FORMS[language][0], re.IGNORECASE)


def as_happening(text: str) -> str:
    """Return the rule that ``text`` declares as one about what happens; empty where it is none."""
    for language, (_, rule) in _FORMS.items():
        found = _compiled(language).fullmatch(text.strip())
        if found is not None:
            each = text.split(maxsplit=1)[0].casefold()
            prep, _, rest = found["place"].partition(" ")
            said = found.groupdict() | {"place": f"{_CASUAL.get(prep.casefold(), prep)} {rest}"}
            return rule.format(**said, one=_ONE.get(each, ""), it=_IT.get(each, ""))
    return ""
