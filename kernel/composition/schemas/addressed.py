"""A tool or a server called by its name: "use time to ...", "ask git for ...", "with the filesystem server, ...".

What this stops: that a request which says by whom it is to be done is done by another one.
What it does not: take an everyday word for a name, or what somebody wants written for an address. "With time" and
"ask memory" name nothing; a name needs a verb that turns to it and a word that hands it the request, or a noun such as
"server", or a way in which only tools are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from kernel.composition.scene import Scene, bits
from kernel.language.lemmas import is_known
from skills.model import Tool, ToolId

_TURNING = frozenset(
    "use ask let tell benutze nutze verwende nimm frag frage lass sag benutz verwend nutz mithilfe".split()
)
_WITH = frozenset("with via by through using mit über per durch mittels from of von vom".split())
_INSTRUMENTS = frozenset("using via mittels mithilfe".split())
_BESIDE = frozenset("with mit".split())
_HANDING = frozenset(
    "to for what which who where when how whether if about , : and that nach ob um für was welche wer wo wann wie dass "
    "zu damit zum zur von mir".split()
)
_SERVERS = frozenset("server tool skill plugin app service werkzeug dienst fähigkeit".split())
_IGNORED = frozenset({"mcp", "server", "tool", "tools"})
_ARTICLES = frozenset("the my our der die das den dem mein meinen meinem meine".split())
_OWN_TEXT = frozenset(": \" “ „ ” ' ‘ ‚ « » ( [".split())
"""What opens the words that somebody wants to have written or sent."""

_LONGEST = 6


@dataclass(frozen=True, slots=True)
class Address:
    """The tools that are meant, and the mask of the words that only say so."""

    tools: frozenset[ToolId]
    mask: int
    loose: bool = False
    """The name is a word of the language, which may mean what it says: "with time"."""


Names = Mapping[tuple[str, ...], frozenset[ToolId]]
"""The words of a name, as tokens without case, and the tools that it means."""


def names_of(tools: Iterable[Tool]) -> Names:
    """Return what servers and tools may be called."""
    found: dict[tuple[str, ...], set[ToolId]] = {}
    for tool in tools:
        short = [word for word in tool.skill.casefold().split("-") if word not in _IGNORED]
        names = [(tool.skill.casefold(),), (tool.function.casefold(),), tuple(short)]
        names += [("-".join([*short, noun]),) for noun in ("server", "mcp-server", "tool")]
        names += [tuple(tool.function.casefold().replace("-", "_").split("_"))]
        for name in filter(None, names):
            found.setdefault(name, set()).add(tool.id)
    return {name: frozenset(tools) for name, tools in found.items()}


def address_in(scene: Scene, names: Names) -> Address | None:
    """Return by whom the sentence wants to have it done; the longest name where several fit."""
    longest = min(_LONGEST, max(map(len, names), default=0))
    for length in range(longest, 0, -1):
        for at in range(scene.size - length + 1):
            words = tuple(token.norm for token in scene.tokens[at : at + length])
            tools = names.get(words)
            if not tools or scene.hard >> at & 1:
                continue
            mask = _mask(scene, at, at + length)
            if mask:
                return Address(tools, mask)
            beside = _beside(scene, at, at + length) if _is_of_a_skill(words, tools) else None
            if beside is not None:
                return replace(beside, tools=tools)
    return None


def _is_of_a_skill(words: tuple[str, ...], tools: frozenset[ToolId]) -> bool:
    """All that it means are tools of one skill, which is called so."""
    skills = {one.split(".")[0].casefold() for one in tools}
    pieces = {piece for one in skills for piece in re.split(r"\W+", one)}
    return len(skills) == 1 and set(words) <= pieces | skills


def _beside(scene: Scene, first: int, last: int) -> Address | None:
    """A plain word as the means by which something is done: "... using know", "with know, ...", "... mit know"."""
    by, end = _norm(scene, first - 1), _with_marks(scene, last)
    if by in {"von", "of"} and _norm(scene, first - 2) in {"mithilfe", "hilfe", "help", "means"}:
        first, by = first - 1, "mithilfe"
    if by not in _INSTRUMENTS | _BESIDE or not (end >= scene.size or (first - 1 == _opening(scene) and end > last)):
        return None
    return Address(frozenset(), bits(first - 1, end), loose=by in _BESIDE)


def _with_marks(scene: Scene, at: int) -> int:
    while at < scene.size and not scene.words[at]:
        at += 1
    return at


def _mask(scene: Scene, first: int, last: int) -> int:
    """The words around a name that turn to it, with the name; 0 where they do not."""
    end, server = _behind(scene, last)
    start = _before(scene, first)
    turning = _norm(scene, start)
    handed = _norm(scene, end) in _HANDING or end >= scene.size
    written = any(not letter.isalnum() for letter in scene.text(first, last)) and " " not in scene.text(first, last)
    named = server or written or not _is_everyday(scene, first, last)
    if turning in _TURNING and _opens(scene, start) and (named or handed):
        return _with_handing(scene, start, end)
    if turning in _WITH and named:
        return _with_handing(scene, start, end)
    if first == _opening(scene) and _norm(scene, end) == ":":
        return bits(first, end + 1)
    return 0


def _before(scene: Scene, first: int) -> int:
    at = first - 1
    while at >= 0 and scene.tokens[at].norm in _ARTICLES:
        at -= 1
    return at


def _behind(scene: Scene, last: int) -> tuple[int, bool]:
    """Where the request goes on, and whether a noun such as "server" stands behind the name."""
    at = last + (_norm(scene, last) in {"-", "mcp"})
    at += _norm(scene, at) == "mcp"
    return (at + 1, True) if _norm(scene, at) in _SERVERS else (last, False)


def _with_handing(scene: Scene, start: int, end: int) -> int:
    """The word that hands the request over belongs to the name: "ask git for", "nutze time, um"."""
    while end < scene.size and scene.tokens[end].norm in {",", ":", "um", "to", "for", "nach", "and", "für"}:
        end += 1
    return bits(start, end)


def _opening(scene: Scene) -> int:
    return scene.request_begins(scene.begin, scene.size)


def _is_everyday(scene: Scene, first: int, last: int) -> bool:
    """Words of the language, which may mean what they say."""
    return all(is_known(scene.tokens[at].norm, "en", "de") for at in range(first, last))


def _norm(scene: Scene, at: int) -> str:
    return scene.tokens[at].norm if 0 <= at < scene.size else ""


def _opens(scene: Scene, at: int) -> bool:
    """A verb that turns to somebody begins the request, or a clause of it, and no text of the person's own."""
    before = _norm(scene, at - 1)
    if at == _opening(scene) or before in {"and", "then", "und", "dann", "please", "bitte"}:
        return True
    return not before.isalnum() and before not in _OWN_TEXT
