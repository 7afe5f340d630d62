"""A picture of the screen, as PNG: by a program of the desktop, or on X11 by Pillow in a process of its own.

What this stops: a picture that is none, or larger than it may be.
What it does not: leave anything out. Whatever can be seen is on it; a person is asked before.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from kernel.desktop.programs import all_there, lacking, run
from kernel.desktop.session import Kind, session
from kernel.errors import TaskFailed

MOST_BYTES = 20 << 20
_PNG = b"\x89PNG\r\n\x1a\n"
_WAIT_S = 10.0
_FILE = "{file}"
_GRAB = (
    "import os, sys; from PIL import ImageGrab; ImageGrab.grab(xdisplay=os.environ['DISPLAY']).save(sys.argv[1], 'PNG')"
)
_DESKTOPS = (("gnome-screenshot", "-f", _FILE), ("spectacle", "--background", "--nonotify", "--output", _FILE))
_CHOICES: Mapping[Kind, Sequence[Sequence[str]]] = {
    Kind.WAYLAND: (("grim", _FILE), *_DESKTOPS),
    Kind.X11: ((sys.executable, "-P", "-c", _GRAB, _FILE), *_DESKTOPS, ("import", "-window", "root", _FILE)),
}


async def screenshot(around: Mapping[str, str] | None = None) -> bytes:
    """Return a picture of the whole screen as PNG. Raises TaskFailed."""
    here = session(around)
    lines = all_there(_CHOICES[here.kind], here.variables)
    if not lines:
        raise lacking("that takes pictures of the screen", "das Bilder vom Bildschirm macht",
                      "grim, gnome-screenshot, spectacle")  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="steward-screen-") as folder:
        picture = b""
        for number, line in enumerate(lines):
            picture = picture or await _taken(line, Path(folder, f"screen{number}.png"), here.variables)
        return _checked(picture)


async def _taken(line: Sequence[str], file: Path, variables: Mapping[str, str]) -> bytes:
    """Return the picture that a program leaves; empty where it gives none: a desktop may answer to another program."""
    try:
        ended = await run([part.replace(_FILE, str(file)) for part in line], variables, wait_s=_WAIT_S)
    except (OSError, TaskFailed):
        return b""
    picture = await asyncio.to_thread(_read, file)
    return picture if not ended.status and picture.startswith(_PNG) else b""


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError:
        return b""


def _checked(picture: bytes) -> bytes:
    if not picture:
        raise TaskFailed(
            "desktop.screenshot", "The desktop gave no picture of the screen.",
            hint="Look whether the screen is locked, and ask again.",
            de="Der Desktop hat kein Bild vom Bildschirm herausgegeben.",
            de_hint="Sieh nach, ob der Bildschirm gesperrt ist, und frag noch einmal.",
        )  # fmt: skip
    if len(picture) > MOST_BYTES:
        raise TaskFailed(
            "desktop.size", "The picture of the screen is larger than 20 MiB.", hint="Take one of a smaller screen.",
            de="Das Bild vom Bildschirm ist größer als 20 MiB.", de_hint="Nimm einen kleineren Bildschirm auf.",
        )  # fmt: skip
    return picture
