"""A chat request as it comes in: read into what Steward does with it, or refused with the field that is wrong.

What this stops: a body that is no JSON, too deep, or of other types; a program that counts on what Steward does not do
(tools, pictures, several answers); what a program says was said before being taken for the person's earlier words.
What it does not: tell a request that the program's user typed from one that the program made up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MODEL = "steward"
CONVERSATION = "conversation"
"""The key of ``metadata`` that goes on with a conversation, where the header does not."""

_UNSUPPORTED = ("tools", "functions", "audio", "logprobs", "prediction", "web_search_options", "stop", "logit_bias")
_BEFORE = ("system", "developer", "assistant", "user", "tool", "function")
_NOT_ANSWERED = ("system", "developer")


class Unfit(Exception):
    """A request that cannot be taken as it is. ``param`` is the field."""

    def __init__(self, code: str, message: str, hint: str, param: str | None = None, status: int = 400) -> None:
        super().__init__(message)
        self.code, self.hint, self.param, self.status = code, hint, param, status


@dataclass(frozen=True, slots=True)
class Chat:
    """What is asked. ``conversation`` is empty where a new one begins."""

    text: str
    conversation: str
    stream: bool
    usage: bool


def read_chat(body: bytes, conversation: str) -> Chat:
    """Return what is asked; ``conversation`` is what the header names. Raises Unfit."""
    given = _object(body)
    if (model := _typed(given, "model", str, "text")) != MODEL:
        raise Unfit("model.unknown", f"There is no model {str(model)[:60]!r}.", f"The one that there is: {MODEL}.",
                    "model", 404)  # fmt: skip
    _check_unsupported(given)
    metadata = _typed(given, "metadata", dict, "an object") or {}
    named = conversation or metadata.get(CONVERSATION) or ""
    if not isinstance(named, str):
        raise _wrong(f"metadata.{CONVERSATION}", "text")
    options = _typed(given, "stream_options", dict, "an object") or {}
    stream = bool(_typed(given, "stream", bool, "true or false"))
    return Chat(_request_in(given.get("messages")), named, stream, options.get("include_usage") is True)


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        given = json.loads(body)
    except RecursionError:
        raise Unfit("request.invalid", "The body is nested too deeply.", "Send a chat request.") from None
    except ValueError:
        raise Unfit("request.invalid", "The body is not JSON.", "Send a chat request.") from None
    if not isinstance(given, dict):
        raise Unfit("request.invalid", "The body is not an object.", "Send model and messages.")
    return given


def _typed(given: Mapping[str, Any], name: str, kind: type, said: str) -> Any:
    value = given.get(name)
    if value is not None and not isinstance(value, kind):
        raise _wrong(name, said)
    return value


def _wrong(param: str, said: str) -> Unfit:
    return Unfit("request.invalid", f"{param} must be {said}.", "", param)


def _unsupported(param: str, what: str) -> Unfit:
    return Unfit("request.unsupported", f"Steward does not take {what} here.", f"Leave out {param}.", param)


def _check_unsupported(given: Mapping[str, Any]) -> None:
    for name in _UNSUPPORTED:
        if given.get(name):
            raise _unsupported(name, name)
    if given.get("n") not in (None, 1):
        raise _unsupported("n", "more than one answer to a request")
    if given.get("modalities") not in (None, ["text"]):
        raise _unsupported("modalities", "anything but text")
    wanted = given.get("response_format")
    if wanted is not None and wanted != {"type": "text"}:
        raise _unsupported("response_format", "a form of the answer")


def _request_in(messages: Any) -> str:
    """Return the last message of the user; what stands before it is checked for its form, and not read."""
    if not isinstance(messages, list) or not messages:
        raise _wrong("messages", "a list of messages")
    for place, one in enumerate(messages):
        if not isinstance(one, dict) or one.get("role") not in _BEFORE:
            raise _wrong(f"messages[{place}]", f"a message with a role ({', '.join(_BEFORE)})")
    asked = [place for place, one in enumerate(messages) if one["role"] not in _NOT_ANSWERED]
    if not asked or messages[asked[-1]]["role"] != "user":
        raise Unfit("request.invalid", "The last message is not the user's.", "End with what is asked.", "messages")
    return _text(messages[asked[-1]].get("content"), f"messages[{asked[-1]}].content")


def _text(content: Any, param: str) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise _wrong(param, "text, or a list of parts")
    for part in content:
        if part.get("type") != "text":
            raise _unsupported(param, f"a part of the kind {str(part.get('type'))[:40]!r}")
        if not isinstance(part.get("text"), str):
            raise _wrong(param, "text in every part")
    return "\n".join(part["text"] for part in content)
