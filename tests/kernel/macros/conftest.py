"""A real kernel on a clock that a test sets, with a run that a macro can be made of."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from tests.kernel.routines.conftest import Desk, desk_on


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """A kernel on a small home, on 11 March 2026 at ten in Berlin."""
    async with desk_on(tmp_path) as made:
        yield made


async def by_name(desk: Desk, name: str, answer: str = "once", **values: Any) -> dict[str, Any]:
    """Run a macro as the page does, and return how it ended."""
    ask = Ask("", conversation="c", cwd=str(desk.home), channel="test")
    run = await desk.kernel.macros.run(name, values, ask)
    view = await desk.kernel.settled(run)
    if view["resolution"] == "pending":
        await desk.kernel.approve(run, answer)
        view = await desk.kernel.settled(run)
    return view


def kinds(desk: Desk, run: str) -> list[str]:
    """The kinds of the events of a run."""
    return [one["kind"] for one in desk.kernel.view(run)["events"]]
