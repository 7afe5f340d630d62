"""A server that speaks like one of OpenAI's kind, over real sockets, and does what it was told: well, or in bad ways.

``BEHAVIOURS`` holds every way by name, with what has to come of it. ``PLANS`` are replies that are JSON and make no
plan: for whoever asks for plans.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import queue
import socket
import struct
import threading
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any

SCHEMA: Mapping[str, Any] = {
    "type": "object", "properties": {"answer": {"enum": ["velm", "trosk"]}, "count": {"type": "integer"}},
    "required": ["answer"], "additionalProperties": False,
}  # fmt: skip
"""What is asked for: words that no model would say by itself."""

VALUE: Mapping[str, Any] = {"answer": "velm", "count": 2}
GOOD = json.dumps(VALUE)
NAME = "reply"
HANG_S = 30.0


@dataclass(slots=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(slots=True)
class Line:
    """One connection, and what can be said on it."""

    writer: asyncio.StreamWriter
    asked: Asked
    server: Server

    async def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(data)
        await self.writer.drain()

    async def head(self, status: str = "200 OK", kind: str = "text/event-stream", **headers: str) -> None:
        """Begin an answer that ends with the connection."""
        more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        await self.raw(f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{more}connection: close\r\n\r\n".encode())

    async def event(self, value: Any) -> None:
        """Send one event of the stream."""
        await self.raw(b"data: " + json.dumps(value).encode() + b"\n\n")

    async def part(self, text: str | None = None, finish: str | None = None, **delta: Any) -> None:
        """Send a part of an answer."""
        said = ({} if text is None else {"content": text}) | delta
        await self.event({"id": "x", "object": "chat.completion.chunk", "model": self.asked.body.get("model"),
                          "choices": [{"index": 0, "delta": said, "finish_reason": finish}]})  # fmt: skip

    async def usage(self, tokens_in: Any = 20, tokens_out: Any = 9) -> None:
        """Say what was used."""
        await self.event({"choices": [], "usage": {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}})

    async def done(self) -> None:
        """Say that this is all."""
        await self.raw(b"data: [DONE]\n\n")

    async def say(self, text: str, finish: str = "stop") -> None:
        """Give a whole answer in a few parts."""
        await self.head()
        step = max(12, len(text) // 500)
        for start in range(0, len(text), step):
            await self.part(text[start : start + step])
        await self.part(finish=finish)
        await self.usage()
        await self.done()

    async def error(self, status: str, message: str, **headers: str) -> None:
        """Answer with an error as OpenAI's servers do."""
        await self.head(status, "application/json", **headers)
        await self.raw(json.dumps({"error": {"message": message, "type": "x", "code": "x"}}).encode())


Act = Callable[[Line], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a server does. ``code`` is what comes of it ("" for the value), ``way`` how it was asked for a form."""

    act: Act
    code: str = ""
    way: str = "text"


@dataclass(slots=True)
class Server:
    """A server at work. ``act`` may be changed; ``asked`` is what came, ``open`` how many connections stand."""

    act: Act
    asked: list[Asked] = field(default_factory=list)
    open: int = 0
    port: int = 0
    models: tuple[str, ...] = ("m",)
    elsewhere: str = ""

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}/v1"


@asynccontextmanager
async def serving(act: Act) -> AsyncIterator[Server]:
    """Serve until the end; then nothing of it is left."""
    server = Server(act)
    tasks: set[asyncio.Task[None]] = set()

    async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        server.open += 1
        try:
            await _talk(server, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # who asked has gone, or the server ends
        finally:
            server.open -= 1
            tasks.discard(task)
            writer.close()

    listening = await asyncio.start_server(met, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _talk(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    method, path, _ = head[0].split(" ")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
    data = await reader.readexactly(int(headers.get("content-length", "0")))
    asked = Asked(method, path, headers, json.loads(data) if data else {})
    server.asked.append(asked)
    line = Line(writer, asked, server)
    if path.endswith("/models") and method == "GET":
        await line.head(kind="application/json")
        await line.raw(json.dumps({"object": "list", "data": [{"id": one} for one in server.models]}).encode())
        return
    gone = asyncio.ensure_future(reader.read())  # ends when who asked closes the connection
    acting = asyncio.ensure_future(server.act(line))
    try:
        await asyncio.wait({gone, acting}, return_when=asyncio.FIRST_COMPLETED)
        if acting.done():
            acting.result()
    finally:
        for task in (gone, acting):
            task.cancel()
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            await asyncio.gather(gone, acting, return_exceptions=True)


# --- how it behaves -------------------------------------------------------------------------------------------------


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


@contextmanager
def served(act: Act) -> Iterator[Server]:
    """Serve from a thread of its own, for tests that wait for other processes."""
    loop = asyncio.new_event_loop()
    ready: queue.Queue[Server] = queue.Queue()
    over = asyncio.Event()

    async def run() -> None:
        async with serving(act) as server:
            ready.put(server)
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    try:
        yield ready.get(timeout=10)
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        loop.close()


_SOON = {"Retry-After": "0.1"}
_TWICE = '{"answer": "velm", "answer": "trosk"}'

BEHAVIOURS: Mapping[str, Behaviour] = {
    "good": Behaviour(says(GOOD)),
    "good, by schema": Behaviour(says(GOOD), way="schema"),
    "good, by a tool": Behaviour(calls((NAME, GOOD)), way="tools"),
    "truncated stream": Behaviour(truncated, "model.garbage"),
    "announces more than comes": Behaviour(broken_chunk, "model.unreachable"),
    "no [DONE]": Behaviour(no_done),
    "garbage bytes": Behaviour(sends(bytes(range(256)) * 40), "model.garbage"),
    "events that are no JSON": Behaviour(sends(b"data: {nonsense\n\n"), "model.garbage"),
    "an event that is a list": Behaviour(sends(b"data: [1]\n\n"), "model.garbage"),
    "nested without end": Behaviour(sends(b"data: " + b"[" * 100_000 + b"\n\n"), "model.garbage"),
    "numbers for texts": Behaviour(strange_types, "model.garbage"),
    "invalid UTF-8": Behaviour(sends(b'data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n'), "model.garbage"),
    "half a character": Behaviour(sends(b'data: {"choices":[{"delta":{"content":"\\ud800"}}]}\n\n'), "model.garbage"),
    "endless tokens": Behaviour(endless_tokens, "model.too_long"),
    "endless thought": Behaviour(endless_thought, "model.too_long"),
    "endless comments": Behaviour(endless_comments, "model.too_long"),
    "a line of 100 MB": Behaviour(long_line, "model.too_long"),
    "a packed bomb": Behaviour(packed, "model.garbage"),
    "empty reply": Behaviour(sends(), "model.garbage"),
    "nothing but white space": Behaviour(says("  \n "), "model.garbage"),
    "HTML with 200": Behaviour(sends(b"<html><body>hello</body></html>", kind="text/html"), "model.garbage"),
    "wrong content type": Behaviour(sends(
        b'data: {"choices":[{"delta":{"content":' + json.dumps(GOOD).encode() + b'},"finish_reason":"stop"}]}\n\n',
        kind="text/plain")),
    "wrong schema": Behaviour(says('{"answer": "yes"}'), "model.schema"),
    "wrong schema, by schema": Behaviour(says('{"answer": "velm", "more": 1}'), "model.schema", "schema"),
    "JSON in prose": Behaviour(says(f"Sure! Here it is: {GOOD} I hope it helps.")),
    "JSON in fences": Behaviour(says(f"```json\n{GOOD}\n```")),
    "JSON with a comma too many": Behaviour(says('{"answer": "velm", "count": 2,}')),
    "JSON in single quotes": Behaviour(says("{'answer': 'velm', 'count': 2}")),
    "thought in the text": Behaviour(says(f'<think>maybe {{"answer": "trosk"}}</think>{GOOD}')),
    "thought beside the text": Behaviour(thought),
    "half JSON": Behaviour(says(GOOD[:-4]), "model.garbage"),
    "half JSON for want of tokens": Behaviour(says(GOOD[:-4], "length"), "model.too_long"),
    "two answers": Behaviour(says('{"answer": "velm"} or {"answer": "trosk"}'), "model.schema"),
    "no JSON at all": Behaviour(says("I would rather not."), "model.garbage"),
    "duplicate keys": Behaviour(says(_TWICE), "model.garbage"),
    "NaN": Behaviour(says('{"answer": "velm", "count": NaN}'), "model.garbage"),
    "NUL": Behaviour(says('{"answer": "velm\\u0000"}'), "model.garbage"),
    "unknown finish reason": Behaviour(says(GOOD, "because")),
    "content filter": Behaviour(says("", "content_filter"), "model.refused"),
    "refusal": Behaviour(refusal, "model.refused"),
    "error in the stream": Behaviour(error_in_stream, "model.refused"),
    "400 on response_format": Behaviour(picky, "model.refused", "schema"),
    "400 without a reason": Behaviour(refuses("400 Bad Request", ""), "model.refused"),
    "401": Behaviour(refuses("401 Unauthorized"), "model.refused"),
    "404 model": Behaviour(refuses("404 Not Found", "model m not found"), "model.refused"),
    "413": Behaviour(refuses("413 Payload Too Large"), "model.too_long"),
    "429, soon": Behaviour(first_then("429 Too Many Requests", says(GOOD), **_SOON)),
    "429, always soon": Behaviour(refuses("429 Too Many Requests", "slowly", **_SOON), "model.busy"),
    "429, in a year": Behaviour(refuses("429 Too Many Requests", **{"Retry-After": "31536000"}), "model.busy"),
    "429, a date": Behaviour(
        first_then("429 Too Many Requests", says(GOOD), **{"Retry-After": formatdate(time.time() - 60, usegmt=True)})
    ),
    "429, nonsense": Behaviour(refuses("429 Too Many Requests", **{"Retry-After": "nan"}), "model.busy"),
    "429, never": Behaviour(refuses("429 Too Many Requests", **{"Retry-After": "inf"}), "model.busy"),
    "429 without": Behaviour(refuses("429 Too Many Requests"), "model.busy"),
    "500": Behaviour(refuses("500 Internal Server Error", "out of memory"), "model.unreachable"),
    "503, then good": Behaviour(first_then("503 Service Unavailable", says(GOOD), **_SOON)),
    "hang before the headers": Behaviour(hang_before_headers, "model.timeout"),
    "hang before the first part": Behaviour(hang_before_first, "model.timeout"),
    "hang in the middle": Behaviour(hang_in_the_middle, "model.timeout"),
    "a byte at a time": Behaviour(slow, "model.timeout"),
    "reset in the middle": Behaviour(reset, "model.unreachable"),
    "redirect to another host": Behaviour(redirect, "model.refused"),
    "echo of the key": Behaviour(echo, "model.refused"),
    "echo of the key in the answer": Behaviour(echo_in_text),
    "usage missing": Behaviour(no_usage),
    "usage absurd": Behaviour(used(10**18, 10**18)),
    "usage negative": Behaviour(used(-5, -1)),
    "usage no number": Behaviour(used("many", True)),
    "goes on after the end": Behaviour(after_done),
    "another model's name": Behaviour(other_model),
    "a tool call with broken arguments": Behaviour(calls((NAME, '{"answer": ')), "model.garbage", "tools"),
    "two tool calls": Behaviour(calls((NAME, GOOD), (NAME, GOOD)), "model.schema", "tools"),
    "a tool call of another name": Behaviour(calls(("rm", GOOD)), "model.schema", "tools"),
    "text instead of a tool call": Behaviour(says(GOOD), way="tools"),
}  # fmt: skip


def plan(*tasks: Mapping[str, Any]) -> str:
    """Return a reply that looks like a plan."""
    return json.dumps({"tasks": list(tasks)})


PLANS: Mapping[str, str] = {
    "cyclic plan": plan({"id": "t1", "tool": "files.find", "after": ["t2"]},
                        {"id": "t2", "tool": "files.find", "after": ["t1"]}),
    "10,000 tasks": plan(*({"id": f"t{number}", "tool": "files.find"} for number in range(10_000))),
    "unknown skill": plan({"id": "t1", "tool": "nonsense.do_it"}),
}  # fmt: skip
"""Replies that are JSON and no plan that could be made."""
