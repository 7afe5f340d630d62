"""What a tool does with steps beside having them done: go through a list, and ask whether something holds.

As in a plan: an item for which a step that only reads could not be done is left out by name, and what is not done
because a condition does not hold is said.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from permissions.egress import Line
from skills.branches import HOLDS, MOST_ITEMS, NOTHING, OF_ONE_ITEM, items_in, left_out, not_done
from skills.sdk.asks import Asks, Called, Calls, Doors, Part, no_calls
from skills.sdk.errors import ErrorWords, ToolError

_too_many = ErrorWords(
    "tool.items",
    "There are {count}, and at most {most} can be done one by one.",
    "Ask for fewer at once, for example for one folder or one month.",
    "Es sind {count}, und höchstens {most} gehen einzeln.",
    "Verlange weniger auf einmal, zum Beispiel einen Ordner oder einen Monat.",
)


class Branching(Asks, ABC):
    """The part of a context that branches and repeats."""

    def __init__(self, line: Line | None, calls: Calls | None, doors: Doors | None = None) -> None:
        super().__init__(line, calls, doors)
        self._left_out: list[ToolError] = []

    @abstractmethod
    def say(self, en: str, **other_languages: str) -> None:
        """Say a sentence to the person."""

    def items(self, found: Called) -> Iterator[Called]:
        """Yield what a step gave back one by one; say what was left out of it. Raises ToolError where all was."""
        items = items_in(found.value)
        if len(items) > MOST_ITEMS:
            raise _too_many(count=len(items), most=MOST_ITEMS)
        if not items:
            self.say(**NOTHING)
        before = len(self._left_out)
        for item in items:
            yield Called(item, "")
        left = self._left_out[before:]
        if left and len(left) == len(items):
            raise left[0]
        if left:
            why = {language: [one.words(language)[0] for one in left] for language in ("en", "de")}
            self.say(**{language: left_out(said, len(items), language) for language, said in why.items()})

    def leave_out(self, error: ToolError) -> None:
        """Leave out the item that a step failed for; raise ``error`` where it is about more than that item."""
        if not error.code.startswith(OF_ONE_ITEM):
            raise error
        self._left_out.append(error)

    def holds(
        self, of: Called | Part, measure: str, comparison: str, value: Any, *, en: str = "", **other: str
    ) -> bool:
        """Tell whether something holds of what a step gave back, as a plan decides it.

        ``measure`` is ``count`` (how many there are) or ``value`` (what it is); ``comparison`` one of ``= != < <= > >=
        contains lacks``. What is to hold stands in ``en`` and in other languages ("step 1 finds more than 3"): where it
        does not, that is said. Raises ToolError where it cannot be told.
        """
        if self._calls is None:
            raise no_calls(HOLDS)
        given = {"of": of if isinstance(of, Part) else of.part(), "measure": measure, "comparison": comparison,
                 "value": value}  # fmt: skip
        decided = self._calls(HOLDS, given, step=True)
        if not decided.value:
            says = {"en": en, **other}
            self.say(**{language: not_done(words, decided.answer, language) for language, words in says.items()})
        return bool(decided.value)
