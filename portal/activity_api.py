"""The route of what happened: the ledger backwards, a page at a time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query

from portal.callers import Json, TheKernel
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1", route_class=CarefulRoute)

MOST = 500


@router.get("/activity")
async def activity(
    kernel: TheKernel,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
    before: Annotated[int | None, Query(ge=1)] = None,
    run: Annotated[str | None, Query(max_length=100)] = None,
    sorts: Annotated[str, Query(max_length=200)] = "",
) -> Json:
    """Return events, the newest first: before event ``before``, of one run, of sorts (``rights,changes``)."""
    wanted = tuple(filter(None, sorts.split(",")))
    read = partial(kernel.activity.page, limit, before=before, run=run, sorts=wanted)
    page = await asyncio.to_thread(read)
    return {"events": page.events, "before": page.before}
