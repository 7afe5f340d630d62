"""Namespaces, identity and capabilities of a cell.

What this stops: seeing or signalling other processes, the network, other programs' shared memory and message queues,
host names; any use of root's powers, also by a setuid program or by being root.
What it does not: files (see ``root``), and kernel bugs that an ordinary user can reach (see ``seccomp``).

Sources: ``user_namespaces(7)``, ``pid_namespaces(7)``, ``capabilities(7)``.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import socket
import struct

from permissions.confine import linux

_SIOCSIFFLAGS, _IFF_UP = 0x8914, 0x1


def fork_into_namespaces(group_fd: int = -1) -> int:
    """Fork a child that is process 1 of its own user, pid, mount, net, ipc, uts and cgroup namespaces; 0 in it."""
    return linux.fork_with_namespaces(linux.CLONE_NAMESPACES, group_fd)


def keep_identity(uid: int, gid: int) -> None:
    """Map the caller's own user and group to themselves, and nobody else; must run inside the new user namespace."""
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def raise_loopback() -> None:
    """Bring up the loopback of this network namespace, the only interface in it; needs its CAP_NET_ADMIN.

    Source: ``netdevice(7)``.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as any_socket:
        asked = struct.pack("16sH22x", b"lo", _IFF_UP)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, asked)


def drop_capabilities() -> None:
    """Give up every capability for good: bounding, ambient, inheritable, permitted and effective sets."""
    shut_capabilities()
    clear_capabilities()


def shut_capabilities() -> None:
    """See to it that no capability that is given up ever comes back; what is held now is still held."""
    for number in range(64):
        try:
            linux.prctl(linux.PR_CAPBSET_DROP, number)
        except OSError:  # past the last capability (EINVAL), or we hold none that could drop it (EPERM)
            break
    with contextlib.suppress(OSError):  # needs CAP_SETPCAP, which an ordinary user without namespaces has not
        linux.prctl(linux.PR_SET_SECUREBITS, linux.SECUREBITS_ALL_LOCKED)
    linux.prctl(linux.PR_CAP_AMBIENT, linux.PR_CAP_AMBIENT_CLEAR_ALL)


def clear_capabilities() -> None:
    """Give up every capability that is held, and every one that could be taken or inherited."""
    header = struct.pack("Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this thread
    nothing = bytes(24)
    linux.syscall("capset", ctypes.create_string_buffer(header, 8), ctypes.create_string_buffer(nothing, 24))


def forbid_new_privileges() -> None:
    """Set ``no_new_privs``: no program that is started from here on gains anything by its set-id bits."""
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
