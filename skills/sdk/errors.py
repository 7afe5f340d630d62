"""The one error that a tool raises on purpose, and the words of one that several places raise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class ToolError(Exception):
    """A tool could not do what was asked: what happened and to whom, and what to do now.

    The first text and ``hint`` are English; other languages come as ``de="..."`` and ``de_hint="..."``. ``code`` is a
    stable dotted word for programs. The message becomes the answer of the failed task.

    Where the tool knows what would do, ``choices`` are the values that it takes ``instead_of`` the one that it was
    given: the person is asked which, and the plan goes on with it. Where it lacks something that a few words can say,
    ``asks`` is the parameter that takes them: the message is asked, and the same call is made with the answer.
    """

    def __init__(
        self, message: str, *, hint: str = "", code: str = "tool.refused", instead_of: str = "",
        choices: Sequence[str] = (), asks: str = "", **other: str,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.instead_of = instead_of
        self.choices = tuple(choices)
        self.asks = asks
        self.hint = hint
        self.code = code
        self.other = dict(other)

    def words(self, language: str) -> tuple[str, str]:
        """Return message and hint in ``language``, in English where there is no such text."""
        return self.other.get(language, str(self)), self.other.get(f"{language}_hint", self.hint)


@dataclass(frozen=True, slots=True)
class ErrorWords:
    """The texts of one error, with holes: ``{place}`` and what else they name. Called with those, it is the error."""

    code: str
    en: str
    hint: str
    de: str
    de_hint: str

    def __call__(self, place: str = "", **holes: object) -> ToolError:
        """Return the error about ``place``, as it is shown to a person."""
        en, de = (text.format(place=place, **holes) for text in (self.en, self.de))
        return ToolError(en, hint=self.hint, code=self.code, de=de, de_hint=self.de_hint)
