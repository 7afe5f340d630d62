"""The routes of backups, for the person alone; one with secrets is taken at the command line."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from portal.callers import Json, TheCaller, TheKernel, person_only
from portal.careful import CarefulRoute
from portal.guard import Channel

router = APIRouter(prefix="/api/v1/backups", route_class=CarefulRoute, dependencies=[Depends(person_only)])


class BackupBody(BaseModel):
    """Where a backup goes, whether passwords go with it, and whether a backup that is there may be written over."""

    model_config = ConfigDict(extra="forbid")
    path: Annotated[str, Field(max_length=4096)]
    secrets: bool = False
    replace: bool = False


@router.get("")
async def backups(kernel: TheKernel) -> Json:
    """Show where backups were written, and how far one is that is being written."""
    return kernel.rooms.backups.listed()


@router.post("", status_code=201)
async def take(body: BackupBody, kernel: TheKernel, caller: TheCaller) -> Json:
    """Write one; the answer comes when it is there, whole."""
    if body.secrets and caller.channel is not Channel.PEER:
        raise HTTPException(403, "Only the command line may take a backup with secrets.")
    return await kernel.rooms.backups.take(body.path, secrets=body.secrets, replace=body.replace)
