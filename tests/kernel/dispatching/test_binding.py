"""Binding: values flow between tasks by type, and what does not fit says why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kernel.dispatching.binding import as_text, bind, fit, label_of, project
from kernel.errors import TaskFailed
from kernel.model import Constant, FromTask, Outcome, Task, TaskId
from permissions.labels import USER_SAID, Integrity, Label
from skills.model import EffectClass, Parameter, ParamRole, SkillId, Tool, ToolId, ValueKind, ValueType

T1 = TaskId("t1")
FILES = [{"path": "/h/a b.pdf", "size_bytes": 5}, {"path": "/h/c.pdf", "size_bytes": 7}]


def parameter(kind: ValueKind, many: bool = False) -> Parameter:
    return Parameter("value", ValueType(kind, many), True, "")


def out(value: Any) -> Outcome:
    return Outcome(T1, True, value, label=Label())


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (FromTask(T1), FILES),
        (FromTask(T1, "name"), ["a b.pdf", "c.pdf"]),
        (FromTask(T1, "size_bytes"), [5, 7]),
        (FromTask(T1, index=1), FILES[1]),
        (FromTask(T1, index=-1), FILES[1]),
        (FromTask(T1, "folder", 0), "/h"),
        (FromTask(T1, "suffix", 0), ".pdf"),
    ],
)
def test_projecting(reference: FromTask, expected: Any) -> None:
    assert project(out(FILES), reference) == expected


def test_projecting_a_record() -> None:
    assert project(out({"fields": {"amount": 3}}), FromTask(T1, "amount")) == 3
    assert project(out({"amount": 3}), FromTask(T1, "amount")) == 3
    with pytest.raises(TaskFailed, match="no due date"):
        project(out({"amount": 3}), FromTask(T1, "due_date"))


def test_a_value_that_an_earlier_step_did_not_find_is_said_to_be_missing() -> None:
    tool = Tool(
        ToolId("calc.between"), SkillId("calc"), "between", "", EffectClass.PURE, (parameter(ValueKind.DATE),),
        ValueType(ValueKind.INTEGER), (), (),
    )  # fmt: skip
    task = Task(TaskId("t2"), tool.id, {"value": FromTask(T1, "date")}, (T1,), "")
    with pytest.raises(TaskFailed, match="The step before has no date") as refused:
        bind(task, tool, {T1: out({"date": None, "value": "three months"})})
    assert refused.value.de.endswith("nicht: date.")
    assert bind(task, tool, {T1: out({"date": "2026-01-02"})})[0] == {"value": "2026-01-02"}


@pytest.mark.parametrize(("value", "index"), [([], 0), (FILES, 2), (FILES, -3)])
def test_pointing_past_the_end_says_how_many_there_were(value: Any, index: int) -> None:
    with pytest.raises(TaskFailed):
        project(out(value), FromTask(T1, index=index))


@pytest.mark.parametrize(
    ("value", "kind", "many", "expected"),
    [
        ([FILES[0]], ValueKind.FILE, False, FILES[0]),
        (FILES[0], ValueKind.FILE, True, [FILES[0]]),
        ("/h/x", ValueKind.FOLDER, False, {"path": "/h/x"}),
        (FILES[0], ValueKind.TABLE, False, {"columns": [], "rows": [], "source": "/h/a b.pdf"}),
        (
            [{"a": 1}, {"a": 2, "b": 3}],
            ValueKind.TABLE,
            False,
            {"columns": ["a", "b"], "rows": [[1, None], [2, 3]], "source": ""},
        ),
        (FILES, ValueKind.TABLE, False, None),
        ({"amount": 3}, ValueKind.RECORD, False, {"fields": {"amount": 3}}),
        (3, ValueKind.RECORD, False, {"fields": {"value": 3}}),
        (["a", "b"], ValueKind.TEXT, False, "a\nb"),
        (FILES, ValueKind.TEXT, False, "a b.pdf\nc.pdf"),
        (5, ValueKind.INTEGER, False, 5),
    ],
)
def test_fitting(value: Any, kind: ValueKind, many: bool, expected: Any) -> None:
    if expected is None:
        with pytest.raises(TaskFailed):
            fit(value, parameter(kind, many))
        return
    assert fit(value, parameter(kind, many)) == expected


@pytest.mark.parametrize(("value", "word"), [([], "nothing"), (FILES, "2")])
def test_one_wanted_and_none_or_several_found(value: Any, word: str) -> None:
    with pytest.raises(TaskFailed, match=word):
        fit(value, parameter(ValueKind.FILE))


@pytest.mark.parametrize(("kind", "many"), [(ValueKind.TEXT, False), (ValueKind.FILE, True)])
def test_of_nothing_found_no_message_is_sent(kind: ValueKind, many: bool) -> None:
    sent = Parameter("value", ValueType(kind, many), False, "", ParamRole.PAYLOAD)
    tool = Tool(
        ToolId("d.t"), SkillId("d"), "t", "", EffectClass.ONCE, (sent,), ValueType(ValueKind.TEXT), (), ()
    )  # fmt: skip
    task = Task(TaskId("t2"), tool.id, {"value": FromTask(T1)})
    with pytest.raises(TaskFailed, match="found nothing"):
        bind(task, tool, {T1: out([])})
    kept, _ = bind(task, replace(tool, effect=EffectClass.IDEMPOTENT), {T1: out([])})
    assert not kept["value"]


def test_text_is_what_a_person_would_write() -> None:
    assert as_text({"columns": ["a", "b"], "rows": [[1, None]]}) == "a\tb\n1\t"
    assert as_text({"fields": {"due_date": "2026-01-02", "vendor": None}}) == "due date: 2026-01-02"
    assert as_text(True) == "yes"


def test_labels_join_and_a_tool_s_output_is_never_the_user_s_word() -> None:
    tool = Tool(
        ToolId("d.t"), SkillId("d"), "t", "", EffectClass.PURE,
        (Parameter("a", ValueType(ValueKind.TEXT), True, ""), Parameter("b", ValueType(ValueKind.TEXT), True, "")),
        ValueType(ValueKind.TEXT), (), (),
    )  # fmt: skip
    task = Task(TaskId("t2"), tool.id, {"a": Constant("x", USER_SAID), "b": FromTask(T1, "name", 0)})
    values, labels = bind(task, tool, {T1: out(FILES)})
    assert values == {"a": "x", "b": "a b.pdf"}
    assert labels["a"] == USER_SAID
    assert labels["b"].integrity is Integrity.UNTRUSTED
    assert label_of({"a": USER_SAID}).integrity is Integrity.UNTRUSTED


@pytest.mark.parametrize(
    ("reference", "kind", "expected"),
    [
        (FromTask(T1, "size_bytes", 0), ValueKind.TEXT, "5 bytes"),
        (FromTask(T1, "size_bytes"), ValueKind.TEXT, "5 bytes\n7 bytes"),
        (FromTask(T1, "size_bytes", 0), ValueKind.INTEGER, 5),
    ],
)
def test_a_number_of_bytes_goes_into_a_text_with_its_unit(reference: FromTask, kind: ValueKind, expected: Any) -> None:
    result = ValueType(ValueKind.TEXT)
    tool = Tool(ToolId("d.t"), SkillId("d"), "t", "", EffectClass.PURE, (parameter(kind),), result, (), ())
    assert bind(Task(T1, tool.id, {"value": reference}), tool, {T1: out(FILES)})[0] == {"value": expected}


def test_of_one_record_its_value_is_written_down_and_of_several_everything() -> None:
    asked = {"name": "Lena", "value": "0170 998877", "file": {"path": "/h/Lena.vcf"}}
    text = parameter(ValueKind.TEXT)
    assert fit(asked, text) == "0170 998877"
    assert fit({"fields": asked}, text) == "0170 998877"
    assert fit({"value": 0, "text": "none"}, text) == "0"
    assert fit({"value": None, "text": "3 May", "column": "day"}, text) == "3 May"
    assert fit({"value": "", "name": "Lena"}, text) == "value: \nname: Lena"  # everything was asked for
    assert fit({"text": "hello", "sender": "Lena"}, text) == "text: hello\nsender: Lena"
    assert fit([asked, {**asked, "name": "Vogt"}], text).count("name: ") == 2
    assert "name: Lena" in as_text(asked)  # what a condition looks into, and what is shown to choose from


def test_records_are_the_rows_of_a_table_and_one_alone_is_a_row() -> None:
    rows = [{"day": "2026-03-13", "start": "10:00"}]
    assert fit(rows, parameter(ValueKind.TABLE)) == {
        "columns": ["day", "start"], "rows": [["2026-03-13", "10:00"]], "source": ""
    }  # fmt: skip
    assert len(fit(rows * 2, parameter(ValueKind.TABLE))["rows"]) == 2
    with pytest.raises(TaskFailed, match="found 2"):
        fit(FILES, parameter(ValueKind.TABLE))
