"""Events of the calendar to come: "ten minutes before every meeting", "Wenn ein Termin anfängt"."""

from __future__ import annotations

import re

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
_WHERE = r"(?: (?:in my calendar|im kalender|in meinem kalender|in the calendar))?"
_ABOUT = r"(?: (?:with|about|called|named|mit|über|namens|zu|zum thema) (?P<words>.+?))?"
_HOLDS = (
    r"(?: ,? ?(?:in|bei) (?:dem|der|denen) (?P<in_de>.+?) (?:vorkommt|steht|drinsteht|erwähnt wird|vorkommen)"
    r"| ,? ?(?:in|on) which (?P<in_en>.+?) (?:occurs|appears|is mentioned|comes up)"
    r"| ,? ?(?:in|bei) dessen (?:titel|namen) (?P<of_de>.+?) (?:vorkommt|steht|drinsteht|drin ist|auftaucht)"
    r"| ,? ?(?:in|bei) deren (?:titel|namen) (?P<of_many>.+?) (?:vorkommt|steht|drinsteht|drin ist|auftaucht)"
    r"| ,? ?(?:dessen|deren) (?:titel|name) (?P<its_de>.+?) (?:enthält|beinhaltet|ist|lautet)"
    r"| ,? ?(?:der|die|das) (?P<has_de>.+?) im (?:titel|namen) (?:hat|haben|stehen hat|trägt)"
    r"| ,? ?(?:whose|where the) (?:title|name) (?:contains|has|mentions|says|is) (?P<its_en>.+?)"
    r"| (?:with|that has|that mentions|that says|mit) (?P<in_title>.+?) (?:in (?:its|the) title|im titel|im namen)"
    r"| ,? ?(?:der|die|das) (?P<called_de>.+?) (?:heißt|heißen)"
    r"| ,? ?(?:which|that) (?:is|are) called (?P<called_en>.+?))"
)
_EVENT = re.compile(rf"(?:{_EACH} )?{_MINE}{_NOUN}{_WHERE}(?:{_HOLDS}|{_ABOUT}){_WHERE}{_STARTS}")
_TITLED = re.compile(rf"(?:{_EACH} ){_MINE}(?P<words>[\w-]+(?: [\w-]+)?) {_NOUN}{_STARTS}")
_ANYTHING = re.compile(
    r"\b(?:anything|everything|each thing|every entry|any entry|alle[mns]?(?: was)?|etwas|jedem eintrag|jeden eintrag)"
    r" (?=(?:in|on|im) (?:my |the |meinem )?(?:calendar|kalender))"
)
_WORDS = frozenset("words in_de in_en in_title called_de called_en of_de of_many its_de has_de its_en".split())
_SINGLE = frozenset("a an ein eine einem einer eines einen".split())


def before_event(clause: Clause) -> Reading | Doubt | None:
    """Return the events before which, or at whose beginning, something is to be done; one alone is no rule."""
    ahead, words = clause.opening.each == "before", clause.words
    text = _ANYTHING.sub("every event ", clause.straight)
    found = None if clause.opening.each == "after" else _EVENT.fullmatch(text) or _TITLED.fullmatch(text)
    if found is None or not (found["starts"] or ahead):
        return None
    if ahead and clause.opening.before_s is None:
        return Doubt(Lack.HOW_MUCH, clause.said(0, len(words)))
    every = found["many"] or (found["each"] and (found["starts"] or found["each"] not in _SINGLE))
    if not every:
        return None
    said = next((words for name, words in found.groupdict().items() if name in _WORDS and words), "")
    about = clause.as_said(said.split()).strip(QUOTATION) if said else ""
    return Reading(BeforeEvent(clause.opening.before_s or 0, about), nouns=frozenset({found["noun"]}))
