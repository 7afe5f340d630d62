"""Searching the contents of documents for words, within a bound of time that is said when it ends the search."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from skills.sdk import Context, File, Passed, ToolError
from skills.sdk.spelling import spelled
from skills.sdk.words import fold

from . import reading

_MOST_SECONDS = 90.0
_MOST_DOCUMENTS = 5_000
_MOST_HITS = 50
_PER_DOCUMENT = 3
_EXCERPT = 160
_LIGHT = frozenset(
    "the a an of to in on at for with from by and or is are was my our your der die das ein eine von zu im am auf an "
    "für mit und oder ist sind mein meine den dem des".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """One page that has all of the words."""

    file: File
    page: int
    excerpt: str
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, best first, at most fifty; how many documents mention the words; the files that only have them in their
    name; how many documents were looked at, which could not be read, whether the search ended early, and which folders
    were passed over."""

    hits: tuple[Place, ...]
    mentioning: int
    named: tuple[File, ...]
    documents: int
    unread: tuple[File, ...]
    cut: bool
    passed: Passed


def search(ctx: Context, wanted: str, top: str) -> Found:
    """Search the documents below ``top``, the nearest first. Raises ToolError when no word is left to look for."""
    patterns = _patterns(wanted)
    is_late = ctx.patience(_MOST_SECONDS)
    hits: list[Place] = []
    named: list[File] = []
    unread: list[File] = []
    documents = mentioning = 0
    cut, passed = False, Passed()
    for file in ctx.scan(top, caches=False, near=True, passed=passed):
        if all(pattern.search(file.name) for pattern in patterns):
            named.append(file)
        if file.suffix not in reading.SUFFIXES:
            continue
        if documents == _MOST_DOCUMENTS or is_late():
            cut = True
            break
        documents += 1
        ctx.progress(None, file.name)
        try:
            places = _places(ctx, file, patterns, wanted)
        except ToolError:  # damaged, protected or scanned: named
            unread.append(file)
            continue
        hits.extend(places)
        mentioning += bool(places)
    hits.sort(key=lambda hit: (-hit.score, hit.file.path, hit.page))
    inside = {hit.file.path for hit in hits}
    only_named = tuple(file for file in named if file.path not in inside)
    return Found(tuple(hits[:_MOST_HITS]), mentioning, only_named, documents, tuple(unread), cut, passed)


def line(hit: Place, ctx: Context) -> str:
    """Return a hit as one line of an answer."""
    page = f"Seite {hit.page}" if ctx.language == "de" else f"page {hit.page}"
    return f"- {ctx.shown(hit.file)}, {page}: {hit.excerpt}"


def _patterns(wanted: str) -> list[re.Pattern[str]]:
    """Return a pattern for each word that matters; a word also matches with another ending."""
    every = re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", fold(wanted))
    kept = [word for word in every if word not in _LIGHT] or every
    if not kept:
        raise ToolError(
            "There is no word to search for.",
            hint="Say what to look for.",
            code="documents.no-words",
            de="Es gibt kein Wort, nach dem ich suchen könnte.",
            de_hint="Sag, wonach ich suchen soll.",
        )
    return [re.compile(rf"(?<![^\W_]){spelled(_stem(word))}", re.I) for word in kept]


def _stem(word: str) -> str:
    return re.sub(r"(?<=\w{4})(?:en|es|s|n|e)$", "", word)


def _places(ctx: Context, file: File, patterns: list[re.Pattern[str]], wanted: str) -> list[Place]:
    document = reading.load(ctx, file)
    found = []
    phrase = re.compile(r"\s".join(map(spelled, wanted.split())), re.I)
    for number, text in enumerate(document.pages, start=1):
        flat = " ".join(unicodedata.normalize("NFC", text).split())
        firsts = [pattern.search(flat) for pattern in patterns]
        if any(first is None for first in firsts):
            continue
        starts = [first.start() for first in firsts if first]
        whole = phrase.search(flat)
        at = whole.start() if whole else -1
        spread = max(starts) - min(starts)
        score = (
            (100.0 if at >= 0 else 0.0)
            + 50.0 / (1 + spread / 50)
            + min(20, sum(len(p.findall(flat)) for p in patterns))
        )
        found.append(Place(file, number, _excerpt(flat, at if at >= 0 else min(starts)), score))
    return sorted(found, key=lambda hit: -hit.score)[:_PER_DOCUMENT]


def _excerpt(text: str, at: int) -> str:
    start = max(0, at - _EXCERPT // 3)
    start = text.rfind(" ", 0, start + 1) + 1 if start else 0
    end = min(len(text), start + _EXCERPT)
    end = text.rfind(" ", start, end) if end < len(text) and " " in text[start:end] else end
    return f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"
