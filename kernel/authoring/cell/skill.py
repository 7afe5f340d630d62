"""The tests of a skill, as a call like any other; nobody can ask for it in a sentence."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kernel.authorize import Circumstances, needs_of, reach_of_value
from kernel.dispatching.effects import Bounds, check_effects, needed_by
from kernel.errors import TaskFailed
from kernel.model import TaskId, TaskRights
from permissions import covers, default_policy, private_places
from permissions.model import Right
from skills.authoring.rehearsal import rehearsed
from skills.model import RightTemplate, Skill, Tool
from skills.sdk import Context, Folder, Record, ToolError

_TASK = TaskId("practice")


def run_tests(ctx: Context, folder: Folder) -> Record:
    """Run the tests of a skill.

    Args:
        folder: where the skill lies.
    """
    report = rehearsed(Path(folder.path), Path(ctx.workroom("practice").path), KernelRights())
    ctx.say("Done.", de="Fertig.")
    return Record(report)


class KernelRights:
    """Rights as the daemon computes and holds them."""

    def of(self, tool: Tool, template: RightTemplate, arguments: Mapping[str, Any], home: str) -> tuple[Right, ...]:
        """Return the rights that one line of the manifest comes to."""
        reaches = {name: reach_of_value(tool, name, value) for name, value in arguments.items()}
        needs = needs_of(replace(tool, rights=(template,)), reaches, _around(tool, home))
        return tuple(right for right, _ in needs)

    def check(self, tool: Tool, rights: Sequence[Right], effects: Sequence[Mapping[str, Any]], home: str) -> None:
        """Raise ToolError where an effect lies outside of ``rights``."""
        around = _around(tool, home)
        private = tuple(path for path, _ in private_places(home, ()))
        bounds = Bounds(tool, TaskRights(_TASK, tuple(rights), (), ()), around, private)
        real = [{**effect, **_real_ends(effect)} for effect in effects]
        try:
            check_effects(real, (), bounds)
        except TaskFailed as error:
            raise ToolError(str(error), hint=error.hint, code=error.code) from error

    def needed(self, effect: Mapping[str, Any]) -> Iterable[Right]:
        """Yield the rights that an effect needs."""
        return needed_by({**effect, **_real_ends(effect)}, frozenset())

    def covers(self, wide: Right, narrow: Right) -> bool:
        """Tell whether one right implies another."""
        return covers(wide, narrow)


def _real_ends(effect: Mapping[str, Any]) -> dict[str, str]:
    """Return the places of an effect with their folders resolved, as a transaction finds them."""
    ends = {key: str(effect[key]) for key in ("path", "source") if key in effect}
    return {key: os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
            for key, path in ends.items()}  # fmt: skip


def _around(tool: Tool, home: str) -> Circumstances:
    def found(_: Any) -> Any:
        return tool

    def skill(_: Any) -> Skill:
        return Skill(tool.skill, "", "", "", "", "", False, (tool,))

    policy = default_policy(home, private_places(home, ()))
    return Circumstances(tool=found, skill=skill, policy=policy, run="practice", home=home, now_s=0.0,
                         resolve=os.path.realpath)  # fmt: skip
