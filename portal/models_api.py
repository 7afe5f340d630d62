"""The routes of models: everybody who is let in may look and try; only the command line sets, binds and takes away."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, SecretStr

from portal.callers import Json, TheKernel, peer_only
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1/models", route_class=CarefulRoute)

PEER = [Depends(peer_only)]


class EndpointBody(BaseModel):
    """What is said of an endpoint; the kernel reads it strictly. The key is shown nowhere, not even in an error."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)
    endpoint: dict[str, Any]
    key: SecretStr | None = None
    insecure: bool = False


class NamesBody(BaseModel):
    """The endpoints of a role, the first to ask first; none to bind it to nothing."""

    model_config = ConfigDict(extra="forbid")
    names: list[str]


@router.get("")
async def models(kernel: TheKernel) -> Json:
    """Return the endpoints with what each may see, and what the roles are bound to."""
    return kernel.rooms.models.listed()


@router.post("/{name}/test")
async def test(kernel: TheKernel, name: str) -> Json:
    """Measure an endpoint."""
    return await kernel.rooms.models.test(name)


@router.get("/detected", dependencies=PEER)
async def detected(kernel: TheKernel) -> Json:
    """Return the servers for models that run on this machine."""
    return {"found": await kernel.rooms.models.detect()}


@router.get("/prompts/{run}")
async def prompts(kernel: TheKernel, run: str) -> Json:
    """Return what models were asked in a run, word for word."""
    return kernel.rooms.models.prompts(run)


@router.put("/roles/{role}", dependencies=PEER)
async def bind(kernel: TheKernel, role: str, body: NamesBody) -> Json:
    """Bind a role."""
    return await kernel.rooms.models.use(role, body.names)


@router.put("/{name}", dependencies=PEER)
async def set_endpoint(kernel: TheKernel, name: str, body: EndpointBody) -> Json:
    """Set an endpoint, or change what is said of it."""
    key = body.key.get_secret_value() if body.key is not None else None
    return await kernel.rooms.models.set(name, body.endpoint, key, plain=body.insecure)


@router.delete("/{name}", dependencies=PEER)
async def remove(kernel: TheKernel, name: str) -> Json:
    """Take an endpoint away, with its key and its rights."""
    return await kernel.rooms.models.remove(name)
