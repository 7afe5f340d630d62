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
        r"(?:bitte )?(?:(?:sag(?:st)?|gib|gibst)e? (?:mir|ma)(?: bescheid| bitte)?|warne? mich|"
        r"erinnere? mich(?: daran)?|"
        r"benachrichtige? mich),? (?:dass|daß|ans?|an die|an das|an den|ich soll) (?P<text>.+)",
        re.IGNORECASE,
    ),
}
_OUGHT: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"i (?:should|ought to|must|have to|need to) (?P<deed>.+)", re.IGNORECASE),
    "de": re.compile(r"(?:ich|i) (?P<deed>.+?) (?:soll|sollte|muss|müsste|sollt)", re.IGNORECASE),
}
_ITS: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:please )?(?:tell me|let me know|(?:show|give|send) me(?: a (?:notice|notification|message))?|notify me)"
        r",?(?: (?:of|with|about|that says))? (?P<its>its \w+|„[^“]+“)",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"(?:bitte )?(?:sage? mir(?: bescheid)?|(?:zeige?|schicke?|gib|nenne?) mir"
        r"(?: eine (?:nachricht|benachrichtigung|meldung|mitteilung))?|benachrichtige? mich)"
        r",?(?: (?:mit|über))? (?P<its>(?:seine[nm]|ihre[nm]) \w+|„[^“]+“)",
        re.IGNORECASE,
    ),
}
_SHOW_ITS = {"en": "show me a notification with {its}", "de": "zeig mir eine Benachrichtigung mit {its}"}
_BEFORE = re.compile(r"(?P<first>.+?,? (?:and|und)(?: then| dann)? )(?P<last>.+)", re.IGNORECASE)
_SHOW = {
    "en": "show me a notification that says “{text}”",
    "de": "zeig mir eine Benachrichtigung mit dem Text „{text}“",
}
_SHOW_AT_TIMES = {"en": _SHOW["en"], "de": "zeig die Benachrichtigung „{text}“"}


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


def as_notice(said: str, language: str) -> str:
    """Return ``said`` as a request for a notice where it says what a person is to be told; empty where it does not."""
    found = _THAT[language].fullmatch(said.strip().rstrip(".!")) if language in _SHOW else None
    return "" if found is None else _SHOW_AT_TIMES[language].format(text=_told(found, language))


def _told(found: re.Match[str], language: str) -> str:
    """What they are told: "dass ich was trinken soll" is "was trinken"."""
    text = found["text"]
    ought = _OUGHT[language].fullmatch(text)
    return _quoted(text if ought is None else ought["deed"])


def _notice(wish: str, language: str, happens: str) -> str | None:
    if _BARE[language].fullmatch(wish):
        return _SHOW[language].format(text=_quoted(happens))
    part = _ITS[language].fullmatch(wish)
    if part is not None:
        return _SHOW_ITS[language].format(its=part["its"])
    found = _THAT[language].fullmatch(wish)
    return None if found is None else _SHOW[language].format(text=_quoted(found["text"]))


def _quoted(text: str) -> str:
    return re.sub('[“”„"]', "'", text)
