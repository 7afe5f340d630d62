"""The routes of suggestions: what the person does again and again. They are the person's alone."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from portal.callers import Json, TheKernel, person_only
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1/suggestions", route_class=CarefulRoute, dependencies=[Depends(person_only)])

Steps = Annotated[list[int], Field(max_length=50)]
Values = Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=50)]


class AcceptBody(BaseModel):
    """How it is to be called; empty for the name that is proposed."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(max_length=200)] = ""


class EditBody(BaseModel):
    """What is changed: its name, steps left out and brought back, values asked for and fixed again ("2.folder")."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(max_length=200)] | None = None
    without: Steps = []
    back: Steps = []
    ask: Values = []
    fixed: Values = []


class SnoozeBody(BaseModel):
    """For how many days it is not offered."""

    model_config = ConfigDict(extra="forbid")
    days: int = 7


@router.get("")
async def suggestions(kernel: TheKernel) -> Json:
    """List what may be offered now, each with what was seen and why now.

    ``left``, where it is there, says how much of what was done is not looked at yet, from 0 to 1.
    """
    room = kernel.rooms.suggestions
    found = await room.every()
    return {"suggestions": found, **({"left": round(room.left, 3)} if room.left else {})}


@router.get("/now")
async def now(kernel: TheKernel) -> Json:
    """Return the one that may be shown though nobody asked: manners decide, and showing it counts."""
    return {"suggestion": await kernel.rooms.suggestions.unasked()}


@router.get("/{key}")
async def suggestion(key: str, kernel: TheKernel) -> Json:
    """Show one."""
    return await kernel.rooms.suggestions.whole(key)


@router.post("/{key}/macro", status_code=201)
async def accept(key: str, body: AcceptBody, kernel: TheKernel) -> Json:
    """Keep it as a macro; ``rule`` is the sentence that would have that done by itself."""
    return await kernel.rooms.suggestions.accept(key, body.name)


@router.patch("/{key}")
async def edit(key: str, body: EditBody, kernel: TheKernel) -> Json:
    """Change what would be kept of it."""
    return await kernel.rooms.suggestions.edit(key, **body.model_dump())


@router.post("/{key}/snooze")
async def snooze(key: str, body: SnoozeBody, kernel: TheKernel) -> Json:
    """Do not offer it for some days."""
    return await kernel.rooms.suggestions.snooze(key, body.days)


@router.delete("/{key}", status_code=204)
async def never(key: str, kernel: TheKernel) -> None:
    """Never offer it again."""
    await kernel.rooms.suggestions.never(key)
