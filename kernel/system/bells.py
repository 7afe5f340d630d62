"""What the operating system's kernel tells by itself, over netlink(7): power supplies and heat (uevents), the network.

A message is a bell and no more: whoever hears it reads ``/sys`` or ``/proc`` anew. What this stops: a program that
sends such a message itself, and says what is not so. What it does not: tell of a battery whose driver says nothing.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable

_UEVENTS, _ROUTES = 15, 0  # NETLINK_KOBJECT_UEVENT, NETLINK_ROUTE
_FROM_LINUX = 1  # the group of the kernel's own uevents
_LINK, _ADDRESS4, _ROUTE4, _ADDRESS6, _ROUTE6 = 0x1, 0x10, 0x40, 0x100, 0x400  # RTMGRP_*
_LONGEST = 1 << 16


def uevents() -> socket.socket:
    """Return a socket on which changes of devices are told. Raises OSError."""
    return _opened(_UEVENTS, _FROM_LINUX)


def routes() -> socket.socket:
    """Return a socket on which changes of lines, addresses and routes are told (rtnetlink(7)). Raises OSError."""
    return _opened(_ROUTES, _LINK | _ADDRESS4 | _ROUTE4 | _ADDRESS6 | _ROUTE6)


def is_of_power(message: bytes) -> bool:
    """Tell whether a uevent is about a battery or a charger."""
    return b"SUBSYSTEM=power_supply" in message.split(b"\0")


def is_of_heat(message: bytes) -> bool:
    """Tell whether a uevent is about a sensor that has passed one of its driver's bounds."""
    return b"SUBSYSTEM=thermal" in message.split(b"\0")


async def hear(opened: Callable[[], socket.socket], means: Callable[[bytes], bool], ring: Callable[[], None]) -> None:
    """Ring once the socket is open, and at each message that ``means`` something, until cancelled. Raises OSError."""
    loop = asyncio.get_running_loop()
    with opened() as told:
        told.setblocking(False)
        ring()
        while True:
            try:
                message = await loop.sock_recv(told, _LONGEST)
            except OSError as error:
                if error.errno != errno.ENOBUFS:  # that one says that messages were lost
                    raise
                ring()
                continue
            if means(message):
                ring()


def _opened(protocol: int, groups: int) -> socket.socket:
    opened = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, protocol)
    try:
        opened.bind((0, groups))
    except OSError:
        opened.close()
        raise
    return opened
