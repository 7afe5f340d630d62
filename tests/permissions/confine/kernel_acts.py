"""Acts of the escape list on the Linux kernel itself: namespaces, mounts, keys, code. See ``attacks.py``."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import signal
import struct

from attacks import LIBC, call, last_error  # it lies beside this file

_NEW_NS, _NEW_UTS, _NEW_USER = 0x00020000, 0x04000000, 0x10000000


def apart() -> None:
    """For the control: mounts and names of its own, so that nothing of the machine is changed."""
    call((272, 97), _NEW_NS | _NEW_UTS)
    if LIBC.mount(b"", b"/", None, 0x4000 | 0x40000, None):
        raise last_error()


def ring() -> int:
    return call((425, 425), 4, ctypes.create_string_buffer(120))


def user_space() -> int:
    return call((272, 97), _NEW_USER)


def mount_space() -> int:
    return call((272, 97), _NEW_NS)


def clone_by_pointer() -> str:
    """The flags lie in memory, where a filter does not look."""
    pid = call((435, 435), struct.pack("8Q", _NEW_USER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64)
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    return "born"


def keyring() -> int:
    return call((250, 219), 0, -3, 1)


def add_key() -> int:
    return call((248, 217), b"user", b"steward-probe", b"x", 1, -3)


def faults() -> int:
    return call((323, 282), 1)


def same_addresses() -> int:
    return call((135, 92), 0x0040000)


def type_for_others() -> str:
    """Push a character into the terminal of one's session."""
    _main, side = os.openpty()
    os.setsid()
    fcntl.ioctl(side, 0x540E, 0)  # TIOCSCTTY
    fcntl.ioctl(side, 0x5412, b"x")  # TIOCSTI
    return "pushed"


def bpf_map() -> int:
    return call((321, 280), 0, struct.pack("5I", 2, 4, 8, 1, 0) + bytes(52), 72)


def count_events() -> int:
    return call((298, 241), struct.pack("2IQ", 1, 112, 0) + bytes(96), 0, -1, -1, 0)


def mount_memory() -> str:
    if LIBC.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None):
        raise last_error()
    return "mounted"


def unmount(path: str) -> int:
    return call((166, 39), path.encode(), 2)


def new_mount() -> int:
    return call((430, 430), b"tmpfs", 0)


def copy_of_tree() -> int:
    return call((428, 428), -100, b"/usr", 1)


def attributes() -> int:
    return call((442, 442), -100, b"/", 0, struct.pack("4Q", 0, 1, 0, 0), 32)


def other_root() -> int:
    return call((161, 51), b"/tmp")


def name_host() -> int:
    return call((170, 161), b"x", 1)


def kernel_log() -> int:
    return call((103, 116), 10, 0, 0)


def secret_memory() -> int:
    return call((447, 447), 0)


def quota() -> int:
    return call((443, 443), os.open("/", os.O_RDONLY), 0, 0, 0)


def watch_all() -> int:
    return call((300, 262), 0, 0)


def map_code(code: bytes) -> int:
    """Run machine code of one's own: returns what it leaves in the accumulator."""
    room = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    room.write(code)
    got = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(room)))()
    if got < 0:
        raise OSError(-got, "refused")
    return int(got)


def old_table() -> int:
    """getpid by the door of 32-bit programs (int 0x80), whose calls have other numbers."""
    return map_code(bytes.fromhex("b814000000cd80c3"))


def run_from_memory() -> str:
    """Run a program that lies in no file."""
    held = os.memfd_create("own")
    with open(os.path.realpath("/bin/true"), "rb") as source:
        os.write(held, source.read())
    pid = os.fork()
    if not pid:
        try:
            os.execve(held, ["own"], {})
        finally:
            os._exit(126)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status:
        raise OSError(errno.EACCES, "it does not run")
    return "ran"
