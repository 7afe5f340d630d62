"""The three ways to a form: what is sent so that a reply fits a schema, and whether it does. It is always checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kernel.models.model import Endpoint, Message, Prompt, Way
from kernel.models.reading import NoValue, values_in

if TYPE_CHECKING:
    from kernel.models.wire import Heard

_IN_WORDS = (
    "\n\nAnswer with one JSON value and nothing else: no explanation, no Markdown. "
    "It must fit this JSON Schema:\n{schema}"
)
_LIKE_OPENAI = "api.openai.com:443"
"""There a limit of tokens has another name, and some models know no temperature."""


class Misfit(ValueError):
    """The reply does not fit. ``code`` is that of the error."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


def request_body(endpoint: Endpoint, prompt: Prompt, way: Way) -> dict[str, Any]:
    """Return what is sent. Of the prompt's messages nothing is changed but the last one, where the way is in words."""
    said = prompt.messages
    if prompt.schema is not None and way is Way.TEXT and not prompt.told:
        words = _IN_WORDS.format(schema=json.dumps(prompt.schema, ensure_ascii=False))
        said = (*said[:-1], Message(said[-1].role, said[-1].text + words)) if said else (Message("user", words),)
    body: dict[str, Any] = {
        "model": endpoint.model,
        "messages": [{"role": one.role, "content": one.text} for one in said],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    body |= _amounts(endpoint, prompt)
    return body if prompt.schema is None else body | _form(prompt.name, prompt.schema, way)


def digest_of(prompt: Prompt) -> str:
    """Return the SHA-256 of what is asked: the messages and the schema."""
    whole = {"messages": [[one.role, one.text] for one in prompt.messages], "schema": prompt.schema}
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def _amounts(endpoint: Endpoint, prompt: Prompt) -> dict[str, Any]:
    if endpoint.host == _LIKE_OPENAI:
        return {"max_completion_tokens": prompt.most_tokens}
    return {"max_tokens": prompt.most_tokens, "temperature": 0}


def _form(name: str, schema: Mapping[str, Any], way: Way) -> dict[str, Any]:
    match way:
        case Way.SCHEMA:
            form = {"name": name, "schema": schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": form}}
        case Way.TOOLS:
            function = {"name": name, "description": "Give the answer.", "parameters": schema}
            choice = {"type": "function", "function": {"name": name}}
            return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
        case Way.TEXT:
            return {}


def said_in(heard: Heard, name: str) -> str:
    """Return the text that holds the value: what the one tool was called with, else what was said. Raises Misfit."""
    if not heard.calls:
        return heard.text
    if len(heard.calls) > 1:
        raise Misfit("model.schema", f"it calls {len(heard.calls)} tools instead of one")
    (call,) = heard.calls
    if call.name != name:
        raise Misfit("model.schema", f"it calls {call.name!r}, which it was not given")
    return call.arguments


def value_in(text: str, prompt: Prompt) -> Any:
    """Return the one value in ``text`` that fits the schema of ``prompt``. Raises Misfit."""
    try:
        found = values_in(text)
    except NoValue as error:
        raise Misfit("model.garbage", str(error)) from error
    schema = {} if prompt.told or prompt.schema is None else prompt.schema
    whys = [misfit(one, schema) if schema else "" for one in found]
    fitting = [one for one, why in zip(found, whys, strict=True) if not why]
    if not fitting:
        raise Misfit("model.schema", whys[0])
    if any(one != fitting[0] for one in fitting):
        raise Misfit("model.schema", "it gives several answers")
    return fitting[0]


def misfit(value: Any, schema: Mapping[str, Any]) -> str:
    """Say where ``value`` does not fit ``schema`` (JSON Schema 2020-12), "" where it does."""
    from jsonschema.validators import Draft202012Validator  # no start waits for it

    first = next(iter(Draft202012Validator(schema).iter_errors(value)), None)
    if first is None:
        return ""
    place = "/".join(str(part) for part in first.absolute_path)
    return f"{place}: {first.message}" if place else first.message
