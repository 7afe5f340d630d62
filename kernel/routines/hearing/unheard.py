"""Words that are meant as a trigger, and no part of this machine can see what they speak of."""

from __future__ import annotations

import re

from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.opening import Weight
from kernel.routines.hearing.outside import is_outside
from kernel.routines.hearing.reading import Clause, Doubt

_VAGUE = re.compile(
    r"(?:(?:something|anything|some things?|things?|stuff|was|etwas|irgendwas|irgendetwas|wos|es|it|what|ever|"
    r"interessantes|interesting|new|neues|important|wichtiges|"
    r"whatever|auch|immer|irgendwo|hier|here|on my computer|auf dem rechner|is|ist|bei mir) ?)+"
    r"(?:happens|passiert|changes|geschieht|is going on|los ist|ändert|sich ändert|tut|occurs|comes up|goes on|"
    r"is new|gibt|los|is up|sich tut|happen)?(?: here| on my computer| in my home| hier| auf dem rechner| bei mir)?"
)
_FREE = re.compile(
    r"(?:it is |it's |es |it )?(?:possible|you can|you like|you want|you have time|convenient|necessary|needed|"
    r"du kannst|du magst|du willst|du zeit hast|möglich|geht|es geht|"
    r"nötig|i ask|i say|i need|ich es sage|ich sage|you get a chance|you get the chance|i want|ich will|ich brauche|"
    r"ready|applicable|.*\b(?:ready|fertig|done) ?.*).*"
)
_OUTSIDE = re.compile(
    r"\b(?:rain\w*|snow\w*|regnet?\w*|regnen|schneit|schneien|storms?|gewitter\w*|sun|sonne|weather|wetter|warm\w*|"
    r"cold\w*|kalt\w*|heiß|hot|hoim\w*|hoam\w*|heim\w*|temperature|temperatur|"
    r"doorbell|klingelt|rings|phone|telefon|package|paket|home|heim|hause|sunset|sunrise|sonnenuntergang|"
    r"sonnenaufgang|stock|aktie\w*|kurs|bitcoin|dollar|euro|traffic|stau|"
    r"fridge|kühlschrank|washing machine|waschmaschine|oven|door|tür|haustür|window|fenster|light|licht|dark|dunkel|"
    r"finster|bus|train|zug|neighbou?r|nachbar\w*)\b"
)
_BECOMES = re.compile(
    r"\b(?:starts?|begins?|stops?|rings?|arrives?|comes?|goes|gets?|leaves?|turns?|falls?|drops?|rises?|opens?|"
    r"closes?|anfängt|anfangt|beginnt|aufhört|klingelt|kommt|geht|wird|fällt|steigt|"
    r"heimkomm\w*|hoimkomm\w*|hoimkimm\w*|hoamkomm\w*|hoamkimm\w*|hoamgeh\w*|hoimgang\w*|regnet|schneit|fängt|öffnet|aufgeht|zugeht|läutet|untergeht|rains|snows|heimgeh\w*|"
    r"nach hause komme|verlasse|verlässt|leave|arrive|come|get|ankommt|ankomme)\b"
)

_UNFORESEEN = re.compile(
    r".*\b(?:fails?|goes down|goes offline|dies|breaks(?: down)?|crashes|runs out|is empty|rains?|snows?|ausfällt|"
    r"ausgeht|abstürzt|kaputtgeht|kaputt geht|weg ist|leer (?:ist|wird|geht)|regnet|schneit)"
)
"""What nobody knows beforehand: "ten minutes before the network fails"."""
_BEYOND = re.compile(r".*\b(?:too|zu) (?:big|large|full|many|much|long|small|old|groß|voll|viele?|lang|alt|klein)\b.*")

_LOOKED_UP = re.compile(
    r".*\b(?:look(?: it)? up|find out|search|google|check|see|figure out|research|do you know|any idea|"
    r"schau\w*|guck\w*|suche?|finde?|prüfe?|recherchiere?|weißt du|weisst du|keine ahnung)"
    r"(?: (?:on|in|at|the|my|net|web|internet|online|calendar|for|me|us|out|exactly|please|"
    r"im|netz|kalender|mal|bitte|doch|kurz|nach|heraus|raus))*,?",
    re.IGNORECASE,
)
"""Behind which "when" asks at what time something is: "look up on the net when the sun sets"."""
_LAST = frozenset({"", ".", "!", "?"})
_LEAST = 2  # words of a clause: "every time zone" is none


def unheard(clause: Clause, *, leads: bool, parted: bool) -> Doubt | None:
    """Return why a clause that nobody could read is asked about, None where it may be an ordinary request's.

    ``leads``: nothing stands before it; ``parted``: a mark or a joint stands behind it.
    """
    text = clause.text
    said = clause.said(0, len(clause.words))
    if clause.opening.each:
        unforeseen = clause.opening.each == "before" and leads and parted and _UNFORESEEN.fullmatch(text)
        return Doubt(Lack.UNKNOWN, clause.gist.said(clause.opening.at, clause.last)) if unforeseen else None
    if len(clause.words) < _LEAST:
        return None
    if _is_looked_up(clause):
        return None
    if (leads or clause.gist.word(clause.last) in _LAST) and is_outside(clause.straight):
        return Doubt(Lack.NOT_NOTICED, said)
    return None if is_free(text) else _of_a_clause(clause, said, leads=leads, parted=parted)


def _is_looked_up(clause: Clause) -> bool:
    gist, at = clause.gist, clause.opening.at
    return gist.word(at) in ("when", "wann") and _LOOKED_UP.fullmatch(gist.said(0, at)) is not None


def _of_a_clause(clause: Clause, said: str, *, leads: bool, parted: bool) -> Doubt | None:
    text, weight = clause.text, clause.opening.weight
    if _VAGUE.fullmatch(text) and weight is not Weight.IF:
        return Doubt(Lack.WHAT_HAPPENS, said) if weight is Weight.EVERY or leads else None
    if weight is Weight.EVERY:
        return Doubt(Lack.UNKNOWN, said)
    becomes = weight is Weight.WHEN and leads and parted and _BECOMES.search(text)
    return _of_coming(text, said) if becomes else None


def is_free(text: str) -> bool:
    """Tell whether a clause only says that it is no matter when: "when you have time", "wenn du magst"."""
    return _FREE.fullmatch(text) is not None


def _of_coming(text: str, said: str) -> Doubt | None:
    if _BEYOND.fullmatch(text):
        return Doubt(Lack.HOW_MUCH, said)
    return Doubt(Lack.UNKNOWN, said) if _OUTSIDE.search(text) else None
