"""The canonical form: whatever goes in comes out, and equal values have equal bytes."""

from __future__ import annotations

import enum
import json
import math
from types import MappingProxyType
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from memory import payload
from memory.errors import BadDraft

texts = st.text() | st.text(st.characters(categories=["Cs", "L", "Po"])) | st.sampled_from(["$int", "$", '{"$', "$x"])
keys = st.text() | st.sampled_from(["$int", "$", "$float", "$text", "$x"])
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


@given(values)
def test_what_goes_in_comes_out(value: Any) -> None:
    assert payload.decode(payload.encode(value)) == value


@given(values)
def test_the_bytes_are_canonical_json(value: Any) -> None:
    data = payload.encode(value)
    json.loads(data)
    assert payload.encode(payload.decode(data)) == data


numbers = (
    st.floats(allow_nan=False, allow_infinity=False)
    | st.floats(1e-7, 1e-3)
    | st.floats(0, 1e6).map(lambda x: round(x, 3))
)


@given(st.recursive(
    st.text(st.characters(exclude_categories=["Cs"])) | numbers | st.integers(1 - 2**53, 2**53 - 1) | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab~\u00e9\uffff\U0001f600"), inner),
))  # fmt: skip
def test_whoever_writes_them_the_bytes_are_those_of_rfc_8785(value: Any) -> None:
    assert payload.encode(value) == rfc8785.dumps(value)


@given(st.dictionaries(keys, scalars, min_size=2))
def test_the_order_of_keys_does_not_matter(value: dict[str, Any]) -> None:
    assert payload.encode(value) == payload.encode(dict(reversed(value.items())))


def test_what_lies_deep_comes_back() -> None:
    value: Any = [0.5]
    for _ in range(125):
        value = [{"deeper": value}]
    assert payload.decode(payload.encode(value)) == value


def test_nan_comes_back() -> None:
    back = payload.decode(payload.encode([math.nan]))
    assert isinstance(back, list)
    assert isinstance(back[0], float)
    assert math.isnan(back[0])


def test_large_integers_are_written_as_the_specification_says() -> None:
    assert payload.encode([2**53 - 1, 2**53]) == b'[9007199254740991,{"$int":"9007199254740992"}]'
    assert payload.encode({"$int": "5"}) == b'{"$":{"$int":"5"}}'
    assert payload.encode("a\udc80") == b'{"$text":"Ye2ygA=="}'
    assert payload.encode(-math.inf) == b'{"$float":"-inf"}'


def test_mappings_tuples_and_string_enums_are_json() -> None:
    class Colour(enum.StrEnum):
        RED = "red"

    assert payload.encode(MappingProxyType({"a": (1, 2**60, Colour.RED)})) == (
        b'{"a":[1,{"$int":"1152921504606846976"},"red"]}'
    )


@pytest.mark.parametrize(
    "value", [{"a": b"bytes"}, {"a": {1, 2}}, {"a": object()}, {1: "number as key"}, {"\udc80": 1}]
)
def test_what_is_not_json_is_refused(value: Any) -> None:
    with pytest.raises(BadDraft) as caught:
        payload.encode(value)
    assert caught.value.code == "draft.not_json"


def test_what_is_nested_too_deeply_is_refused() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(BadDraft):
        payload.encode(value)


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload, "MAX_PAYLOAD_BYTES", 100)
    payload.encode("x" * 98)
    with pytest.raises(BadDraft) as caught:
        payload.encode("x" * 99)
    assert caught.value.code == "draft.too_large"


@pytest.mark.parametrize("data", [b'{"$x":1}', b'{"$int":1}', b'{"$text":"?"}', b"{", b'{"$":5}'])
def test_unknown_escapes_are_errors(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"escape|base64|Expecting|padded"):
        payload.decode(data)
