"""A rule that wants something moved, and to stay where it is: both cannot be, so a person is asked which counts.

What stays where it is moved to ("and it is to stay there") is no such rule, nor is one that leaves some things out
("but leave the PDFs where they are").
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_MOVES: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:move|moves|shift|relocate)\b", re.IGNORECASE),
    "de": re.compile(r"\b(?:verschieb(?:e|st|t|en)?|verlager[en]?)\b", re.IGNORECASE),
}
_COPIES: Mapping[str, str] = {"en": "copy", "de": "kopiere"}
_CHOICES: Mapping[str, tuple[str, str]] = {"en": ("mov", "cop"), "de": ("versch", "kopi")}
_IT: Mapping[str, str] = {
    "en": r"(?:it|they|them|(?:the )?originals?|the files?)",
    "de": r"(?:sie|er|es|ihn|das Original|die Originale|die Dateien?)",
}
# Bounded, so that a long text with many of these words costs no more than its length.
_ON = r"[^,;.]{0,80}?(?:,?\s(?:too|as well))?(?=$|[,;.]|\s(?:and|but|und|aber)\s)"
_STAYS: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"[,;.]?\s*\b(?:but|and|yet|though|although|while)\b[^,;.]{0,80}?"
        rf"\b(?:{_IT['en']}\b[^,;.]{{0,80}}?\b(?:stays?|remains?)|(?:keep|leave)\s+{_IT['en']})\b{_ON}",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"[,;.]?\s*\b(?:aber|und|doch|jedoch|wobei|allerdings)\b[^,;.]{0,80}?"
        rf"\b(?:{_IT['de']}\b[^,;.]{{0,80}}?\b(?:liegen|erhalten|drin|dort|da)?bleib(?:en|t)|lass\s+{_IT['de']})\b{_ON}",
        re.IGNORECASE,
    ),
}
_TOO: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:also|too|as well|still|at the same time|originals?|where (?:it is|they are))\b", re.IGNORECASE
    ),
    "de": re.compile(
        r"\b(?:auch|weiterhin|trotzdem|dennoch|gleichzeitig|zugleich|Originale?|wo (?:es|sie|er) (?:ist|sind))\b",
        re.IGNORECASE,
    ),
}
_NO_COPY: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"[,;.]?\s*(?:\b(?:and|but)\s+)?"
        r"(?:i (?:don't|do not|don’t) want (?:a copy|(?:any )?copies)|without (?:a copy|copying(?: it| them)?)|"
        r"no cop(?:y|ies))\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"[,;.]?\s*(?:\b(?:und|aber)\s+)?"
        r"(?:(?:eine Kopie|Kopien) will ich (?:nicht|keine)|ich will keine Kopien?|"
        r"ohne (?:Kopien?|(?:sie )?zu kopieren))\b",
        re.IGNORECASE,
    ),
}


def as_either(text: str, language: str) -> dict[str, str]:
    """Return a rule that moves what is to stay, as one that moves and as one that copies; empty for any other rule.

    Each is told by what the word begins with that chooses it.
    """
    if language not in _MOVES:
        return {}
    verb = _MOVES[language].search(text)
    if verb is None:
        return {}
    clause = next((one for one in _STAYS[language].finditer(text) if _TOO[language].search(one[0])), None)
    if clause is None or clause.start() <= verb.start() < clause.end():
        return {}
    moved = _NO_COPY[language].sub("", text[: clause.start()] + text[clause.end() :])
    copied = _MOVES[language].sub(_COPIES[language], moved, count=1)
    return dict(zip(_CHOICES[language], (moved, copied), strict=True))
