"""Numbers in digits and in words, English and German: ``1,234.56``, ``1.234,56``, "two dozen", "dreiundzwanzig"."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from kernel.language.line import Line, phrases

_UNITS_EN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS_EN = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "millions": 10**6,
    "billion": 10**9,
    "billions": 10**9,
    "tausend": 1000,
    "millionen": 10**6,
    "milliarden": 10**9,
    "milliarde": 10**9,
}
_UNITS_DE = (
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
).split()
_TENS_DE = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()

# Words that mean a number only more or less, or only in company: value and how sure we are.
_LOOSE: dict[tuple[str, ...], tuple[Decimal, float]] = {
    ("a", "couple"): (Decimal(2), 0.8),
    ("a", "couple", "of"): (Decimal(2), 0.8),
    ("couple", "of"): (Decimal(2), 0.6),
    ("a", "pair", "of"): (Decimal(2), 0.6),
    ("a", "few"): (Decimal(3), 0.5),
    ("half", "a", "dozen"): (Decimal(6), 0.9),
    ("a", "dozen"): (Decimal(12), 0.9),
    ("dozen",): (Decimal(12), 0.6),
    ("a", "hundred"): (Decimal(100), 0.9),
    ("a", "thousand"): (Decimal(1000), 0.9),
    ("a", "million"): (Decimal(10**6), 0.9),
    ("ein", "paar"): (Decimal(3), 0.5),
    ("ein", "dutzend"): (Decimal(12), 0.9),
    ("ein", "halbes", "dutzend"): (Decimal(6), 0.9),
    ("dutzend",): (Decimal(12), 0.6),
    ("anderthalb",): (Decimal("1.5"), 0.9),
    ("eineinhalb",): (Decimal("1.5"), 0.9),
}
_PARTS: dict[tuple[str, ...], Decimal] = {
    ("and", "a", "half"): Decimal("0.5"),
    ("und", "ein", "halb"): Decimal("0.5"),
    ("and", "a", "quarter"): Decimal("0.25"),
    ("and", "three", "quarters"): Decimal("0.75"),
}
_PART_PHRASES = phrases("|".join(" ".join(words) for words in _PARTS))
_PACKS = {"dozen": 12, "dutzend": 12, "score": 20, "schock": 60}
_LOOSE_PHRASES = phrases("|".join(" ".join(words) for words in _LOOSE))

_ORDINALS_EN = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_ORDINALS_DE = "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft".split()
_LONGEST_RUN = 12


@cache
def _words(language: str) -> dict[str, int]:
    """Number words below a hundred (English) or a thousand (German compounds) with their values."""
    if language == "de":
        return _german_words()
    table = {word: value for value, word in enumerate(_UNITS_EN)}
    for ten, word in enumerate(_TENS_EN, start=2):
        table[word] = ten * 10
        table |= {f"{word}-{_UNITS_EN[unit]}": ten * 10 + unit for unit in range(1, 10)}
    return table


def _german_words() -> dict[str, int]:
    below = dict(enumerate(_UNITS_DE))
    for ten, word in enumerate(_TENS_DE, start=2):
        below[ten * 10] = word
        below |= {ten * 10 + unit: f"{_UNITS_DE[unit]}und{word}" for unit in range(1, 10)}
    table = {word: value for value, word in below.items() if value != 1}
    table |= {"eins": 1, "hundert": 100, "zwo": 2}
    for hundred in (*range(10), *range(11, 20)):  # "neunzehnhundert" is said of years and prices
        stem = f"{_UNITS_DE[hundred] if hundred else ''}hundert"
        table |= {f"{stem}{word if value else ''}": max(hundred, 1) * 100 + value for value, word in below.items()}
    return table


def _german_compound(word: str) -> int | None:
    table = _words("de")
    if word in table:
        return table[word]
    head, mark, tail = word.partition("tausend")
    if not mark:
        return None
    thousands = 1 if head in {"", "ein"} else table.get(head)
    rest = 0 if not tail else table.get(tail.removeprefix("und"))
    return None if thousands is None or rest is None else thousands * 1000 + rest


@cache
def ordinals() -> dict[str, int]:
    """Ordinal words of both languages with their values; -1 is "last"."""
    table = {word: value for value, word in enumerate(_ORDINALS_EN, start=1)}
    for ten, word in enumerate(_TENS_EN, start=2):
        table[f"{word[:-1]}ieth"] = ten * 10
        table |= {f"{word}-{_ORDINALS_EN[unit - 1]}": ten * 10 + unit for unit in range(1, 10)}
    table |= {"hundredth": 100, "thousandth": 1000}
    long = {f"{word}{'t' if value < 20 else 'st'}": value for word, value in _words("de").items() if 13 <= value <= 100}
    table |= {f"{stem}{end}": value for stem, value in long.items() for end in ("e", "er", "es", "en", "em")}
    for value, stem in enumerate(_ORDINALS_DE, start=1):
        table |= {f"{stem}{end}": value for end in ("e", "er", "es", "en", "em")}
    table |= {word: -1 for word in ("last", "letzte", "letzter", "letztes", "letzten", "letztem")}
    return table


def ordinal_at(line: Line, index: int) -> int | None:
    """The ordinal at ``index`` ("second", "3rd", "dritte"); -1 for "last"."""
    word = line.norm(index)
    match = re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th)", word)
    if match:
        return int(match.group(1))
    return ordinals().get(word)


def digits(word: str, language: str) -> Decimal | None:
    """Read digits with their marks as ``language`` writes them; a mark that cannot group is the decimal one."""
    if not word[:1].isdigit() or not re.fullmatch(r"[\d.,]+", word) or not word[-1].isdigit() or not word.isascii():
        return None
    group, point = (".", ",") if language == "de" else (",", ".")
    if point in word and group in word:
        if word.rindex(group) > word.rindex(point):
            group, point = point, group
        return Decimal(word.replace(group, "").replace(point, ".")) if word.count(point) == 1 else None
    mark = "." if "." in word else "," if "," in word else ""
    if not mark:
        return Decimal(word)
    grouped = re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", word) and not word.startswith("0")
    if grouped and (mark == group or word.count(mark) > 1):
        return Decimal(word.replace(mark, ""))
    return Decimal(word.replace(mark, ".")) if word.count(mark) == 1 else None


def is_whole(value: Decimal) -> bool:
    """Tell whether nothing stands behind the point, however many digits stand before it."""
    return value == value.to_integral_value()


def number_at(line: Line, index: int) -> tuple[Decimal, int, float] | None:
    """The number that begins at ``index``: its value, the end of its tokens, and how sure the reading is."""
    key = ("number", index)
    if key not in line.memo:
        line.memo[key] = _number_at(line, index)
    found: tuple[Decimal, int, float] | None = line.memo[key]
    return found


def _number_at(line: Line, index: int) -> tuple[Decimal, int, float] | None:
    """A number with what may stand behind it: "twelve and a half", "four dozen", "anderthalb Dutzend"."""
    found = _core(line, index)
    if found is None:
        return None
    value, end, _ = found
    decimals = _decimals(line, end) if value == value.to_integral_value() else ""
    if decimals:
        return value + Decimal(f"0.{decimals}"), end + 1 + len(decimals), 0.9
    length = line.phrase(end, _PART_PHRASES) if value == value.to_integral_value() and end == index + 1 else 0
    if length:
        return value + _PARTS[tuple(line.words(end, length).split())], end + length, 0.9
    pack = _PACKS.get(line.norm(end), 0) if line.norm(index) not in _PACKS and value < 1000 else 0
    return (value * pack, end + 1, 0.9) if pack and is_whole(value * pack) else found


def _decimals(line: Line, index: int) -> str:
    """ "Point six", "komma zwei fünf": the digits behind a spoken point."""
    if line.norm(index) != ("komma" if line.language == "de" else "point"):
        return ""
    found = ""
    while (value := number_word(line.norm(index + 1 + len(found)), line.language)) is not None and value < 10:
        found += str(value)
    return found


def _core(line: Line, index: int) -> tuple[Decimal, int, float] | None:
    length = line.phrase(index, _LOOSE_PHRASES)
    if length:
        value, confidence = _LOOSE[tuple(line.words(index, length).split())]
        return value, index + length, confidence
    value_of_digits = digits(line.norm(index), line.language)
    if value_of_digits is not None:
        return _scaled(line, value_of_digits, index + 1)
    return _and_a_half(line, index) or _spoken(line, index)


def _and_a_half(line: Line, index: int) -> tuple[Decimal, int, float] | None:
    """Read "zweieinhalb", "zwölfeinhalb", "zweieinviertel" in one word."""
    for tail, part in (("einhalb", Decimal("0.5")), ("einviertel", Decimal("0.25")), ("dreiviertel", Decimal("0.75"))):
        head = line.norm(index).removesuffix(tail)
        whole = _words("de").get(head) if head and head != line.norm(index) else None
        if whole is not None:
            return whole + part, index + 1, 0.9
    return None


def _scaled(line: Line, value: Decimal, end: int) -> tuple[Decimal, int, float]:
    scale = _SCALES.get(line.norm(end), 0)
    return (value * scale, end + 1, 0.95) if scale >= 1000 else (value, end, 0.95)


def _spoken(line: Line, index: int) -> tuple[Decimal, int, float] | None:
    total, current, position = 0, 0, index
    previous = 0  # value of the last small word: "twenty" may be followed by "one", "five" may not
    while position - index < _LONGEST_RUN:
        word = line.norm(position)
        value = number_word(word, line.language)
        if value is not None and _fits(previous, value, position == index):
            current, previous, position = current + value, value, position + 1
        elif word in _SCALES and position > index and current:
            scale = _SCALES[word]
            total, current = (total, current * scale) if scale == 100 else (total + current * scale, 0)
            previous, position = 100, position + 1
        elif word in {"and", "und"} and previous == 100 and number_word(line.norm(position + 1), line.language):
            position += 1
        else:
            break
    if position == index:
        return None
    single = position == index + 1 and line.norm(index) in {"one", "eins"}
    return Decimal(total + current), position, 0.6 if single else 0.9


def _fits(previous: int, value: int, first: bool) -> bool:
    if first:
        return True
    return (20 <= previous < 100 and previous % 10 == 0 and 0 < value < 10) or (previous >= 100 and 0 < value < 100)


def number_word(word: str, language: str) -> int | None:
    """Return the whole number that one word of ``language`` stands for, or None."""
    if not word or not word[0].isalpha():
        return None
    value = _words("en").get(word)
    if value is None and language == "de":
        value = _german_compound(word)
    return value
