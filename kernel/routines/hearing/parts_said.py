"""The words of a rule that mean a part of what sets it off: "when that was", "the recipient", "what was taken back".

"The date" is the run's only where it is written down beside something else or alone: "show me the date" asks for it.
"""

from __future__ import annotations

import re
from functools import cache

from kernel.language import Line
from kernel.language.free_text import covered
from kernel.language.line import stretches
from kernel.language.written_moments import DATE_AND_TIME, TODAYS_DATE, written_moments
from kernel.routines.hearing.deeds import SENT
from kernel.routines.hearing.facts import NAMES
from kernel.routines.hearing.model import Heard, Words, meets
from kernel.routines.model import Added, Called, Happened, Learnt
from kernel.routines.parts import Part

P = Part
_BESIDE = r"(?:,? ?(?:and|with|plus|together with|along with) )"
_BESIDE_DE = r"(?:,? ?(?:und|mit|samt|plus|zusammen mit) )"
_WRITES = (
    r"(?:(?:write|note|jot|put|log|record|enter|add)(?: down)?(?: a line (?:saying|with))?|a line with|schreibe?|"
    r"notiere?|trage?|schreibst|notierst|eine zeile mit|setze?)(?: (?:ma|mir|me))? "
)
_INTO = r"(?= (?:in|into|to|on|auf|zu)\b)"
_WHEN_IT_WAS: tuple[tuple[Part, str], ...] = (
    (P.MOMENT, rf"{_BESIDE}?(?:when (?:it|that|this) (?:was|happened|came|went)|(?:at )?what time (?:it|that|this) "
     r"(?:was|happened))"),
    (P.MOMENT, r"(?:um wie ?(?:viel|vü|vui) uhr|wann) (?:es|das|des) (?:war|woar|wor|passiert (?:ist|is))"),
)  # fmt: skip
_CLOCK: tuple[tuple[Part, str], ...] = (
    *_WHEN_IT_WAS,
    (P.MOMENT, r"(?:the )?time of (?:the|that|this) (?:change|call|event|run)"),
    (P.MOMENT, rf"{_BESIDE}(?:{DATE_AND_TIME}|the time)(?! (?:of|to|it|for|when|that)\b)"),
    (P.MOMENT, rf"{_BESIDE_DE}(?:{DATE_AND_TIME}|(?:die |der )?uhrzeit)"),
    (P.DATE, rf"{_BESIDE}(?:the |today's )?date(?! (?:of|to|for|when|that|it)\b)"),
    (P.DATE, rf"{_BESIDE_DE}(?:das |dem )?datum(?: dazu| dran)?(?! (?:von|der|des|für)\b)"),
    (P.MOMENT, rf"{_WRITES}(?P<said>{DATE_AND_TIME}|the time|die uhrzeit){_INTO}"),
    (P.DATE, rf"{_WRITES}(?P<said>{TODAYS_DATE}|the date|das datum){_INTO}"),
)  # fmt: skip
_DONE_EN = "taken back|undone|deleted|removed|moved|reverted|rolled back|thrown away"
_DONE_DE = "zurückgenommen|gelöscht|rückgängig gemacht|verschoben|entfernt|weggeworfen"
_DEEDS: tuple[tuple[Part, str], ...] = (
    (P.TEXT, r"what (?:it|that) was(?: ,? ?and (?:when|where)(?: (?:it|that) (?:lay|was|happened))?)?|"
     r"what (?:went wrong|failed|happened)"),
    (P.TEXT, rf"what (?:was|has been|got|you have|you|it|was just) ?(?:{_DONE_EN}|undid)?(?: and when| and where "
     r"(?:it|that) (?:lay|was))?"),
    (P.TEXT, rf"(?:which|what) (?:files?|things?) (?:was|were|you|it) (?:{_DONE_EN})(?: and when)?"),
    (P.TEXT, rf"was (?:(?:du |da |es )?(?:{_DONE_DE}) (?:wurde|worden ist|hast|ist)|(?:es|das|des) (?:war|woar|wor))"
     r"(?: und (?:wann|wo (?:es|das|des) (?:lag|war|gelegen (?:is|ist))))?"),
    (P.TEXT, r"was (?:schiefgegangen|schief gegangen|fehlgeschlagen|passiert) (?:ist|is)"),
)  # fmt: skip
_SENT: tuple[tuple[Part, str], ...] = (
    (P.RECIPIENT, rf"{_BESIDE}?(?:the recipients?(?:'s name)?|who(?:m)? it (?:went|was sent) to)"),
    (P.RECIPIENT, rf"{_BESIDE_DE}?(?:(?:dem|den|der|die) empfängern?(?: dazu| dran)?|an wen (?:sie|es|die) "
     r"(?:ging|ist))"),
    (P.SUBJECT, rf"{_BESIDE}?the subject(?: line)?"),
    (P.SUBJECT, rf"{_BESIDE_DE}?(?:dem|den|der) betreff(?: dazu| dran)?"),
)  # fmt: skip
_CALLS: tuple[tuple[Part, str], ...] = (
    (P.TEXT, r"what(?:ever)? (?:message )?it (?:brings|says|sends|carries)|whatever (?:comes|came)(?: with it)?"),
    (P.TEXT, r"the message(?: that| which)? it (?:brings|carries|sends)"),
    (P.TEXT, r"(?:die nachricht , die (?:er|es) (?:mit)?bringt|was (?:er|es) (?:mit)?bringt|was drinsteht)"),
)
_OF_IT = r"(?: of (?:it|the (?:new )?\w+)| (?:davon|der neuen \w+|des neuen \w+))?"
_NO_MARK = r"(?<!under )(?<!with )(?<!by )(?<!unter )(?<!mit )"  # "under the name Copy" gives one
_ADDED: tuple[tuple[Part, str], ...] = (
    (P.TEXT, r"(?:what (?:was|has been|is) added and when|was (?:dazugekommen|hinzugekommen) ist und wann)"),
    (P.NAME, rf"{_NO_MARK}(?:its|the) (?:title|name){_OF_IT}"),
    (P.NAME, rf"{_NO_MARK}(?:dessen|deren|ihren?|seinen?|den|der) (?:titel|namen?){_OF_IT}"),
    (P.NAME, r"(?:what (?:it is|it 's|it was)(?: called)?|what (?:was|has been) added)"),
    (P.NAME, r"(?:the first one|the new one|the first(?= ,|$))"),
    (P.NAME, r"was (?:dazukam|dazukommt|dazugekommen ist|hinzugekommen ist|angelegt wurde|eingetragen wurde)"),
    (P.NAME, r"(?:wie|was) (?:sie|er|es) (?:heißt|ist)"),
    (P.NAME, r"(?:die|den|das) erste[n]?(?= \w+n (?:soll|sollte|muss)\b| ,|$)"),
)
_FACT = "|".join(NAMES.values())
_FACTS: tuple[tuple[Part, str], ...] = (
    (
        P.TEXT,
        r"who it is and (?:where|who|when|what) .*?(?=$| (?:in|into|to) (?:my|the) )|what you (?:have )?learn(?:t|ed)?",
    ),
    (P.TEXT, r"was du (?:gelernt|erfahren) hast"),
    (P.TEXT, r"who it is and (?:the|their|his|her) [\w-]+(?: number| address)?"),
    (
        P.TEXT,
        r"(?:it|this|that|the [\w-]+(?: number| address)?) (?:together )?(?:and|with|plus) "
        r"(?:the|their|his|her|whose|that person's) (?:person's |full )?names?",
    ),
    (
        P.TEXT,
        r"(?:es|das|sie|ihn|die|den|(?:die|den) [\w-]+) (?:zusammen )?(?:mit|samt|und) "
        r"(?:dem|den|der|seinem|ihrem) (?:namen|namn)(?: der person)?(?: dazu)?",
    ),
    (
        P.TEXT,
        r"(?:(?:the|their|his|her|that person's|the person's) )?(?:full )?(?:names?|person) (?:and|with|plus) "
        rf"(?:(?:the|their|his|her) )?(?:new )?(?:{_FACT})",
    ),
    (
        P.TEXT,
        r"(?:(?:den|die|seinen|ihren|dem|der) )?(?:namen?|person) (?:und|mit|samt|zusammen mit) "
        rf"(?:(?:die|den|das|der|dem|seine[nmr]?|ihre[nmr]?) )?(?:neue[nmr]? )?(?:{_FACT})",
    ),
    (P.TEXT, r"wer es ist und (?:wo|für wen|wann|was) .*?(?=$| in (?:meine|die) )"),
)


@cache
def _compiled(table: tuple[tuple[Part, str], ...]) -> tuple[tuple[Part, re.Pattern[str]], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple((part, re.compile(rf"(?<![\w-]){form}(?![\w-])")) for part, form in table)


def parts_said(line: Line, heard: Heard) -> dict[Words, Part]:
    """Return the parts that the words of the request mean, by the stretches of words that mean them."""
    gone = covered(heard.words)
    moments = written_moments(line, gone)
    found: dict[Words, Part] = {words: P.MOMENT if timed else P.DATE for words, timed in moments}
    for part, pattern in _compiled(_table(heard)):
        for words in stretches(line, gone, pattern):
            if not meets(words, found):
                found[words] = part
    return found


def says_when_it_was(line: Line) -> bool:
    """Tell whether a request wants the time written down at which something was: it is about what will happen."""
    return any(True for _, form in _compiled(_WHEN_IT_WAS) for _ in stretches(line, frozenset(), form))


def _table(heard: Heard) -> tuple[tuple[Part, str], ...]:
    match heard.trigger:
        case Happened(what):
            return _DEEDS + (_SENT if what == SENT else ()) + _CLOCK
        case Added():
            return _ADDED + _CLOCK
        case Called():
            return _CALLS + _CLOCK
        case Learnt():
            return _FACTS + _CLOCK
        case _:
            return _CLOCK
