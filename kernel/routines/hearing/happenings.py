"""What sets a rule off that no clock tells: files, the machine, the calendar, Steward's own deeds, facts, webhooks.

When a sentence is one of ours, and not an ordinary request with a condition:

- Its words speak of every time ("whenever", "each time", "sobald", "immer wenn", "after each"): always.
- They are "when", "wenn" or a German verb that stands first: where something comes to be ("arrives", "fällt unter"),
  something is there that is new, the machine is past a bound, or the time at which that was is to be written down.
- A clause behind "every" says what comes to be ("every PDF that lands in Downloads").
- They are "if" or "falls": only where something comes to be, a limit says that it may come again ("no more than
  once an hour"), or somebody wants to be told that the machine is past a bound. Otherwise "is", "has" and "there is"
  are of now, and so is what was: an ordinary plan can look.

Words between a trigger and the mark that ends its clause which nobody here understands are asked about, never passed
over. Up to a mark a clause is read whole; where it has none, it ends where a request may begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kernel.context.world import World
from kernel.language import Lexicon, Line
from kernel.language.free_text import covered
from kernel.routines.hearing.beside import MEANS, Beside, after, elsewhere, narrows
from kernel.routines.hearing.brought import brought
from kernel.routines.hearing.clauses import read_clause
from kernel.routines.hearing.conditioned import with_kinds
from kernel.routines.hearing.due_times import at_its_time
from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.limits import clash, opens_limit
from kernel.routines.hearing.model import Heard, Lack, Unclear, Words
from kernel.routines.hearing.networks import comes_back
from kernel.routines.hearing.opening import Opening, Weight, ends, openings
from kernel.routines.hearing.parts_said import says_when_it_was
from kernel.routines.hearing.reading import Clause, Doubt, Reading
from kernel.routines.hearing.relatives import relatives
from kernel.routines.hearing.things_seen import with_name
from kernel.routines.hearing.unheard import unheard
from kernel.routines.limiting import HOW_OFTEN
from kernel.routines.model import FileSeen, Limit, Machine, State, TaskDue

_GOES_ON = frozenset(
    "from in into on at to of with by and or for than but as im in von mit auf aus nach und oder für als bei zu "
    "aber am an "
    "is are was has have the a an called named titled namens".split()
)
_OBJECT = frozenset("den die das the a an ein eine einen my mein meine meinen its seinen seine".split())
"""With which what is wanted may go on behind an event: "vor jedem Termin | den Ort zeigen"."""
_ARTICLES = frozenset("a an the ein eine einen".split())
"""Words that belong to what stands behind them: "... ändert | ein Diagramm draus machen"."""
_OF_EVENTS = frozenset("in with of about mit von über zu".split())
"""Behind which more is said of an event: "anything with Lena in | it"."""
_WHICH = frozenset({Lack.WHICH_MAILS, Lack.WHICH_FILE})
_LONGEST_TEXT = 400


def hear_happening(line: Line, world: World, cwd: str, lexicon: Lexicon) -> Heard | Unclear | None:
    """Return the happening that sets the rule ``line`` off, or why its words are unclear; None: it is no such rule."""
    gist = Gist.of(line)
    doubt: Unclear | None = None
    for opening in openings(gist):
        whole = Clause(gist, opening, opening.first, gist.size, world, cwd, lexicon)
        heard = _hear(whole)
        if isinstance(heard, Heard):
            return heard
        doubt = doubt or heard
    return doubt or _of_a_noun(Clause(gist, Opening(0, 0, Weight.IF), 0, gist.size, world, cwd, lexicon))


def _of_a_noun(whole: Clause) -> Heard | Unclear | None:
    for clause, read, noun in relatives(whole):
        heard = _settled(clause, read)
        if isinstance(heard, Heard):
            return replace(heard, brings=tuple(sorted({noun, *heard.brings})))
        if heard is not None:
            return heard
    return None


def _hear(whole: Clause) -> Heard | Unclear | None:
    doubts: list[tuple[Doubt, int]] = []
    stop = next(ends(whole.gist, whole.opening), whole.gist.size)
    for clause in _candidates(whole):
        read = _read(clause)
        if isinstance(read, Reading) and read.trigger is not None:
            heard = _settled(clause, read)
            if heard is not None:
                return heard
        elif isinstance(read, Doubt) and clause.last <= stop:
            doubts.append((read, clause.last))
    if doubts and (_is_meant(whole) or any(one.why in _WHICH for one, _ in doubts)):
        why, last = min(doubts, key=lambda one: (one[1] != stop or stop == whole.gist.size, len(one[0].about)))
        return _unclear(whole, why, last)
    return _unread(whole)


def _candidates(whole: Clause) -> Iterator[Clause]:
    """Yield what may be the clause: a noun with the clause that narrows it; up to each mark; up to a verb with which a
    request may begin, or to a limit; and where no mark parts it from the request to any word.
    """
    gist, opening = whole.gist, whole.opening
    stops = [end for end in ends(gist, opening) if end > opening.first]
    if opening.each and len(stops) > 1 and narrows(gist, stops[0], stops[1]):
        yield replace(whole, last=stops[1])
    inner = range(opening.first + 1, stops[0]) if stops else range(0)
    cuts = [end for end in inner if gist.word(end) not in _GOES_ON]
    if opening.each and stops and gist.word(stops[0] + 1) in _ASKS and _leads(whole):  # "zeig mir, wo er stattfindet"
        yield from (replace(whole, last=end) for end in cuts if _is_verb(whole, end))
    if opening.asked:  # "laptop down to 10 percent, not plugged in? ...": the question as a whole comes first
        stops = sorted(stops, key=lambda end: gist.word(end) != "?")
    for end in stops:
        yield replace(whole, last=end)
    if not stops:
        return
    yield from (replace(whole, last=end) for end in cuts if _leads(whole) and _is_verb(whole, end))
    if opening.each == "before":  # "vor jedem Termin | den Ort in die Zwischenablage legen"
        yield from (replace(whole, last=end) for end in cuts if gist.word(end) in _OBJECT)
    if opening.each == "after":
        yield from (replace(whole, last=end) for end in inner if gist.word(end) in MEANS)
    yield from (replace(whole, last=end) for end in inner if gist.word(end) == "bescheid")  # "sag mir ... Bescheid"
    yield from (replace(whole, last=end) for end in inner if Beside.limit_at(gist, end, stops[0]))
    if _leads(whole) and (stops[0] == gist.size or opens_limit(gist.word(stops[0] + 1))):
        open_yet = _ARTICLES | (_OF_EVENTS if opening.each == "before" else frozenset())
        yield from (replace(whole, last=end) for end in reversed(cuts) if gist.word(end - 1) not in open_yet)


def _is_verb(whole: Clause, at: int) -> bool:
    """Tell whether a request may begin at the item."""
    token = whole.gist.line.tokens[whole.gist.spans[at][0]]
    return whole.lexicon.is_verb(token) or whole.gist.word(at) in _BEGINS or whole.gist.text(at, at + 2) in _WISHES


_ENDS_SENTENCE = frozenset(". ! ?".split())
_ASKS = frozenset("wo wohin wann wer worum wie wovon where when who what".split())
_WISHES = frozenset({"i should", "i would", "i 'd", "i'd like", "i'd love", "will ich", "möchte ich", "hätte ich"})
"""With which a wish begins behind what happens: "sobald ich ... abzieh | will ich wissen"."""
_BEGINS = frozenset("please bitte just immediately sofort gleich automatically automatisch also".split())


def _leads(whole: Clause) -> bool:
    """Tell whether what is to be done stands behind the trigger, because nothing of its sentence stands before it."""
    gist, first = whole.gist, whole.opening.at
    begins = next((at for at in range(first, 0, -1) if gist.word(at - 1) in _ENDS_SENTENCE), 0)
    before = range(begins, first)
    return not any(whole.gist.line.is_content(whole.gist.spans[at][0]) for at in before)


def _read(clause: Clause) -> Reading | Doubt | None:
    if clause.last - clause.first < 1 or len(clause.text) > _LONGEST_TEXT:
        return None
    return read_clause(clause)


def _settled(clause: Clause, read: Reading) -> Heard | Unclear | None:
    """The rule with what limits it, wherever that is said."""
    gist, leads = clause.gist, _leads(clause)
    near = after(clause, read, leads=leads)
    if isinstance(near, Doubt):
        return _unclear(clause, near, near.last)
    far = elsewhere(gist, clause.opening.at, near.last)
    back = _back(clause, read, near.last)
    if back is not None:
        read, far = back[0], replace(far, words=(*far.words, back[1]))
    limits = (*read.limits, *near.limits, *far.limits)
    if not _is_rule(clause, read, limits) or not _has_deed(clause, near.last, far):
        return None
    told = () if read.told is None else (gist.tokens(*read.told),)
    words = tuple(sorted([*told, gist.tokens(*_with_commas(clause, near.last)), *far.words]))
    if _never(read, limits):
        return Unclear(Lack.NEVER, words, clause.gist.said(clause.first, near.last))
    if isinstance(read.trigger, TaskDue):
        trigger, times = at_its_time(gist, read.trigger, words)
        read, words = replace(read, trigger=trigger), tuple(sorted((*words, *times)))
    gone = covered(words)
    if isinstance(read.trigger, FileSeen):
        pattern = with_name(read.trigger.pattern, near.pattern) if near.pattern else read.trigger.pattern
        below = read.trigger.below or near.below
        read = replace(read, trigger=replace(read.trigger, pattern=pattern, below=below))
    brings = () if isinstance(read.trigger, Machine) else brought(gist.line, gone, read.nouns)
    assert read.trigger is not None
    return Heard(read.trigger, words, limits, brings, with_kinds((*read.such, *near.such)))


def _with_commas(clause: Clause, last: int) -> Words:
    """The trigger with both commas where it stands within a clause: "könntest du, wenn eine Mail kommt, sie ..."."""
    gist, first = clause.gist, clause.opening.at
    inside = gist.word(first - 1) == gist.word(last) == "," and gist.word(first - 2) in _INNER
    return (first - 1, last + 1) if inside else (first, last)


_INNER = frozenset("du sie ihr you mir me bitte please i ich we wir".split())


def _back(clause: Clause, read: Reading, last: int) -> tuple[Reading, Words] | None:
    """ "If the network is gone for five minutes, tell me when it is back": the end of what was said is waited for."""
    gist = clause.gist
    behind = (one for one in openings(gist) if one.at >= last) if read.trigger == Machine(State.OFFLINE) else ()
    for opening in behind:
        end = next(ends(gist, opening), gist.size)
        comes = comes_back(replace(clause, opening=opening, first=opening.first, last=end))
        if comes is not None and end > opening.first:
            gone = tuple((Limit.LASTED, amount) for limit, amount in read.limits if limit is Limit.HELD)
            return replace(comes, limits=gone), gist.tokens(opening.at, end)
    return None


def _is_rule(clause: Clause, read: Reading, limits: tuple[tuple[Limit, float], ...]) -> bool:
    """The rule of the room: what is so now is no happening, unless the words speak of more than now."""
    if not read.state or clause.lasting or any(kind in HOW_OFTEN for kind, _ in limits):
        return True
    bounded = isinstance(read.trigger, Machine) and read.trigger.bound > 0
    when = clause.opening.weight is Weight.WHEN
    if when and says_when_it_was(clause.gist.line):
        return True
    return bounded and (when or bool(_TO_BE_TOLD.search(clause.gist.line.text)))


_TO_BE_TOLD = re.compile(
    r"\b(?:(?:notify|warn|alert|remind|inform|ping) me|let me know|tell me (?:that|to)|(?:sag|gib) (?:mir )?bescheid|"
    r"sag mir,? dass|(?:warne?|benachrichtige?|erinnere?) mich|"
    r"(?:give|show|send|pop up|put up|bring up|flash)(?: me| up)? an? (?:\w+ )?(?:notice|notification|warning|alert)|"
    r"(?:zeige?|gib|schicke?|blende?)(?: mir)? (?:den|die|einen?|ne|nen) (?:\w+ )?(?:hinweis|benachrichtigung|warnung|"
    r"meldung))\b",
    re.IGNORECASE,
)
"""Who wants to be told does not mean only now: "if less than 5 GB are free, warn me"."""


def _has_deed(clause: Clause, last: int, far: Beside) -> bool:
    line, gist = clause.gist.line, clause.gist
    first, end = gist.tokens(clause.opening.at, last)
    gone = covered(far.words)
    rest = (at for at in (*range(first), *range(end, line.size)) if at not in gone)
    return any(line.is_word(at) for at in rest)


def _never(read: Reading, limits: tuple[tuple[Limit, float], ...]) -> bool:
    kept = dict(limits)
    match read.trigger:
        case Machine(State.BATTERY, bound) if kept.get(Limit.BATTERY, -1.0) >= bound:
            return True
        case Machine(State.PLUGGED) if kept.get(Limit.CHARGING) == 1.0:
            return True
        case Machine(State.UNPLUGGED) if kept.get(Limit.CHARGING) == 0.0:
            return True
        case _:
            return clash(limits)


def _is_meant(whole: Clause) -> bool:
    """Doubtful words are asked about only where they are a rule's beyond doubt, or nothing stands before them."""
    return whole.opening.weight is Weight.EVERY or (whole.opening.weight is Weight.WHEN and _leads(whole))


def _unread(whole: Clause) -> Unclear | None:
    stops = list(ends(whole.gist, whole.opening))
    if not stops or stops[0] <= whole.first:
        return None
    clause = replace(whole, last=stops[0])
    doubt = unheard(clause, leads=_leads(whole), parted=stops[0] < whole.gist.size)
    return None if doubt is None else _unclear(whole, doubt, stops[0])


def _unclear(whole: Clause, doubt: Doubt, last: int) -> Unclear:
    words: tuple[Words, ...] = (whole.gist.tokens(whole.opening.at, last),)
    return Unclear(doubt.why, words, doubt.about)
