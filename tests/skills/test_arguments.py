"""Arguments out of a cell: whatever comes, what goes on is in the one form of its type, or refused."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.arguments import MOST_PLACES, checked_arguments
from skills.errors import BadResult
from skills.model import EffectClass, Parameter, SkillId, Tool, ToolId, ValueKind, ValueType
from skills.values import to_python

_KINDS = [kind for kind in ValueKind if kind not in (ValueKind.ANY, ValueKind.CHOICE)]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8) | st.just("/h/x"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["path", "source", "columns", "rows", "start", "end", "value", "unit", "fields", "op"]), inner,
        max_size=4),
    max_leaves=8,
)  # fmt: skip


def taking(kind: ValueKind, *, many: bool = False, required: bool = True) -> Tool:
    parameter = Parameter("it", ValueType(kind, many=many), required, "what")
    return Tool(ToolId("a.b"), SkillId("a"), "b", "", EffectClass.PURE, (parameter,), ValueType(ValueKind.ANY), (), ())


@given(st.sampled_from(_KINDS), st.booleans(), JSON)
def test_what_passes_is_read_again_as_the_same_and_holds_whole_paths_only(
    kind: ValueKind, many: bool, value: Any
) -> None:
    tool = taking(kind, many=many)
    try:
        found = checked_arguments(tool, {"it": value})
    except BadResult:
        return
    assert checked_arguments(tool, json.loads(json.dumps(found))) == found
    to_python(found["it"], tool.parameters[0].type, "it")
    if kind in (ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE):
        for item in found["it"] if many else [found["it"]]:
            path = item if isinstance(item, str) else item["path"]
            assert path.startswith("/")
            assert os.path.normpath(path) == path


@pytest.mark.parametrize("kind", [ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE])
@pytest.mark.parametrize("path", ["x", "~/x", "/a/../b", "/a/", "//a", "/a\0b", "/a\ud800", "/a/./b"])
def test_a_path_that_is_not_whole_is_refused(kind: ValueKind, path: str) -> None:
    with pytest.raises(BadResult):
        checked_arguments(taking(kind), {"it": path})
    assert checked_arguments(taking(kind), {"it": "/a/b"})


def test_a_table_is_also_a_place() -> None:
    with pytest.raises(BadResult):
        checked_arguments(taking(ValueKind.TABLE), {"it": {"columns": [], "rows": [], "source": "../x"}})


def test_more_places_than_anybody_decides_on_are_refused() -> None:
    tool = taking(ValueKind.FILE, many=True)
    some = [f"/h/{number}" for number in range(MOST_PLACES)]
    assert len(checked_arguments(tool, {"it": some})["it"]) == MOST_PLACES
    with pytest.raises(BadResult, match="at most"):
        checked_arguments(tool, {"it": [*some, "/h/more"]})


def test_what_the_tool_does_not_take_or_needs_is_said() -> None:
    with pytest.raises(BadResult, match=r"a\.b takes no other"):
        checked_arguments(taking(ValueKind.TEXT), {"it": "x", "other": 1})
    with pytest.raises(BadResult, match=r"a\.b needs it"):
        checked_arguments(taking(ValueKind.TEXT), {"it": None})
    assert checked_arguments(taking(ValueKind.TEXT, required=False), {"it": None}) == {}
