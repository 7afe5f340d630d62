"""Telling the person how the run of a routine ended, or that it waits: on the desktop, where there is one.

The page and ``./steward runs`` show the run itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from skills import one_import


async def tell(
    routine: Routine, settled: Callable[[], Awaitable[Mapping[str, Any]]], report: Callable[[BaseException], None]
) -> None:
    """Wait until a run has ended or waits for an answer, and show what came of it."""
    try:
        view = await settled()
        await asyncio.to_thread(show, routine, told(routine, view))
    except Exception as error:  # the task edge: nobody waits for it
        report(error)


def show(routine: Routine, text: str) -> None:
    """Show a notice about a routine, where there is a desktop."""
    with one_import:  # with all that speaks to one: no start waits for it
        from kernel.desktop.notices import Notices

    Notices().show(say(routine.language, "title", name=routine.name), text)


def told(routine: Routine, view: Mapping[str, Any]) -> str:
    """Return what is said of a run."""
    if view["resolution"] == "pending":
        return say(routine.language, "waits", run=str(view["run"]))
    return str(view["answer"])
