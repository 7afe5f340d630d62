"""The judge: another process owns clock, seeds, reference and results, and believes nothing that a candidate says.

``judge`` puts a built candidate through gates, in order: what the library wants, poisoned outputs, bands beside them,
inputs that cannot be written, errors against float64, numbers and parameters that it has not seen, families of values,
the same bits each time, nothing left behind, a sanitizer, and then the time of calls that each have fresh pointers and
fresh values. ``race`` runs sides in turn, in fresh processes with one allocation policy, and gives ratios with
intervals. A candidate that crashes, hangs, lies or eats memory is a verdict, never an exception.

``Exam`` holds what is asked and what is right, made once for many candidates. ``ceilings`` measures what this machine
can do at most; a ``Stand`` takes few samples of many candidates. A file of the library closes a wall around each racer
(``skills.sdk.alone``).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpu_skills.judge.exam import Exam
    from gpu_skills.judge.judging import judge
    from gpu_skills.judge.model import Native, Race, Torch, Verdict
    from gpu_skills.judge.peaks import ceilings
    from gpu_skills.judge.racing import race
    from gpu_skills.judge.stand import Stand

__all__ = ["Exam", "Native", "Race", "Stand", "Torch", "Verdict", "ceilings", "judge", "race"]

_WHERE = {"Stand": "stand", "ceilings": "peaks", "Exam": "exam", "judge": "judging", "race": "racing",
          "Native": "model", "Race": "model", "Torch": "model", "Verdict": "model"}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _WHERE:  # the racer comes through this door too, and must start fast
        return getattr(import_module(f"gpu_skills.judge.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
