"""Words behind a folder that take in everything below it: "Documents and its subfolders", "Musik samt Unterordnern"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kernel.language.line import Found, Line
from skills.model import ValueKind

DEEP = "deep"
"""The source of a folder that is meant with everything below it."""

SUBFOLDERS = frozenset(
    "subfolder subfolders subdirectory subdirectories unterordner unterordnern unterverzeichnis unterverzeichnisse "
    "unterverzeichnissen".split()
)
_JOINING = frozenset(
    "and with including incl plus und mit samt mitsamt inklusive inkl einschließlich sowie nebst".split()
)
_ALONE = frozenset("recursively rekursiv".split())
_BELOW = frozenset("below beneath underneath under darunter".split())
_BETWEEN = frozenset(
    "all of the its any every their everything in inside all allem alles alle allen aller den dessen deren seinen "
    "seiner ihren ihrer sämtliche sämtlichen".split()
)
_IT = frozenset("it that this".split())
_MOST_BETWEEN = 4


def deep(line: Line, found: Iterable[Found]) -> Iterator[Found]:
    """Yield the folders of ``found`` that such words follow, with these words."""
    for one in found:
        last = _end(line, one.last) if one.kind is ValueKind.FOLDER else one.last
        if last > one.last:
            yield replace(one, last=last, source=DEEP)


def _end(line: Line, start: int) -> int:
    """The end of the words at ``start`` that mean everything below; ``start`` when they do not."""
    at = start
    while line.norm(at) == "," or (line.norm(at) == "." and line.norm(at - 1) in {"incl", "inkl"}):
        at += 1
    if line.norm(at) in _ALONE:
        return at + 1
    if line.norm(at) not in _JOINING:
        return start
    behind = at + 1
    for at in range(behind, min(line.size, behind + _MOST_BETWEEN + 1)):
        if line.norm(at) in SUBFOLDERS:
            return at + 1
        if line.norm(at) in _BELOW and line.norm(at - 1) in {"everything", "all", "alles", "allem"}:
            return at + 2 if line.norm(at + 1) in _IT else at + 1
        if line.norm(at) not in _BETWEEN:
            return start
    return start
