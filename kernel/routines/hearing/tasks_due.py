"""A task that is due: "when a task becomes overdue", "zwei Tage bevor eine Aufgabe fällig ist", "on the day it is due".

At which time of day that is told, other words of the sentence may say (``due_times``).
"""

from __future__ import annotations

import re
from functools import cache

from kernel.routines.hearing.due_days import led_by
from kernel.routines.hearing.gist import CLOCK
from kernel.routines.hearing.opening import Weight
from kernel.routines.hearing.reading import QUOTATION, Clause, Reading
from kernel.routines.model import TaskDue

_DAY_S = 86400
_EACH = (
    r"(?:(?:a|an|any|each|every|some|another|#num:1 of|one of|one|my|the|next|new|open|unfinished|ein|eine|einer|eines|"
    r"einem|einen|irgendeine?r?|jede[rs]?|ne|'ne|meine[rnm]?|der|die|das|von|nächste[rn]?|offene[nr]?|"
    r"unerledigte[nr]?) )*"
)
_RANKS = {
    "high": "urgent|important|high-priority|high priority|top-priority|dringende[nr]?|wichtige[nr]?|eilige[nr]?",
    "low": "unimportant|low-priority|low priority|unwichtige[nr]?",
}
_RANK = "(?:" + "|".join(rf"(?P<{rank}>{words}) " for rank, words in _RANKS.items()) + ")?"
_NOUN = r"(?P<noun>tasks?|to-dos?|todos?|to dos?|aufgaben?)"
_LIST = (
    r"(?: (?:on|from|in|of) (?:my |the )?(?:(?:to-do|todo|task|tasks)(?: list)?|list|tasks|"
    r"(?P<list_en>\S+(?: \S+)?) list)"
    r"| (?:auf|von|aus|in) (?:meiner |der |den |meinen )?(?:(?:to-do-liste|todo-liste|aufgabenliste|aufgaben)"
    r"|liste(?: (?P<list_de>(?!mit |über )\S+))?|(?P<compound>\S{3,}?)s?-?liste))?"
)
_ABOUT = (
    r"(?:(?: ,)? (?:about|with|called|named|containing|mentioning|that mentions|that contains|mit|über|namens|zu|"
    r"in der|in denen|whose (?:text|title|name) (?:contains|mentions|has)) "
    r"(?:the |das |die |der |den |dem )?(?P<words>\S+(?: \S+){0,5}?)"
    r"(?: in (?:its|the) (?:title|text|name)| im (?:titel|text|namen)|"
    r" (?:vorkommt|steht|drinsteht|vorkommen))?(?: ,)?)?"
)
_THING = rf"{_EACH}{_RANK}{_NOUN}{_LIST}{_ABOUT}"
_NAMED = r"(?:the|my|die|meine|der|meiner) (?:task|to-do|todo|aufgabe) (?P<words>\S+(?: \S+){0,6}?)"
"""One task by its name: "the task pay the rent"."""
_NOW = r"(?:(?:now|today|just|finally|suddenly|heute|jetzt|gerade|schon|bald|endlich|mal|noch|inzwischen) )*"
_DUE_EN = (
    rf"(?P<is>is|are|'s) {_NOW}due(?: today| now)?|(?:becomes?|falls?|comes?|gets?|turns|will be|has become|has fallen|"
    rf"is falling|is coming|is getting|is becoming) {_NOW}due(?: today| now)?|"
    r"reaches (?:its|the) (?:due date|due day|deadline)|(?:is|has) (?:to be|got to be) done(?: today)?"
)
_LATE_EN = (
    rf"(?P<is_late>is|are|'s) {_NOW}(?:overdue|past due|late|past (?:its|the) (?:due date|deadline))|"
    rf"(?:becomes?|gets?|goes|turns|falls?|runs|has become|has gone|is getting|is becoming) {_NOW}(?:overdue|past due|"
    r"late)|"
    r"(?:passes|misses|has passed|has missed|is over|runs over|goes over) (?:its|the) (?:due date|deadline)"
)
_LASTS_EN = (
    r"(?:has been|is|'s been|was|have been) (?:(?:overdue|late|past due) for #dur:(?P<lasts_en>[\d.]+)|"
    r"#dur:(?P<lasts>[\d.]+) (?:overdue|late|past due))"
)
_DUE_DE = (
    rf"{_NOW}fällig (?P<ist>ist|sind|is)|{_NOW}fällig (?:wird|werden|geworden ist|wurde)|"
    r"(?:ihr fälligkeitsdatum|ihren fälligkeitstag|ihre frist) erreicht(?: hat)?"
)
_LATE_DE = (
    rf"{_NOW}überfällig (?P<ist_late>ist|sind|is)|{_NOW}überfällig (?:wird|werden|geworden ist|wurde)|"
    r"(?:ihre frist|ihren fälligkeitstag|ihr fälligkeitsdatum) (?:überschreitet|verpasst|überschritten hat|"
    r"verpasst hat)|"
    r"nicht rechtzeitig (?:erledigt|fertig) (?:ist|wurde|wird)"
)
_LASTS_DE = r"(?:schon )?(?:seit )?#dur:(?P<lasts_de>[\d.]+)(?: lang)? überfällig (?:ist|sind)"
_OF = r"(?:of|for|von|für)"
_DEADLINE = (
    rf"(?:(?:the |a |an |any |each |every |die |der |dem |das |jede[rn]? |ihre[rnm]? )*(?:deadlines?|due dates?|"
    rf"due day|frist|fälligkeit|fälligkeitstag|fälligkeitsdatum|ablauf der frist)(?: {_OF})? {_THING}|{_EACH}"
    r"(?:task|to-do|todo) 's (?:deadline|due date))"
)
_COMES = r"(?P<comes>comes|arrives|is reached|is here|is today|kommt|da ist|erreicht ist|heute ist)"
_ENDS = (
    r"(?:passes|has passed|expires|has expired|is over|runs out|ends|is up|abläuft|abgelaufen ist|verstrichen ist|"
    r"verstreicht|vorbei ist|um ist|endet)"
)


@cache
def _clauses() -> tuple[tuple[re.Pattern[str], bool], ...]:
    """The forms of a clause, each with whether it says that a task is overdue. No start waits for them."""
    says = (
        (f"(?:{_LASTS_EN}|{_LASTS_DE})", True),
        (f"(?:{_LATE_EN}|{_LATE_DE})", True),
        (f"(?:{_DUE_EN}|{_DUE_DE})", False),
    )
    told = [(f"{thing} {say}", late) for thing in (_THING, _NAMED) for say, late in says]
    told += [(f"{thing} (?:{_DUE_EN}) (?:at|around) {CLOCK}(?P<clock>[\\d.]+)", False) for thing in (_THING, _NAMED)]
    told += [(f"{_DEADLINE} {_COMES}", False), (f"{_DEADLINE} {_ENDS}", True)]
    return tuple((re.compile(form), late) for form, late in told)


@cache
def _nouns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The day by which something is to be done, and the thing alone, behind words that say so themselves."""
    return re.compile(_DEADLINE), re.compile(_THING)


_SAYS_DAY = re.compile("fälligkeit|due (?:date|day)")


def task_due(clause: Clause) -> Reading | None:
    """Return the tasks that the clause says are due, and how long before."""
    opening = clause.opening
    text = clause.text if opening.each else clause.straight
    found, late = next(((one, late) for form, late in _clauses() if (one := form.fullmatch(text))), (None, False))
    led = clause.gist.text(opening.at, opening.first)
    if found is None and opening.each:
        found = _nouns()[bool(_SAYS_DAY.search(led))].fullmatch(text)
    if found is None or (opening.each and opening.before_s is None) or _asks_when(clause, text):
        return None
    said = found.groupdict()
    clock = float(said.get("clock") or led_by(led))
    if said.get("clock") and not opening.each:
        return None  # "when a task is due at 8": a task has a day
    lasts_s = float(next((said[one] for one in ("lasts_en", "lasts_de", "lasts") if said.get(one)), 0) or 0)
    before_s = int(opening.before_s or 0)
    if lasts_s % _DAY_S or (late and before_s):
        return None
    days, seconds = divmod(before_s, _DAY_S) if not before_s % _DAY_S else (0, before_s)
    trigger = TaskDue(
        days - int(lasts_s // _DAY_S), seconds, int(clock), late,
        _words(clause, said.get("words")), _words(clause, _listed(said)),
        next((rank for rank in _RANKS if said.get(rank)), ""),
    )  # fmt: skip
    is_now = any(said.get(one) for one in ("is", "is_late", "ist", "ist_late", "comes"))
    return Reading(trigger, nouns=_NOUNS | {said.get("noun") or "task"}, state=is_now and opening.weight is Weight.IF)


_DEFINITE = re.compile("(?:the|my|this|that|our) ")
_TELLS_THEN = re.compile(
    r"(?:\S+ ){0,3}?(?:(?:remind|notify|alert|warn|ping|nudge) (?:me|us)|let (?:me|us) know)(?!.* to )"
)


def _asks_when(clause: Clause, text: str) -> bool:
    """ "Show me when my next task is due", "sag mir, wann ...": at what time that is, and no rule.

    "Remind me when the task is due" asks to be told then.
    """
    opening, gist = clause.opening, clause.gist
    word = gist.word(opening.at)
    if opening.each or opening.weight is Weight.EVERY or not opening.at:
        return False
    definite = word == "when" and _DEFINITE.match(text) is not None
    return word == "wann" or (definite and _TELLS_THEN.match(gist.text(0, opening.at)) is None)


_NOUNS = frozenset("task to-do todo aufgabe".split())


def _listed(said: dict[str, str | None]) -> str:
    return said.get("list_en") or said.get("list_de") or said.get("compound") or ""


def _words(clause: Clause, said: str | None) -> str:
    return clause.as_said(said.split()).strip(QUOTATION) if said else ""
