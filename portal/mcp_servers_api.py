"""The routes of MCP servers. Everybody who is let in may look; the person reviews one that is there anew, on the page
or at the command line; only the command line says what is started, and removes one.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict

from portal.callers import Json, TheKernel, peer_only, person_only
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1/mcp/servers", route_class=CarefulRoute)

PEER = [Depends(peer_only)]
PERSON = [Depends(person_only)]


class ServerBody(BaseModel):
    """A server to be added: a command or an address, and what it may see; paths are seen from ``cwd``."""

    model_config = ConfigDict(extra="forbid")
    name: str
    command: list[str] = []
    url: str = ""
    env: dict[str, str] = {}
    secret: dict[str, str] = {}
    read: list[str] = []
    write: list[str] = []
    host: list[str] = []
    program: list[str] = []
    cwd: str = ""


class FileBody(BaseModel):
    """What another program keeps of its servers, as it stands in its file."""

    model_config = ConfigDict(extra="forbid")
    servers: Any
    cwd: str = ""


class SafeBody(BaseModel):
    """Tools that the person calls safe: they change nothing."""

    model_config = ConfigDict(extra="forbid")
    safe: list[str] = []


@router.get("")
async def listed(kernel: TheKernel) -> Json:
    """List the servers, what they may see, and whether they run."""
    return {"servers": kernel.rooms.servers.listed()}


@router.get("/{name}/tools")
async def tools(kernel: TheKernel, name: str) -> Json:
    """Show a server's tools."""
    return kernel.rooms.servers.tools(name)


@router.post("", dependencies=PEER)
async def look_at(kernel: TheKernel, body: ServerBody) -> Json:
    """Show what a server would be started with; nothing of it runs."""
    return kernel.rooms.servers.look_at(kernel.rooms.asked_server(body.model_dump()))


@router.post("/file", dependencies=PEER)
async def look_at_file(kernel: TheKernel, body: FileBody) -> Json:
    """Show what the servers of another program's file would be started with."""
    return {"servers": kernel.rooms.servers.look_at_file(body.servers, body.cwd)}


@router.post("/{name}/again", dependencies=PERSON)
async def look_again(kernel: TheKernel, name: str) -> Json:
    """Show what a server that is there would be started with, to review it anew."""
    return kernel.rooms.servers.look_again(name)


@router.post("/waiting/{server}/start", dependencies=PERSON)
async def start(kernel: TheKernel, server: str) -> Json:
    """Start a server once, in a cell with just these rights, and show what it lists."""
    return await kernel.rooms.servers.start(server)


@router.post("/waiting/{server}", dependencies=PERSON)
async def add(kernel: TheKernel, server: str, body: SafeBody) -> Json:
    """Let a server that was started and reviewed be a skill."""
    return await kernel.rooms.servers.add(server, body.safe)


@router.delete("/waiting/{server}", dependencies=PERSON)
async def drop(kernel: TheKernel, server: str) -> Json:
    """Let go of a server that was looked at."""
    kernel.rooms.servers.drop(server)
    return {"server": server}


@router.delete("/{name}", dependencies=PEER)
async def remove(kernel: TheKernel, name: str) -> Json:
    """Take a server out of use, and its grants with it."""
    return {"name": name, "revoked": await kernel.rooms.servers.remove(name)}
