"""A step that was asked about because of what others wrote is refused, and so is one that only a request may have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kernel.authoring.savable import Looked, check
from kernel.errors import BadRequest
from kernel.model import Comparison, Condition, Constant, Measure, Outcome, Plan, Task, TaskId
from permissions.labels import USER_SAID, Label
from skills.model import EffectClass, Parameter, ParamRole, RightTemplate, SkillId, Tool, ToolId, ValueKind, ValueType

TEXT, TEXTS = ValueType(ValueKind.TEXT), ValueType(ValueKind.TEXT, True)
FOUND, DONE = TaskId("t1"), TaskId("t2")
LOOKS = Tool(ToolId("a.looks"), SkillId("a"), "looks", "", EffectClass.PURE, (), TEXTS, (), ())
SENDS = Tool(ToolId("a.sends"), SkillId("a"), "sends", "", EffectClass.ONCE,
             (Parameter("to", TEXT, True, "", ParamRole.SINK),), TEXT, (), ())  # fmt: skip
FETCHES = replace(SENDS, effect=EffectClass.PURE, rights=(RightTemplate("net.connect", "example.org", ""),))
IF = Condition(FOUND, Measure.COUNT, Comparison.MORE, 1)
EACH: dict[str, Any] = {"each": FOUND}
WHEN: dict[str, Any] = {"when": (IF,)}


def looked(tool: Tool, label: Label | None, **more: Any) -> Looked:
    last = Task(DONE, tool.id, {"to": Constant("ben", USER_SAID, "ben")}, **more)
    plan = Plan((Task(FOUND, LOOKS.id, {}), last), "en")
    return Looked("r-1", plan, {FOUND: LOOKS, DONE: tool}, {FOUND: Outcome(FOUND, True, ["x"], label=label)})


@pytest.mark.parametrize("tool", [SENDS, FETCHES])
@pytest.mark.parametrize("label", [Label(), None])
@pytest.mark.parametrize(("more", "why"), [(EACH, "for each item of what others listed"), (WHEN, "or not because of")])
def test_what_others_wrote_decides_neither_how_often_nor_whether(
    tool: Tool, label: Label | None, more: dict[str, Any], why: str
) -> None:
    with pytest.raises(BadRequest, match=rf"step 2 \(a\.sends\) is done .*{why}"):
        check(looked(tool, label, **more))
    check(looked(tool, USER_SAID, **more))
    check(looked(replace(tool, effect=EffectClass.IDEMPOTENT, rights=()), label, **more))


def test_a_condition_on_what_others_wrote_stays_where_nothing_is_decided() -> None:
    check(looked(replace(SENDS, parameters=(Parameter("to", TEXT, True, ""),)), Label(), **WHEN))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"works_in": ("folder",)}, "works in a folder of yours"),
        ({"followed": True}, "done by a model that follows instructions"),
        ({"rights": (RightTemplate("fs.write", "own/**", ""),)}, "what a keeps for itself"),
    ],
)
def test_what_only_a_request_may_have_is_refused(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(BadRequest, match=rf"step 2 \(a\.sends\) .*{why}"):
        check(looked(replace(SENDS, **changed), USER_SAID))
    check(looked(SENDS, USER_SAID))
