"""What decides where something goes is a sink, whatever a skill says of itself."""

from __future__ import annotations

import pytest

from skills.model import ParamRole, ValueKind
from skills.roles import role_of

NET = [("net.connect", "{url:host}")]


@pytest.mark.parametrize("declared", [None, ParamRole.NEUTRAL, ParamRole.PAYLOAD])
@pytest.mark.parametrize(
    ("name", "kind", "rights"),
    [
        ("page", ValueKind.URL, [("net.connect", "{page:host}")]),
        ("server", ValueKind.TEXT, [("net.connect", "{server}")]),
        ("what", ValueKind.TITLE, [("system.stop", "{what}")]),
        ("where", ValueKind.QUERY, [("desktop.open", "{where}")]),
        ("file", ValueKind.FILE, [("desktop.open", "{file}")]),
        ("which", ValueKind.INTEGER, [("system.stop", "{which}")]),
    ],
)
def test_a_skill_cannot_say_that_what_reaches_outward_decides_nothing(
    name: str, kind: ValueKind, rights: list[tuple[str, str]], declared: ParamRole | None
) -> None:
    assert role_of(name, kind, declared, rights) is ParamRole.SINK
    assert role_of(name, kind, ParamRole.PAYLOAD, []) is ParamRole.PAYLOAD  # the control: without the right


@pytest.mark.parametrize("name", ["url", "email", "webhook", "to", "reply_to", "shell_command"])
def test_where_nothing_is_said_the_name_says_it(name: str) -> None:
    assert role_of(name, ValueKind.TEXT, None, []) is ParamRole.SINK


@pytest.mark.parametrize(
    ("name", "kind"),
    [("text", ValueKind.TEXT), ("tomorrow", ValueKind.TEXT), ("to", ValueKind.UNIT), ("address", ValueKind.QUERY),
     ("file", ValueKind.FILE), ("title", ValueKind.TITLE)],
)  # fmt: skip
def test_content_and_things_to_look_for_are_none(name: str, kind: ValueKind) -> None:
    assert role_of(name, kind, None, NET) is ParamRole.NEUTRAL
