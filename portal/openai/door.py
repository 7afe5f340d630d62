"""The door: one application for ``/v1/...``, behind the guard's tokens.

What this stops: a client that was not offered ``ask``; more at a time than its pace; a request that goes on after the
program went away; a refusal of another shape than these programs read.
What it does not: wait for a person longer than a client's call does; a run that waits goes on waiting for them.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from kernel import Ask, BadRequest, Kernel, KernelError
from portal.guard import Caller, Channel
from portal.mcp.answering import ASK_OFFER
from portal.mcp.following import View, followed
from portal.mcp.pace import Pace, TooMuch
from portal.openai.errors import V1, error
from portal.openai.reading import MODEL, Chat, Unfit, read_chat
from portal.openai.telling import Completion, model, models
from portal.problems import status_of
from portal.site import Site

CHAT, MODELS = f"{V1}chat/completions", f"{V1}models"
CONVERSATION, RUN, PROGRESS = "x-steward-conversation", "x-steward-run", "x-steward-progress"

_BROKEN = (500, "internal", "Something went wrong inside Steward.", "The log says more: ./steward log --daemon")

log = logging.getLogger("steward.portal")


class ChatDoor:
    """Answers whoever the guard let in by a token."""

    def __init__(self, kernel: Kernel, site: Site, pace_of: Callable[[str], Pace]) -> None:
        self._kernel = kernel
        self._closing = site.closing
        self._pace_of = pace_of

    def route(self) -> BaseRoute:
        """Return the way in; what is not there is answered here, too, in the same shape."""
        return Route(f"{V1}{{path:path}}", self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; when the program goes away, what it asked for is stopped."""
        request = Request(scope, receive)
        body = await request.body()
        work = asyncio.ensure_future(self._serve(request, body, send))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
        finally:
            for one in (work, gone):
                one.cancel()
            await asyncio.wait({work, gone})

    async def _serve(self, request: Request, body: bytes, send: Send) -> None:
        talk = _Talk(request.scope, request.receive, send)
        try:
            if (answer := self._refused(request)) is None:
                answer = await self._asked(request, body, talk)
        except Unfit as unfit:
            answer = error(unfit.status, unfit.code, str(unfit), unfit.hint, param=unfit.param)
        except KernelError as told:
            status = 403 if told.code == "client.not_allowed" else status_of(told)
            answer = error(status, told.code, str(told), told.hint)
        except TooMuch as much:
            wait = {"Retry-After": str(int(much.wait_s) + 1)}
            answer = error(429, "client.pace", str(much), f"Try again in {much.wait_s:.0f} s.", wait)
        except (OSError, ClientDisconnect):
            return  # nobody is there to be told
        except Exception:
            log.exception("%s failed", request.url.path)
            answer = error(*_BROKEN)
        await talk.end(answer)

    def _refused(self, request: Request) -> Response | None:
        """Answer everything but a chat."""
        caller: Caller = request.scope["steward.caller"]
        path = request.url.path
        if caller.channel not in (Channel.CLIENT, Channel.API):
            return error(403, "client.token", "Only a token opens this.", "Send it to the port: Authorization: Bearer.")
        wanted = {CHAT: "POST", MODELS: "GET", f"{MODELS}/{MODEL}": "GET"}.get(path)
        if wanted is None:
            return error(404, "http.404", f"There is no {path[:80]} here.", f"There are {MODELS} and {CHAT}.")
        if request.method != wanted:
            return error(405, "http.405", f"{path} takes {wanted} alone.", headers={"Allow": wanted})
        if path == CHAT:
            return None
        self._pace_of(caller.client).count_list()
        return JSONResponse(models() if path == MODELS else model())

    async def _asked(self, request: Request, body: bytes, talk: _Talk) -> Response | None:
        chat = read_chat(body, request.headers.get(CONVERSATION, ""))
        client = request.scope["steward.caller"].client
        self._check_offered(client)
        async with self._pace_of(client).turn():
            run = await self._kernel.ask(Ask(chat.text, chat.conversation or None, channel="api", client=client))
            return await self._come_to(run, chat, talk, progress=request.headers.get(PROGRESS) == "1")

    def _check_offered(self, client: str) -> None:
        if client and all(one["offer"] != ASK_OFFER for one in self._kernel.clients.offers(client)):
            raise BadRequest("client.not_allowed", f"{client} may not ask in words.",
                             hint=f"The person can allow it: ./steward mcp allow {client} ask")  # fmt: skip

    async def _come_to(self, run: str, chat: Chat, talk: _Talk, *, progress: bool) -> Response | None:
        made = Completion(run)

        async def report(_count: float, what: str) -> None:
            if chat.stream:
                await talk.say(made.progress(what) if progress else None)

        if chat.stream:
            await talk.begin(self._headers(run))
            await talk.say(made.begun())
        view = await followed(self._kernel, run, report, self._kernel.client_wait_s, self._closing)
        if not chat.stream:
            return JSONResponse(made.whole(view), headers=self._headers(run))
        for part in made.ended(view, usage=chat.usage):
            await talk.say(part)
        return None

    def _headers(self, run: str) -> dict[str, str]:
        conversation = str(self._kernel.view(run)["conversation"])
        named = {CONVERSATION: conversation} if conversation.isascii() and conversation.isprintable() else {}
        return {RUN: run} | named


class _Talk:
    """What is sent to the program: one answer, or a stream of events."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._streams = False

    async def begin(self, headers: dict[str, str]) -> None:
        """Begin a stream."""
        self._streams = True
        named = [(name.encode(), value.encode()) for name, value in headers.items()]
        kind = (b"content-type", b"text/event-stream; charset=utf-8")
        await self._send({"type": "http.response.start", "status": 200, "headers": [kind, *named]})

    async def say(self, event: View | None) -> None:
        """Send an event; None is a sign of life that no program reads as one."""
        await self._write(f"data: {json.dumps(event)}\n\n" if event is not None else ": goes on\n\n")

    async def end(self, answer: Response | None) -> None:
        """End the stream, or send the one answer; an error in the middle of a stream is its last event."""
        if not self._streams:
            assert answer is not None
            await answer(self._scope, self._receive, self._send)
            return
        if answer is not None:
            await self.say(json.loads(bytes(answer.body)))
        await self._write("data: [DONE]\n\n", more=False)

    async def _write(self, text: str, *, more: bool = True) -> None:
        await self._send({"type": "http.response.body", "body": text.encode(), "more_body": more})


async def _gone(receive: Receive) -> None:
    message: dict[str, Any] = {}
    while message.get("type") != "http.disconnect":
        message = dict(await receive())
