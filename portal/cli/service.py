"""``service``: the daemon as a systemd user unit, in a control group of its own that it may divide among its calls.

What this stops: a unit that a person has not seen (it is shown before it is written), and a file of somebody else being
replaced or removed (ours begin with a line of their own).
What this does not: run without systemd. Without it ``./steward up`` does the same, and ``doctor`` says what is missing.

Sources: ``systemd.service(5)``, ``systemd.resource-control(5)`` (``Delegate=``, ``DelegateSubgroup=`` since 254).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from portal.cli import daemon as process
from portal.cli.outcome import DENIED, OK, PENDING, Failure, emit, is_interactive, say, tell
from portal.locate import find_places

NAME = "steward.service"
OURS = "# Written by `./steward service install`; `./steward service remove` takes it away."
SUBGROUP_SINCE = 254
_PLAIN = re.compile(r"[A-Za-z0-9_./@:+-]+")

UNIT = """\
{ours}
[Unit]
Description=Steward, a personal Agent-OS

[Service]
Type=exec
ExecStart={start}
WorkingDirectory=/
{environment}Delegate=memory pids
DelegateSubgroup=daemon
KillMode=mixed
TimeoutStopSec=30
Restart=on-failure
RestartSec=2

[Install]
WantedBy=default.target
"""

MOVE = (
    "/bin/sh -c 'own=/sys/fs/cgroup$$(sed -n s/^0:://p /proc/self/cgroup); "
    'mkdir -p "$$own/daemon" && echo $$$$ >"$$own/daemon/cgroup.procs"; exec "$$0" "$$@"\' '
)
"""Before systemd 254 nobody puts the daemon into a group below its own, where it must be to make others beside it."""


def unit_text(version: int, program: str = sys.executable, environ: dict[str, str] | None = None) -> str:
    """Return the unit for a systemd of this version. Raises Failure for a path that no unit can hold."""
    env = dict(os.environ) if environ is None else environ
    kept = [f"{name}={env[name]}" for name in ("STEWARD_HOME", "STEWARD_PORT", "TZ") if env.get(name)]
    start = f"{_quoted(program)} -P -m portal.serve"
    lines = "".join(f"Environment={_quoted(pair)}\n" for pair in kept)
    return UNIT.format(ours=OURS, start=start if version >= SUBGROUP_SINCE else MOVE + start, environment=lines)


def _quoted(text: str) -> str:
    """Write one word of a unit; systemd expands ``%`` and ``$`` in it, and a line break would begin another setting."""
    if not text.isprintable():
        raise Failure("service.path", f"{text!r} cannot stand in a unit.", "Use a path without control characters.")
    doubled = text.replace("%", "%%").replace("$", "$$")
    if _PLAIN.fullmatch(text):
        return doubled
    return '"' + doubled.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unit_path(environ: dict[str, str] | None = None) -> Path:
    """Return where a user's own units stand."""
    env = dict(os.environ) if environ is None else environ
    config = env.get("XDG_CONFIG_HOME", "")
    home = Path(env.get("HOME") or os.path.expanduser("~"))
    return (Path(config) if os.path.isabs(config) else home / ".config") / "systemd" / "user" / NAME


def install(as_json: bool, *, yes: bool) -> int:
    """Show the unit, write it after a yes, and start it."""
    version, path = _systemd(), unit_path()
    text = unit_text(version)
    _refuse_foreign(path)
    say(f"This is written to {path}:")
    say()
    for line in text.splitlines():
        say(f"  {line}")
    say()
    if not yes:
        _agreed("Write it and start Steward with every sign-in? [y/N] ", as_json, {"unit": str(path), "text": text})
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
    process.stop(find_places())  # one that was started by hand holds the folders
    _must("daemon-reload")
    _must("enable", "--now", NAME)
    return _done(as_json, {"unit": str(path), "installed": True, "text": text}, "Steward runs as a service of yours.")


def remove(as_json: bool) -> int:
    """Stop the service and take its unit away."""
    _systemd()
    path = unit_path()
    _refuse_foreign(path)
    had = path.exists()
    if had:
        _must("disable", "--now", NAME)
        path.unlink()
        _must("daemon-reload")
    said = "The service is gone; ./steward up starts Steward by hand." if had else "There is no service of Steward."
    return _done(as_json, {"unit": str(path), "installed": False, "removed": had}, said)


def status(as_json: bool) -> int:
    """Say whether there is a unit and whether it runs; a machine without systemd is a state, too."""
    path = unit_path()
    found = {"unit": str(path), "installed": path.exists(), "active": "", "enabled": "", "problem": ""}
    try:
        _systemd()
        found["active"] = _systemctl("is-active", NAME).stdout.strip()
        found["enabled"] = _systemctl("is-enabled", NAME).stdout.strip()
    except Failure as failure:
        found["problem"] = f"{failure} {failure.hint}"
    there = "installed" if found["installed"] else "not installed"
    if found["problem"]:
        return _done(as_json, found, f"The service is {there}. {found['problem']}")
    words = there if found["installed"] else f"{there}: ./steward service install"
    state = f"{found['active'] or 'unknown'}, {found['enabled'] or 'not enabled'}"
    return _done(as_json, found, f"The service is {words} ({state}).")


def _done(as_json: bool, found: dict[str, object], words: str) -> int:
    if as_json:
        emit(found)
    else:
        tell(words)
    return OK


def _agreed(question: str, as_json: bool, shown: dict[str, object]) -> None:
    """Ask in a terminal. Raises Failure on anything but a yes; without a terminal nothing has changed."""
    if as_json or not is_interactive():
        raise Failure("service.unasked", f"Nothing was written to {shown['unit']}.", "Add --yes to write it.", PENDING)
    from portal.cli.prompt import confirm

    if not confirm(question):
        raise Failure("service.refused", "You said no; nothing was written.", exit_code=DENIED)


def _refuse_foreign(path: Path) -> None:
    if path.is_symlink() or (path.exists() and not path.read_text(encoding="utf-8").startswith(OURS)):
        raise Failure("service.foreign", f"{path} is not Steward's own.", f"Look at it, and move it away: {path}")


def _systemd() -> int:
    """Return the version of the user's systemd. Raises Failure where none can be talked to."""
    hint = "./steward up starts Steward by hand; docs/guides/service.md says what is missing then."
    if shutil.which("systemctl") is None:
        raise Failure("service.systemd", "There is no systemd on this machine.", hint)
    if _systemctl("show-environment").returncode != 0:
        raise Failure("service.systemd", "There is no systemd user manager for you here.", hint)
    found = re.search(r"systemd (\d+)", _systemctl("--version").stdout)
    return int(found[1]) if found else 0


def _must(*words: str) -> None:
    done = _systemctl(*words)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"]
        raise Failure("service.systemctl", f"systemctl --user {' '.join(words)}: {said[-1]}",
                      f"journalctl --user -u {NAME} says more.")  # fmt: skip


def _systemctl(*words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["systemctl", "--user", *words], capture_output=True, text=True, timeout=60, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Failure("service.systemctl", f"systemctl --user {' '.join(words)} does not end.") from None
