"""Which running programs a person means by a name: as it is, as people say it, or as its files are called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_SAID = re.compile(
    r"^(?:the|my|der|die|das|mein|meine|program|programm|app|process|prozess)\s+|\s+(?:browser|program|programm|app|process|prozess)$"
)
_TAILS = re.compile(r"(?:[-._](?:\d[\d.]*|bin|real|wrapper|stable|esr|beta|gui|desktop))+$|\.(?:exe|bin|py|sh)$")
_LEAST = 4


def called(programs: Sequence[Mapping[str, Any]], said: str) -> list[Mapping[str, Any]]:
    """Return the programs that ``said`` names, those of that very name first."""
    wanted = _bare(said)
    found = [one for one in programs if _bare(str(one["name"])) == wanted]
    return found or [one for one in programs if len(wanted) >= _LEAST and wanted in _words(str(one["name"]))]


def _bare(name: str) -> str:
    """ "the Firefox browser", "firefox-bin": firefox."""
    text, before = name.casefold().strip(), ""
    while text != before:
        before, text = text, _TAILS.sub("", _SAID.sub("", text)).strip()
    return re.sub(r"[\s_-]+", "", text)


def _words(name: str) -> list[str]:
    return re.split(r"[\s._-]+", name.casefold())
