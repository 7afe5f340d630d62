"""What a sentence may refer to: the last runs of its conversation, and a question that is still open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kernel.context.deeds import Past
from kernel.context.world import World
from kernel.model import Outcome, Plan, Question, TaskId


@dataclass(frozen=True, slots=True)
class LastRun:
    """A run that ended well: its plan and what its tasks found. Of a ``private`` one no word leaves this machine."""

    plan: Plan
    outcomes: Mapping[TaskId, Outcome]
    private: bool = False


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The conversation so far. ``recent`` holds the last runs, newest first, ``last`` among them.

    ``unsettled`` is the latest request where it came to nothing: refused, failed, or not answered when asked back.

    ``home`` is where a named folder that does not exist yet is meant to be; without it such a folder is asked for.
    ``past`` is what was done before, in any conversation. ``shown`` is what stands for the text that is shown with the
    sentence, empty where none is; the text itself nobody here can read (``kernel.firewall.binding``).
    ``world`` knows what else is called nearly like a place that is not there; without it nobody is asked about slips.
    """

    last: LastRun | None = None
    pending: Question | None = None
    recent: tuple[LastRun, ...] = field(default=())
    home: str = ""
    world: World | None = None
    unsettled: str = ""
    past: Past | None = None
    shown: str = ""

    def bare(self) -> Dialogue:
        """Return what is left where nothing was said or done before."""
        return Dialogue(home=self.home, world=self.world)
