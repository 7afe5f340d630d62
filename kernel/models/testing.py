"""What an endpoint can do, found out by asking it: whether forms hold that no model would keep by itself.

A server may take a schema and ignore it, and a model may follow it by chance. So the words that are allowed are made
up, and the question asks for others, and for more than the schema lets through: what fits then, fits by force.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kernel.errors import ModelFailed
from kernel.models.asking import Behalf, Line, hear, key_of, load_wire
from kernel.models.model import Endpoint, Message, Prompt, Reply, Way
from permissions.errors import PermissionsError
from permissions.naming import shown

LONGEST_S = 60.0
LIST_S = 10.0
LOOK_S = 1.0
MOST_LISTED = 50

SERVERS: Mapping[int, tuple[str, str]] = {
    11434: ("ollama", "Ollama"), 1234: ("lmstudio", "LM Studio"),
    8080: ("llama_cpp", "llama.cpp"), 8000: ("vllm", "vLLM"),
}  # fmt: skip
"""Where servers for models usually answer, on this machine: by port, a name for it and what it is."""

_TRIES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ('Say which colour grass has, as {"colour": "green", "sure": true}.',
     {"colour": {"enum": ["quarb", "vlimm"]}}),
    ('Give your name and your age, as {"name": "...", "age": 3, "city": "..."}.', {"town": {"enum": ["Ploxu"]}}),
    ('Count from one to three, as {"numbers": ["one", "two", "three"]}.',
     {"numbers": {"type": "array", "items": {"type": "integer", "enum": [7, 11]}, "minItems": 1, "maxItems": 2}}),
    ('Answer yes or no: is water wet? As {"answer": "yes", "why": "..."}.', {"answer": {"enum": ["zwif", "dromp"]}}),
    ('Say hello, as {"text": "hello", "language": "English"}.',
     {"greeting": {"type": "object", "properties": {"word": {"enum": ["ubble"]}}, "required": ["word"],
                   "additionalProperties": False}}),
)  # fmt: skip
"""Questions that ask for something else than their schema allows."""

_HONEST = Prompt(
    (Message("user", "Which one is a fruit: apple or hammer? Use the field answer."),),
    {"type": "object", "properties": {"answer": {"enum": ["apple", "hammer"]}}, "required": ["answer"],
     "additionalProperties": False},
    most_tokens=400,
)  # fmt: skip
_PLAIN = Prompt((Message("user", "Count from one to twenty in words."),), most_tokens=300)


@dataclass(slots=True)
class Found:
    """What an endpoint can do. Of ``schema``, ``tools`` and ``words`` how often it held, of how many tries.

    ``way`` is the one to use: None where it could not be asked. ``listed`` is None where it lists no models.
    """

    reachable: bool = False
    listed: bool | None = None
    models: list[str] = field(default_factory=list)
    plain: bool = False
    streams: bool = False
    usage: bool = False
    first_ms: int = 0
    tokens_per_s: float = 0.0
    schema: tuple[int, int] = (0, 0)
    tools: tuple[int, int] = (0, 0)
    words: tuple[int, int] = (0, 0)
    way: Way | None = None
    problem: str = ""


async def tested(endpoint: Endpoint, behalf: Behalf, line: Line) -> Found:
    """Measure ``endpoint``. Raises ModelFailed where it may not be asked at all (a budget, a missing extra)."""
    found = Found()
    line.breakers.well(key_of(endpoint))  # a person who tests one that is left alone wants to know how it is now
    await _list(found, endpoint, behalf, line)
    try:
        await _ask_plainly(found, endpoint, behalf, line)
    except ModelFailed as error:
        if error.code in ("model.budget", "model.none"):
            raise
        found.problem = f"{error} {error.hint}".strip()
        found.reachable = found.reachable and error.code not in ("model.unreachable", "model.resting")
        return found
    found.schema = await _held(replace(endpoint, way=Way.SCHEMA), [_forced(*one) for one in _TRIES], behalf, line)
    found.tools = await _held(replace(endpoint, way=Way.TOOLS), [_HONEST, _HONEST], behalf, line)
    found.words = await _held(replace(endpoint, way=Way.TEXT), [_HONEST, _HONEST], behalf, line)
    found.way = chosen(found)
    return found


def chosen(found: Found) -> Way:
    """Return the way that held every time, the strongest first; in words where none did."""
    if found.schema[0] == found.schema[1] > 0:
        return Way.SCHEMA
    return Way.TOOLS if found.tools[0] == found.tools[1] > 0 else Way.TEXT


async def _list(found: Found, endpoint: Endpoint, behalf: Behalf, line: Line) -> None:
    """Ask which models there are; a server that does not say is none the worse."""
    wire = await asyncio.to_thread(load_wire)
    try:
        key = behalf.vault.take(endpoint.secret) if endpoint.secret else ""
        async with asyncio.timeout(LIST_S):
            names = await wire.models_at(endpoint.url, key, await line.trust(endpoint.url))
    except (wire.Trouble, TimeoutError, PermissionsError):
        return
    found.reachable, found.listed = True, endpoint.model in names
    found.models = [shown(name)[:120] for name in names[:MOST_LISTED]]


async def _ask_plainly(found: Found, endpoint: Endpoint, behalf: Behalf, line: Line) -> None:
    within_s = min(endpoint.timeout_s, LONGEST_S)
    reply, heard = await hear(endpoint, "test", _PLAIN, behalf, line, within_s)
    found.reachable = found.plain = True
    found.streams, found.usage, found.first_ms = len(heard.parts) > 1, not reply.usage.estimated, heard.first_ms
    found.tokens_per_s = _speed(reply, heard.first_ms)


def _speed(reply: Reply, first_ms: int) -> float:
    return round(reply.usage.tokens_out * 1000 / max(1, reply.ms - first_ms), 1)


def _forced(question: str, properties: Mapping[str, Any]) -> Prompt:
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return Prompt((Message("user", question),), schema, most_tokens=400)


async def _held(endpoint: Endpoint, prompts: list[Prompt], behalf: Behalf, line: Line) -> tuple[int, int]:
    """Return how often the form held, of how many; one that is refused or gone is not tried on."""
    held = 0
    for prompt in prompts:
        try:
            reply, heard = await hear(endpoint, "test", prompt, behalf, line, min(endpoint.timeout_s, LONGEST_S))
        except ModelFailed as error:
            if error.code not in ("model.schema", "model.garbage", "model.too_long"):
                break
        else:
            held += endpoint.way is not Way.TOOLS or bool(heard.calls and reply.value)
    return held, len(prompts)


async def detected() -> list[dict[str, Any]]:
    """Return the servers that answer on this machine where such servers do. Raises ModelFailed."""
    wire = await asyncio.to_thread(load_wire)
    looked = [_look(wire, port) for port in SERVERS]
    return [one for one in await asyncio.gather(*looked) if one is not None]


async def _look(wire: Any, port: int) -> dict[str, Any] | None:
    url = f"http://127.0.0.1:{port}/v1"
    try:
        async with asyncio.timeout(LOOK_S):
            names = await wire.models_at(url, "", None)
    except (wire.Trouble, TimeoutError):
        return None
    name, words = SERVERS[port]
    models = [shown(one)[:120] for one in names[:MOST_LISTED]]
    model = models[0] if models else "MODEL"
    command = f"./steward models set {name} --url {url} --model {shlex.quote(model)}"
    return {"server": words, "url": url, "host": f"127.0.0.1:{port}", "models": models, "set": command}
