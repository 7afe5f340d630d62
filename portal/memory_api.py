"""The routes of what Steward knows. Everybody who is let in may look. To forget after a preview, to take everything out
and to say how long words are kept is the person's, on the page or at the command line, and no program's with the token;
naming and putting in are the command line's.
"""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict

from portal.callers import Json, TheKernel, peer_only, person_only
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1", route_class=CarefulRoute)

PEER = [Depends(peer_only)]
PERSON = [Depends(person_only)]

Language = Literal["en", "de"]
Limit = Annotated[int, Query(ge=1, le=500)]


class EntityBody(BaseModel):
    """Somebody, and what is said of them: another name, that they are one with somebody, or that they are not."""

    model_config = ConfigDict(extra="forbid")
    name: str
    also_called: str = ""
    same_as: str = ""
    split_from: str = ""


class ForgetBody(BaseModel):
    """Whom to forget, further names to look for, and the ``seal`` of the preview that was shown."""

    model_config = ConfigDict(extra="forbid")
    name: str
    also: list[str] = []
    seal: str


class ImportBody(BaseModel):
    """Exported JSON lines."""

    model_config = ConfigDict(extra="forbid")
    lines: str


class UnlearnBody(BaseModel):
    """A phrase, or a run whose examples are to go."""

    model_config = ConfigDict(extra="forbid")
    what: str


class RetentionBody(BaseModel):
    """After how many days the words of what was done go; none for never."""

    model_config = ConfigDict(extra="forbid")
    days: int | None


@router.get("/memory/search")
async def search(
    words: str,
    kernel: TheKernel,
    at: str = "",
    as_known: str = "",
    since: str = "",
    until: str = "",
    person: str = "",
    source: str = "",
    label: str = "",
    reader: str = "",
    limit: Limit = 20,
    language: Language = "en",
) -> Json:
    """List the facts whose words fit best, and facts and past turns in one ranked list with what speaks for each."""
    return await kernel.known.search(
        words, at=at, as_known=as_known, since=since, until=until, person=person, source=source, label=label,
        reader=reader, limit=limit, language=language,
    )  # fmt: skip


@router.get("/memory/facts")
async def facts(
    kernel: TheKernel,
    name: str = "",
    predicate: str = "",
    at: str = "",
    as_known: str = "",
    retracted: bool = False,
    limit: Limit = 100,
    language: Language = "en",
) -> Json:
    """List facts: of somebody or of all, as true ``at`` a day, and as known then."""
    return await kernel.known.facts(
        name, predicate=predicate, at=at, as_known=as_known, retracted=retracted, limit=limit, language=language
    )


@router.get("/memory/entity")
async def entity(name: str, kernel: TheKernel, at: str = "", as_known: str = "", language: Language = "en") -> Json:
    """Show who is called so; of one, the facts and what sources disagree on."""
    return await kernel.known.entity(name, at=at, as_known=as_known, language=language)


@router.get("/memory/stats")
async def stats(kernel: TheKernel) -> Json:
    """Show how much is known."""
    return await kernel.known.stats()


@router.get("/memory/learned")
async def learned(kernel: TheKernel) -> Json:
    """Show what confirmed requests taught: phrases, examples, and how many templates."""
    return await kernel.learnt.list()


@router.post("/memory/learned", dependencies=PEER)
async def unlearn(body: UnlearnBody, kernel: TheKernel) -> Json:
    """Unlearn a phrase, or what a run taught."""
    return await kernel.learnt.forget(body.what)


@router.post("/memory/entity", dependencies=PEER)
async def change_entity(body: EntityBody, kernel: TheKernel) -> Json:
    """Give somebody one more name, join two, or part them."""
    return await kernel.known.change_entity(
        body.name, also_called=body.also_called, same_as=body.same_as, split_from=body.split_from
    )


@router.get("/memory/forget")
async def preview(name: str, kernel: TheKernel, also: Annotated[list[str] | None, Query()] = None) -> Json:
    """Show what forgetting somebody would reach; nothing is changed."""
    return await kernel.known.preview(name, also or [])


@router.post("/memory/forget", dependencies=PERSON)
async def forget(body: ForgetBody, kernel: TheKernel) -> Json:
    """Forget what the preview with this seal showed, for good."""
    return await kernel.known.forget(body.name, body.also, body.seal)


@router.get("/memory/export", dependencies=PERSON)
async def export(kernel: TheKernel, form: str = "jsonl", at: str = "", as_known: str = "") -> Json:
    """Give everything that is known, as JSON lines or GraphML."""
    return {"form": form, "text": await kernel.known.export(form, at=at, as_known=as_known)}


@router.post("/memory/import", status_code=201, dependencies=PEER)
async def import_lines(body: ImportBody, kernel: TheKernel) -> Json:
    """Take exported lines over, all or none, as somebody else's word."""
    return await kernel.known.import_lines(body.lines)


@router.get("/ledger/retention")
async def retention(kernel: TheKernel) -> Json:
    """Show how long the words of what was done are kept, and how much there is."""
    return {"days": kernel.retention.days(), "sizes": (await kernel.kept())["sizes"]}


@router.post("/ledger/retention", dependencies=PERSON)
async def set_retention(body: RetentionBody, kernel: TheKernel) -> Json:
    """Set it, and destroy at once what is past its time."""
    return await kernel.retention.set(body.days)
