"""The routes of macros: look, run, make of a run, name anew, say by another phrase, take away.

Everybody who is let in may look and run one, as they may ask; what one is, and by which words it is called, the person
alone decides, on the page or at the command line.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from kernel import Ask
from portal.callers import Json, TheCaller, TheKernel, channel_of, person_only
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1/macros", route_class=CarefulRoute)

PERSON = [Depends(person_only)]


class NewBody(BaseModel):
    """The run that a macro is made of, its name, and which of its values are asked for each time."""

    model_config = ConfigDict(extra="forbid")
    name: str
    run: str
    ask: Annotated[list[str], Field(max_length=50)] = []
    phrases: Annotated[list[str], Field(max_length=20)] = []


class RunBody(BaseModel):
    """What a macro is told, by parameter: words, or values as JSON. ``yes`` is for programs, as at a request."""

    model_config = ConfigDict(extra="forbid")
    values: dict[str, Any] = {}
    conversation: str | None = None
    cwd: str = ""
    yes: bool = False


class TryBody(BaseModel):
    """What a macro is told when it is tried out, by parameter, and where that is seen."""

    model_config = ConfigDict(extra="forbid")
    values: dict[str, Any] = {}
    conversation: str | None = None
    cwd: str = ""


class NameBody(BaseModel):
    """Another name."""

    model_config = ConfigDict(extra="forbid")
    name: str


class PhraseBody(BaseModel):
    """Other words by which a macro is called."""

    model_config = ConfigDict(extra="forbid")
    words: str


@router.get("")
async def macros(kernel: TheKernel) -> Json:
    """List the macros: what each does, what it has to be told, and whether a tool of its changed."""
    return {"macros": kernel.macros.every()}


@router.get("/{name}")
async def macro(name: str, kernel: TheKernel) -> Json:
    """Show one macro, with its plan."""
    return kernel.macros.whole(name)


@router.post("", status_code=201, dependencies=PERSON)
async def new(body: NewBody, kernel: TheKernel) -> Json:
    """Make a macro of a run that ended well."""
    return await kernel.macros.new(body.name, body.run, body.ask, body.phrases)


@router.post("/{name}/runs", status_code=202)
async def run(name: str, body: RunBody, kernel: TheKernel, caller: TheCaller) -> Json:
    """Have a macro done; what it is not told it asks."""
    ask = Ask(name, body.conversation, body.cwd, body.yes, channel_of(caller))
    return {"run": await kernel.macros.run(name, body.values, ask)}


@router.post("/{name}/tries", status_code=202)
async def tries(name: str, body: TryBody, kernel: TheKernel) -> Json:
    """Try a macro out: nothing of it stays."""
    return {"run": await kernel.macros.try_out(name, body.values, Ask(name, body.conversation, body.cwd))}


@router.post("/{name}/name", dependencies=PERSON)
async def rename(name: str, body: NameBody, kernel: TheKernel) -> Json:
    """Call a macro by another name."""
    return await kernel.macros.rename(name, body.name)


@router.post("/{name}/phrases", dependencies=PERSON)
async def phrase(name: str, body: PhraseBody, kernel: TheKernel) -> Json:
    """Have a macro done by these words too."""
    return await kernel.macros.phrase(name, body.words)


@router.delete("/{name}", dependencies=PERSON)
async def remove(name: str, kernel: TheKernel) -> Json:
    """Take a macro away; what its runs did stays."""
    await kernel.macros.remove(name)
    return {"name": name}
