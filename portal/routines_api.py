"""The routes of routines: look, let rest, go on, run now, take away. One is made by saying it (``POST /requests``)."""

from __future__ import annotations

from fastapi import APIRouter

from portal.callers import Json, TheKernel
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1/routines", route_class=CarefulRoute)


@router.get("")
async def routines(kernel: TheKernel) -> Json:
    """List the routines: what each does and when, when it is next due, and its last run."""
    return {"routines": kernel.routines.every()}


@router.get("/{name}")
async def routine(name: str, kernel: TheKernel) -> Json:
    """Show one routine, with its plan and its rights."""
    return kernel.routines.whole(name)


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


@router.delete("/{name}")
async def remove(name: str, kernel: TheKernel) -> Json:
    """Take a routine away with the rights that it was granted, and stop what runs in its name."""
    return {"name": name, "revoked": await kernel.routines.remove(name)}
