"""What is left out of a request: "bis auf b.pdf", "mit Ausnahme von", "minus b.pdf", "..., skip b.pdf".

What this stops: that such words are read as where something goes ("auf"), or as a part of the name that they except.
"Except" and "außer" are negations of their own (``function_words``): what stands behind them is left out where a tool
takes it (``exception_before``), else nothing is done. What it does not: read a number that is reached ("bis auf zwei
Stellen"); "bis auf zwei" leaves two of them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kernel.language.function_words import is_function_word
from kernel.model import Span, Token
from skills.model import ValueKind

K = ValueKind
_THINGS, _NUMBERS = frozenset({K.FILE, K.FOLDER}), frozenset({K.NUMBER, K.INTEGER})
_SURE = tuple(
    tuple(phrase.split())
    for phrase in ("bis auf", "mit ausnahme", "unter ausschluss", "abgesehen von", "with the exception", "save for")
)
_BEFORE_THINGS = frozenset("minus bar barring save sans excepting abzüglich exklusive exclusive".split())
_EXCEPTING = frozenset("except excepting excluding exclude without außer ausser ohne ausgenommen ausnehmen".split())
_INTRODUCING = frozenset("for all any those every for alle allen aller allem von jeder jedem jede".split())
_LEAVING = frozenset(
    "leave leaving keep keeping spare sparing skip skipping omit omitting ignore ignoring exclude retain preserve "
    "lass lasse lassen lasst behalte behalt behalten verschone verschon schone belasse überspring überspringe "
    "ignorier ignoriere".split()
)
_ROUNDING = ("rund", "round", "stelle", "nachkomma", "kommastelle", "dezimal", "genau", "zähl", "count")
_BETWEEN = frozenset("out aus bitte please just mir mal the my die der das den dem meine mein meinen".split())
_OPENING = frozenset("and but so just then please und aber dann nur bitte".split())


def is_excepting(word: str) -> bool:
    """Tell whether the word, or the base form, leaves out what follows: "except", "außer"."""
    return word in _EXCEPTING


def exception_before(tokens: Sequence[Token], first: int) -> int | None:
    """Where the words begin that leave out what stands at ``first``: "except for the PDFs", "außer den Bildern"."""
    at = first - 1
    while at > 0 and (tokens[at].norm in _BETWEEN or tokens[at].norm in _INTRODUCING):
        at -= 1
    return at if at >= 0 and is_excepting(tokens[at].norm) else None


def excepting(tokens: Sequence[Token], spans: Sequence[Span]) -> frozenset[int]:
    """Return the words that except what follows them from what was said."""
    norms = [token.norm for token in tokens]
    return frozenset(at for first in range(1, len(norms)) for at in _at(norms, first, spans))


def leaves_out(tokens: Sequence[Token], spans: Sequence[Span]) -> bool:
    """Tell whether something is excepted, or a later clause leaves a named thing as it is: "..., lass b.pdf da"."""
    norms = [token.norm for token in tokens]
    verbs = (at for at, norm in enumerate(norms) if norm in _LEAVING and _opens(norms, at))
    return bool(excepting(tokens, spans)) or any(_is_before(norms, at + 1, spans, _THINGS) for at in verbs)


def _at(norms: Sequence[str], first: int, spans: Sequence[Span]) -> Iterator[int]:
    length = next((len(one) for one in _SURE if tuple(norms[first : first + len(one)]) == one), 0)
    reached = _is_before(norms, first + length, spans, _NUMBERS) and any(one.startswith(_ROUNDING) for one in norms)
    if length and not reached:
        yield from range(first, first + length)
    behind = norms[first - 1]
    if norms[first] in _BEFORE_THINGS and behind[0].isalnum() and not is_function_word(behind):
        yield from range(first, first + _is_before(norms, first + 1, spans, _THINGS))


def _opens(norms: Sequence[str], at: int) -> bool:
    """The word begins a clause, and not the first."""
    before = at - 1
    while before > 0 and norms[before] in _OPENING:
        before -= 1
    return before > 0 and (before + 1 < at or not norms[before][0].isalnum())


def _is_before(norms: Sequence[str], at: int, spans: Sequence[Span], kinds: frozenset[ValueKind]) -> bool:
    while at < len(norms) and norms[at] in _BETWEEN:
        at += 1
    return any(one.first == at and one.kind in kinds for one in spans)
