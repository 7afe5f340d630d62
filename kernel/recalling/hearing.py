"""What a whole sentence asks about what was: said, answered, done, and when. Pure; nothing is looked up.

Only a whole sentence means one of them, and one that says neither when nor what about is none ("what did you say?").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernel.language.lexicon import Lexicon
from kernel.language.line import Line
from kernel.language.place.deed_words import Verb, thing_of, verb_of
from kernel.language.time.past_times import When, when_at
from kernel.recalling.model import Doing, Heard, Part, TakeBack, Talk

LONGEST = 30
"""Words of a sentence that is read as one about the past."""

_OPENS = frozenset(
    "what which when where who find show search look get bring pull go list undo revert take roll reverse did have "
    "was welche welcher welches welchen wann worüber wovon über finde such suche zeig zeige hol mach mache nimm hab "
    "habe tell remind sag erzähl".split()
)
_LEAD = re.compile(
    r"(?:(?:hey|hi|hello|hallo|ok|okay|also|and|und|so|but|aber|steward|please|bitte|sag mal|now|nun|jetzt) )*"
    r"(?:(?:can|could|would) you (?:please )?(?:tell me |remind me )?|(?:kannst|könntest) du (?:mir )?(?:bitte )?"
    r"(?:sagen )?|tell me |remind me |sag mir |erinnere mich daran )?"
)
_END = re.compile(r"(?: (?:please|bitte|again|nochmal|noch mal|eigentlich|denn|steward|thanks|danke))+$")
_SELF = r"(?:i|we|you|you and i)"
_ABOUT = r"(?: (?:about|on|regarding|concerning|re) (?P<w>.+))"
_UEBER = r"(?: (?:über|zu|zum|zur|wegen|bezüglich) (?P<w>.+?))"
_TALKS = r"(?:conversations?|chats?|talks?|discussions?|dialogs?|exchange)"
_GESPRAECH = r"(?:gespräche?|unterhaltung(?:en)?|chats?|konversation(?:en)?|dialoge?)"

_TALK = tuple(
    (part, re.compile(pattern), latest)
    for part, pattern, latest in (
        (
            Part.ASKED,
            r"what (?:all )?(?:did|have|had) (?:i|we) (?:last )?"
            r"(?:ask|asked|say|said|tell|told|request|requested|want|wanted)"
            rf"(?: (?:you|steward|from you|of you|for|to do|to))*{_ABOUT}?",
            False,
        ),
        (
            Part.TOLD,
            r"what (?:did|have|had) you (?:last )?"
            r"(?:tell|told|say|said|answer|answered|reply|replied|explain|explained)"
            rf"(?: (?:me|us|to me))*{_ABOUT}?",
            False,
        ),
        (Part.TOLD, r"what was your (?:answer|reply)(?: (?:about|on|to|for) (?P<w>.+))?", False),
        (
            Part.BOTH,
            r"what (?:did|have|had) we (?:last )?(?:talk|talked|speak|spoken|discuss|discussed|chat|chatted)"
            r"(?: about)?(?: (?:regarding )?(?P<w>.+))?",
            False,
        ),
        (
            Part.BOTH,
            rf"(?:find|show|search|search for|look up|look for|get|bring up|pull up|go back to|list)(?: me)? "
            rf"(?:(?:the|our|that|my|all|any|every|a) )*(?:(?:old|earlier|last|previous|past) )?{_TALKS}"
            r"(?: (?:where|in which|when) (?:we|i|you) (?:talked|spoke|asked|discussed|chatted)(?: you)?)?"
            r" (?:about|on|regarding|concerning|mentioning) (?P<w>.+)",
            False,
        ),
        (
            Part.BOTH,
            rf"(?:when|where) (?:did|have) {_SELF} (?:last |first |ever )?(?:ask|asked|talk|talked|speak|spoken|"
            r"chat|tell|told|say)(?: (?:you|me|steward|to you|something))*"
            r" (?:about|regarding|for) (?P<w>.+)",
            True,
        ),
        (Part.BOTH, rf"(?:when|where) (?:did|have) {_SELF} (?:last |first )?(?:discuss|discussed|mention|mentioned) "
                    r"(?P<w>.+)", True),
        (
            Part.BOTH,
            rf"(?:have|did) {_SELF} (?:ever |already |once )?(?:ask|asked|talk|talked|spoken|speak)"
            r"(?: (?:you|me|to you))*"
            r" about (?P<w>.+?)(?: before)?",
            True,
        ),
        (
            Part.DONE,
            r"what (?:all )?(?:did|have|had) (?:i|we|you) (?:do|done|change|changed|been doing|work on|worked on)"
            r"(?: for me| here)*(?: (?:with|to|about) (?P<w>.+))?",
            False,
        ),
        (
            Part.ASKED,
            r"was (?:habe|hab|hatte|haben|wollte|wollten) (?:ich|wir)(?: (?:dich|dir|von dir|alles|zuletzt|zu dir))*"
            r"(?: (?:über|zu|zum|zur|nach|wegen) (?P<w>.+?))?"
            r"(?: (?:gefragt|gesagt|gewollt|gebeten|verlangt|aufgetragen|wissen|wissen wollen))?",
            False,
        ),
        (
            Part.TOLD,
            rf"was hast du(?: (?:mir|uns|alles|zuletzt))*{_UEBER}?(?: (?:mir|uns))? "
            r"(?:gesagt|geantwortet|erzählt|gemeldet|mitgeteilt|erklärt)",
            False,
        ),
        (Part.BOTH, r"(?:worüber|über was|wovon) (?:haben|hatten) wir(?: (?:zuletzt|alles))* "
                    r"(?:gesprochen|geredet|geschrieben|uns unterhalten)", False),
        (Part.BOTH, r"was haben wir (?:über|zu|zum|zur) (?P<w>.+?) (?:besprochen|gesagt|geredet)", False),
        (
            Part.BOTH,
            rf"(?:finde|find|such|suche|zeig|zeige|hol)(?: (?:mir|bitte|mal))* "
            rf"(?:(?:das|die|unser|unsere|unseren|mein|meine|den|alle) )*"
            rf"(?:(?:letzte|alte|frühere)[nsr]? )?{_GESPRAECH}"
            r"(?: (?:heraus|raus))?(?: (?:über|zu|zum|zur|wegen|von|vom) )(?P<w>.+?)(?: (?:heraus|raus|an))?",
            False,
        ),
        (
            Part.BOTH,
            r"wann (?:habe|hab|haben|hast) (?:ich|wir|du)(?: (?:dich|dir|mir|mich|zuletzt|das letzte mal|eigentlich))* "
            r"(?:über|nach|zu|wegen|von) (?P<w>.+?) (?:gefragt|gesprochen|geredet|erzählt|gesagt|geschrieben)",
            True,
        ),
        (
            Part.DONE,
            r"was (?:habe ich|hab ich|hast du|haben wir)(?: (?:alles|für mich|hier))*(?: mit (?P<w>.+?))? "
            r"(?:gemacht|getan|geändert|erledigt|verändert)",
            False,
        ),
    )
)  # fmt: skip
_UNDO = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:undo|revert|take back|roll back|reverse) (?:(?:everything|all|all of|whatever|the things?|the changes?|"
        rf"any changes?) )*(?:(?:that|what|which) )?{_SELF} (?:did|made|changed|have done|did to)"
        r"(?: (?:with|to|on|about) (?P<w>.+))?",
        r"(?:undo|revert|take back|roll back|reverse) (?:the|all|my|your|everything from)?(?: (?:changes?|things?|work|"
        r"actions?))? ?(?:from|of|with|to)?(?: (?P<w>.+))?",
        r"(?:mach|mache|machen sie|nimm|nehmen sie)(?: (?:bitte|mal|alles|das|wieder|rückgängig|zurück))* "
        r"was (?:ich|du|wir)(?: (?:alles))?(?: (?:mit|an) (?P<w>.+?))? (?:gemacht|getan|geändert|verändert) "
        r"(?:habe|hab|hast|haben)(?: (?:wieder|rückgängig|zurück))*",
    )
)
_WHEN_DID = re.compile(
    rf"when (?:did|have) {_SELF} (?:(?:last|lately|most recently) )?(?P<verb>\w+)"
    r"(?: (?P<rest>.+?))?(?: (?:last|the last time))?"
)
_LAST_TIME = re.compile(rf"when was the last time (?:that )?{_SELF} (?P<verb>\w+)(?: (?P<rest>.+))?")
_WANN = re.compile(
    r"wann (?:habe|hab|hast|haben) (?:ich|du|wir)(?: (?:zuletzt|das letzte mal|letztmals|eigentlich))* "
    r"(?:(?P<rest>.+?) )?(?:(?:zuletzt|das letzte mal) )?(?P<verb>\w+)"
)
_WHICH_DID = re.compile(
    rf"(?:which|what) (?P<np>.+? )?(?:did|have) {_SELF} (?:(?:last|just|already) )?(?P<verb>\w+)(?: (?P<rest>.+))?"
)
_WELCHE = re.compile(
    r"(?:welche[nsrm]? (?P<np>.+?)|was) (?:habe|hab|hast|haben) (?:ich|du|wir)(?: (?P<rest>.+?))? (?P<verb>\w+)"
)
_TO_PLACE = re.compile(r"(?:^|(?P<np>.*?) )(?:to|into|in|nach|ins|im)(?: (?:the|my|den|das|die|meinen))? (?P<place>.+)")
_ARTICLES = frozenset("the a an my any der die das den dem ein eine einen einem mein meine meinen".split())
_IDLE = frozenset("denn eigentlich mal so eben schon bloß already just really actually".split())
_NOTHING_ABOUT = frozenset("it that this them me you something anything das es etwas".split())


def hear(line: Line, lexicon: Lexicon) -> Heard | None:
    """Return what the sentence asks about what was; None when it is a task like any other."""
    first = next((token.norm for token in line.tokens if token.norm[:1].isalpha()), "")
    if line.size > LONGEST or line.size < 3 or _may_not_open(line, first):
        return None
    for when, said in _readings(line):
        found = _undone(said, when, line) or _talked(said, when, line) or _done(said, when, line, lexicon)
        if found is not None:
            return found
    return None


def _may_not_open(line: Line, first: str) -> bool:
    words = [token.norm for token in line.tokens[:6]]
    return first not in _OPENS and _OPENS.isdisjoint(words)


def _readings(line: Line) -> Iterator[tuple[When | None, str]]:
    """The sentence without its time, the longest first, and then as a whole; small, without marks."""
    times = [found for at in range(line.size) if (found := when_at(line, at)) is not None]
    times = [one for one in times if line.norm(one.first - 1) not in _ARTICLES and not _is_inner(one, times)]
    for one in sorted(times, key=lambda one: one.first - one.last):
        yield one, _plain(line, one)
    yield None, _plain(line, None)


def _is_inner(one: When, times: list[When]) -> bool:
    return any(other is not one and other.first <= one.first and one.last <= other.last for other in times)


def _plain(line: Line, without: When | None) -> str:
    words = [
        token.norm
        for at, token in enumerate(line.tokens)
        if (token.norm[:1].isalnum() or len(token.norm) > 1) and not (without and without.first <= at < without.last)
    ]
    said = " ".join(words)
    said = _LEAD.sub("", said, count=1)
    return _END.sub("", said).strip()


def _talked(said: str, when: When | None, line: Line) -> Talk | None:
    for part, pattern, latest in _TALK:
        match = pattern.fullmatch(said)
        if match is None:
            continue
        words = _topic(match.groupdict().get("w"))
        if words is None or not (words or when):
            return None
        return Talk(part, line.language, words, when, latest)
    return None


def _topic(said: str | None) -> str | None:
    """What it is about, without its article; None where that is only pointed at."""
    words = (said or "").split()
    while words and words[0] in _ARTICLES:
        words.pop(0)
    return None if words and set(words) <= _NOTHING_ABOUT else " ".join(words)


def _undone(said: str, when: When | None, line: Line) -> TakeBack | None:
    for pattern in _UNDO:
        match = pattern.fullmatch(said)
        words = _topic(match.groupdict().get("w")) if match else None
        if match and words is not None and when is not None:
            return TakeBack(line.language, words, when)
    return None


def _done(said: str, when: When | None, line: Line, lexicon: Lexicon) -> Doing | None:
    for pattern, latest in (
        (_LAST_TIME, True),
        (_WHEN_DID, True),
        (_WANN, True),
        (_WHICH_DID, False),
        (_WELCHE, False),
    ):
        match = pattern.fullmatch(said)
        if match is None:
            continue
        verb = verb_of(match["verb"], line.language)
        rest, place = _place(match["rest"] or "")
        noun = " ".join(part for part in ((match.groupdict().get("np") or "").strip(), rest) if part)
        words = [word for word in noun.split() if word not in _ARTICLES and word not in _IDLE]
        if verb is None or (place and not verb.puts) or (not latest and _is_sought(verb, said)):
            return None
        return Doing(verb, match["verb"], thing_of(words, lexicon, line.language), line.language, place, when, latest)
    return None


def _is_sought(verb: Verb, said: str) -> bool:
    """ "What files did I change yesterday": people change files without Steward as well, so they are looked for."""
    return bool(verb.stems) or (verb.outside and not {"you", "du"} & set(said.split()))


def _place(rest: str) -> tuple[str, str]:
    """What it was done to, and the folder that it was put into."""
    match = _TO_PLACE.fullmatch(rest)
    return (match["np"] or "", match["place"]) if match else (rest, "")
