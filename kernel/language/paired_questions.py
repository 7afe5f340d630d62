"""One question over two values: "how much did I spend on food in May and how much in June, according to a.csv?".

What this stops: that the second question loses what the first one says ("on food", the table). What it does not: pair
questions that differ in more than one phrase; the phrase is known by its preposition, which both have.
"""

from __future__ import annotations

import re

from kernel.language.clause_joints import LONGEST

_ASK = {
    "en": r"(?P<ask>how\s+(?:much|many|often|long)|what|when|who)",
    "de": r"(?P<ask>wie\s*(?:viele?|oft|lange)|was|wann|wer)",
}
_AND = {"en": "and", "de": "und"}
_PREPOSITION = {
    "en": r"(?P<at>in|at|on|for|from|by|with)",
    "de": r"(?P<at>im|in|am|an|bei|beim|für|von|vom|mit|auf)",
}
_NEXT = {"en": r"in|at|on|for|from|by|with|according|during|of|to", "de": r"im|in|am|an|bei|für|von|mit|auf|laut|nach"}
_MOST = 4  # words of what is different


def paired(text: str, language: str) -> tuple[str, str] | None:
    """Return the two questions that ``text`` asks, each whole; None where it asks no such two."""
    language, text = "de" if language == "de" else "en", " ".join(text.split()).rstrip(" .?!")
    ask, preposition = _ASK[language], _PREPOSITION[language]
    found = re.fullmatch(
        rf"{ask}\s+(?P<one>[^;?]+?),?\s+{_AND[language]}\s+(?P=ask)\s+(?P<two>{preposition}\s+[^,;?]+?)"
        r"(?P<source>,\s*[^;?]+)?",
        text,
        re.IGNORECASE,
    )
    if found is None or len(text) > LONGEST or not 1 < len(found["two"].split()) <= _MOST:
        return None
    same = list(re.finditer(rf"\b{re.escape(found['at'])}\s+", found["one"], re.IGNORECASE))
    if not same:
        return None
    at, source = same[-1].start(), found["source"] or ""
    rest = found["one"][at:].split()
    words = len(found["two"].split())
    if any(re.fullmatch(_NEXT[language], word, re.IGNORECASE) for word in rest[1:words]):
        return None
    other = " ".join((found["one"][:at].strip(), found["two"], *rest[words:]))
    return f"{found['ask']} {found['one']}{source}", f"{found['ask']} {other}{source}"
