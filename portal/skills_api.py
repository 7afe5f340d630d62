"""The routes of installed skills. Everybody who is let in may look. The person reviews a package and says yes to it,
goes back, pins and removes, on the page or at the command line, and no program with the token does; only the command
line does the rest.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict

from portal.callers import Json, TheCaller, TheKernel, TheSite, peer_only, person_only
from portal.careful import CarefulRoute
from portal.streams import until

router = APIRouter(prefix="/api/v1/skills", route_class=CarefulRoute)

PEER = [Depends(peer_only)]
PERSON = [Depends(person_only)]


class PlaceBody(BaseModel):
    """Where a package lies: a folder, an archive, https://…, index:PLACE#NAME; paths are seen from ``cwd``.

    ``update_of`` names the skill of which it must be a later version by the same hand. Of what was ``made_here`` no
    update is looked for.
    """

    model_config = ConfigDict(extra="forbid")
    source: str
    cwd: str = ""
    update_of: str = ""
    made_here: bool = False


class VersionBody(BaseModel):
    """A version or the beginning of a digest; empty for the one before."""

    model_config = ConfigDict(extra="forbid")
    version: str = ""


class DraftBody(BaseModel):
    """A run that a skill is made of, the skill's name ("" for one made of its words), and the folder above it."""

    model_config = ConfigDict(extra="forbid")
    run: str
    name: str = ""
    folder: str


class PinBody(BaseModel):
    """Whether a skill stays at its version."""

    model_config = ConfigDict(extra="forbid")
    pinned: bool


@router.get("")
async def skills(kernel: TheKernel) -> Json:
    """List the installed skills and their tools."""
    return {"skills": kernel.skills()}


@router.get("/problems")
async def problems(kernel: TheKernel) -> Json:
    """List the skills that lie there and are not used, with the reason."""
    return {"problems": kernel.skill_problems()}


@router.get("/installed")
async def installed(kernel: TheKernel) -> Json:
    """List the skills that were installed, with where they came from."""
    return {"skills": kernel.rooms.installed.in_use()}


@router.get("/found")
async def found(kernel: TheKernel, caller: TheCaller, cwd: str = "") -> Json:
    """List the skills that other agents keep in the home and, for the command line, in the folder it is called from."""
    if cwd:
        peer_only(caller)
    return {"skills": await kernel.rooms.installed.found(cwd)}


@router.get("/search")
async def search(kernel: TheKernel, words: str) -> Json:
    """List the installed skills that fit some words, best first."""
    return {"skills": await kernel.rooms.installed.search(words)}


@router.get("/verify")
async def verify(kernel: TheKernel) -> Json:
    """Hold every installed skill against what was installed."""
    return {"skills": await kernel.rooms.installed.verify()}


@router.post("/repair", dependencies=PEER)
async def repair(kernel: TheKernel) -> Json:
    """Build Python packages of skills again that are missing or changed."""
    return {"skills": await kernel.rooms.installed.repair()}


def folder_to_write(kernel: TheKernel, folder: str, cwd: str = "") -> Path:
    """Check that a skill can be written in a folder before its stream begins. Raises BadRequest, NotNow."""
    return kernel.rooms.developing.check(folder, cwd)


@router.post("/written", response_class=EventSourceResponse, dependencies=PEER)
async def write(
    kernel: TheKernel, site: TheSite, folder: Annotated[Path, Depends(folder_to_write)]
) -> AsyncIterator[ServerSentEvent]:
    """Let a skill count while it is written: what came of each save, until whoever listens goes away."""
    async for seen in until(site.closing, kernel.rooms.developing.follow(folder)):
        yield ServerSentEvent(raw_data=json.dumps(seen, separators=(",", ":")), event=seen["kind"])


@router.post("/drafts", dependencies=PEER)
async def draft(kernel: TheKernel, body: DraftBody) -> Json:
    """Write a skill made of a run; nothing is installed."""
    return await kernel.rooms.draft_skill(body.run, body.name, body.folder)


@router.get("/proposals")
async def proposals(kernel: TheKernel) -> Json:
    """List what past requests propose for installed skills."""
    return {"proposals": await kernel.rooms.proposals.listed()}


@router.post("/proposals/{proposal}", dependencies=PEER)
async def adopt(kernel: TheKernel, proposal: str) -> Json:
    """Put a proposal into its skill, where nothing gets worse by it."""
    return await kernel.rooms.proposals.adopt(proposal)


@router.delete("/proposals/{proposal}", dependencies=PEER)
async def drop(kernel: TheKernel, proposal: str) -> Json:
    """Drop a proposal."""
    await kernel.rooms.proposals.drop(proposal)
    return {"proposal": proposal}


@router.get("/{skill}/versions")
async def versions(kernel: TheKernel, skill: str) -> Json:
    """List the versions of a skill that are there."""
    return {"versions": kernel.rooms.installed.versions(skill)}


@router.post("/packages", dependencies=PERSON)
async def look_at(kernel: TheKernel, body: PlaceBody, caller: TheCaller) -> Json:
    """Bring a package into quarantine, and show what it is and may ask for; nothing of it runs."""
    if body.cwd or body.made_here:  # a page has no folder that it works in, and makes no skill
        peer_only(caller)
    return await kernel.rooms.installed.look_at(
        body.source, body.cwd, body.update_of, kernel.rooms.installed.made_here if body.made_here else None
    )


@router.post("/packages/{package}", dependencies=PERSON)
async def install(kernel: TheKernel, package: str) -> Json:
    """Install a package that was looked at."""
    return await kernel.rooms.installed.install(package)


@router.delete("/packages/{package}", dependencies=PERSON)
async def discard(kernel: TheKernel, package: str) -> Json:
    """Let go of a package that was looked at."""
    await kernel.rooms.installed.discard(package)
    return {"package": package}


@router.post("/{skill}/version", dependencies=PERSON)
async def go_back(kernel: TheKernel, skill: str, body: VersionBody) -> Json:
    """Let an earlier version count."""
    return await kernel.rooms.installed.go_back(skill, body.version)


@router.post("/{skill}/pin", dependencies=PERSON)
async def pin(kernel: TheKernel, skill: str, body: PinBody) -> Json:
    """Keep a skill at its version, or no longer."""
    await kernel.rooms.installed.pin(skill, body.pinned)
    return {"skill": skill, "pinned": body.pinned}


@router.delete("/{skill}", dependencies=PERSON)
async def remove(kernel: TheKernel, skill: str) -> Json:
    """Take a skill out of use, and its grants with it."""
    return {"skill": skill, "revoked": await kernel.rooms.installed.remove(skill)}
