"""A routine: what a person has seen and kept. Its JSON is the body of ``routine.kept``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kernel.model import Plan, RunId
from kernel.planning.plan_json import plan_from_json, plan_to_json
from kernel.routines import triggers_json
from kernel.routines.model import About, Limit, Trigger
from permissions.policy import ROUTINE


@dataclass(frozen=True, slots=True)
class Worded:
    """The words in which a ``model`` said a rule, and which of its trigger's stand in no word of the person's."""

    words: str
    model: str
    unsaid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Routine:
    """A rule in the person's words (``text``), its trigger, and the plan of the request that is left (``said``).

    ``key`` tells it from an earlier namesake; ``made`` is when it was kept, with the zone, and ``cwd`` from where.
    ``version`` counts what it has been, and ``before`` is the key of the version whose place it took, at the moment
    ``changed``. ``broken`` says why it rests where no person let it. Of one that a model ``worded``, ``text`` is what
    the person said; the trigger and the plan are those of the model's words.
    """

    name: str
    text: str
    said: str
    language: str
    trigger: Trigger
    plan: Plan
    key: str
    made: datetime
    cwd: str
    run: str  # that kept it
    limits: tuple[tuple[Limit, float], ...] = ()
    such: tuple[tuple[About, str], ...] = ()  # what must be so of what the trigger brings
    answers: tuple[tuple[str, str], ...] = ()  # what was asked about its plan, and the answer to each
    paused: bool = False
    broken: str = ""
    rested: datetime | None = None  # until when it rested last
    version: int = 1
    before: str = ""
    changed: datetime | None = None
    worded: Worded | None = None

    @property
    def words(self) -> str:
        """The words that its trigger and its plan were read from."""
        return self.worded.words if self.worded is not None else self.text

    @property
    def since(self) -> datetime:
        """After this its moments count: what came while it rested, or was another, is not made up for."""
        return max(at for at in (self.made, self.changed, self.rested) if at is not None)

    @property
    def node(self) -> str:
        """The name of its node in the policy tree."""
        return f"{ROUTINE}{self.name}"


def to_json(one: Routine) -> dict[str, Any]:
    """Return ``one`` as JSON values."""
    return {
        "name": one.name, "text": one.text, "said": one.said, "language": one.language, "key": one.key,
        "trigger": triggers_json.to_json(one.trigger), "limits": [[str(limit), amount] for limit, amount in one.limits],
        "such": [[str(about), said] for about, said in one.such], "answers": [list(pair) for pair in one.answers],
        "plan": plan_to_json(one.plan), "made": one.made.isoformat(), "cwd": one.cwd,
        "run": one.run, "version": one.version, "before": one.before,
        "changed": one.changed.isoformat() if one.changed is not None else None,
        "worded": None if one.worded is None else worded_json(one.worded),
    }  # fmt: skip


def worded_json(one: Worded) -> dict[str, Any]:
    """Return ``one`` as JSON values."""
    return {"words": one.words, "model": one.model, "unsaid": list(one.unsaid)}


def _worded(body: Any) -> Worded | None:
    return Worded(str(body["words"]), str(body["model"]), tuple(map(str, body["unsaid"]))) if body else None


def from_json(body: Mapping[str, Any]) -> Routine:
    """Read what ``to_json`` wrote. Raises KeyError, TypeError or ValueError on anything else."""
    made = datetime.fromisoformat(body["made"])
    if made.tzinfo is None or not body["name"] or not body["key"]:
        raise ValueError("a routine without a name, a key or a moment")
    return Routine(
        str(body["name"]), str(body["text"]), str(body["said"]), str(body["language"]),
        triggers_json.from_json(body["trigger"]), plan_from_json(body["plan"]), str(body["key"]), made,
        str(body["cwd"]), str(body["run"]),
        tuple((Limit(limit), float(amount)) for limit, amount in body.get("limits", ())),
        tuple((About(about), str(said)) for about, said in body.get("such", ())),
        tuple((str(asked), str(said)) for asked, said in body.get("answers", ())),
        version=int(body.get("version", 1)), before=_key_before(body.get("before")),
        changed=datetime.fromisoformat(body["changed"]) if body.get("changed") else None,
        worded=_worded(body.get("worded")),
    )  # fmt: skip


def _key_before(before: Any) -> str:
    """Return the key of the version before; the first ledgers kept that version whole."""
    return str(before["key"] if isinstance(before, Mapping) else before or "")


Fire = Callable[[Routine, Plan, RunId], Awaitable[None]]
"""Begins the run of a routine with the plan as its words mean it now."""
