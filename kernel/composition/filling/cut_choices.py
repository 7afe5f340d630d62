"""A text that begins in the middle of a choice: "number" of "Tom's phone number" is no value for a phone. And one that
is a choice and nothing else: "New York time" says in which zone a call is, and is not what it is called.

What this stops: that a shorter word for the same choice leaves the rest of a longer one over as a value.
What it does not: touch a text that begins behind the choice ("phone 0170 123").
"""

from __future__ import annotations

from kernel.composition.profiles.choice_phrases import ChoicePhrase
from kernel.composition.window import Filler, Window


def cuts_choice(window: Window, one: Filler) -> bool:
    """Tell whether words that mean a choice of this tool begin before the text and end in it."""
    starts = range(max(window.first, one.first - 2), one.first)
    return any(_runs_into(window, phrase, at, one) for at in starts for phrase in _phrases(window, at))


def is_a_choice(window: Window, one: Filler) -> bool:
    """Tell whether a text is the words of a choice of this tool, from the first to the last."""
    found = (phrase for phrase in _phrases(window, one.first) if len(phrase.words) == one.last - one.first)
    return any(_runs_into(window, phrase, one.first, one) for phrase in found)


def _phrases(window: Window, at: int) -> list[ChoicePhrase]:
    known = window.profile.phrases
    return [phrase for form in window.scene.forms[at] for phrase in known.get(form, ())]


def _runs_into(window: Window, phrase: ChoicePhrase, at: int, one: Filler) -> bool:
    if not one.first < at + len(phrase.words) <= one.last:
        return False
    return all(not words.isdisjoint(window.scene.forms[at + place]) for place, words in enumerate(phrase.words))
