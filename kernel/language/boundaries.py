"""Where one clause may end and the next begin. Every boundary is optional: a plan that explains the words decides.

A connective is strong when what follows begins like a request: with a verb that opens a tool's example, or with a
question word. Between two nouns it is weak, and inside a value ("between 3 and 5", a quotation) it is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language.amounts.open_expressions import opens_arithmetic, tells_arithmetic
from kernel.language.extremes import BY_WORD
from kernel.language.frame.framing import Frames, is_empty
from kernel.language.free_text import opens_text, text_ends
from kernel.language.function_words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    POLITE,
    PREPOSITIONS,
    PRONOUNS,
    QUESTIONS,
    SEPARABLE,
)
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line, phrases
from kernel.language.place.place_words import ARTICLES
from kernel.model import Boundary, Token

_CONNECTIVES = phrases(
    "and|then|and then|and also|and after that|and afterwards|after that|afterwards|and finally|finally|also|next",
    "as well as|plus|followed by|before you|once done|when done|when you are done|and from there|but|and next|or",
    "und|dann|und dann|und auch|danach|und danach|anschließend|und anschließend|außerdem|und außerdem|sowie|zuletzt",
    "und zuletzt|schließlich|und schließlich|aber|oder|zum schluss|und zum schluss|als nächstes|nachdem das getan ist",
)
_BROKEN = 0.05  # a line break inside a sentence
_STRONG_MARKS = frozenset(";.?!…")
SEQUENCE = frozenset("then afterwards finally next dann danach anschließend zuletzt schließlich that".split())
_WEAK = frozenset("but or aber oder plus also next".split())
_QUESTIONS = frozenset("what how when who why where what's how's was wie wann wer warum wieso wo wieviel".split())
_WHICH = frozenset("which welche welcher welches welchen".split())
_AUXILIARIES = frozenset("is are does do did can could will would ist sind kann könnte hat gibt".split())
_SUBJECTS = frozenset(
    "it them this that these those me us the a an my all its their es sie ihn alle die das den".split()
)
_OBJECTS = frozenset("the a an my it them its their these those this".split())
"""A word before one of these is hardly a noun: "and zap the list" begins a request even if no tool knows "zap"."""
_OPENERS = phrases(
    "and|and what about|and how about|what about|how about|and for|also|then|now|no|nope|yes|ok|okay|actually|sorry",
    "i meant|no i meant|no i mean|i mean|but|or|only|just|instead|und|und was ist mit|was ist mit|wie ist es mit",
    "und wie ist es mit|nein|ja|doch|dann|jetzt|ich meinte|ich meine|aber|oder|nur|stattdessen|so and|and then",
    "first|firstly|first off|erst|erst mal|erstmal|zuerst|zunächst|als erstes",
)
_FOR_WHOM = frozenset("me us mir uns".split())
_PARTICLES = frozenset("up out off down away back over in".split())
"""They stand between a verb and its object: "add up the amounts", "zip up my photos"."""
_TAKEN_UP = frozenset("das dies diese dieses es sie ihn daraus davon".split())
_AT_THE_VERB = frozenset("me us it them mir uns ihm ihr ihnen sie ihn es du das die diese bitte mal doch auch".split())
"""What may stand between a verb, or the beginning of a clause, and an adverb: "werfen Sie danach", "und das dann"."""
_NO_MORE = frozenset("anymore longer mehr".split())
_ASKED = frozenset({("can", "you"), ("could", "you"), ("would", "you"), ("kannst", "du"), ("könntest", "du")})
_LEADING_ON = frozenset("me us mir uns and or und oder but aber".split()).union(
    *(group[one] for group in (PREPOSITIONS, CONJUNCTIONS, DETERMINERS) for one in ("en", "de"))
)
"""Behind one of these a question belongs to what was said before: "tell me what", "depending on which"."""
_LEADING_IN = frozenset().union(
    *(group[one] for group in (QUESTIONS, AUXILIARIES, PRONOUNS) for one in ("en", "de"))
) - frozenset("it them that es das".split())
"""Behind one of these a subject and its verb tell nothing of their own: "where did I put it", "all I have"."""
_REASONING = frozenset("because so such in".split())
_MOST = 48
_LONGEST_TOLD = 24
_LONGEST_CLAUSE = 30  # more tell nothing: told_clause


def find_boundaries(line: Line, lexicon: Lexicon, closed: frozenset[int]) -> tuple[Boundary, ...]:
    """Return the optional clause boundaries, left to right; none inside the tokens ``closed`` (values, quotations).

    ``closed`` holds the tokens before which no clause can begin. At most 48 are returned, the strongest.
    """
    frames = Frames([token.norm for token in line.tokens])
    own = _own_text(line, frames)
    found = [*_opening(line, frames), *_inner(line, lexicon, closed, frames, own), *_closing(line, frames, own)]
    if len(found) > _MOST:
        kept = sorted(found, key=lambda boundary: -boundary.strength)[:_MOST]
        found = sorted(kept, key=lambda boundary: boundary.at)
    return tuple(found)


def _own_text(line: Line, frames: Frames) -> int:
    """Where the person's own text begins, in which nothing frames a request; the end when there is none.

    In a question "says" opens no text: "what the letter says, I forgot".
    """
    start = frames.lead(0)
    words = frames.words
    asked = next((index for index in range(start, line.size) if words[index] in _QUESTIONS | _WHICH), line.size)
    for index in range(max(start, 1), line.size):
        if opens_text(line, index) and (index < asked or words[index] == ":") and text_ends(line, index) == line.size:
            return index
    return line.size


def _opening(line: Line, frames: Frames) -> Iterator[Boundary]:
    """What frames the request, and a follow-up's first words ("and ...", "no, ...", "what about ...").

    Both are boundaries with an empty left side; the frame is certain.
    """
    start = frames.lead(0)
    if start and not is_empty(frames.words[start:]):
        yield Boundary(0, start, "", 1.0)
    else:
        start = 0
    length = line.phrase(start, _OPENERS)
    if length:
        at = start + length
        while line.norm(at) in {",", ":"} or (at > start + length and line.phrase(at, _OPENERS)):
            at += line.phrase(at, _OPENERS) or 1
        if at < line.size:
            yield Boundary(0, frames.lead(at), line.words(0, at).replace(" ,", ","), 0.5)


def _closing(line: Line, frames: Frames, own: int) -> Iterator[Boundary]:
    """What closes the request and is no part of it ("..., if you don't mind"): a boundary with an empty right side."""
    start = frames.tail() if own == line.size else line.size
    if start < line.size:
        yield Boundary(start, line.size, "", 1.0)


def _inner(line: Line, lexicon: Lexicon, closed: frozenset[int], frames: Frames, own: int) -> Iterator[Boundary]:
    index = 1
    while index < line.size:
        end = _connective_end(line, index)
        if end == index:
            yield from _bare(line, lexicon, index, closed, frames)
            index += 1
            continue
        if end < line.size and not closed.intersection(range(index, end + 1)):
            words = line.words(index, end - index)
            strength = _strength(line, lexicon, index, end, frames)
            if strength > 0:
                framed = end < own and not frames.is_reason(end)
                at = _after_to(line, lexicon, frames, frames.lead(end)) if framed else end
                at = end if at >= line.size or closed.intersection(range(end + 1, at + 1)) else at
                yield Boundary(index, at, words.replace(" ,", ","), round(strength, 2))
        index = max(end, index + 1)


def _connective_end(line: Line, index: int) -> int:
    """The end of the marks and connective words that begin at ``index``; ``index`` itself when there is none."""
    at = index
    while line.is_mark(at):
        at += 1
    length = line.phrase(at, _CONNECTIVES)
    return at + length


def _strength(line: Line, lexicon: Lexicon, index: int, end: int, frames: Frames) -> float:
    words = [line.norm(step) for step in range(index, end)]
    if _is_guarded(line, index, words) or _is_adverb(line, lexicon, index, words):
        return 0.0
    start = _after_to(line, lexicon, frames, _skip_courtesy(line, end, frames))
    ends_sentence = any(word[0] in _STRONG_MARKS for word in words) or _newline_before(line, end)
    opening = _opening_strength(line, lexicon, start, index)
    aside = frames.is_reason(end) or frames.is_aside(end) or _tells(line, frames, end)
    if ends_sentence:
        return max(opening, 0.7 if line.raw(end)[:1].isupper() or opening or aside else 0.55)
    if SEQUENCE.intersection(words):
        loose = line.language == "de" and len(words) == 1 and not opening  # "verschieb die Datei danach nach ..."
        return 0.15 if loose else max(opening, 0.6)
    if opening:
        return min(opening, 0.6) if _WEAK.issuperset(words) else opening
    return _weak_strength(words, aside=aside)


def _weak_strength(words: list[str], *, aside: bool) -> float:
    """The strength of a connective with no request behind it; a comma may part an aside."""
    if words == [","] or aside:
        return 0.6 if aside else 0.15
    if words == [":"]:
        return 0.1
    return 0.15 if _WEAK.issuperset(words) else 0.25


def _after_to(line: Line, lexicon: Lexicon, frames: Frames, index: int) -> int:
    """ "I would ask you to join them, then to sort them": the verb, where what frames the request ends in "to"."""
    asked = frames.words[max(frames.lead(0) - 1, 0)] == "to"
    infinitive = line.norm(index) == "to" and index + 1 < line.size and lexicon.is_verb(line.tokens[index + 1])
    return index + 1 if asked and infinitive else index


def _skip_courtesy(line: Line, index: int, frames: Frames) -> int:
    start = frames.lead(index)
    while line.norm(start) in POLITE["en"] | POLITE["de"] | {","}:
        start += 1
    return start


def _opening_strength(line: Line, lexicon: Lexicon, start: int, left: int) -> float:
    """How much the words at ``start`` look like the beginning of a request."""
    if start >= line.size:
        return 0.0
    if lexicon.is_verb(line.tokens[start]):
        return _verb_strength(line, lexicon, start, left)
    if opens_arithmetic(line, start):
        return 0.9
    asked = _question_strength(line, start, left)
    if asked:
        return asked
    if _ends_with_verb(line, lexicon, start, left):
        return 0.8
    unknown = start > left and line.is_content(start)
    return 0.6 if unknown and (_has_object(line, start, _OBJECTS) or _is_for_somebody(line, start)) else 0.0


def _is_for_somebody(line: Line, verb: int) -> bool:
    """ "(And) order me a pizza", "bestell mir eine Pizza": also where no tool knows the verb."""
    return line.norm(verb + 1) in _FOR_WHOM and line.norm(verb + 2) in DETERMINERS[line.language]


def _has_object(line: Line, verb: int, objects: frozenset[str]) -> bool:
    """Behind the word stands what begins an object, at once or after a particle: "zap the list", "total up the"."""
    after = verb + 1
    return line.norm(after + (line.norm(after) in _PARTICLES)) in objects


def _is_adverb(line: Line, lexicon: Lexicon, index: int, words: list[str]) -> bool:
    """ "Füg dann ... hinzu", "werfen Sie danach ... weg": the word stands inside its clause, behind the verb."""
    if len(words) != 1 or words[0] not in SEQUENCE:
        return False
    at = index
    while at > 0 and line.norm(at - 1) in _AT_THE_VERB:
        at -= 1
    begins = at == 0 or _connective_end(line, at - 1) == at
    if begins:
        return at < index  # "und das dann als Notiz speichern"
    return lexicon.is_verb(line.tokens[at - 1]) and (at == 1 or _connective_end(line, at - 2) == at - 1)


def _question_strength(line: Line, start: int, left: int) -> float:
    word = line.norm(start)
    if word in _WHICH:
        return 0.4 if line.norm(left) == "," and left + 1 == start else 0.85  # after a comma rather a relative clause
    return 0.9 if word in _QUESTIONS else 0.75 if word in _AUXILIARIES else 0.0


def _verb_strength(line: Line, lexicon: Lexicon, start: int, left: int) -> float:
    after = line.norm(start + 1)
    if after in {"of", "von"}:
        return 0.3  # "files and list of names": a noun
    joined = left + 1 == start and left > 0 and lexicon.is_verb(line.tokens[left - 1])
    if joined and (left == 1 or not line.is_content(left - 2)):
        return 0.35  # "copy and paste", "search and replace"
    if start + 1 >= line.size or line.is_mark(start + 1):
        return 0.5
    fronted = line.norm(0) in {"if", "when", "once", "after", "wenn", "falls", "sobald", "nachdem"}
    return 0.5 if fronted and line.norm(left) == "," else 0.95


def _ends_with_verb(line: Line, lexicon: Lexicon, start: int, left: int) -> bool:
    """German puts the verb last after a modal: "... finden und die Namen in einer Notiz speichern".

    So it does where nobody is addressed: "nur die Zeilen von Rewe, und das dann als rewe.csv speichern".
    """
    if line.language != "de" or left < 1:
        return False
    if not lexicon.is_verb(line.tokens[left - 1]) and line.norm(start) not in _TAKEN_UP:
        return False
    last = start
    while last + 1 < line.size and not line.is_mark(last + 1) and line.norm(last + 1) != "und":
        last += 1
    return last > start and _is_infinitive(lexicon, line.tokens[last])


def _is_infinitive(lexicon: Lexicon, token: Token) -> bool:
    """A verb, also with its prefix before it: "abspeichern" begins no request, "speichern" does."""
    if lexicon.is_verb(token):
        return True
    bare = next((token.norm.removeprefix(one) for one in SEPARABLE if token.norm.startswith(one)), "")
    return bare.endswith("n") and bare in lexicon.verbs


def _is_guarded(line: Line, index: int, words: list[str]) -> bool:
    """Tell whether the connective belongs to "between X and Y" or "both X and Y", or is a day: "until then"."""
    if words == ["then"] and line.norm(index - 1) in {"until", "till", "by"}:
        return True
    if not {"and", "und"}.intersection(words) or words[0] not in {"and", "und"} or len(words) > 1:
        return False
    for step in range(index - 1, max(-1, index - 8), -1):
        word = line.norm(step)
        if word in {"and", "und"} or word[:1] in _STRONG_MARKS:
            return False
        if word in {"between", "zwischen", "both", "sowohl"}:
            return True
    return False


def _newline_before(line: Line, index: int) -> bool:
    return 0 < index < line.size and "\n" in line.text[line.tokens[index - 1].end : line.tokens[index].start]


def _line_strength(line: Line, lexicon: Lexicon, index: int) -> float:
    """A line that begins like a request is one; a break inside a sentence is a space, unless a blank line follows."""
    if line.norm(index - 1) in ARTICLES or line.norm(index - 1) in BY_WORD:
        return _BROKEN
    if _opening_strength(line, lexicon, index, index):
        return 0.9
    gap = line.text[line.tokens[index - 1].end : line.tokens[index].start]
    return 0.6 if gap.count("\n") > 1 else _BROKEN


def _bare(line: Line, lexicon: Lexicon, index: int, closed: frozenset[int], frames: Frames) -> Iterator[Boundary]:
    """A clause may begin with no connective: on a new line, or spoken ("find the bill save it as a note")."""
    if index in closed:
        return
    if _newline_before(line, index):
        yield Boundary(index, index, "\n", _line_strength(line, lexicon, index))
    elif (line.norm(index) in _REASONING and frames.is_reason(index, marked=False)) or (
        _is_afterthought(line, frames, index)
    ):
        yield Boundary(index, index, "", 0.5)
    elif _asks_after(line, lexicon, frames, index):
        yield Boundary(index, frames.lead(index) if line.norm(index) == "so" else index, "", 0.5)
    elif _orders_more(line, lexicon, index) and frames.lead(0) + 1 < index:
        yield Boundary(index, index, "", 0.5)
    elif _runs_on(line, lexicon, index) and frames.lead(0) < index:
        sure = "." in line.norm(index - 1) or tells_arithmetic(line, index)
        yield Boundary(index, index, "", 0.5 if sure else 0.3)


def _runs_on(line: Line, lexicon: Lexicon, index: int) -> bool:
    """A verb with its object follows a noun at once: "find the bill save it", "join a.csv and b.csv add up the sums".

    A word that is known as no verb is one before "it" and, with a particle, before an article.
    """
    if line.norm(index - 1) not in _NO_MORE and (
        not line.is_content(index - 1) or lexicon.is_verb(line.tokens[index - 1])
    ):
        return False
    if tells_arithmetic(line, index):
        return True
    if lexicon.is_verb(line.tokens[index]):
        return _has_object(line, index, _SUBJECTS)
    parted = line.norm(index + 1) in _PARTICLES and line.norm(index + 2) in _OBJECTS
    return lexicon.knows(line.tokens[index]) and (parted or line.norm(index + 1) in {"it", "them"})


def _orders_more(line: Line, lexicon: Lexicon, index: int) -> bool:
    """Spoken without any mark: "set a timer for ten minutes put eggs on the list", a verb that orders and an object."""
    before, after = line.norm(index - 1), line.norm(index + 1)
    if line.norm(index) not in lexicon.orders or index + 2 >= line.size or _is_punctuated(line):
        return False
    capital = line.language == "de" and line.raw(index - 1)[:1].isupper()
    verb = lexicon.is_verb(line.tokens[index - 1]) and not capital
    noun = (line.is_content(index - 1) or before[:1].isdigit()) and not verb
    object_behind = line.is_content(index + 1) or after in DETERMINERS[line.language] | _AT_THE_VERB | {"my"}
    return noun and object_behind


def _is_punctuated(line: Line) -> bool:
    """A mark stands inside the sentence, so whoever wrote it parts what belongs apart."""
    return any(map(line.is_mark, range(line.size - 1)))


def _asks_after(line: Line, lexicon: Lexicon, frames: Frames, index: int) -> bool:
    """A request follows at once what was told before it: "my laptop is full which files eat the most space"."""
    at = frames.lead(index) if line.norm(index) == "so" and index <= _LONGEST_TOLD else line.size
    draws = at < line.size and lexicon.is_verb(line.tokens[at])
    asks = draws or line.norm(index) in _QUESTIONS | _WHICH or (line.norm(index), line.norm(index + 1)) in _ASKED
    if not asks or index > _LONGEST_TOLD or line.norm(index - 1) in _LEADING_ON:
        return False
    start = frames.lead(0)
    marked = any(map(line.is_mark, range(start, index)))
    told = (index > start + 2 and frames.is_aside(start)) or frames.done(start, index) != (start, start)
    return told and not marked and _connective_end(line, index - 1) == index - 1


def _is_afterthought(line: Line, frames: Frames, index: int) -> bool:
    if _connective_end(line, index - 1) != index - 1:
        return False
    before = line.norm(index - 1)
    leads_on = before in _LEADING_ON | _LEADING_IN and not (line.language == "de" and before in SEPARABLE)
    return frames.is_afterthought(index) or (
        not leads_on and frames.is_whole_clause(index, _end_of_clause(line, index), line.language)
    )


def _tells(line: Line, frames: Frames, index: int) -> bool:
    return frames.clause(index, _end_of_clause(line, index), line.language) is not None


def _end_of_clause(line: Line, index: int) -> int:
    most = min(line.size, index + _LONGEST_CLAUSE)
    return next((at for at in range(index, most) if line.is_mark(at)), most)
