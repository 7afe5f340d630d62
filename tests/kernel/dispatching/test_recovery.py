"""The ladder above a single call: another tool in a new version, and what only a person can say."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kernel import recovery
from kernel.model import (
    Argument,
    Candidate,
    Comparison,
    Condition,
    Constant,
    FromTask,
    Measure,
    Outcome,
    Plan,
    Question,
    Task,
    TaskId,
)
from permissions.labels import USER_SAID
from skills.model import EffectClass, Offered, Parameter, SkillId, Tool, ToolId, ValueKind, ValueType

Bench = Any  # tests/kernel/conftest.py
T1, T2 = TaskId("t1"), TaskId("t2")
A, B = ToolId("s.a"), ToolId("s.b")


def tool(name: ToolId, effect: EffectClass = EffectClass.PURE) -> Tool:
    file = Parameter("file", ValueType(ValueKind.FILE), True, "")
    found = ValueType(ValueKind.FILE, many=True)
    return Tool(name, SkillId("s"), name.partition(".")[2], "", effect, (file,), found, (), ())


def failed(code: str) -> Outcome:
    return Outcome(T1, False, error={"code": code, "message": "", "hint": ""})


def plan(name: ToolId = A, version: int = 1) -> Plan:
    return Plan((Task(T1, name, {"file": Constant({"path": "/h/x"}, USER_SAID)}),), "en", version)


@pytest.mark.parametrize(
    ("code", "version", "effect", "replaced"),
    [
        ("task.crashed", 1, EffectClass.PURE, True),
        ("tool.fault", 1, EffectClass.IDEMPOTENT, True),
        ("tool.fault", 2, EffectClass.PURE, False),  # one new version and no more
        ("tool.fault", 1, EffectClass.ONCE, False),  # it may have happened
        ("tool.will_not", 1, EffectClass.PURE, False),  # it said why
        ("task.revoked", 1, EffectClass.PURE, False),
        ("task.rights", 1, EffectClass.PURE, False),
        ("task.time", 1, EffectClass.PURE, False),
    ],
)
def test_only_a_tool_that_broke_is_done_without(code: str, version: int, effect: EffectClass, replaced: bool) -> None:
    found = recovery.broke([failed(code)], plan(version=version), lambda name: tool(name, effect))
    assert (found == A) is replaced


def test_the_next_version_is_without_it_or_there_is_none() -> None:
    candidates = [Candidate(A, 0, 1, 1.0), Candidate(B, 0, 1, 0.5)]
    made = recovery.without(A, plan(), candidates, lambda left: plan(left[0].tool))
    assert made is not None
    assert (made.version, made.tasks[0].tool) == (2, B)
    assert recovery.without(A, plan(), candidates, lambda _: plan(A)) is None
    assert recovery.without(A, plan(), candidates, lambda _: Question("?", T1, "file", plan())) is None
    assert recovery.without(A, plan(), candidates[:1], lambda _: plan(B)) is None


def test_a_next_version_does_not_pass_over_a_condition_or_a_list() -> None:
    candidates = [Candidate(A, 0, 1, 1.0), Candidate(B, 0, 1, 0.5)]
    about = Condition(T1, Measure.COUNT, Comparison.MORE, 10)
    first, other = plan(), plan(B)
    bounded: tuple[dict[str, Any], ...] = ({"when": (about,)}, {"each": T1})
    for bounds in bounded:
        bound = replace(first, tasks=(*first.tasks, replace(first.tasks[0], id=T2, **bounds)))
        assert recovery.without(A, bound, candidates, lambda _: other) is None
        again = replace(other, tasks=(*other.tasks, replace(other.tasks[0], id=T2, **bounds)))
        made = recovery.without(A, bound, candidates, partial(_always, again))
        assert made is not None
        assert made.tasks == again.tasks


def _always(plan: Plan, _: object) -> Plan:
    return plan


def test_which_of_several_is_asked() -> None:
    files = [{"path": "/h/a"}, {"path": "/h/b"}]
    made = Plan((*plan().tasks, Task(T2, B, {"file": FromTask(T1)})), "en")
    many = Outcome(T2, False, error={"code": "task.many", "message": "", "hint": ""})
    question = recovery.which_one(made, many, {T1: Outcome(T1, True, files)}, tool(B))
    assert question is not None
    assert (question.task, question.parameter, question.choices) == (T2, "file", ("/h/a", "/h/b"))
    assert question.values == tuple(files)
    assert recovery.which_one(made, many, {T1: Outcome(T1, True, files * 9)}, tool(B)) is None


async def test_an_answer_which_one_completes_the_plan(bench: Bench) -> None:
    (bench.home / "Texts").mkdir()
    for name in ("one", "two"):
        Path(bench.home / "Texts" / f"{name}.txt").write_text(f"This is {name}.\n")
    view = await bench.ask("find the files in Texts and show the text of it")
    assert (view["resolution"], len(view["question"]["choices"])) == ("clarify", 2), view["answer"]
    view = await bench.ask("the second one")
    assert view["resolution"] in ("executed", "confirmed"), view["answer"]
    assert "This is t" in view["answer"] or "This is o" in view["answer"]


@pytest.mark.parametrize(
    ("offered", "asked"),
    [
        (Offered("pries", ("price", "vendor")), ("price", "vendor")),
        (Offered("other", ("price",)), None),  # nobody said that
        (Offered("pries", ()), None),
        (Offered("pries", tuple(f"c{number}" for number in range(10))), None),  # too many to choose from
    ],
)
def test_a_tool_offers_what_it_takes_instead_of_what_was_said(offered: Offered, asked: tuple[str, ...] | None) -> None:
    made = Plan((Task(T1, A, {"column": Constant("pries", USER_SAID)}),), "en")
    column = replace(tool(A), parameters=(Parameter("column", ValueType(ValueKind.COLUMN), True, ""),))
    refused = Outcome(T1, False, error={"code": "data.no-column", "message": "No such column."}, offered=offered)
    question = recovery.which_one(made, refused, {}, column)
    assert (question and question.choices) == asked


@pytest.mark.parametrize(("given", "asked"), [({}, "which"), ({"which": Constant("eggs", USER_SAID)}, None)])
def test_of_several_that_nobody_named_it_is_asked_which(given: dict[str, Constant], asked: str | None) -> None:
    which = Parameter("which", ValueType(ValueKind.QUERY), False, "")
    cancels = replace(tool(A), parameters=(which, Parameter("when", ValueType(ValueKind.PERIOD), False, "")))
    refused = Outcome(T1, False, error={"code": "tool.ambiguous", "message": "Two."}, offered=Offered("", ("a", "b")))
    question = recovery.which_one(Plan((Task(T1, A, given),), "en"), refused, {}, cancels)
    assert (question and question.parameter) == asked


async def test_of_two_timers_both_are_choices_and_the_answer_cancels_that_one(bench: Bench) -> None:
    for minutes in (5, 10):
        await bench.ask(f"start a timer for {minutes} minutes")
    view = await bench.ask("cancel the timer")
    assert (view["resolution"], len(view["question"]["choices"])) == ("clarify", 2), view["answer"]
    view = await bench.ask("the second one")
    assert view["resolution"] in ("executed", "confirmed"), view["answer"]
    assert "10 minutes" in view["answer"]


async def test_a_name_of_nothing_is_asked_about_and_the_answer_completes_the_plan(bench: Bench) -> None:
    (bench.home / "Notes").mkdir()
    for name in ("Garden plan", "Ladder"):
        (bench.home / "Notes" / f"{name}.md").write_text(f"# {name}\n\nIt says {name}.\n")
    view = await bench.ask("read the note Xylophone")
    assert (view["resolution"], sorted(view["question"]["choices"])) == ("clarify", ["Garden plan", "Ladder"])
    view = await bench.ask("the garden plan")
    assert (view["resolution"], "It says Garden plan" in view["answer"]) == ("confirmed", True), view["answer"]


async def test_a_column_that_is_not_there_is_asked_about(bench: Bench) -> None:
    (bench.home / "trees.csv").write_text("kind,height\noak,20\nelm,12\n")
    view = await bench.ask("sort trees.csv by girth")
    assert (view["resolution"], view["question"]["choices"]) == ("clarify", ["kind", "height"]), view["answer"]
    view = await bench.ask("2")
    assert view["resolution"] == "confirmed", view["answer"]


async def test_a_broken_tool_is_replaced_in_a_new_version_that_goes_the_whole_way(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = bench.kernel._house
    real, calls = type(house).run_call, []

    async def broken(self: Any, call: Any, *rest: Any, **more: Any) -> Any:
        ran = await real(self, call, *rest, **more)
        calls.append(call.tool)
        if call.tool == calls[0]:
            error = {"code": "tool.fault", "message": "It broke.", "hint": ""}
            return replace(ran, result=replace(ran.result, error=error))
        return ran

    monkeypatch.setattr(type(house), "run_call", broken)
    view = await bench.ask("list the files in Downloads")
    kinds = [event["kind"] for event in view["events"]]
    assert (kinds.count("run.planned"), kinds.count("plan.recovered")) == (2, 1)
    assert [one.partition(".")[0] for one in calls] == ["files", "files"]
    assert calls[0] != calls[1]
    assert view["resolution"] == "confirmed", view["answer"]


@pytest.mark.parametrize(
    ("asks", "given", "asked"),
    [
        ("hours", {}, "hours"),
        ("hours", {"hours": Constant("07:30", USER_SAID)}, "hours"),
        ("hours", {"hours": FromTask(TaskId("t0"))}, None),  # no result is put aside
        ("days", {}, None),  # it has no such parameter
    ],
)
def test_what_a_tool_asks_for_is_a_question(asks: str, given: dict[str, Argument], asked: str | None) -> None:
    reminds = replace(tool(A), parameters=(Parameter("hours", ValueType(ValueKind.HOURS), False, ""),))
    error = {"code": "timers.when", "message": "When?", "hint": "Say it."}
    refused = Outcome(T1, False, error=error, offered=Offered("", (), asks))
    question = recovery.which_one(Plan((Task(T1, A, given),), "en"), refused, {}, reminds)
    assert (question and (question.parameter, question.text)) == (asked and (asked, "When? Say it."))
