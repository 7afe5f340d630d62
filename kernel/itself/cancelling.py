"""Calling off: "never mind" while a card waits means that card, and what it asked for is not done.

What this stops: that a deletion stays one click away after it was called off in words, and that a sentence which calls
something off is taken for a request that nobody understands.
What it does not: stop a run that works already, or take back what was done; that is ``undoing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel.itself.record import one_line, request_words

if TYPE_CHECKING:
    from kernel.house import House

_LONGEST = 120


def waiting_in(house: House, conversation: str) -> tuple[str, ...]:
    """Return the runs of ``conversation`` that wait for a person's answer, oldest first."""
    return tuple(run for run in house.talk.runs(conversation) if run in house.waiting and not house.waiting[run].done())


def call_off(house: House, conversation: str, language: str) -> tuple[str, str]:
    """Answer no for the last run of ``conversation`` that waits; return that run, "" for none, and what to say."""
    words = _WORDS.get(language, _WORDS["en"])
    runs = waiting_in(house, conversation)
    if not runs:
        return "", words["none"] + _undoable(house, conversation, words)
    *others, last = runs
    said = words["done"].format(text=_sentence(house, last))
    said += "".join(words["others"].format(text=_sentence(house, one)) for one in others)
    house.waiting[last].set_result("no")
    return last, said


def _undoable(house: House, conversation: str, words: dict[str, str]) -> str:
    """What was done already is not called off, but can be taken back."""
    done = next((run for run in reversed(house.talk.runs(conversation)) if run in house.with_effects), None)
    return words["undo"].format(text=_sentence(house, done)) if done is not None else ""


def _sentence(house: House, run: str) -> str:
    return one_line(request_words(house.ledger, run), _LONGEST)


_WORDS = {
    "en": {
        "done": "All right, “{text}” is called off; nothing was changed.",
        "others": " “{text}” still waits for your answer.",
        "none": "Nothing waits for an answer here, so there is nothing to call off.",
        "undo": " To take back “{text}”, say “undo that”.",
    },
    "de": {
        "done": "Gut, „{text}“ ist abgebrochen; es wurde nichts geändert.",
        "others": " „{text}“ wartet noch auf eine Antwort.",
        "none": "Hier wartet nichts auf eine Antwort, also gibt es nichts abzubrechen.",
        "undo": " Um „{text}“ zurückzunehmen, sag „mach das rückgängig“.",
    },
}
