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
_BEFORE = re.compile(r"(?P<first>.+?,? (?:and|und)(?: then| dann)? )(?P<last>.+)", re.IGNORECASE)
_SHOW = {
    "en": "show me a notification that says “{text}”",
    "de": "zeig mir eine Benachrichtigung mit dem Text „{text}“",
}
_SHOW_AT_TIMES = {"en": _SHOW["en"], "de": "zeig die Benachrichtigung „{text}“"}


_AT_ONCE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:immediately|instantly|at once) "
        r"|,? (?:immediately|right away|straight away|straightaway|at once|instantly)(?= \w|[,.:]|$)",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r" (?:gleich|glei|sofort|umgehend|direkt)(?= (?:noch|ein\w*|a|den|die|das|dem|der|mir|ma|an|in|ins|auf|nach|zu|"
        r"es|ihn|sie|dazu|hin|ab|um|weg|als)\b|[,.:]|$)",
        re.IGNORECASE,
    ),
}
_QUOTED = frozenset('"“”„«»')


def at_its_moment(said: str, language: str) -> str:
    """Return a request of a rule without "at once", "gleich": whatever sets it off, it is done then."""
    if language not in _AT_ONCE or not _QUOTED.isdisjoint(said):
        return said
    return _AT_ONCE[language].sub("", said)


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
    found = _THAT[language].fullmatch(wish)
    return None if found is None else _SHOW[language].format(text=_quoted(found["text"]))


def _quoted(text: str) -> str:
    return re.sub('[“”„"]', "'", text)
