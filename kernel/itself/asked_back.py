"""Questions with a list that the kernel itself asks (which run, whom): what the last was, which line a reply picks.

What this stops: that a refusal, or a word that only stands inside another one, picks anything: "no" is no "a note".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kernel.language.answer_words import calls_off, extreme_of, is_beside, place_named, refuses_all
from kernel.language.extremes import NEWEST, OLDEST
from kernel.language.function_words import NEGATIONS
from kernel.run import Run

_FILLING = frozenset(
    "the that this a an one i it der die das den dem diese dieser diesen dieses ein eine einen es".split()
)
_REFUSING = NEGATIONS["en"] | NEGATIONS["de"] | {"no", "nope", "nah", "nein", "nö", "nee"}


def pending(run: Run, key: str) -> dict[str, Any] | None:
    """Return what the last run of the conversation asked, where it asked a question of this kind, and its run."""
    earlier = [one for one in run.house.talk.runs(run.utterance.conversation) if one != run.id]
    for last in earlier[-1:]:
        for event in run.house.ledger.events(run=last, kinds=("run.asked",)):
            asked = (event.body or {}).get(key)
            if isinstance(asked, Mapping):
                return {**asked, "run": last}
    return None


def picked(text: str, lines: Sequence[str], *, newest_first: bool = False) -> int | None:
    """Return which of ``lines`` a reply picks: by its place, or by whole words that one of them alone has.

    Of lines that are ``newest_first`` also by "the latest" and "the oldest". None for a refusal, and for anything else.
    """
    words = plain(text).split()
    if any(word in _REFUSING or refuses_all(word) or calls_off(word) for word in words):
        return None
    telling = [word for word in words if word not in _FILLING and not is_beside(word)]
    if len(telling) == 1:
        at = _place(telling[0], len(lines), newest_first=newest_first)
        if at is not None:
            return at
    said = " ".join(telling)
    plains = [plain(line) for line in lines]
    fitting = [at for at, line in enumerate(plains) if said and f" {said} " in f" {line} "]
    whole = [at for at in fitting if plain(lines[at].partition(" (")[0]) == said]
    found = whole or fitting
    return found[0] if len(found) == 1 else None


def plain(text: str) -> str:
    """Return the words of a text, in small letters, without marks."""
    return " ".join(re.sub(r"[^\w\s]", " ", text.casefold()).split())


def _place(word: str, count: int, *, newest_first: bool) -> int | None:
    if newest_first and extreme_of(word) in (NEWEST, OLDEST):
        return 0 if extreme_of(word) == NEWEST else count - 1
    number = place_named(word)
    return number - 1 if 1 <= number <= count else None
