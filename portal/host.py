"""The daemon: two sockets, one loop. Opens the kernel, serves it, and leaves nothing behind.

What this stops: a second daemon on the same folders (a held lock), callers of another user on the Unix socket
(SO_PEERCRED besides 0600), folders that others could reach, connections that never say anything.
What this does not: root, who may do anything with a user's processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import gc
import json
import logging
import logging.handlers
import os
import signal
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from kernel import Kernel, Settings, finish_restore, load_settings, open_kernel
from portal.guard import Doorway, Guard, PeerGuard
from portal.locate import Places, find_places, private_folder, short_path
from portal.pages import Later, make_pages
from portal.sessions import Sessions, ensure_token
from portal.site import Site, install_id, load_assets

log = logging.getLogger("steward.portal")

FIRST_REQUEST_S = 20.0
CONNECTIONS_MAX = 256
LOG_BYTES = 1_000_000
ROUTES_AFTER_S = 0.2
EXIT_FAILED = 3


class CannotStart(Exception):
    """The daemon cannot start; the message is for a person, the hint says what to do now."""

    hint = ""


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that hangs up on connections that send no request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock for the first request."""
        super().connection_made(transport)
        self.loop.call_later(FIRST_REQUEST_S, self._hang_up_if_silent)

    def _hang_up_if_silent(self) -> None:
        if cast("object | None", self.cycle) is None and self in self.connections:
            self.transport.close()


class PeerProtocol(PatientProtocol):
    """The Unix socket's protocol: it speaks to the same user and to root only."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Ask the system who is at the other end."""
        super().connection_made(transport)
        uid = peer_uid(transport.get_extra_info("socket"))
        if uid not in {os.geteuid(), 0}:
            log.warning("a process of user %s was turned away at the socket", uid)
            transport.abort()


def peer_uid(connection: socket.socket) -> int:
    """Return the user id at the other end of a Unix socket. Source: man 7 unix, SO_PEERCRED."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _pid, uid, _gid = struct.unpack("3i", credentials)
    return int(uid)


def _open_websocket(**parts: Any) -> asyncio.Protocol:
    """Load the WebSocket protocol when the first one is asked for."""
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    return WebSocketsSansIOProtocol(**parts)


class Door(uvicorn.Server):
    """A server that sleeps until it is told to stop: no ticking clock, no signal handlers of its own."""

    def __init__(self, app: ASGIApp, protocol: type[H11Protocol], listener: socket.socket) -> None:
        config = uvicorn.Config(
            app,
            http=protocol,
            ws=_open_websocket,  # type: ignore[arg-type]
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            limit_concurrency=CONNECTIONS_MAX,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=3,
        )
        super().__init__(config)
        self._listener = listener
        self.opened = asyncio.Event()
        self.leave = asyncio.Event()

    async def hold(self) -> None:
        """Serve until ``leave`` is set."""
        await self._serve([self._listener])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        self.opened.set()

    async def main_loop(self) -> None:
        """Wait without waking up."""
        await self.leave.wait()


def run() -> int:
    """Serve until a signal or a request to end; returns the exit status. The last line of the log says why."""
    places = find_places()
    try:
        with _claim(places):
            asyncio.run(_live(places))
    except Exception as error:
        hint = getattr(error, "hint", None)  # every room's own errors carry one
        expected = hint is not None or isinstance(error, OSError)
        log.log(logging.ERROR, "cannot go on: %s %s", error, hint or "", exc_info=None if expected else error)
        return EXIT_FAILED
    return 0


@contextlib.contextmanager
def _claim(places: Places) -> Iterator[None]:
    """Make the private folders, open the log and hold the lock that makes this daemon the only one."""
    for folder in (places.config, places.data, places.state, places.runtime):
        private_folder(folder)
    _open_log(places.log)
    descriptor = os.open(places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _hold(descriptor)
        places.ready.unlink(missing_ok=True)
        if finish_restore():
            log.info("an interrupted restore was finished")
        yield
    finally:
        os.close(descriptor)


def _hold(descriptor: int) -> None:
    """Take the lock for life. A client that looks whether it is held may have it for an instant. Raises CannotStart."""
    for _ in range(20):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(0.02)
    raise CannotStart("Another daemon runs on these folders.")


def _open_log(path: Path) -> None:
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8")
    path.chmod(0o600)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    logging.getLogger("steward").setLevel(logging.INFO)


async def _live(places: Places) -> None:
    started = time.monotonic()
    stop = _stop_on_signals()
    settings = load_settings()
    with _listen(places, settings) as (peers, pages):
        kernel = await open_kernel(settings)
        try:
            port = int(pages.getsockname()[1])
            site = Site(places, port, install_id(places.state), load_assets(), stop=stop)
            ensure_token(places.token)
            await _serve(kernel, site, (peers, pages), started)
        finally:
            places.ready.unlink(missing_ok=True)
            places.socket.unlink(missing_ok=True)
            await kernel.close()
            end_children()
    log.info("ended")


async def _serve(kernel: Kernel, site: Site, listeners: tuple[socket.socket, socket.socket], started: float) -> None:
    sessions = Sessions(site.places.token, site.places.sessions)
    routes = Later(lambda: _routes(kernel, site, sessions))
    app = make_pages(site, routes)
    doorway = Doorway(site.port, site.cookie, site.public, site.lasting)
    guard = Guard(app, doorway, sessions, kernel.clients.whose, kernel.routines.hook_of)
    doors = (Door(PeerGuard(app), PeerProtocol, listeners[0]), Door(guard, PatientProtocol, listeners[1]))
    async with asyncio.TaskGroup() as group:
        for door in doors:
            group.create_task(door.hold())
            await door.opened.wait()
        _announce(site)
        gc.freeze()
        gc.enable()
        asyncio.get_running_loop().call_later(ROUTES_AFTER_S, routes.begin)
        log.info("ready at %s after %.2f s", site.address, time.monotonic() - started)
        await site.stop.wait()
        log.info("ending")
        sessions.keep()
        site.closing.set()
        for door in doors:
            door.leave.set()


def _routes(kernel: Kernel, site: Site, sessions: Sessions) -> ASGIApp:
    """Load the web framework and build the routes: half of what a start costs, so after the first page."""
    from portal.app import make_app

    return make_app(kernel, site, sessions)


def _stop_on_signals() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


@contextlib.contextmanager
def _listen(places: Places, settings: Settings) -> Iterator[tuple[socket.socket, socket.socket]]:
    with _unix_listener(places) as peers, _loopback_listener(settings.port) as pages:
        yield peers, pages


def _unix_listener(places: Places) -> socket.socket:
    places.socket.unlink(missing_ok=True)  # left by a daemon that was killed: the lock says that none lives
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    before = os.umask(0o177)
    try:
        with short_path(places.socket) as path:
            listener.bind(path)
    finally:
        os.umask(before)
    return listener


def _loopback_listener(port: int) -> socket.socket:
    """Bind the page's port, or any free one when another program has it."""
    for wanted in (port, 0):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", wanted))
        except OSError as error:
            listener.close()
            log.warning("port %s is taken (%s); taking any free one", wanted, error)
        else:
            return listener
    raise CannotStart("No loopback port can be had.")


def _announce(site: Site) -> None:
    """Write the ready file, whole or not at all."""
    known = {"pid": os.getpid(), "address": site.address, "version": site.version}
    draft = site.places.ready.with_suffix(".new")
    draft.write_text(json.dumps(known) + "\n", encoding="utf-8")
    draft.chmod(0o600)
    draft.replace(site.places.ready)


def end_children() -> None:
    """Kill whatever children are left, and wait for them: ``down`` promises that none stays."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    for pid in children.read_text().split() if children.exists() else ():
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(int(pid), signal.SIGKILL)
            os.waitpid(int(pid), 0)
