"""What is said beside a trigger's clause: limits behind it, and limits anywhere else in the sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kernel.routines.hearing.contents import said_of_contents
from kernel.routines.hearing.folders import says_below
from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.limits import Limits, limit, opens_limit
from kernel.routines.hearing.mails import said_of_mail
from kernel.routines.hearing.model import Lack, Words
from kernel.routines.hearing.networks import gone_before
from kernel.routines.hearing.reading import Clause, Doubt, Reading
from kernel.routines.hearing.things_seen import by_name, larger
from kernel.routines.model import About, BeforeEvent, Machine, State

_MARKS = frozenset(", ; : – — . ! ? -".split())
_JOINTS = frozenset("and und but aber though".split())
_EXCEPT = re.compile(
    r"(?:but |aber )?(?:apart from|except|außer|ausser|excluding|but not|aber nicht|nur nicht|"
    r"ausgenommen|but only|aber nur|only|nur|unless|other than|es sei denn|solange|only while)\b.*"
)
_RELATIVE = re.compile(
    r"(?:which|who|whose|that (?:is|are|has|was|comes|contains?))\b.*|"
    r"(?:die|der|das|deren|dessen|den|dem|wo)\b.* (?:ist|sind|hat|haben|wird|heißt|war|enthält|kommt)"
)
_NARROWS = re.compile(
    r"(?:(?:in|an|bei|mit|von|zu|aus|für|auf|nach|with|to|from|about|for|at) )?"
    r"(?:die|der|das|den|dem|deren|dessen|denen|wo|which|who|whom|whose|where)\b.+"
)
"""A clause behind "every mail" or "every event" that says which of them: in German a request begins with its verb."""

_ALL_DAY = re.compile(
    r"(?:but |aber )?(?:apart from|except|except for|außer|ausser|but not|aber nicht|not|nicht|excluding|"
    r"ausgenommen|other than|bis auf|nur nicht|leaving out|without|ohne|nicht bei|außer bei|aber nicht bei)"
    r" (?:(?:the|those|for|any|die|den|der|bei|denen|ones|events?|meetings?|termine?n?|that|which|welche|of|solchen|"
    r"jenen) )*"
    r"(?:(?:go on|last|take|run|are|dauern|gehen|gehn)? ?(?:for )?(?:all|the whole|den ganzen|the entire|an entire|"
    r"ganze|over the whole) ?-?(?:day|tag|tage|tagen|days)?(?: long)?(?: dauern| gehen| gehn| ones| events|"
    r" einnehmen)?|"
    r"all-day(?: ones| events| meetings)?|ganztägige[nr]?(?: terminen?| ereignissen?)?|ganztagstermine?n?|"
    r"ganztags(?: sind| dauern)?|whole-day(?: ones| events)?)"
)
_OF_YOURS = frozenset({"die du", "den du", "das du", "that you", "which you"})
"""With which a noun goes on as one of Steward's own, wherever that ends: "jede Mail, die du verschickst = ..."."""
_LONGEST = 24
MEANS = frozenset("means heißt bedeutet".split())


@dataclass(frozen=True, slots=True)
class Beside:
    """Limits and conditions up to the item ``last``; ``words`` are their tokens where they stand apart."""

    last: int
    limits: Limits = ()
    such: tuple[tuple[About, str], ...] = ()
    words: tuple[Words, ...] = ()
    pattern: str = ""  # of the names of files
    below: bool = False  # what lies below a folder counts as well

    @staticmethod
    def limit_at(gist: Gist, first: int, last: int) -> bool:
        """Tell whether the items [first, last) are a limit, or say how large a file is."""
        if first < last <= first + _LONGEST and larger(gist.text(first, last)):
            return True
        return (
            opens_limit(gist.word(first))
            and last - first <= _LONGEST
            and bool(limit(gist.text(first, last), inside=True))
        )


def after(clause: Clause, read: Reading, *, leads: bool) -> Beside | Doubt:
    """Return what limits the trigger right behind its clause. An exception there that nobody understands is a doubt."""
    gist, last = clause.gist, clause.last
    if clause.opening.each and gist.word(last) in MEANS:  # "a mail about the parcel means I have to be home: ..."
        last = next_mark(gist, last)
    limits: Limits = ()
    such: tuple[tuple[About, str], ...] = ()
    pattern, below = "", False
    while True:
        first = _past(gist, last)
        end = next_mark(gist, first)
        if read.is_of_a_file and gist.word(first - 1) == "," and says_below(gist.text(first, end)):
            below, last = True, end
            continue
        name = _name(clause, read, first, end)
        if name and not pattern:
            pattern, last = name, end
            continue
        while _stretch(clause, read, first, end) is None and end - first > 1 and gist.word(end) != "":
            further = next_mark(gist, end + 1)
            if further - first > _LONGEST or further == end or gist.word(end) != ",":
                break
            end = further
        if end - first > _LONGEST:
            break
        found = _stretch(clause, read, first, end)
        if found is None:
            end = next_mark(gist, first)
            parted = leads and end < gist.size and gist.word(end) == "," and gist.word(first - 1) == ","
            text = gist.text(first, end)
            strange = parted and bool(_EXCEPT.fullmatch(text) or _RELATIVE.fullmatch(text))
            if clause.opening.each and (end < gist.size or not leads):
                strange = strange or narrows(gist, first - 1, end)
            strange = strange or (bool(clause.opening.each) and gist.text(first, first + 2) in _OF_YOURS)
            if strange and end - first <= _LONGEST:
                return Doubt(Lack.UNKNOWN, gist.said(first, end), end)
            break
        limits, such, last = (*limits, *found[0]), (*such, *found[1]), end
    return Beside(last, limits, such, pattern=pattern, below=below)


def _name(clause: Clause, read: Reading, first: int, end: int) -> str:
    """What a clause behind a comma says of the names of files: "in dessen Namen Nordwind vorkommt"."""
    begin = first + (clause.gist.word(first) in _JOINTS)
    behind = clause.gist.word(first - 1) == "," and end - first <= _LONGEST
    return by_name(clause, begin, end) if read.is_of_a_file and behind and end > begin else ""


def narrows(gist: Gist, mark: int, end: int) -> bool:
    """Tell whether the items between a comma and ``end``, behind a noun, say which of the things is meant."""
    return gist.word(mark) == "," and bool(_NARROWS.fullmatch(gist.text(mark + 1, end)))


def _past(gist: Gist, at: int) -> int:
    while gist.word(at) in {",", "–", "—", "-", ";"}:
        at += 1
    return at


def _stretch(
    clause: Clause, read: Reading, first: int, end: int
) -> tuple[Limits, tuple[tuple[About, str], ...]] | None:
    gist = clause.gist
    begin = first + (gist.word(first) in _JOINTS)
    if end <= begin or end - first > _LONGEST:
        return None
    text = gist.text(first, end)
    inside = gist.word(first - 1) not in _MARKS
    held = limit(text, inside=inside) or limit(gist.text(begin, end), inside=inside)
    if held:
        return held, ()
    if isinstance(read.trigger, BeforeEvent) and _ALL_DAY.fullmatch(text):
        return (), ((About.NOT_ALL_DAY, ""),)
    if read.trigger == Machine(State.ONLINE):
        gone = gone_before(replace(clause, first=first, last=end))
        return None if gone is None else (gone, ())
    if read.is_of_a_file:
        such = larger(text) or said_of_contents(replace(clause, first=first, last=end), 0, end - first)
        return ((), such) if such else None
    such = said_of_mail(clause, begin - clause.first, end - clause.first) if "mail" in read.nouns else ()
    return ((), such) if such else None


def next_mark(gist: Gist, at: int) -> int:
    """Return where the stretch at ``at`` ends: at the next mark, with the sentence, or where it is too long for any."""
    first = at
    while at < gist.size and gist.word(at) not in _MARKS and at - first <= _LONGEST:
        at += 1
    return at


def elsewhere(gist: Gist, first: int, last: int) -> Beside:
    """Return the limits outside the items [first, last): each between two marks, or from its first word to a mark."""
    limits: Limits = ()
    words: list[Words] = []
    at = 0
    while at < gist.size:
        if first <= at < last:
            at = last
            continue
        end = next_mark(gist, at)
        end = first if at < first < end else end
        if opens_limit(gist.word(at), apart=gist.word(at - 1) in _MARKS) and 0 < end - at <= _LONGEST:
            held = limit(gist.text(at, end))
            if held:
                limits, at = (*limits, *held), _kept(words, gist, at, end)
                continue
        at += 1
    return Beside(last, limits, (), tuple(words))


def _kept(words: list[Words], gist: Gist, first: int, end: int) -> int:
    words.append(gist.tokens(first, end))
    return end
