"""Events of the calendar to come: "ten minutes before every meeting", "Wenn ein Termin anfängt"."""

from __future__ import annotations

import re

from kernel.language import is_function_word
from kernel.language.time.calendar_words import MONTHS, TIME_UNITS, WEEKDAYS
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.reading import QUOTATION, Clause, Doubt, Reading
from kernel.routines.model import BeforeEvent

_NOUN = (
    r"(?P<noun>(?P<many>meetings|events|appointments|calls|termine|terminen|besprechungen|sitzungen|ereignissen|"
    r"treffen|"
    r"calendar events|calendar entries|kalendereinträgen|verabredungen)|meeting|event|appointment|call|termin|"
    r"besprechung|"
    r"sitzung|ereignis|treffen|calendar event|calendar entry|kalendereintrag|verabredung|meetin)"
)
_EACH = r"(?P<each>each|every|all|any|jedem|jeder|jeden|allen|jedes|alle|each of|all of|#num:1 of|eine[mnrs]?|ein|an?)"
_MINE = r"(?:(?:of |the |my |meiner |meinen |meinem |meine |mein |der )*)"
_STARTS = (
    r"(?P<starts> (?:starts|begins|start|begin|beginnt|anfängt|losgeht|los geht|anfangt|beginnen|anfangen|"
    r"angeht))?"
)
_WHERE = (
    r"(?: (?:(?:in|on|from) (?:my|the) (?:calendar|diary|planner)|im kalender|in meinem kalender|im terminkalender))?"
)
_ABOUT = r"(?: (?:with|about|called|named|mit|über|namens|zu|zum thema) (?P<words>\S+(?: (?!in it\b)\S+){0,5}?))?"
_HOLDS = (
    r"(?: ,? ?(?:in|bei) (?:dem|der|denen) (?P<in_de>.+?) (?:vorkommt|steht|drinsteht|erwähnt wird|vorkommen)"
    r"| ,? ?(?:in|on) which (?P<in_en>.+?) (?:occurs|appears|is mentioned|comes up)"
    r"| ,? ?(?:in|bei) dessen (?:titel|namen) (?P<of_de>.+?) (?:vorkommt|steht|drinsteht|drin ist|auftaucht)"
    r"| ,? ?(?:in|bei) deren (?:titel|namen) (?P<of_many>.+?) (?:vorkommt|steht|drinsteht|drin ist|auftaucht)"
    r"| ,? ?(?:dessen|deren) (?:titel|name) (?P<its_de>.+?) (?:enthält|beinhaltet|ist|lautet)"
    r"| ,? ?(?:der|die|das) (?P<has_de>.+?) im (?:titel|namen) (?:hat|haben|stehen hat|trägt)"
    r"| ,? ?(?:whose|where the) (?:title|name) (?:contains|has|mentions|says|is) (?P<its_en>.+?)"
    r"| (?:with|that has|has|that mentions|that says|mit) (?P<in_title>.+?) (?:in (?:its|the) title|im titel|im namen)"
    r"| ,? ?(?:der|die|das|was) (?P<called_de>.+?) (?:heißt|heißen)"
    r"| ,? ?(?:which|that) (?:is|are) called (?P<called_en>.+?))"
)
_EVENT = re.compile(rf"(?:{_EACH} )?{_MINE}{_NOUN}{_WHERE}(?:{_HOLDS}|{_ABOUT}){_WHERE}{_STARTS}")
_TITLED = re.compile(rf"(?:{_EACH} ){_MINE}(?P<words>[\w-]+(?: [\w-]+)?) {_NOUN}{_STARTS}")
_ANYTHING = re.compile(
    r"\b(?:anything|everything|each thing|every entry|any entry|alle[mns]?(?: was)?|etwas|jedem eintrag|jeden eintrag)"
    r" (?=(?:in|on|im) (?:my |the |meinem )?(?:calendar|diary|planner|kalender|terminkalender))"
)
_THING = re.compile(
    r"\b(?:anything|everything|something|whatever|alle[mns]?|etwas|jedem termin|jedes mal)(?: ,)? "
    r"(?=(?:with|called|named|titled|that|which|whose|has|was|mit|namens|in dessen|dessen)\b)"
)
"""Whatever is in the calendar: "anything with board meeting in its title", "allem, was Sitzung heißt"."""
_BEGUN = re.compile(r" (starts|begins|start|begin|beginnt|anfängt|losgeht|anfangen|beginnen)(?= ,)")
_IN_TIME = re.compile(r" (?:rechtzeitig|zeitig|früh genug|in good time|in time|well in advance|early enough)\b")
_SO_LONG = re.compile(
    r" ?(?:, ?)?(?:(?:und zwar|and that|namely|say|jeweils|immer) )?#dur:(?P<s>[\d.]+)"
    r" (?:vorher|davor|zuvor|früher|earlier|before|beforehand|ahead|in advance)$"
)
"""How long before, said behind: "vor jeder Sitzung, und zwar 30 Minuten vorher"."""
_SOON = re.compile(rf"(?:(?:a|the|my|next|nächste[rs]?|ein|eine) )*{_NOUN} in #dur:(?P<s>[\d.]+)")
"""As it is noted: "meeting in 10 min: ..."."""
_NAMED = re.compile(rf"(?:{_EACH} )?{_MINE}(?P<words>[^\W\d][\w-]*(?: [^\W\d][\w-]*){{0,2}}?){_STARTS}")
_COMPOUND = re.compile(r"(?P<head>\w{3,}?)s?(?:termin|termine|terminen|sitzung|sitzungen|besprechung|besprechungen)")
_MINE_ALONE = frozenset("my meinen".split())
_ALWAYS = frozenset("always immer stets".split())
_NO_EVENTS = frozenset(
    "full half hour hours step time undo deletion failure run night sunrise sunset weekend weekday wochenende werktag "
    "halben vollen volle stunde mal schritt löschung lauf sonnenaufgang sonnenuntergang file files datei mail".split()
).union(TIME_UNITS, WEEKDAYS, MONTHS)
"""What has its own time, or none that anybody knows."""
_WORDS = frozenset("words in_de in_en in_title called_de called_en of_de of_many its_de has_de its_en".split())
_SINGLE = frozenset("a an ein eine einem einer eines einen".split())


def before_event(clause: Clause) -> Reading | Doubt | None:
    """Return the events before which, or at whose beginning, something is to be done; one alone is no rule."""
    if clause.opening.each == "after":
        return _noted(clause) if clause.opening.asked else None
    ahead = clause.opening.each == "before"
    text, before_s = _with_length(clause, _as_event(clause.straight))
    found = _EVENT.fullmatch(text) or _TITLED.fullmatch(text)
    if found is None:
        return _by_name(clause, text, before_s)
    if not (found["starts"] or ahead) or not _is_each(clause, found):
        return None
    if ahead and before_s is None:
        return Doubt(Lack.HOW_MUCH, _IN_TIME.sub("", clause.said(0, len(clause.words))))
    said = next((words for name, words in found.groupdict().items() if name in _WORDS and words), "")
    about = clause.as_said(said.split()).strip(QUOTATION) if said else ""
    return Reading(BeforeEvent(before_s or 0, about), nouns=frozenset({found["noun"]}))


def _as_event(text: str) -> str:
    """The clause with "event" for whatever it calls so, the verb at its end, and without "in good time"."""
    text = _THING.sub("every event ", _ANYTHING.sub("every event ", _IN_TIME.sub("", text)))
    begun = _BEGUN.search(text)
    return text if begun is None else f"{_BEGUN.sub('', text)} {begun[1]}"


def _with_length(clause: Clause, text: str) -> tuple[str, int | None]:
    """The clause without how long before, where that is said behind it."""
    behind = _SO_LONG.search(text) if clause.opening.each == "before" and clause.opening.before_s is None else None
    return (text, clause.opening.before_s) if behind is None else (text[: behind.start()], int(float(behind["s"])))


def _is_each(clause: Clause, found: re.Match[str]) -> bool:
    """Tell whether it is of every such event, and not of one alone."""
    groups, opening = found.groupdict(), clause.opening
    if groups.get("many"):
        return True
    led = clause.gist.words[opening.at : opening.first]
    if opening.each == "before" and opening.before_s is None and led[-1:]:
        return led[-1] not in _MINE_ALONE
    each = groups["each"] or ""
    always = not _ALWAYS.isdisjoint(clause.gist.words[: opening.at])
    return bool(groups["starts"] or each not in _SINGLE) if each and not always else always


def _by_name(clause: Clause, text: str, before_s: int | None) -> Reading | None:
    """Events that are called by their name alone: "an hour before every choir practice", "vor jeder Chorprobe"."""
    found = _NAMED.fullmatch(text) if before_s is not None and clause.opening.each == "before" else None
    if found is None or not _is_each(clause, found):
        return None
    words = found["words"].split()
    if any(word in _NO_EVENTS or is_function_word(word) for word in words):
        return None
    title = _in_titles(clause, clause.as_said(words))
    return Reading(BeforeEvent(before_s or 0, title), nouns=frozenset({words[-1]}))


def _in_titles(clause: Clause, said: str) -> str:
    """A name as titles have it: "lectures" as "lecture", "Zahnarzttermin" as "Zahnarzt"."""
    line, last = clause.gist.line, said.rpartition(" ")[2]
    compound = _COMPOUND.fullmatch(last.casefold())
    lemma = next((line.lemma(at) for at in range(line.size) if line.raw(at) == last), last)
    plain = len(lemma) if last.casefold().startswith(lemma) else len(last)
    length = compound.end("head") if compound is not None else plain
    return said[: len(said) - len(last) + length]


def _noted(clause: Clause) -> Reading | None:
    found = _SOON.fullmatch(clause.text)
    return None if found is None else Reading(BeforeEvent(int(float(found["s"]))), nouns=frozenset({found["noun"]}))
