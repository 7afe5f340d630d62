"""Public addresses that are nevertheless here: this machine's own, and its neighbours' in the same IPv6 network.

What this stops: a name that leads to a service of this machine by the machine's public address, where no firewall looks
at what comes from inside; the same for a printer or a store at home, which have public IPv6 addresses and trust whoever
is near.
What it does not: IPv4 neighbours (at a hosting company they are strangers like any), and networks behind a router.

Sources: ``rtnetlink(7)`` (``linux/rtnetlink.h``), ``proc_net(5)`` on ``if_inet6``.
"""

from __future__ import annotations

import socket
import struct
from contextlib import suppress
from ipaddress import IPv6Address, IPv6Network, ip_address

from permissions.egress import addresses

_INTERFACES = "/proc/net/if_inet6"
_HEADER, _ROUTE, _ATTRIBUTE = struct.Struct("=IHHII"), struct.Struct("=8BI"), struct.Struct("=HH")
_RTM_NEWROUTE, _RTM_GETROUTE, _NLM_F_REQUEST, _RTA_DST, _RTN_UNICAST = 24, 26, 1, 1, 1


def refusal(address: str) -> str:
    """Return why ``address`` may not be connected to: its kind, ``own``, ``neighbour``, or nothing."""
    kind = addresses.refusal(address)
    if kind:
        return kind
    if _is_ours(address):
        return "own"
    return "neighbour" if ":" in address and _is_near(address) else ""


def _is_ours(address: str) -> bool:
    """Ask the kernel where a packet to ``address`` would go; only one that would leave is somebody else's."""
    place = ip_address(address)
    family = socket.AF_INET if place.version == 4 else socket.AF_INET6
    attribute = _ATTRIBUTE.pack(_ATTRIBUTE.size + len(place.packed), _RTA_DST) + place.packed
    body = _ROUTE.pack(family, place.max_prefixlen, 0, 0, 0, 0, 0, 0, 0) + attribute
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC) as kernel:
        kernel.send(_HEADER.pack(_HEADER.size + len(body), _RTM_GETROUTE, _NLM_F_REQUEST, 1, 0) + body)
        answer = kernel.recv(8192)
    _, kind, *_ = _HEADER.unpack_from(answer)
    if kind != _RTM_NEWROUTE:  # there is no way to it; to connect will fail
        return False
    return bool(_ROUTE.unpack_from(answer, _HEADER.size)[7] != _RTN_UNICAST)


def _is_near(address: str) -> bool:
    found = IPv6Address(address)
    with suppress(OSError, ValueError), open(_INTERFACES) as text:
        return any(found in network for network in map(_network, text))
    return False


def _network(line: str) -> IPv6Network:
    number, _, length, *_ = line.split()
    return IPv6Network((int(number, 16), int(length, 16)), strict=False)
