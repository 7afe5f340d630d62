"""Landlock: which files, TCP ports, abstract sockets and processes a cell may reach.

What this stops: opening, creating, removing, renaming or executing anything outside the listed trees, also through a
descriptor or mount that was left by mistake; TCP from ABI 4 on; abstract sockets and signals outwards from ABI 6 on.
What it does not: changes of metadata (chmod, utime, extended attributes), stat, and locks. At L3 the new root hides the
paths themselves; at L2 the seccomp filter refuses those calls.

Source: ``Documentation/userspace-api/landlock.rst`` of the kernel, ``linux/landlock.h``.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache

from permissions.confine import linux

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_FS_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_FS_RIGHTS_NEWEST = (1 << 16) - 1
_NET_TCP, _SCOPE_ALL = 0b11, 0b11
_RULE_PATH_BENEATH, _RULE_NET_PORT, _ASK_VERSION = 1, 2, 1


class Access(Enum):
    """What a rule allows below its path."""

    LIST = _READ_DIR
    READ = _READ_FILE | _READ_DIR
    RUN = _READ_FILE | _READ_DIR | _EXECUTE
    DEVICE = _READ_FILE | _WRITE_FILE | _TRUNCATE
    WRITE = _FS_RIGHTS_NEWEST & ~(_EXECUTE | _MAKE_CHAR | _MAKE_BLOCK | _IOCTL_DEV)


@dataclass(frozen=True, slots=True)
class Rule:
    """``access`` to the file or tree at ``path``, opened here unless ``place`` is a descriptor of it."""

    path: str
    access: Access
    place: int = -1


@cache
def abi() -> int:
    """Return the kernel's Landlock ABI version, 0 where there is none."""
    try:
        return linux.syscall("landlock_create_ruleset", None, 0, _ASK_VERSION)
    except OSError:
        return 0


def restrict(rules: Iterable[Rule]) -> None:
    """Confine this thread, for ever, to ``rules``. Needs ``no_new_privs``. A path that is absent is left out.

    Raises:
        OSError: where the kernel has no Landlock.
    """
    ruleset = begin()
    allow(ruleset, rules)
    enforce(ruleset)


def begin() -> int:
    """Return a descriptor of rules to come; until something is allowed they forbid everything. Raises OSError."""
    version, handled = abi(), _handled()
    words = [handled, *([_NET_TCP] if version >= 4 else []), *([_SCOPE_ALL] if version >= 6 else [])]
    attributes = struct.pack(f"{len(words)}Q", *words)
    return linux.syscall(
        "landlock_create_ruleset", ctypes.create_string_buffer(attributes, len(attributes)), len(attributes), 0
    )


def allow(ruleset: int, rules: Iterable[Rule]) -> None:
    """Add ``rules``. Two for one place allow what either does. A path that is absent is left out."""
    handled = _handled()
    for rule in rules:
        _add(ruleset, rule, handled)


def allow_port(ruleset: int, port: int) -> None:
    """Let one TCP port be bound and connected to; without it none can be, where the kernel tells them apart."""
    if abi() >= 4:
        attributes = struct.pack("=QQ", _NET_TCP, port)
        buffer = ctypes.create_string_buffer(attributes, len(attributes))
        linux.syscall("landlock_add_rule", ruleset, _RULE_NET_PORT, buffer, 0)


def enforce(ruleset: int) -> None:
    """Confine this thread, for ever, to what ``ruleset`` allows, and close it. Needs ``no_new_privs``."""
    linux.syscall("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)


def _handled() -> int:
    return _FS_RIGHTS_BY_ABI.get(abi(), _FS_RIGHTS_NEWEST)


def _add(ruleset: int, rule: Rule, handled: int) -> None:
    place = rule.place
    try:
        if place < 0:
            place = os.open(rule.path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        allowed = rule.access.value & handled
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            allowed &= _FILE_RIGHTS
        attributes = struct.pack("=Qi", allowed, place)
        buffer = ctypes.create_string_buffer(attributes, len(attributes))
        linux.syscall("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, buffer, 0)
    finally:
        if rule.place < 0:
            os.close(place)
