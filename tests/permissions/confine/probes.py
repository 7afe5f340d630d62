"""Acts that a cell must refuse, or allow, and the worker that tries them.

With a socket as standard input this file is a worker. ``probes.py be_open`` is the positive control: it does the same
acts in the open, as the same user, and prints what came of them.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import random
import resource
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import attacks  # these lie beside this file, which is run as a program
import computing_acts
import door_acts
import kernel_acts
import target

LEAK, LEAKED_FOLDER = 50, 51
Emit = Callable[[bytes], None]
_ROOMS = (attacks, kernel_acts, door_acts, computing_acts)
_LIBC = ctypes.CDLL(None, use_errno=True)


def syscall(number: int, *words: Any) -> int:
    result = _LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(w) if isinstance(w, int) else w for w in words])
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return int(result)


# -- files ------------------------------------------------------------------------------------------------------------
def read(path: str) -> str:
    with open(path) as file:
        return file.read(100)


def write(path: str) -> str:
    with open(path, "w") as file:
        file.write("written")
    return "written"


def listing(path: str) -> list[str]:
    return sorted(os.listdir(path))


def stat_of(path: str) -> int:
    return os.stat(path).st_size


def change_mode(path: str) -> str:
    os.chmod(path, 0o640)
    return "changed"


def touch(path: str) -> str:
    os.utime(path, (1, 1))
    return "changed"


def mark(path: str) -> str:
    os.setxattr(path, "user.mark", b"1")
    return "changed"


def truncate(path: str) -> str:
    os.truncate(path, 0)
    return "cut"


def unlink(path: str) -> str:
    os.unlink(path)
    return "gone"


def rename_away(path: str) -> str:
    os.rename(path, path + ".moved")
    return "gone"


def link_in(path: str) -> str:
    os.link(path, "linked")
    return read("linked")


def watch(path: str) -> str:
    descriptor = _LIBC.inotify_init()
    if _LIBC.inotify_add_watch(descriptor, path.encode(), 0xFFF) < 0:
        raise OSError(ctypes.get_errno(), "watch")
    return "watching"


def execute(path: str) -> str:
    return subprocess.run([path, "-u"], capture_output=True, text=True, check=True).stdout.strip()


def write_much(path: str, size: int) -> str:
    with open(path, "wb", buffering=0) as file:
        while size > 0:
            size -= file.write(bytes(1 << 20))
    return "full"


def make_device(path: str) -> str:
    os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    return "made"


# -- network ----------------------------------------------------------------------------------------------------------
def make_socket(family: int, kind: int) -> str:
    socket.socket(family, kind).close()
    return "made"


def connect(family: int, address: Any) -> str:
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(5)
        one.connect(tuple(address) if isinstance(address, list) else address.replace("@", "\0"))
    return "connected"


def pair() -> str:
    left, right = socket.socketpair()
    with left, right:
        left.send(b"ok")
        return right.recv(2).decode()


# -- other processes --------------------------------------------------------------------------------------------------
def send_signal(pid: int) -> str:
    os.kill(pid, 0)
    return "sent"


def signal_all() -> str:
    os.kill(-1, 0)
    return "sent"


def trace(pid: int) -> str:
    ptrace = {"x86_64": 101, "aarch64": 117}[os.uname().machine]
    syscall(ptrace, 0x4206, pid, 0, 0)  # PTRACE_SEIZE
    return "traced"


def read_memory(pid: int) -> str:
    with open(f"/proc/{pid}/environ", "rb") as file:
        return file.read(10000).decode()


def limit_of(pid: int) -> list[int]:
    return list(resource.prlimit(pid, resource.RLIMIT_NOFILE))


def renice(pid: int) -> str:
    os.setpriority(os.PRIO_PROCESS, pid, 5)
    return "done"


def see_processes() -> int:
    return sum(name.isdigit() for name in os.listdir("/proc"))


def write_init() -> str:
    descriptor = os.open("/proc/1/mem", os.O_RDWR)
    os.close(descriptor)
    return "open"


# -- system calls -----------------------------------------------------------------------------------------------------
def raw(numbers: dict[str, int], words: list[Any]) -> int:
    return syscall(numbers[os.uname().machine], *[w.encode() if isinstance(w, str) else w for w in words])


def terminal_input() -> str:
    _main, side = os.openpty()
    fcntl.ioctl(side, 0x5412, b"x")  # TIOCSTI
    return "pushed"


def fork_with(flags: int) -> str:
    number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    pid = syscall(number, flags | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "forked"


# -- surroundings -----------------------------------------------------------------------------------------------------
def environment() -> dict[str, str]:
    with open("/proc/self/environ") as file:
        return {**dict(os.environ), "start": file.read()}


def descriptors() -> dict[str, int]:
    found = {}
    for number in range(256):
        try:
            found[str(number)] = os.fstat(number).st_mode
        except OSError:
            continue
    return found


def privileges() -> dict[str, str]:
    with open("/proc/self/status") as file:
        return dict(line.strip().split(":\t", 1) for line in file if line.startswith(("Cap", "NoNew", "Seccomp:")))


def identity() -> dict[str, Any]:
    return {
        "uid": os.getuid(),
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "cwd": os.getcwd(),
        "mask": os.umask(0),
    }


def dice() -> float:
    return random.random()


def stdin() -> str:
    return sys.stdin.read()


# -- endings ----------------------------------------------------------------------------------------------------------
def fork_many(most: int) -> int:
    children = []
    try:
        while len(children) < most:
            pid = os.fork()
            if pid == 0:
                time.sleep(600)
                os._exit(0)
            children.append(pid)
    except OSError:
        pass
    for pid in children:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return len(children)


def hog(size: int) -> int:
    parts = []
    while size > 0:
        parts.append(b"x" * (16 << 20))
        size -= 16 << 20
    return len(parts)


def hog_shared(size: int) -> int:
    area = mmap.mmap(-1, size)
    for place in range(0, size, mmap.PAGESIZE):
        area[place] = 1
    return size


def spin() -> None:
    while True:
        pass


def ignore_cpu_limit() -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    spin()


def sleep(seconds: float) -> str:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(seconds)
    return "woke"


def stop_itself() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def leave_survivor(lock: str, seconds: float = 600.0) -> str:
    """Leave a process of another session behind that holds ``lock`` and every pipe for so long."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(held, fcntl.LOCK_EX)
            os.write(writer, b"!")
            time.sleep(seconds)
        os._exit(0)
    os.wait()
    return os.read(reader, 1).decode()


def hold_lock(lock: str, emit: Emit) -> str:
    held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(held, fcntl.LOCK_EX)
    emit(b"holding")
    time.sleep(600)
    return "woke"


def flood(size: int) -> str:
    while size > 0:
        size -= os.write(2, b"flood " * 10000)
    return "done"


def flood_progress(emit: Emit) -> str:
    while True:
        emit(bytes(1 << 20))


def forge() -> str:
    os.write(3, b"this is no frame at all")
    time.sleep(600)
    return "done"


def say_leaving_and_stay(file: str, late_s: float) -> str:
    """Answer, say at every door that the call leaves, and write ``file`` afterwards."""
    os.write(3, b"r\x05\0\0\0false")
    for number in range(4, 20):
        with contextlib.suppress(OSError):
            os.write(number, b"\0")
    time.sleep(late_s)
    with open(file, "w") as late:
        late.write("late")
    return "stayed"


def die_by(number: int) -> None:
    os.kill(os.getpid(), number)


def leave(code: int) -> None:
    os._exit(code)


def leave_politely(code: int) -> None:
    sys.exit(code)


def fail() -> None:
    print("on its way")
    raise ValueError("as it was told")


def steps(count: int, emit: Emit) -> str:
    for number in range(count):
        emit(str(number).encode())
    return "done"


def echo(text: str) -> str:
    return text


def place_in_line() -> list[int]:
    """How nice this process is, and how it is scheduled (sched(7))."""
    return [os.nice(0), os.sched_getscheduler(0)]


def threads(count: int) -> int:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(count) as pool:
        return sum(pool.map(abs, range(count)))


def child_program() -> str:
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", "print(6*7)"], capture_output=True, text=True, check=True
    ).stdout.strip()


# -- the worker, and the control --------------------------------------------------------------------------------------
def attempt(name: str, arguments: dict[str, Any], emit: Emit) -> dict[str, Any]:
    act = globals().get(name) or next(found for room in _ROOMS if (found := getattr(room, name, None)))
    if "emit" in act.__code__.co_varnames[: act.__code__.co_argcount]:
        arguments = {**arguments, "emit": emit}
    try:
        return {"value": act(**arguments)}
    except OSError as problem:
        return {"errno": errno.errorcode.get(problem.errno or 0, "?")}


def run(request: bytes, emit: Emit) -> bytes:
    wish = json.loads(request)
    return json.dumps(attempt(wish["act"], wish["arguments"], emit)).encode()


def be_victim() -> None:
    """Be another program of the same user, with all that one could attack, until standard input ends."""
    tcp, abstract = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)
    abstract.bind(f"\0steward-victim-{os.getpid()}")
    abstract.listen()
    named = socket.socket(socket.AF_UNIX)
    named.bind(os.path.join(os.getcwd(), "named.socket"))
    named.listen()
    about = {"pid": os.getpid(), "port": tcp.getsockname()[1], "abstract": f"@steward-victim-{os.getpid()}"}
    print(json.dumps({**about, "named": named.getsockname()}), flush=True)
    sys.stdin.read()


def be_open() -> None:
    """Do acts in the open, one JSON line each, every one in a child of its own; one that dies is told as well."""
    leak()
    for line in iter(sys.stdin.readline, ""):
        wish = json.loads(line)
        child = os.fork()
        if child == 0 and wish[0] == "be_target":
            be_target(**wish[1])
        elif child == 0:
            be_child_in_the_open(*wish)
        if wish[0] != "be_target" and (status := os.waitpid(child, 0)[1]):
            print(json.dumps({"errno": f"died {os.waitstatus_to_exitcode(status)}"}), flush=True)


def be_child_in_the_open(name: str, words: dict[str, Any], apart: bool = False) -> None:
    try:
        if apart:
            kernel_acts.apart()
        found = attempt(name, words, lambda _: None)
    except Exception as problem:
        found = {"errno": repr(problem)}
    print(json.dumps(found), flush=True)
    os._exit(0)


def be_target(secret: str) -> None:
    """Be what the escape list attacks: another program of the same user."""
    os.chdir(os.path.dirname(os.path.dirname(os.path.dirname(secret))))
    about = target.be_target(secret)
    print(json.dumps(about), flush=True)
    target.serve_target(about)
    os._exit(0)


def leak() -> None:
    """Have descriptors open that nobody closed."""
    os.dup2(os.open("/etc/passwd", os.O_RDONLY), LEAK, inheritable=True)
    os.dup2(os.open("/etc", os.O_RDONLY | os.O_DIRECTORY), LEAKED_FOLDER, inheritable=True)


def main() -> None:
    if len(sys.argv) == 1:
        leak()
        from permissions.confine import serve

        serve(run)
    elif sys.argv[1] == "be_victim":
        be_victim()
    else:
        be_open()


if __name__ == "__main__":
    main()
