"""What a rule asks of a file's contents, changed in words: "make it 1000 euros", "mach „Mahnung“ draus"."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language import Line
from kernel.language.amounts.units import MONEY
from kernel.language.free_text import covered
from kernel.routines.hearing import Heard
from kernel.routines.hearing.gist import NUMBER, Gist
from kernel.routines.hearing.reading import QUOTATION
from kernel.routines.model import EITHER, About

_SIGNS = frozenset("€ $ £".split())
_MOST_BEFORE = 2
"""So many words before a sum may say how it compares: "more than"."""


def other_contents(line: Line, heard: Heard, words: str) -> Iterator[str]:
    """Yield the rule of ``line`` with ``words`` for its sum, or for the words that have to stand in a file."""
    totals = [said for about, said in heard.such if about is About.TOTAL]
    if len(totals) == 1:
        yield from _with_sum(line, heard, words)
    quoted = words.strip(QUOTATION)
    if quoted and quoted != words.strip():
        held = [said for about, said in heard.such if about is About.HOLDS and EITHER not in said]
        yield from (line.text.replace(said, quoted, 1) for said in held if line.text.count(said) == 1)


def _with_sum(line: Line, heard: Heard, words: str) -> Iterator[str]:
    gist = Gist.of(line)
    inside = covered(heard.words)
    for at in range(gist.size):
        if not gist.word(at).startswith(NUMBER) or gist.spans[at][0] not in inside:
            continue
        first, last = at - (gist.word(at - 1) in _SIGNS), at + 1 + (gist.word(at + 1) in MONEY)
        for begin in range(first, first - _MOST_BEFORE - 1, -1):
            yield _put(line, gist, begin, last, words)
        yield _put(line, gist, at, at + 1, words)


def _put(line: Line, gist: Gist, first: int, last: int, words: str) -> str:
    start, end = line.tokens[gist.spans[first][0]].start, line.tokens[gist.spans[last - 1][1] - 1].end
    return f"{line.text[:start]}{words}{line.text[end:]}"
