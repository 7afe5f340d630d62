from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.errors import BadResult
from skills.model import Call, CallResult, Parameter, ToolId, ValueKind, ValueType
from skills.schema import Signature
from skills.wire import decode_reply, decode_request, encode_reply, encode_request

_NUMBER = ValueType(ValueKind.INTEGER)
_SIGNATURE = Signature(
    "f",
    "Do.",
    (
        Parameter("n", _NUMBER, True, "a number"),
        Parameter("c", ValueType(ValueKind.CHOICE, choices=("a", "b")), False, "a choice"),
    ),
    _NUMBER,
    1,
)


def _call(**arguments: Any) -> Call:
    effect = {"op": "mkdir", "path": "/home/u/x"}
    return Call(
        ToolId("x.f"),
        "/x",
        "f",
        arguments,
        "de",
        "/home/u",
        "/",
        "2025-01-01T00:00:00+00:00",
        "UTC",
        3,
        "/s",
        (effect,),
    )


def test_a_request_survives_the_way() -> None:
    asked = decode_request(encode_request(_call(n=3, c="a"), _SIGNATURE, ["/home/u/.steward"]))
    assert asked.call == _call(n=3, c="a")
    assert asked.types["c"] == ValueType(ValueKind.CHOICE, choices=("a", "b"))
    assert asked.ignored == ("/home/u/.steward",)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "needs n"),
        ({"n": None}, "needs n"),
        ({"n": 1, "z": 2}, "takes no z"),
        ({"n": {1}}, "JSON"),
        ({"n": float("nan")}, "JSON"),
    ],
)
def test_arguments_that_the_tool_does_not_take_are_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(BadResult, match=words):
        encode_request(_call(**arguments), _SIGNATURE, ())


def test_a_reply_survives_the_way() -> None:
    result = CallResult(
        7,
        "Seven.",
        ({"op": "delete", "path": "/a", "base": None},),
        {"columns": ["a"], "rows": [[1]]},
        ("/a",),
        read={"/b": (1, 2, 3, 4, 5)},
    )
    assert decode_reply(encode_reply(result), _NUMBER) == result
    failed = CallResult(error={"code": "tool.refused", "message": "No.", "hint": "Yes."})
    assert decode_reply(encode_reply(failed), _NUMBER) == failed


def test_what_was_read_never_makes_a_reply_too_large() -> None:
    read = {f"/{number:0900}": (1, 2, 3, 4, 5) for number in range(4_000)}
    small, large = CallResult(7, "Seven.", read=read), CallResult(7, "x" * (14 << 20), read=read)
    assert decode_reply(encode_reply(small), _NUMBER).read == read
    assert decode_reply(encode_reply(large), _NUMBER).read == {}


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        b'{"value": NaN}',
        b'{"value": 1e999}',
        b'{"value": 7, "table": {"columns": [], "rows": [], "more": ' + b"[" * 60 + b"]" * 60 + b"}}",
        b"[" * 100_000,
        b'{"value": "seven"}',
        b'{"value": 7, "answer": 3}',
        b'{"value": 7, "effects": {}}',
        b'{"value": 7, "effects": [{"path": "/a"}]}',
        b'{"value": 7, "table": {"columns": 3, "rows": []}}',
        b'{"value": 7, "table": 3}',
        b'{"value": 7, "files": [3]}',
        b'{"value": 7, "read": [3]}',
        b'{"value": 7, "read": {"/a": [1, 2, 3, 4]}}',
        b'{"value": 7, "read": {"/a": [1, 2, 3, 4, true]}}',
        b'{"value": 7, "read": {"/a": [1, 2, 3, 4, 1e30]}}',
        b'{"value": 7, "read": {"/a": [1, 2, 3, 4, ' + b"9" * 30 + b"]}}",
        b'{"value": 7, "read": {"' + b"/a" * 2100 + b'": [1, 2, 3, 4, 5]}}',
        b'{"value": 7, "read": {'
        + b", ".join(b'"/%04000d": [1, 2, 3, 4, 5]' % number for number in range(1100))
        + b"}}",
        b'{"error": "bad"}',
        b'{"error": {"code": 3}}',
        b'"' + b"x" * (17 << 20) + b'"',
    ],
)
def test_a_malformed_reply_is_refused(reply: bytes) -> None:
    with pytest.raises(BadResult) as caught:
        decode_reply(reply, _NUMBER)
    assert caught.value.code.startswith("result.")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["columns", "rows", "op", "code"]) | st.text(), inner)
    ),
)


@pytest.mark.slow
@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(("value", "answer", "effects", "table", "files", "error"), _JSON))
)
def test_any_reply_is_a_result_or_refused(body: dict[str, Any]) -> None:
    try:
        result = decode_reply(json.dumps(body).encode(), _NUMBER)
    except BadResult:
        return
    assert isinstance(result.answer, str)
    assert result.error is not None or result.value is None or isinstance(result.value, int)
