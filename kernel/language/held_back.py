"""A deed that is held back for another one: "don't delete it, just move it to Archive", "zeig mir nur ...".

What this stops: that what is not to be done is planned, or that the whole request is refused for its "not". What it
does not: read a "not" beside which nothing else is asked for, or one that restricts the deed itself ("not the PDFs").
"""

from __future__ import annotations

import re

from kernel.language.clause_joints import LONGEST, IsVerb, is_own_text

_EN = re.compile(
    r"(?:please\s+)?(?:do\s+not|don['’]?t|dont|never)\s+(?P<verb>[a-z]+)\s+(?P<rest>(?:[^.;,:]|[.](?=\w))+?)"
    r"(?:\s*[.;,]\s*|\s+)(?:and\s+|but\s+)?(?P<only>just|only|instead|rather)\s+(?P<then>.+)",
    re.IGNORECASE | re.DOTALL,
)
_DE = re.compile(
    r"(?:bitte\s+)?(?P<verb>[a-zäöüß]+)\s+(?:mir\s+)?(?P<rest>(?:(?:[^.;,:]|[.](?=\w))+?\s+)??)"
    r"(?:(?:noch|bitte|erst\s+mal|jetzt)\s+)?"
    r"(?:nicht|nichts|kein(?:e[nrms]?)?(?:\s+\w+)?)(?:\s+(?:ab|an|auf|aus|ein|weg|raus|rein|um|los))?"
    r"\s*[.;,]\s*(?:und\s+|sondern\s+)?(?P<then>[a-zäöüß]+\s.+)",
    re.IGNORECASE | re.DOTALL,
)
_ONLY_DE = re.compile(r"\s+(?:nur|bloß|lediglich|stattdessen|lieber)\b", re.IGNORECASE)
_NOTHING = re.compile(r"(?:any(?:thing|one|body)?|it|that|this|them)\b.*", re.IGNORECASE | re.DOTALL)
_LATER = re.compile(r"\s+(?:yet|now|for\s+now|(?:or|and)\s+anything)$", re.IGNORECASE)
_IT_EN = re.compile(r"\b(?:it|them)\b", re.IGNORECASE)
_IT_DE = re.compile(r"(?<=\s)(?:es|sie|ihn)(?=\s|$)", re.IGNORECASE)
_FOR_IT = re.compile(r"(?<=\s)(?:ihm|ihr|ihnen)(?=\s)", re.IGNORECASE)


def contrasted(text: str, language: str, is_verb: IsVerb) -> str:
    """Return the request that is left of ``text`` where it holds one deed back for another; else nothing.

    What the deed that is held back names stands where the other one says "it".
    """
    text = " ".join(text.split())
    if len(text) > LONGEST:
        return ""
    return _german(text, is_verb) if language == "de" else _english(text, is_verb)


def _english(text: str, is_verb: IsVerb) -> str:
    found = _EN.fullmatch(text)
    if found is None or not _are_verbs(found, is_verb) or is_own_text(text, found.start("only")):
        return ""
    rest = _LATER.sub("", found["rest"])
    named = "" if _NOTHING.fullmatch(rest) else rest
    return _IT_EN.sub(lambda _: named, found["then"], count=1) if named else found["then"]


def _german(text: str, is_verb: IsVerb) -> str:
    found = _DE.fullmatch(text)
    if found is None or not _are_verbs(found, is_verb):
        return ""
    only = _ONLY_DE.search(found["then"])
    if only is None or is_own_text(found["then"], only.start()):
        return ""
    then = found["then"][: only.start()] + found["then"][only.end() :]
    named = found["rest"].strip()
    if not named:
        return then
    pointing = _IT_DE if _IT_DE.search(then[: only.start()]) else _FOR_IT
    return pointing.sub(lambda _: named, then, count=1)


def _are_verbs(found: re.Match[str], is_verb: IsVerb) -> bool:
    return is_verb(found["verb"].casefold()) and is_verb(found["then"].split()[0].casefold())
