"""``./steward mcp serve``: a program's standard input and output, passed on to the daemon and back.

The daemon speaks the protocol; this end only knows requests from answers, so that it can say what became of a request
when the daemon ended in the middle. It takes the connection up again by itself, with the handshake that the program had
made (programs of the newer protocol make none). Nothing but protocol is ever written on standard output.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote

from portal.locate import Places, short_path

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

LONGEST_BYTES = 2 * 1024 * 1024
"""So long one message may be, as over HTTP."""
MOST_READ_BYTES = 32 * 1024 * 1024
"""Of a longer one not even the id is read, so that nobody can be told that it was refused."""
TRIES = 6
STAYED_S = 5.0
"""A connection that lasted so long was one: what comes after it begins to count anew."""
PAUSE_S = 0.5
LET_GO_S = 5.0
"""So long the daemon may take to answer what was asked before the program closed its output."""

REFUSED, TOO_LARGE = 4403, 1009
OK, FAILED, DENIED = 0, 3, 5

_ENDED = "Steward's daemon ended in the middle of this. What was done is on record: ./steward runs. Ask again."
_LARGE = f"The message is larger than {LONGEST_BYTES // 1024 // 1024} MB."
_INVALID, _INTERNAL = -32600, -32603

Message = dict[str, Any]


class Pipe:
    """One program's way to the daemon. ``start`` starts a daemon where none runs, or raises OSError."""

    def __init__(
        self, places: Places, client: str, start: Callable[[], object], given: IO[bytes] | None = None,
        out: IO[bytes] | None = None,
    ) -> None:  # fmt: skip
        self._places = places
        self._client = client
        self._start = start
        # Not sys.stdin: at its end the interpreter would wait for the thread that reads there.
        self._given = given or open(0, "rb", closefd=False)  # noqa: SIM115
        self._out = out or sys.stdout.buffer
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._unanswered: dict[str, Any] = {}
        self._handshake: list[Message] = []
        self._all_answered = asyncio.Event()
        self._taking_up: str | None = None
        self._closed = False
        self._tries = 0

    def run(self) -> int:
        """Pass on until the program closes its end; return the exit status."""
        return asyncio.run(self._pass_on())

    async def _pass_on(self) -> int:
        reading = threading.Thread(target=self._read, args=(asyncio.get_running_loop(),), daemon=True)
        reading.start()
        while not self._closed:
            self._tries += 1
            try:
                await asyncio.to_thread(self._start)
                await self._hold()
            except _Refused as refused:
                self._give_up(str(refused))
                return DENIED
            except OSError as error:
                _say(f"The daemon cannot be reached: {error}")
            self._answer_all(_ENDED)
            if self._tries >= TRIES:
                self._give_up("The daemon does not stay. ./steward doctor says more.")
                return FAILED
            if not self._closed:
                await asyncio.sleep(PAUSE_S * self._tries)
        return OK

    # --- from the program -----------------------------------------------------------------------------------------

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read lines until there are no more; in a thread, since a terminal, a file and a pipe are read alike there."""
        while line := self._given.readline(MOST_READ_BYTES):
            if len(line) > LONGEST_BYTES:
                loop.call_soon_threadsafe(self._write_text, json.dumps(_failed(_id_in(line), _INVALID, _LARGE)))
                while line and not line.endswith(b"\n"):
                    line = self._given.readline(MOST_READ_BYTES)
                continue
            loop.call_soon_threadsafe(self._lines.put_nowait, line)
        loop.call_soon_threadsafe(self._lines.put_nowait, None)

    async def _forward(self, socket: ClientConnection) -> None:
        """Take the handshake up again, then send what the program says; returns when it has nothing more to say."""
        for message in self._handshake:
            self._taking_up = _key(message["id"]) if message.get("id") is not None else self._taking_up
            await socket.send(json.dumps(message))
        while (line := await self._lines.get()) is not None:
            text = line.decode("utf-8", "replace").strip()
            if not text:
                continue
            said = _parsed(text)
            self._note_request(said)
            try:
                await socket.send(text)
            except Exception:
                if said is not None and not _is_request(said):
                    self._lines.put_nowait(line)  # an answer or a notification: for the next connection
                raise
        self._closed = True
        self._look_whether_all_is_answered()

    def _note_request(self, message: Message | None) -> None:
        method = message.get("method") if message else None
        if message is None or method is None:
            return
        if method == "initialize":
            self._handshake = [message]
        elif method == "notifications/initialized" and self._handshake:
            self._handshake = [self._handshake[0], message]
        if _is_request(message):
            self._unanswered[_key(message["id"])] = message["id"]
            self._all_answered.clear()

    # --- from the daemon ------------------------------------------------------------------------------------------

    async def _hold(self) -> None:
        """Hold one connection to its end. Raises _Refused, OSError."""
        clock = asyncio.get_running_loop().time
        began = clock()
        async with await self._connect() as socket:
            forwarding = asyncio.ensure_future(self._forward(socket))
            delivering = asyncio.ensure_future(self._deliver_all(socket))
            await asyncio.wait({forwarding, delivering}, return_when=asyncio.FIRST_COMPLETED)
            if self._closed:  # what was asked before may still be answered
                await asyncio.wait({delivering, asyncio.ensure_future(self._all_answered.wait())}, timeout=LET_GO_S,
                                   return_when=asyncio.FIRST_COMPLETED)  # fmt: skip
            forwarding.cancel()
            delivering.cancel()
            ends = await asyncio.gather(forwarding, delivering, return_exceptions=True)
            self._tries = 0 if clock() - began > STAYED_S else self._tries
            for end in ends:
                self._judge(end)

    async def _connect(self) -> ClientConnection:
        from websockets.asyncio.client import unix_connect
        from websockets.exceptions import InvalidHandshake

        address = f"ws://localhost/mcp/stdio?client={quote(self._client)}"
        with short_path(self._places.socket) as path:
            try:
                return await unix_connect(path, address, max_size=None, compression=None, ping_interval=None,
                                          proxy=None, close_timeout=2)  # fmt: skip
            except (InvalidHandshake, EOFError) as error:
                raise OSError(str(error) or type(error).__name__) from error

    async def _deliver_all(self, socket: ClientConnection) -> None:
        while True:
            text = await socket.recv(decode=True)
            self._tries = 0
            self._deliver(text)

    def _deliver(self, text: str) -> None:
        message = _parsed(text) or {}
        if "method" not in message and message.get("id") is not None:
            key = _key(message["id"])
            if key == self._taking_up and key not in self._unanswered:
                self._taking_up = None  # the program has had the answer to its handshake
                return
            self._unanswered.pop(key, None)
            self._look_whether_all_is_answered()
        self._write_text(text)

    def _judge(self, end: BaseException | None) -> None:
        """Look at how one half of a connection ended. Raises _Refused where there will be no other one."""
        from websockets.exceptions import ConnectionClosed

        if isinstance(end, ConnectionClosed):
            code = end.rcvd.code if end.rcvd else None
            if code == REFUSED and end.rcvd:
                raise _Refused(end.rcvd.reason)
            if code == TOO_LARGE:
                self._answer_all(_LARGE)
        elif end is not None and not isinstance(end, asyncio.CancelledError):
            raise end

    # --- to the program -------------------------------------------------------------------------------------------

    def _look_whether_all_is_answered(self) -> None:
        (self._all_answered.clear if self._unanswered else self._all_answered.set)()

    def _answer_all(self, why: str) -> None:
        for asked in list(self._unanswered.values()):
            self._write_text(json.dumps(_failed(asked, _INTERNAL, why)))
        self._unanswered.clear()

    def _give_up(self, why: str) -> None:
        _say(why)
        self._answer_all(why)

    def _write_text(self, text: str) -> None:
        try:
            self._out.write(text.replace("\n", " ").encode() + b"\n")
            self._out.flush()
        except (BrokenPipeError, ValueError):  # the program went away
            self._closed = True
            self._lines.put_nowait(None)


class _Refused(Exception):
    """The daemon lets this client in no more."""


def _parsed(text: str) -> Message | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _is_request(message: Message) -> bool:
    return "method" in message and message.get("id") is not None


def _id_in(line: bytes) -> Any:
    """Return the id of a message that is too long to be passed on."""
    return (_parsed(line.decode("utf-8", "replace")) or {}).get("id")


def _key(asked: Any) -> str:
    """Tell the ids 1 and "1" apart."""
    return json.dumps(asked, default=str)


def _failed(asked: Any, code: int, why: str) -> Message:
    return {"jsonrpc": "2.0", "id": asked, "error": {"code": code, "message": why}}


def _say(text: str) -> None:
    sys.stderr.write(f"steward: {text}\n")
    sys.stderr.flush()
