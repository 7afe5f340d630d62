"""Authorize: exactly the rights a plan needs, from manifests and arguments alone."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from kernel.authorize import Circumstances, asked, authorize, denied, needs_of, reach_of_value, within
from kernel.model import Constant, FromTask, Plan, Task, TaskId
from permissions import default_policy, new_grant, private_places
from permissions.labels import USER_SAID
from permissions.model import Action, GrantMode, Principal, Right, Verdict
from skills.model import EffectClass, Parameter, RightTemplate, Skill, SkillId, Tool, ToolId, ValueKind, ValueType

HOME = "/home/u"


def tool(name: str, parameters: dict[str, ValueKind], *rights: tuple[str, str], effect: str = "idempotent") -> Tool:
    return Tool(
        ToolId(f"demo.{name}"), SkillId("demo"), name, name, EffectClass(effect),
        tuple(Parameter(n, ValueType(kind, many=kind is ValueKind.FILE), False, "") for n, kind in parameters.items()),
        ValueType(ValueKind.FILE, many=True), (), tuple(RightTemplate(a, s, f"to {a}") for a, s in rights),
    )  # fmt: skip


LOOK = tool("look", {"folder": ValueKind.FOLDER}, ("fs.read", "{folder|~}/**"), effect="pure")
READ = tool("read", {"files": ValueKind.FILE}, ("fs.read", "{files}"), effect="pure")
SHIFT = tool(
    "shift", {"files": ValueKind.FILE, "to": ValueKind.FOLDER},
    ("fs.read", "{files}"), ("fs.delete", "{files}"), ("fs.create", "{to}/**"),
)  # fmt: skip
WRITE = tool("write", {"title": ValueKind.TITLE}, ("fs.create", "~/Notes/{title}.md"))
BESIDE = tool("beside", {"table": ValueKind.TABLE}, ("fs.read", "{table}"), ("fs.create", "{table:folder}/**"))
TOOLS = {t.id: t for t in (LOOK, READ, SHIFT, WRITE, BESIDE)}
DEMO = Skill(SkillId("demo"), "1", "Demo", "", "/x", "hash", True, tuple(TOOLS.values()))
POLICY = default_policy(HOME, private_places(HOME, []))
AROUND = Circumstances(
    tool=TOOLS.__getitem__, skill=lambda _: DEMO, policy=POLICY, run="r", home=HOME, now_s=0, resolve=os.path.normpath
)


def said(value: Any) -> Constant:
    return Constant(value, USER_SAID)


def plan(*tasks: tuple[Tool, dict[str, Any]]) -> Plan:
    return Plan(tuple(Task(TaskId(f"t{n}"), t.id, args) for n, (t, args) in enumerate(tasks, 1)), "en")


def needs(one: Plan) -> list[set[str]]:
    return [{str(right) for right in rights.needs} for rights in authorize(one, AROUND).tasks]


def test_a_template_is_filled_with_the_argument_or_its_default() -> None:
    assert needs(plan((LOOK, {"folder": said({"path": f"{HOME}/Downloads"})}))) == [{"fs.read:/home/u/Downloads/**"}]
    assert needs(plan((LOOK, {}))) == [{"fs.read:/home/u/**"}]
    assert needs(plan((WRITE, {"title": said("big files")}))) == [{"fs.create:/home/u/Notes/big files.md"}]


def test_a_title_cannot_climb_out_of_its_folder() -> None:
    (found,) = needs(plan((WRITE, {"title": said("../../.ssh/authorized_keys")})))
    assert found == {"fs.create:/home/u/Notes/.. .. .ssh authorized_keys.md"}


def test_several_values_are_several_rights_and_covered_ones_are_said_once() -> None:
    files = [{"path": f"{HOME}/a/x.pdf"}, {"path": f"{HOME}/b/y.pdf"}]
    assert needs(plan((READ, {"files": said(files)}))) == [{"fs.read:/home/u/a/x.pdf", "fs.read:/home/u/b/y.pdf"}]
    moved = needs(plan((SHIFT, {"files": said(files), "to": said({"path": f"{HOME}/a"})})))
    assert "fs.create:/home/u/a/**" in moved[0]


def test_what_comes_from_an_earlier_task_reaches_as_far_as_that_task_could() -> None:
    one = plan((LOOK, {"folder": said({"path": f"{HOME}/Downloads"})}), (READ, {"files": FromTask(TaskId("t1"))}))
    assert needs(one) == [{"fs.read:/home/u/Downloads/**"}] * 2


def test_beside_a_table_means_its_folder() -> None:
    (found,) = needs(plan((BESIDE, {"table": said({"source": f"{HOME}/data/sales.csv"})})))
    assert found == {"fs.read:/home/u/data/sales.csv", "fs.create:/home/u/data/**"}


def test_the_strictest_verdict_is_the_plan_s() -> None:
    look = (LOOK, {"folder": said({"path": f"{HOME}/Downloads"})})
    elsewhere = (LOOK, {"folder": said({"path": "/home/other"})})
    assert authorize(plan(look), AROUND).verdict == Verdict.ASK
    both = authorize(plan(look, elsewhere), AROUND)
    assert both.verdict == Verdict.DENY
    assert [task for task, _ in denied(both)] == ["t2"]
    assert [task for task, _ in asked(both)] == ["t1"]
    held = POLICY.with_grant(
        new_grant(Principal("demo", "hash", "", "r", ""), Right(Action.FS_READ, HOME, True), GrantMode.ALWAYS, 0)
    )
    assert authorize(plan(look), replace(AROUND, policy=held)).verdict == Verdict.ALLOW
    assert authorize(plan(), AROUND).verdict == Verdict.ALLOW


def test_links_are_resolved_before_anything_is_decided() -> None:
    around = replace(AROUND, resolve=lambda path: path.replace("/home/u/link", "/etc"))
    assert authorize(plan((LOOK, {"folder": said({"path": f"{HOME}/link"})})), around).verdict == Verdict.DENY


def test_named_paths_are_the_ones_in_the_request() -> None:
    one = plan((LOOK, {}), (SHIFT, {"files": FromTask(TaskId("t1")), "to": said({"path": f"{HOME}/Archive"})}))
    assert [rights.named for rights in authorize(one, AROUND).tasks] == [(), ("/home/u/Archive",)]


@pytest.mark.parametrize(
    ("path", "inside"),
    [(f"{HOME}/Downloads/a.pdf", True), (f"{HOME}/Downloads-2/a.pdf", False), ("/etc/passwd", False)],
)
def test_a_call_s_concrete_rights_must_lie_inside_what_was_decided(path: str, inside: bool) -> None:
    one = plan((LOOK, {"folder": said({"path": f"{HOME}/Downloads"})}), (READ, {"files": FromTask(TaskId("t1"))}))
    held = authorize(one, AROUND).tasks[1]
    concrete = needs_of(READ, {"files": reach_of_value(READ, "files", [{"path": path}])}, AROUND)
    assert (within([right for right, _ in concrete], held) == ()) is inside


WORK = replace(
    tool("work", {"folder": ValueKind.FOLDER}, ("fs.read", "{folder}/**"), ("fs.write", "{folder}/**"), effect="once"),
    works_in=("folder",),
)


@pytest.mark.parametrize("mode", [GrantMode.ALWAYS, GrantMode.RUN])
def test_of_a_tool_that_asks_always_a_standing_grant_does_not_answer(mode: GrantMode) -> None:
    principal = Principal("demo", "hash", WORK.id, "r", "t1")
    rights = [Right(action, f"{HOME}/Projects", True) for action in (Action.FS_READ, Action.FS_WRITE)]
    policy = POLICY.with_grants([new_grant(principal, right, mode, 0) for right in rights])
    for one, verdict in (
        (WORK, Verdict.ASK if mode is GrantMode.ALWAYS else Verdict.ALLOW),
        (replace(WORK, effect=EffectClass.IDEMPOTENT), Verdict.ALLOW),
        (replace(WORK, works_in=()), Verdict.ALLOW),
    ):
        around = replace(AROUND, policy=policy, tool={WORK.id: one}.__getitem__)
        assert authorize(plan((one, {"folder": said({"path": f"{HOME}/Projects"})})), around).verdict is verdict
