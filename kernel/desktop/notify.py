"""A short notice on the person's desktop (org.freedesktop.Notifications)."""

from __future__ import annotations

import os

from kernel.desktop.programs import first_there, run
from kernel.desktop.session import variables
from kernel.errors import TaskFailed

_WAIT_S = 3.0
_LONGEST_TITLE, _LONGEST_TEXT = 200, 2000


async def notify(title: str, text: str) -> bool:
    """Show a notice; tell whether the desktop took it. False where there is none, or nothing that shows notices."""
    told = variables(os.environ)
    if "DBUS_SESSION_BUS_ADDRESS" not in told:
        return False
    title, text = _plain(title, _LONGEST_TITLE), _plain(text, _LONGEST_TEXT)
    line = first_there((("notify-send", "--app-name=Steward", "--", title, text), _by_bus(title, text)), told)
    try:
        return line is not None and (await run(line, told, wait_s=_WAIT_S)).status == 0
    except (OSError, TaskFailed):
        return False


def _by_bus(title: str, text: str) -> tuple[str, ...]:
    """The same without notify-send: what ``gdbus`` calls takes its texts in quotes."""
    return ("gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
            "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "'Steward'", "0",
            "''", _quoted(title), _quoted(text), "@as []", "@a{sv} {}", "-1")  # fmt: skip


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _plain(text: str, longest: int) -> str:
    """Without control characters, and with no markup that a desktop would follow."""
    shown = "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text[:longest])
    return shown.replace("&", "&amp;").replace("<", "&lt;")
