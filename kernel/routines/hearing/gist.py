"""A sentence as the happenings read it: its words, and each amount as one word that says what it is worth.

"The battery drops below fifteen percent" is ``the battery drops below #pct:15``; nothing that a person types is ever
one word that begins so. An item stands for the tokens of its span: what was read is found again in the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernel.language import Line
from kernel.language.amounts.numbers import number_at
from kernel.language.amounts.quantities import find_durations
from kernel.language.amounts.sizes import bytes_at
from kernel.language.amounts.units import PERCENTS
from kernel.language.free_text import quotes
from kernel.language.time.times import time_at
from kernel.routines.hearing.model import Words

PERCENT, BYTES, LENGTH, CLOCK, NUMBER = "#pct:", "#byt:", "#dur:", "#clk:", "#num:"
SUFFIX = "(."
ARROW = "→"
_ARROWS, _SHAFTS = frozenset("→ ⇒ ➔ ➜ ⟶".split()), frozenset("- -- = == – —".split())
_LONGEST_SUFFIX = 5
_SURE = 0.5
_PLAIN = frozenset("a an one ein eine einen einem einer once".split())
_COUNTING = frozenset(
    "once twice thrice times time mal einmal zweimal dreimal viermal fünfmal amol amal per pro".split()
)
_CASUAL = {
    "oba": "aber", "aba": "aber", "foit": "fällt", "foid": "fällt", "kimmt": "kommt", "kummt": "kommt",
    "ned": "nicht", "net": "nicht", "nit": "nicht", "nich": "nicht", "wos": "was", "sth": "something", "nix": "nichts",
    "somthing": "something", "sumthing": "something", "whenevr": "whenever", "wenever": "whenever",
    "whenver": "whenever", "evrytime": "everytime", "everytme": "everytime", "evry": "every", "sobalt": "sobald",
    "wird's": "wird", "imma": "immer", "hob": "habe", "hom": "haben", "san": "sind",
    "isch": "ist", "wenns": "wenn", "furt": "fort", "fuat": "fort", "wieda": "wieder", "wech": "weg",
    "wechjeht": "weggeht", "dat": "das", "wat": "was", "det": "das",
    "jeht": "geht", "vun": "von", "dit": "das", "ick": "ich",
    "<": "under", ">": "over",
}  # fmt: skip
"""Words as they are typed or spoken in haste, and in dialect."""
_BEFORE_CLOCK = frozenset(
    "before after vor nach ab bis until till past gone um at between and und zwischen seit".split()
)
_MOST_HOURS = 24


@dataclass(frozen=True, slots=True)
class Gist:
    """The words of ``line`` with their amounts, and which tokens each of them stands for."""

    line: Line
    words: tuple[str, ...]
    spans: tuple[Words, ...]

    @classmethod
    def of(cls, line: Line) -> Gist:
        """Return the gist of ``line``. Linear in its length."""
        items = list(_items(line))
        return cls(line, tuple(word for word, _ in items), tuple(span for _, span in items))

    @property
    def size(self) -> int:
        """The number of items."""
        return len(self.words)

    def word(self, at: int) -> str:
        """The word at ``at``; empty beyond the ends."""
        return self.words[at] if 0 <= at < len(self.words) else ""

    def tokens(self, first: int, last: int) -> Words:
        """The tokens of the items [first, last)."""
        return self.spans[first][0], self.spans[last - 1][1]

    def said(self, first: int, last: int) -> str:
        """The items [first, last) as they were written."""
        return self.line.slice(*self.tokens(first, last)) if last > first else ""

    def text(self, first: int, last: int) -> str:
        """The words of the items [first, last), joined by spaces."""
        return " ".join(self.words[first:last])

    def amount(self, at: int, kind: str) -> float | None:
        """The amount of this ``kind`` at ``at``."""
        word = self.word(at)
        return float(word[len(kind) :]) if word.startswith(kind) else None


def amount_in(words: tuple[str, ...], kind: str) -> float | None:
    """Return the first amount of this ``kind`` among ``words``."""
    return next((float(word[len(kind) :]) for word in words if word.startswith(kind)), None)


def _items(line: Line) -> Iterator[tuple[str, Words]]:
    lengths = {found.first: found for found in find_durations(line) if line.norm(found.first - 1) not in _COUNTING}
    quoted = {at for first, last in quotes(line) for at in range(first, last)}
    at = 0
    while at < line.size:
        length = lengths.get(at) or (lengths.get(at + 1) if line.norm(at) in _PLAIN else None)
        amount = (f"{LENGTH}{length.value}", length.last) if length else _suffix(line, at) or _amount(line, at)
        read = None if at in quoted else _arrow(line, at) or amount
        word, end = read or (_CASUAL.get(line.norm(at), line.norm(at)), at + 1)
        yield word, (at, end)
        at = max(end, at + 1)


def _arrow(line: Line, at: int) -> tuple[str, int] | None:
    """An arrow between what happens and what is to be done, as one word: "battery under 12% -> ..."."""
    if line.norm(at) in _ARROWS:
        return ARROW, at + 1
    drawn = line.norm(at) in _SHAFTS and line.norm(at + 1) == ">" and line.tokens[at].end == line.tokens[at + 1].start
    return (ARROW, at + 2) if drawn else None


def _suffix(line: Line, at: int) -> tuple[str, int] | None:
    """A kind of file in brackets, as one word: "an invitation (.ics)"."""
    word = at + 1 + (line.norm(at + 1) == ".")
    plain = line.norm(word).removeprefix(".")
    if line.norm(at) != "(" or line.norm(word + 1) != ")" or not (plain.isalnum() and len(plain) <= _LONGEST_SUFFIX):
        return None
    return f"{SUFFIX}{plain})", word + 2


def _amount(line: Line, at: int) -> tuple[str, int] | None:
    size = None if line.norm(at) in _PLAIN else bytes_at(line, at)
    if size is not None:
        return f"{BYTES}{size[0]}", size[1]
    return None if line.norm(at) in _PLAIN else _number(line, at)


def _number(line: Line, at: int) -> tuple[str, int] | None:
    number = number_at(line, at)
    if number is not None and line.norm(number[1]) in PERCENTS:
        return f"{PERCENT}{number[0]}", number[1] + 1
    if number is not None and line.words(number[1], 2) == "per cent":
        return f"{PERCENT}{number[0]}", number[1] + 2
    clock = time_at(line, at)
    if clock is not None and clock.confidence >= _SURE:
        return f"{CLOCK}{clock.hour * 3600 + clock.minute * 60}", clock.last
    if number is None or abs(number[0]) > 10**15:
        return None
    bare = number[0] == int(number[0]) and 0 <= number[0] <= _MOST_HOURS and line.norm(at - 1) in _BEFORE_CLOCK
    if bare and not line.is_content(number[1]):
        return f"{CLOCK}{int(number[0]) * 3600}", number[1]
    return f"{NUMBER}{number[0]}", number[1]
