"""What a rule says of the thing that its trigger brings, and not whose it is: "read the total and the date".

The words for such values are those of the tools that read one out of such a thing; said of it, they are planned so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rapidfuzz.distance import OSA

from kernel.language import Line
from kernel.routines.hearing.model import Words
from kernel.routines.waited_for import own_tools
from skills.model import EffectClass, Skill, Tool, ValueKind

_THE = frozenset("the die das den der dem".split())
_ITS = frozenset("its ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner deren dessen".split())
_JOINTS = frozenset(", and und sowie".split())
_WHOSE = frozenset("of from aus von vom des".split())
_OF_ANY_DAY = frozenset("date day time datum tag uhrzeit".split())  # of a thing only where something else is said of it
_LONGEST = 3
_LEAST_SLIPPED = 4  # letters


def values_of(kind: ValueKind, skills: Iterable[Skill], language: str) -> frozenset[str]:
    """Return what values are called that shipped tools read out of one thing of this ``kind``, by their examples."""
    return frozenset(_bare(words) for tool in own_tools(skills) for words in _named(tool, kind, language))


def _named(tool: Tool, kind: ValueKind, language: str) -> Iterator[str]:
    needed = [one.type for one in tool.parameters if one.required]
    asked = {one.name for one in tool.parameters if one.type.kind is ValueKind.QUERY and not one.required}
    reads = tool.effect is EffectClass.PURE and tool.result.kind is ValueKind.RECORD
    if not reads or [one.kind for one in needed] != [kind] or needed[0].many:
        return
    for example in tool.examples:
        if example.language == language:
            yield from (example.text[one.start : one.end] for one in example.slots if one.parameter in asked)


def _bare(words: str) -> str:
    said = words.casefold().split()
    return " ".join(said[1:] if said and said[0] in _THE | _ITS else said)


def of_it(line: Line, gone: frozenset[int], names: frozenset[str], place: str) -> dict[Words, str]:
    """Return the stretches outside the tokens ``gone`` that name such values, with words that say whose they are."""
    found: dict[Words, str] = {}
    german, at = line.language == "de", 0
    while at < line.size:
        values, last, owned = _values(line, at, gone, names)
        whose = last < line.size and line.norm(last) in _WHOSE
        if values and not whose and (owned or not _OF_ANY_DAY.issuperset(line.norm(one[1] - 1) for one in values)):
            said = [_said(line, *one, names) for one in values]
            whole = (" und " if german else " and ").join(said)
            lead = line.raw(at) if line.norm(at) in _THE else "" if german else "the"
            found[at, last] = f"{lead} {whole} {'aus' if german else 'of'} {place}".strip()
        at = max(last, at + 1)
    return found


def _values(line: Line, at: int, gone: frozenset[int], names: frozenset[str]) -> tuple[list[Words], int, bool]:
    """Return the values of a list of them that begins at ``at``, where it ends, and whether one of them is "its"."""
    values, last, owned, begin = list[Words](), at, False, at
    while begin < line.size and begin not in gone:
        led = line.norm(begin) in _THE | _ITS
        lengths = range(_LONGEST, 0, -1)
        length = next((n for n in lengths if _known(_words(line, begin + led, n, gone), names)), 0)
        if not length or not (led or values):
            break
        last, owned = begin + led + length, owned or line.norm(begin) in _ITS
        values.append((begin + led, last))
        if last >= line.size or line.norm(last) not in _JOINTS:
            break
        begin = last + 1 + (line.norm(last) == "," and last + 1 < line.size and line.norm(last + 1) in _JOINTS)
    return values, last, owned


def _known(words: str, names: frozenset[str]) -> str:
    """Return the name that ``words`` are, or are one slip of the fingers from; "" where there is none, or several."""
    if words in names or len(words) < _LEAST_SLIPPED or " " in words:
        return words if words in names else ""
    near = [one for one in names if one[0] == words[0] and OSA.distance(one, words, score_cutoff=1) <= 1]
    return near[0] if len(near) == 1 else ""


def _said(line: Line, first: int, last: int, names: frozenset[str]) -> str:
    words = _words(line, first, last - first, frozenset())
    return line.slice(first, last) if words in names else _known(words, names)


def _words(line: Line, first: int, count: int, gone: frozenset[int]) -> str:
    inside = range(first, first + count)
    return "" if inside.stop > line.size or gone.intersection(inside) else " ".join(line.norm(at) for at in inside)
