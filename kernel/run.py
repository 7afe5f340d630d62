"""A run under way, and how one ends before the end of its way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from kernel.allotting import Allotter, Raises
from kernel.authorize import Circumstances
from kernel.model import Plan, Resolution, RunId, Utterance
from kernel.remember import RunLog
from kernel.terms.held import Held
from memory.errors import StoreError
from permissions.model import Right
from skills.model import ToolId

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kernel.house import House
    from kernel.macros.model import Called
    from kernel.mailing.standing import Standing
    from kernel.trying import Trial
    from permissions.egress import Letter
    from permissions.transactions import Staging


T = TypeVar("T")

Versions = Callable[[ToolId, Plan], Plan | None]
"""From a tool that broke and the plan that called it to the plan's next version, None where there is none."""

Replan = Callable[[Mapping[str, Any]], Awaitable[Plan | None]]
"""From what a review did not support to the plan's next version, None where there is none."""


Aside = Callable[["House", "Trial", Plan], Awaitable[RunId | None]]
"""Does a plan as a dry run beside a run that waits for it, with nobody asked; None where it takes too long."""


@dataclass(slots=True)
class Run:
    """A run under way: what is known so far, and the answer it may be waiting for."""

    id: RunId
    utterance: Utterance
    house: House
    yes: bool
    log: RunLog
    seed: int
    language: str = "en"
    chosen: dict[str, str] = field(default_factory=dict)  # whom names mean, as a person has answered
    private: bool = False  # nothing of what is said or found is written down or learnt
    held: Held = field(default_factory=Held)  # what it may cost, and how long it may take
    confirmed: bool = False
    fault: StoreError | None = None  # the ledger failed: the run has no written end
    abandoned: bool = False  # the daemon stops while this run waits: it stays pending
    staging: Staging | None = None
    waiting: asyncio.Future[str] | None = None
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)  # a run asks one question at a time
    raises: Raises = field(default_factory=Raises)
    refusal: str = ""  # what ended a task that asked for more: "no" or "expired"
    seal: str = ""  # of what it waits for; empty while it waits for its card
    shown: list[dict[str, Any]] = field(default_factory=list)  # what was taken as shown, as a client sees it
    taught: str = ""  # what to say of the words that it explained
    called: Called | None = None  # the macro that it was begun with
    macro: Mapping[str, Any] = field(default_factory=dict)  # that its plan came of, and what had changed
    answers: str = ""  # the run whose question this one answers
    exchanged: tuple[tuple[str, str], ...] = ()  # what a model asked about the request, and the answers
    foreseen: frozenset[tuple[str, Right]] | None = None  # what its first plan needs, by skill
    expires_at: str = ""  # of the question that it waits for; tells it from an earlier one
    vouched: set[str] = field(default_factory=set)  # values of others that a person has let decide something
    letters: list[Letter] = field(default_factory=list)  # what its tools described to be sent
    posted: dict[int, Standing] = field(default_factory=dict)  # how these stand, as far as this process knows
    versions: Versions | None = None  # makes the next version of its plan, without a tool that broke
    aside: Aside | None = None  # tries out what its card would keep
    replan: Replan | None = None  # asks the model that planned once more
    trial: Mapping[str, str] = field(default_factory=dict)  # what a dry run tries out
    asks: bool = True  # whether a person may be asked anything
    timings: dict[str, float] = field(default_factory=dict)
    waited_s: float = 0.0  # for answers
    began: float = field(default_factory=time.perf_counter)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time of a stage to the run's timings, in milliseconds; not that which a question waited in it."""
        began = time.perf_counter() - self.waited_s
        yield
        self.timings[stage] = self.timings.get(stage, 0.0) + (time.perf_counter() - self.waited_s - began) * 1000

    def reply(self) -> dict[str, Any]:
        """Return what its events say of the question that it answers, the macro that it came of, and what it tries."""
        came = {name: self.macro[name] for name in ("name", "key", "anew") if self.macro}
        found: dict[str, Any] = {"answers": self.answers} if self.answers else {}
        return found | ({"macro": came} if came else {}) | ({"trial": self.trial} if self.trial else {})

    def replies(self) -> None:
        """Note that it answers the question of the run before it in its conversation."""
        self.answers = [one for one in self.house.talk.runs(self.utterance.conversation) if one != self.id][-1]

    def took_as_shown(self) -> dict[str, Any]:
        """Return what its card and its events say of the texts that were shown with it; nothing where none was."""
        return {"shown": self.shown} if self.shown else {}

    @property
    def client(self) -> str:
        """The program in whose name this runs (``mcp:NAME``); empty for the person."""
        return self.utterance.client

    def around(self) -> Circumstances:
        """Return what authorizing a plan of this run needs to know, as it is now."""
        return self.house.circumstances(self.id, self.utterance.cwd, self.client)

    def allotter(self) -> Allotter:
        """Return what allots the calls of this run."""
        return self.house.allotter(self.id, self.utterance.cwd, self.log.say, self.raises, self.client)

    def stage(self) -> Staging:
        """Return the run's staging area, made on first use."""
        if self.staging is None:
            self.staging = self.house.transactions.begin(self.id)
        return self.staging


class Stop(Exception):
    """The run has its resolution before the end of the way."""

    def __init__(self, resolution: Resolution, answer: str, **more: Any) -> None:
        super().__init__(answer)
        self.resolution = resolution
        self.answer = answer
        self.more = more


class Broken(Exception):
    """A tool broke while a plan ran, and there is a plan without it: nothing of the first one is kept.

    With the ``rung`` "name" it found nobody, and is called again for another name of theirs.
    """

    def __init__(self, tool: ToolId, plan: Plan, rung: str = "plan") -> None:
        super().__init__(tool)
        self.tool = tool
        self.plan = plan
        self.rung = rung


class SentBack(Exception):
    """A review did not support what a plan came to, and there is another plan: nothing of the first one is kept."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan


def error_view(code: str, message: str, hint: str, **more: Any) -> dict[str, Any]:
    """Return an error as a client sees it."""
    return {"code": code, "message": message, "hint": hint, **more}


_SENTENCES = {
    "en": {
        "cancelled": "Cancelled; nothing was changed.",
        "late": "It was done before it could be cancelled.",
        "refused": "You said no; nothing was changed.",
        "expired": "Nobody answered in time; nothing was changed.",
        "denied": "Steward may not {what}: {why}. Nothing was changed.",
        "fault": "Steward met an internal fault: {fault}",
    },
    "de": {
        "cancelled": "Abgebrochen; nichts wurde geändert.",
        "late": "Es war getan, bevor es abgebrochen werden konnte.",
        "refused": "Du hast nein gesagt; nichts wurde geändert.",
        "expired": "Niemand hat rechtzeitig geantwortet; nichts wurde geändert.",
        "denied": "Steward darf das nicht ({what}): {why}. Nichts wurde geändert.",
        "fault": "Steward ist auf einen inneren Fehler gestoßen: {fault}",
    },
}


def words(run: Run, key: str) -> str:
    """Return one of the kernel's own sentences in the language of the run."""
    return _SENTENCES.get(run.language, _SENTENCES["en"])[key]


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Do ``work`` to its end even when the run is cancelled meanwhile: what has happened is also said."""
    job = asyncio.ensure_future(work)
    while not job.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([job])
    return job.result()
