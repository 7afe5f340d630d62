"""The routes of routines: look, try out, let rest, go on, run now, go back to what one was, take away; and of webhooks.
One is made by saying it (``POST /runs``).
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from portal.callers import Json, TheCaller, TheKernel, TheSite, person_only
from portal.careful import CarefulRoute
from portal.guard import HOOKS, Channel
from portal.site import Site

hooks = APIRouter(route_class=CarefulRoute)


@hooks.post(HOOKS + "{hook:path}", status_code=202)
async def called(request: Request, caller: TheCaller, kernel: TheKernel) -> Json:
    """Set off the routines that wait for a webhook; the body is its message, as text that nobody vouches for."""
    if caller.channel is not Channel.HOOK:
        raise HTTPException(403, "Only the token of a webhook opens this.")
    text = (await request.body()).decode("utf-8", "replace")
    return {"routines": kernel.routines.called(caller.client, text)}


router = APIRouter(prefix="/api/v1/routines", route_class=CarefulRoute)


@router.get("")
async def routines(kernel: TheKernel) -> Json:
    """List the routines: what each does and when, when it is next due, and its last run."""
    return {"routines": kernel.routines.every()}


@router.get("/{name}")
async def routine(name: str, kernel: TheKernel, site: TheSite) -> Json:
    """Show one routine, with its plan and its rights, and the address of the webhook that it waits for."""
    whole = kernel.routines.whole(name)
    return whole | {"address": _address(site, whole["hook"]) if whole["hook"] else ""}


def _address(site: Site, hook: str) -> str:
    return f"{site.address.rstrip('/')}{HOOKS}{quote(hook)}"


@router.post("/{name}/pause")
async def pause(name: str, kernel: TheKernel) -> Json:
    """Let a routine rest."""
    await kernel.routines.pause(name)
    return kernel.routines.view(name)


@router.post("/{name}/resume")
async def resume(name: str, kernel: TheKernel) -> Json:
    """Let a routine go on; what came while it rested is not made up for."""
    await kernel.routines.resume(name)
    return kernel.routines.view(name)


@router.post("/{name}/runs", status_code=202)
async def run(name: str, kernel: TheKernel) -> Json:
    """Have a routine run now."""
    return {"run": await kernel.routines.run(name)}


@router.get("/{name}/versions")
async def versions(name: str, kernel: TheKernel) -> Json:
    """List what a routine was and is, the oldest first: since when, and by which words."""
    return {"versions": kernel.routines.versions(name)}


class BackBody(BaseModel):
    """The version that a routine is to be again, and where the question for it is seen."""

    model_config = ConfigDict(extra="forbid")
    version: Annotated[int, Field(ge=1, le=999_999)]
    conversation: str | None = None


@router.post("/{name}/back", status_code=202)
async def back(name: str, body: BackBody, kernel: TheKernel) -> Json:
    """Ask for a routine to be what it was: a run that waits for a yes, and can be taken back."""
    return {"run": await kernel.routines.back(name, body.version, body.conversation)}


class TryBody(BaseModel):
    """The file that a routine is tried out on (empty: the latest that would have set it off), and where it is seen."""

    model_config = ConfigDict(extra="forbid")
    file: Annotated[str, Field(max_length=4096)] = ""
    conversation: str | None = None


@router.post("/{name}/tries", status_code=202)
async def tries(name: str, body: TryBody, kernel: TheKernel) -> Json:
    """Try a routine out, or the rule whose card waits (by its run): nothing of it stays."""
    return {"run": await kernel.routines.try_out(name, body.file, body.conversation)}


@router.post("/{name}/token", dependencies=[Depends(person_only)])
async def token(name: str, kernel: TheKernel, site: TheSite) -> Json:
    """Make the token that opens a routine's webhook: shown once. An earlier one opens nothing any more."""
    made = await kernel.routines.token(name)
    return {"name": name, "token": made, "address": _address(site, str(kernel.routines.hook_of(made)))}


@router.delete("/{name}")
async def remove(
    name: str, kernel: TheKernel, conversation: Annotated[str | None, Query(max_length=200)] = None
) -> Json:
    """Take a routine away with the rights that it was granted, and stop what runs in its name; to take its ``run`` back
    brings all of that back.
    """
    return {"name": name} | await kernel.routines.remove(name, conversation)
