"""Comparisons on a column: "amount greater than 100", "where city is Berlin", "category = food", "price below 5"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernel.language.amounts.numbers import number_at
from kernel.language.amounts.units import BYTES, UNITS
from kernel.language.free_text import quotes
from kernel.language.line import Found, Line, phrases
from kernel.language.time.calendar_words import TIME_UNITS
from kernel.language.time.dates import day_at
from skills.model import ValueKind

_OPERATORS = {
    ">": "> | greater than | more than | bigger than | larger than | higher than | over | above | exceeds | "
    "exceeding | größer als | mehr als | höher als | über | teurer als",
    ">=": ">= | ≥ | at least | not less than | no less than | greater than or equal to | mindestens | wenigstens | "
    "nicht weniger als | größer gleich",
    "<": "< | less than | lower than | smaller than | fewer than | under | below | cheaper than | kleiner als | "
    "weniger als | niedriger als | unter | billiger als",
    "<=": "<= | ≤ | at most | up to | not more than | no more than | less than or equal to | höchstens | maximal | "
    "nicht mehr als | kleiner gleich",
    "!=": "not | nicht | "
    "!= | <> | ≠ | is not | isn't | are not | is not equal to | not equal to | does not equal | other than | "
    "ist nicht | ungleich | is different from",
    "=": "= | == | is | equals | equal to | is equal to | are | ist | gleich | ist gleich | entspricht | matches",
    "contains": "contains | containing | includes | including | mentions | contain | like | enthält | enthalten | "
    "beinhaltet",
}
_BY_PHRASE = {" ".join(phrase.split()): op for op, line in _OPERATORS.items() for phrase in line.split("|")}
_TABLE = phrases("|".join(_BY_PHRASE))
_COPULAS = frozenset("is are was were ist sind war being".split())
_OPENED_ONLY = frozenset("is|are|ist|is not|isn't|ist nicht|not|nicht".split("|"))
_WEAK = _OPENED_ONLY | frozenset(
    "are not|like|including|includes|matches|over|under|above|below|über|unter|contains|containing|contain|mentions|"
    "enthält|enthalten|beinhaltet".split("|")
)
_OPENERS = frozenset(
    "where whose with having if when by wo deren dessen mit bei denen wenn falls nach and und or oder".split()
)
_RELATIVES = frozenset("whose deren dessen".split())
_ARTICLES = frozenset("the der die das".split())
_DATE_OPERATORS = {"after": ">", "before": "<", "since": ">=", "nach": ">", "vor": "<", "seit": ">="}
_SIGN_OPERATORS = frozenset("= == != < > <= >= <> ≤ ≥ ≠".split())
_ORDERINGS = frozenset("> >= < <=".split())
_COLUMN_LINKS = frozenset("in bei im".split())
_COLUMN_NOUNS = frozenset("column field spalte feld".split())
_ANY_COLUMN = 0.49  # how sure a number is compared with a column that nobody named
_MOST_COLUMN_WORDS = 3
_MOST_VALUE_WORDS = 4


def find_conditions(line: Line) -> Iterator[Found]:
    """Yield CONDITION with the column in one, two and three words; the surest where an opener stands before it."""
    ends = {first: last for first, last in quotes(line)}
    for index in range(1, line.size):
        length = line.phrase(index, _TABLE)
        op = _BY_PHRASE.get(line.words(index, length), "") if length else _DATE_OPERATORS.get(line.norm(index), "")
        if not op:
            continue
        after = index + (length or 1)
        if line.norm(after) in {"als", "to"} and length == 1:
            after += 1
        value = _value(line, after, ends, op)
        if value is not None and not _is_measure(line, value[1]):
            yield from _columns(line, index, line.words(index, length or 1), op, value)
            yield from _of_any_column(line, index, op, value)


def _columns(line: Line, index: int, words: str, op: str, value: tuple[str, int, float]) -> Iterator[Found]:
    text, last, sure = value
    behind = _column_behind(line, last)
    if behind is not None and op in _ORDERINGS:
        condition = {"column": line.slice(behind.first, behind.end), "op": op, "value": text}
        yield Found(
            ValueKind.CONDITION, index, behind.last, condition, 0.9 if behind.sure else 0.85, "grammar.condition"
        )
    end = index - 1 if line.norm(index - 1) in _COPULAS else index
    first = end
    while first > 0 and end - first < _MOST_COLUMN_WORDS and line.is_content(first - 1):
        first -= 1
    opened = _opens(line, first - 1) or _is_relative(line, first - 2)
    if first == end or (words in _OPENED_ONLY and not opened):
        return
    low, high = _or_more(line, last)
    op = {(True, False): ">=", (False, True): "<="}.get((low, high), op)
    last += 2 if low or high else 0
    doubtful = words in _WEAK or (words in _DATE_OPERATORS and end == index)  # "files since yesterday" is a period
    confidence = min(sure, 0.95 if opened or words in _SIGN_OPERATORS else 0.4 if doubtful else 0.8)
    for begin in range(first, end):
        rank = confidence - 0.1 * (begin - first if opened else end - 1 - begin)
        condition = {"column": line.slice(begin, end), "op": op, "value": text}
        yield Found(ValueKind.CONDITION, begin, last, condition, max(rank, 0.1), "grammar.condition")


def _of_any_column(line: Line, index: int, op: str, value: tuple[str, int, float]) -> Iterator[Found]:
    """ "Expenses over 80 euros": a number to compare with the only column of amounts, whatever it is called."""
    text, last, _ = value
    if op in _ORDERINGS and line.is_content(index - 1) and text.removeprefix("-").replace(".", "", 1).isdigit():
        condition = {"column": "", "op": op, "value": text}
        yield Found(ValueKind.CONDITION, index, last, condition, _ANY_COLUMN, "grammar.condition")


def _opens(line: Line, at: int) -> bool:
    """Tell whether a condition begins behind the word: "rows whose amount is 5", and not "whose birthday is next?"."""
    word = line.norm(at)
    return word in _OPENERS and (word not in _RELATIVES or any(line.is_content(before) for before in range(at)))


def _is_relative(line: Line, at: int) -> bool:
    """ "... where the amount is", "... in which the amount is"."""
    if line.norm(at) in {"which", "denen"}:
        return line.norm(at + 1) in _ARTICLES and line.norm(at - 1) in {"in", "for", "bei"}
    return line.norm(at) in {"where", "whose", "wo"}


@dataclass(frozen=True, slots=True)
class _Behind:
    """The words [first, end) of a column's name that stand behind the value, in a phrase up to ``last``."""

    first: int
    end: int
    last: int
    sure: bool


def _column_behind(line: Line, at: int) -> _Behind | None:
    """ "Rows over 50 in the amount column", "über 80 in der Spalte Betrag", and less surely "over 50 in amount"."""
    linked = line.norm(at) in _COLUMN_LINKS
    first = at + linked
    first += line.norm(first) in {"the", "der", "dem"}
    named = line.norm(first) in _COLUMN_NOUNS
    first += named
    if not (linked or named) or not line.is_content(first) or "." in line.norm(first) or "/" in line.norm(first):
        return None
    more = line.norm(first + 1) in _COLUMN_NOUNS
    alone = not line.is_content(first + 1)
    return _Behind(first, first + 1, first + 1 + more, named or more) if named or more or alone else None


def _is_measure(line: Line, end: int) -> bool:
    """A number with a unit of size or time is a size or an age, not a cell's value."""
    unit = line.norm(end) if line.norm(end - 1)[:1].isalnum() else ""
    return UNITS.get(unit) in BYTES or (unit in TIME_UNITS and line.norm(end + 1) in {"old", "alt", "ago", "", ","})


def _or_more(line: Line, index: int) -> tuple[bool, bool]:
    if line.norm(index) not in {"or", "oder"}:
        return False, False
    word = line.norm(index + 1)
    return word in {"more", "higher", "mehr", "above"}, word in {"less", "lower", "weniger", "below"}


def _value(line: Line, index: int, ends: dict[int, int], op: str) -> tuple[str, int, float] | None:
    """The compared value as text, its end, and how sure: a day, a quotation, a number, or a few words."""
    if index >= line.size:
        return None
    day = day_at(line, index, direction=-1)
    if day is not None:
        return day.day.isoformat(), day.end, 0.85
    if line.norm(index - 1) in _DATE_OPERATORS:
        return None
    if index in ends:
        return line.slice(index + 1, ends[index] - 1), ends[index], 0.95
    start = index + 1 if line.norm(index) in {"$", "€", "£", "-"} else index
    number = number_at(line, start)
    if number is not None:
        return _numeric(line, index, start, number[1], str(number[0]))
    return _few_words(line, index) if op in {"=", "!=", "contains"} else None


def _numeric(line: Line, index: int, start: int, end: int, text: str) -> tuple[str, int, float]:
    sign = "-" if line.norm(index) == "-" and start > index else ""
    if line.norm(end) in {"€", "$", "£", "euro", "euros", "dollars", "%"}:
        end += 1
    return sign + text, end, 0.95


def _few_words(line: Line, index: int) -> tuple[str, int, float] | None:
    last = index
    capital = line.raw(index)[:1].isupper()
    while last < line.size and last - index < _MOST_VALUE_WORDS and line.is_content(last):
        if last > index and capital and not line.raw(last)[:1].isupper():
            break
        last += 1
    if last > index:
        return line.slice(index, last), last, 0.8
    yes_no = line.norm(index) in {"yes", "no", "true", "false", "ja", "nein"}
    return (line.raw(index), index + 1, 0.8) if yes_no else None
