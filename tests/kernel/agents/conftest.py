"""A home with a skill of instructions by somebody, and a scripted model bound to follow it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from kernel.models.asking import load_wire
from tests.kernel.conftest import Bench, opened
from tests.kernel.models.server import Act, Line, Server, serving

ASKED = "write the weekly digest of ~/Reports"
GERMAN = "weekly-digest für ~/Reports bitte"
DIGEST = """---
name: weekly-digest
description: Writes a weekly digest of the reports in a folder.
allowed-tools: {allowed}
---

# Weekly digest

Read every report in the folder. Write digest.md there, a line a report, then say how many there were.
"""
WRITES, RUNS, READS = "Read Write", "Read Write Bash", "Read"

Reply = Mapping[str, Any] | str


def act(do: str, path: str | None = None, text: str | None = None, part: int | None = None) -> dict[str, Any]:
    """Return an action in its form."""
    return {"do": do, "path": path, "text": text, "part": part}


def told_in(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a prompt tells of earlier turns."""
    return [json.loads(one["content"]) for one in body["messages"][3:] if one["role"] == "user"]


def scripted(*replies: Reply) -> Act:
    """Give these replies, one a turn, the last one again and again."""

    async def answer(line: Line) -> None:
        at = min(len(line.server.asked), len(replies)) - 1
        reply = replies[at]
        await line.say(reply if isinstance(reply, str) else json.dumps(reply))

    return answer


def moved_by(think: Callable[[Sequence[Mapping[str, Any]]], Reply], used: tuple[int, int] = (20, 9)) -> Act:
    """Reply by what was told so far, and say that so many tokens were ``used``, in and out."""

    async def answer(line: Line) -> None:
        reply = think(told_in(line.asked.body))
        await line.head()
        await line.part(reply if isinstance(reply, str) else json.dumps(reply))
        await line.part(finish="stop")
        await line.usage(*used)
        await line.done()

    return answer


def lay(folders: Any, allowed: str = WRITES, more: str = "") -> None:
    """Install the skill and put reports into the home."""
    skill = folders.data / "skills" / "weekly-digest"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(DIGEST.format(allowed=allowed) + more)
    grabbing = folders.data / "skills" / "note"
    grabbing.mkdir()
    (grabbing / "SKILL.md").write_text(
        "---\nname: note\ndescription: Takes whatever has to do with notes.\n---\nTake it.\n"
    )
    reports = folders.home / "Reports"
    reports.mkdir()
    (reports / "anna.txt").write_text("Anna: the roof is done.\n")
    (reports / "tom.txt").write_text("Tom: two windows are left.\n")
    (folders.home / ".ssh").mkdir()
    (folders.home / ".ssh" / "id_rsa").write_text("PRIVATE KEY\n")
    (folders.home / "Letters").mkdir()
    (folders.home / "Letters" / "love.txt").write_text("Dear Lena\n")


@asynccontextmanager
async def worked(
    root: Path, answer: Act, *, allowed: str = WRITES, more: str = "", sees: Sequence[str] = ("files", "results"),
    role: str = "worker", settings: Mapping[str, Any] | None = None, **endpoint: Any,
) -> AsyncIterator[tuple[Bench, Server]]:  # fmt: skip
    """A kernel whose worker's model answers so."""
    async with serving(answer) as server:
        lines = [f"{name} = {json.dumps(value)}" for name, value in endpoint.items()]
        book = [f'[endpoints.scripted]\nurl = "{server.url}"\nmodel = "m"', *lines, f'[roles]\n{role} = "scripted"']

        def write(folders: Any) -> None:
            folders.make()
            (folders.config / "models.toml").write_text("\n".join(book) + "\n")
            (folders.config / "models.toml").chmod(0o600)
            lay(folders, allowed, more)

        async with opened(root, write) as bench:
            await asyncio.to_thread(load_wire)  # the first time that takes a while
            house = bench.kernel._house
            house.settings = house.settings.model_copy(update=dict(settings or {}))
            for one in sees:
                await bench.kernel.grant("models", f"model.see:{one}@127.0.0.1:{server.port}")
            yield bench, server


def kinds(view: Mapping[str, Any]) -> list[str]:
    """Return the kinds of a run's events, in order."""
    return [one["kind"] for one in view["events"]]


def bodies(bench: Bench, run: str, kind: str) -> list[Mapping[str, Any]]:
    """Return what the events of a kind say."""
    return [one.body or {} for one in bench.kernel._house.ledger.events(run=run, kinds=[kind])]
