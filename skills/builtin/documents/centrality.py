"""The central sentences of a text, by LexRank: PageRank over the cosine similarity of tf-idf vectors.

Erkan and Radev, LexRank: Graph-based Lexical Centrality as Salience in Text Summarization, JAIR 22 (2004),
equation 2 with similarity weights and damping 0.85. Sentences too similar to a chosen one are passed over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

_DAMPING = 0.85
_MOST_SENTENCES = 800
_SAME = 0.7
_SHORT = frozenset(
    "e.g i.e etc vs mr mrs ms dr prof st no nr fig al inc ltd co z.b d.h usw bzw ca str ggf inkl evtl vgl abs art "
    "approx jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
_STOP = frozenset(
    "the a an and or but of to in on at for with from by is are was were be been it its this that these those as "
    "not no he she they we you i his her their our your has have had will would can could may do does did than "
    "then there which who what der die das ein eine einen einem einer und oder aber von zu zum zur im in am auf "
    "an für mit aus bei ist sind war waren wird werden es er sie wir ihr nicht kein keine als auch dass den dem "
    "des sich nach über wie hat haben so nur um".split()
)


def sentences(text: str) -> list[str]:
    """Return the sentences of running text, in order; headings, table rows and fragments are left out."""
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)", text):
        plain = re.sub(r"(\w)-\n(\w)", r"\1\2", paragraph)
        if "\t" in plain:
            continue
        found.extend(sentence for sentence in _split(" ".join(plain.split())) if _is_sentence(sentence))
    return found


def central(text: str, count: int) -> list[str]:
    """Return at most ``count`` of the most central sentences, in the order of the text."""
    found = sentences(text)[:_MOST_SENTENCES]
    if len(found) <= count:
        return found
    similar = _similarity(found)
    ranks = _ranks(similar)
    chosen: list[int] = []
    for at in sorted(range(len(found)), key=lambda at: (-ranks[at], at)):
        if all(similar[at][other] < _SAME for other in chosen):
            chosen.append(at)
        if len(chosen) == count:
            break
    return [found[at] for at in sorted(chosen)]


def language_of(text: str) -> str | None:
    """Return "en" or "de" by the function words of a text, None when it has too few."""
    words = Counter(re.findall(r"[a-zäöüß]+", text[:20_000].casefold()))
    english = sum(words[word] for word in ("the", "and", "of", "to", "is", "with", "for", "your", "this"))
    german = sum(words[word] for word in ("der", "die", "und", "das", "ist", "nicht", "mit", "für", "sie", "bis"))
    if max(english, german) < 3 or max(english, german) < 2 * min(english, german):
        return None
    return "en" if english > german else "de"


def _split(text: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    for match in re.finditer(r"[.!?…]+[\"'”’»)]*\s+(?=[\"'“„«(]*[A-ZÄÖÜ0-9])", text):
        before = text[start : match.start()].rsplit(maxsplit=1)[-1:] or [""]
        word = before[0].strip("(\"'“„").casefold()
        if match.group().startswith(".") and (word in _SHORT or re.fullmatch(r"\w|\d{1,2}", word)):
            continue
        pieces.append(text[start : match.end()].strip())
        start = match.end()
    return [*pieces, text[start:].strip()]


def _is_sentence(text: str) -> bool:
    words = re.findall(r"[^\W\d_]{2,}", text)
    return 4 <= len(words) <= 80 and text.rstrip("\"'”’»)")[-1:] in (".", "!", "?", "…")


def _terms(sentence: str) -> Counter[str]:
    words = re.findall(r"[^\W_]{2,}", sentence.casefold())
    return Counter(re.sub(r"(?<=\w{4})(?:en|es|s|n|e)$", "", word) for word in words if word not in _STOP)


def _similarity(found: Sequence[str]) -> Any:
    """Return the cosine similarities of the tf-idf vectors, float64 [n, n]."""
    import numpy

    terms = [_terms(sentence) for sentence in found]
    numbers = {word: at for at, word in enumerate(sorted({word for counts in terms for word in counts}))}
    vectors = numpy.zeros((len(found), max(1, len(numbers))))
    for at, counts in enumerate(terms):
        for word, times in counts.items():
            vectors[at, numbers[word]] = times
    rarity = numpy.log((1 + len(found)) / (1 + (vectors > 0).sum(axis=0))) + 1
    vectors *= rarity
    lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= numpy.where(lengths == 0, 1, lengths)
    return vectors @ vectors.T


def _ranks(similar: Any) -> Any:
    """Return the stationary distribution of the damped random walk, by at most 100 steps of power iteration."""
    import numpy

    count = len(similar)
    weights = similar.copy()
    numpy.fill_diagonal(weights, 0)
    sums = weights.sum(axis=1, keepdims=True)
    walk = numpy.where(sums > 0, weights / numpy.where(sums == 0, 1, sums), 1 / count)
    ranks = numpy.full(count, 1 / count)
    for _ in range(100):
        after = (1 - _DAMPING) / count + _DAMPING * (walk.T @ ranks)
        if numpy.abs(after - ranks).sum() < 1e-9:
            break
        ranks = after
    return ranks
