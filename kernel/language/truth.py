"""Yes and no."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language.line import Found, Line
from skills.model import ValueKind

_WORDS = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}
_WORDS |= {"ja": True, "nein": False, "wahr": True, "falsch": False, "yep": True, "nope": False}
_ALONE = frozenset("on off".split())


def find_booleans(line: Line) -> Iterator[Found]:
    """Yield BOOLEAN; "on" and "off" only at the end of a sentence."""
    for index in range(line.size):
        value = _WORDS.get(line.norm(index))
        last = index + 1 >= line.size or line.norm(index + 1)[:1] in ".!?,;"
        if value is None or (line.norm(index) in _ALONE and not last):
            continue
        yield Found(ValueKind.BOOLEAN, index, index + 1, value, _confidence(line.norm(index), last), "grammar.truth")


def _confidence(word: str, last: bool) -> float:
    return 0.45 if word in _ALONE else 0.8 if last else 0.3
