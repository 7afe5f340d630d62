"""A call that is made beside every run: nothing is staged for it, nobody is asked, and nothing is given to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from kernel.allotting import Short
    from kernel.flow import Concern


class Nothing:
    """A staging area: there is nothing in it, and nothing comes in."""

    def view(self) -> tuple[Mapping[str, Any], ...]:
        return ()

    def rests_on(self, versions: Mapping[str, Sequence[int]]) -> None:
        """Nothing is committed that could rest on what was read."""

    def task_folder(self, _task: str) -> NoReturn:
        raise AssertionError("a call beside every run writes nothing")

    space = task_folder

    def describe(self, _task: str, _effects: Any, _check: Any) -> NoReturn:
        raise AssertionError("a call beside every run describes nothing")

    def open_trees(self, _task: str, _trees: Sequence[str]) -> NoReturn:
        raise AssertionError("a call beside every run works in no folder")

    def take_in(self, _task: str, _check: Any) -> NoReturn:
        raise AssertionError("a call beside every run works in no folder")

    def forget(self, _task: str) -> None:
        """There is nothing to forget."""


async def no_more(_short: Short) -> str:
    """Give no call more than it has."""
    return "Nobody is asked for more."


async def nobody(_concerns: Sequence[Concern]) -> str:
    """Vouch for nothing."""
    return "Nobody is asked about it."
