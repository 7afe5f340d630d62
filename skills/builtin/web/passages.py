"""Where a text says something about given words: its lines, with the heading that they stand under."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from skills.sdk.words import fold

_WORD = re.compile(r"\w+")
_SURPLUS = frozenset(map(
    fold,
    "a an and about any are do does for from how i in is it its me my of on or please say says some that the their "
    "there they this to was what when where which who with you your auf aus bei das dem den der des die ein eine einen "
    "etwas für ich im in ist mir mit oder sie sind steht über um und von wann was wie wo zu zum zur".split(),
))  # fmt: skip
_ALIKE = 88.0
_LEAST_STEM = 4
_HALF = 0.5
MOST = 5
_LONGEST = 600
_FOLLOWING = 8


@dataclass(frozen=True, slots=True)
class Passage:
    """A place in a text: ``heading`` is what it stands under, ``share`` how many of the words it has (0..1)."""

    heading: str
    text: str
    share: float


def wanted(words: str) -> list[str]:
    """Return the words that are looked for, without what every sentence has."""
    every = _WORD.findall(fold(words))
    return [word for word in every if word not in _SURPLUS] or every


def passages(lines: Sequence[str], words: str) -> list[Passage]:
    """Return the places that have most of ``words``, the best first, at most ``MOST``; less than half is none."""
    looked_for = wanted(words)
    found: list[tuple[float, int, Passage]] = []
    heading, taken = "", -1
    for at, line in enumerate(lines):
        title = line.startswith("#")
        heading = line.lstrip("# ") if title else heading
        if at <= taken:
            continue
        share = _share(looked_for, line if title else f"{line} {heading if _share(looked_for, line) else ''}")
        if share >= _HALF and looked_for:
            taken, text = (_section(lines, at), "") if title else (at, line)
            text = text or "\n".join(lines[at + 1 : taken + 1])
            if text:
                found.append((-share, at, Passage(heading, _cut(text), share)))
    best = [one for _, _, one in sorted(found, key=lambda one: one[:2])]
    whole = [one for one in best if one.share == 1]
    return (whole or best)[:MOST]


def _section(lines: Sequence[str], at: int) -> int:
    """The last of the lines that stand under a heading, as far as they are shown."""
    end = at
    while end + 1 < len(lines) and end - at < _FOLLOWING and not lines[end + 1].startswith("#"):
        end += 1
    return end


def _share(looked_for: Sequence[str], text: str) -> float:
    there = set(_WORD.findall(fold(text)))
    return sum(any(_same(word, other) for other in there) for word in looked_for) / max(len(looked_for), 1)


def _same(word: str, other: str) -> bool:
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    if len(short) >= _LEAST_STEM and long.startswith(short) and len(long) - len(short) <= max(3, len(short) // 2):
        return True
    return len(short) > _LEAST_STEM and fuzz.ratio(word, other) >= _ALIKE


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
