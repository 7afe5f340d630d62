"""What decides where something goes is a sink, whatever a skill says of itself."""

from __future__ import annotations

import pytest

from skills.model import ParamRole, ValueKind
from skills.roles import decides, role_of

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


@pytest.mark.parametrize(
    "name",
    ["destination", "empfaenger", "emails", "sendTo", "email2", "kontonummer", "zielkonto", "chat", "an", "thing",
     "name", "options", "code", "IBANs"],
)  # fmt: skip
def test_of_a_tool_that_acts_every_text_decides_that_is_no_content(name: str) -> None:
    assert decides("forward", name, ValueKind.TEXT)
    assert not decides("forward", name, ValueKind.BOOLEAN)


@pytest.mark.parametrize(
    "name",
    ["text", "body", "messages", "title", "issueTitle", "betreff", "beschreibung", "query", "due_date", "startTime",
     "event_id", "first_name", "city", "currency", "labels", "notiztitel_text"],
)  # fmt: skip
def test_content_and_data_decide_nothing(name: str) -> None:
    assert not decides("forward", name, ValueKind.TEXT)


def test_a_number_decides_where_it_says_who_gets_something() -> None:
    for kind in (ValueKind.INTEGER, ValueKind.NUMBER):  # many servers call every number one
        assert decides("send", "chat_id", kind)
        assert decides("delete_event", "event_id", kind)
        assert not decides("send", "count", kind)


def test_how_much_decides_where_nothing_says_for_whom() -> None:
    for name, kind in (("amount", ValueKind.INTEGER), ("betrag", ValueKind.NUMBER), ("totalPrice", ValueKind.TEXT)):
        assert decides("pay", name, kind, ("text", "date"))
        assert not decides("pay", name, kind, ("text", "recipient"))


@pytest.mark.parametrize("tool", ["get_places", "listChats", "suche", "hole_wetter"])
def test_what_only_reads_is_asked_about_where_it_reads_from(tool: str) -> None:
    assert not decides(tool, "destination", ValueKind.TEXT)
    assert not decides(tool, "thing", ValueKind.TEXT)
    assert decides(tool, "urls", ValueKind.TEXT)


def test_a_person_may_call_a_tool_one_that_only_looks() -> None:
    assert not decides("weather", "spot", ValueKind.TEXT, safe=True)
    assert decides("weather", "spot", ValueKind.TEXT)
    assert decides("delete_spot", "spot", ValueKind.TEXT, safe=True)


def test_what_is_taken_away_decides_in_german_too() -> None:
    assert decides("loesche_termin", "nummer", ValueKind.INTEGER)
