"""How tools are described to a client: valid schemas that say what is checked, effects that do not flatter."""

from __future__ import annotations

import json

import pytest

from kernel.clients.calls import plan_of
from kernel.clients.describing import OWN_VIEWS, hints, input_schema, offered_name, tool_view, value_schema
from kernel.clients.model import ToolCall
from kernel.errors import BadRequest
from permissions.labels import Integrity
from permissions.model import Action
from skills.model import EffectClass, Tool, ValueKind, ValueType


def test_every_kind_of_value_has_a_schema() -> None:
    for kind in ValueKind:
        json.dumps(value_schema(ValueType(kind, many=True, choices=("a",))))


def test_every_tool_is_described_under_a_name_of_its_own(tools: tuple[Tool, ...]) -> None:
    views = [tool_view(tool) for tool in tools]
    names = [view["name"] for view in (*views, *OWN_VIEWS.values())]
    assert len(set(names)) == len(names)
    for view, tool in zip(views, tools, strict=True):
        assert view["name"].replace("-", "").replace("_", "").isalnum()
        assert len(view["name"]) <= 64
        schema = view["input_schema"]
        assert schema["required"] == [one.name for one in tool.parameters if one.required]
        assert schema["additionalProperties"] is False


def test_annotations_are_true(tools: tuple[Tool, ...]) -> None:
    for tool in tools:
        said = hints(tool)
        actions = {right.action for right in tool.rights}
        assert said["readOnlyHint"] is (tool.effect is EffectClass.PURE)
        assert said["idempotentHint"] is (tool.effect is not EffectClass.ONCE)
        if Action.FS_DELETE in actions and tool.effect is not EffectClass.PURE:
            assert said["destructiveHint"] is True, tool.id
    assert any(hints(tool)["destructiveHint"] for tool in tools)
    assert any(hints(tool)["readOnlyHint"] for tool in tools)


@pytest.mark.parametrize(
    ("name", "reads", "destroys", "repeats", "open_world"),
    [
        ("mail.send", False, True, False, True),
        ("system.stop", False, True, False, False),
        ("desktop.browse", False, True, False, True),
        ("files.find", True, False, True, False),
        ("files.delete", False, True, True, False),
    ],
)
def test_what_is_said_of_a_tool(
    tools: tuple[Tool, ...], name: str, reads: bool, destroys: bool, repeats: bool, open_world: bool
) -> None:
    assert hints(found(tools, name)) == {
        "readOnlyHint": reads, "destructiveHint": destroys, "idempotentHint": repeats, "openWorldHint": open_world,
    }  # fmt: skip


def found(tools: tuple[Tool, ...], name: str) -> Tool:
    return next(tool for tool in tools if tool.id == name)


def test_a_call_becomes_a_plan_of_one_task_with_nobody_s_word_in_it(tools: tuple[Tool, ...]) -> None:
    tool = found(tools, "files.largest")
    folder = next(one.name for one in tool.parameters if one.type.kind is ValueKind.FOLDER)
    plan = plan_of(ToolCall("claude", tool.id, {folder: "~/Downloads"}), tool, "/home/u")
    (task,) = plan.tasks
    value = task.arguments[folder]
    assert value.value["path"] == "/home/u/Downloads"
    assert value.label.integrity is Integrity.UNTRUSTED


@pytest.mark.parametrize(
    "arguments",
    [{"nope": 1}, {"folder": "../etc"}, {"folder": "Downloads"}, {"folder": 5}, {"folder": ["~/a"] * 600},
     {"folder": "/a\0b"}, {"count": "many"}, {"count": True}, {"folder": {"path": "/a/../b"}}],
)  # fmt: skip
def test_arguments_that_do_not_fit_are_refused_with_a_next_step(
    tools: tuple[Tool, ...], arguments: dict[str, object]
) -> None:
    tool = found(tools, "files.largest")
    with pytest.raises(BadRequest) as refused:
        plan_of(ToolCall("claude", tool.id, arguments), tool, "/home/u")
    assert refused.value.hint


def test_names_are_turned_back_by_looking_them_up(tools: tuple[Tool, ...]) -> None:
    assert offered_name("files.find") == "files-find"
    assert input_schema(found(tools, "files.largest"))["type"] == "object"
