"""Words that mean all that was found, and words that put one thing beside another: "both", "it together with its name".

What the words point at is for whoever plans to say.
"""

from __future__ import annotations

from collections.abc import Sequence

from kernel.language.line import Phrases, phrases
from kernel.model import Token

EVERY = 6
"""As many results as anybody can mean with one word."""

_ONE_OR_MORE = frozenset(
    {
        "that", "this", "all that", "all this", "all of that", "all of this", "all of it", "it all", "everything",
        "all of them", "them all", "these", "those", "das", "dies", "das alles", "alles das", "all das", "dies alles",
        "das ganze", "alles",
    }
)  # fmt: skip
_TWO = frozenset(
    {"both", "them both", "both of them", "both of these", "beides", "das beides", "beide", "die beiden", "alle beide"}
)
_ALONE = phrases(
    "everything|it all|all of it|all of that|all of this|all that|all this|them both|alles|das alles|alles das",
    "all das|dies alles|das ganze|beides|das beides",
)
"""Those that are no words for one thing."""
_BESIDE = phrases(
    "together with|along with|as well as|zusammen mit|gemeinsam mit|and also|und auch|and|und|sowie|mitsamt|samt",
    "nebst|plus",
)
_FILE_NAMES = phrases(
    "the file 's name|the file name|the filename|the name of the file|its name|its filename|der name der datei",
    "den namen der datei|dem namen der datei|den dateinamen|dem dateinamen|ihren namen|ihrem namen",
)


def meant_by(words: Sequence[Token]) -> int:
    """Return how many results ``words`` may mean: ``EVERY`` for "that", 2 for "both", 1 for all other words."""
    said = " ".join(one.norm for one in words)
    return EVERY if said in _ONE_OR_MORE else 2 if said in _TWO else 1


def all_at(tokens: Sequence[Token], at: int, last: int) -> int:
    """Return where words for all that was found end which begin at ``at``; ``at`` where none do."""
    return _end(_ALONE, tokens, at, last)


def beside_at(tokens: Sequence[Token], at: int, last: int) -> int:
    """Return where words end that put beside what stands before ``at`` what follows; ``at`` where none do."""
    return _end(_BESIDE, tokens, at, last)


def file_name_at(tokens: Sequence[Token], at: int, last: int) -> int:
    """Return where words for what a file is called end which begin at ``at``; ``at`` where none do."""
    return _end(_FILE_NAMES, tokens, at, last)


def _end(known: Phrases, tokens: Sequence[Token], at: int, last: int) -> int:
    for phrase in known.get(tokens[at].norm, ()) if at < last else ():
        end = at + len(phrase)
        if end <= last and tuple(one.norm for one in tokens[at:end]) == phrase:
            return end
    return at
