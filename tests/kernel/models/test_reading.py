"""JSON out of what a model said: what is mended, and what is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.models.forms import Misfit, value_in
from kernel.models.model import Prompt
from kernel.models.reading import DEEPEST, NoValue, values_in
from tests.clock import less_than

TREE = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("ab{}[]\"'\\,:", max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('Sure: {"a": 1,} done', [{"a": 1}]),
        ('```json\n{"a": [1, 2,]}\n```', [{"a": [1, 2]}]),
        ("{'a': 'it\\'s'}", [{"a": "it's"}]),
        ('{"a": True, "b": None}', [{"a": True, "b": None}]),
        ('<think>{"b": 1}</think>{"a": 1}', [{"a": 1}]),
        ('so it goes</think>{"a": 1}', [{"a": 1}]),
        ('use {x} like {"a": 1}', [{"a": 1}]),
        ('[1] says {"a": 1}', [[1], {"a": 1}]),
        ("{“a”: “b”}", [{"a": "b"}]),
        ('{"a" /* c */: "b" // so\n}', [{"a": "b"}]),
        ("[]", [[]]),
        ('{"a": "// no comment, {"}', [{"a": "// no comment, {"}]),
        ('[see above] {"a": 1}', [{"a": 1}]),
        ('{"a": -1.5e3}', [{"a": -1500.0}]),
    ],
)
def test_what_is_meant_is_read(text: str, found: list[Any]) -> None:
    assert values_in(text) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1', "ends in the middle"),
        ('{"a": "x', "ends in the middle"),
        ('[{"id": 1}, {"id": 2}', "ends in the middle"),
        ('{"tasks": [{"id": 1}', "ends in the middle"),
        ('{"a": 1, "a": 2}', "said twice"),
        ('{"a": 1, "a": 2, "inner": [{"x": 1}]}', "said twice"),
        ('{"a": NaN}', "no value"),
        ('{"a": Infinity}', "no value"),
        ('{"a": 1e999}', "too large"),
        ('{"a": "\\u0000"}', "NUL"),
        ('{"a": 1}\0', "NUL"),
        ("", "empty"),
        ("hello", "no JSON"),
        ('<think>{"a": 1}', "never stopped thinking"),
        ("[" * (DEEPEST + 2), "nested too deeply"),
        ('{"a": 012}', "no value"),
        ('{"a": undefined}', "no value"),
        ('{"a": "\\ud800"}', "half a character"),
        ('{"a": 1 "b": 2}', "comma is missing"),
    ],
)
def test_nothing_is_made_up(text: str, why: str) -> None:
    with pytest.raises(NoValue, match=why):
        values_in(text)


@given(TREE)
def test_what_is_json_is_read_as_it_is(value: Any) -> None:
    if isinstance(value, dict | list) and "\\u0000" not in json.dumps(value):
        assert values_in(json.dumps(value)) == [value]
        assert values_in(f"Here:\n```json\n{json.dumps(value, indent=1)}\n```\n")[0] == value


@given(TREE, st.data())
def test_a_beginning_of_it_is_never_taken_for_the_whole(value: Any, data: st.DataObject) -> None:
    text = json.dumps({"tasks": value})
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    try:
        found = values_in(cut)
    except NoValue:
        return
    assert all(isinstance(one, list | dict) and "tasks" not in one for one in found)


@pytest.mark.parametrize(
    "part", ["{", "[", "[1,", '{"', '{"a":', "[{},", "{'", "/*", "[//", "```", "``` ", "<think>", "{'a':'"]
)
def test_it_takes_no_longer_than_it_must(part: str) -> None:
    with less_than(2.0):
        with pytest.raises(NoValue):
            values_in(part * (100_000 // len(part)))
        with pytest.raises(NoValue):
            values_in(part + " " * 100_000)


SCHEMA = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]}
ASKED = Prompt((), SCHEMA)


def test_of_several_values_the_one_that_fits_counts() -> None:
    assert value_in('an example is {"b": 1}; the answer: {"a": "x"}', ASKED) == {"a": "x"}
    assert value_in('{"a": "x"} - I said {"a": "x"}', ASKED) == {"a": "x"}
    with pytest.raises(Misfit) as several:
        value_in('{"a": "x"} or {"a": "y"}', ASKED)
    assert several.value.code == "model.schema"
    with pytest.raises(Misfit) as other:
        value_in('{"a": "z"}', ASKED)
    assert (other.value.code, str(other.value)) == ("model.schema", "a: 'z' is not one of ['x', 'y']")
