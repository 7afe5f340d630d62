"""What the application knows about its own process: its address, its page files in memory, and when it must end."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from starlette.responses import Response

from portal.locate import Places, Unsafe, private_folder
from portal.problems import problem

STATIC = Path(__file__).parent / "static"
_LASTING = "/static/at-"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


@dataclass(slots=True)
class Site:
    """The daemon's own place in the world. ``assets`` maps ``/static/...`` to bytes: no path is ever opened by name."""

    places: Places
    port: int
    install: str
    assets: Mapping[str, bytes]
    home: str = field(default_factory=lambda: os.path.realpath(os.path.expanduser("~")))
    version: str = field(default_factory=lambda: version("steward-os"))
    stop: asyncio.Event = field(default_factory=asyncio.Event)  # a request to end
    closing: asyncio.Event = field(default_factory=asyncio.Event)  # streams end now

    @property
    def address(self) -> str:
        """The page's address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def cookie(self) -> str:
        """The session cookie's name; ports share cookies, so it names port and installation."""
        return f"steward_{self.port}_{self.install}"

    @property
    def public(self) -> frozenset[str]:
        """The paths that need no sign-in: the page's files and the health check."""
        return frozenset({"/", "/healthz", *self.assets})

    @property
    def lasting(self) -> frozenset[str]:
        """The paths whose content never changes: each has a digest of all of the page's files in it."""
        return frozenset(path for path in self.assets if path.startswith(_LASTING))

    def asset(self, path: str) -> Response:
        """Return a file of the page, or say that there is none."""
        content = self.assets.get(path)
        if content is None:
            return problem(404, "http.404", "No such file.")
        suffix = Path(path).suffix
        media = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
        return Response(content, media_type=media)

    async def examine(self) -> list[dict[str, Any]]:
        """Say how the page's port, guard and private folders stand, in doctor's lines."""
        refused = await _status_for_host(self.port, "steward.example")
        loose = _loose_folder(self.places)
        return [
            _line("page", True, f"{self.address} (sign a browser in with: ./steward open)"),
            _line("page guard", refused == 403, "a foreign Host is refused" if refused == 403 else "DOES NOT REFUSE"),
            _line(
                "private folders", loose is None, "0700" if loose is None else str(loose), loose.hint if loose else ""
            ),
        ]


def _line(name: str, ok: bool, state: str, remedy: str = "") -> dict[str, Any]:
    return {"name": name, "ok": ok, "state": state, "remedy": remedy}


def _loose_folder(places: Places) -> Unsafe | None:
    for folder in (places.config, places.data, places.state, places.runtime):
        try:
            private_folder(folder)
        except Unsafe as unsafe:
            return unsafe
    return None


async def _status_for_host(port: int, host: str) -> int:
    """Send a request with a foreign Host to the own port, as a rebinding page would, and return the status."""
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(f"GET /api/v1/status HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            line = await reader.readline()
        finally:
            writer.close()
            await writer.wait_closed()
    return int(line.split()[1]) if len(line.split()) > 1 else 0


def load_assets() -> dict[str, bytes]:
    """Read the page's files: each by its name, and by a name that changes with any of them, which a browser may keep.

    The page asks by the second, so that a browser which has seen it asks for no file of it again.
    """
    files = {str(file.relative_to(STATIC)): file.read_bytes() for file in STATIC.rglob("*") if file.is_file()}
    digest = hashlib.sha256(b"".join(name.encode() + b"\0" + files[name] for name in sorted(files))).hexdigest()[:16]
    prefix = f"{_LASTING}{digest}"
    files["index.html"] = files["index.html"].replace(b'"/static/', f'"{prefix}/'.encode())
    return {f"{place}/{name}": content for place in ("/static", prefix) for name, content in files.items()}


def install_id(folder: Path) -> str:
    """Return eight hex digits that tell this installation's cookies from another's."""
    return hashlib.sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()[:8]
