"""Which tools a dry run calls: none that does what its transaction does not hold."""

from __future__ import annotations

import string
from dataclasses import replace

import pytest

from kernel.calling.doors import DOORS
from kernel.opening import BUILTIN, KERNELS
from kernel.trying import acts_outside
from kernel.trying.sayings import _SAID
from permissions.model import Action
from skills import Registry
from skills.model import EffectClass, RightTemplate, Served, Tool, ToolId

REGISTRY = Registry([BUILTIN, KERNELS])
TOOLS: dict[str, Tool] = {tool.id: tool for skill in REGISTRY.skills() for tool in skill.tools}


@pytest.mark.parametrize("tool", [
    "mail.send", "mail.reply", "mail.forward", "desktop.notify", "shell.run", "system.stop",
])  # fmt: skip
def test_what_sends_shows_opens_ends_or_runs_something_is_only_named(tool: str) -> None:
    assert acts_outside(TOOLS[tool], REGISTRY.tool)


@pytest.mark.parametrize("tool", ["files.move", "notes.add", "timers.remind", "data.total", "web.read", "files.delete"])
def test_what_the_transaction_holds_is_called(tool: str) -> None:
    assert not acts_outside(TOOLS[tool], REGISTRY.tool)


def test_no_tool_that_is_called_may_act_at_a_door_of_the_daemon() -> None:
    """Whatever a manifest asks for: the doors that change something open to ``once`` tools alone."""
    assert any(door.changes for door in DOORS.values())
    called = [tool for tool in TOOLS.values() if not acts_outside(tool, REGISTRY.tool)]
    assert not [tool.id for tool in called if tool.effect is EffectClass.ONCE]
    stops = {Action.SYSTEM_STOP, Action.DESKTOP_OPEN}
    assert not [tool.id for tool in called if any(right.action in stops for right in tool.rights)]


def test_a_server_a_model_and_a_tool_that_works_in_a_folder_itself_are_only_named() -> None:
    plain = TOOLS["notes.add"]
    served = Served("move", {}, None, {}, "0" * 64)
    assert acts_outside(replace(plain, served=served), REGISTRY.tool)
    assert not acts_outside(replace(plain, served=served, effect=EffectClass.PURE), REGISTRY.tool)
    assert acts_outside(replace(plain, followed=True), REGISTRY.tool)
    assert acts_outside(replace(plain, works_at=("folder",)), REGISTRY.tool)


def test_a_tool_that_calls_such_a_one_is_only_named() -> None:
    served = replace(TOOLS["notes.add"], id=ToolId("far.move"), served=Served("move", {}, None, {}, "0" * 64))

    def known(name: ToolId) -> Tool:
        return served if name == served.id else REGISTRY.tool(name)

    def calls(name: str) -> Tool:
        return replace(TOOLS["notes.add"], rights=(RightTemplate(str(Action.SKILL_CALL), name, "to move it"),))

    assert acts_outside(calls("far.move"), known)
    assert not acts_outside(calls("notes.add"), known)
    assert not acts_outside(calls("nobody.knows"), known)


def test_both_languages_say_the_same_things() -> None:
    def fields(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english, german = _SAID["en"], _SAID["de"]
    assert list(german) == list(english)
    for key, text in english.items():
        assert (fields(german[key]), german[key] != text) == (fields(text), True), key
