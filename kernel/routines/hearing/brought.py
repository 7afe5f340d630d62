"""The words of a rule that stand for what its trigger brings: "it", "the PDF", "its date", "ihr Datum", "daraus"."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language import Line
from kernel.language.amounts.numbers import ordinal_at
from kernel.routines.hearing.model import Words

_POINTERS = frozenset("it es er sie ihn ihm daraus draus davon daran dran damit dazu darin drin darüber".split())
_WHOSE = frozenset(
    "its ihr ihre ihren ihrem ihrer ihres sein seine seinen seinem seiner seines deren dessen it's".split()
)
_THE = frozenset(
    "the that this die der das den dem diese dieser dieses diesen diesem whatever whichever jene des "
    "dieselbe denselben dasselbe derselben demselben derselbe".split()
)
_ALONE = frozenset("das dies that this".split())
_OWN = frozenset("own eigene eigenen eigener eigenes".split())
_BETWEEN = frozenset("same new neue neuen neuer neues selbe selben gleiche gleichen".split())
_WHERE = frozenset("in inside under within im unter innerhalb".split())
_THINGS = frozenset("file datei mail email e-mail message nachricht thing document dokument".split())


def brought(line: Line, gone: frozenset[int], nouns: frozenset[str]) -> tuple[Words, ...]:
    """Return the stretches outside the tokens ``gone`` that stand for the thing; ``nouns`` are what it is called."""
    singular = {noun.removesuffix(ending) for noun in nouns for ending in ("s", "en", "n", "er")}
    return tuple(_found(line, gone, nouns | singular | _THINGS))


def is_owned(line: Line, stretch: Words) -> bool:
    """Tell whether a stretch names something of the thing ("its date") and not the thing."""
    return line.norm(stretch[0]) in _WHOSE


def is_written_to(line: Line, stretch: Words) -> bool:
    """Tell whether something is put into the very thing that a stretch names: "add a line to that same note"."""
    same = any(line.norm(at) in _VERY for at in range(*stretch))
    return same and line.norm(stretch[0] - 1) in _INTO


_VERY = frozenset("same selbe selben gleiche gleichen dieselbe denselben dasselbe derselben demselben".split())
_INTO = frozenset("to into in onto on an zu auf".split())


def _found(line: Line, gone: frozenset[int], nouns: frozenset[str]) -> Iterator[Words]:
    at = 0
    while at < line.size:
        length = 0 if at in gone else _at(line, at, nouns)
        if length:
            yield at, at + length
        at += max(length, 1)


def _at(line: Line, at: int, nouns: frozenset[str]) -> int:
    word = line.norm(at)
    if word in _WHOSE:
        noun = at + 1 + (ordinal_at(line, at + 1) is not None and line.is_content(at + 2))
        owned = line.is_content(noun) or ordinal_at(line, noun) is not None
        return noun + 1 - at if owned and line.norm(noun) not in _OWN else 0
    clitic = word == "'s" and line.language == "de" and line.is_content(at - 1)
    alone = word in _ALONE and not line.is_content(at + 1)
    if word in _POINTERS or clitic or alone:
        return 1
    if word not in _THE:
        return 0
    noun = at + 1 + (line.norm(at + 1) in _BETWEEN)
    inflected = line.lemma(noun) in nouns and line.norm(noun + 1) not in _WHERE  # "the files in Backup" are others
    return noun + 1 - at if line.norm(noun) in nouns or inflected else 0
