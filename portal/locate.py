"""Where Steward keeps its things: the same rules as the kernel's settings, without their import cost.

The command line must find a running daemon in a few milliseconds, so this module uses the standard library alone. A
test holds these rules against the kernel's own.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SOCKET_PATH_BYTES = 107  # sockaddr_un.sun_path, less its closing zero: man 7 unix


class Unsafe(Exception):
    """A private folder that others could reach. ``hint`` is the one command that mends it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one installation, all absolute."""

    config: Path
    data: Path
    state: Path
    runtime: Path

    @property
    def socket(self) -> Path:
        """The daemon's Unix socket."""
        return self.runtime / "steward.sock"

    @property
    def ready(self) -> Path:
        """Written when the daemon answers: JSON with ``pid``, ``address`` and ``version``."""
        return self.runtime / "daemon.json"

    @property
    def lock(self) -> Path:
        """Held (flock) by the daemon for as long as it lives."""
        return self.runtime / "daemon.lock"

    @property
    def start_lock(self) -> Path:
        """Held (flock) by the client that starts the daemon."""
        return self.runtime / "start.lock"

    @property
    def log(self) -> Path:
        """What the daemon says about itself."""
        return self.state / "daemon.log"

    @property
    def token(self) -> Path:
        """The bearer token of this installation's own programs."""
        return self.state / "api-token"

    @property
    def sessions(self) -> Path:
        """Digests of the signed-in browsers' secrets, so that a restart signs nobody out."""
        return self.state / "page-sessions"

    @property
    def config_file(self) -> Path:
        """The settings, as TOML."""
        return self.config / "config.toml"


def find_places(environ: Mapping[str, str] = os.environ) -> Places:
    """Return the folders for this environment: all below ``STEWARD_HOME`` where that is set, else the XDG folders.

    Source: XDG Base Directory Specification 0.8; a relative XDG path is ignored, as it says.
    """
    if root := environ.get("STEWARD_HOME"):
        home = Path(os.path.abspath(os.path.expanduser(root)))
        return Places(home / "config", home / "data", home / "state", home / "run")
    home = Path(environ.get("HOME") or os.path.expanduser("~"))
    state = _xdg(environ, "XDG_STATE_HOME", home / ".local/state")
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    return Places(
        config=_xdg(environ, "XDG_CONFIG_HOME", home / ".config"),
        data=_xdg(environ, "XDG_DATA_HOME", home / ".local/share"),
        state=state,
        runtime=Path(runtime) / "steward" if os.path.isabs(runtime) else state / "run",
    )


def _xdg(environ: Mapping[str, str], name: str, default: Path) -> Path:
    value = environ.get(name, "")
    return (Path(value) if os.path.isabs(value) else default) / "steward"


def private_folder(path: Path) -> Path:
    """Make ``path`` for its owner alone (0700), or check that it is so. Raises Unsafe; never loosens or repairs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise Unsafe(f"{path} is not a plain folder.", f"rm {path}") from None
        if found.st_uid != os.geteuid():
            raise Unsafe(f"{path} belongs to another user.", f"sudo chown {os.geteuid()} {path}") from None
        if stat.S_IMODE(found.st_mode) & 0o077:
            raise Unsafe(f"{path} can be reached by other users.", f"chmod 700 {path}") from None
    return path


@contextmanager
def short_path(path: Path) -> Iterator[str]:
    """Give a name for ``path`` that fits a socket address: itself, or one through a held descriptor of its folder."""
    if len(os.fsencode(path)) <= SOCKET_PATH_BYTES:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
