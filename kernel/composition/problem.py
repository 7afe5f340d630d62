"""What is wrong with a plan: in words for whoever made it, and of which kind, for whoever is told about it."""

from __future__ import annotations

from enum import StrEnum


class Flaw(StrEnum):
    """A kind of problem that can be told in other words, and in another language."""

    TOOL = "tool"  # what: a tool that is not there
    PARAMETER = "parameter"  # what: something that the tool does not take
    LACKING = "lacking"  # what: something that the tool needs
    EMPTY = "empty"
    MANY = "many"  # what: so many tasks
    SAID = "said"  # something that the person did not say is taken for said
    RESULT = "result"  # a result that is not there
    RULE = "rule"  # what: a rule that cannot be kept
    LATER = "later"
    FORM = "form"


class Problem(str):
    """The words, with the kind of problem, what it is about, and the tool in question ("" where there is none)."""

    __slots__ = ("flaw", "tool", "what")
    flaw: Flaw
    what: str
    tool: str

    def __new__(cls, words: str, flaw: Flaw, what: str = "", tool: str = "") -> Problem:
        """Make one of ``words``."""
        made = super().__new__(cls, words)
        made.flaw, made.what, made.tool = flaw, what, tool
        return made
