"""Requests about each of what was found: "..., and for each of them make a note", "fasse jede davon zusammen".

What this stops: that "each of them" is read as "them", so that what is to be done again and again is done once.
What it does not: say what the things are; they are those of the clauses before, or, where none are, of the request
before. "Each of the PDFs in Downloads" names its things and is ``branching.loop_of``'s.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kernel.language.clause_joints import LONGEST, IsVerb, clause_around, is_own_text


@dataclass(frozen=True, slots=True)
class Each:
    """``body`` is asked for each of what the clauses ``before`` find, of what was found earlier where that is empty.

    ``together``: a call that takes several things may take all of them at once ("copy each of them").
    """

    before: str
    body: str
    together: bool


_EN_ONE = (
    r"(?:each|every)(?:\s+(?:single\s+)?one)?\s+of\s+(?:them|these|those)(?:\s+all)?|(?:each|every)\s+(?:single\s+)?one"
)
_EN_END = r"(?!\s+of\b)(?!\s+(?:that|which|whose|in|from)\b)"
_DE_ONE = (
    r"(?P<one>jede[nrsm]?)(?:\s+(?:einzelne[nrsm]?))?\s+(?:davon|von\s+ihnen|von\s+denen|von\s+diesen|derselben)|"
    r"(?P<single>jede[nrsm]?\s+einzelne[nrsm]?)(?=\s*[,.;:]|\s*$)"
)
_PATTERNS = {
    "en": re.compile(rf"\b(?P<for>for\s+)?(?:{_EN_ONE}){_EN_END}", re.IGNORECASE),
    "de": re.compile(rf"\b(?P<for>f(?:ü|ue)r\s+)?(?:{_DE_ONE})(?!\s+(?:der|des|von|in|aus)\b)", re.IGNORECASE),
}
_PRONOUNS = {"jede": "sie", "jeden": "ihn", "jedes": "es", "jeder": "ihr", "jedem": "ihm"}


def each_of_them(text: str, language: str, is_verb: IsVerb) -> Each | None:
    """Return what ``text`` asks for each of what was found; None where it speaks of no such thing.

    ``is_verb`` tells a word with which a request may begin.
    """
    language = "de" if language == "de" else "en"
    if len(text) > LONGEST:
        return None
    found = next((one for one in _PATTERNS[language].finditer(text) if not is_own_text(text, one.start())), None)
    if found is None:
        return None
    clause = clause_around(text, found.start(), is_verb)
    pronoun = "" if found["for"] else _pronoun(found, language)
    body = _joined(text[clause.start : found.start()], pronoun, text[found.end() :])
    return Each(clause.before, body, together=not found["for"]) if body.strip(" ,.;:!?") else None


def _pronoun(found: re.Match[str], language: str) -> str:
    if language == "en":
        return "it"
    return _PRONOUNS[(found["one"] or found["single"]).lower().split()[0]]


def _joined(before: str, pronoun: str, after: str) -> str:
    rest = after if pronoun or before.strip() else re.sub(r"^[\s,:]+(?:(?:then|dann)\s+)?", "", after)
    return " ".join(f"{before} {pronoun} {rest}".split()).replace(" ,", ",").rstrip(" .!;,")
