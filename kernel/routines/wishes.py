"""What a rule wants a person to be told, in the words that a request for a notice has.

"Let me know", "sag mir Bescheid" is a notice that says what happened; "remind me to plug it in" one that says so: a
reminder without a time, in a rule, is for the moment of the rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_BARE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:please )?(?:notify me|let me know|tell me(?: about (?:it|that))?|warn me|alert me|inform me|ping me|"
        r"give me a (?:notice|notification|heads[- ]up)|(?:show|send) me a (?:notice|notification|message))"
        r"(?: please)?",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"(?:bitte )?(?:(?:sag|gib)e? (?:mir )?(?:bitte )?(?:bescheid|das)|benachrichtige? mich|warne? mich|"
        r"meld(?:e|'s)?(?: es)? mir|lass(?: es)? (?:mich|mir)(?: es)? wissen|informiere? mich|"
        r"(?:zeige?|schicke?) mir eine (?:nachricht|benachrichtigung|meldung|mitteilung))(?: bitte)?",
        re.IGNORECASE,
    ),
}
_THAT: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:please )?(?:tell|remind|warn|notify|alert) me (?:that|to|about) (?P<text>(?!it$|that$|them$).+)",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"(?:bitte )?(?:(?:sag|gib)e? mir (?:bescheid|bitte)?|warne? mich|erinnere? mich(?: daran)?|"
        r"benachrichtige? mich),? (?:dass|daß|ans?|an die|an das|an den|ich soll) (?P<text>.+)",
        re.IGNORECASE,
    ),
}
_BEFORE = re.compile(r"(?P<first>.+?,? (?:and|und)(?: then| dann)? )(?P<last>.+)", re.IGNORECASE)
_SHOW = {
    "en": "show me a notification that says “{text}”",
    "de": "zeig mir eine Benachrichtigung mit dem Text „{text}“",
}


def plainly(said: str, language: str, happens: str) -> str:
    """Return ``said`` as a request for a notice where it wants somebody to be told; ``happens`` is what happened."""
    wish = said.strip().rstrip(".!")
    if language not in _SHOW:
        return said
    before = _BEFORE.fullmatch(wish)
    if before is not None:
        last = _notice(before["last"], language, happens)
        return said if last is None else f"{before['first']}{last}"
    return _notice(wish, language, happens) or said


def _notice(wish: str, language: str, happens: str) -> str | None:
    if _BARE[language].fullmatch(wish):
        return _SHOW[language].format(text=_quoted(happens))
    found = _THAT[language].fullmatch(wish)
    return None if found is None else _SHOW[language].format(text=_quoted(found["text"]))


def _quoted(text: str) -> str:
    return re.sub('[“”„"]', "'", text)
