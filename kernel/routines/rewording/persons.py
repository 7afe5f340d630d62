"""Who is meant by "him" or "ihr" in a rule about mails: whoever it is to be forwarded to is never who sent it."""

from __future__ import annotations

import re
from collections.abc import Mapping

_FORWARDS: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:forward|pass|relay|hand)\b(?: [\w']+){0,4}? (?:on )?to (?P<who>him|her|them)\b"
        r"|\b(?:forward|relay) (?P<whom>him|her|them) ",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(?:leite?|schicke?|sende?|gib|reiche?)\b(?: \w+){0,5}? (?:an )?(?P<who>ihn|ihm|ihr|sie|ihnen)"
        r"(?: \w+){0,4}? weiter\b",
        re.IGNORECASE,
    ),
}
_ITSELF = frozenset("sie ihn".split())
_TO = re.compile(r"\ban (?P<who>ihn|sie)\b", re.IGNORECASE)


def whom_to_ask_about(said: str, language: str) -> str:
    """Return the pronoun of somebody whom nobody named, in a request to forward what came; empty where there is none.

    German "sie" and "ihn" are the mail itself, unless something goes to them.
    """
    found = _FORWARDS[language].search(said) if language in _FORWARDS else None
    if found is None:
        return ""
    who = next(one for one in found.groupdict().values() if one)
    if who.casefold() not in _ITSELF:
        return who
    to = _TO.search(said)
    dative = re.search(r"\b(ihm|ihr|ihnen)\b", said, re.IGNORECASE)
    return to["who"] if to is not None else dative[1] if dative is not None else ""
