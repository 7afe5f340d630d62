"""Schemas become parameters, results become values, and what a server says is made fit to be read."""

from __future__ import annotations

from typing import Any

import pytest

from skills.errors import BadResult, BadSkill
from skills.mcp.listing import listing_of
from skills.mcp.mapping import arguments_of, parameters_of, result_of, value_of
from skills.mcp.texts import first_sentence, plain
from skills.model import EffectClass, ParamRole, Served, SkillId, Tool, ToolId, ValueKind, ValueType


def one(schema: dict[str, Any], name: str = "value", tool: str = "do", whole: dict[str, Any] | None = None) -> Any:
    (found,) = parameters_of(tool, {"type": "object", "properties": {name: schema}, **(whole or {})})
    return found


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "integer"}, ValueKind.INTEGER),
        ({"type": "number"}, ValueKind.NUMBER),
        ({"type": "boolean"}, ValueKind.BOOLEAN),
        ({"type": "string"}, ValueKind.TEXT),
        ({"type": "string", "format": "date"}, ValueKind.DATE),
        ({"type": "string", "format": "date-time"}, ValueKind.TEXT),
        ({"type": "string", "format": "uri"}, ValueKind.TEXT),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, ValueKind.RECORD),
        ({}, ValueKind.TEXT),
        ({"type": ["string", "null"]}, ValueKind.TEXT),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, ValueKind.INTEGER),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, ValueKind.TEXT),
        ({"$ref": "#/$defs/Count"}, ValueKind.INTEGER),
        ({"$ref": "#/$defs/Missing"}, ValueKind.TEXT),
        ({"$ref": "https://example.org/schema.json"}, ValueKind.TEXT),
    ],
)
def test_what_a_schema_says_is_meant(schema: dict[str, Any], kind: ValueKind) -> None:
    assert one(schema, whole={"$defs": {"Count": {"type": "integer"}}}).type.kind is kind


@pytest.mark.parametrize(
    ("tool", "name", "description", "kind"),
    [
        ("git_log", "repo_path", "", ValueKind.FOLDER),
        ("list_directory", "path", "", ValueKind.FOLDER),
        ("read_text_file", "path", "", ValueKind.FILE),
        ("write_file", "path", "", ValueKind.NEW_FILE),
        ("move_file", "destination_file", "", ValueKind.NEW_FILE),
        ("search", "path", "the directory to look in", ValueKind.FOLDER),
        ("get_file_info", "path", "", ValueKind.FILE),
        ("look", "path", "", ValueKind.TEXT),
        ("say", "message", "what to write into the file", ValueKind.TEXT),
        ("convert", "profile", "", ValueKind.TEXT),
    ],
)
def test_places_are_told_by_their_names(tool: str, name: str, description: str, kind: ValueKind) -> None:
    assert one({"type": "string", "description": description}, name, tool).type.kind is kind


def test_choices_lists_and_defaults() -> None:
    unit = one({"type": "string", "enum": ["metric", "us_customary"], "default": "metric"}, "unit")
    assert (unit.type.kind, unit.type.choices, unit.default) == (
        ValueKind.CHOICE, ("metric", "us_customary"), "metric")  # fmt: skip
    assert unit.words["us_customary"] == {"en": ("us customary",)}
    files = one({"type": "array", "items": {"type": "string"}}, "files", "git_add")
    assert (files.type.kind, files.type.many) == (ValueKind.FILE, True)
    assert one({"type": "integer", "default": True}).default is None, "a wrong default is none"
    assert one({"enum": ["a", "a\u202eb"]}).type.kind is ValueKind.TEXT, "what cannot be seen is no choice"


def test_required_ones_come_first_and_must_have_a_name() -> None:
    schema = {"properties": {"b": {"type": "string"}, "a": {"type": "string"}, "$x": {}}, "required": ["a"]}
    assert [(found.name, found.required) for found in parameters_of("do", schema)] == [("a", True), ("b", False)]
    with pytest.raises(BadSkill, match="requires"):
        parameters_of("do", {**schema, "required": ["$x"]})


@pytest.mark.parametrize(
    ("name", "role"), [("url", ParamRole.SINK), ("to", ParamRole.SINK), ("text", ParamRole.NEUTRAL)]
)
def test_what_says_where_something_goes_is_guarded(name: str, role: ParamRole) -> None:
    assert one({"type": "string"}, name).role is role


@pytest.mark.parametrize(
    ("tool", "name", "kind", "role"),
    [
        ("send_email", "cc", "string", ParamRole.SINK),
        ("create_event", "participants", "array", ParamRole.SINK),
        ("postMessage", "channel", "string", ParamRole.SINK),
        ("add_member", "userName", "string", ParamRole.SINK),
        ("add_member", "user", "string", ParamRole.SINK),
        ("update_password", "password", "string", ParamRole.SINK),
        ("list_messages", "channel", "string", ParamRole.NEUTRAL),
        ("get_events", "participants", "array", ParamRole.NEUTRAL),
        ("get_page", "url", "string", ParamRole.SINK),
        ("delete_file", "file_id", "string", ParamRole.SINK),
        ("cancelEvent", "id", "integer", ParamRole.SINK),
        ("github_delete_file", "path", "string", ParamRole.SINK),
        ("move_to_trash", "name", "string", ParamRole.SINK),
        ("find_and_delete_mails", "query", "string", ParamRole.SINK),
        ("list_deleted_files", "name", "string", ParamRole.NEUTRAL),
        ("delete_file", "recursive", "boolean", ParamRole.NEUTRAL),
        ("undelete_file", "file_id", "string", ParamRole.NEUTRAL),
        ("create_event", "title", "string", ParamRole.NEUTRAL),
    ],
)
def test_who_gets_something_and_what_is_gone_is_guarded_by_both_names(
    tool: str, name: str, kind: str, role: ParamRole
) -> None:
    items = {"items": {"type": "string"}} if kind == "array" else {}
    assert one({"type": kind, **items}, name, tool).role is role


def test_a_schema_that_points_at_itself_ends() -> None:
    loop = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    assert one({"$ref": "#/$defs/a"}, whole=loop).type.kind is ValueKind.TEXT
    nested = {"type": "array", "items": {"$ref": "#/properties/value"}}
    assert one(nested).type.many


def tool(output: dict[str, Any] | None, **kinds: ValueType) -> Tool:
    served = Served("do", {}, output, {}, "")
    schema = {"properties": {name: {} for name in kinds}}
    parameters = tuple(type(found)(found.name, kinds[found.name], False, "") for found in parameters_of("do", schema))
    return Tool(ToolId("s.do"), SkillId("s"), "do", "", EffectClass.ONCE, parameters, result_of(output)[0], (), (),
                served=served)  # fmt: skip


def test_arguments_go_out_in_the_servers_form() -> None:
    made = tool(None, place=ValueType(ValueKind.FILE), rows=ValueType(ValueKind.RECORD),
                names=ValueType(ValueKind.TEXT, True), day=ValueType(ValueKind.DATE))  # fmt: skip
    given = {"place": {"path": "/h/a.txt"}, "rows": {"fields": {"a": 1}}, "names": ["x", "y"], "day": "2026-11-23"}
    assert arguments_of(made, given) == {
        "place": "/h/a.txt", "rows": {"a": 1}, "names": ["x", "y"], "day": "2026-11-23"
    }  # fmt: skip
    with pytest.raises(BadResult):
        arguments_of(made, {"day": "soon"})


@pytest.mark.parametrize(
    ("output", "structured", "found"),
    [
        (None, None, "text"),
        ({"type": "object", "properties": {"result": {"type": "integer"}}}, {"result": 3}, 3),
        ({"type": "object", "properties": {"result": {"type": "array", "items": {"type": "string"}}}},
         {"result": ["a"]}, ["a"]),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"a": "b"}, {"a": "b"}),
        ({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "required": ["a"]},
         {"a": None}, {"a": None}),
    ],
)  # fmt: skip
def test_results_are_values_of_the_declared_type(output: Any, structured: Any, found: Any) -> None:
    assert value_of(tool(output), "text", structured) == found


def test_a_result_of_another_type_is_refused() -> None:
    with pytest.raises(BadResult):
        value_of(tool({"type": "object", "properties": {"result": {"type": "integer"}}}), "", {"result": "3"})


def test_texts_are_made_fit_to_be_read() -> None:
    assert plain("a\u202eb\x1b[31m\nc", 100) == "a b [31m c"
    assert plain("x" * 100, 10) == "x" * 8 + " …"
    assert first_sentence("Do it. Then more.", 50) == "Do it."
    assert plain(7, 10) == ""


DEEP: dict[str, Any] = {}
_at = DEEP
for _ in range(60):
    _at["properties"] = {"a": {}}
    _at = _at["properties"]["a"]


@pytest.mark.parametrize(
    "said",
    [
        None,
        {},
        {"tools": []},
        {"tools": "many"},
        {"tools": [{"description": "x"}]},
        {"tools": [{"name": "a"}, {"name": "a"}]},
        {"tools": [{"name": "a\u200bb"}]},
        {"tools": [{"name": "x" * 200}]},
        {"tools": [{"name": "resources/read"}]},
        {"tools": [{"name": "resources/list"}]},
        {"tools": [{"name": "a", "inputSchema": "none"}]},
        {"tools": [{"name": "a", "inputSchema": DEEP}]},
        {"tools": [{"name": f"t{number}"} for number in range(201)]},
        {"tools": [{"name": "a", "description": "x" * (2 << 20)}]},
    ],
)
def test_a_listing_that_is_none_is_refused(said: Any) -> None:
    with pytest.raises(BadSkill):
        listing_of(said)


def test_resources_and_prompts_are_three_tools() -> None:
    found = listing_of({"tools": [], "resources": 3, "prompts": [{"name": "b"}, {"name": "a"}, {"name": "\u202e"}]})
    assert [one["name"] for one in found.tools] == ["resources/list", "resources/read", "prompts/get"]
    assert found.tools[2]["inputSchema"]["properties"]["name"]["enum"] == ["a", "b"]
