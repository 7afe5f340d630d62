"""A thing that is told to be off, pressing, done with or out of its place, and taken up: "dinner is off, cancel it".

What this stops: that the thing is read as a part of the request's words and the pronoun as a pointer at something
earlier. The thing stands where the pronoun does, behind "the task" or "den Termin", or behind "kannst du" where nothing
takes it up ("den Wecker brauch ich nicht mehr, kannst löschen"); and the place where "there" does ("this bill belongs
in Taxes, move it there").
What it does not: take over anything else that is told, or turn around what tells of several things ("all my files are
old, delete them"), where a thing is, or under which condition. Offsets stay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from functools import cache
from itertools import accumulate

from kernel.language.frame.framing import Frames
from kernel.language.frame.taken_up import is_asking_verb, pronoun_at
from kernel.language.free_text import quotes
from kernel.language.function_words import is_function_word, is_question_word
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line
from kernel.language.time.calendar_words import TIME_NAMES
from kernel.model import Token

_LONGEST = 60
_THING = r"(?P<thing>(?:(?![,.;:!?…] )\S+ ){1,9}?)"
_WHEN = r"(?:(?P<when>(?:(?![,.;:!?…] )\S+ ){1,4}?)(?=(?:[,.;!–—-]+|so|und|and|also) ))?"
_EN_HOW = (
    "(?:(?:now|just|really|so|very|quite|pretty|getting|rather|unfortunately|sadly|actually|apparently|kinda|too|"
    "also|already|been|a bit|no longer) )*"
)
_EN_BE = "(?:is|'s|was|got|gets|has|isn't|wasn't|won't be|will be|is not|'s not|are|aren't)"
_EN_OFF = (
    "(?:off|cancelled|canceled|called off|happening|not happening|on any more|postponed|over(?= [,.;!])|moot|urgent|"
    "important|pressing|overdue|late|outdated|useless|wrong|in the way|no good|needed|not needed|necessary|too early|"
    "too late|too long|taking up space|eating space|gathering dust)"
)
_EN_GOES = (
    "(?:falls through|fell through|fell flat|won't happen|isn't going to happen|has to go|must go|needs to go|can wait|"
    "will have to wait|has to wait|doesn't matter any more|isn't on)"
)
_GOAL = r"(?:(?![,.;:!?…] )\S+ ){1,6}?)(?=(?:[,.;!–—-]+|so|und|and|also) )"
_EN_BELONGS = (
    "(?:belongs?|should (?:really |actually )?(?:be|go|live)|ought to (?:be|go)|is supposed to (?:be|go)|goes) "
    f"(?:really |actually )?(?P<goal>(?:in|into|to|under|on) {_GOAL}"
)
_DE_BELONGS = (
    f"(?:gehört|gehören) (?:eigentlich |doch |ja |an sich )*(?P<goal>(?:nach|in|ins|zu|zum|zur|auf|unter) {_GOAL}"
)
_EN_LATER = "(?:by now |now |any more |anymore |any longer |after all |though |i guess |i think )*"
_EN_NEED = (
    "(?:i|we) (?:(?:really|actually|honestly|probably|just) )*"
    "(?:don't|do not|no longer|won't|can't|cannot|couldn't|never) "
    "(?:(?:really|actually|even) )*"
    "(?:need|want|use|make|manage|finish|attend|get round to|get around to|get to|like|touch|have time for)"
)
_DE_WHEN = r"(?P<when>(?:(?![,.;:!?…] )\S+ ){0,4}?)"
_DE_HOW = (
    "(?:(?:jetzt|heute|leider|doch|erst mal|erstmal|schon|langsam|echt|ziemlich|wieder|inzwischen|nun|wohl|aber|so|"
    "sehr|gerade|grad|eh|sowieso|noch|nicht|nich|auch|ja|nur|eben|halt|wirklich|total|richtig) )*"
)
_DE_OFF = (
    "(?:abgesagt|gestrichen|hinfällig|vorbei|geplatzt|dringend|wichtig|brenzlig|eilig|überholt|veraltet|unnötig|egal|"
    "aktuell|nötig|knapp|falsch|zu früh|zu spät|überfällig|überflüssig|gecancelt|ausgefallen|im weg)"
)
_DE_NOT_ANY_MORE = "(?:nicht|nich|net|gar nicht) (?:mehr|länger)"
_DE_I = "(?:ich|wir|i|mir)"
_EN = (
    f"{_THING}{_EN_BE} {_EN_HOW}{_EN_OFF} {_EN_LATER}{_WHEN}",
    f"{_THING}{_EN_GOES} {_EN_LATER}{_WHEN}",
    f"{_THING}{_EN_BELONGS}",
    f"{_EN_NEED} {_THING}(?:(?:anymore|any more|any longer|now|after all|in time) |(?=[,.;!–-]+ ))",
    "(?:(?:i|we) (?:(?:still|also|really) )*(?:need|have to|got to|must|should|ought to)|need|got to|gotta|have to) "
    "(?:to )?"
    "(?!(?:the|a|an|my|our|some|this|that|these|those|more|two|three|new|it|you) )"
    r"(?P<deed>(?:(?![,.;:!?…] )\S+ ){2,9}?)(?=(?:[,.;!–—-]+|so|and) )",
)
_DE = (
    f"{_THING}(?:ist|wird|wurde|war) {_DE_WHEN}{_DE_HOW}{_DE_OFF} ",
    f"{_THING}fällt {_DE_WHEN}{_DE_HOW}(?:aus|flach|weg|ins wasser) ",
    f"{_THING}findet {_DE_WHEN}{_DE_HOW}(?:nicht|nich) statt ",
    f"{_THING}{_DE_BELONGS}",
    f"{_THING}(?:eilt|drängt|pressiert) {_DE_HOW}",
    f"{_THING}(?:hat {_DE_HOW}zeit|kann {_DE_HOW}warten|muss {_DE_HOW}warten) ",
    f"{_THING}(?:brauche?n?|will|wollen|möchte|mag) {_DE_I} {_DE_WHEN}{_DE_HOW}{_DE_NOT_ANY_MORE} ",
    f"{_DE_I} (?:brauche?n?|will|wollen|möchte|mag) {_THING}{_DE_NOT_ANY_MORE} ",
    "(?:ich|wir) (?:muss|müssen|sollte|sollten|will|wollen) (?:(?:noch|auch|dringend|unbedingt|endlich|mal|ja) )*"
    r"(?!(?:das|es|den|die|dem|ihn|sie|mir|mich|uns|wissen) )(?P<deed>(?:(?![,.;:!?…] )\S+ ){2,9}?)"
    "(?=(?:[,.;!–—-]+|und|also) |(?:setz|schreib|pack|trag|notier|tu) (?:das|es) )",
    f"{_THING}(?:schaffe?n?|packe?n?|kriege?n?) {_DE_I} (?:\\S+ ){{0,5}}?(?:nicht|nich)(?: mehr)?(?: hin| gebacken)? ",
)
_TOLD = {"en": _EN, "de": _DE}
_JOINT = "(?:(?:[,.;!–—-]+|so|und|and|also|drum|darum|deshalb|deswegen|then|dann|daher) )*"
_REQUEST = (
    "(?:(?:please|pls|bitte|just|mal|can|could|would|will|kannst|könntest|würdest|kannst|you|du|sie|können|könnten|"
    "so|let's|lass uns) )*"
)
_KINDS = frozenset(
    "task appointment meeting event timer reminder alarm note mail email file folder entry "
    "aufgabe termin treffen verabredung timer erinnerung wecker notiz mail datei ordner eintrag".split()
)
_ARTICLES = frozenset(
    "the that this a my our der die das den dem diese dieser dieses diesen mein meine meinen unser unsere".split()
)
_PLAIN_ARTICLES = {"that": "the", "this": "the", "diese": "die", "dieser": "der", "dieses": "das", "diesen": "den"}
_SEVERAL = frozenset(
    "all every both some most many these those they them files everything alle alles beide einige manche viele diese "
    "jede jeder jedes sämtliche dateien".split()
)
_OPENS = frozenset(
    "if when unless once until while because since although where which who whose wenn falls sobald solange weil da "
    "obwohl ob wo dass i we you he she they it there ich wir du er man es".split()
)
_RELATIVE = frozenset("where which who whose if when unless wenn falls wo deren dessen".split())
_TO_WHOM = frozenset("me us it them mir uns".split())
_TIME_LEADS = frozenset("on at this next am um im in den der dem nächsten nächste kommenden diesen for".split())
_THERE = frozenset("there dahin dorthin hin".split())
_ASKS_AT = frozenset("kannst könntest kannste du bitte please auch ruhig gern gerne mal dann".split())


def with_topic(line: Line, lexicon: Lexicon) -> Line:
    """Return ``line`` as the request alone, with the thing that was told of first where the request takes it up."""
    if line.size < 4 or line.size > _LONGEST or line.language not in _TOLD or quotes(line):
        return line
    words = [f"{word.replace(' ', '_')} " for word in line.norms]
    said, starts = "".join(words), [0, *accumulate(map(len, words))]
    for begin in dict.fromkeys((Frames(list(line.norms)).lead(0), 0)):
        for pattern in _patterns(line.language):
            match = pattern.match(said, starts[begin])
            tokens = _turned(line, lexicon, match, starts) if match is not None else ()
            if tokens:
                return replace(line, tokens=tokens, memo={})
    return line


def _turned(line: Line, lexicon: Lexicon, match: re.Match[str], starts: list[int]) -> tuple[Token, ...]:
    """The request with the thing in its place; none where it takes up none. ``starts`` are those of the words."""
    at = {name: [bisect_left(starts, end) for end in match.span(name)] for name in match.groupdict()}
    thing, request = _thing(line, lexicon, at), at["joint"][1]
    place = _taken_up(line, lexicon, bisect_left(starts, match.end()), request) if thing else None
    if place is None or "goal" not in at:
        return _joined(line, thing, request, place) if place is not None else ()
    there = next((one for one in range(place[1], line.size) if line.norm(one) in _THERE), None)
    if there is None:
        return ()
    said = _joined(line, thing, request, place)
    lead, *goal = line.tokens[slice(*at["goal"])]
    if lead.norm == "in" and line.language == "en":
        lead = replace(lead, norm="into", lemma="into")
    return (*said[: there - line.size], lead, *goal, *line.tokens[there + 1 :])


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"{pattern}(?P<joint>{_JOINT}){_REQUEST}(?=\\S)") for pattern in _TOLD[language])


def _thing(line: Line, lexicon: Lexicon, place: dict[str, list[int]]) -> tuple[Token, ...]:
    """The words of the thing with those that say when it is; none where they may be anything else."""
    if "deed" in place:
        return line.tokens[slice(*place["deed"])]
    first, last = place["thing"]
    words = line.norms[first:last]
    if words[0] in _OPENS or not (_SEVERAL | _RELATIVE).isdisjoint(words) or is_question_word(words[0]):
        return ()
    if is_asking_verb(line, lexicon, first) and line.norm(first + 1) in _ARTICLES | _TO_WHOM:
        return ()
    if not any(line.is_content(at) for at in range(first, last)):
        return ()
    when = range(*place.get("when", (0, 0)))
    if not all(line.norm(at) in TIME_NAMES | _TIME_LEADS or line.norm(at)[:1].isdigit() for at in when):
        return ()
    return (*line.tokens[first:last], *(line.tokens[at] for at in when))


def _taken_up(line: Line, lexicon: Lexicon, verb: int, request: int) -> tuple[int, int] | None:
    """Where the request takes the thing up: the places of the pronoun, (n, n) where it is to be put in before n."""
    german = line.language == "de"
    asked = range(request, line.size)
    if not any(is_asking_verb(line, lexicon, at) for at in asked):
        return None
    if not (german or is_asking_verb(line, lexicon, verb)):
        return None
    at = pronoun_at(line, lexicon, request)
    if at is not None:
        return (at, at + 1) if line.norm(at) not in _SEVERAL else None
    for at in asked:
        kind = line.norm(at) in _ARTICLES and line.norm(at + 1) in _KINDS
        if kind and (line.norm(at) in _PLAIN_ARTICLES or _is_alone(line, at + 2)):
            return at + 2, at + 2
    behind = request
    while line.norm(behind) in _ASKS_AT:
        behind += 1
    whole = behind > request and behind == line.size - 1 and german
    return (behind, behind) if whole and is_asking_verb(line, lexicon, behind) else None


def _is_alone(line: Line, at: int) -> bool:
    """Nothing behind it says which one: the end, a mark, or a word of a closed class."""
    return not line.norm(at) or line.is_mark(at) or is_function_word(line.norm(at), line.language)


def _joined(line: Line, thing: tuple[Token, ...], request: int, at: tuple[int, int]) -> tuple[Token, ...]:
    """The request with the thing in it; behind a noun without an article of its own."""
    first, last = at
    before = list(line.tokens[request:first])
    if first == last and line.norm(first - 1) in _KINDS:
        thing = thing[1:] if thing[0].norm in _ARTICLES else thing
        said = _PLAIN_ARTICLES.get(before[-2].norm, before[-2].norm)  # it points at nothing any more
        before[-2] = replace(before[-2], norm=said, lemma=said)
    return (*before, *thing, *line.tokens[last:])
