"""The one error that a tool raises on purpose."""

from __future__ import annotations


class ToolError(Exception):
    """A tool could not do what was asked: what happened and to whom, and what to do now.

    The first text and ``hint`` are English; other languages come as ``de="..."`` and ``de_hint="..."``. ``code`` is a
    stable dotted word for programs. The message becomes the answer of the failed task.
    """

    def __init__(self, message: str, *, hint: str = "", code: str = "tool.refused", **other: str) -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code
        self.other = dict(other)

    def words(self, language: str) -> tuple[str, str]:
        """Return message and hint in ``language``, in English where there is no such text."""
        return self.other.get(language, str(self)), self.other.get(f"{language}_hint", self.hint)
