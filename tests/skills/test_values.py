from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.errors import BadResult
from skills.model import ValueKind, ValueType
from skills.sdk import Condition, File, Folder, Hours, Period, Quantity, Record, Size, Table
from skills.values import check, to_json, to_python

_TEXT = st.text(max_size=20)
_PATH = st.text(st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1).map(
    "/home/".__add__
)
_DAYS = st.dates()
_CLOCK = st.builds(time, st.integers(0, 23), st.integers(0, 59))
_VALUES: dict[ValueKind, st.SearchStrategy[Any]] = {
    ValueKind.TEXT: _TEXT,
    ValueKind.TITLE: _TEXT,
    ValueKind.QUERY: _TEXT,
    ValueKind.EXPRESSION: _TEXT,
    ValueKind.UNIT: _TEXT,
    ValueKind.COLUMN: _TEXT,
    ValueKind.URL: _TEXT,
    ValueKind.NEW_FILE: _PATH,
    ValueKind.INTEGER: st.integers(),
    ValueKind.NUMBER: st.floats(allow_nan=False, allow_infinity=False),
    ValueKind.BOOLEAN: st.booleans(),
    ValueKind.FILE: st.builds(File, _PATH, st.integers(0, 1 << 60), st.none() | st.datetimes(timezones=st.just(UTC))),
    ValueKind.FOLDER: st.builds(Folder, _PATH),
    ValueKind.DATE: _DAYS,
    ValueKind.PERIOD: st.builds(Period, st.none() | _DAYS, st.none() | _DAYS),
    ValueKind.HOURS: st.builds(Hours, _CLOCK, st.none() | _CLOCK, st.booleans()),
    ValueKind.RECURRENCE: _TEXT,
    ValueKind.SIZE: st.builds(Size, st.none() | st.integers(0), st.none() | st.integers(0)),
    ValueKind.DURATION: st.integers(0, 10**9).map(lambda seconds: timedelta(seconds=seconds)),
    ValueKind.QUANTITY: st.builds(Quantity, st.decimals(allow_nan=False, allow_infinity=False), _TEXT),
    ValueKind.CONDITION: st.builds(Condition, _TEXT, st.sampled_from(["=", "contains"]), _TEXT),
    ValueKind.TABLE: st.builds(
        Table, st.just(("a", "b")), st.lists(st.tuples(_TEXT, st.integers())).map(tuple), st.just("/x.csv")
    ),
    ValueKind.RECORD: st.builds(Record, st.dictionaries(_TEXT, st.integers() | _TEXT)),
}


@pytest.mark.parametrize("kind", list(_VALUES))
@given(data=st.data())
def test_a_value_survives_the_way_to_a_tool_and_back(kind: ValueKind, data: st.DataObject) -> None:
    value = data.draw(_VALUES[kind])
    declared = ValueType(kind)
    wire = json.loads(json.dumps(to_json(value)))
    check(wire, declared)
    assert to_python(wire, declared, "x") == value


def test_every_kind_has_a_way() -> None:
    assert set(_VALUES) | {ValueKind.CHOICE, ValueKind.ANY} == set(ValueKind)
    for kind in ValueKind:
        to_python(None, ValueType(kind), "x")
        check(None, ValueType(kind))


def test_one_stands_for_a_list_of_one() -> None:
    many = ValueType(ValueKind.FILE, many=True)
    assert to_python("/a", many, "x") == [File("/a")]
    assert to_python([{"path": "/a"}, "/b"], many, "x") == [File("/a"), File("/b")]


def test_a_file_is_a_table_that_is_read_later() -> None:
    for value in ({"path": "/a.csv"}, "/a.csv", {"columns": [], "rows": [], "source": "/a.csv"}):
        assert to_python(value, ValueType(ValueKind.TABLE), "x") == Table((), (), "/a.csv")


def test_a_file_carries_its_implied_fields() -> None:
    file = File("/home/u/Big File.PDF", 3, datetime(2025, 1, 2, tzinfo=UTC))
    assert to_json(file) == {
        "path": "/home/u/Big File.PDF",
        "name": "Big File.PDF",
        "size_bytes": 3,
        "modified": "2025-01-02T00:00:00+00:00",
        "folder": "/home/u",
        "stem": "Big File",
        "suffix": ".pdf",
    }


@dataclass
class _Total:
    amount: Decimal
    when: date
    files: list[File]


def test_a_record_of_a_skill_becomes_its_fields() -> None:
    value = to_json(_Total(Decimal("1.50"), date(2025, 1, 2), [File("/a")]))
    kind = ValueType(
        ValueKind.RECORD,
        fields={
            "amount": ValueType(ValueKind.NUMBER),
            "when": ValueType(ValueKind.DATE),
            "files": ValueType(ValueKind.FILE, many=True),
        },
    )
    check(value, kind)
    assert (value["amount"], value["when"], value["files"][0]["name"]) == ("1.50", "2025-01-02", "a")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("x", ValueKind.INTEGER),
        (True, ValueKind.INTEGER),
        (1.5, ValueKind.INTEGER),
        (float("inf"), ValueKind.NUMBER),
        ("1", ValueKind.BOOLEAN),
        ({}, ValueKind.FILE),
        ("", ValueKind.FILE),
        ("/a\0b", ValueKind.FILE),
        ({"path": "/a", "modified": "yesterday"}, ValueKind.FILE),
        ("tomorrow", ValueKind.DATE),
        ([1], ValueKind.TEXT),
        ({"value": "five", "unit": "m"}, ValueKind.QUANTITY),
        ({"column": "a"}, ValueKind.CONDITION),
        ("blue", ValueKind.CHOICE),
    ],
)
def test_an_argument_that_does_not_fit_is_refused_by_name(value: Any, kind: ValueKind) -> None:
    with pytest.raises(BadResult, match="The value for speed") as caught:
        to_python(value, ValueType(kind, choices=("red",) if kind is ValueKind.CHOICE else ()), "speed")
    assert caught.value.code == "result.argument"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("relative", ValueType(ValueKind.FILE)),
        ({"name": "a"}, ValueType(ValueKind.FILE)),
        (3, ValueType(ValueKind.TEXT)),
        ("x", ValueType(ValueKind.TEXT, many=True)),
        (["x", 3], ValueType(ValueKind.TEXT, many=True)),
        (True, ValueType(ValueKind.INTEGER)),
        ("nan", ValueType(ValueKind.NUMBER)),
        ("2025-13-01", ValueType(ValueKind.DATE)),
        ({}, ValueType(ValueKind.RECORD, fields={"total": ValueType(ValueKind.NUMBER)})),
        ({"total": "much"}, ValueType(ValueKind.RECORD, fields={"total": ValueType(ValueKind.NUMBER)})),
        ({"columns": ["a"], "rows": [[1, 2]]}, ValueType(ValueKind.TABLE)),
        ({"columns": ["a"], "rows": [[{}]]}, ValueType(ValueKind.TABLE)),
        ("blue", ValueType(ValueKind.CHOICE, choices=("red",))),
    ],
)
def test_a_result_that_does_not_fit_is_refused(value: Any, kind: ValueType) -> None:
    with pytest.raises(BadResult, match="The tool declares"):
        check(value, kind)


def test_what_has_no_json_form_is_refused() -> None:
    with pytest.raises(BadResult, match="returned a object"):
        to_json(object())
    deep: list[Any] = []
    deep.append(deep)
    with pytest.raises(BadResult, match="nested"):
        to_json(deep)


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_JSON, st.sampled_from(list(ValueKind)), st.booleans())
def test_any_json_is_accepted_or_refused_and_nothing_else(value: Any, kind: ValueKind, many: bool) -> None:
    declared = replace(ValueType(kind), many=many)
    for act in (lambda: check(value, declared), lambda: to_python(value, declared, "x")):
        try:
            act()
        except BadResult:
            continue


@given(st.text(st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1))
def test_the_parts_of_a_path_are_those_of_pathlib(name: str) -> None:
    file, pure = File(f"/home/u/{name}"), PurePosixPath(f"/home/u/{name}")
    if name in (".", ".."):
        return
    assert (file.name, file.folder) == (pure.name, str(pure.parent))
    assert (file.stem, file.suffix) == (pure.stem, pure.suffix.lower())
