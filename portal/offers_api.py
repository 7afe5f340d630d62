"""The routes of offers: what the person may want to say next. They are the person's alone; no program sees them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from portal.callers import Json, TheKernel, person_only
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1/offers", route_class=CarefulRoute, dependencies=[Depends(person_only)])


class BegunBody(BaseModel):
    """What a person has typed so far, and in which conversation."""

    model_config = ConfigDict(extra="forbid")
    typed: Annotated[str, Field(max_length=4000)]
    conversation: Annotated[str, Field(max_length=200)] = ""


class SwitchBody(BaseModel):
    """Whether a source of offers is on."""

    model_config = ConfigDict(extra="forbid")
    on: bool


@router.get("")
async def offers(
    kernel: TheKernel, conversation: Annotated[str, Query(max_length=200)] = "", unasked: bool = False
) -> Json:  # fmt: skip
    """List what may be wanted next, each with why now. ``unasked`` where nobody asked to see it: manners decide."""
    return await kernel.rooms.offers.now(conversation, unasked=unasked)


@router.post("/fitting")
async def fitting(body: BegunBody, kernel: TheKernel) -> Json:
    """List what a sentence that was begun may become. It is no part of an address, and nothing of it is kept."""
    return await kernel.rooms.offers.fitting(body.typed, body.conversation)


@router.get("/ahead")
async def ahead(kernel: TheKernel) -> Json:
    """List what was made ahead of offers lately, and what came of it."""
    return await kernel.rooms.offers.ahead()


@router.put("/ahead/{source}")
async def switch_ahead(source: str, body: SwitchBody, kernel: TheKernel) -> Json:
    """Have something made ahead for offers of a source, or no longer."""
    return {"sources": await kernel.rooms.offers.switch_ahead(source, on=body.on)}


@router.delete("/{key}", status_code=204)
async def dismiss(key: str, kernel: TheKernel) -> None:
    """Put an offer away until the person asks for that again."""
    await kernel.rooms.offers.dismiss(key)


@router.put("/sources/{source}")
async def switch(source: str, body: SwitchBody, kernel: TheKernel) -> Json:
    """Turn a source off or on."""
    return {"sources": await kernel.rooms.offers.switch(source, on=body.on)}
