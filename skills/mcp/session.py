"""A server as its cell sees it: started, listed, called; what it says is put into the daemon's words.

What this stops: a server that never answers while it starts; one that says more than anybody listens to; arguments that
its own schema refuses reaching it; a result larger than the daemon takes. All of it happens behind the wall.
What it does not: keep the time of a call, or of a rest; the daemon does, and ends the cell.

Source: the ``mcp`` library (2.x): ``mcp.client.Client`` speaks both generations of the protocol.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import anyio
import httpx2
import mcp_types as types
from mcp.client import Client, ClientRequestContext
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from permissions.confine import Asker
from skills.mcp import replies
from skills.mcp.listing import LIST, PROMPT, READ
from skills.mcp.stdio import started
from skills.mcp.wire import MOST_REPLY_BYTES, pack

START_S = 30.0
_MOST_PAGES = 20
_MOST_AT_REST, _MOST_IN_A_CALL = 1_000, 100_000
"""So many messages a server may send while it is started or nobody asks it anything, and while it is called."""
_PROGRESS_PAUSE_S = 0.05
_MOST_SAID = 4000
"""So many characters of a text go to the daemon, which takes secrets out before it cuts it to what is shown."""


class Session:
    """One server. ``request`` says how it is started or reached: command, environment, or address, and its protocol.

    ``ended`` is why it is over; whatever still runs then is of no use any more.
    """

    def __init__(
        self,
        request: Mapping[str, Any],
        asker: Asker,
        emit: Callable[[bytes], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.ended: asyncio.Future[str] = loop.create_future()
        self._request = request
        self._asker = asker
        self._emit = emit
        self._heard, self._most = 0, _MOST_AT_REST
        self._changed = False
        self._reported_at = float("-inf")
        self._asking = asyncio.Lock()
        self._answer: asyncio.Future[bytes] = loop.create_future()
        self._listens = False
        self._fit = replies.Fit()

    async def serve(self) -> None:
        """Start the server, say what it lists, and do what the daemon answers until it answers no more."""
        late = f"it did not answer as an MCP server within {START_S:g} seconds"
        timer = asyncio.get_running_loop().call_later(START_S, self._end, late)
        try:
            async with self._client() as client:
                try:
                    listing = await self._listing(client)
                    timer.cancel()
                    await self._serve(client, listing)
                except BaseException as error:
                    self._end(replies.fault(error))
                    raise
        except BaseException as error:  # the edge of a cell: whatever a server brings about ends it, in words
            self._end(replies.fault(error))
        self._end("done")

    def _end(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_result(why)

    # --- connecting ---------------------------------------------------------------------------------------------

    def _client(self) -> Client:
        old = self._request.get("protocol") in HANDSHAKE_PROTOCOL_VERSIONS  # met before: it is not asked for the newer
        return Client(
            self._transport(), mode="legacy" if old else "auto", cache=None, input_required_max_rounds=8,
            client_info=types.Implementation(name="steward", version="1"),
            elicitation_callback=self._elicit, message_handler=self._on_message,
        )  # fmt: skip

    @contextlib.asynccontextmanager
    async def _listened(self) -> AsyncIterator[Any]:
        """Reach the server at its address, and count what comes."""
        timeout = httpx2.Timeout(30.0, read=600.0)
        headers = self._request.get("headers") or {}
        client = httpx2.AsyncClient(timeout=timeout, follow_redirects=False, headers=headers)
        reached = streamable_http_client(self._request["url"], http_client=client)
        async with client, reached as (read, write), anyio.create_task_group() as group:
            sender, messages = anyio.create_memory_object_stream[Any](0)
            group.start_soon(self._listen, read, sender)
            yield messages, write
            group.cancel_scope.cancel()

    def _transport(self) -> Any:
        if self._request.get("url"):
            return self._listened()
        told = self._request
        return started(told["command"], told["env"], told.get("cwd") or "", self._count, self._end)

    def _count(self) -> None:
        """Take note of a message. Raises ValueError where there are too many."""
        self._heard += 1
        if self._heard > self._most:
            raise ValueError(f"it sent more than {self._most} messages that nobody had asked for")

    async def _listen(self, read: Any, sender: Any) -> None:
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # nobody listens any more
            async with sender:
                try:
                    async for message in read:
                        self._count()
                        await sender.send(message)
                except ValueError as error:
                    self._end(str(error))
                    return
                self._end("it closed the connection")

    # --- one call after the other -------------------------------------------------------------------------------

    async def _serve(self, client: Client, listing: dict[str, Any]) -> None:
        order = await self._ask({"ready": listing})
        while order.get("call"):
            if self._has_changed():  # while it rested: what it lists is looked at before anything of it is called
                order = await self._ask({"changed": await self._listing(client)})
                continue
            said: dict[str, Any] = {"done": _bounded(await self._called(client, order["call"]))}
            if self._has_changed():
                said["listing"] = await self._listing(client)
            order = await self._ask(said)

    def _has_changed(self) -> bool:
        """Tell whether it has said, since this was asked last, that it lists something else."""
        changed, self._changed = self._changed, False
        return changed

    async def _called(self, client: Client, order: Mapping[str, Any]) -> dict[str, Any]:
        name, arguments = order["name"], order["arguments"]
        wrong = self._fit.wrong(order["digest"], order["schema"], arguments)
        if wrong:
            return replies.error("server.arguments", wrong)
        try:
            return await self._call(client, name, arguments)
        except MCPError as error:
            if error.error.code == types.CONNECTION_CLOSED:
                raise EOFError("it ended in the middle of a call") from error
            return replies.error("server.error", str(error))
        except (RuntimeError, ValueError) as error:
            return replies.error("server.result", replies.fault(error))

    async def _call(self, client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == LIST:
            listed = await _pages(client.list_resources, "resources", must=True)
            return replies.of_resources(listed, await _pages(client.list_resource_templates, "resource_templates"))
        if name == READ:
            return replies.of_resource(await client.read_resource(arguments["uri"]))
        if name == PROMPT:
            given = {key: str(value) for key, value in (arguments.get("arguments") or {}).items()}
            return replies.of_prompt(await client.get_prompt(arguments["name"], given))
        return replies.of_tool(await client.call_tool(name, arguments, progress_callback=self._on_progress))

    # --- listing ------------------------------------------------------------------------------------------------

    async def _listing(self, client: Client) -> dict[str, Any]:
        able, named = client.server_capabilities, client.server_info
        listed: dict[str, Any] = {
            "protocol": client.protocol_version,
            "server": {"name": named.name, "version": named.version} if named else {},
            "tools": await _pages(client.list_tools, "tools", must=True) if able.tools else [],
        }
        if able.resources:
            listed["resources"] = len(await _pages(client.list_resources, "resources"))
            listed["resources"] += len(await _pages(client.list_resource_templates, "resource_templates"))
        if able.prompts:
            listed["prompts"] = await _pages(client.list_prompts, "prompts")
        return listed

    # --- what a server says by itself ---------------------------------------------------------------------------

    async def _on_message(self, message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification | types.PromptListChangedNotification):
            self._changed = True  # of resources none is pinned: those that there are, are listed when somebody asks

    async def _on_progress(self, progress: float, total: float | None, message: str | None) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._reported_at >= _PROGRESS_PAUSE_S:
            self._reported_at = now
            part = min(1.0, max(0.0, progress / total)) if total else None
            self._emit(pack({"fraction": part, "text": (message or "")[:_MOST_SAID]}))

    async def _elicit(self, context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
        """Hand a question of the server's on to the person; one that wants them at a web page is declined."""
        if not isinstance(params, types.ElicitRequestFormParams):
            return types.ElicitResult(action="decline")
        asked = {"message": params.message[:_MOST_SAID], "schema": dict(params.requested_schema)}
        said = await self._ask({"elicit": asked})
        answer = said.get("answer") or {}
        return types.ElicitResult(action=answer.get("action", "decline"), content=answer.get("content"))

    # --- asking the daemon --------------------------------------------------------------------------------------

    async def _ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the daemon answers; the server is listened to meanwhile. Raises OSError, ValueError."""
        async with self._asking:
            self._heard, self._most = 0, _MOST_AT_REST
            self._asker.send(pack(message))
            answer: dict[str, Any] = json.loads(await self._answered())
            self._heard, self._most = 0, _MOST_IN_A_CALL
            return answer

    async def _answered(self) -> bytes:
        """Wait for the daemon's answer. The line is listened to from the first time on."""
        loop = asyncio.get_running_loop()
        self._answer = loop.create_future()
        if not self._listens:
            loop.add_reader(self._asker.fileno(), self._take_answer)
            self._listens = True
        return await self._answer

    def _take_answer(self) -> None:
        if self._answer.done():  # nothing was asked: the line is closed, and says so until nobody listens
            asyncio.get_running_loop().remove_reader(self._asker.fileno())
            self._listens = False
            return
        try:
            self._answer.set_result(self._asker.receive())
        except (OSError, ValueError) as error:
            self._answer.set_exception(error)


async def _pages(ask: Callable[..., Any], name: str, *, must: bool = False) -> list[dict[str, Any]]:
    """Return all of a list that comes in pages; unless it ``must`` be listed, what cannot be listed is not there."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        try:
            page = await ask(cursor=cursor)
        except MCPError:
            if must:
                raise
            return found  # it says that it can, and cannot: nothing is there
        found += [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in getattr(page, name)]
        cursor = page.next_cursor
        if not cursor:
            return found
    raise ValueError(f"it lists {name} without end")


def _bounded(said: dict[str, Any]) -> dict[str, Any]:
    """Return a reply, or that it is too large; the text of it, and its pictures, are bounded already."""
    size = len(json.dumps(said.get("structured"))) if said.get("structured") is not None else 0
    if size <= MOST_REPLY_BYTES:
        return said
    return replies.error("server.size", f"it returned {size >> 20} MiB; {MOST_REPLY_BYTES >> 20} MiB are taken")
