"""Free text in a sentence: what stands in quotes, runs of content words, and the tails after words like "called"."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language.amounts.numbers import digits
from kernel.language.left_apart import is_left
from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line, phrases
from kernel.language.time.calendar_words import TIME_UNITS
from kernel.model import Boundary
from skills.model import ValueKind

_PAIRS = {'"': '"', "“": "”“", "„": '“”"', "«": "»", "»": "«", "‚": "‘’'", "‘": "’'", "'": "'", "”": "”", "`": "`"}
_MARKS = frozenset(_PAIRS)
_CUES = phrases(
    "called|named|titled|entitled|labelled|labeled|saying|says|that says|which says|that reads|reading|about|on",
    "the word|the words|the phrase|the term|das wort|die wörter|den begriff",
    "regarding|concerning|mentioning|mentions|mention|containing|contains|with the text|with text|with the title",
    "with title",
    "with the name|with the words|with the content|with the heading|the title|the name|under the name|for|as|with|:",
    "by the name of|with the subject|that mention|that contain|matching|like",
    "genannt|namens|mit dem titel|mit dem namen|mit dem text|mit dem inhalt|über|zum thema|titel|mit titel|betitelt",
    "die heißt|der heißt|das heißt|heißt|lautet|unter dem namen|mit|als|für|dass|enthält|enthalten|steht|erwähnen",
)
_STRONG_CUES = frozenset(
    "called named titled entitled labelled labeled saying says reads reading title name text words content heading : "
    "subject genannt namens titel namen inhalt betitelt heißt lautet".split()
)
_CUE_WORDS = frozenset(
    "called named titled entitled labelled labeled saying says reads mentioning mentions mention containing contains "
    "contain concerning regarding matching genannt namens betitelt heißt lautet enthält enthalten erwähnen".split()
)
_SAYING = phrases(
    "saying|says|that says|which says|that reads|reading|with the text|with text|with the words|with the content",
    "containing|with the title|with title|mit dem text|mit dem inhalt|mit dem titel|lautet|:",
)
"""What follows is the person's own text, and what stands before them is not part of it."""
_OPENS_TEXT = phrases("called|named|titled|entitled|labelled|labeled|genannt|namens|betitelt|heißt")
_WORDS = frozenset(
    "notice notification message note task reminder text todo hinweis benachrichtigung meldung nachricht notiz aufgabe "
    "erinnerung".split()
)
_GOES_ON = frozenset("and then afterwards also please finally und dann danach anschließend bitte noch auch".split())
"""What stands between a name and the verb of the next request, beside marks."""
_PARTS = 0.3  # strength of a boundary that ends a text: "milk and eggs" is one
_MOST_CUES = 32
_TEXT_KINDS = (ValueKind.TEXT, ValueKind.TITLE, ValueKind.QUERY)
_COURTESY = frozenset("please thanks bitte danke".split())
_MANY = frozenset("many vielen besten herzlichen lieben tausend".split())
_CLOSING = frozenset({"thank you", "will you", "would you", "could you", "vielen dank"})


def quotes(line: Line) -> tuple[tuple[int, int], ...]:
    """Return the quoted stretches as (index of the opening mark, index after the closing one), left to right."""
    if ("quotes",) not in line.memo:
        line.memo["quotes",] = _quotes(line)
    found: tuple[tuple[int, int], ...] = line.memo["quotes",]
    return found


def _quotes(line: Line) -> tuple[tuple[int, int], ...]:
    if _MARKS.isdisjoint(line.text):
        return ()
    found = []
    index = 0
    last_at = _last_marks(line)
    while index < line.size:
        close = _closing(line, index, last_at) if line.raw(index) in _PAIRS and _opens(line, index) else None
        if close is None:
            index += 1
            continue
        found.append((index, close + 1))
        index = close + 1
    return tuple(found)


def _last_marks(line: Line) -> dict[str, int]:
    """The last place of every quotation mark: a mark that never comes again is not searched for again."""
    return {token.text: index for index, token in enumerate(line.tokens) if len(token.text) == 1}


def _opens(line: Line, index: int) -> bool:
    token = line.tokens[index]
    before = line.text[token.start - 1] if token.start else " "
    return not before.isalnum()


def _closing(line: Line, index: int, last_at: dict[str, int]) -> int | None:
    marks = _PAIRS[line.raw(index)]
    if all(last_at.get(mark, -1) <= index for mark in marks):
        return None
    for close in range(index + 1, line.size):
        if line.raw(close) in marks and _closes(line, close):
            return close if close > index + 1 else None
    return None


def _closes(line: Line, index: int) -> bool:
    if line.raw(index) not in {"'", "’"}:
        return True
    end = line.tokens[index].end
    return end >= len(line.text) or not line.text[end].isalnum()


def find_quoted(line: Line, quoted: tuple[tuple[int, int], ...]) -> Iterator[Found]:
    """Yield the text between quotation marks as every kind of free text."""
    for first, last in quoted:
        value = line.slice(first + 1, last - 1).strip()
        for kind in (*_TEXT_KINDS, ValueKind.COLUMN):
            yield Found(kind, first, last, value, 1.0, "quoted")


_ENDS_SENTENCE = frozenset(";.?!")


def opens_text(line: Line, index: int) -> bool:
    """Tell whether the words at ``index`` announce the person's own words: a title, a name, a text."""
    length = line.phrase(index, _SAYING) or line.phrase(index, _OPENS_TEXT)
    return bool(length) and line.norm(index + length) not in _ENDS_SENTENCE  # "what it is called; ..."


def own_text(line: Line, lexicon: Lexicon) -> frozenset[int]:
    """Return the tokens behind words that announce the person's own ones: a text to the end, a name to its clause's.

    "Make a folder called Flat and move the lease into it": the name ends where another request begins.
    """
    if ("own",) not in line.memo:
        found: set[int] = set()
        for index in range(line.size):
            if opens_text(line, index):
                goes_on = bool(line.phrase(index, _SAYING))
                end = text_ends(line, index) if goes_on else _name_ends(line, lexicon, index + 1)
                found.update(range(index + 1, end))
        line.memo["own",] = frozenset(found)
    own: frozenset[int] = line.memo["own",]
    return own


def told_text(line: Line) -> frozenset[int]:
    """Return the tokens behind a colon and a noun for words: "a notice: take the red folder" names no folder."""
    colon = next((at for at in range(line.size) if line.norm(at) == ":" and line.norm(at - 1) in _WORDS), line.size)
    return frozenset(range(colon + 1, line.size))


def text_ends(line: Line, index: int) -> int:
    """Where the text ends that the words at ``index`` announce: with its quotation, or with the sentence."""
    start = index + line.phrase(index, _SAYING)
    return next((last for first, last in quotes(line) if first == start), line.size)


def _name_ends(line: Line, lexicon: Lexicon, first: int) -> int:
    """Where a mark or a conjunction stands behind the name, and the verb of a further request behind that."""
    for index in range(first + 1, line.size):
        at = index
        while at < line.size and (line.is_mark(at) or line.norm(at) in _GOES_ON):
            at += 1
        if index < at < line.size and lexicon.is_verb(line.tokens[at]):
            return index
    return line.size


def find_globs(line: Line) -> Iterator[Found]:
    """Yield a pattern of file names ("*.tmp", "IMG_*") as what to look for."""
    for index in range(line.size):
        if is_glob(line.raw(index)):
            yield Found(ValueKind.QUERY, index, index + 1, line.raw(index), 0.95, "glob")


def is_glob(text: str) -> bool:
    """Tell whether a token is a pattern of file names."""
    return "*" in text and len(text) > 1 and any(letter.isalpha() for letter in text)


def find_chunks(
    line: Line, lexicon: Lexicon, quoted: tuple[tuple[int, int], ...], starts: frozenset[int]
) -> Iterator[Found]:
    """Yield maximal runs of content words; a known verb that opens a clause (``starts``) is no part of one."""
    inside = covered(quoted)
    first: int | None = None
    for index in range(line.size + 1):
        joins = index < line.size and index not in inside and _in_chunk(line, index)
        opens = index in starts and index < line.size and lexicon.is_verb(line.tokens[index])
        if first is not None and (not joins or opens or index in starts):
            yield from _chunk(line, first, index)
            first = None
        if joins and not opens and first is None:
            first = index


def covered(stretches: tuple[tuple[int, int], ...]) -> frozenset[int]:
    """Return the tokens that ``stretches`` cover."""
    return frozenset(index for first, last in stretches for index in range(first, last))


def _in_chunk(line: Line, index: int) -> bool:
    word = line.norm(index)
    if "/" in word or word in _CUE_WORDS:
        return False
    return line.is_content(index) or word[:1].isdigit() or word == "&"


def _chunk(line: Line, first: int, last: int) -> Iterator[Found]:
    while first < last and digits(line.norm(first), line.language) is not None:
        first += 1
    if first == last:
        return
    value = line.slice(first, last)
    unit = last - first == 1 and line.norm(first) in TIME_UNITS
    for kind in (ValueKind.COLUMN,) if unit else (ValueKind.QUERY, ValueKind.TITLE, ValueKind.COLUMN):
        yield Found(kind, first, last, value, 0.5, "chunk")


def find_tails(
    line: Line,
    lexicon: Lexicon,
    boundaries: tuple[Boundary, ...],
    quoted: tuple[tuple[int, int], ...],
    places: frozenset[int] = frozenset(),
) -> Iterator[Found]:
    """Yield what follows a cue word, up to the next clause boundary, text or place, and up to the sentence's end.

    ``places`` are the tokens that lead to a known place: "called Bills in Documents".
    """
    inside = covered(quoted)
    stops = sorted(
        {boundary.left for boundary in boundaries if boundary.strength >= _PARTS} | set(_sayings(line, inside)) | places
    )
    seen = 0
    for index in range(line.size):
        length = 0 if index in inside else line.phrase(index, _CUES)
        if not length or seen >= _MOST_CUES:
            continue
        seen += 1
        yield from _tail(line, lexicon, index, length, stops)


def _sayings(line: Line, inside: frozenset[int]) -> Iterator[int]:
    """Where a title ends because a text begins: "called A saying B"."""
    return (at for at in range(1, line.size) if at not in inside and line.phrase(at, _SAYING))


def _tail(line: Line, lexicon: Lexicon, index: int, length: int, stops: list[int]) -> Iterator[Found]:
    first = index + length
    if line.norm(first) == ":":
        first += 1
    cue = line.words(index, length)
    base = 0.75 if _STRONG_CUES.intersection(cue.split()) else 0.5
    ends = [stop for stop in stops if stop > first][:2]
    seen = set()
    for step, stop in enumerate((*ends, line.size)):
        last = _trim_end(line, lexicon, first, stop)
        if last <= first or last in seen:
            continue
        seen.add(last)
        for kind in _TEXT_KINDS:
            yield Found(kind, first, last, line.slice(first, last), base - 0.05 * step, f"cue:{cue}")


def _trim_end(line: Line, lexicon: Lexicon, first: int, last: int) -> int:
    whole = last
    while last > first:
        if line.is_mark(last - 1) or line.norm(last - 1) in _COURTESY:
            last -= 1
        elif last - 2 > first and line.words(last - 2, 2) in _CLOSING:
            last -= 2
        else:
            break
    if all(line.norm(at) in _MANY for at in range(first, last)):  # "saying many thanks": that is what it says
        last = next((at for at in range(whole, first, -1) if not line.is_mark(at - 1)), first)
    ends = line.language == "de" and last - 1 > first and (last == line.size or line.is_mark(last))
    return last - 1 if ends and is_left(line.tokens, 0, (first, last), lexicon.parted) else last
