"""Deeds that a person gave a name: what planning asks of them, to put them in as steps (``kernel.macros.steps``)."""

from __future__ import annotations

from typing import Protocol

from kernel.context.dialogue import Dialogue
from kernel.model import Plan, Proposal, Question


class NamedDeeds(Protocol):
    """What a person has by a name, as it stands in the words of a request."""

    def called(self, words: str) -> str:
        """Return the name of the deed that the whole of ``words`` asks for; "" where they ask for none."""

    def mentioned(self, text: str) -> tuple[str, ...]:
        """Return the names of the deeds that stand as a clause in ``text``."""

    def apart(self, text: str) -> tuple[str, ...]:
        """Return the clauses of ``text`` in their order, a deed by its name alone; none where no such deed is in it."""

    def planned(self, words: str, language: str, around: Dialogue) -> Plan | Question | None:
        """Return the plan of the deed that ``words`` ask for, or what it has to be told; None where it has none."""

    def refusal(self, names: tuple[str, ...], language: str) -> Proposal:
        """Return that a sentence with these deeds among its clauses cannot be done."""
