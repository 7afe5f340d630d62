"""Every value that an English sentence may give for a kind of parameter. Nothing is decided here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from kernel.language import Line, is_function_word
from kernel.language.amounts.numbers import number_at
from kernel.language.time.dates import find_dates
from kernel.language.time.periods import find_periods
from kernel.slots.schema.model import Guess, Slot, Wanted
from kernel.slots.schema.words import listed, stem

MOST_WORDS = 6
_JOINING = frozenset("of the and & de la von van in on for to".split())
_QUOTES = {"'": "'", '"': '"', "‘": "’", "“": "”", "`": "`"}
_AND = frozenset({"and", "&", "or", "und"})
_MONEY = frozenset("$ € £ ¥".split())
_SCALED = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9}
_DATE_FORM = re.compile(r"(?i)\b(yyyy|yy|mm|dd)([-/. ]?)(yyyy|mm|dd)([-/. ]?)(yyyy?|dd|mm)?")


def guesses(line: Line, slot: Slot) -> list[Guess]:
    """What ``line`` may say for ``slot``, one guess for each value and place, "none" first."""
    found = [Guess(None, "none"), *_of(line, slot)]
    unique = {(repr(guess.value), guess.first, guess.last): guess for guess in reversed(found)}
    return list(reversed(unique.values()))


def _of(line: Line, slot: Slot) -> Iterator[Guess]:
    match slot.wanted:
        case Wanted.WHOLE | Wanted.NUMBER:
            yield from numbers(line, slot)
        case Wanted.TEXT:
            yield from texts(line, slot)
        case Wanted.TRUTH:
            yield from (Guess(True, "yes"), Guess(False, "no"))
        case Wanted.CHOICE:
            yield from _choices(line, slot.choices, "choice")
        case Wanted.SEVERAL:
            yield from lists(line, slot)


def numbers(line: Line, slot: Slot) -> Iterator[Guess]:
    """Numbers with their unit; percent as a share where the schema does not speak of percent."""
    index = 0
    while index < line.size:
        found = number_at(line, index)
        if found is None:
            yield from _glued(line, index, slot)
            index += 1
            continue
        value, end, _ = found
        if line.raw(end) in _SCALED and line.tokens[end].start == line.tokens[end - 1].end:
            value, end = value * _SCALED[line.raw(end)], end + 1
        if _is_negative(line, index):
            value = -value
        unit = line.norm(end) or ""
        if unit in {"%", "percent", "per-cent", "prozent"}:
            share = slot.wanted is Wanted.NUMBER and "percent" not in slot.doc.lower()
            yield Guess(_typed(value / 100 if share else value, slot.wanted), "percent", index, end + 1, "%")
        else:
            money = line.norm(index - 1) if line.norm(index - 1) in _MONEY else ""
            yield Guess(_typed(value, slot.wanted), "number", index, end, money or unit)
        index = end


def _glued(line: Line, index: int, slot: Slot) -> Iterator[Guess]:
    """A number with letters on it: "70kg", "5g"."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)[_-]?([a-z]+)", line.norm(index))
    if match and match.group(2) not in {"st", "nd", "rd", "th"}:
        yield Guess(_typed(Decimal(match.group(1)), slot.wanted), "number", index, index + 1, match.group(2))


def _is_negative(line: Line, index: int) -> bool:
    if line.norm(index - 1) not in {"-", "−"}:
        return line.norm(index - 1) in {"minus", "negative"}
    return line.tokens[index - 1].end == line.tokens[index].start and (
        index == 1 or line.tokens[index - 2].end < line.tokens[index - 1].start or not line.is_word(index - 2)
    )


def _typed(value: Decimal, wanted: Wanted) -> int | float:
    whole = value == value.to_integral_value() and wanted is not Wanted.NUMBER
    return int(value) if whole else float(value)


def texts(line: Line, slot: Slot) -> Iterator[Guess]:
    """Quotations, dates in the form that the schema asks for, names with capitals, chunks and what is inside them."""
    yield from _dates(line, slot)
    yield from quotations(line)
    yield from _names(line)
    yield from _choices(line, listed(slot), "listed")
    for first, last in _chunks(line):
        for start in range(first, last):
            for end in range(start + 1, min(last, start + MOST_WORDS) + 1):
                whole = (start, end) == (first, last)
                yield Guess(line.slice(start, end), "chunk" if whole else "gram", start, end)
    yield from _marks(line)


def _marks(line: Line) -> Iterator[Guess]:
    """Signs and codes: what is written without spaces and is no plain word, and the parts of hyphenated words."""
    for match in re.finditer(r"\S+", line.text):
        whole = match.group().strip(".,;:!?()'\"")
        start = match.start() + match.group().find(whole) if whole else match.start()
        inside = [at for at, token in enumerate(line.tokens) if start <= token.start < start + len(whole)]
        if not inside or (whole.isalpha() and (len(whole) > 1 or whole in {"a", "I"})):
            continue
        yield Guess(whole, "mark", inside[0], inside[-1] + 1)
        head, hyphen, _ = whole.partition("-")
        if hyphen and head.isalpha() and len(head) > 1:
            yield Guess(head, "gram", inside[0], inside[-1] + 1)


def quotations(line: Line) -> Iterator[Guess]:
    """What stands between quotation marks, without them."""
    for match in re.finditer(r"(?<!\w)(['\"‘“`])(.+?)(['\"’”`])(?!\w)", line.text):
        if _QUOTES[match.group(1)] == match.group(3):
            inside = [at for at, token in enumerate(line.tokens) if match.start(2) <= token.start < match.end(2)]
            if inside:
                yield Guess(match.group(2), "quoted", inside[0], inside[-1] + 1)


def _names(line: Line) -> Iterator[Guess]:
    """Runs of words with capitals or figures, small joining words inside allowed: "Zelda: Breath of the Wild"."""
    index = 0
    while index < line.size:
        if not _is_capital(line, index):
            index += 1
            continue
        ends = [index + 1]
        at = index + 1
        while at < line.size and at < index + 12:
            if _is_capital(line, at) or (line.norm(at).isdigit() and at == ends[-1]):
                ends.append(at + 1)
            elif line.norm(at) not in _JOINING | {",", ".", ":", "'s", "-"}:
                break
            at += 1
        for end in ends:
            yield Guess(line.slice(index, end), "name", index, end)
        index += 1


def whole_names(line: Line) -> list[tuple[int, int]]:
    """The longest runs of capitals and quotations, from left to right: what a sentence names."""
    spans = [(guess.first, guess.last) for guess in (*quotations(line), *_names(line)) if guess.first > 0]
    spans = [span for span in spans if "," not in line.slice(*span) or span[1] - span[0] > 12]
    return sorted(
        span
        for span in set(spans)
        if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)
    )


def _is_capital(line: Line, index: int) -> bool:
    return line.raw(index)[:1].isupper()


def _chunks(line: Line) -> Iterator[tuple[int, int]]:
    """Longest runs of words that are no function words and no marks; hyphens and possessives stay inside."""
    start = None
    for index in range(line.size + 1):
        inside = index < line.size and (
            (line.is_word(index) and not is_function_word(line.norm(index), "en"))
            or (start is not None and line.norm(index) in {"-", "/", "of", "'s", "&"} and line.is_content(index + 1))
            or line.norm(index)[:1].isdigit()
        )
        if inside and start is None:
            start = index
        elif not inside and start is not None:
            yield start, index
            start = None


def _choices(line: Line, values: tuple[str, ...], source: str) -> Iterator[Guess]:
    """The values of a closed set, at the place where their words stand, if they stand anywhere."""
    stems = [stem(token.norm) for token in line.tokens]
    for value in values:
        wanted = [stem(word) for word in re.findall(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]", value.replace("_", " "))]
        place = (
            next((at for at in range(len(stems)) if stems[at : at + len(wanted)] == wanted), None) if wanted else None
        )
        if place is not None:
            yield Guess(value, source, place, place + len(wanted))
        elif source == "choice":
            yield Guess(value, source)


def _dates(line: Line, slot: Slot) -> Iterator[Guess]:
    if "date" in slot.name.lower() or "time" in slot.name.lower():
        yield from (
            Guess(line.slice(found.first, found.last), "date", found.first, found.last) for found in find_periods(line)
        )
    form = _DATE_FORM.search(slot.doc)
    if form is None and "date" not in (slot.name + slot.doc).lower():
        return
    for found in find_dates(line):
        year, month, day = str(found.value).split("-")
        parts = {"y": year, "m": month, "d": day}
        written = str(found.value)
        if form is not None and form.group(5):
            order = [form.group(at)[0].lower() for at in (1, 3, 5)]
            if set(order) == set(parts):
                written = (form.group(2) or "-").join(parts[letter] for letter in order)
        yield Guess(written, "date", found.first, found.last)


def lists(line: Line, slot: Slot) -> Iterator[Guess]:
    """Written lists in brackets, and what is joined by commas and "and"; a single thing is a list of one."""
    yield from _brackets(line, slot)
    inner = Slot(slot.name, slot.items, slot.doc, slot.required, slot.choices)
    if slot.items in {Wanted.WHOLE, Wanted.NUMBER}:
        found = [guess for guess in numbers(line, inner)]
        yield from _joined(line, found)
        return
    named = list(_choices(line, (*slot.choices, *listed(slot)), "listed"))
    if named:
        ordered = list(dict.fromkeys(guess.value for guess in sorted(named, key=lambda guess: guess.first)))
        yield Guess(ordered, "listed", min(guess.first for guess in named), max(guess.last for guess in named))
    for pieces in (list(quotations(line)), [guess for guess in _names(line)], _whole_chunks(line)):
        yield from _joined(line, pieces)


def _whole_chunks(line: Line) -> list[Guess]:
    return [
        Guess(line.slice(start, last), "chunk", start, last)
        for first, last in _chunks(line)
        for start in range(first, last)
    ]


def _joined(line: Line, pieces: list[Guess]) -> Iterator[Guess]:
    """Chains of pieces with nothing between them but commas, "and" and marks."""
    by_start: dict[int, list[Guess]] = {}
    for piece in pieces:
        by_start.setdefault(piece.first, []).append(piece)
    for piece in pieces:
        chain = [piece]
        yield Guess([piece.value], "list", piece.first, piece.last)
        while len(chain) < 12:
            after = _after_joint(line, chain[-1].last)
            if after is None or after not in by_start:
                break
            longest = max(by_start[after], key=lambda guess: guess.last)
            for option in by_start[after]:
                if option is not longest:
                    yield Guess([*(one.value for one in chain), option.value], "list", piece.first, option.last)
            chain.append(longest)
            yield Guess([one.value for one in chain], "list", piece.first, chain[-1].last)


def _after_joint(line: Line, index: int) -> int | None:
    at = index
    while at < index + 5 and line.norm(at) in _AND | {",", "'", '"', ";", "then", "also", "the", "a", "$", "-", "%"}:
        at += 1
    return at if at > index and any(line.norm(place) in _AND | {",", ";"} for place in range(index, at)) else None


def _brackets(line: Line, slot: Slot) -> Iterator[Guess]:
    for match in re.finditer(r"[\[({]([^\[\](){}]+)[\])}]", line.text):
        pieces = [piece.strip(" '\"") for piece in match.group(1).split(",")]
        if slot.items in {Wanted.WHOLE, Wanted.NUMBER}:
            try:
                values = [_typed(Decimal(piece), slot.items) for piece in pieces]
            except ArithmeticError:
                continue
        elif len(pieces) > 1:
            values = pieces  # type: ignore[assignment]
        else:
            continue
        inside = [at for at, token in enumerate(line.tokens) if match.start(1) <= token.start < match.end(1)]
        if inside:
            yield Guess(values, "bracket", inside[0], inside[-1] + 1)
