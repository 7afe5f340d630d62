"""A routine changed in words: "make it nine", said after it was kept; "change the routine tidy-up to Fridays at 17:00".

The new words take the place of its trigger, or of its time of day, in the rule as it was said, which is heard and
planned anew; what is to be done has to come out as before. What comes of it is shown and asked about like any rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kernel.language import Line
from kernel.routines.hearing import Heard
from kernel.routines.hearing.when.hours import clocks_at
from kernel.routines.other_contents import other_contents
from kernel.routines.routine import Routine
from kernel.run import Run

_FLAGS = re.IGNORECASE
_NAMED = (
    re.compile(r"(?:please )?(?:change|edit|move|set|put|make) (?:the |my )?(?:routine|rule) "
               r"[\"“']?(?P<name>[\w-]+)[\"”']?(?: to| into| so that it is)? (?P<words>.+)", _FLAGS),
    re.compile(r"(?:bitte )?(?:änder[en]?|setz|stell|verschieb|leg|mach)e? (?:die |meine )?(?:routine|regel) "
               r"[\"„']?(?P<name>[\w-]+)[\"“']?(?: auf| zu| in)? (?P<words>.+?)(?: um| ab)?", _FLAGS),
)  # fmt: skip
_FOLLOWING = (
    re.compile(r"(?:(?:no|nope|actually|hm+|sorry),? )?(?:please )?(?:make|change|set|move) (?:it|that|this)(?: to)? "
               r"(?P<words>.+?)(?: instead)?(?: please)?", _FLAGS),
    re.compile(r"(?:(?:no|nope|actually|sorry),? )?(?:rather|better) (?P<words>.+)", _FLAGS),
    re.compile(r"(?:(?:no|nope|actually|sorry),? )?(?P<words>.+?) instead(?: please)?", _FLAGS),
    re.compile(r"(?:(?:nein|ne|nee|ach|sorry),? )?(?:bitte )?(?:mach|änder|stell|leg|verschieb)e? (?:es|das|sie|'s)"
               r"(?: bitte| lieber| doch)*(?: auf| zu)? (?P<words>.+?)(?: draus| daraus| bitte)?", _FLAGS),
    re.compile(r"(?:(?:nein|ne|nee|ach),? )?(?:bitte )?mache? (?P<words>.+?) (?:draus|daraus)(?: bitte)?", _FLAGS),
    re.compile(r"(?:(?:nein|ne|nee|ach),? )?(?:doch )?(?:lieber|besser) (?P<words>.+)", _FLAGS),
    re.compile(r"(?:no|nope|nein|ne|nee),? (?P<words>.+)", _FLAGS),
    re.compile(r"(?P<words>(?:but |aber )?(?:only|not|never|at most|nur|nicht|nie|höchstens|maximal) .+)", _FLAGS),
)  # fmt: skip
_BUT = re.compile(r"^(?:but|aber) ", _FLAGS)
_MOST_WORDS = 16


@dataclass(frozen=True, slots=True)
class Wish:
    """Which routine is to be changed, and the words that say how. ``sure``: the routine was named."""

    routine: Routine
    words: str
    sure: bool


def wish(run: Run) -> Wish | None:
    """Return what the sentence of ``run`` wants changed of a routine; None where it wants none changed."""
    text = run.utterance.text.strip().rstrip(".!")
    routines = run.house.routines
    for pattern in _NAMED:
        found = pattern.fullmatch(text)
        named = routines.get(found["name"].casefold()) if found else None
        if found and named is not None:
            return Wish(named, found["words"], sure=True)
    if len(text.split()) > _MOST_WORDS:
        return None
    talk = run.house.talk
    earlier = [one for one in talk.runs(run.utterance.conversation) if one != run.id]
    kept = routines.kept_by(earlier[-1]) if earlier else ()
    found = next((one for pattern in _FOLLOWING if (one := pattern.fullmatch(text))), None)
    return Wish(kept[0], found["words"], sure=False) if kept and found else None


def rewordings(line: Line, heard: Heard, words: str) -> Iterator[str]:
    """Yield the rule of ``line`` with ``words`` for its trigger, for the days of it, for its time of day, and for what
    it asks of a file's contents; and the rule with ``words`` behind it, for what is to keep it still.
    """
    times = list(_times(line, heard))
    for one in (words, *(f"{words} {line.slice(*time)}" for time in times)):
        yield _with(line, heard.words[0], one)
    for time in times:
        yield _with(line, time, words)
        yield _with(line, time, f"um {words}" if line.language == "de" else f"at {words}")
    yield from other_contents(line, heard, words)
    yield f"{line.text.rstrip(' .!')}, {_BUT.sub('', words)}"


def _with(line: Line, stretch: tuple[int, int], words: str) -> str:
    start, end = line.tokens[stretch[0]].start, line.tokens[stretch[1] - 1].end
    return f"{line.text[:start]}{words}{line.text[end:]}"


def _times(line: Line, heard: Heard) -> Iterator[tuple[int, int]]:
    for first, last in heard.words:
        at = first
        while at < last:
            piece = clocks_at(line, at)
            if piece is not None:
                yield piece.first, piece.last
            at = max(piece.last if piece is not None else 0, at + 1)
