"""The routes of clients: programs that ask in their own names (MCP). Everybody who is let in may look and take away;
only the command line makes a client or gives it more, and only it ever sees a token, once.
"""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict

from portal.callers import Json, TheKernel, peer_only
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1/clients", route_class=CarefulRoute)

PEER = [Depends(peer_only)]


class NameBody(BaseModel):
    """The name of a new client."""

    model_config = ConfigDict(extra="forbid")
    name: str


class OffersBody(BaseModel):
    """What a client may call, or may no longer: ``ask``, ``files.find``, ``files``."""

    model_config = ConfigDict(extra="forbid")
    offers: list[str]


@router.get("")
async def clients(kernel: TheKernel, request: Request) -> Json:
    """List the clients, what each may call, the rights that it was granted, and whether it is there."""
    return {"clients": [one | request.app.state.mcp.presence(one["name"]) for one in kernel.clients.listed()]}


@router.post("", status_code=201, dependencies=PEER)
async def add(body: NameBody, kernel: TheKernel) -> Json:
    """Make a client; its token is in this answer and nowhere else."""
    return {"name": body.name, "token": await kernel.clients.add(body.name)}


@router.delete("/{name}")
async def remove(name: str, kernel: TheKernel, request: Request) -> Json:
    """Let a client's token open nothing any more, take its grants away, end what it has open and stop its runs."""
    gone = await kernel.remove_client(name)
    await request.app.state.mcp.end(name)
    return {"name": name, "revoked": gone}


@router.post("/{name}/offers", dependencies=PEER)
async def allow(name: str, body: OffersBody, kernel: TheKernel) -> Json:
    """Let a client call more."""
    return {"name": name, "allowed": list(await kernel.clients.allow(name, body.offers))}


@router.post("/{name}/withdrawals")
async def withdraw(name: str, body: OffersBody, kernel: TheKernel) -> Json:
    """Let a client call less."""
    return {"name": name, "withdrawn": list(await kernel.clients.withdraw(name, body.offers))}
