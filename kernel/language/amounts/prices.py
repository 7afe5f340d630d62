"""What several things come to: "6.5 metres at 14.80 a metre", "zwölf Stühle zu je 49,90", "4380 words times 0.14".

The noun behind the number says what is counted and nothing that is calculated with. What this does not do: read a price
for one thing as a price for another ("3 hours at 45 euros a day").
"""

from __future__ import annotations

from decimal import Decimal

from kernel.language.amounts.money import money_at
from kernel.language.amounts.numbers import number_at
from kernel.language.amounts.units import MONEY, UNITS
from kernel.language.line import Found, Line
from skills.model import ValueKind

_AT = frozenset("at for zu à a @ für".split())
_EACH = frozenset("each apiece jeweils pro je stück".split())
_A = frozenset("a an per the pro je der das die den dem / for für".split())
_ANY_ONE = frozenset("piece item unit head person stück einheit kopf".split())
_COMES_TO = frozenset("come comes cost costs make makes kosten machen".split())
_TIMES = frozenset("times mal x × *".split())
_LONGEST_NOUN = 3


def price_of_several(line: Line, index: int) -> Found | None:
    """Read a number of things with the price of one: the product of both."""
    count = number_at(line, index)
    if count is None:
        return None
    noun = range(count[1], _noun_ends(line, count[1]))
    price = _for_each(line, noun) or _times(line, noun)
    if price is None:
        return None
    text = f"{digits(count[0])} * {digits(price[0])}"
    return Found(ValueKind.EXPRESSION, index, price[1], text, 0.95, "grammar.arithmetic")


def price_at(line: Line, index: int) -> tuple[Decimal, int] | None:
    """The number with its currency, and where it ends: "$80", "80 euros", "12 Euro 50"."""
    first = index + (line.norm(index) in {"$", "€", "£"})
    sum_of_money = money_at(line, first)
    if sum_of_money is not None:
        return sum_of_money[0], sum_of_money[2]
    price = number_at(line, first)
    return (price[0], price[1] + (line.norm(price[1]) in MONEY)) if price else None


def digits(value: Decimal) -> str:
    """The number as it is calculated with."""
    return format(value.normalize(), "f") if value else "0"


def _noun_ends(line: Line, index: int) -> int:
    end = index
    while end < index + _LONGEST_NOUN and line.is_content(end) and not _is_between(line, end):
        end += 1
    return end


def _is_between(line: Line, index: int) -> bool:
    return line.norm(index) in _AT | _TIMES


def _for_each(line: Line, noun: range) -> tuple[Decimal, int] | None:
    """ "(6.5 metres) at 14.80 a metre", "(12 Stühle) zu je 49,90 Euro"."""
    if line.norm(noun.stop) not in _AT:
        return None
    each = line.norm(noun.stop + 1) in _EACH
    price = price_at(line, noun.stop + 1 + each)
    if price is None:
        return None
    end = price[1] if each else _one_ends(line, price[1], noun)
    return (price[0], end) if end is not None else None


def _one_ends(line: Line, index: int, noun: range) -> int | None:
    """Where "each", "a metre" or "pro Stück" ends at ``index``; None where it is the price of something else."""
    goes_on = line.is_content(index + 1) and line.norm(index + 1) not in _COMES_TO  # "at 3 each day"
    if line.norm(index) in _EACH - {"pro", "je"} and not goes_on:
        return index + 1
    one = index + 1
    if line.norm(index) not in _A or not line.is_word(one):
        return None
    alike = line.norm(one) in _ANY_ONE or any(_is_same(line, one, at) for at in noun)
    return one + 1 if alike else None


def _is_same(line: Line, one: int, many: int) -> bool:
    """The singular and the plural of one word, or two words for one unit."""
    first, second = line.norm(one), line.norm(many)
    unit = UNITS.get(first)
    return first == second or line.lemma(one) == line.lemma(many) or (unit is not None and unit == UNITS.get(second))


def _times(line: Line, noun: range) -> tuple[Decimal, int] | None:
    """ "(4380 words) times 0.14": what is multiplied may say what it counts."""
    if not noun or line.norm(noun.stop) not in _TIMES:
        return None
    return price_at(line, noun.stop + 1)
