"""Macros as steps of other requests: each is its frozen plan, put in where its name stands as a clause.

What this stops: a macro's step by tools that changed since it was kept, or whose words mean nothing today.
What it does not: decide rights. The whole plan is authorized for whoever asks, as any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.macros import requests
from kernel.macros.filling import asked_for, filled
from kernel.macros.guards import changed
from kernel.macros.model import Called, Macro
from kernel.macros.sayings import say
from kernel.macros.told_in_words import with_values
from kernel.model import Decline, Plan, Question, Utterance
from kernel.routines.moving import CannotTell, moved

if TYPE_CHECKING:
    from kernel.house import House


@dataclass(frozen=True, slots=True)
class MacroSteps:
    """The macros of a house, as they may stand in what is said as ``utterance`` (``kernel.context.named``)."""

    house: House
    utterance: Utterance
    macros: tuple[Macro, ...]

    def called(self, words: str) -> str:
        """Return the name of the macro that the whole of ``words`` asks for; "" where they ask for none."""
        found = self._asked(words)
        return found.name if found is not None else ""

    def mentioned(self, text: str) -> tuple[str, ...]:
        """Return the names of the macros that stand as a clause in ``text``."""
        return tuple(one.name for one in requests.mentioned(text, self.macros, self._find))

    def apart(self, text: str) -> tuple[str, ...]:
        """Return the clauses of ``text`` in their order, a macro by its name alone; none where there is none."""
        return requests.apart(text, self.macros, self._find)

    def planned(self, words: str, language: str, around: Dialogue) -> Plan | Question | None:
        """Return the frozen plan that ``words`` ask for, or the question for the one value that it is told.

        None where its tools have changed, where its words mean nothing today, or where it has to be told more.
        """
        asked, registry = self._asked(words), self.house.registry
        macro = self.house.macros.get(asked.name) if asked is not None else None
        if asked is None or macro is None or changed(macro.plan, macro.guards, registry):
            return None
        if len(macro.parameters) > len(asked.given) + 1:
            return None
        try:
            plan = moved(macro.plan, macro.language, macro.made, self.utterance.now, registry.tool)
        except CannotTell:
            return None
        plan = filled(macro, plan, asked.given)
        found = asked_for(macro, plan, registry.tool, around.home)
        steps = {"steps": [{"name": macro.name, "key": macro.key}]}
        if isinstance(found, Question):
            draft = replace(found.draft, language=language, score=1.0, why=steps)
            return replace(found, draft=draft, settled=1.0)
        return replace(found, language=language, score=1.0, why=steps)

    def _asked(self, words: str) -> Called | None:
        """Return the macro that the whole of ``words`` asks for, with what they tell it."""
        found = requests.macro_in(words, self.macros)
        return (
            Called(found.name, "words", {})
            if found is not None
            else with_values(self.house, replace(self.utterance, text=words), self.macros)
        )

    def _find(self, words: str, _: Sequence[Macro]) -> Macro | None:
        asked = self._asked(words)
        return self.house.macros.get(asked.name) if asked is not None else None

    def refusal(self, names: tuple[str, ...], language: str) -> Decline:
        """Return that a sentence with these macros among its clauses cannot be done, and why where that is known."""
        for one in self.macros:
            other = changed(one.plan, one.guards, self.house.registry) if one.name in names else ()
            if other:
                return Decline(say(language, "step changed", name=one.name, tools=", ".join(other)), unclear=one.name)
            if one.name in names and len(one.parameters) > 1:
                told = ", ".join(each.name for each in one.parameters)
                return Decline(say(language, "step told", name=one.name, words=told), unclear=one.name)
        return Decline(say(language, "no step", name="”, “".join(names)), unclear=names[0])


def with_steps(mind: Mind, house: House, said: Utterance) -> Mind:
    """Return ``mind`` with the macros of ``house`` as steps; a program has none by their words."""
    macros = house.macros.every()
    return mind if said.client or not macros else replace(mind, named=MacroSteps(house, said, macros))
