"""A tool hands on to a sink what a person answers for, and what Steward's own tools found; nothing else decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kernel.calling.conditions import decided
from kernel.calling.deciding import Answered, sinks_of
from kernel.calling.wording import read_question
from kernel.errors import TaskFailed
from skills.model import EffectClass, Parameter, ParamRole, SkillId, Tool, ToolId, ValueKind, ValueType


def tool(*parameters: Parameter, result: ValueType | None = None) -> Tool:
    return Tool(ToolId("a.b"), SkillId("a"), "b", "", EffectClass.PURE, parameters,
                result or ValueType(ValueKind.TEXT), (), ())  # fmt: skip


def parameter(name: str, kind: ValueKind, role: ParamRole = ParamRole.SINK, *, many: bool = False) -> Parameter:
    return Parameter(name, ValueType(kind, many), True, "", role)


TO = parameter("to", ValueKind.FOLDER)
URL = parameter("url", ValueKind.URL)
COMMAND = parameter("command", ValueKind.TEXT)
FILES = parameter("files", ValueKind.FILE, many=True)
ASKED = {"to": {"path": "/home/u/A", "name": "A"}, "url": "https://example.org/x", "command": None,
         "text": "rm -rf"}  # fmt: skip
CALLER = tool(TO, URL, COMMAND, parameter("text", ValueKind.TEXT, ParamRole.PAYLOAD))


@pytest.mark.parametrize(
    ("given", "value", "may"),
    [
        (TO, {"path": "/home/u/A"}, True),
        (TO, {"path": "/home/u/B"}, False),
        (TO, {"path": "/home/u/A/below"}, False),
        (URL, "https://example.org/x", True),
        (URL, "https://example.org/x?more", False),
        (COMMAND, "rm -rf", False),  # it was no sink of the caller's
        (COMMAND, "https://example.org/x", False),  # it was another kind of value when the person saw it
        (FILES, [], False),
        (FILES, [{"path": "/home/u/A"}], False),
        (COMMAND, None, True),
    ],
)
def test_only_what_filled_a_sink_of_the_same_kind_is_handed_on(given: Parameter, value: Any, may: bool) -> None:
    assert Answered(sinks_of(CALLER, ASKED)).for_all_of(given, value) is may


def test_a_file_that_was_found_is_the_file_itself() -> None:
    known = Answered(frozenset())
    known.note(tool(result=ValueType(ValueKind.FILE, True)), [{"path": "/home/u/a.pdf"}, {"path": "/home/u/b.pdf"}])
    assert known.for_all_of(FILES, [{"path": "/home/u/a.pdf"}])
    assert not known.for_all_of(FILES, [{"path": "/home/u/a.pdf"}, {"path": "/home/u/thesis.txt"}])
    known.note(tool(), "/home/u/thesis.txt")  # a text, whatever it looks like
    assert not known.for_all_of(FILES, [{"path": "/home/u/thesis.txt"}])
    assert not known.for_all_of(COMMAND, "/home/u/a.pdf")


def question(of: Any, measure: str = "count", comparison: str = ">", value: Any = 1, field: str = "") -> bytes:
    given = {"of": of, "measure": measure, "comparison": comparison, "value": value}
    return json.dumps({"tool": "holds", "arguments": given, "parts": {"of": {"field": field, "index": None}}}).encode()


@pytest.mark.parametrize(
    ("asked", "holds", "found"),
    [
        (question([1, 2]), True, "2"),
        (question([]), False, "0"),
        (question({"amount": {"value": 120, "unit": "EUR"}}, "value", ">", "100", "amount"), True, None),
        (question("an offer", "value", "contains", "OFFER"), True, "an offer"),
    ],
)
def test_a_condition_is_decided_as_in_a_plan(asked: bytes, holds: bool, found: str | None) -> None:
    said = decided(read_question(asked))
    assert said["value"] is holds
    assert found is None or said["answer"] == found


def test_what_is_no_condition_or_cannot_be_told_is_refused() -> None:
    for wrong in (question([], "length"), question([], comparison="~"), question([], value=[1]),
                  b'{"tool": "holds", "arguments": {"of": 1}}'):  # fmt: skip
        with pytest.raises(TaskFailed, match="is no call"):
            decided(read_question(wrong))
    with pytest.raises(TaskFailed, match="cannot be told"):
        decided(read_question(question("a word", "value", ">", 3)))
