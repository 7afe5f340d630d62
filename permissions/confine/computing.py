"""The wall around code that only computes: a library that nobody trusts, in the process that calls it.

What this stops: opening any file but those named and the system's libraries; writing to any file by a call; sockets;
new processes and, unless asked for, threads; signals; every system call that is not on a short list (``seccomp``);
memory, processor time and core dumps without end; privileges by set-id programs.
What it does not: what the process has mapped or holds open already (close it first, and hand over descriptors that
cannot write what must not be written), asking whether a file exists by name, reading the clock, keeping its processor
busy until its limit, and lying about its result. Whoever needs a true figure measures from another process.

It holds for good, for whoever calls it, as root or not, and inside a cell too: filters and Landlock layers add up.
Sources: ``seccomp(2)``, ``landlock(7)``, ``setrlimit(2)``.
"""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from permissions.confine import landlock, limits, linux, namespaces, seccomp
from permissions.confine.landlock import Access, Rule
from permissions.errors import WallUnavailable
from permissions.model import Limits

_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_UNBOUNDED = 1 << 58


@dataclass(frozen=True, slots=True)
class Computing:
    """What a process keeps that only computes.

    ``readable``: files and folders that it may open and map, beside the system's libraries. ``address_bytes``: the most
    that it may have mapped, None for no limit (a sanitizer reserves terabytes). ``threads``: how many it may start.
    """

    readable: Sequence[str] = ()
    address_bytes: int | None = 2 << 30
    cpu_s: int = 60
    threads: int = 0
    open_files: int = 64


def only_compute(wish: Computing) -> None:
    """Confine this process, for good, to pure computation. It must have one thread, and have imported all it needs.

    Raises:
        WallUnavailable: where the machine or the kernel cannot do it, or other threads run, which would stay outside.
    """
    _check()
    try:
        _limit(wish)
        namespaces.forbid_new_privileges()
        landlock.restrict(_rules(wish.readable))
        seccomp.install(seccomp.build_computing(threads=wish.threads > 0))
    except OSError as error:
        raise WallUnavailable(
            "wall.computing", f"The wall around a computation could not be closed: {error}.",
            hint="End this process; nothing untrusted may run in it.",
        ) from error  # fmt: skip


def _check() -> None:
    if not linux.AUDIT_ARCH:
        raise _unavailable(f"No list of system calls is known for {linux.MACHINE}.", "Use x86_64 or aarch64.")
    if not landlock.abi():
        raise _unavailable("This kernel has no Landlock.", "Use Linux 5.13 or later with landlock in its lsm= list.")
    if _threads() > 1:
        raise _unavailable("Other threads run in this process.", "Confine it before it starts any.")


def _unavailable(said: str, hint: str) -> WallUnavailable:
    return WallUnavailable("wall.computing", said, hint=hint)


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:  # a cell in a container may have no /proc
        return threading.active_count()


def _limit(wish: Computing) -> None:
    most = _UNBOUNDED if wish.address_bytes is None else wish.address_bytes
    allowed = Limits(
        cpu_s=wish.cpu_s, memory_bytes=most, processes=wish.threads, file_bytes=0, open_files=wish.open_files
    )
    limits.apply(allowed, others=limits.tasks_of_machine() if wish.threads else 0)
    if wish.address_bytes is not None:  # exact: what computes reserves nothing far beyond its use
        resource.setrlimit(resource.RLIMIT_AS, (wish.address_bytes, wish.address_bytes))


def _rules(readable: Sequence[str]) -> list[Rule]:
    return [Rule(path, Access.READ) for path in (*_LIBRARIES, *readable)]
