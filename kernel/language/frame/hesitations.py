"""Words of hesitation are not read at all: "um", a filling "like", "on earth", and what is said again after them.

What this stops: that "find the, uh, the boarding pass" looks for "uh" or has a word too many. Offsets stay, so a value
that is spoken around one keeps the person's own words; what stands in quotation marks is left alone.
What it does not: drop a word that may mean something. "Um" is a preposition in German, "like" one in "files like it".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kernel.language.amounts.numbers import number_at
from kernel.language.frame.corrections import taken_back
from kernel.language.free_text import covered, quotes
from kernel.language.function_words import (
    AUXILIARIES,
    CONJUNCTIONS,
    PREPOSITIONS,
    PRONOUNS,
    QUESTIONS,
    is_function_word,
    is_question_word,
)
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line, phrases
from kernel.model import Token

_SOUNDS = {
    "en": frozenset("uh uhh uhm um umm er erm hm hmm mhm ähm äh oh ooh ah argh".split()),
    "de": frozenset("äh ähh ähm öh öhm hm hmm mhm uh uhm oh ach".split()),
}
_INTERJECTIONS = frozenset("oh ooh ah argh ach".split())
_NAMING = frozenset("called named titled saying : namens genannt heißt".split())
_FILLERS = {
    "en": phrases(
        "you know what i mean|or something like that|or something|or whatever|if that makes sense|i dunno",
        "real quick|real fast|super quick|for a sec|for a second|for a moment",
    ),
    "de": phrases("oder so was|oder sowas|oder so ähnlich|oder so|auf die schnelle|ganz kurz"),
}
_AFTER_QUESTION = phrases("on earth|in the world|the heck|the hell|the devil|in aller welt|zum teufel|zum kuckuck")
_BEFORE_LIKE = frozenset("and so then can could you as is was me maybe now well".split())
"""What a filling "like" stands behind; "would like" and "looks like" are no filling."""
_AFTER_LIKE = frozenset("in as the a an really just".split())
_DRAWING = frozenset("is was".split())  # "what is it like"
_IN_TOTAL = frozenset("altogether overall".split())
_SOFTENING = frozenset("mal halt eben".split())
_BEFORE_EVEN = AUXILIARIES["en"] | PRONOUNS["en"] | QUESTIONS["en"]
_NO_EVEN = frozenset("number numbers if though more less better worse".split())
_BEFORE_QUICK = frozenset("draw make give show do run take create plot get need want have write me us".split())
_ROUGHLY = frozenset("roughly approximately ungefähr circa ca. etwa grob".split())
_BEFORE_CLAUSE = frozenset("und dann aber oder also , ; . ! ?".split())
_AND = frozenset({"n", "'n", "n'"})
_STOPS = frozenset(".;:!?")


def without_hesitations(line: Line, lexicon: Lexicon) -> Line:
    """Return ``line`` without the tokens that only hesitate, with a spoken "n" read as "and"; never empty."""
    inside = covered(quotes(line))
    dropped = {*_hesitating(line, inside), *taken_back(line, inside)}
    dropped |= set(_marks_around(line, dropped))
    dropped |= set(_said_again(line, dropped))
    if not dropped and not _AND.intersection(token.norm for token in line.tokens):
        return line
    tokens = [token for at, token in enumerate(line.tokens) if at not in dropped]
    if not any(token.norm[0].isalnum() for token in tokens):
        return line
    read = replace(line, tokens=tuple(tokens), memo={})
    return replace(read, tokens=tuple(_joined(read, lexicon)), memo={})


def _hesitating(line: Line, inside: frozenset[int]) -> Iterator[int]:
    sounds, fillers = _SOUNDS.get(line.language, frozenset()), _FILLERS.get(line.language, {})
    for index in range(line.size):
        if index in inside:
            continue
        if (
            (line.norm(index) in sounds and not _is_nought(line, index) and not _is_named(line, index))
            or _is_filling_like(line, index)
            or _softens(line, index)
            or _stresses(line, index)
            or _is_quick(line, index)
            or _is_roughly(line, index)
        ):
            yield index
        elif index > 0 and is_question_word(line.norm(index - 1)):
            yield from range(index, index + line.phrase(index, _AFTER_QUESTION))
        elif _ends_clause(line, index + line.phrase(index, fillers)):
            yield from range(index, index + line.phrase(index, fillers))


def _is_named(line: Line, index: int) -> bool:
    """ "A note titled Oh Happy Day", "called Ah well", "den Ordner Ach und Krach": a word of a name."""
    if line.norm(index) not in _INTERJECTIONS or index == 0:
        return False
    starts = line.is_mark(index - 1) and line.norm(index - 1) != ":"
    return not starts and (line.tokens[index].text[:1].isupper() or line.norm(index - 1) in _NAMING)


def _is_nought(line: Line, index: int) -> bool:
    """ "Nineteen oh five"."""
    return (
        line.norm(index) == "oh" and number_at(line, index + 1) is not None and number_at(line, index - 1) is not None
    )


def _softens(line: Line, index: int) -> bool:
    """ "Setz mal Milch auf die Liste": a particle right after the word that opens the clause, and no "mal fünf"."""
    if line.norm(index) not in _SOFTENING or line.language != "de" or not line.is_word(index + 1):
        return False
    opening = index == 1 or (index > 1 and line.norm(index - 2) in _BEFORE_CLAUSE)
    return opening and line.is_content(index - 1) and number_at(line, index + 1) is None


def _stresses(line: Line, index: int) -> bool:
    """ "Am I even connected", "what even is in it"; and no "even numbers"."""
    if line.norm(index) != "even" or line.language != "en" or not line.is_word(index + 1):
        return False
    return line.norm(index - 1) in _BEFORE_EVEN and line.norm(index + 1) not in _NO_EVEN


def _is_quick(line: Line, index: int) -> bool:
    """ "Draw me a quick bar chart": how much trouble it is; "a quick lunch" in the calendar is what it is called."""
    if line.norm(index) != "quick" or line.norm(index - 1) not in {"a", "another"} or not line.is_content(index + 1):
        return False
    return index > 1 and line.norm(index - 2) in _BEFORE_QUICK


def _is_roughly(line: Line, index: int) -> bool:
    """ "Wie groß ist der Ordner ungefähr?": the exact answer will do; "roughly 5 MB" is no such question."""
    if line.norm(index) not in _ROUGHLY or number_at(line, index + 1) is not None:
        return False
    return _ends_clause(line, index + 1) and any(is_question_word(line.norm(at)) for at in range(index))


def _ends_clause(line: Line, index: int) -> bool:
    return index >= line.size or line.is_mark(index)


def _is_filling_like(line: Line, index: int) -> bool:
    """ "You can like toss it", "and like what day", "as like a table", "groceries like in total"."""
    if line.norm(index) != "like" or line.language != "en" or index == 0 or _ends_clause(line, index + 1):
        return False
    before, after = line.norm(index - 1), line.norm(index + 1)
    if before in _DRAWING and after not in _AFTER_LIKE:
        return False
    in_total = after in _IN_TOTAL or (after == "in" and line.norm(index + 2) in {"total", "all", "general", "sum"})
    in_total |= before == "'s" and number_at(line, index + 1) is not None
    return (before in _BEFORE_LIKE and after not in {"that", "this", "it"}) or in_total


def _marks_around(line: Line, dropped: set[int]) -> Iterator[int]:
    """The comma after a hesitation, and the one before it where no word stands that a comma may part."""
    for index in sorted(dropped):
        if line.norm(index + 1) not in {",", "…", "...", "-", "–", "—"}:
            continue
        first = next((at for at in range(index, -1, -1) if at not in dropped), -1)
        if first < 0 or line.norm(first)[0] in _STOPS or is_function_word(line.norm(first), line.language):
            yield index + 1
        elif line.norm(first) == ",":
            yield index + 1
            if is_function_word(line.norm(first - 1), line.language):
                yield first


def _said_again(line: Line, dropped: set[int]) -> Iterator[int]:
    """ "The, uh, the boarding pass": the word of grammar before the hesitation, when it comes once more after it."""
    for index in sorted(dropped):
        if index + 1 in dropped:
            continue
        before = next((at for at in range(index, -1, -1) if at not in dropped), -1)
        if before >= 0 and line.norm(before) == line.norm(index + 1) and is_function_word(line.norm(before)):
            yield before


def _joined(line: Line, lexicon: Lexicon) -> Iterator[Token]:
    """The tokens, with "n" as "and" where a clause or a noun phrase follows it."""
    for index, token in enumerate(line.tokens):
        joins = token.norm in _AND and token.text.islower() and _joins(line, lexicon, index)
        yield replace(token, norm="and", lemma="and") if joins else token


def _joins(line: Line, lexicon: Lexicon, index: int) -> bool:
    """Words stand on both sides, and neither makes "n" the name of something: "sort by n"."""
    before, after = line.norm(index - 1), line.norm(index + 1)
    if line.language != "en" or before in PREPOSITIONS["en"] or after in CONJUNCTIONS["en"]:
        return False
    opens = lexicon.is_verb(line.tokens[index + 1]) or is_function_word(after, "en") if after else False
    return index > 0 and line.is_word(index + 1) and opens
