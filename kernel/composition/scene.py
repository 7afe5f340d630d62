"""A sentence as the search sees it: what every token costs when it stays unexplained, and coverage as bit masks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kernel.composition import weights as w
from kernel.composition.filling.new_names import is_new, new_names
from kernel.composition.segments import begins, end_of
from kernel.composition.words import (
    forms,
    is_article,
    is_being,
    is_cue,
    is_determiner,
    is_filling_noun,
    is_free,
    is_got,
    is_idle,
    is_light,
    is_making,
    is_negation,
    is_possessive,
    is_preposition,
    is_straight,
    is_taking,
    is_unreal,
    is_whole,
    is_word,
    noun_forms,
    said,
)
from kernel.language.amounts.units import BARE_UNITS
from kernel.language.excepting import excepting
from kernel.language.frame.framing import Frames
from kernel.language.frame.resuming import resumed
from kernel.language.frame.told_values import told
from kernel.language.inner_pointers import inside_field
from kernel.language.place.deep import DEEP
from kernel.language.place.partial import PART
from kernel.language.sought import only_where
from kernel.language.time.dates import COUNTED
from kernel.language.unknowable import only_they_know
from kernel.model import Intent, Reference, ReferenceKind, Span, Token
from skills.model import ValueKind

HARD = frozenset(
    {
        ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.DATE, ValueKind.PERIOD, ValueKind.SIZE,
        ValueKind.DURATION, ValueKind.HOURS, ValueKind.RECURRENCE, ValueKind.QUANTITY, ValueKind.EXPRESSION,
        ValueKind.CONDITION, ValueKind.URL,
    }
)  # fmt: skip
"""Kinds that the grammar or the world vouches for; free text is everything else."""

NUMBERS = frozenset({ValueKind.INTEGER, ValueKind.NUMBER})


_NOW = frozenset("today heute".split())
"""Days that the examples of a tool without a day may have: "what is the date today"."""
_YOU = frozenset("you u ya god".split())
_GREETINGS = frozenset("hello hi hey thanks thank ok okay hallo hi danke servus moin tschüss bye".split())
_OWNERS = frozenset({"i", "we"})
_THOSE = frozenset("those these diesen".split())
_BARE = frozenset({"die", "der", "den", "das"})


def bits(first: int, last: int) -> int:
    """Return the mask of the tokens [first, last)."""
    return ((1 << (last - first)) - 1) << first if last > first else 0


@dataclass(frozen=True, slots=True)
class Scene:
    """An intent with what the search asks of it again and again."""

    intent: Intent
    forms: tuple[tuple[str, ...], ...]
    nouns: tuple[tuple[str, ...], ...]  # the forms under which a word may be a choice
    keys: tuple[str, ...]
    said: tuple[str, ...]  # the keys with all framing verbs alike
    costs: tuple[float, ...]  # what the token costs when nothing explains it
    never: int  # tokens that a tool's vocabulary cannot explain: numbers, negations, hard values
    hard: int  # tokens inside hard or quoted spans
    quoted: tuple[int, ...]  # a mask for each quoted stretch
    pointing: int  # tokens that point at an earlier result
    phrases: int  # tokens of "a document", "the pdf in Downloads": an article, a noun and where it is
    spans: tuple[Span, ...]
    references: tuple[Reference, ...]
    words: tuple[bool, ...]  # carries letters or digits
    free: tuple[bool, ...]  # needs no explanation
    idle: tuple[bool, ...]  # says nothing about which tool is meant: marks, determiners, the speakers
    determiners: tuple[bool, ...]
    cues: tuple[bool, ...]
    begin: int = 0  # where the request begins, after what frames it
    end: int = 0  # and where it ends
    opener: int = -1  # the verb of a clause that only introduces what the next one works on
    home: str = ""  # where a named folder that does not exist yet is meant to be
    told: int = 0  # words that only tell whose a value is: "my essay is due six weeks from today"
    unknowable: int = 0  # verbs of limits that only the person can draw: "the files I no longer need"
    new: int = 0  # words of a folder's name that is still to be made: "a folder called Letters"
    memo: dict[tuple[object, ...], Any] = field(default_factory=dict, compare=False, repr=False)
    goes_on: bool = False  # it lives on the sentence before, which had the words that stand beside a value

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the sentence."""
        return self.intent.tokens

    @property
    def size(self) -> int:
        """How many tokens."""
        return len(self.intent.tokens)

    def text(self, first: int, last: int) -> str:
        """The words [first, last) as written."""
        if last <= first:
            return ""
        return self.intent.text[self.tokens[first].start : self.tokens[last - 1].end]

    def is_quoted(self, first: int, last: int) -> bool:
        """Tell whether [first, last) is exactly a quoted stretch."""
        return bits(first, last) in self.quoted

    def is_deep(self, first: int, last: int) -> bool:
        """Tell whether [first, last) is a folder that is meant with everything below it."""
        return any(span.source == DEEP and (span.first, span.last) == (first, last) for span in self.spans)

    def cuts_quote(self, mask: int) -> bool:
        """Tell whether ``mask`` holds a quoted stretch in part."""
        return any(mask & one and mask & one != one for one in self.quoted)

    def spans_in(self, first: int, last: int) -> Iterable[Span]:
        """The spans that lie inside [first, last)."""
        return (span for span in self.spans if span.first >= first and span.last <= last)

    def references_in(self, first: int, last: int) -> Iterable[Reference]:
        """The references that lie inside [first, last)."""
        return (one for one in self.references if one.first >= first and one.last <= last)

    @property
    def frames(self) -> Frames:
        """What may frame a request, made once a sentence."""
        if ("frames",) not in self.memo:
            self.memo["frames",] = Frames([token.norm for token in self.tokens])
        found: Frames = self.memo["frames",]
        return found

    def request_begins(self, first: int, last: int) -> int:
        """Where the request begins in [first, last), after "could you please" and the like."""
        key = ("polite", first)
        if key not in self.memo:
            self.memo[key] = self.frames.lead(first)
        begins: int = self.memo[key]
        return min(begins, last)

    def left_of(self, index: int, first: int) -> int:
        """The nearest token before ``index`` that is no determiner and no mark; ``first - 1`` when there is none."""
        at = index - 1
        while at >= first and (self.determiners[at] or not self.cues[at]):
            at -= 1
        return at

    def right_of(self, index: int, last: int) -> int:
        """The nearest word at or after ``index``; ``last`` when there is none."""
        at = index
        while at < last and not self.cues[at]:
            at += 1
        return at


def scene_of(intent: Intent, home: str = "") -> Scene:
    """Prepare ``intent`` for the search."""
    hard = numbers = 0
    spans = tuple(span for span in intent.spans if not _is_accident(intent, span))
    for span in spans:
        vouched = _is_vouched(span) and not is_new(intent.tokens, span) and not _swallows(span, spans)
        if span.source == "quoted" or vouched:
            hard |= bits(span.first, span.last)
        if span.kind in NUMBERS:
            numbers |= bits(span.first, span.last)
    pronouns = sum({1 << at for one in intent.references for at in _pointing(intent, one)}) & ~resumed(intent)
    extremes = sum({1 << at for one in intent.references for at in _picking(one)})
    opener, framed = _opener(intent, hard), _framed(intent)
    costs, never, unknowable = [], 0, only_they_know(intent)
    where, excepted = only_where([token.norm for token in intent.tokens]), excepting(intent.tokens, spans)
    unsaid = _hours_in_small_words(intent.tokens, spans)
    greetings = _announced_greetings(intent.tokens, spans) | _thanks_to_be(intent.tokens)
    for index, token in enumerate(intent.tokens):
        bit = 1 << index
        cost = _cost(token, bool(numbers & bit), bool(hard & bit), bool(pronouns & bit))
        if is_article(token.norm) and any(_is_bare_article(intent, one, index) for one in intent.references):
            cost = w.PRONOUN
        cost = 0.0 if framed & bit and not hard & bit else cost
        if is_unreal(intent.tokens, index) or unknowable & bit or index in excepted:
            cost = w.NEGATION
        elif index in unsaid:
            cost = w.NUMBER
        elif index in greetings:
            cost = w.CONTENT
        elif index == opener or index in where or _is_said_lightly(intent.tokens, index, numbers, hard):
            cost = min(cost, w.LIGHT)
        costs.append(cost)
        alone = pronouns & bit and not pronouns & (bit << 1 | bit >> 1)  # "them", not "this computer"
        if cost >= w.NUMBER or (hard & bit and not _is_now(intent.tokens, index)) or alone:
            never |= bit
    return Scene(
        intent,
        tuple(forms(token) for token in intent.tokens),
        tuple(noun_forms(token) for token in intent.tokens),
        tuple(token.lemma.casefold() for token in intent.tokens),
        tuple(said(token) for token in intent.tokens),
        tuple(costs),
        never,
        hard,
        tuple({bits(span.first, span.last) for span in spans if span.source == "quoted"}),
        pronouns | extremes,
        _phrases(intent.tokens, hard),
        spans,
        intent.references,
        tuple(is_word(token) for token in intent.tokens),
        tuple(
            (is_free(token) and at not in excepted | greetings) or at in where for at, token in enumerate(intent.tokens)
        ),
        tuple(at in where or _is_idle(intent.tokens, at) for at in range(len(intent.tokens))),
        tuple(is_determiner(token.norm) for token in intent.tokens),
        tuple(is_cue(token) for token in intent.tokens),
        min(begins(intent)),
        end_of(intent),
        opener,
        home,
        told(intent),
        unknowable,
        new_names(intent.tokens, spans),
    )


def _hours_in_small_words(tokens: tuple[Token, ...], spans: Iterable[Span]) -> frozenset[int]:
    """The "one" of "on friday at one": a time of day that nobody would miss, for the word needs no explanation."""
    clocks = (range(span.first, span.last) for span in spans if span.kind is ValueKind.HOURS and _is_vouched(span))
    return frozenset(at for one in clocks if all(is_free(tokens[at]) for at in one) for at in one)


def _announced_greetings(tokens: tuple[Token, ...], spans: Iterable[Span]) -> frozenset[int]:
    """The "hello" of "a draft to Vogt saying hello": what is announced is said to somebody else, and no courtesy."""
    cued = (one for one in spans if one.source.startswith("cue") and one.confidence >= w.STRONG_CUE)
    greets = (one for one in cued if not _GREETINGS.isdisjoint((tokens[one.first].norm, tokens[one.last - 1].norm)))
    tails = (range(one.first, one.last) for one in greets)
    return frozenset(at for tail in tails if all(is_free(tokens[at]) for at in tail) for at in tail)


def _thanks_to_be(tokens: tuple[Token, ...]) -> frozenset[int]:
    """The "thank" of "put thank Ida on my list": it says whom to thank, and is no courtesy."""
    pairs = (at for at, token in enumerate(tokens[:-1]) if token.norm == "thank")
    return frozenset(at for at in pairs if is_word(tokens[at + 1]) and tokens[at + 1].norm not in _YOU)


def _is_said_lightly(tokens: tuple[Token, ...], index: int, numbers: int, hard: int) -> bool:
    """A word that its neighbours say already, or that stands for whatever they say."""
    if hard >> index & 1:
        return False
    if _is_own(tokens, index) or _is_counted(tokens, index, numbers) or is_got(tokens, index):
        return True
    return is_filling_noun(tokens, index) or is_straight(tokens, index)


def _is_idle(tokens: tuple[Token, ...], index: int) -> bool:
    """Says nothing about which tool is meant: marks, determiners, the speakers, and what its neighbours say already."""
    return is_idle(tokens[index]) or is_filling_noun(tokens, index) or is_straight(tokens, index)


def _framed(intent: Intent) -> int:
    """What frames a later clause says nothing either where it is read together with an earlier one."""
    mask = 0
    for one in intent.boundaries:
        mask |= bits(one.left, one.at) if one.left > 0 and one.at < len(intent.tokens) else 0
    return mask


def _is_counted(tokens: tuple[Token, ...], index: int, numbers: int) -> bool:
    """The unit of a bare number, which whatever takes the number takes for granted: "19 percent", "96 euros"."""
    return index > 0 and tokens[index].norm in BARE_UNITS and bool(numbers >> (index - 1) & 1)


def _is_now(tokens: tuple[Token, ...], index: int) -> bool:
    """ "What is the date today", and not "how many days from today"."""
    return tokens[index].norm in _NOW and not (index and is_preposition(tokens[index - 1].norm))


def _is_own(tokens: tuple[Token, ...], index: int) -> bool:
    """The verb of "photos I took", "files that we saved": it says whose they are, not what is wanted."""
    before = tokens[index - 1].norm if index > 1 else ""
    return before in _OWNERS and is_making(tokens[index].norm) and is_word(tokens[index - 2])


def _opener(intent: Intent, hard: int) -> int:
    """The verb of "take a.csv and do Y" only introduces what is worked on; -1 when there is none."""
    first = next((at for at, token in enumerate(intent.tokens) if is_word(token) and not is_free(token)), -1)
    if first < 0 or not is_taking(intent.tokens[first].norm):
        return -1
    return first if any(one.left > first + 1 and hard & bits(first, one.left) for one in intent.boundaries) else -1


def _phrases(tokens: tuple[Token, ...], hard: int) -> int:
    """The words of noun phrases that begin with an article, with the place that follows them."""
    mask = 0
    for start, token in enumerate(tokens):
        end = start + 1
        if not is_article(token.norm) or hard >> start & 1:
            continue
        while end < len(tokens) and not is_free(tokens[end]) and not hard >> end & 1 and end - start <= 3:
            end += 1
        if end > start + 1:
            mask |= bits(start, _with_place(tokens, end, hard))
    return mask


def _with_place(tokens: tuple[Token, ...], end: int, hard: int) -> int:
    at = end
    if at < len(tokens) and is_preposition(tokens[at].norm):
        at += 1
        while at < len(tokens) and hard >> at & 1:
            at += 1
    return at if at > end + 1 else end


def _is_vouched(span: Span) -> bool:
    """A value that is certainly one; a bare word that is also the name of a place needs more than that."""
    if span.source == PART or (span.kind is ValueKind.HOURS and span.value["rough"]):
        return False  # "evening" is a word like any other
    if span.kind not in HARD or span.last - span.first >= 12 or span.source.endswith(COUNTED):
        return False  # the words of "3 weeks before 1 May" are a length, a direction and a day as well
    return span.confidence >= (0.7 if span.source in ("place", "stem") else 0.5)


def _swallows(span: Span, spans: Iterable[Span]) -> bool:
    """A name that could be given to a new file, and ends in the name of one that is there: "Autor von plan.docx"."""
    return span.kind is ValueKind.NEW_FILE and any(
        one.kind is ValueKind.FILE
        and one.confidence > span.confidence
        and span.first < one.first < one.last == span.last
        for one in spans
    )


def _is_accident(intent: Intent, span: Span) -> bool:
    """A place that is called like a closed-class word ("a") and only stands there as that word."""
    by_name = span.kind in (ValueKind.FILE, ValueKind.FOLDER) and span.source in ("stem", "place", "name")
    return by_name and all(is_free(token) for token in intent.tokens[span.first : span.last])


def _pointing(intent: Intent, one: Reference) -> range:
    """The tokens that point: a pronoun whole, of "its total" and "that old plan" the first word alone."""
    if one.kind is ReferenceKind.RESULT:
        return range(one.first, one.first + 1 if one.last - one.first > 2 and one.nouns else one.last)
    inner = inside_field(intent.tokens, one)
    if inner is not None:
        return _pointing(intent, inner)
    those = _those(intent, one)
    if those is not None:
        return range(those, those + 1)
    possessive = one.kind is ReferenceKind.FIELD and is_possessive(intent.tokens[one.first].norm)
    return range(one.first, one.first + 1) if possessive else range(0)


def _those(intent: Intent, one: Reference) -> int | None:
    """The word that says of which things "the three biggest of those folders" are; None where none does."""
    return next((at for at in range(one.first, one.last) if intent.tokens[at].norm in _THOSE), None)


def _is_bare_article(intent: Intent, one: Reference, index: int) -> bool:
    """ "Die kann weg": an article that stands for a thing by itself; "wie viel Gramm sind das" asks, and needs none."""
    if index and is_being(intent.tokens[index - 1].norm):
        return False
    alone = one.kind is ReferenceKind.RESULT and (one.first, one.last) == (index, index + 1)
    return alone and intent.tokens[index].norm in _BARE


def _picking(one: Reference) -> range:
    """The tokens of "the oldest one": without a noun it points at what was found, and names nothing itself."""
    return range(one.first, one.last) if one.kind is ReferenceKind.EXTREME and not one.nouns else range(0)


def _cost(token: Token, number: bool, hard: bool, pronoun: bool) -> float:
    if not is_word(token):
        return 0.0
    if is_negation(token.norm):
        return w.NEGATION
    if token.norm[0].isdigit() or (number and not is_free(token)):
        return w.NUMBER
    if is_free(token):
        return w.PRONOUN if (pronoun and not is_article(token.norm)) or is_whole(token.norm) else 0.0
    if is_light(token.norm) and not hard:
        return w.LIGHT
    return w.CONTENT
