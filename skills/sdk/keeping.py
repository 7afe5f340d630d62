"""What a skill keeps for itself: files of its own folder, and what it has on the clock.

The folder is the skill's alone, and no other skill sees it. What is described there is committed and taken back with
its run like any other change, and never asked about: rights on ``own/...`` in ``steward.toml`` need no yes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from skills.schedule import FILE, BadSchedule, Scheduled, read_schedule, write_schedule
from skills.sdk import wrong
from skills.sdk.errors import ToolError

if TYPE_CHECKING:
    from skills.sdk.context import Context


def own_path(folder: str, name: str) -> str:
    """Return the path of a file in the skill's own folder. Raises ToolError where it has none, ValueError on a path."""
    if not folder:
        raise wrong.no_own_folder()
    if os.path.basename(name) != name or name in ("", ".", ".."):
        raise ValueError(f"{name!r} is no plain name")
    return f"{folder}/{name}"


def scheduled(ctx: Context) -> list[Scheduled]:
    """Return what the skill has on the clock. Raises ToolError where the file cannot be read."""
    path = ctx.own(FILE)
    if not ctx.exists(path):
        return []
    try:
        return list(read_schedule(ctx.read_bytes(path)))
    except BadSchedule as error:
        raise ToolError(str(error), hint=error.hint, code=error.code) from error


def schedule(ctx: Context, entries: Sequence[Scheduled], *, reminds: bool) -> None:
    """Describe what the skill has on the clock from now on. Raises ToolError where its manifest does not say why."""
    if not reminds:
        raise wrong.no_reminding()
    try:
        data = write_schedule(entries)
    except BadSchedule as error:
        raise ToolError(str(error), hint=error.hint, code=error.code) from error
    ctx.write(ctx.own(FILE), data)
