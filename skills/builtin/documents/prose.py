"""Values that stand in sentences: "The notice period is three months", "Die Kaltmiete beträgt 850,00 EUR".

A sentence states a value when the name stands before a verb of stating, with a few words between them at most. What
only mentions the name states nothing; the nearest such sentence is handed back, so that the answer can quote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skills.sdk.words import fold

from . import amounts
from .labels import Found, Sort

_STATES = (
    r"is|are|was|were|(?:will|would|shall)\s+be|has\s+been|amounts?\s+to|comes?\s+to|equals?|reads|runs\s+to|of|at|on"
    r"|ist|sind|war|wird|beträgt|betrug|betragen|beläuft\s+sich\s+auf|lautet|lauten|liegt\s+bei|endet\s+am|von|am|bis(?:\s+zum)?"
)
_BETWEEN = r"(?:[\s(]+(?!(?:is|are|ist|sind|beträgt|not|nicht|no|kein\w*)\b)[^\s.,;:!?]+){0,5}?"
_LEAD = re.compile(
    r"^(?:(?:set|fixed|agreed|currently|always|about|exactly|at|to|on|jeweils|derzeit|monatlich|festgesetzt|auf|am)\s+)+",
    re.I,
)
_ENDS = re.compile(r"[;!?]|,\s+(?:and|but|which|und|aber|wobei|die|der|das|sofern|if)\b|\.$|\s+\(")
_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[\"“„(]?[A-ZÄÖÜ0-9])|\n\s*\n|\n\s*[-*•]\s+|\n(?=\S+(?: \S+)*\s{2,})")
_ORDINAL = re.compile(r"\b(?:\d{1,2}|[Nn]r|[Nn]o|[Dd]r|[Ss]t|bzw|ca|inkl|incl|z\.B|d\.h)\.$")
_MOST = 120


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as one line of text, with its page and the line that it begins on, from 1."""

    text: str
    page: int
    line: int


def sentences(pages: Sequence[str]) -> Iterator[Sentence]:
    """Yield the sentences of all pages; a sentence may go over several lines, a blank line ends it."""
    for page, whole in enumerate(pages, start=1):
        start = 0
        for stop in (*(match.start() for match in _SENTENCE.finditer(whole)), len(whole)):
            piece = whole[start:stop]
            if stop < len(whole) and _ORDINAL.search(piece):
                continue
            text = " ".join(piece.split()).lstrip("-*• ")
            if text:
                at = start + len(piece) - len(piece.lstrip())
                yield Sentence(text, page, whole.count("\n", 0, at) + 1)
            start = stop


def stated(pages: Sequence[str], sort: Sort, day_first: bool) -> Found | None:
    """Return the value that a sentence states under one of the names of ``sort``, the surest name first."""
    every = list(sentences(pages))
    comma = amounts.writes_comma("\n".join(pages))
    for tier in sort.tiers:
        said = re.compile(
            rf"(?<![\w-])(?:{tier})(?:s|e|n|en)?(?![\w-]){_BETWEEN}\s+(?:{_STATES})\s+(?P<value>.+)", re.I
        )
        for sentence in every:
            match = said.search(sentence.text)
            if match and (found := _read(sentence, match["value"], sort, comma=comma, day_first=day_first)):
                return found
    return None


def nearest(pages: Sequence[str], asked: str) -> Sentence | None:
    """Return the sentence with most of the words asked for; None where none has any."""
    stems = [re.sub(r"(?<=\w{4})(?:en|es|s|n|e)$", "", word) for word in re.findall(r"\w{3,}", fold(asked))]
    best: tuple[int, Sentence] | None = None
    for sentence in sentences(pages):
        folded = fold(sentence.text)
        score = sum(1 for stem in stems if re.search(rf"(?<!\w){re.escape(stem)}", folded))
        if score and (best is None or score > best[0]):
            best = (score, sentence)
    return best[1] if best else None


def _read(sentence: Sentence, text: str, sort: Sort, *, comma: bool, day_first: bool) -> Found | None:
    cut = _ENDS.search(text)
    value = _LEAD.sub("", (text[: cut.start()] if cut else text).strip(' ."“”')).strip()
    moneys = [money for money in amounts.moneys(value, comma=comma) if money.strong]
    days = amounts.dates(value, day_first=day_first)
    money, day = moneys[0] if moneys else None, days[0] if days else None
    match sort.kind:
        case "money":
            said = money.text if money else ""
        case "date":
            said = day[1] if day else ""
        case "code" | "iban":
            said = (amounts.iban(value) if sort.kind == "iban" else amounts.code(value)) or ""
        case _:
            said = value if len(value) <= _MOST else ""
            money = money if len(moneys) == 1 else None  # "EUR 940 a month" is an amount too, two of them are none
    if not said:
        return None
    kept = sort.kind in ("date", "text")
    return Found(said, sentence.page, sentence.line, sentence.text[:_MOST], money, day[0] if day and kept else None)
