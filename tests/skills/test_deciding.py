"""What stands inside of a record decides as it would by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from skills.deciding import deciding_parts, may_decide
from skills.mcp.mapping import parameters_of
from skills.model import EffectClass, ParamRole, SkillId, Tool, ToolId, ValueKind, ValueType

RECORD = {"type": "object"}
SCHEMA = {"properties": {"options": RECORD, "rows": {"type": "array", "items": RECORD}, "destination": RECORD,
                         "body": RECORD, "text": {"type": "string"}}}  # fmt: skip


def tool(effect: EffectClass = EffectClass.ONCE, name: str = "submit") -> Tool:
    return Tool(ToolId("s.do"), SkillId("s"), name, "", effect, parameters_of(name, SCHEMA),
                ValueType(ValueKind.TEXT), (), ())  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("options", {"to": "a@b"}, (("options.to", "a@b"),)),
        ("options", {"fields": {"to": "a@b", "text": "x"}}, (("options.to", "a@b"),)),
        ("options", {"mail": {"cc": ["a", "b"]}}, (("options.mail.cc", "a"), ("options.mail.cc", "b"))),
        ("options", {"text": "x", "count": 3, "loud": True, "none": None}, ()),
        ("options", {"amount": 9}, ()),
        ("options", {"amount": 9, "to": "a"}, (("options.to", "a"),)),
        ("rows", [{"title": "x"}, {"url": "u"}], (("rows.url", "u"),)),
        ("destination", {"x": "y"}, (("destination.x", "y"),)),
        ("body", {"x": "y"}, ()),
        ("body", {"an": "a@b", "x": "y"}, (("body.an", "a@b"),)),
        ("body", {"chat": 42.0, "ratio": 0.5}, (("body.chat", 42.0),)),
        ("text", "x", ()),
    ],
)
def test_the_parts_that_decide(name: str, value: Any, found: Any) -> None:
    assert deciding_parts(tool(), name, value) == found


def test_what_lies_deeper_than_anybody_looks_decides_as_a_whole() -> None:
    deep: Any = "x"
    for _ in range(100):
        deep = {"text": deep}
    assert deciding_parts(tool(), "options", deep)


def test_how_much_decides_in_a_record_too_where_nothing_says_for_whom() -> None:
    pay = replace(tool(), parameters=tuple(one for one in tool().parameters if one.name != "destination"))
    assert deciding_parts(pay, "options", {"amount": 9}) == (("options.amount", 9),)
    assert deciding_parts(pay, "options", {"amount": 9, "to": "a"}) == (("options.to", "a"),)


def test_a_record_may_decide_and_a_text_that_is_content_may_not() -> None:
    assert [one.name for one in tool().parameters if may_decide(one)] == ["options", "rows", "destination", "body"]


def test_what_only_looks_has_no_parts_but_addresses() -> None:
    value = {"thing": "x", "url": "u"}
    assert deciding_parts(tool(EffectClass.PURE), "options", value) == (("options.url", "u"),)


def test_a_list_of_addresses_is_one_by_its_format() -> None:
    schema = {"properties": {"text": {"type": "array", "items": {"type": "string", "format": "email"}}}}
    assert parameters_of("get_it", schema)[0].role is ParamRole.SINK
