"""Starting and ending the daemon from the command line.

Two requests at once start one daemon (a held lock); a daemon that cannot start is answered with the end of its log; a
stop returns when the daemon and all its children are gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from portal.cli.outcome import Failure, say
from portal.client import Client
from portal.locate import Places, private_folder
from portal.wire import DaemonError, is_listening

START_S = 60.0
STOP_S = 20.0
PAUSE_S = 0.02
_STAMP = re.compile(r"^[\d-]+ [\d:,]+ \w+ [\w.]+: ")


def ensure_running(places: Places) -> bool:
    """Start a daemon if none answers, and return when it is ready; tells whether one was started. Raises Failure."""
    if is_listening(places):
        return False
    for folder in (places.config, places.data, places.state, places.runtime):
        private_folder(folder)
    with _starting(places):
        if is_listening(places):  # another client was faster
            return False
        say("Starting Steward …")
        began = time.monotonic()
        child = _spawn(places)
        _wait(lambda: is_listening(places) or child.poll() is not None, START_S)
        if not is_listening(places):
            _give_up(places, child)
        say(f"Steward is ready ({time.monotonic() - began:.1f} s).")
    return True


@contextlib.contextmanager
def _starting(places: Places) -> Iterator[None]:
    descriptor = os.open(places.start_lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _spawn(places: Places) -> subprocess.Popen[bytes]:
    """Start the daemon in a session of its own, so that the terminal's signals and its end do not reach it."""
    environ = dict(os.environ)
    if "STEWARD_HOME" in environ:
        environ["STEWARD_HOME"] = str(places.config.parent)
    log = os.open(places.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "portal.serve"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env=environ,
            start_new_session=True,
        )
    finally:
        os.close(log)


def _give_up(places: Places, child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.kill()
        child.wait()
        cause = f"It was not ready within {START_S:.0f} s."
    else:
        cause = f"It ended with status {child.returncode}."
    lines = log_tail(places, 12)
    for line in lines:
        say(f"  | {line}")
    last = _STAMP.sub("", lines[-1]) if lines else ""
    raise Failure("daemon.start", f"The daemon cannot start. {cause} {last}".strip(), f"Its log: {places.log}")


def log_tail(places: Places, lines: int) -> list[str]:
    """Return the last lines of the daemon's log."""
    try:
        return places.log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]
    except OSError:
        return []


def stop(places: Places) -> bool:
    """End the daemon and wait for it and all its children; tells whether one ran. Raises Failure."""
    pid = daemon_pid(places)
    if pid is None:
        return False
    family = [(member, _born(member)) for member in (pid, *_descendants(pid))]
    try:
        with Client(places) as client:
            client.shutdown()
    except DaemonError:
        os.kill(pid, signal.SIGTERM)
    if not _wait(lambda: not _living(family), STOP_S):
        for member in _living(family):
            with contextlib.suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
    if not _wait(lambda: not _living(family), 5):
        raise Failure("daemon.stop", f"The daemon (process {pid}) does not end.", f"kill -9 {pid}")
    return True


@contextlib.contextmanager
def alone(places: Places) -> Iterator[None]:
    """Hold the daemon's own lock, so that none starts meanwhile; who wants to start one waits. Raises Failure."""
    with _starting(places):
        descriptor = os.open(places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if not _wait(lambda: _is_held(descriptor), STOP_S):
                message = "A daemon was started again meanwhile; nothing was changed."
                hint = "Stop it: ./steward down. Where it is a service: systemctl --user stop steward"
                raise Failure("daemon.runs", message, hint)
            yield
        finally:
            os.close(descriptor)


def _is_held(descriptor: int) -> bool:
    """Take the lock if it is free."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def daemon_pid(places: Places) -> int | None:
    """Return the process id of the living daemon: the one that holds the lock and wrote the ready file."""
    try:
        descriptor = os.open(places.lock, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _announced_pid(places)
    else:
        return None
    finally:
        os.close(descriptor)


def _announced_pid(places: Places) -> int | None:
    _wait(places.ready.exists, START_S)  # it may be starting
    with contextlib.suppress(OSError, ValueError, KeyError):
        return int(json.loads(places.ready.read_text(encoding="utf-8"))["pid"])
    return None


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += [int(child), *_descendants(int(child))]
    return found


def _born(pid: int) -> str:
    """Return the start time of a process in clock ticks (man 5 proc, field 22), so that a reused id is not mistaken."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _living(family: list[tuple[int, str]]) -> list[int]:
    return [pid for pid, born in family if born and _born(pid) == born]


def _wait(done: Callable[[], bool], longest_s: float) -> bool:
    deadline = time.monotonic() + longest_s
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(PAUSE_S)
    return True
