"""Requests for tools that have no examples: five public servers beside the built-in skills."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kernel.model import Constant, Plan, Question, Task

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

FILES = [Path(__file__).with_name(f"{name}.toml") for name in ("sentences", "others")]
CASES = [case for file in FILES for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]]
OPEN = frozenset({"show the commit a1b2c3d in ~/Projects/house", "unstage all staged changes in ~/Projects/house"})
"""What is asked about, with the right call as the first choice."""


def _of(kind: str) -> list[Any]:
    return [pytest.param(one, id=one["say"]) for one in CASES if kind in one and one["say"] not in OPEN]


@pytest.mark.parametrize("case", _of("do"))
def test_the_call_and_its_values(beside: Planner, case: dict[str, Any]) -> None:
    plan = beside.say(case["say"])
    assert isinstance(plan, Plan), plan
    wanted = zip(case["do"][::2], case["do"][1::2], strict=True)
    assert [_call(beside, task) for task in plan.tasks] == [(tool, given) for tool, given in wanted]


@pytest.mark.parametrize("case", [one for one in CASES if one["say"] in OPEN])
def test_what_two_tools_may_mean_is_asked_about(beside: Planner, case: dict[str, Any]) -> None:
    question = beside.say(case["say"])
    assert isinstance(question, Question), question
    assert _call(beside, question.draft.tasks[0]) == (case["do"][0], case["do"][1])


@pytest.mark.parametrize("case", _of("ask"))
def test_what_is_missing_is_asked_for(beside: Planner, case: dict[str, Any]) -> None:
    question = beside.say(case["say"])
    assert isinstance(question, Question), question
    assert (question.draft.tasks[0].tool, question.parameter) == tuple(case["ask"])


@pytest.mark.parametrize("case", _of("not"))
def test_what_is_another_s_stays_so(beside: Planner, case: dict[str, Any]) -> None:
    found = beside.say(case["say"])
    plan = found if isinstance(found, Plan) else found.draft if isinstance(found, Question) else None
    used = [task.tool for task in plan.tasks] if plan is not None else []
    assert not [one for one in used if one.startswith(f"{case['not']}.")]


def _call(planner: Planner, task: Task) -> tuple[str, dict[str, Any]]:
    return task.tool, {name: _value(planner, one) for name, one in task.arguments.items()}


def _value(planner: Planner, argument: Any) -> Any:
    if not isinstance(argument, Constant):
        return planner.value(argument)
    return _short(argument.value, planner.home)


def _short(value: Any, home: str) -> Any:
    if isinstance(value, str):
        return value.replace(home, "~")
    return [_short(one, home) for one in value] if isinstance(value, list) else value


@pytest.mark.slow
def test_requests_that_no_rule_has_seen(beside: Planner) -> None:
    """No wrong call, and as many right as when they were run first: 26 of 32."""
    cases = tomllib.loads(Path(__file__).with_name("held.toml").read_text(encoding="utf-8"))["case"]
    right = 0
    for case in cases:
        found = beside.say(case["say"])
        if isinstance(found, Plan):
            own = [_call(beside, task) for task in found.tasks]
            wanted = list(zip(case.get("do", [])[::2], case.get("do", [])[1::2], strict=True))
            foreign = [tool for tool, _ in own if tool.startswith(f"{case.get('not', '-')}.")]
            assert own == wanted if "do" in case else not foreign, case["say"]
            right += 1
        elif isinstance(found, Question):
            asked = (found.draft.tasks[0].tool, found.parameter)
            right += asked == tuple(case.get("ask", ()))
        else:
            right += "not" in case
    assert right >= 26
