"""Asides: clauses beside a request that ask for nothing, "as I need it tomorrow", "it's all in expenses.csv".

What this stops: that such a clause is read as a request, or keeps one from being understood.
What it does not: guess. An aside that limits the request ("only", "except", a date, a size) or that some tool could do
("I want to delete it") is no aside. Where one names something that "it" may mean, nothing of earlier runs is meant any
more; where one says that something is to stay ("but keep the original") or is not wanted, nothing is taken away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kernel.composition import weights as w
from kernel.composition.draft import Forbidden
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import HARD, Scene, bits
from kernel.composition.segments import Segment
from kernel.composition.steps.results import Source
from kernel.composition.steps.sources import argument_source
from kernel.composition.words import (
    is_addressed,
    is_being,
    is_consequence,
    is_indefinite,
    is_negation,
    is_only,
    is_own,
    is_preposition,
    is_today,
    is_vague,
    is_wanting,
    is_whole,
    verb_number,
)
from kernel.language.amounts.open_expressions import is_open
from kernel.language.frame.framing import Telling, excludes, says_no_longer
from kernel.language.frame.told_values import states
from kernel.model import Span
from kernel.paths import paths_of
from skills.model import ValueKind, ValueType

K = ValueKind
_THINGS = frozenset({K.FILE, K.FOLDER})
_LIMITS = HARD - _THINGS - {K.NEW_FILE}
_WHEN = frozenset({K.DATE, K.PERIOD, K.DURATION, K.HOURS, K.RECURRENCE})
_DAYS = frozenset({K.DATE, K.PERIOD})
_COUNTS = frozenset({K.NUMBER, K.INTEGER})
_SURE = 0.7
_SURE_OWN = 0.5  # of "my desktop": behind a word that says which
_WHATEVER = frozenset("something anything was etwas irgendwas".split())
_REASONS = frozenset("for because für zum zur weil".split())
_SOMEBODY = frozenset("her him ihr ihm ihn ihnen".split())
_SPARING = (Telling.UNABLE, Telling.UNWILLING, Telling.BALKING)


@dataclass(frozen=True, slots=True)
class Aside:
    """A clause that is passed over: its price, and what it names for "it" to mean.

    ``spares``: only a plan that takes nothing away may pass it over. ``places``: a plan that changes something may do
    so only if it works there: "delete the pdfs, they should be in Downloads". ``named``: what a plan takes away has
    these among it: "delete the pictures, I still need logo.png". ``unless``: kinds of values that it holds; a plan with
    a use for one may not pass it over. ``reads``: it may say which things are meant, so nothing is changed.
    ``touches``: it tells something of them, so nothing is lost: "delete logo.png, I forgot to copy it". ``forbids``:
    what no plan may do beside it: "nothing gets deleted", "don't send it".
    """

    cost: float
    topics: tuple[Source, ...] = ()
    deaf: bool = False
    spares: bool = False
    places: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    unless: frozenset[ValueKind] = frozenset()
    reads: bool = False
    touches: bool = False
    forbids: frozenset[Forbidden] = frozenset()


def aside_of(scene: Scene, segment: Segment, box: Box) -> Aside | None:
    """Return the segment as an aside, or None when it may ask for something."""
    key = ("aside", segment.first, segment.last, segment.after)
    if key not in scene.memo:
        scene.memo[key] = _dislocated(scene, segment) or _assured(scene, segment) or _read(scene, segment, box)
    found: Aside | None = scene.memo[key]
    return found


def _dislocated(scene: Scene, segment: Segment) -> Aside | None:
    """A pronoun alone, taken up by the next clause."""
    said = [at for at in range(segment.first, segment.last) if scene.costs[at]]
    before = segment.after < scene.size and _marked(scene, segment.last, segment.after)
    if not said or not before:
        return None
    if all(scene.pointing >> at & 1 and scene.free[at] for at in said):
        return Aside(w.DISLOCATED)
    return _named(scene, segment, said)


def _named(scene: Scene, segment: Segment, said: list[int]) -> Aside | None:
    """A thing alone, which a later clause takes up: "the zoom installer in Downloads, can you move it to Desktop"."""
    inside = {
        at
        for span in scene.spans_in(segment.first, segment.last)
        if span.kind in _THINGS and span.source != "missing" and span.confidence >= _SURE
        for at in range(span.first, span.last)
    }
    topics = _topics(scene, segment) if scene.pointing >> segment.last and set(said) <= inside else ()
    return Aside(w.DISLOCATED, topics, deaf=True) if topics else None


def _read(scene: Scene, segment: Segment, box: Box) -> Aside | None:
    frames, first, last = scene.frames, segment.first, _end(scene, segment)
    words = [token.norm for token in scene.tokens[first:last]]
    marked = _marked(scene, last, segment.after) or _marked(scene, 0, first) or _is_ground(scene, last, segment.after)
    if (
        _asks_inside(scene, segment, box)
        or scene.unknowable & bits(first, segment.after)
        or excludes(_unlimiting(scene, first, last))
    ):
        return None
    if frames.tells(Telling.TAKEN_BACK, first) > first:
        return None
    if frames.is_reason(first, marked=marked):
        return Aside(w.REASON)
    kept = _keeping(scene, first, last)
    if kept is not None:
        return kept
    whole = frames.is_afterthought(first) or frames.is_whole_clause(first, last, scene.intent.language)
    if not (marked or whole or _runs_into(scene, segment)):
        return None
    return _beside(scene, segment, box, words) or (_chatter(scene, segment, box) if marked else None)


def _chatter(scene: Scene, segment: Segment, box: Box) -> Aside | None:
    """ "Recipe's american again. 350 fahrenheit in celsius?": of things, times and deeds it says nothing.

    "Mails are unread" says which ones are meant.
    """
    first, last = segment.first, _end(scene, segment)
    if not scene.frames.is_chatter(first, last) or scene.hard & bits(first, last) or _wants_a_deed(scene, segment, box):
        return None
    opens = next((at for at in range(first, last) if scene.words[at] and not scene.free[at]), first)
    language = scene.intent.language
    asks = box.is_verb(scene.forms[opens], language) and not scene.tokens[opens].norm.endswith("ing")
    being = next((at for at in range(first, last) if is_being(scene.tokens[at].norm)), last)
    which = any(box.is_choice(scene.nouns[at], language) for at in range(being, last) if not scene.free[at])
    return None if asks or which or _limits_of(scene, segment) else Aside(w.TOLD, reads=True)


def _assured(scene: Scene, segment: Segment) -> Aside | None:
    """ "Nothing gets deleted, mind", "a draft, don't send it", "I'll do the rest myself": behind a request."""
    frames, last = scene.frames, _end(scene, segment)
    if segment.first == scene.begin:
        return None
    if frames.keeps_all(segment.first, last):
        return Aside(w.REASON, forbids=frozenset({Forbidden.LOSING}))
    if frames.sends_nothing(segment.first, last):
        return Aside(w.REASON, forbids=frozenset({Forbidden.SENDING}))
    return Aside(w.REASON) if frames.does_it_itself(segment.first, last) else None


def _asks_inside(scene: Scene, segment: Segment, box: Box) -> bool:
    """A request begins within it: "I called Ada, so tick that off" is no remark as a whole."""
    drawn = (at for at in range(segment.first + 1, segment.last) if is_consequence(scene.tokens[at].norm))
    rest = ([one for one in range(at + 1, segment.last) if scene.words[one] and not scene.free[one]] for at in drawn)
    return any(said and box.is_verb(scene.forms[said[0]], scene.intent.language) for said in rest)


def _keeping(scene: Scene, first: int, last: int) -> Aside | None:
    """ "But keep the original", and "leave the rest" where not everything is meant."""
    if scene.frames.keeps_original(first, last):
        return Aside(w.REASON, spares=True)
    everything = any(is_whole(token.norm) for token in scene.tokens[:first])
    return Aside(w.REASON) if scene.frames.keeps_rest(first, last) and not everything else None


def _unlimiting(scene: Scene, first: int, last: int) -> list[str]:
    """The words of a clause without the "only" of what some other thing does: "my watch only shows miles"."""
    words = [token.norm for token in scene.tokens[first:last]]
    told = scene.frames.clause(first, last, scene.intent.language)
    if told is None or told.plain:
        return words
    return [word for at, word in enumerate(words) if not (is_only(word) and abs(first + at - told.verb) == 1)]


def _runs_into(scene: Scene, segment: Segment) -> bool:
    """Spoken without a mark: the sentence begins with what is told, and a request follows at once."""
    whole = segment.first <= scene.begin and segment.after < scene.end
    return whole and scene.frames.is_aside(segment.first)


def _is_ground(scene: Scene, first: int, last: int) -> bool:
    """What follows is drawn from it: "I no longer need it, so ..."."""
    return any(is_consequence(scene.tokens[at].norm) for at in range(first, min(last + 1, scene.size)))


def _beside(scene: Scene, segment: Segment, box: Box, words: list[str]) -> Aside | None:
    if scene.frames.is_courtesy(segment.first, _end(scene, segment)):
        return Aside(w.DISLOCATED)
    numbers = _numbers_told(scene, segment)
    if numbers:
        return Aside(w.ASIDE, numbers, deaf=True)
    limits = _limits_of(scene, segment)
    if limits and not (limits <= _WHEN and _is_of_its_own_time(scene, segment)):
        return None
    found = (
        _lacking(scene, segment)
        or _stated(scene, segment, box, words)
        or _told(scene, segment, box, words)
        or _plainly(scene, segment, box, words)
    )
    return None if found is None else _held(scene, segment, found, limits)


def _limits_of(scene: Scene, segment: Segment) -> frozenset[ValueKind]:
    spans = scene.spans_in(segment.first, segment.last)
    return frozenset(one.kind for one in spans if _limits(scene, segment, one) and not _is_today(scene, one))


def _is_today(scene: Scene, span: Span) -> bool:
    return span.last == span.first + 1 and is_today(scene.tokens[span.first].norm)


def _is_of_its_own_time(scene: Scene, segment: Segment) -> bool:
    """ "I'll take it along tomorrow" says nothing of the things themselves, as "I changed them yesterday" does."""
    first, last = segment.first, _end(scene, segment)
    told = scene.frames.clause(first, last, scene.intent.language)
    return told is not None and not (told.past and scene.pointing & bits(first, last))


def _held(scene: Scene, segment: Segment, aside: Aside, limits: frozenset[ValueKind]) -> Aside:
    """The aside with what it holds: values that may be meant, and the things that may be taken away."""
    unless = _WHEN if limits - _DAYS else _WHEN - {K.DURATION} if limits else frozenset()
    named = tuple(path for topic in aside.topics for path in paths_of(topic.value) if topic.type.kind in _THINGS)
    reads, touches = aside.reads or _parts(scene, segment), _touches(scene, segment, aside)
    return replace(aside, unless=unless | aside.unless, named=named, reads=reads, touches=touches)


def _parts(scene: Scene, segment: Segment) -> bool:
    """It tells of some of several things: "I have most of them on paper", "meine Frau hat die kleinen"."""
    return scene.frames.parts(segment.first, _end(scene, segment), scene.intent.language)


def _touches(scene: Scene, segment: Segment, aside: Aside) -> bool:
    """It tells something of the things, or of what is in them, and not that they are done with or worth nothing."""
    first, last = segment.first, _end(scene, segment)
    points = scene.pointing & bits(first, last) or scene.frames.points_inside(first, last, scene.intent.language)
    return bool(points or aside.topics) and not scene.frames.is_done_with(first, last)


def _plainly(scene: Scene, segment: Segment, box: Box, words: list[str]) -> Aside | None:
    """A statement by its grammar alone: "the waiter is waiting", "da wird Oma neunzig"."""
    first, last, language = segment.first, _end(scene, segment), scene.intent.language
    told = scene.frames.clause(first, last, language)
    inside = segment.after < scene.end and is_preposition(scene.tokens[segment.after].norm)  # of another clause
    if told is None or inside or any(map(is_addressed, words)) or _wants_a_deed(scene, segment, box):
        return None
    own = is_own(scene.tokens[told.subject].norm)  # "my watch" is no thing that tools work on
    said = range(told.verb + 1 if own else first, last) if not told.plain else range(0)
    content = (at for at in said if scene.words[at] and not scene.free[at] and not is_only(scene.tokens[at].norm))
    of_tools = (at for at in content if at != told.verb and _is_of_tools(scene, box, at))
    if not all(_is_said_again(scene, at, segment) for at in of_tools):
        return None
    spares = any(map(is_negation, words)) and not says_no_longer(words)
    topics = _topics(scene, segment)
    points = bool(scene.pointing & bits(first, last))
    unless = _COUNTS if any(one.kind in _COUNTS for one in scene.spans_in(first, last)) else frozenset()
    done_with = verb_number(scene.tokens[told.verb].norm) is False and scene.frames.is_done_with(first, last)
    describes = bool(scene.pointing >> told.subject & 1) and is_being(scene.tokens[told.verb].norm) and not done_with
    deaf = not points or bool(topics)
    return Aside(w.TOLD, topics, deaf, spares, _places(scene, segment), unless=unless, reads=describes)


def _numbers_told(scene: Scene, segment: Segment) -> tuple[Source, ...]:
    """ "My rent is 780 euros, what's that times 12": the number that arithmetic behind it works on."""
    if not any(one.kind is K.EXPRESSION and is_open(one.value) and one.first >= segment.last for one in scene.spans):
        return ()
    told = [one for one in scene.spans_in(segment.first, segment.last) if one.kind is K.NUMBER]
    if len(told) != 1 or not states(scene.intent, told[0]):
        return ()
    text, label = scene.text(told[0].first, told[0].last), scene.intent.label
    return (Source(ValueType(K.NUMBER), None, True, frozenset(), 0.0, told[0].value, label, text, given=True),)


def _end(scene: Scene, segment: Segment) -> int:
    """The end of the clause without the marks that close it."""
    last = segment.last
    while last > segment.first and not scene.words[last - 1]:
        last -= 1
    return last


def _lacking(scene: Scene, segment: Segment) -> Aside | None:
    """ "We're out of tinfoil", "I've watered the plants": what is lacking, or done, is what "it" means later.

    A thing that is there is meant as well where it is named: "I've paid the phone bill".
    """
    if not scene.pointing >> segment.last:
        return None
    end = _end(scene, segment)
    first, last = scene.frames.lacking(segment.first, end)
    if first < last:
        return Aside(w.ASIDE, (_said_to_be(scene, first, last, K.TEXT),), deaf=True)
    first, last = scene.frames.done(segment.first, end)
    if first == last:
        return None
    done = _said_to_be(scene, first, last, K.QUERY)
    return Aside(w.ASIDE, (done, *_topics(scene, segment)), deaf=True)


def _said_to_be(scene: Scene, first: int, last: int, kind: ValueKind) -> Source:
    """What stands in [first, last), without its article, for a later clause to take up."""
    while first < last - 1 and scene.determiners[first]:
        first += 1
    text = scene.text(first, last)
    words = frozenset(form for at in range(first, last) for form in scene.forms[at])
    return Source(ValueType(kind), None, True, words, 0.0, text, scene.intent.label, text, given=True)


def _stated(scene: Scene, segment: Segment, box: Box, words: list[str]) -> Aside | None:
    """ "It's all in expenses.csv", "I don't need it any more"."""
    if not _is_statement(scene, segment) or (any(map(is_negation, words)) and not says_no_longer(words)):
        return None
    if _wants_a_deed(scene, segment, box):
        return None
    topics = _topics(scene, segment)
    points = bool(scene.pointing & bits(segment.first, segment.last))
    return Aside(w.ASIDE, topics, deaf=not points or bool(topics), places=_places(scene, segment))


def _is_statement(scene: Scene, segment: Segment) -> bool:
    """Also with its time before it: "on Friday my parents are coming"."""
    told = scene.frames.clause(segment.first, _end(scene, segment), scene.intent.language)
    begins = (segment.first, segment.first if told is None else told.subject)
    return any(map(scene.frames.is_statement, begins))


def _places(scene: Scene, segment: Segment) -> tuple[str, ...]:
    """The folders that the clause says something is in."""
    spans = (span for span in scene.spans_in(segment.first, segment.last) if span.kind is K.FOLDER)
    sure = (one for one in spans if one.source != "missing" and one.confidence >= _SURE_OWN)
    return tuple({path: None for one in sure if _is_place(scene, one.first) for path in paths_of(one.value)})


def _wants_a_deed(scene: Scene, segment: Segment, box: Box) -> bool:
    """ "My wife wants the logo deleted": somebody's wish for what a tool does."""
    rest = range(segment.first, segment.last)
    wish = next((at for at in rest if is_wanting(scene.tokens[at].norm)), segment.last)
    if wish + 2 < segment.last and scene.pointing >> (wish + 1) & 1 and scene.tokens[wish + 2].norm in _REASONS:
        return False  # "I need it for my tax return"
    after = (at for at in rest if at > wish and scene.words[at] and not scene.free[at])
    return any(box.is_verb(scene.forms[at], scene.intent.language) for at in after)


def _told(scene: Scene, segment: Segment, box: Box, words: list[str]) -> Aside | None:
    """What somebody does, means to do or cannot do; where a thing is."""
    how, start = _telling(scene, segment)
    if how is None or any(map(is_addressed, words)) or (any(map(is_negation, words)) and how not in _SPARING):
        return None
    if not _may_tell(scene, box, how, range(start, segment.last), range(segment.first, segment.last)):
        return None
    subject = range(segment.first, start if how is Telling.ABOUT else segment.last)
    topics = () if how is Telling.UNWILLING else _topics_in(scene, subject)
    return Aside(w.ASIDE, topics, deaf=bool(topics), spares=how in _SPARING)


def _telling(scene: Scene, segment: Segment) -> tuple[Telling | None, int]:
    """What the clause tells, and where the words end that say so. A wish may begin before it: it frames a request."""
    before = segment.first
    while before and scene.words[before - 1] and not scene.costs[before - 1]:
        before -= 1
    for how in (*_SPARING, Telling.ABOUT, Telling.WISH):
        end = scene.frames.tells(how, segment.first)
        if end > segment.first:
            return how, min(end, segment.last)
    wish = next((at for at in range(before, segment.first) if scene.frames.tells(Telling.WISH, at) > at), None)
    return (None, segment.first) if wish is None else (Telling.WISH, segment.first)


def _may_tell(scene: Scene, box: Box, how: Telling, rest: range, whole: range) -> bool:
    """No second request hides in it, and no limit: what a tool does, what a choice or a thing is called."""
    language = scene.intent.language
    content = [at for at in whole if scene.words[at] and not scene.free[at]]
    match how:
        case Telling.WISH:
            own = [at for at in content if at in rest]
            asks = any(box.is_verb(scene.forms[at], language) or scene.costs[at] >= w.NUMBER for at in own)
            return not (asks and _is_for_tools(scene, box, own, rest)) and not _names(scene, whole)
        case Telling.ABOUT:
            return bool(_topics_in(scene, range(whole.start, rest.start)))
        case Telling.UNWILLING:
            verb = rest.start if scene.tokens[rest.start - 1].norm in {"to", "want", "wanna"} else -1
            own = [at for at in content if at in rest and at != verb]
            return not any(_is_of_tools(scene, box, at) for at in own) and not _names(scene, whole)
        case Telling.BALKING:
            subject = [at for at in content if at not in rest and not _is_vaguely_named(scene, at)]
            return not any(box.is_carrier(scene.forms[at], language) for at in subject) and not _names(scene, whole)
        case _:
            return True


def _is_for_tools(scene: Scene, box: Box, own: list[int], rest: range) -> bool:
    """ "Send her the invoice", "delete it", but not "send her a card": no tool knows a word of what it is done to."""
    language = scene.intent.language
    if scene.pointing & bits(rest.start, rest.stop) & ~_persons(scene, rest) or any(
        scene.costs[at] >= w.NUMBER for at in own
    ):
        return True
    if any(scene.tokens[at].norm in _WHATEVER for at in rest):
        return False
    objects = [at for at in own if not box.is_verb(scene.forms[at], language)]
    known = (
        at for at in objects if box.is_carrier(scene.forms[at], language) or box.is_choice(scene.nouns[at], language)
    )
    return not objects or any(known)


def _persons(scene: Scene, rest: range) -> int:
    """The words that point at somebody: "her", "ihm"."""
    return sum(1 << at for at in rest if scene.tokens[at].norm in _SOMEBODY)


def _is_vaguely_named(scene: Scene, at: int) -> bool:
    """ "Thing", and "viewer" in "the viewer thing": what is told of it holds for nothing that tools work on."""
    return any(is_vague(scene.tokens[one].norm) for one in (at, at + 1) if one < scene.size)


def _is_of_tools(scene: Scene, box: Box, at: int) -> bool:
    """A word that tools know may say what is left out ("I don't need to see the invoices"), but not "a whole book"."""
    language = scene.intent.language
    before = at - 1
    while before > 0 and not scene.free[before]:
        before -= 1
    if is_indefinite(scene.tokens[before].norm):
        return False
    return box.is_choice(scene.nouns[at], language) or box.is_carrier(scene.forms[at], language)


def _is_said_again(scene: Scene, at: int, segment: Segment) -> bool:
    norm = scene.tokens[at].norm
    return any(token.norm == norm for token in (*scene.tokens[: segment.first], *scene.tokens[segment.last :]))


def _names(scene: Scene, whole: range) -> bool:
    return bool(scene.hard & bits(whole.start, whole.stop))


def _marked(scene: Scene, first: int, last: int) -> bool:
    """A mark stands in [first, last), at its end when it is what comes before a clause."""
    if first == 0:
        return last > 0 and not scene.words[last - 1]
    return any(not scene.words[at] for at in range(first, last))


def _limits(scene: Scene, segment: Segment, span: Span) -> bool:
    """A value that may be meant to hold for the request, and is not said again outside the clause."""
    if span.kind not in _LIMITS or not scene.hard >> span.first & 1:
        return False
    alike = [one for one in scene.spans_in(segment.first, segment.last) if _place(one) == _place(span)]
    outside = [one for one in scene.spans if one.last <= segment.first or one.first >= segment.last]
    return not any(one.kind is mine.kind and one.value == mine.value for one in outside for mine in alike)


def _place(span: Span) -> tuple[int, int]:
    return span.first, span.last


def _topics(scene: Scene, segment: Segment) -> tuple[Source, ...]:
    return _topics_in(scene, range(segment.first, segment.last))


def _topics_in(scene: Scene, whole: range) -> tuple[Source, ...]:
    """The things that the clause names and that are there, one for each place in it, the first one the nearest."""
    named: dict[int, list[Span]] = {}
    for span in scene.spans_in(whole.start, whole.stop):
        sure = _SURE_OWN if scene.determiners[span.first - 1] and span.first else _SURE
        named_here = span.kind in _THINGS and span.source != "missing" and span.confidence >= sure
        if named_here and not (span.kind is K.FOLDER and _is_place(scene, span.first)):
            named.setdefault(span.first, []).append(span)
    sources = []
    for group in named.values():
        best = max(group, key=lambda one: (one.last - one.first, one.confidence))
        if len({one.value for one in group if one.kind is best.kind and one.last == best.last}) == 1:
            text = scene.text(best.first, best.last)
            sources.append(argument_source(ValueType(best.kind), best.value, best.label, text, 0.0))
    found = list({repr(one.value): one for one in sources if one is not None}.values())
    return tuple(replace(one, age=one.age + place) for place, one in enumerate(found))


def _is_place(scene: Scene, first: int) -> bool:
    """The folder says where something is: "in my Downloads"."""
    before = scene.left_of(first, 0)
    return before >= 0 and is_preposition(scene.tokens[before].norm)
