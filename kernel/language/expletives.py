"""Pronouns that stand for nothing: "what does it say in a.pdf", "in welchem Dokument ging es um die Heizung"."""

from __future__ import annotations

from kernel.language.line import Line

_WHICH = frozenset("welchem welcher welchen".split())
_IN = frozenset("in im bei".split())
_PLACES = frozenset("in into inside from within of on under".split())
_POINTING = frozenset(
    "it this that these those them there es das dies dieses dieser diese diesem diesen ihm ihr ihnen denen".split()
)


def says_itself(line: Line, index: int) -> bool:
    """Tell whether "it" is whoever wrote: "what does it say in a.pdf", "where does it say"; alone it points."""
    if line.norm(index - 1) not in {"does", "did"} or line.norm(index + 1) not in {"say", "mention", "tell"}:
        return False
    asked, after = line.norm(index - 2), line.norm(index + 2)
    return after in _PLACES and not _points(line, index + 3) if asked == "what" else asked == "where"


def is_about_it(line: Line, index: int) -> bool:
    """Tell whether "es" is the subject of "worum ging es in a.pdf"; "worum ging es" alone points."""
    if line.norm(index - 1) not in {"ging", "handelt", "handelte"}:
        return False
    asks = any(line.norm(at) in _WHICH for at in range(max(0, index - 5), index))
    place = next((at for at in range(index + 1, line.size) if line.norm(at) in _IN), line.size)
    return asks or (place + 1 < line.size and not _points(line, place + 1))


def _points(line: Line, index: int) -> bool:
    return line.norm(index) in _POINTING or index >= line.size


def tells_the_time(line: Line, index: int) -> bool:
    """Tell whether "es" is the hour itself: "sag mir, wie spät es in Rom ist", "wie viel Uhr es gerade ist"."""
    asked = {line.words(index - 2, 2), line.words(index - 3, 3)}
    return not asked.isdisjoint({"wie spät", "wieviel uhr", "wie viel uhr"})
