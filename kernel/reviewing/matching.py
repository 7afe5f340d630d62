"""Whether evidence has what a claim says: every number, every name, every path, every quoted word of it.

What this stops: a model's "supported" for a sum, a person or a file that the evidence does not have.
What it does not: understand either. A claim without any of these is believed as far as the model is; one in other words
or other units than the evidence is doubted, which says "cannot tell" and no more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from decimal import Decimal, InvalidOperation

from kernel.language.time.calendar_words import MONTHS, SHORT_MONTHS, SHORT_WEEKDAYS, WEEKDAYS

_QUOTED = re.compile(r"“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|»([^«]+)«|\"([^\"]+)\"|`([^`]+)`")
_PATH = re.compile(r"(?<![\w.])(?:~/|/(?=[\w.]))[^\s,;:\"'”“„)]*")
_FILE = re.compile(r"(?<![\w./~-])[\w][\w.+-]*\.[A-Za-z][A-Za-z0-9]{1,4}(?![\w])")
_NUMBER = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)*)(?:\s?([kKMGTP]i?)?B\b)?")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_LISTED = re.compile(r"^\s*(?:\d{1,3}[.)]|[-•*–])\s+")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SCALES = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15,
           "ki": 2**10, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}  # fmt: skip
_CALENDAR = frozenset({*MONTHS, *SHORT_MONTHS, *WEEKDAYS, *SHORT_WEEKDAYS})


def lacking(claim: str, evidence: str, counts: Collection[int], *, home: str, german: bool) -> tuple[str, ...]:
    """Return the parts of ``claim`` that ``evidence`` does not have; ``counts`` are the lengths of its lists."""
    said, there = claim.replace(home, "~"), _plain(evidence)
    words, rest = _words(_LISTED.sub("", said), german=german)
    gone = [word for word in words if not _has(there, _plain(word))]
    claimed = list(_NUMBER.finditer(rest))
    numbers = _numbers_in(there) | {Decimal(one) for one in counts} if claimed else set()
    gone += [match[0].strip() for match in claimed if not _is_there(match, numbers)]
    return tuple(dict.fromkeys(gone))


def _words(text: str, *, german: bool) -> tuple[list[str], str]:
    """Return what is quoted, paths, files and names; and what is left of ``text`` without the first three."""
    found: list[str] = []
    for pattern in (_QUOTED, _PATH, _FILE):
        found += [next((part for part in match.groups() if part), match[0]) for match in pattern.finditer(text)]
        text = pattern.sub(" ", text)
    paths = [word.rstrip(".!?…/") for word in found]
    return [word for word in [*paths, *_names(text, german=german)] if word], text


def _names(text: str, *, german: bool) -> Iterator[str]:
    """Yield words that name somebody or something: a capital within a sentence; in German two of them side by side."""
    words = list(_WORD.finditer(text))
    for at, match in enumerate(words):
        word = match[0]
        if at == 0 or not word[0].isupper() or len(word) < 2 or word.casefold() in _CALENDAR:
            continue
        if not german or _is_pair(text, words, at):
            yield word


def _is_pair(text: str, words: list[re.Match[str]], at: int) -> bool:
    """Tell whether the word stands beside another one with a capital, with nothing but a blank between."""
    sides = [(at - 1, at)] if at > 1 else []
    sides += [(at, at + 1)] if at + 1 < len(words) else []
    names = ((words[one], words[other]) for one, other in sides)
    return any(
        one[0][0].isupper() and other[0][0].isupper() and text[one.end() : other.start()] == " " for one, other in names
    )


def _plain(text: str) -> str:
    return " ".join(text.replace("\\n", " ").replace('\\"', '"').split()).casefold()


def _has(there: str, word: str) -> bool:
    """Tell whether ``word`` stands in the evidence as a whole, and not within another one."""
    at = there.find(word)
    while at >= 0:
        before, behind = there[at - 1 : at], there[at + len(word) : at + len(word) + 1]
        if not (before and (before.isalnum() or before in "_.-")) and not (
            behind and (behind.isalnum() or behind == "_")
        ):
            return True
        at = there.find(word, at + 1)
    return False


def _numbers_in(text: str) -> set[Decimal]:
    found: set[Decimal] = set()
    for match in _DIGITS.finditer(text):
        found.update(value for value, _ in _readings(match[0]))
        found.update(Decimal(part) for part in re.split(r"[.,]", match[0]))
    return found


def _readings(text: str) -> Iterator[tuple[Decimal, int]]:
    """Yield what a number may be in English or German, with how many places behind the point it has."""
    for thousands, point in ((",", "."), (".", ",")):
        plain = text.replace(thousands, "").replace(point, ".")
        try:
            yield Decimal(plain), len(plain.partition(".")[2])
        except InvalidOperation:
            continue


def _is_there(said: re.Match[str], numbers: Collection[Decimal]) -> bool:
    """Tell whether a number of a claim is among those of the evidence; one of bytes may be rounded, as written."""
    unit = said[2] or ""
    scale = _SCALES.get(unit, 1)
    for value, places in _readings(said[1]):
        if value * scale in numbers:
            return True
        slack = Decimal(scale) / (10**places) / 2
        if (unit or places) and any(abs(value * scale - one) <= slack for one in numbers):
            return True
    return False
