"""Where a plan is dispatched, and what its calls need of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from kernel.allotting import Allotment, Lender, Short
from kernel.authorize import Circumstances
from kernel.model import Say, Task, TaskId, Utterance
from permissions.model import CellSpec, Connection, Layer, Limits, Right
from skills.model import Call, Tool

if TYPE_CHECKING:
    from kernel.flow import Concern
    from kernel.mailing.post import Post
    from permissions.egress import Letter


class Space(Protocol):
    """The room of one call in its staging folder."""

    pause_s: float

    def check(self) -> None:
        """Raise a PermissionsError when the call has written more than it may."""


class StagingArea(Protocol):
    """What dispatch needs of a plan's transaction."""

    def task_folder(self, task: str) -> Any: ...
    def space(self, task: str) -> Space: ...
    def describe(self, task: str, effects: Any, check: Callable[[Any], None]) -> None: ...
    def open_trees(self, task: str, trees: Sequence[str]) -> tuple[Layer, ...]: ...
    def take_in(self, task: str, check: Callable[[Any], None]) -> tuple[str, ...]: ...
    def forget(self, task: str) -> None: ...
    def rests_on(self, versions: Mapping[str, Sequence[int]]) -> None: ...
    def view(self) -> tuple[Mapping[str, Any], ...]: ...


Answer = Callable[[bytes, int], Awaitable[bytes | None]]
"""Answers what a call asks for, with the memory that it has been given by then; None ends the asking."""

RunCall = Callable[
    [Call, CellSpec, Callable[[float | None, str], None], Callable[[Connection], None], Answer | None], Awaitable[Any]
]


class Allot(Protocol):
    """What a call may use while it runs (``kernel.allotting``); the call is stopped where it loses a right."""

    def __call__(
        self, task: str, tool: Tool, needs: tuple[Right, ...], asked: Limits, folder: str | None
    ) -> AbstractAsyncContextManager[Allotment]: ...

    def lent(
        self, task: str, tool: Tool, needs: tuple[Right, ...], asked: Limits, folder: str | None, lender: Lender
    ) -> AbstractAsyncContextManager[Allotment]: ...


@dataclass(frozen=True, slots=True)
class Floor:
    """Where a plan is dispatched: the tools, the way to run a call, the staging area, and the run's circumstances.

    ``more`` asks a person whether a call that met their limit may have more; it returns why not, empty where it may.
    ``vouch`` asks them for values that nobody vouches for, and returns why not likewise.
    ``tasks`` are those of the plan, by which a person is told where a value comes from; ``found`` returns what
    Steward's own tools found earlier in the conversation.
    ``post`` has the person's mailbox asked; ``letters`` takes in what calls described to be sent.
    A wall keeps the time of its calls itself; one that has not answered ``grace_s`` after it is not waited for.
    """

    around: Circumstances
    run_call: RunCall
    allot: Allot
    more: Callable[[Short], Awaitable[str]]
    vouch: Callable[[Sequence[Concern]], Awaitable[str]]
    staging: Callable[[], StagingArea]
    say: Say
    utterance: Utterance
    private: tuple[str, ...]
    timeout_s: float
    parallel: int
    seed: int
    language: str
    tasks: Mapping[TaskId, Task] = field(default_factory=dict)
    found: Callable[[], frozenset[str]] = frozenset
    grace_s: float = 10.0
    post: Post | None = None
    letters: list[Letter] = field(default_factory=list)
