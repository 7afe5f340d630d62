"""Sums of money with their cents behind the currency, as they are said: "twelve euros fifty", "19 Euro 80"."""

from __future__ import annotations

import re
from decimal import Decimal

from kernel.language.amounts.numbers import is_whole, number_at
from kernel.language.amounts.units import MONEY, PERCENTS, SYMBOLS, UNITS
from kernel.language.line import Line

_CENTS = frozenset("cent cents".split())
_PARTICIPLE = re.compile(r"(?:ge|be|ver|aus|ein|ab)\w{2,}(?:t|en)")
_HALVES_OF_DAY = frozenset("am pm uhr".split())


def money_at(line: Line, index: int) -> tuple[Decimal, str, int] | None:
    """The sum that begins at ``index`` and has its cents said apart: its value, its currency, and where it ends."""
    whole = number_at(line, index)
    if whole is None or not is_whole(whole[0]) or whole[0] < 0 or line.norm(whole[1]) not in MONEY:
        return None
    cents = _cents_at(line, whole[1] + 1)
    return (whole[0] + Decimal(cents[0]) / 100, line.norm(whole[1]), cents[1]) if cents else None


def _cents_at(line: Line, index: int) -> tuple[int, int] | None:
    """The cents: two digits or a word from ten on ("80", "fifty"), or any number with "cents" behind it."""
    after = index + 1 if line.norm(index) in {"and", "und"} else index
    found = number_at(line, after)
    if found is None or not is_whole(found[0]) or not 0 < found[0] < 100:
        return None
    if line.norm(found[1]) in _CENTS:
        return int(found[0]), found[1] + 1
    written = line.norm(after)
    bare = after == index and (len(written) == 2 if written.isdigit() else found[0] >= 10)
    return (int(found[0]), found[1]) if bare and not _counts(line, found[1]) else None


def _counts(line: Line, index: int) -> bool:
    """Tell whether the number before ``index`` counts what stands there: "30 percent", "50 people", "12 Uhr"."""
    word = line.norm(index)
    if word in PERCENTS or word in MONEY or word in UNITS or word in SYMBOLS or word in _HALVES_OF_DAY:
        return True
    if line.language != "de" or line.raw(index)[:1].isupper():
        return line.is_content(index)
    return line.is_content(index) and _PARTICIPLE.fullmatch(word) is None
