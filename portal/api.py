"""The routes: thin, typed doors to the kernel. What they answer is the kernel's own view, unchanged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from kernel import Ask, Kernel
from portal import (
    activity_api,
    backups_api,
    clients_api,
    macros_api,
    mail_api,
    manners_api,
    mcp_servers_api,
    memory_api,
    models_api,
    offers_api,
    perms_api,
    routines_api,
    skills_api,
    suggestions_api,
)
from portal.callers import Json, TheCaller, TheKernel, TheSite, channel_of, peer_only
from portal.careful import CarefulRoute
from portal.pictures import read_picture
from portal.problems import problem
from portal.sessions import CODE_LIFE_S, Sessions
from portal.streams import until

api = APIRouter(prefix="/api/v1", route_class=CarefulRoute)


Paths = Annotated[list[str] | None, Query(max_length=1000, description="Absolute; repeated for several.")]


class RequestBody(BaseModel):
    """A request in words. ``cwd`` is for programs; the page has none."""

    model_config = ConfigDict(extra="forbid")
    text: str
    conversation: str | None = None
    cwd: str = ""


class AskBody(RequestBody):
    """A request to be done. ``yes`` and the terms are for programs: a ``budget`` like ``5ct``, a ``deadline`` like
    ``30s``; empty: none. ``private`` leaves no word behind.
    """

    yes: bool = False
    private: bool = False
    budget: str = ""
    deadline: str = ""


class RecommendBody(RequestBody):
    """A request, and how many tools are wanted at most."""

    limit: Annotated[int, Field(ge=1, le=50)] = 10


class AnswerBody(BaseModel):
    """The answer to a question: ``seal`` is that of what was shown; a card of rights has none."""

    model_config = ConfigDict(extra="forbid")
    answer: Literal["once", "run", "always", "no", "done"]
    seal: str = ""


class CodeBody(BaseModel):
    """A one-time code from ``./steward open``."""

    model_config = ConfigDict(extra="forbid")
    code: str


# --- signing in --------------------------------------------------------------------------------------------------


@api.post("/login-codes", dependencies=[Depends(peer_only)])
async def login_code(request: Request, site: TheSite) -> Json:
    """Make a link that signs one browser in. The code stands in the fragment, which is never sent to a server."""
    sessions: Sessions = request.app.state.sessions
    return {"url": f"{site.address}/#c={sessions.new_code()}", "expires_s": CODE_LIFE_S}


@api.post("/session")
async def sign_in(body: CodeBody, request: Request, response: Response, site: TheSite) -> Any:
    """Spend a code: set the session cookie and return the token of this tab."""
    sessions: Sessions = request.app.state.sessions
    done = sessions.sign_in(body.code)
    if done is None:
        return problem(401, "login.code", "This link has expired or was used before.", "Run: ./steward open")
    if (before := sessions.find(request.cookies.get(site.cookie, ""))) is not None:
        sessions.sign_out(before)  # signing in again renews: a browser has one session
    response.set_cookie(site.cookie, done.cookie, path="/", httponly=True, samesite="strict")
    return {"tab": done.session.new_tab(), "browser": done.browser}


@api.post("/session/tab")
async def new_tab(caller: TheCaller) -> Any:
    """Return a token for another tab of a signed-in browser."""
    if caller.session is None:
        return problem(400, "login.none", "Only a page has tabs.")
    return {"tab": caller.session.new_tab()}


@api.delete("/session")
async def sign_out(request: Request, response: Response, caller: TheCaller, site: TheSite) -> Any:
    """Sign this browser out and close its streams."""
    if caller.session is not None:
        caller.session.tasks.discard(asyncio.current_task())
        request.app.state.sessions.sign_out(caller.session)
    response.delete_cookie(site.cookie, path="/", httponly=True, samesite="strict")
    return {"ok": True}


# --- runs --------------------------------------------------------------------------------------------------------


@api.post("/runs", status_code=201)
async def ask(body: AskBody, kernel: TheKernel, caller: TheCaller) -> Json:
    """Start a run; it goes on by itself, whether or not the client stays."""
    run = await kernel.ask(Ask(body.text, body.conversation, body.cwd, body.yes, channel_of(caller), body.private,
                               budget=body.budget, deadline=body.deadline))  # fmt: skip
    return {"run": run}


@api.post("/plans")
async def draft(body: RequestBody, kernel: TheKernel) -> Json:
    """Show what would be done about a request; nothing is done, and nothing is written down."""
    return await kernel.draft(Ask(body.text, body.conversation, body.cwd))


@api.post("/recommendations")
async def recommend(body: RecommendBody, kernel: TheKernel) -> Json:
    """Show which tools would serve a request together, and why; nothing is done, and nothing is written down."""
    return await kernel.recommend(Ask(body.text, body.conversation, body.cwd), body.limit)


@api.get("/runs")
async def runs(kernel: TheKernel, limit: Annotated[int, Query(ge=1, le=500)] = 20) -> Json:
    """List the newest runs first."""
    return {"runs": kernel.runs(limit)}


@api.get("/runs/{run}")
async def view(run: str, kernel: TheKernel, wait: bool = False, whole: bool = True) -> Json:
    """Show a run; with ``wait``, once it is finished or waits for an answer. Without ``whole``, many changes are a
    summary: their count, the first of them and a count for each folder; ``/changes`` has them in pages.
    """
    if wait:
        await kernel.settle(run)
    return kernel.view(run) if whole else kernel.outline(run)


@api.post("/runs/{run}/approval")
async def approve(run: str, body: AnswerBody, kernel: TheKernel) -> Json:
    """Answer the card of a run."""
    await kernel.approve(run, body.answer, seal=body.seal)
    return {"run": run, "answer": body.answer}


@api.post("/runs/{run}/cancel")
async def cancel(run: str, kernel: TheKernel) -> Json:
    """End a run; nothing of it is committed."""
    await kernel.cancel(run)
    return {"run": run}


@api.post("/runs/{run}/undo")
async def undo(run: str, kernel: TheKernel, path: Paths = None) -> Json:
    """Take back what a run changed, or what it changed at and below each ``path``."""
    return await kernel.undo(run, path or ())


@api.get("/runs/{run}/undo")
async def undoable(run: str, kernel: TheKernel, path: Paths = None) -> Json:
    """Show what taking back a run, or that part of it, would do."""
    return kernel.undoable(run, path or ())


@api.post("/runs/{run}/replay")
async def replay(run: str, kernel: TheKernel, tools: bool = False) -> Json:
    """Go through a run once more by what the ledger has of it: nothing is done, and no model is asked. With ``tools``
    the calls that only read are made once more, and what they give is compared.
    """
    return await kernel.replay(run, tools=tools)


@api.get("/undo")
async def undoable_last(kernel: TheKernel, path: Paths = None) -> Json:
    """Show which run is the last that had effects, and what taking it back would do."""
    return kernel.undoable(None, path or ())


@api.post("/undo")
async def undo_last(kernel: TheKernel, path: Paths = None) -> Json:
    """Take back the last run that had effects."""
    return await kernel.undo(None, path or ())


@api.get("/runs/{run}/files/{index}")
async def run_picture(run: str, index: int, kernel: TheKernel) -> Response:
    """Show a picture that is among the files of a run's result, by its number there. No other file can be asked for."""
    files = (kernel.outline(run).get("result") or {}).get("files") or []
    if not 0 <= index < len(files):
        raise HTTPException(404, "This run has no such file.")
    picture = await asyncio.to_thread(read_picture, str(files[index]))
    return Response(picture.content, media_type=picture.media_type)


@api.get("/runs/{run}/changes")
async def run_changes(
    run: str,
    kernel: TheKernel,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> Json:
    """List what a run changed, or waits to change, in pages."""
    view = kernel.view(run)
    changes = view["effects"] or (view["card"] or {}).get("changes") or []
    return {"total": len(changes), "offset": offset, "changes": changes[offset : offset + limit]}


@api.get("/approvals")
async def approvals(kernel: TheKernel, whole: bool = True) -> Json:
    """List the runs that wait for an answer; without ``whole``, many changes as a summary."""
    return {"approvals": kernel.approvals(whole=whole)}


# --- events ------------------------------------------------------------------------------------------------------

LastEventId = Annotated[str | None, Header(alias="last-event-id")]
After = Annotated[int | None, Query(ge=0)]


def known_run(run: str, kernel: TheKernel) -> str:
    """Check that a run exists before its stream begins. Raises UnknownRun."""
    kernel.outline(run)
    return run


@api.get("/runs/{run}/events", response_class=EventSourceResponse)
async def run_events(
    run: Annotated[str, Depends(known_run)],
    kernel: TheKernel,
    site: TheSite,
    after: After = None,
    last_event_id: LastEventId = None,
) -> AsyncIterator[ServerSentEvent]:
    """Stream a run's events: those after the last one seen, then live, until it is finished."""
    start = _resume(last_event_id, after or 0)
    async for event in until(site.closing, kernel.stream(after=start, run=run)):
        yield _sse(event)


@api.get("/events", response_class=EventSourceResponse)
async def all_events(
    kernel: TheKernel, site: TheSite, after: After = None, last_event_id: LastEventId = None
) -> AsyncIterator[ServerSentEvent]:
    """Stream every run's events; without ``after`` or Last-Event-ID, from now on."""
    start = _resume(last_event_id, _head(kernel) if after is None else after)
    yield ServerSentEvent(comment="open", id=str(start))
    async for event in until(site.closing, kernel.stream(after=start)):
        yield _sse(event)


def _resume(last_event_id: str | None, after: int) -> int:
    return int(last_event_id) if last_event_id and last_event_id.isdecimal() else after


def _head(kernel: Kernel) -> int:
    return max((int(event["seq"]) for event in kernel.log(1)), default=0)


def _sse(event: Json) -> ServerSentEvent:
    return ServerSentEvent(raw_data=json.dumps(event, separators=(",", ":")), event=event["kind"], id=str(event["seq"]))


# --- the house ---------------------------------------------------------------------------------------------------


@api.get("/status")
async def status(kernel: TheKernel, site: TheSite) -> Json:
    """Show the daemon's state."""
    own = {"running": True, "version": site.version, "address": site.address, "home": site.home}
    return {**kernel.status(), **await kernel.kept(), **own, "seq": _head(kernel)}


@api.get("/reminders")
async def reminders(kernel: TheKernel) -> Json:
    """Show what was told last of what skills keep on the clock, the oldest first."""
    return {"reminders": kernel.reminders()}


@api.get("/doctor")
async def doctor(kernel: TheKernel, site: TheSite) -> Json:
    """Show one line per capability; the page's own guard is tried by attacking it."""
    lines = [*await asyncio.to_thread(kernel.doctor), *await site.examine()]
    return {"ok": all(line["ok"] for line in lines), "capabilities": lines}


@api.get("/ledger/verify")
async def verify(kernel: TheKernel) -> Json:
    """Check the whole chain of the ledger."""
    return await asyncio.to_thread(kernel.verify_ledger)


@api.get("/log")
async def log(kernel: TheKernel, limit: Annotated[int, Query(ge=1, le=1000)] = 50) -> Json:
    """Show the newest events of the ledger, oldest first."""
    return {"events": sorted(kernel.log(limit), key=lambda event: int(event["seq"]))}


@api.post("/shutdown", status_code=202, dependencies=[Depends(peer_only)])
async def shutdown(site: TheSite) -> Json:
    """End the daemon."""
    site.stop.set()
    return {"ok": True}


api.routes.extend(activity_api.router.routes)
api.routes.extend(clients_api.router.routes)
api.routes.extend(memory_api.router.routes)
api.routes.extend(skills_api.router.routes)
api.routes.extend(mail_api.router.routes)
api.routes.extend(backups_api.router.routes)
api.routes.extend(models_api.router.routes)
api.routes.extend(routines_api.router.routes)
api.routes.extend(macros_api.router.routes)
api.routes.extend(offers_api.router.routes)
api.routes.extend(manners_api.router.routes)
api.routes.extend(suggestions_api.router.routes)
api.routes.extend(mcp_servers_api.router.routes)
api.routes.extend(perms_api.router.routes)  # not included as a whole: each one is a route that the guard is tried on
