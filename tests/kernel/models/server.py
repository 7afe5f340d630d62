"""A server that speaks like one of OpenAI's kind, over real sockets, and does what it was told.

What it may do is in ``acts``, well or in bad ways; ``behaviours`` names every way, with what has to come of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
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
