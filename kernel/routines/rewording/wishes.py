"""What a rule wants a person to be told or shown, in the words that a request for a notice, or for a window, has.

"Let me know", "sag mir Bescheid" is a notice that says what happened; "remind me to plug it in" one that says so: a
reminder without a time, in a rule, is for the moment of the rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kernel.language.frame.framing import lead

_SOON = r"(?:straight ?away|right away|immediately|at once|asap|instantly|quickly|then|please)"
_GLEICH = r"(?:sofort|gleich|umgehend|direkt|sogleich|unverzüglich|schnell|kurz|dann|bitte)"
_BARE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        rf"(?:{_SOON},? )*(?:(?:notify|remind) me|let me know|tell me(?: about (?:it|that))?|warn me|alert me|"
        r"inform me|ping me|"
        r"give me a (?:notice|notification|heads[- ]up|shout|sign|ping)|tell me so|"
        r"(?:show|send|display)(?: me)? (?:a|me) (?:short |quick )?(?:notice|notification|message|alert))"
        rf"(?: (?:about|of) (?:it|that))?(?:,? {_SOON})*",
        re.IGNORECASE,
    ),
    "de": re.compile(
        rf"(?:{_GLEICH},? )*(?:(?:sag|gib)(?:e|s|'s)? (?:(?:es )?(?:mir|ma) )?(?:{_GLEICH} )*(?:bescheid|das)|"
        rf"(?:benachrichtige?|warne?|informiere?|verständige?|alarmiere?|erinnere?) mich(?: (?:darüber|davon|daran))?|"
        r"meld(?:e|'s)?(?: es| das)? mir(?: das)?|lass(?: es| das)? (?:mich|mir)(?: es| das)? "
        rf"(?:{_GLEICH} )*wissen|"
        rf"(?:zeige?|schicke?|gib) mir (?:{_GLEICH} )*eine (?:kurze )?"
        r"(?:nachricht|benachrichtigung|meldung|mitteilung))"
        rf"(?:,? {_GLEICH})*",
        re.IGNORECASE,
    ),
}
_THAT: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        rf"(?:{_SOON},? )*(?:tell|remind|warn|notify|alert) me(?: {_SOON})* (?:that|to|about) "
        r"(?P<text>(?!it$|that$|them$).+)",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"(?:bitte )?(?:(?:sag(?:st)?|gib|gibst)e? (?:mir|ma)(?: bescheid| bitte)?|warne? mich|"
        r"erinnere? mich(?: daran)?|"
        r"benachrichtige? mich)(?:,? (?:dass|daß|ans?|an die|an das|an den|ich soll)|(?<=daran),) (?P<text>.+)",
        re.IGNORECASE,
    ),
}
_OUGHT: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"i (?:should|ought to|must|have to|need to) (?P<deed>.+)", re.IGNORECASE),
    "de": re.compile(r"(?:ich|i) (?P<deed>.+?) (?:soll|sollte|muss|müsste|sollt)", re.IGNORECASE),
}
_CALL = re.compile(r"^(?:geh|ach|hey|du|na|mei|komm|hi|hello|hallo),? ", re.IGNORECASE)
_WORD = re.compile(r"[\w'’-]+|[^\w\s]")
_PLEASE = re.compile(r",? (?:please|bitte)$", re.IGNORECASE)
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
_SEES = re.compile(
    r"(?:please |bitte )?(?:tell|show|list|say|read|give|let me (?:see|know)|what|which|who|when|where|how|"
    r"zeige?|sage?|sagst|nenne?|lies|lese|liste|gib|lass mich|was|welche[rnsm]?|wer|wann|wo|wie)\b",
    re.IGNORECASE,
)
_REMINDS = re.compile(r"(?:please |bitte )?(?:remind me|erinnere? mich|erinnerst (?:du )?mich)\b", re.IGNORECASE)
_OPENS: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:please )?open(?: up)?(?: me)? (?P<what>(?:(?!\b(?:and|with|in|on|using)\b|,).)+?)"
        r"(?: up)?(?: for me)?(?:,? please)?",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"(?:bitte )?(?:öffne|mach(?=.* auf\b))(?: mir)?(?: bitte)? (?P<what>(?:(?!\b(?:und|mit|in|im|auf|am)\b|,).)+?)"
        r"(?:(?<=.) auf|(?<=.) bitte)*",
        re.IGNORECASE,
    ),
}
_ON_SCREEN = {"en": "open {what} on my screen", "de": "öffne {what} auf meinem Bildschirm"}
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


def wants_to_see(said: str) -> bool:
    """Tell whether ``said`` begins as a wish to be shown or told something, or as a question."""
    return _SEES.match(said) is not None


def wants_a_reminder(said: str) -> bool:
    """Tell whether ``said`` begins as a wish to be reminded."""
    return _REMINDS.match(said) is not None


def on_screen(said: str, language: str) -> str:
    """Return ``said`` with where it is opened, where it wants nothing but one thing opened; empty where it does not.

    At a moment of its own a rule has nobody before it who asked for the text.
    """
    found = _OPENS[language].fullmatch(said.strip().rstrip(".!")) if language in _OPENS else None
    return "" if found is None else _ON_SCREEN[language].format(what=found["what"])


def as_notice(said: str, language: str) -> str:
    """Return ``said`` as a request for a notice where it says what a person is to be told; empty where it does not."""
    wish = _unframed(said.strip().rstrip(".!"))
    found = _THAT[language].fullmatch(wish) if language in _SHOW else None
    return "" if found is None else _SHOW_AT_TIMES[language].format(text=_told(found, language))


def _unframed(said: str) -> str:
    """The request without what only leads to it: "Geh, sei so lieb und ..."."""
    said = _CALL.sub("", said)
    words = list(_WORD.finditer(said))
    framed = lead([one[0].casefold() for one in words])
    return said[words[framed].start() :] if framed < len(words) else said


def _told(found: re.Match[str], language: str) -> str:
    """What they are told: "dass ich was trinken soll, bitte" is "was trinken"."""
    text = _PLEASE.sub("", found["text"])
    ought = _OUGHT[language].fullmatch(text)
    return _quoted(text if ought is None else ought["deed"])


def _notice(wish: str, language: str, happens: str) -> str | None:
    if _BARE[language].fullmatch(wish):
        return _SHOW[language].format(text=_quoted(happens))
    part = _ITS[language].fullmatch(wish)
    if part is not None:
        return _SHOW_ITS[language].format(its=part["its"])
    found = _THAT[language].fullmatch(wish)
    return None if found is None else _SHOW[language].format(text=_quoted(_PLEASE.sub("", found["text"])))


def _quoted(text: str) -> str:
    return re.sub('[“”„"]', "'", text)
