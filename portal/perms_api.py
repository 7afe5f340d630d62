"""The routes of the policy tree. Everybody who is let in may look and take away; only the command line may give."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict

from portal.callers import Json, TheKernel, peer_only
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1/perms", route_class=CarefulRoute)

PEER = [Depends(peer_only)]

Language = Literal["en", "de"]


class GrantBody(BaseModel):
    """A right, e.g. ``fs.read:~/Documents/**`` for ``documents``: for good, ``lasting`` (2h) or ``until`` (18:30)."""

    model_config = ConfigDict(extra="forbid")
    skill: str
    right: str
    lasting: str = ""
    until: str = ""
    why: str = ""


class DenyBody(BaseModel):
    """A right that nobody at ``node`` or below gets, whoever grants it."""

    model_config = ConfigDict(extra="forbid")
    node: str
    right: str
    lasting: str = ""
    until: str = ""
    why: str = ""


class LimitBody(BaseModel):
    """An amount at ``node``, for each call or in ``total``: ``memory``, ``512MB``; ``none`` takes it away."""

    model_config = ConfigDict(extra="forbid")
    node: str
    controller: str
    value: str
    total: bool = False
    lasting: str = ""
    until: str = ""
    why: str = ""


@router.get("")
async def perms(kernel: TheKernel, node: str = "") -> Json:
    """Show grants, denies and limits: of the whole tree, or what holds at ``node``."""
    return kernel.rights.show(node)


@router.get("/explain")
async def explain(kernel: TheKernel, node: str, action: str, language: Language = "en") -> Json:
    """Say which node decides on a right or an amount, and the command that would change it."""
    return kernel.rights.explain(node, action, language)


@router.get("/history")
async def history(kernel: TheKernel, limit: Annotated[int, Query(ge=1, le=500)] = 50) -> Json:
    """List the latest changes of the tree, oldest first."""
    return {"events": kernel.rights.history(limit)}


@router.post("", status_code=201, dependencies=PEER)
async def grant(body: GrantBody, kernel: TheKernel) -> Json:
    """Give a skill a standing right."""
    given = await kernel.grant(body.skill, body.right, lasting=body.lasting, until=body.until, why=body.why)
    return {"grant": given}


@router.post("/denies", status_code=201, dependencies=PEER)
async def deny(body: DenyBody, kernel: TheKernel) -> Json:
    """Deny a right at a node and below."""
    given = await kernel.rights.deny(body.node, body.right, body.why, lasting=body.lasting, until=body.until)
    return {"deny": given}


@router.post("/limits", status_code=201, dependencies=PEER)
async def limit(body: LimitBody, kernel: TheKernel) -> Json:
    """Bound an amount at a node and below."""
    return await kernel.rights.limit(
        body.node, body.controller, body.value,
        total=body.total, why=body.why, lasting=body.lasting, until=body.until,
    )  # fmt: skip


@router.delete("/skills/{skill}")
async def revoke_all(skill: str, kernel: TheKernel) -> Json:
    """Take every grant of a skill away."""
    return {"revoked": await kernel.rights.revoke_all(skill)}


@router.delete("/denies/{deny}", dependencies=PEER)
async def undeny(deny: str, kernel: TheKernel) -> Json:
    """Take a deny away: this widens."""
    return {"revoked": await kernel.rights.revoke(deny, denies=True)}


@router.delete("/{grant}")
async def revoke(grant: str, kernel: TheKernel) -> Json:
    """Take a standing grant away."""
    await kernel.revoke(grant)
    return {"grant": grant}
