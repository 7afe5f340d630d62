"""What skills kept on the clock and has come since a terminal was last looked at: told beside the next answer, once."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from portal.cli.outcome import Json, say
from portal.cli.words import one_line
from portal.client import Client
from portal.wire import DaemonError

FILE = "terminal-reminders"
RECENT_S = 3600.0
"""Without a note of what was told already, only what is newer is told."""


def tell_reminders(client: Client, folder: Path) -> None:
    """Tell, on standard error, what has come since; ``folder`` keeps the number of the last that was told."""
    with contextlib.suppress(DaemonError, OSError):
        for one in _fresh(client.reminders(), folder / FILE):
            say(f"  ⏰ {one_line(str(one.get('title')), 60)}: {one_line(str(one.get('text')), 400)}")


def _fresh(recent: list[Json], noted: Path) -> list[Json]:
    """Return what was not told yet, and note that it is."""
    last = _number(noted)
    since_s = 0.0 if last else time.time() - RECENT_S
    found = [one for one in recent if int(one.get("seq", 0)) > last and float(one.get("at_s", 0)) > since_s]
    if found:
        noted.write_text(str(max(int(one["seq"]) for one in found)))
    return found


def _number(noted: Path) -> int:
    try:
        return int(noted.read_text())
    except (OSError, ValueError):
        return 0
