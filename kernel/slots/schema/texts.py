"""The texts of a sentence: quotations, dates, names with capitals, chunks of plain words, signs and codes, choices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kernel.language import Line, is_function_word
from kernel.language.time.dates import find_dates
from kernel.language.time.periods import find_periods
from kernel.slots.schema.model import Guess, Slot
from kernel.slots.schema.words import doc_stems, listed, name_stems, span_of, stem

MOST_WORDS = 6
_JOINING = frozenset("of the and & de la von van in on for to , . : 's -".split())
_CLOSE = frozenset("of the & de la von van : 's -".split())
_OPENING, _CLOSING = frozenset("'‘\"“([{$€£`"), frozenset("'’\"”)]}.,;:?!%`")
_FORMULA = frozenset(map(stem, "function expression equation polynomial formula".split()))
_FUNCTIONS = frozenset("sin cos tan log ln exp sqrt pi".split())
_INNER = frozenset("- / of 's &".split())
_QUOTES = {"'": "'", '"': '"', "‘": "’", "“": "”", "`": "`"}
_PART = "(yyyy?|yy|year|mm|month|dd|day)"
_DATE_FORM = re.compile(rf"(?i)\b{_PART}([-/. ]?){_PART}(?:([-/. ]?){_PART})?\b")
_MEANT = re.compile(r"['\"‘“]([\w-]{1,20})['\"’”] (?:for|means|meaning|is|=) (?:the )?(\w+)")


def texts(line: Line, slot: Slot) -> Iterator[Guess]:
    """Quotations, dates in the form that the schema asks for, names with capitals, chunks and what is inside them."""
    yield from dates(line, slot)
    yield from quotations(line)
    yield from choices(line, listed(slot), "listed")
    yield from meanings(line, slot)
    for guess in (*names(line), *_plain(line)):
        if not is_glued(line, guess.first, guess.last):
            yield guess
    yield from marks(line)
    yield from _rest(line, slot)
    if _FORMULA & {*name_stems(slot.name), *doc_stems(slot.doc)}:
        yield from _formulas(line)


def _plain(line: Line) -> Iterator[Guess]:
    for first, last in chunks(line):
        for start in range(first, last):
            for end in range(start + 1, min(last, start + MOST_WORDS) + 1):
                if line.norm(start) in _INNER or line.norm(end - 1) in _INNER:
                    continue
                whole = (start, end) == (first, last)
                yield Guess(line.slice(start, end), "chunk" if whole else "gram", start, end)


def _rest(line: Line, slot: Slot) -> Iterator[Guess]:
    """What follows the slot's own name or a colon, to the end of the sentence: "with content go to bed at nine"."""
    own = name_stems(slot.name)
    for at in range(line.size - 2):
        if stem(line.norm(at)) in own or line.norm(at) == ":":
            first = at + 2 if line.norm(at + 1) in {":", "of", "is", "called", "saying", "that"} else at + 1
            last = next((end for end in range(first, line.size) if line.norm(end) in {".", "!", "?"}), line.size)
            if last - first > 1:
                yield Guess(line.slice(first, last), "rest", first, last)


def _formulas(line: Line) -> Iterator[Guess]:
    """Figures, single letters and signs in a row, with a sign of arithmetic among them: "3x^2 + 2x - 1"."""
    start = None
    for at in range(line.size + 1):
        word = line.norm(at) if at < line.size else ""
        inside = bool(word) and ((len(word) == 1 and word not in ".,;:?!a'") or word[0].isdigit() or word in _FUNCTIONS)
        if inside and start is None:
            start = at
        elif not inside and start is not None:
            if at - start > 2 and any(line.raw(one) in set("+-*/^=") for one in range(start, at)):
                yield Guess(line.slice(start, at), "mark", start, at)
            start = None


def is_glued(line: Line, first: int, last: int) -> bool:
    """Tell whether [first, last) begins or ends inside of what is written without a space: "2023" of "2022-2023"."""
    start, end = line.tokens[first].start, line.tokens[last - 1].end
    before, after = line.text[max(start - 1, 0) : start], line.text[end : end + 2]
    if before and not before.isspace() and before not in _OPENING:
        return True
    if not after or after[0].isspace():
        return False
    return after[0] not in _CLOSING or (after[0] in ".,:" and after[1:].isalnum())


def marks(line: Line) -> Iterator[Guess]:
    """Signs and codes: what is written without spaces and is no plain word, and the parts of hyphenated words."""
    for match in re.finditer(r"\S+", line.text):
        whole = match.group().strip(".,;:!?()'\"")
        start = match.start() + match.group().find(whole) if whole else match.start()
        span = span_of(line, start, start + len(whole))
        if not span or (whole.isalpha() and (len(whole) > 1 or whole in {"a", "I"})):
            continue
        yield Guess(whole, "mark", *span)
        head, hyphen, _ = whole.partition("-")
        if hyphen and head.isalpha() and len(head) > 1:
            yield Guess(head, "gram", *span)


def quotations(line: Line) -> Iterator[Guess]:
    """What stands between quotation marks, without them."""
    for match in re.finditer(r"(?<!\w)(['\"‘“`])(.+?)(['\"’”`])(?!\w)", line.text):
        if _QUOTES[match.group(1)] == match.group(3):
            span = span_of(line, *match.span(2))
            if span:
                yield Guess(match.group(2), "quoted", *span)


def names(line: Line, joining: frozenset[str] = _JOINING) -> Iterator[Guess]:
    """Runs of words with capitals or figures, ``joining`` words inside allowed: "Zelda: Breath of the Wild"."""
    index = 0
    while index < line.size:
        if not (_is_capital(line, index) or _is_article(line, index)):
            index += 1
            continue
        ends = [] if _is_article(line, index) else [index + 1]
        at = index + 1
        while at < line.size and at < index + 12:
            if _is_capital(line, at) or (line.norm(at).isdigit() and at in ends):
                ends.append(at + 1)
            elif line.norm(at) not in joining:
                break
            at += 1
        for end in ends:
            yield Guess(line.slice(index, end), "name", index, end)
        index += 1


def whole_names(line: Line) -> list[tuple[int, int]]:
    """The longest runs of capitals and quotations, from left to right: what a sentence names."""
    spans = {(guess.first, guess.last) for guess in (*quotations(line), *names(line, _CLOSE)) if guess.first > 0}
    return sorted(
        span
        for span in spans
        if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)
    )


def _is_capital(line: Line, index: int) -> bool:
    return line.raw(index)[:1].isupper() and (
        line.is_content(index) or (line.raw(index).isupper() and line.norm(index) not in {"i", "a"})
    )


def _is_article(line: Line, index: int) -> bool:
    """Tell whether a capital article begins a name in the middle of a sentence: "songs of The Cure"."""
    middle = index > 0 and line.norm(index - 1) not in {".", "?", "!"}
    return middle and line.raw(index) in {"The", "A"} and _is_capital(line, index + 1)


def chunks(line: Line) -> Iterator[tuple[int, int]]:
    """Longest runs of words that are no function words and no marks; hyphens and possessives stay inside."""
    start = None
    for index in range(line.size + 1):
        inside = index < line.size and (
            (line.is_word(index) and not is_function_word(line.norm(index), "en"))
            or (start is not None and line.norm(index) in _INNER and line.is_content(index + 1))
            or line.norm(index)[:1].isdigit()
        )
        if inside and start is None:
            start = index
        elif not inside and start is not None:
            yield start, index
            start = None


def choices(line: Line, values: tuple[str, ...], source: str) -> Iterator[Guess]:
    """The values of a closed set, at the place where their words stand, if they stand anywhere."""
    words = [
        (stem(piece), at) for at, token in enumerate(line.tokens) for piece in re.split(r"(?<=\w)-(?=\w)", token.norm)
    ]
    for value in values:
        wanted = [stem(word) for word in re.findall(r"[A-Za-z0-9]+|[^\sA-Za-z0-9_-]", value)]
        places = [
            at for at in range(len(words)) if wanted and [word for word, _ in words[at : at + len(wanted)]] == wanted
        ]
        width = len(wanted)
        if not places:
            places, width = [at for at, (word, _) in enumerate(words) if _shortens(value, word)], 1
        if places:
            yield Guess(value, source, words[places[0]][1], words[places[0] + width - 1][1] + 1)
        elif source == "choice":
            yield Guess(value, source)


def _shortens(value: str, word: str) -> bool:
    """Tell whether one word is the beginning of the other: "asc" of "ascending", "carbs" of "carbohydrates"."""
    short, long = sorted((value.lower(), word.removesuffix("s")), key=len)
    return len(short) >= 3 and len(long) >= len(short) + 3 and long.startswith(short) and short.isalpha()


def meanings(line: Line, slot: Slot) -> Iterator[Guess]:
    """The values that the schema explains, where the explanation stands: "'asc' for ascending order"."""
    stems = [stem(token.norm) for token in line.tokens]
    for value, meant in _MEANT.findall(slot.doc):
        if stem(meant) in stems:
            at = stems.index(stem(meant))
            yield Guess(value, "listed", at, at + 1)


def dates(line: Line, slot: Slot) -> Iterator[Guess]:
    """Days and periods, as they are said and in the form that the schema asks for: "mm-yyyy", "month/day/year"."""
    if "date" in slot.name.lower() or "time" in slot.name.lower():
        yield from (
            Guess(line.slice(found.first, found.last), "date", found.first, found.last) for found in find_periods(line)
        )
    form = _DATE_FORM.search(slot.doc)
    if form is None and "date" not in (slot.name + slot.doc).lower():
        return
    for found in find_dates(line):
        year, month, day = str(found.value).split("-")
        written = str(found.value)
        if form is not None:
            order = [form.group(at)[0].lower() for at in (1, 3, 5) if form.group(at)]
            parts = {"y": year, "m": month, "d": day}
            if len(set(order)) == len(order) > 1:
                written = (form.group(2) or "-").join(parts[letter] for letter in order)
        yield Guess(written, "date", found.first, found.last)


@lru_cache(maxsize=4_000)
def date_form(slot: Slot) -> re.Pattern[str] | None:
    """What a day looks like in the form that a slot describes; None where it describes none."""
    form = _DATE_FORM.search(slot.doc)
    if form is None:
        return None
    parts = [form.group(at) for at in (1, 3, 5) if form.group(at)]
    sign = re.escape(form.group(2) or "-")
    return re.compile(sign.join(r"\d{4}" if part.lower()[0] == "y" else r"\d\d?" for part in parts))
