"""The person's session: which display it has, and what programs that are started there are told of it.

What this stops: a program of the session being handed more of the daemon's surroundings than it needs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kernel.errors import TaskFailed

_KEPT = (
    "HOME", "PATH", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "SHELL", "BROWSER", "DISPLAY", "WAYLAND_DISPLAY",
    "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "XMODIFIERS", "GTK_IM_MODULE", "QT_IM_MODULE",
)  # fmt: skip
_KEPT_GROUPS = ("XDG_", "LC_")


class Kind(StrEnum):
    """Which protocol a display speaks."""

    WAYLAND = "wayland"
    X11 = "x11"


@dataclass(frozen=True, slots=True)
class Session:
    """A display and the variables by which programs find it."""

    kind: Kind
    variables: Mapping[str, str]


def variables(around: Mapping[str, str]) -> dict[str, str]:
    """Return what a program of the session is told; where the bus of the person stands is known by its usual place."""
    found = {name: text for name, text in around.items() if name in _KEPT or name.startswith(_KEPT_GROUPS)}
    runtime = found.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    if Path(runtime).is_dir():
        found.setdefault("XDG_RUNTIME_DIR", runtime)
    if "DBUS_SESSION_BUS_ADDRESS" not in found and Path(runtime, "bus").is_socket():
        found["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={runtime}/bus"
    return found


def session(around: Mapping[str, str] | None = None) -> Session:
    """Return the person's session: of ``around`` (the daemon's variables), else the Wayland display that is there.

    Raises TaskFailed where there is no display.
    """
    told = variables(os.environ if around is None else around)
    waiting = Path(told.get("XDG_RUNTIME_DIR", "/nonexistent"), told.get("WAYLAND_DISPLAY") or "wayland-0")
    if waiting.is_socket():
        return Session(Kind.WAYLAND, {**told, "WAYLAND_DISPLAY": waiting.name})
    if told.get("DISPLAY"):
        return Session(Kind.X11, told)
    raise _no_display()


def _no_display() -> TaskFailed:
    return TaskFailed(
        "desktop.display",
        "There is no screen here: Steward was started where neither DISPLAY nor WAYLAND_DISPLAY is set.",
        hint="Start it from a terminal of your desktop: ./steward down, then ./steward up.",
        de="Hier ist kein Bildschirm: Steward wurde dort gestartet, wo weder DISPLAY noch WAYLAND_DISPLAY gesetzt ist.",
        de_hint="Starte ihn aus einem Terminal deines Desktops: ./steward down, dann ./steward up.",
    )  # fmt: skip
