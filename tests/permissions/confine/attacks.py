"""Acts of the escape list: each returns something where it succeeds, and raises where it is refused.

``probes.py`` does them in a cell; its control does the same ones in the open, as the same user. Numbers of system calls
are those of x86-64 and of arm64.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import resource
import socket
import struct
import time
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
_ARM = os.uname().machine == "aarch64"


def call(numbers: tuple[int, int], *words: Any) -> int:
    """One system call by its numbers here and there. Raises OSError."""
    told = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    got = LIBC.syscall(ctypes.c_long(numbers[_ARM]), *told)
    if got < 0:
        raise last_error()
    return int(got)


def last_error() -> OSError:
    code = ctypes.get_errno()
    return OSError(code, os.strerror(code))


def _content(path: str) -> str:
    with open(path) as file:
        return file.read(100)


# -- files ------------------------------------------------------------------------------------------------------------
def read_by_link(stage: str, path: str) -> str:
    link = f"{stage}/planted"
    os.symlink(path, link)
    try:
        return _content(link)
    finally:
        os.unlink(link)


def read_by_name(stage: str, path: str) -> str:
    os.link(path, f"{stage}/second")
    return _content(f"{stage}/second")


def take(stage: str, path: str) -> str:
    os.rename(path, f"{stage}/taken")
    return _content(f"{stage}/taken")


def lock(path: str) -> str:
    held = os.open(path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return "locked"


def read_descriptor(number: int) -> str:
    return os.pread(number, 100, 0).decode()


def read_below_descriptor(number: int, name: str) -> str:
    return os.read(os.open(name, os.O_RDONLY, dir_fd=number), 100).decode()


def reopen(path: str) -> str:
    held = os.open(path, os.O_RDONLY)
    os.write(os.open(f"/proc/self/fd/{held}", os.O_WRONLY), b"changed")
    return "changed"


def read_again_and_again(path: str, secret: str, seconds: float) -> str:
    """Look through a name that somebody keeps exchanging, until it leads to the secret."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if _content(path) == secret:
                return secret
        except OSError:
            continue
    raise OSError(errno.ENOENT, "never seen")


def by_handle(path: str) -> str:
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    call((303, 264), -100, path.encode(), handle, ctypes.byref(mount), 0)
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    return os.read(call((304, 265), folder, handle, os.O_RDONLY), 100).decode()


def rewrite(path: str) -> str:
    """Write a setting of the machine with the value that it has."""
    value = _content(path)
    with open(path, "w") as file:
        file.write(value)
    return "written"


def fill_names(folder: str, count: int) -> int:
    os.makedirs(f"{folder}/many")
    for number in range(count):
        os.close(os.open(f"{folder}/many/{number}", os.O_CREAT | os.O_WRONLY))
    return count


# -- other processes --------------------------------------------------------------------------------------------------
def variable(name: str) -> str:
    if name not in os.environ:
        raise OSError(errno.ENOENT, name)
    return os.environ[name]


def processes(most: int) -> int:
    found = sum(name.isdigit() for name in os.listdir("/proc"))
    if found <= most:
        raise OSError(errno.ENOENT, "nobody else")
    return found


def memory_of(pid: int, address: int) -> str:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        file.seek(address)
        return file.read(10).decode()


def memory_by_call(pid: int, address: int) -> str:
    room = ctypes.create_string_buffer(10)
    here, there = struct.pack("PN", ctypes.addressof(room), 10), struct.pack("PN", address, 10)
    call((310, 270), pid, here, 1, there, 1, 0)
    return room.raw.decode()


def write_memory_by_call(pid: int, address: int) -> str:
    room = ctypes.create_string_buffer(b"its-memory")
    here, there = struct.pack("PN", ctypes.addressof(room), 10), struct.pack("PN", address, 10)
    call((311, 271), pid, here, 1, there, 1, 0)
    return "written"


def descriptor_of(pid: int, number: int) -> str:
    return os.pread(call((438, 438), os.pidfd_open(pid), number, 0), 100, 0).decode()


def limit_again(pid: int) -> str:
    resource.prlimit(pid, resource.RLIMIT_NOFILE, resource.prlimit(pid, resource.RLIMIT_NOFILE))
    return "set"


def pin(pid: int) -> str:
    os.sched_setaffinity(pid, os.sched_getaffinity(pid))
    return "set"


def compare(pid: int) -> int:
    return call((312, 272), os.getpid(), pid, 2, 0, 0)


def join(pid: int, kind: str) -> str:
    place = os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY)
    call((308, 268), place, 0)
    return "joined"


def own_memory() -> str:
    room = ctypes.create_string_buffer(b"mine")
    with open("/proc/self/mem", "r+b", buffering=0) as file:
        file.seek(ctypes.addressof(room))
        file.write(b"done")
    return room.value.decode()


def enter_group(path: str) -> str:
    with open(path, "w") as file:
        file.write("0")
    return "moved"


def limit_group(path: str) -> str:
    with open(path, "w") as file:
        file.write(str(64 << 20))
    return "limited"


# -- messages ---------------------------------------------------------------------------------------------------------
def shared_segment(number: int) -> str:
    LIBC.shmat.restype = ctypes.c_void_p
    place = LIBC.shmat(number, None, 0o10000)  # SHM_RDONLY
    if place in (None, ctypes.c_void_p(-1).value):
        raise last_error()
    return ctypes.string_at(place, 10).decode()


def queue(name: str) -> str:
    opened = call((240, 180), name.encode(), os.O_RDONLY, 0, 0)
    os.close(opened)
    return "open"


def ask_datagram(port: int) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.settimeout(3)
        one.sendto(b"secret", ("127.0.0.1", port))
        return one.recv(100).decode()


def interfaces() -> int:
    """Ask netlink for the interfaces of the network."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as one:
        one.settimeout(3)
        one.send(struct.pack("IHHII", 32, 18, 0x301, 1, 0) + bytes(16))
        return len(one.recv(65536))


def listen() -> str:
    with socket.create_server(("127.0.0.1", 0)):
        return "listening"


def smuggle(path: str) -> str:
    """Have a friend outside hand over a descriptor."""
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(3)
        one.connect(path)
        _, files, _, _ = socket.recv_fds(one, 1, 1)
    return os.pread(files[0], 100, 0).decode()


def raw_socket(family: int, kind: int, protocol: int = 0) -> str:
    socket.socket(family, kind, protocol).close()
    return "made"


def fetch(url: str) -> str:
    """Ask the daemon for a page, or where there is none, get it."""
    if "STEWARD_NETWORK" not in os.environ:
        from urllib.request import ProxyHandler, build_opener

        with build_opener(ProxyHandler({})).open(url, timeout=5) as page:
            return str(page.read().decode())
    from permissions.egress import Line
    from permissions.errors import PermissionsError

    line = Line.of_cell()
    assert line is not None
    try:
        return line.ask(url).body.decode()
    except PermissionsError as problem:
        raise OSError(errno.EACCES, problem.code) from problem


def relayed(url: str) -> str:
    """Get a page as a program does: through the relay of this cell."""
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, build_opener

    from permissions.egress import Relay

    relay = Relay.of_cell()
    assert relay is not None
    try:
        with build_opener(ProxyHandler({"http": relay.environment()["http_proxy"]})).open(url, timeout=5) as page:
            return str(page.read().decode())
    except HTTPError as refused:
        return str(refused.headers["x-steward"])


# -- limits -----------------------------------------------------------------------------------------------------------
def allow_core() -> str:
    resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))
    return "allowed"


def open_many(count: int) -> int:
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(count)]
    return len(held)


def hurry() -> str:
    os.setpriority(os.PRIO_PROCESS, 0, -5)
    return "first"


def fill_and_remove(path: str, size: int) -> int:
    try:
        with open(path, "wb", buffering=0) as file:
            for _ in range(size >> 20):
                file.write(bytes(1 << 20))
            return file.tell()
    finally:
        os.unlink(path)


def be_born_again(lock_path: str, lives: int, seconds: float) -> str:
    """Leave children behind that are born again when they are killed, and hold locks."""
    reader, writer = os.pipe()
    for number in range(4):
        if os.fork() == 0:
            os.setsid()
            for _ in range(lives):
                if os.fork() == 0:
                    held = os.open(f"{lock_path}{number}", os.O_RDWR | os.O_CREAT, 0o600)
                    fcntl.flock(held, fcntl.LOCK_EX)
                    os.write(writer, b"!")
                    time.sleep(seconds)
                    os._exit(0)
                os.wait()
            os._exit(0)
    return os.read(reader, 4).decode()


def plant(folder: str, marker: str) -> str:
    """Leave code that a careless interpreter picks up."""
    for name in ("sitecustomize.py", "usercustomize.py", "json.py"):
        with open(f"{folder}/{name}", "w") as file:
            file.write(f"open({marker!r}, 'w').close()\n")
    return "planted"


def leave_word(path: str) -> str:
    with open(path, "w") as file:
        file.write("word")
    return "left"
