"""One server in one cell: started, held to what was reviewed, asked one thing after the other, and ended.

What this stops: two calls at once in one server, whose questions and progress nobody could tell apart; a call that
waits for a server that is over; a cell that says what nobody asked for.
What it does not: decide when a cell begins, or how long it stays (``warm``).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from kernel.errors import TaskFailed
from kernel.serving.masking import Mask
from permissions.errors import PermissionsError
from permissions.model import CellOutcome, CellSpec, CellStatus, Connection
from skills.errors import SkillError
from skills.mcp.listing import Listing, listing_of
from skills.mcp.wire import Reply, pack, reply_of, unpack

Progress = Callable[[float | None, str], None]
Connected = Callable[[Connection], None]
Elicit = Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any] | None]]
"""Asks the person what a server asks: the answer's fields, or None for no."""
Review = Callable[[Listing], None]
"""Sees what a server lists anew before its call; raises TaskFailed where the call is not to be made."""

LARGE = 1 << 20
"""What is larger is read, and looked through for secrets, beside everything else that the daemon does."""

MOST_QUESTIONS = 1_000_000
MOST_ELICITED = 3
"""So often a server may ask in one call."""

MOST_CHANGED = 3
"""So often a server may change what it lists before one call."""

_LEAVES_S = 6.0


class ServerHouse(Protocol):
    """What is needed of ``permissions.Cells``."""

    async def call(
        self, spec: CellSpec, request: bytes, *, on_progress: Any, on_connection: Any, answer: Any, most_questions: int
    ) -> CellOutcome:
        """Run one request in a cell of its own."""


@dataclass(slots=True)
class _Order:
    """A call under way in a cell: what is done about its progress, connections and questions, and its end."""

    message: dict[str, Any]
    progress: Progress
    connected: Connected
    elicit: Elicit | None
    review: Review
    reply: asyncio.Future[Reply]
    elicited: int = 0
    changed: int = 0
    declined: list[str] = field(default_factory=list)


class ServerOver(Exception):
    """The server is over; the message says why. ``code`` says whether it was the memory, the time, or itself."""

    def __init__(self, why: str, code: str = "server.over", last_words: str = "") -> None:
        super().__init__(why)
        self.code = code
        self.last_words = last_words


class ServerCell:
    """The cell of one server. Belongs to one event loop."""

    def __init__(
        self, house: ServerHouse, spec: CellSpec, request: Mapping[str, Any], stray: Connected,
        secrets: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        """``stray`` is told of connections that end while nothing is called; ``secrets`` are in nothing it says."""
        loop = asyncio.get_running_loop()
        self._stray, self._mask = stray, Mask((secrets or {}).values())
        self._listed: asyncio.Future[Listing] = loop.create_future()
        self._orders: asyncio.Queue[_Order | None] = asyncio.Queue()
        self._order: _Order | None = None
        self._news: Listing | None = None
        self._why: ServerOver | None = None
        self._running = asyncio.create_task(self._run(house, spec, json.dumps(request).encode()))

    @property
    def over(self) -> ServerOver | None:
        """Why it is over, None while it runs."""
        return self._why

    async def listing(self) -> Listing:
        """Return what the server lists, when it has started. Raises ServerOver, BadSkill."""
        return await asyncio.shield(self._listed)

    def news(self) -> Listing | None:
        """Return what it lists since it said that this has changed; None where it said nothing."""
        news, self._news = self._news, None
        return news

    async def call(
        self, message: dict[str, Any], progress: Progress, connected: Connected, elicit: Elicit | None, review: Review
    ) -> tuple[Reply, list[str]]:
        """Have one tool called; return its reply, and what the server asked and was not told. Raises ServerOver.

        ``review`` sees what it lists where that changed while it rested; what it raises is raised, and nothing called.
        One after the other: whoever calls sees to that.
        """
        if self._why:
            raise self._why
        order = _Order(message, progress, connected, elicit, review, asyncio.get_running_loop().create_future())
        self._order = order
        self._orders.put_nowait(order)
        try:
            return await order.reply, order.declined
        finally:
            self._order = None

    async def leave(self) -> None:
        """Let the server end by itself, so that what it writes is written; then end it. Raises nothing."""
        self._orders.put_nowait(None)
        await asyncio.wait({self._running}, timeout=_LEAVES_S)
        await self.end()

    async def end(self) -> None:
        """End the cell at once, and wait until nothing of it runs, however often this is cancelled meanwhile."""
        self._running.cancel()
        cancelled: asyncio.CancelledError | None = None
        while not self._running.done():
            try:
                await asyncio.wait({self._running})
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled

    # --- the cell's side ----------------------------------------------------------------------------------------

    async def _run(self, house: ServerHouse, spec: CellSpec, request: bytes) -> None:
        try:
            outcome = await house.call(
                spec, request, on_progress=self._on_progress, on_connection=self._on_connection, answer=self._answer,
                most_questions=MOST_QUESTIONS,
            )  # fmt: skip
            self._finish(_told(outcome, self._mask))
        except asyncio.CancelledError:
            self._finish(ServerOver("it was ended"))
            raise
        except (PermissionsError, SkillError) as error:
            self._finish(error)
        except Exception as error:  # the edge of a cell: an unforeseen fault ends this one, and its caller is told
            self._finish(ServerOver(f"{type(error).__name__}: {error}"))

    def _finish(self, why: Exception) -> None:
        self._why = why if isinstance(why, ServerOver) else ServerOver(str(why))
        if not self._listed.done():
            self._listed.set_exception(why)
            self._listed.exception()  # perhaps nobody waits for it any more
        if self._order and not self._order.reply.done():
            self._order.reply.set_exception(why)

    async def _answer(self, question: bytes, _given: int) -> bytes | None:
        """Take what the cell says, and return what it is to do next; None ends it."""
        large = len(question) > LARGE
        said = await asyncio.to_thread(self._heard, question) if large else self._heard(question)
        if "elicit" in said:
            return pack({"answer": await self._elicited(said["elicit"])})
        if "ready" in said and not self._listed.done():
            self._listed.set_result(listing_of(said["ready"]))
        elif "changed" in said and self._order and not self._order.reply.done():
            if self._goes_on(self._order, listing_of(said["changed"])):
                return pack({"call": self._order.message})
        elif "done" in said and self._order and not self._order.reply.done():
            self._news = listing_of(said["listing"]) if "listing" in said else self._news
            self._order.reply.set_result(reply_of(said["done"]))
        else:
            raise ServerOver("its cell said what nobody had asked for")
        order = await self._orders.get()
        return pack({}) if order is None else pack({"call": order.message})

    def _heard(self, question: bytes) -> Any:
        return self._mask.out_of(unpack(question))

    def _goes_on(self, order: _Order, listing: Listing) -> bool:
        """Tell whether the call still goes on with what is listed now; else whoever waits for it is told why."""
        order.changed += 1
        if order.changed > MOST_CHANGED:
            raise ServerOver(f"it changed its tools {MOST_CHANGED} times before a call")
        try:
            order.review(listing)
        except TaskFailed as refused:
            order.reply.set_exception(refused)
            return False
        return True

    async def _elicited(self, said: Any) -> dict[str, Any]:
        order = self._order
        if order is None or not isinstance(said, Mapping):
            return {"action": "decline"}
        order.elicited += 1
        message, schema = str(said.get("message"))[:2000], said.get("schema")
        content = None
        if order.elicit is not None and order.elicited <= MOST_ELICITED:
            content = await order.elicit(message, schema if isinstance(schema, Mapping) else {})
        if content is None:
            order.declined.append(message)
            return {"action": "decline"}
        return {"action": "accept", "content": content}

    def _on_progress(self, data: bytes) -> None:
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            body = json.loads(data)
            fraction = body["fraction"]
            part = float(fraction) if isinstance(fraction, int | float) and 0 <= fraction <= 1 else None
            if self._order:
                self._order.progress(part, self._mask.out_of(str(body["text"]))[:200])

    def _on_connection(self, one: Connection) -> None:
        said = replace(one, host=self._mask.out_of(one.host))  # it is the server that names the host
        (self._order.connected if self._order else self._stray)(said)


def _told(outcome: CellOutcome, mask: Mask) -> ServerOver:
    """Say why a cell ended by itself."""
    last = " ".join(mask.out_of(outcome.stderr_tail).split())[-400:]
    match outcome.status:
        case CellStatus.OUT_OF_MEMORY:
            return ServerOver("it needed more memory than it may have", "task.memory", last)
        case CellStatus.OUT_OF_TIME:
            return ServerOver("its time was over", "task.time", last)
        case CellStatus.RETURNED:
            with suppress(SkillError):
                why = mask.out_of(str(unpack(outcome.reply or b"").get("ended")))
                return ServerOver(why[:600], last_words=last)
    how = f"signal {outcome.signal}" if outcome.signal else f"exit code {outcome.exit_code}"
    return ServerOver(f"its cell ended ({how})", last_words=last)
