"""What goes between daemon and cell: one request and one reply, as JSON.

What this stops: a cell's reply reaching the kernel in a shape that its tool did not declare; everything is checked
here, on the daemon's side, since the other side ran foreign code.
What it does not: judge a value's truth, or hold a described effect against the call's rights (dispatch does both).
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skills.errors import BadResult
from skills.model import Call, CallResult, Holds, Offered, ToolId, ValueKind, ValueType
from skills.schema import Signature
from skills.values import check

_LARGEST_REPLY = 16 << 20
_DEEPEST = 48
_MOST_TEXT = 200_000  # characters of an answer
_LONGEST_CHOICE = 200  # characters
_MOST_READ, _NUMBERS = 20_000, 5
_LONGEST_PATH, _MOST_PATHS = 4096, 4_000_000  # characters of one path (PATH_MAX), and of all that are told as read


@dataclass(frozen=True, slots=True)
class Request:
    """What a cell is asked: the call, the types of its arguments, and the folders that listings pass over."""

    call: Call
    types: Mapping[str, ValueType]
    ignored: tuple[str, ...]


def encode_request(call: Call, signature: Signature, ignored: Sequence[str]) -> bytes:
    """Return the request as bytes. Raises BadResult when an argument is none of the tool's or has no JSON form."""
    types = {parameter.name: parameter.type for parameter in signature.parameters}
    unknown = [name for name in call.arguments if name not in types]
    missing = [one.name for one in signature.parameters if one.required and call.arguments.get(one.name) is None]
    if unknown or missing:
        what = f"takes no {unknown[0]}" if unknown else f"needs {missing[0]}"
        raise BadResult("result.argument", f"{call.tool} {what}.", subject=call.tool, hint="Say it in another way.")
    body = {
        "call": {field.name: getattr(call, field.name) for field in dataclasses.fields(call)},
        "types": {name: [kind.kind, kind.many, kind.choices] for name, kind in types.items()},
        "ignored": list(ignored),
    }
    try:
        return json.dumps(body, allow_nan=False, default=dict).encode()
    except (TypeError, ValueError) as error:
        message = f"An argument of {call.tool} has no JSON form: {error}."
        raise BadResult("result.argument", message, subject=call.tool, hint="Say it in another way.") from error


def decode_request(data: bytes) -> Request:
    """Return the request that ``encode_request`` wrote (inside the cell; the daemon is trusted)."""
    body = json.loads(data)
    call = Call(**{**body["call"], "view": tuple(body["call"]["view"]), "tool": ToolId(body["call"]["tool"])})
    types = {
        name: ValueType(ValueKind(kind), many, tuple(choices)) for name, (kind, many, choices) in body["types"].items()
    }
    return Request(call, types, tuple(body["ignored"]))


def encode_reply(result: CallResult) -> bytes:
    """Return the reply as bytes; its value is JSON already."""
    body = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    body["offered"] = dataclasses.asdict(result.offered) if result.offered is not None else None
    reply = json.dumps(body, allow_nan=False, default=dict).encode()
    if len(reply) <= _LARGEST_REPLY or not result.read:
        return reply
    return encode_reply(dataclasses.replace(result, read={}))  # what it says counts more than what it was made from


def decode_reply(data: bytes, result: ValueType) -> CallResult:
    """Return a cell's reply after checking all of it. Raises BadResult."""
    if len(data) > _LARGEST_REPLY:
        raise _malformed("is larger than 16 MiB")
    try:
        body = json.loads(data, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise _malformed("is no JSON") from error
    if not isinstance(body, Mapping):
        raise _malformed("is no object")
    if _is_deep(body):
        raise _malformed("is nested too deeply")
    if body.get("error") is not None:
        return CallResult(error=_error(body["error"]), offered=_offered(body.get("offered")))
    check(body.get("value"), result)
    return CallResult(
        value=body.get("value"),
        answer=_text(body.get("answer", ""), "answer")[:_MOST_TEXT],
        effects=_effects(body.get("effects", [])),
        table=_table(body.get("table")),
        files=tuple(_text(path, "files") for path in _list(body.get("files", []), "files")),
        read=_read(body.get("read") or {}),
        holds=_holds(body.get("holds")),
    )


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits)
    return number


def _is_deep(value: Any) -> bool:
    """Tell whether ``value`` is nested more than _DEEPEST levels; whoever reads it later may go down by recursion."""
    level = [value]
    for _ in range(_DEEPEST):
        inner = (item for one in level for item in (one.values() if isinstance(one, dict) else one))
        level = [item for item in inner if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def _error(value: Any) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise _malformed("has an error that is no object")
    return {key: _text(value.get(key, ""), f"error.{key}")[:4000] for key in ("code", "message", "hint")}


def _offered(value: Any) -> Offered | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise _malformed("offers what is no object")
    choices = tuple(_text(one, "offered")[:_LONGEST_CHOICE] for one in _list(value.get("choices"), "offered"))
    asks = _text(value.get("asks", ""), "offered")[:_LONGEST_CHOICE]
    return Offered(_text(value.get("instead_of"), "offered"), choices, asks)


def _effects(value: Any) -> tuple[Mapping[str, Any], ...]:
    effects = _list(value, "effects")
    if not all(isinstance(effect, Mapping) and isinstance(effect.get("op"), str) for effect in effects):
        raise _malformed("describes an effect without an op")
    return tuple(effects)


def _read(value: Any) -> Mapping[str, Sequence[int]]:
    """Return the versions of files that were read: five whole numbers each."""
    if not isinstance(value, Mapping) or len(value) > _MOST_READ:
        raise _malformed("tells what it read in another form")
    if sum(map(len, value)) > _MOST_PATHS or any(len(path) > _LONGEST_PATH for path in value):
        raise _malformed("tells what it read in another form")
    for version in value.values():
        if not isinstance(version, list) or len(version) != _NUMBERS or not all(map(_is_number, version)):
            raise _malformed("tells what it read in another form")
    return {path: tuple(version) for path, version in value.items()}


def _holds(value: Any) -> Holds:
    if value is None:
        return Holds.MOMENT
    try:
        return Holds(value)
    except ValueError as error:
        raise _malformed("tells how long it holds in another form") from error


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 64


def _table(value: Any) -> Mapping[str, Any] | None:
    if value is not None:
        check(value, ValueType(ValueKind.TABLE), "the table shown")
    return value  # type: ignore[no-any-return]


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise _malformed(f"has {name} that are no list")
    return value


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise _malformed(f"has {name} that is no text")
    return value


def _malformed(what: str) -> BadResult:
    return BadResult("result.reply", f"The skill's reply {what}.", hint="Report this to the skill's author.")
