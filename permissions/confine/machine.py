"""What this machine can enforce, found by trying, in words, with the command that mends what is missing.

What this stops: a user who believes in a wall that is not there.
What it does not: change anything. It looks once per process; a mended machine needs a restart to be seen.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from permissions.confine import cgroup, landlock, linux
from permissions.model import Level

_PROBE = Path(__file__).with_name("probe.py")
_PROFILE = "/etc/apparmor.d/steward"
_TEMPLATE = Path(__file__).with_name("apparmor") / "steward"


@dataclass(frozen=True, slots=True)
class Capability:
    """One thing that the wall builds on: whether it is there, its state in words, and one command that mends it."""

    name: str
    ok: bool
    state: str
    remedy: str = ""


@cache
def survey() -> tuple[Capability, ...]:
    """Return what the machine has: namespaces, apparmor, landlock, seccomp, cgroup, overlay. Under 50 ms, cached."""
    tried = _try()
    return (_namespaces(tried), _apparmor(tried), _landlock(), _seccomp(), _cgroup(), _overlay(tried))


@cache
def machine_level() -> Level:
    """Return the level at which calls will run here; what a running worker found out itself is in every outcome."""
    state = {found.name: found.ok for found in survey()}
    root = state["namespaces"] and linux.kernel() >= (5, 12)
    if not state["seccomp"] or not (root or state["landlock"]):
        return Level.L1
    return Level.L3 if root and state["landlock"] else Level.L2


def _try() -> dict[str, str]:
    """Run the probe; an empty text means that it worked."""
    command = [sys.executable, "-I", "-S", str(_PROBE)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=10, check=False, text=True)
        found: dict[str, str] = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired) as problem:
        return {"namespaces": str(problem), "overlay": str(problem)}
    return found


def _namespaces(tried: dict[str, str]) -> Capability:
    problem = tried.get("namespaces", "the probe said nothing")
    if not problem:
        return Capability("namespaces", True, "user, mount, pid, net, ipc, uts and cgroup namespaces can be made")
    return Capability("namespaces", False, f"refused by this machine: {problem}", _namespace_remedy())


def _namespace_remedy() -> str:
    if _apparmor_restricts():
        return _apparmor_remedy()
    if _knob("/proc/sys/kernel/unprivileged_userns_clone") == "0":
        return "sudo sysctl -w kernel.unprivileged_userns_clone=1"
    if _knob("/proc/sys/user/max_user_namespaces") == "0":
        return "sudo sysctl -w user.max_user_namespaces=15000"
    return (
        "sudo sysctl -w user.max_user_namespaces=15000  # in a container: run it with --security-opt seccomp=unconfined"
    )


def _apparmor_restricts() -> bool:
    return _knob("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" and os.geteuid() != 0


def _apparmor(tried: dict[str, str]) -> Capability:
    if not os.path.isdir("/sys/module/apparmor") or _knob("/sys/module/apparmor/parameters/enabled") != "Y":
        return Capability("apparmor", True, "not in use here: nothing stands in the way of namespaces")
    if not _apparmor_restricts():
        return Capability("apparmor", True, "does not restrict user namespaces")
    if not tried.get("namespaces", "unknown"):
        return Capability("apparmor", True, "restricts user namespaces, and a profile allows them to Steward's Python")
    return Capability("apparmor", False, "forbids user namespaces to programs without a profile", _apparmor_remedy())


def _apparmor_remedy() -> str:
    """Return the command that fills this very interpreter into the shipped profile, and loads it."""
    program, template = (shlex.quote(str(path)) for path in (os.path.realpath(sys.executable), _TEMPLATE))
    fill = f"sed s,@PROGRAM@,{program}, {template} | sudo tee {_PROFILE} >/dev/null"
    return f"{fill} && sudo apparmor_parser -r {_PROFILE}"


def _landlock() -> Capability:
    version = landlock.abi()
    if not version:
        remedy = "add landlock to the lsm= boot parameter, or boot Linux 5.13 or later"
        return Capability("landlock", False, "not in this kernel, or not switched on", remedy)
    missing = [
        words
        for since, words in ((3, "truncation"), (4, "TCP"), (6, "signals and abstract sockets"))
        if version < since
    ]
    gap = f"; too old to restrict {', '.join(missing)}" if missing else ""
    return Capability("landlock", True, f"ABI {version}{gap}")


def _seccomp() -> Capability:
    if not linux.AUDIT_ARCH:
        return Capability("seccomp", False, f"no filter is known for {linux.MACHINE}", "use an x86-64 or ARM64 machine")
    if os.path.exists("/proc/sys/kernel/seccomp/actions_avail"):
        return Capability("seccomp", True, f"filters for {linux.MACHINE}")
    return Capability("seccomp", False, "not in this kernel", "boot a kernel with CONFIG_SECCOMP_FILTER")


def _cgroup() -> Capability:
    groups = cgroup.find_groups()
    if groups:
        return Capability("cgroup", True, groups.words())
    state = "no group is delegated: memory is limited per process, not per call, and no limit is learned"
    return Capability("cgroup", False, state, "./steward service install")


def _overlay(tried: dict[str, str]) -> Capability:
    problem = tried.get("overlay", "the probe said nothing")
    if not problem:
        return Capability("overlay", True, "works in a user namespace")
    remedy = _namespace_remedy() if tried.get("namespaces", "x") else "use a kernel from 5.11 on and ext4, xfs or btrfs"
    return Capability("overlay", False, f"refused: {problem}", remedy)


def _knob(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
