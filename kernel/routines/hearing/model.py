"""The nouns of hearing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kernel.language import Line
from kernel.routines.model import About, Limit, Trigger

Words = tuple[int, int]
"""A stretch of tokens [first, last)."""


class Lack(StrEnum):
    """Why the words of a trigger are unclear."""

    TIME_OF_DAY = "time of day"  # "every weekday": at what time?
    WHICH_DAY = "which day"  # "every month at nine": on which day of it?
    HOW_OFTEN = "how often"  # "sometimes", "bald mal"
    TOO_OFTEN = "too often"  # "every five seconds"
    CRON = "cron"  # a line of cron that no rule says: which field
    NO_SUCH_DAY = "no such day"  # "every 31st of February"
    NO_SUCH_TIME = "no such time"  # "at 25 o'clock"
    WHOSE_TIME = "whose time"  # "tomorrow at nine show my tasks": those of tomorrow, or then?
    PAST = "past"  # "once, on 1 March" in April
    NEVER = "never"  # two conditions that cannot both hold
    NO_SUCH_FOLDER = "no such folder"
    WHAT_HAPPENS = "what happens"  # "whenever something happens"
    HOW_MUCH = "how much"  # "when the battery gets low": below what? "before every meeting": how long?
    WHICH_FOLDER = "which folder"  # several are called so
    WHICH_MAILS = "which mails"  # "when an important mail comes": only a person can tell which those are
    WHO = "who"  # "forward it to him": a person nobody named
    WHICH_FILE = "which file"  # "when the table in Finance changes": several lie there
    UNKNOWN = "unknown"  # an exception or a happening that nobody here knows of ("except on bank holidays", "it rains")
    NOT_NOTICED = "not noticed"  # "when my neighbour comes home": nothing on this machine tells of it
    SETS_ITSELF_OFF = "sets itself off"
    MOVES_AND_STAYS = "moves and stays"  # "move it to Backup, but it is to stay in Downloads, too"


@dataclass(frozen=True, slots=True)
class Heard:
    """A trigger, the stretches of words that say it, and what limits it. ``brings`` are words for what it brings.

    ``brings``: stretches beside the trigger's own words that name the thing it brings ("the PDF", "it").
    ``such``: what has to be so of that thing, each with what was said of it. ``told``: stretches around the rule that
    ask for nothing.
    """

    trigger: Trigger
    words: tuple[Words, ...]
    limits: tuple[tuple[Limit, float], ...] = ()
    brings: tuple[Words, ...] = field(default=())
    such: tuple[tuple[About, str], ...] = field(default=())
    told: tuple[Words, ...] = field(default=())

    @property
    def gone(self) -> tuple[Words, ...]:
        """What is left out of the request: the words of the trigger, and what only is told."""
        return (*self.words, *self.told)


@dataclass(frozen=True, slots=True)
class Unclear:
    """Words that are meant as a trigger and say too little, or too much: why, and which words."""

    why: Lack
    words: tuple[Words, ...]
    about: str = ""  # what of them: a folder's name, an exception


def meets(one: Words, others: Iterable[Words]) -> bool:
    """Tell whether a stretch has a word with one of ``others`` in common."""
    return any(one[0] < last and first < one[1] for first, last in others)


def left_of(line: Line, words: Sequence[Words], instead: Mapping[Words, str] | None = None) -> str:
    """Return the sentence without these stretches, and without the commas and joints that they leave at its edges.

    ``instead`` are other words for some stretches that stay.
    """
    other = {first: (last, text) for (first, last), text in (instead or {}).items()}
    gone = {at for first, last in words for at in range(first, last)}
    kept = [at for at in range(line.size) if at not in gone]
    kept = [at for step, at in enumerate(kept) if line.norm(at) != "," or not step or line.norm(kept[step - 1]) != ","]
    kept = [at for step, at in enumerate(kept) if line.norm(at) != "," or not _ends(line, kept[step + 1 : step + 2])]
    while kept and (line.norm(kept[0]) in _JOINTS or line.is_mark(kept[0])):
        kept.pop(0)
    while kept and (line.norm(kept[-1]) in _LOOSE_ENDS or line.is_mark(kept[-1])):
        kept.pop()
    parts: list[str] = []
    for step, at in enumerate(kept):
        follows = step and kept[step - 1] == at - 1
        gap = (
            line.text[line.tokens[at - 1].end : line.tokens[at].start]
            if follows
            else " "
            if step and not line.is_mark(at)
            else ""
        )
        if at in other:
            parts.append(gap + other[at][1])
        elif not any(first < at < last for first, (last, _) in other.items()):
            parts.append(gap + line.raw(at))
    return "".join(parts)


def _ends(line: Line, following: list[int]) -> bool:
    return any(line.norm(at) in {".", "!", "?"} for at in following)


_LOOSE_ENDS = frozenset("and und but aber , - –".split())
_JOINTS = frozenset("and then und dann , - – — -- = == > → ⇒ ➔ ➜ ⟶ so also always immer stets".split())
