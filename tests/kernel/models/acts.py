"""What a server of models does: answers well, or in one of many bad ways."""

from __future__ import annotations

import asyncio
import functools
import json
import socket
import struct
import zlib
from collections.abc import Mapping
from typing import Any

from tests.kernel.models.server import GOOD, HANG_S, Act, Line


def says(text: str, finish: str = "stop") -> Act:
    """Return a server that always says this."""
    return lambda line: line.say(text, finish)


def refuses(status: str, message: str = "no", **headers: str) -> Act:
    """Return a server that always answers with this error."""
    return lambda line: line.error(status, message, **headers)


def sends(*parts: bytes, kind: str = "text/event-stream") -> Act:
    """Return a server that sends these bytes after a good beginning."""

    async def act(line: Line) -> None:
        await line.head(kind=kind)
        for part in parts:
            await line.raw(part)

    return act


def first_then(status: str, then: Act, **headers: str) -> Act:
    """Return a server that answers once with an error, then well."""

    async def act(line: Line) -> None:
        if len(line.server.asked) == 1:
            await line.error(status, "later", **headers)
        else:
            await then(line)

    return act


def calls(*made: tuple[str, str]) -> Act:
    """Return a server that calls tools: name and arguments of each."""

    async def act(line: Line) -> None:
        await line.head()
        for index, (name, arguments) in enumerate(made):
            half = len(arguments) // 2
            await line.part(tool_calls=[{"index": index, "id": f"c{index}", "type": "function",
                                         "function": {"name": name, "arguments": arguments[:half]}}])  # fmt: skip
            await line.part(tool_calls=[{"index": index, "function": {"arguments": arguments[half:]}}])
        await line.part(finish="tool_calls")
        await line.done()

    return act


async def truncated(line: Line) -> None:
    """Ends in the middle of the text, in good form."""
    await line.head()
    await line.part(GOOD[:8])


async def broken_chunk(line: Line) -> None:
    """Announces more bytes than come."""
    await line.raw(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nff\r\ndata: "
    )


async def no_done(line: Line) -> None:
    """Never says that it is done, and closes."""
    await line.head()
    await line.part(GOOD)
    await line.part(finish="stop")


async def endless_tokens(line: Line) -> None:
    """Goes on and on."""
    await line.head()
    while True:
        await line.part("again and again ")


async def endless_thought(line: Line) -> None:
    """Thinks without end, and says nothing."""
    await line.head()
    while True:
        await line.part(reasoning_content="hm, let me see " * 20)


async def endless_comments(line: Line) -> None:
    """Keeps the line open with nothing."""
    await line.head()
    while True:
        await line.raw(b": still here\n\n" * 50)


async def long_line(line: Line) -> None:
    """Sends a line of 100 MB."""
    await line.head()
    await line.raw(b'data: {"choices":[{"delta":{"content":"')
    for _ in range(1600):
        await line.raw(b"x" * (64 << 10))
    await line.raw(b'"}}]}\n\n')


@functools.cache
def _bomb() -> bytes:
    packing = zlib.compressobj(6, wbits=31)
    return b"".join(packing.compress(b"x" * (1 << 20)) for _ in range(40)) + packing.flush()


async def packed(line: Line) -> None:
    """Packs a bomb."""
    data = await asyncio.to_thread(_bomb)
    await line.head(content_encoding="gzip")
    await line.raw(data)


async def hang_before_headers(line: Line) -> None:
    """Takes the question and is silent."""
    await asyncio.sleep(HANG_S)


async def hang_before_first(line: Line) -> None:
    """Begins an answer and is silent."""
    await line.head()
    await asyncio.sleep(HANG_S)


async def hang_in_the_middle(line: Line) -> None:
    """Is silent in the middle."""
    await line.head()
    await line.part(GOOD[:8])
    await asyncio.sleep(HANG_S)


async def slow(line: Line) -> None:
    """Sends one byte at a time, slowly."""
    for byte in b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: " + GOOD.encode():
        await line.raw(bytes([byte]))
        await asyncio.sleep(0.2)


async def reset(line: Line) -> None:
    """Breaks the connection in the middle."""
    await line.head()
    await line.part(GOOD[:8])
    sock = line.writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.writer.transport.abort()


async def redirect(line: Line) -> None:
    """Sends elsewhere."""
    await line.head(
        "307 Temporary Redirect", location=line.server.elsewhere or "http://127.0.0.1:9/v1/chat/completions"
    )


async def echo(line: Line) -> None:
    """Says the key in an error."""
    await line.error("401 Unauthorized", f"wrong key {line.asked.headers.get('authorization')}")


async def echo_in_text(line: Line) -> None:
    """Says the key in an answer."""
    await line.say(f"{GOOD} and your key is {line.asked.headers.get('authorization')}")


def used(tokens_in: Any, tokens_out: Any) -> Act:
    """Return a server that answers well and says this of what it used."""

    async def act(line: Line) -> None:
        await line.head()
        await line.part(GOOD)
        await line.part(finish="stop")
        await line.usage(tokens_in, tokens_out)
        await line.done()

    return act


async def no_usage(line: Line) -> None:
    """Does not say what it used."""
    await line.head()
    await line.part(GOOD)
    await line.part(finish="stop")
    await line.done()


async def after_done(line: Line) -> None:
    """Says that it is done, and goes on."""
    await line.say(GOOD)
    while True:
        await line.part("and one more thing")


async def error_in_stream(line: Line) -> None:
    """Begins well, then reports an error as an event."""
    await line.head()
    await line.part(GOOD[:8])
    await line.event({"error": {"message": "out of memory"}})


async def refusal(line: Line) -> None:
    """Says no."""
    await line.head()
    await line.part(refusal="I cannot help with that.")
    await line.part(finish="stop")
    await line.done()


async def thought(line: Line) -> None:
    """Thinks before it answers, in a channel of its own."""
    await line.head()
    await line.part(reasoning_content="the person wants velm")
    await line.part(GOOD)
    await line.part(finish="stop")
    await line.usage()
    await line.done()


async def other_model(line: Line) -> None:
    """Answers in the name of another model."""
    await line.head()
    await line.event({"model": "gpt-99", "choices": [{"delta": {"content": GOOD}, "finish_reason": "stop"}]})
    await line.done()


async def picky(line: Line) -> None:
    """Knows no response_format."""
    if "response_format" in line.asked.body:
        await line.error("400 Bad Request", "response_format is not supported")
    else:
        await line.say(GOOD)


async def strange_types(line: Line) -> None:
    """Sends numbers where texts belong."""
    await line.head()
    await line.event({"choices": [{"delta": {"content": 7}}]})


def _instance(schema: Mapping[str, Any]) -> Any:
    """Return a value that fits a schema of the plain kinds that are asked for."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: _instance(schema["properties"][name]) for name in schema.get("required", ())}
        case "array":
            return [_instance(schema["items"])] * schema.get("minItems", 0)
        case "integer":
            return 1
    return "x"


def able(*, schema: bool, tools: bool) -> Act:
    """Return a server whose model says what it is asked to say; it forces a schema, or calls tools, or neither."""

    async def act(line: Line) -> None:
        body = line.asked.body
        said = str(body["messages"][-1]["content"])
        if schema and "response_format" in body:
            await line.say(json.dumps(_instance(body["response_format"]["json_schema"]["schema"])))
        elif tools and "tools" in body:
            function = body["tools"][0]["function"]
            await calls((function["name"], json.dumps(_instance(function["parameters"]))))(line)
        elif "fruit" in said and "JSON Schema" in said:
            await line.say('{"answer": "apple"}')
        else:
            await line.say(said[said.find("{") :] if "{" in said else "one two three four five six seven eight")

    return act
