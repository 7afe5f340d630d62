"""From a forked child to a confined call, in the one order that leaves no gap.

What this stops: what namespaces, root, Landlock, seccomp and limits stop, put together: group, namespaces, new root,
capabilities, descriptors, Landlock, seccomp, then limits and environment in a child of the cell's own init, then code.
Nothing of a skill runs before the last step. A step that fails ends the cell before any code ran (fail closed).
What it does not: hide the level at which it runs. At L2 there is no new root and no process namespace: the paths'
names can be seen, and stopping what a call leaves behind rests on the supervisor.

``prepare`` needs nothing of the call and ``enter`` everything: at L3 a cell stands by, prepared, before it is needed.
"""

from __future__ import annotations

import fcntl
import os
import resource
import select
import signal
import socket
import sys
import tempfile
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, NoReturn

from permissions.confine import landlock, limits, linux, namespaces, root, rules, seccomp, wire
from permissions.confine.ends import DOOR, LINES, MOST_ENDS, REQUEST, RESULT, RULES, STATUS, Door, Ends, lines_of
from permissions.confine.granted import OLD
from permissions.confine.landlock import Access, Rule
from permissions.errors import PermissionsError
from permissions.model import RELAY_PORT, CellSpec, Layer, Level

Run = Callable[[bytes, Callable[[bytes], None]], bytes]
Rehearse = Callable[[], object]
"""Does once, with nothing, what every ``Run`` does; nothing of a skill, as the cell is not confined yet."""

OUT_OF_MEMORY_EXIT = 177
"""Exit code of a call whose Python ran out of memory; a call that uses it itself only speaks about itself."""


@dataclass(frozen=True, slots=True)
class Filters:
    """The system call filters of L3: of a cell's init, of a cell that stands by, and what its call gets besides;
    ``last_relaying`` is for one whose programs connect through a relay on their own loopback."""

    init: bytes
    standing: bytes
    last: bytes
    last_relaying: bytes


@dataclass(frozen=True, slots=True)
class Kit:
    """What every cell of a zygote has in common: its filters, and the caller's own ``uid`` and ``gid``.

    ``umask`` is the caller's too: it holds for what a call leaves in a tree that it works in.
    """

    level: Level
    base: root.Base
    filters: Filters
    uid: int
    gid: int
    kernel: tuple[int, ...]
    umask: int = 0o077


def fork(level: Level, group_fd: int = -1) -> int:
    """Fork the first process of a cell: its init at L3 (born in its control group), its supervisor below; 0 in it."""
    return namespaces.fork_into_namespaces(group_fd) if level is Level.L3 else os.fork()


def stand_by(
    kit: Kit, door: Door, status: int, entries: list[int], run: Run, rehearse: Rehearse = lambda: None
) -> NoReturn:
    """Be the first process of a cell at L3, prepared for the one call that comes through its door.

    Runs in the child of ``fork`` and never returns. ``entries`` lead into the control group. The first process forks
    the one that is to become the call and gives up every power at once: what is touched before a fork is copied twice.
    The other one prepares the cell, and keeps what it needs to show the call's files until then.
    """
    with _edge(status):
        for entry in entries:
            os.write(entry, b"0")
        call = os.fork()
        if call:
            _be_init(kit, call, status)
        _move_in(door.places() | {STATUS: status}, [])
        with _edge():
            prepare(kit)
            _become_call(kit, run, rehearse)


def _become_call(kit: Kit, run: Run, rehearse: Rehearse) -> NoReturn:
    _clean_surroundings()
    kept = _make_ready(kit)
    _rehearse(kit)
    rehearse()
    spec, request = wire.unpack_call(_wait_for_call(kept))
    enter(kit, spec)
    linux.prctl(linux.PR_SET_DUMPABLE, 1)
    os.close(STATUS)
    if spec.layers:
        os.umask(kit.umask)
    scratch = root.SHARED if root.SCRATCH in spec.read_paths else root.SCRATCH
    # Since Linux 5.14 processes are counted per user namespace, so a cell has a count of its own.
    _work(spec, request, scratch, 2 if kit.kernel >= (5, 14) else limits.tasks_of_machine(), run, door=DOOR)


def _make_ready(kit: Kit) -> dict[int, int]:
    """Do what needs nothing of the call and takes nothing that showing its files needs; return what a call keeps."""
    namespaces.shut_capabilities()
    namespaces.forbid_new_privileges()
    seccomp.install(kit.filters.standing)
    kept = {number: number for number in (2, RESULT, STATUS, DOOR)}
    if landlock.abi():
        ruleset = landlock.begin()
        landlock.allow(ruleset, [*rules.of_own_places(), *rules.of_all(kit.base, kit.level)])
        kept[RULES] = ruleset
    _move_in(kept, [])
    return {number: number for number in kept}


def _rehearse(kit: Kit) -> None:
    """Do once, with nothing, what a call will be waited for: the first writes to memory shared with the zygote."""
    spec = CellSpec(read_paths=("/nothing",), layers=(Layer("/nothing", "/nothing", below=("/nothing",)),))
    known, _ = wire.unpack_call(wire.pack_call(spec, b"{}"))
    rules.of_call(kit.base, known)
    wire.frame(wire.REPLY, b"")


def live(kit: Kit, spec: CellSpec, ends: Ends, status: int, entries: list[int], scratch: str, run: Run) -> NoReturn:
    """Be the first process of a cell below L3 until its call has ended; in the child of ``fork``, never returns.

    ``entries`` lead into the control group, ``scratch`` is the private folder of the call.
    """
    with _edge():
        _move_in(ends.places() | {STATUS: status}, entries)
        _die_with_the_zygote()
        request = wire.unpack_call(wire.read_all(REQUEST))[1]
        os.close(REQUEST)
        _supervise(kit, spec, request, scratch, run)


@contextmanager
def _edge(status: int = STATUS) -> Iterator[None]:
    """The edge of a cell's processes: what went wrong before the call began is told; no code of it will run."""
    try:
        yield
    except PermissionsError as problem:
        _report({"error": [type(problem).__name__, problem.code, str(problem), problem.subject, problem.hint]}, status)
    except Exception as problem:
        where = traceback.extract_tb(problem.__traceback__)[-2:]
        _report({"failed": f"{problem} (in {' > '.join(frame.name for frame in where)})"}, status)
    finally:
        os._exit(1)


def _move_in(places: dict[int, int], entries: list[int]) -> None:
    """Put descriptors where the rest expects them, enter the control group, and close every other one."""
    doors = [fcntl.fcntl(entry, fcntl.F_DUPFD_CLOEXEC, 16) for entry in entries]
    high = {target: fcntl.fcntl(source, fcntl.F_DUPFD_CLOEXEC, 16) for target, source in places.items()}
    for target, source in high.items():
        os.dup2(source, target, inheritable=target == 2)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    os.dup2(nothing, 0)
    for door in doors:
        os.write(door, b"0")
    for other in set(range(3, max(places))) - set(places):
        with suppress(OSError):
            os.close(other)
    linux.close_from(max(places) + 1)


def _wait_for_call(kept: dict[int, int]) -> bytes:
    """Say at the door that this cell stands by, and wait there for its call; put its lines where they belong.

    Whoever holds the other end of the door closes it when no more calls are wanted, or has died. What is said names
    this process as it is seen from outside (its folder in the old ``/proc``), for who looks whether it is over.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, os.dup(DOOR)) as door:
        _say_ready(door)
        data, files = b"", list[int]()
        with suppress(ConnectionResetError):
            data, files, _, _ = socket.recv_fds(door, wire.INLINE_BYTES, MOST_ENDS, socket.MSG_CMSG_CLOEXEC)
    if not data:
        os._exit(0)
    if data == wire.IN_A_FILE:
        file, *files = files
        data = wire.read_all(file)
        os.close(file)
    if files:
        _move_in(kept | dict(enumerate(files, LINES)), [])
    return data


def _say_ready(door: socket.socket) -> None:
    with ExitStack() as opened:
        own = []
        with suppress(OSError):  # without an old /proc nobody can look, and its init says when it is over
            own.append(os.open(f"{OLD}/proc/self", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC))
            opened.callback(os.close, own[0])
        with suppress(BrokenPipeError, ConnectionResetError):
            socket.send_fds(door, [b"r"], own)


def _die_with_the_zygote() -> None:
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    watch = select.poll()
    watch.register(STATUS, 0)
    if watch.poll(0):  # it had died before; nobody reads what the launcher says
        os._exit(1)


def _report(message: dict[str, Any], status: int = STATUS) -> None:
    os.write(status, wire.pack(message) + b"\n")


def prepare(kit: Kit) -> None:
    """Do all that needs nothing of the call: identity and the new root with the system and the interpreter in it."""
    namespaces.keep_identity(kit.uid, kit.gid)
    root.build(kit.base)
    linux.syscall("sethostname", b"cell", 4)


def enter(kit: Kit, spec: CellSpec) -> None:
    """Show the call's paths, then take away everything else, for ever."""
    root.grant(spec, kit.base)
    root.seal()
    if spec.relays:
        namespaces.raise_loopback()
    namespaces.clear_capabilities()
    if landlock.abi():
        landlock.allow(RULES, rules.of_call(kit.base, spec))
        if spec.relays:
            landlock.allow_port(RULES, RELAY_PORT)
        landlock.enforce(RULES)
    seccomp.install(kit.filters.last_relaying if spec.relays else kit.filters.last)


def _be_init(kit: Kit, call: int, status: int) -> NoReturn:
    """Reap whatever is orphaned; when the call ends, end all that is left of it, and then say how it ended.

    Nothing of the call runs any more when that is said, so what it wrote is what it wrote. It signals, so it is in no
    Landlock domain (which would forbid that); it holds nothing, and opens nothing (its root is being exchanged).
    """
    if status != STATUS:
        os.dup2(status, STATUS, inheritable=False)
    os.closerange(3, STATUS)
    linux.close_from(STATUS + 1)
    _die_with_the_zygote()
    namespaces.drop_capabilities()
    namespaces.forbid_new_privileges()
    seccomp.install(kit.filters.init)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)  # the call may not touch its init
    ended = _wait_for(call)
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            os.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    _report({**_ending(ended), "cpu_s": used.ru_utime + used.ru_stime, "peak_bytes": used.ru_maxrss * 1024})
    os._exit(0)


def _wait_for(call: int) -> int:
    """Reap every child that ends until ``call`` does; return its wait status."""
    while True:
        pid, status = os.wait()
        if pid == call:
            return status


def _close_for_waiting(spec: CellSpec) -> None:
    for descriptor in (RESULT, 1, 2, *chain(*lines_of(spec).values())):
        os.close(descriptor)


def _ending(status: int) -> dict[str, Any]:
    return {"signal": os.WTERMSIG(status)} if os.WIFSIGNALED(status) else {"exit": os.WEXITSTATUS(status)}


def _supervise(kit: Kit, spec: CellSpec, request: bytes, scratch: str, run: Run) -> NoReturn:
    """Without namespaces: fork the call, adopt what it orphans, and kill all of it when the call has ended."""
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    tasks = limits.tasks_of_machine()
    call = os.fork()
    if call == 0:
        _confine_without_namespaces(kit, spec, scratch)
        os.close(STATUS)
        _clean_surroundings()
        _work(spec, request, scratch, tasks, run)
    _close_for_waiting(spec)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    status = _wait_for(call)
    kill_children(keep=frozenset())
    _report(_ending(status))
    os._exit(0)


def kill_children(*, keep: frozenset[int]) -> None:
    """Kill and reap every child of this process but ``keep``; orphans of a subreaper become its children in turn."""
    while True:
        with open("/proc/thread-self/children") as text:
            children = {int(word) for word in text.read().split()} - keep
        if not children:
            return
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def _confine_without_namespaces(kit: Kit, spec: CellSpec, scratch: str) -> None:
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    namespaces.drop_capabilities()
    namespaces.forbid_new_privileges()
    version = landlock.abi()
    granted = rules.of_granted(spec)
    if version:
        system = rules.system(kit.base, Access.RUN) if spec.runs_programs else []
        everybody = rules.of_all(kit.base, kit.level)
        landlock.restrict(chain([Rule(scratch, Access.WRITE)], everybody, system, granted))
    else:
        deque(granted, maxlen=0)  # what is gone, or a link by now, is refused at every level
    if linux.AUDIT_ARCH:
        setting = seccomp.Setting(new_root=False, landlock_abi=version, pid=os.getpid())
        seccomp.install(seccomp.build(setting))


def _work(spec: CellSpec, request: bytes, scratch: str, others: int, run: Run, door: int = -1) -> NoReturn:
    """The call itself: clean surroundings, limits, then ``run``; nothing after this line is trusted.

    ``others`` is how many processes that are not the call's own the kernel may count with it. At the end ``door`` is
    told, if it is still there, so that the zygote may look (``leaving``).
    """
    code = 1
    try:
        os.chdir(scratch)
        os.environ.update(HOME=scratch, TMPDIR=scratch)
        os.environ.update({name: ",".join(map(str, numbers)) for name, numbers in lines_of(spec).items()})
        limits.apply(spec.limits, others=others)
        if spec.in_background:
            limits.give_way()
        code = _run_to_the_end(run, request)
    except BaseException:  # the edge of a task
        traceback.print_exc()
    finally:
        if door >= 0:
            with suppress(OSError):  # a call may have closed it, and put something else in its place
                socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, door).send(bytes([code]))
        os._exit(code)


def _clean_surroundings() -> None:
    with suppress(PermissionError):  # already the leader of a session at L2
        os.setsid()
    os.umask(0o077)
    os.environ.update(USER="user", LOGNAME="user")
    tempfile.tempdir = None
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:  # the interpreter reseeds ``random`` itself after a fork
        numpy_random.seed()


def _run_to_the_end(run: Run, request: bytes) -> int:
    lock = threading.Lock()

    def emit(data: bytes) -> None:
        with lock:
            wire.write_all(RESULT, wire.frame(wire.PROGRESS, data))

    try:
        reply = run(request, emit)
        with lock:
            wire.write_all(RESULT, wire.frame(wire.REPLY, reply))
        code = 0
    except MemoryError:
        return OUT_OF_MEMORY_EXIT
    except SystemExit as wish:
        code = wish.code if isinstance(wish.code, int) else 1
    except BaseException:  # the edge of a task: whatever the call raised is its own ending
        traceback.print_exc()
        code = 1
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    return code & 0xFF
