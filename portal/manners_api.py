"""The routes of manners: how often a day, and when not, something is shown that nobody asked for. The person's alone.

What is set counts at once, and is kept with the other settings (``./steward config``). What the environment says goes
before the file, so that is refused here.
"""

from __future__ import annotations

import asyncio
import os
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from kernel import BadRequest, NotNow, load_settings
from portal.callers import Json, TheKernel, TheSite, person_only
from portal.careful import CarefulRoute
from portal.locate import private_folder
from portal.settings_file import store, stored

router = APIRouter(prefix="/api/v1/manners", route_class=CarefulRoute, dependencies=[Depends(person_only)])


class MannersBody(BaseModel):
    """How often a day, and the hours of none: like 22-7, empty for no such hours."""

    model_config = ConfigDict(extra="forbid")
    attention: int
    quiet_hours: Annotated[str, Field(max_length=40)]


@router.get("")
async def manners(kernel: TheKernel) -> Json:
    """Show the budget of a day with what is left of it, and the quiet hours."""
    return kernel.rooms.mannered()


@router.put("")
async def change(body: MannersBody, kernel: TheKernel, site: TheSite) -> Json:
    """Set both, from now on."""
    wanted, now = body.model_dump(), kernel.rooms.mannered()
    for name in wanted:
        variable = f"STEWARD_{name}".upper()
        if wanted[name] != now[name] and variable in os.environ:
            raise NotNow("config.environment", f"The environment of the daemon sets {name}.", subject=name,
                         hint=f"Start it without {variable}: ./steward down && ./steward up")  # fmt: skip
    load_settings(**wanted)
    private_folder(site.places.config)
    file = site.places.config_file
    try:
        kept = await asyncio.to_thread(stored, file)
        await asyncio.to_thread(store, file, kept | wanted)
    except OSError as error:
        raise BadRequest("config.file", f"{file} cannot be written: {error}.", hint=f"Correct it: {file}") from error
    kernel.rooms.manners.set(body.attention, body.quiet_hours)
    return kernel.rooms.mannered()
