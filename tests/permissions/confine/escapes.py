"""The escape list: every attack that the wall is to stop, with the number under which it was first collected.

`make escape` tries all of them in every situation and publishes the matrix; `test_escapes.py` tries a sample.
What is not here, and why, is in ``SKIPPED``.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from permissions.model import CellSpec, Limits
from tests.permissions.confine.asking_escapes import ASKING_PROBES
from tests.permissions.confine.ground import SECRET, Attempt, Ground, Outcome, Probe, act, cell, is_held
from tests.permissions.confine.net_escapes import NET_PROBES
from tests.permissions.confine.relay_escapes import RELAY_PROBES

NAMES = "there is no new root below L3: names can be seen, contents not"
DISK = "below L3 a call's private folder lies on the disk, watched by the daemon"
GROUPS = "below L3 libraries may read what the machine allows, and fail where they may not"
COUNTED = "below L3 the kernel counts all processes of the user, so that the bound is wide"


def _secret(name: str, key: str = "path", **more: Any) -> Callable[[Ground], Attempt]:
    return lambda ground: Attempt(name, {key: ground.secret(), **more})


def _staged(name: str) -> Callable[[Ground], Attempt]:
    """An act with a folder that it may write, and a secret that it may not see."""

    def make(ground: Ground) -> Attempt:
        stage = ground.folder()
        return Attempt(name, {"stage": stage, "path": ground.secret()}, CellSpec(write_paths=(stage,)), _is_secret)

    return make


def _shown(name: str) -> Callable[[Ground], Attempt]:
    """An act that changes what was granted for reading."""

    def make(ground: Ground) -> Attempt:
        path = ground.secret()
        return Attempt(name, {"path": path}, CellSpec(read_paths=(os.path.dirname(path),)))

    return make


def _at_target(name: str, *keys: str, **more: Any) -> Callable[[Ground], Attempt]:
    """An act on the process that is there to be attacked; ``keys`` are what it is told about it."""
    wanted = {"number": "segment"} if name == "shared_segment" else {}
    return lambda ground: Attempt(name, {key: ground.target[wanted.get(key, key)] for key in keys} | more)


def _is_secret(answer: Any) -> bool:
    return bool(answer == SECRET)


def _climbing(ground: Ground) -> Attempt:
    granted, path = ground.folder(), ground.secret()
    words = {"path": f"{granted}/../{os.path.relpath(path, ground.wall.home)}"}
    return Attempt("read", words, CellSpec(read_paths=(granted,)), _is_secret)


def _link_in_granted(ground: Ground) -> Attempt:
    granted = ground.folder()
    os.symlink(ground.secret(), f"{granted}/innocent")
    return Attempt("read", {"path": f"{granted}/innocent"}, CellSpec(read_paths=(granted,)), _is_secret)


def _hidden(ground: Ground) -> Attempt:
    path = ground.secret()
    house = os.path.dirname(os.path.dirname(path))
    spec = CellSpec(read_paths=(house,), hidden_paths=(os.path.dirname(path),))
    return Attempt("read", {"path": path}, spec, _is_secret)


def _program(name: str, mode: int, won: Callable[[Any], bool]) -> Callable[[Ground], Attempt]:
    def make(ground: Ground) -> Attempt:
        stage = ground.folder()
        program = shutil.copy("/usr/bin/id", f"{stage}/{name}")
        if mode & 0o4000:
            os.chown(program, 0, 0)
        os.chmod(program, mode)
        return Attempt("execute", {"path": program}, CellSpec(write_paths=(stage,), read_paths=(program,)), won)

    return make


def _group(name: str, file: str) -> Callable[[Ground], Attempt]:
    def make(_ground: Ground) -> Attempt:
        tops = ("/sys/fs/cgroup/unified", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/memory", "/sys/fs/cgroup")
        path = next((f"{top}/{file}" for top in tops if os.path.exists(f"{top}/{file}")), f"/sys/fs/cgroup/{file}")
        return Attempt(name, {"path": path})

    return make


def _limited(name: str, limits: Limits, won: Callable[[Any], bool], **words: Any) -> Callable[[Ground], Attempt]:
    return lambda _ground: Attempt(name, words, CellSpec(limits=limits), won)


def _big_file(ground: Ground) -> Attempt:
    stage = ground.folder()
    spec = CellSpec(write_paths=(stage,), limits=Limits(file_bytes=4 << 20))
    return Attempt("write_much", {"path": f"{stage}/big", "size": 8 << 20}, spec)


def _surviving(name: str, key: str, suffix: str, more: dict[str, Any], outside: dict[str, Any]) -> Probe:
    def make(ground: Ground) -> Attempt:
        stage = ground.folder()
        lock = f"{stage}/lock"
        spec = CellSpec(write_paths=(stage,))
        return Attempt(name, {key: lock, **more}, spec, lambda _answer: is_held(f"{lock}{suffix}"), outside)

    number, title = ("77", "children that are born again") if suffix else ("63", "a grandchild of another session")
    return cell(number, f"{title} outlive the call", make)


def _swapped(ground: Ground) -> Outcome:
    """A name in the granted folder is exchanged for a link to the secret and back, thousands of times."""
    folder, secret = ground.folder(), ground.secret()
    name, done = f"{folder}/flip", threading.Event()

    def flip() -> None:
        while not done.is_set():
            Path(f"{folder}/plain").write_text("plain")
            os.rename(f"{folder}/plain", name)
            os.symlink(secret, f"{folder}/link")
            os.rename(f"{folder}/link", name)

    flipping = threading.Thread(target=flip)
    flipping.start()
    try:
        words = {"path": name, "secret": SECRET, "seconds": 0.5}
        attempt = Attempt("read_again_and_again", words, CellSpec(read_paths=(folder,)), _is_secret)
        escaped = ground.inside(attempt)
        return Outcome(ground.outside(attempt), escaped)
    finally:
        done.set()
        flipping.join()


def _colluding(path: str) -> Callable[[Ground], Outcome]:
    """One call leaves a word, the next one looks for it."""

    def trial(ground: Ground) -> Outcome:
        leave, look = Attempt("leave_word", {"path": path}), Attempt("read", {"path": path})
        ground.inside(leave)
        escaped = ground.inside(look)
        live = ground.outside(leave) and ground.outside(look)
        ground.outside(Attempt("unlink", {"path": path}))
        return Outcome(live, escaped)

    return trial


def _stopped(ground: Ground) -> Outcome:
    began = time.monotonic()
    ground.wall.call("stop_itself", CellSpec(limits=Limits(wall_s=0.3)))
    escaped = time.monotonic() - began > 5
    with subprocess.Popen([sys.executable, "-c", f"import os; os.kill(os.getpid(), {int(signal.SIGSTOP)})"]) as control:
        time.sleep(0.5)
        live = control.poll() is None
        control.kill()
    return Outcome(live, escaped)


def _held_pipe(ground: Ground) -> Outcome:
    stage = ground.folder()
    began = time.monotonic()
    ground.wall.call("leave_survivor", CellSpec(write_paths=(stage,)), lock=f"{stage}/lock")
    escaped = time.monotonic() - began > 5
    code = "import os, time\nif os.fork() == 0: time.sleep(2)"
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    return Outcome(time.monotonic() - began > 1.5, escaped)


def _flood(ground: Ground) -> Outcome:
    escaped = ground.inside(Attempt("flood", {"size": 256 << 20}))
    code = "import os\nfor _ in range(128): os.write(1, bytes(1 << 20))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    return Outcome(len(done.stdout) == 128 << 20, escaped)


def _picked_up(ground: Ground) -> Outcome:
    """Code that a call left behind is picked up by the next worker, whose starter has it on its path."""
    stage = ground.folder()
    marker = f"{stage}/marker"
    ground.inside(Attempt("plant", {"folder": stage, "marker": marker}, CellSpec(write_paths=(stage,))))
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = stage
    try:
        cells = ground.wall.new_cells()
        ground.wall.wait(cells.call(CellSpec(), ground.wall.request("echo", text="x")))
        ground.wall.wait(cells.close())
        escaped = os.path.exists(marker)
        subprocess.run([sys.executable, "-c", "import json"], cwd=stage, check=False)
    finally:
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before
    return Outcome(os.path.exists(marker), escaped)


def _launcher(name: str) -> Callable[[Ground], Attempt]:
    return lambda ground: Attempt(name, {"pid": ground.wall.cells.pid})


def _in_stage(ground: Ground, name: str, leaf: str) -> Attempt:
    stage = ground.folder()
    return Attempt(name, {"path": f"{stage}/{leaf}"}, CellSpec(write_paths=(stage,)))


def _names(ground: Ground) -> Attempt:
    return Attempt("fill_names", {"folder": ".", "count": 20_000}, outside={"folder": ground.folder()})


PROBES: tuple[Probe, ...] = (
    cell("1", "read a file by its full name", _secret("read")),
    cell("2", "read through '..'", _climbing),
    cell("3", "read through a link planted in staging", _staged("read_by_link")),
    cell("3b", "read through a link in a granted folder", _link_in_granted),
    cell("4", "read through a hard link", _staged("read_by_name")),
    cell("5", "rename a file into staging", _staged("take")),
    cell("6", "stat outside", _secret("stat_of"), weak=NAMES),
    cell("7", "write outside", _secret("write")),
    cell("8", "truncate outside", _secret("truncate")),
    cell("9", "unlink outside", _secret("unlink")),
    cell("10", "chmod outside", _secret("change_mode")),
    cell("11", "utime outside", _secret("touch")),
    cell("12", "setxattr outside", _secret("mark")),
    cell("13", "watch a file outside", _secret("watch")),
    cell("14", "lock a file outside", _secret("lock")),
    cell("15", "read through /proc/self/root", lambda g: Attempt("read", {"path": f"/proc/self/root{g.secret()}"})),
    cell("16", "read through /proc/TARGET/root",
         lambda g: Attempt("read", {"path": f"/proc/{g.target['pid']}/root{g.secret()}"})),
    cell("17", "read through /proc/TARGET/cwd", lambda g: Attempt(
        "read", {"path": f"/proc/{g.target['pid']}/cwd/{os.path.relpath(g.secret(), g.wall.home)}"})),
    act("18", "a file's descriptor that leaked", "read_descriptor", number=50),
    act("19", "a folder's descriptor that leaked", "read_below_descriptor", number=51, name="passwd"),
    act("20", "a secret in the environment", "variable", name="STEWARD_PROBE_SECRET"),
    cell("21", "another process's environment", _at_target("read_memory", "pid")),
    cell("22", "another process's arguments", lambda g: Attempt("read", {"path": f"/proc/{g.target['pid']}/cmdline"})),
    cell("23", "another process's memory, as a file", _at_target("memory_of", "pid", "address")),
    cell("24", "trace another process", _at_target("trace", "pid")),
    cell("25", "read another process's memory", _at_target("memory_by_call", "pid", "address")),
    cell("25b", "write another process's memory", _at_target("write_memory_by_call", "pid", "address")),
    cell("26", "take another process's descriptor",
         lambda g: Attempt("descriptor_of", {"pid": g.target["pid"], "number": g.target["held"]})),
    cell("27", "signal another process", _at_target("send_signal", "pid")),
    act("27b", "signal everybody", "signal_all"),
    cell("28", "another process's limits", _at_target("limit_again", "pid")),
    cell("29", "another process's priority", _at_target("renice", "pid")),
    cell("29b", "another process's processors", _at_target("pin", "pid")),
    cell("30", "a Unix socket by its path",
         lambda g: Attempt("connect", {"family": int(socket.AF_UNIX), "address": g.target["named"]})),
    cell("31", "an abstract Unix socket",
         lambda g: Attempt("connect", {"family": int(socket.AF_UNIX), "address": g.target["abstract"]})),
    cell("32", "System V shared memory", _at_target("shared_segment", "number")),
    cell("33", "another process's /dev/shm", lambda g: Attempt("read", {"path": f"/dev/shm/{g.target['name']}"})),
    cell("34", "a POSIX message queue", _at_target("queue", "name")),
    cell("35", "TCP to this machine",
         lambda g: Attempt("connect", {"family": int(socket.AF_INET), "address": ["127.0.0.1", g.target["tcp"]]})),
    cell("36", "UDP, a name server's way out", lambda g: Attempt("ask_datagram", {"port": g.target["udp"]})),
    act("37", "ask netlink about the network", "interfaces"),
    act("38", "VSOCK, the way to a VM's host", "raw_socket", family=40, kind=1),
    act("39", "listen on TCP", "listen"),
    act("39b", "a raw socket", "raw_socket", family=int(socket.AF_INET), kind=int(socket.SOCK_RAW), protocol=1),
    act("39c", "a packet socket", "raw_socket", family=17, kind=int(socket.SOCK_RAW)),
    act("39d", "the kernel's cipher socket", "raw_socket", family=38, kind=int(socket.SOCK_SEQPACKET)),
    act("40", "io_uring", "ring"),
    act("41", "a user namespace by unshare", "user_space"),
    act("42", "a user namespace by clone", "fork_with", flags=0x10000000),
    act("42b", "a mount namespace", "mount_space"),
    act("42c", "a process namespace by clone", "fork_with", flags=0x20000000),
    act("42d", "a network namespace by clone", "fork_with", flags=0x40000000),
    act("43", "the session's keyring", "keyring"),
    act("44", "a key in the session's keyring", "add_key"),
    act("45", "userfaultfd", "faults"),
    act("46", "addresses without randomness", "same_addresses"),
    act("47", "type into the terminal (TIOCSTI)", "type_for_others"),
    act("48", "a BPF map", "bpf_map"),
    act("49", "perf events", "count_events"),
    act("50", "mount", "mount_memory", apart=True),
    act("50b", "unmount", "unmount", path="/proc", apart=True),
    act("50c", "fsopen", "new_mount"),
    act("50d", "a copy of a mounted tree", "copy_of_tree"),
    act("50e", "make the root writable", "attributes", apart=True),
    act("50f", "chroot", "other_root"),
    act("50g", "the machine's name", "name_host", apart=True),
    cell("50h", "enter another process's namespace", _at_target("join", "pid", kind="uts")),
    cell("51", "make a device", lambda g: _in_stage(g, "make_device", "null")),
    cell("52", "open by handle", _secret("by_handle")),
    act("52b", "watch the whole file system (fanotify)", "watch_all"),
    cell("53", "compare with another process (kcmp)", _at_target("compare", "pid")),
    cell("54", "leave the control group", _group("enter_group", "cgroup.procs")),
    cell("54b", "read the control groups", _group("read", "cgroup.procs"), weak=GROUPS),
    cell("55", "a set-id program", _program("root-id", 0o4755, lambda answer: bool(answer == "0"))),
    cell("56", "run a program from staging", _program("own", 0o755, bool), own_bytes=True),
    act("57", "run a program from memory", "run_from_memory", own_bytes=True),
    cell("58", "300 processes",
         _limited("fork_many", Limits(processes=16), lambda count: count >= 300, most=300), weak=COUNTED),
    cell("59", "more memory than allowed", _limited("hog", Limits(memory_bytes=128 << 20), bool, size=512 << 20)),
    cell("60", "a file larger than allowed", _big_file),
    act("61", "a core dump", "allow_core"),
    cell("62", "300 open files", _limited("open_many", Limits(open_files=64), bool, count=300)),
    _surviving("leave_survivor", "lock", "", {}, {"seconds": 2.0}),
    Probe("64", "a name that is exchanged for a link, thousands of times", _swapped),
    act("65", "write through /proc/self/mem", "own_memory"),
    cell("66", "reopen a file for writing through /proc/self/fd", _shown("reopen")),
    cell("66b", "write what was granted for reading", _shown("write")),
    cell("66c", "change the mode of what was granted for reading", _shown("change_mode")),
    cell("66d", "remove what was granted for reading", _shown("unlink")),
    cell("66e", "read a hidden place in a granted tree", _hidden),
    cell("67", "a descriptor handed over a socket", lambda g: Attempt("smuggle", {"path": g.target["named"]})),
    act("68", "the calls of 32-bit programs (int 0x80)", "old_table"),
    act("69", "flags of clone3 behind a pointer", "clone_by_pointer"),
    Probe("70", "code left for the next worker", _picked_up),
    act("73", "fill /dev/shm", "fill_and_remove", path="/dev/shm/steward-probe", size=100 << 20, weak=DISK),
    cell("74", "20,000 files in the private folder", _names, weak=DISK),
    Probe("76", "a flood of output", _flood),
    _surviving("be_born_again", "lock_path", "0", {"lives": 1000, "seconds": 600.0}, {"lives": 2, "seconds": 2.0}),
    cell("78", "sleep beyond the deadline, deaf to signals", lambda _g: Attempt(
        "sleep", {"seconds": 30.0}, CellSpec(limits=Limits(wall_s=0.3)), outside={"seconds": 0.6})),
    Probe("78b", "stop oneself beyond the deadline", _stopped),
    Probe("79", "a grandchild holds the answer's pipe", _held_pipe),
    Probe("84", "two calls meet in /tmp", _colluding("/tmp/steward-probe-word")),
    Probe("84b", "two calls meet in /dev/shm", _colluding("/dev/shm/steward-probe-word")),
    Probe("84c", "two calls meet where they begin", _colluding("steward-probe-word")),
    cell("99", "trace the launcher", _launcher("trace")),
    cell("99b", "signal the launcher", _launcher("send_signal")),
    cell("99c", "the launcher's environment", _launcher("read_memory")),
    act("101", "list the processes of the machine", "processes", most=4),
    cell("102", "list the home", lambda g: Attempt("listing", {"path": str(g.wall.home)})),
    act("103", "the kernel's log", "kernel_log"),
    act("104", "write the machine's settings", "rewrite", path="/proc/sys/kernel/domainname"),
    act("105", "the accounts' passwords", "read", path="/etc/shadow"),
    act("106", "the machine's host table", "read", path="/etc/hosts"),
    act("107", "go before all others", "hurry"),
    act("108", "memory that not even the kernel reads", "secret_memory"),
    act("109", "the second table of calls (x32)", "raw", numbers={"x86_64": 0x40000000 + 39}, words=[]),
    *NET_PROBES,
    *RELAY_PROBES,
    *ASKING_PROBES,
)  # fmt: skip

SKIPPED = {
    "81, 82, 83": "names, code and rights of a skill that is installed: no installer yet",
    "88, 89": "the portal's door: tests/portal/test_guard.py",
    "91": "what goes to a host that was granted goes there",
    "93": "a right taken back while a call runs: tests/kernel/test_perms_running.py",
    "95": "dice after a fork: Python itself throws them anew, so that there is no control",
    "96, 97, 98": "GPU, compile caches and model files: no such skill yet",
    "100": "sixteen Landlock layers: a cell has one, and what a call asks for runs in a cell beside it",
    "reboot, kexec, modules, swap, clocks": "a control would do harm; tests/permissions/confine/test_attacks.py",
}
assert len({probe.number for probe in PROBES}) == len(PROBES)
