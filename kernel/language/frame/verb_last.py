"""German orders and wishes whose verb stands last, read as the order that they mean.

"Den Ordner Musik aufmachen" is "mach den Ordner Musik auf", "ich hätte gern die Termine angezeigt" is "zeig die Termine
an". What this stops: that a text or a name swallows the verb behind it. What it does not: part a verb that no tool's
example parts ("Anna anrufen" may be what a task is called), or touch a question, a clause about a noun, a deed that was
only thought of ("ich hätte sie gelöscht"), and anything in quotation marks or behind a colon. Offsets stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kernel.language.free_text import covered, own_text, quotes
from kernel.language.function_words import AUXILIARIES, CONJUNCTIONS, QUESTIONS, SEPARABLE
from kernel.language.lemmas import is_german_noun, lemma_of
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line, phrases
from kernel.model import Token

_WISHES = phrases(
    "kannst du|könntest du|würdest du|magst du|können sie|könnten sie|würden sie",
    "ich hätte|hätte ich|ich möchte|möchte ich|ich will|will ich|ich brauche|brauche ich|ich bräuchte|ich wünsche mir",
    "ich hätte gern|ich hätte gerne|hätte ich gern|hätte ich gerne|ich möchte gern|ich möchte gerne|ich will gern",
)
_WELCOME = phrases(
    "es wäre schön|es wäre nett|es wäre toll|es wäre gut|es wäre super|es wäre lieb|schön wäre es|gut wäre es",
    "schön wäre|nett wäre|toll wäre|gut wäre|mir wäre es lieb|mir wäre lieb|sorg dafür|sorge dafür|schau|sieh zu",
)
_THAT_YOU = phrases("dass du|daß du|wenn du")
_ONLY_THOUGHT_OF = frozenset({"hätte"})
_GLADLY = frozenset("gern gerne lieber bitte".split())
_HAVING = frozenset("haben bekommen kriegen".split())
_JOINTS = frozenset("und dann danach anschließend noch auch bitte mal".split())
_BEHIND = frozenset("und bitte danke".split())
_TELLING = (AUXILIARIES["de"] | QUESTIONS["de"] | CONJUNCTIONS["de"] | set("ich du er wir ihr man zu".split())) - {
    "und"
}
_PARTICIPLE = re.compile(r"(?:(?:\w{2,8})?ge\w{2,}(?:t|en)|(?:be|ver|ent|er|zer)\w{2,}(?:t|en)|\w{2,}iert)")
_LONGEST = 20


@dataclass(frozen=True, slots=True)
class _Order:
    """Where a clause begins, its object, its verb, and the end of the clause; the verb's base and what parts of it.

    ``stays``: an order whose verb nothing parts from is understood as it stands.
    """

    first: int
    object: int
    verb: int
    last: int
    base: str
    particle: str
    stays: bool = False


def in_front(line: Line, lexicon: Lexicon) -> Line:
    """Return ``line`` with the verb of each such clause before its object, and what parts of it behind that."""
    if line.language != "de":
        return line
    orders = list(_orders(line, lexicon))
    if any(one.stays for one in orders):  # those beside it are understood by the same examples
        return line
    for one in reversed(orders):
        said, cut = line.tokens[one.verb], len(one.particle)
        head = replace(said, text=said.text[cut:], start=said.start + cut, norm=one.base, lemma=one.base)
        off = Token(said.text[:cut], said.start, said.start + cut, one.particle, one.particle)
        behind = (off,) if one.particle else ()
        turned = (head, *line.tokens[one.object : one.verb], *behind)
        line = replace(line, tokens=(*line.tokens[: one.first], *turned, *line.tokens[one.last :]), memo={})
    return line


def _orders(line: Line, lexicon: Lexicon) -> Iterator[_Order]:
    colon = next((at for at in range(line.size) if line.norm(at) == ":"), line.size)
    closed = covered(quotes(line)) | own_text(line, lexicon) | frozenset(range(colon, line.size))
    start, wished = 0, False
    while start < colon:
        if line.is_mark(start) or line.norm(start) in _JOINTS:
            wished = wished and line.norm(start) not in {".", "!", "?", ";"}
            start += 1
            continue
        found = _order(line, lexicon, start, closed, wished=wished)
        wished = wished or line.phrase(start, _WISHES) > 0
        if found is not None:
            yield found
        start = _next_clause(line, start) if found is None else found.last


def _next_clause(line: Line, start: int) -> int:
    ends = (at for at in range(start + 1, line.size) if line.is_mark(at) or line.norm(at) == "und")
    return next(ends, line.size)


def _order(line: Line, lexicon: Lexicon, first: int, closed: frozenset[int], *, wished: bool) -> _Order | None:
    """The clause from ``first`` on, if a verb ends it and nothing before that tells or asks something."""
    wish = line.phrase(first, _WISHES) or line.phrase(first, _WELCOME)
    that_you = _that_you(line, first + wish) if wish else 0
    start = first + wish + that_you
    if start >= line.size or (wish and not that_you and not line.phrase(first, _WISHES)):
        return None
    if _is_imperative(line.tokens[start], lexicon):
        return None
    for at in range(start, min(line.size, start + _LONGEST)):
        if at not in closed and (line.is_mark(at) or line.norm(at) in _TELLING):
            return None
        having = line.norm(at + 1) in _HAVING
        if at in closed or at == start or not _ends(line, at + 1 + having):
            continue
        real = wished or that_you > 0 or (wish > 0 and _is_real(line, first, start, at))
        base = _base(line.tokens[at], wished=real, told=that_you > 0)
        wishes = real and base != line.norm(at)
        particle = _particle(base, lexicon, wishes=wishes)
        if base and (particle or base in lexicon.verbs):
            stays = not particle and not wishes
            return _Order(first, start, at, at + 1 + having, base[len(particle) :], particle, stays)
    return None


def _that_you(line: Line, at: int) -> int:
    """The length of ", dass du": a wish about what is done, whose verb says who does it."""
    comma = line.norm(at) == ","
    found = line.phrase(at + comma, _THAT_YOU)
    return comma + found if found else 0


def _ends(line: Line, at: int) -> bool:
    return at >= line.size or line.is_mark(at) or line.norm(at) in _BEHIND


def _is_real(line: Line, first: int, start: int, verb: int) -> bool:
    """Not "ich hätte sie gelöscht": a wish of that form says that it is one."""
    said = frozenset(map(line.norm, range(first, verb)))
    return _ONLY_THOUGHT_OF.isdisjoint(map(line.norm, range(first, start))) or not _GLADLY.isdisjoint(said)


def _is_imperative(token: Token, lexicon: Lexicon) -> bool:
    return lexicon.is_verb(token) and token.lemma.endswith("n") and not is_german_noun(token.norm)


def _base(token: Token, *, wished: bool, told: bool = False) -> str:
    """The infinitive, of one as it stands or, in a wish, of a participle or of what you do (``told``); else empty."""
    norm = token.norm
    if not token.text.islower() or not norm.isalpha():
        return ""
    base = f"{norm[:-1]}en" if norm.endswith("iert") else lemma_of(norm, "de")
    if base == norm:
        return base if base.endswith("n") and not is_german_noun(base) else ""
    if told and norm.endswith("st"):
        return base if base.endswith("n") else ""
    return base if wished and base.endswith("n") and _PARTICIPLE.fullmatch(norm) else ""


def _particle(base: str, lexicon: Lexicon, *, wishes: bool) -> str:
    """What parts from the verb in an example; a participle of a wish is a verb for sure, whatever parts from it."""
    verbs = ((one, base[len(one) :]) for one in SEPARABLE if base.startswith(one))
    parts = (one for one, verb in verbs if (verb, one) in lexicon.parted or (wishes and verb in lexicon.verbs))
    return next(parts, "")
