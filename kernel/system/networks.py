"""The networks of this machine as it sees them itself: nobody is contacted to find out.

Whether the internet answers is not known from that: what is known is whether there is a way to it (a default route over
a line that is up).

Source: proc_net(5), netdevice(7), the kernel's ``linux/wireless.h``.
"""

from __future__ import annotations

import array
import fcntl
import ipaddress
import socket
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kernel.system.reading import PROC, SYS, below, text_of

_ADDRESS, _WIFI_NAME = 0x8915, 0x8B1B  # SIOCGIFADDR, SIOCGIWESSID
_LONGEST_NAME = 32
_UP = 0x1


def networks(proc: Path = PROC, sys: Path = SYS) -> Mapping[str, Any]:
    """The lines to a network, whether each is up, its addresses and the name of its wifi; and whether one leads out."""
    ways = set(_ways_out(proc))
    found = [_line(folder, proc, folder.name in ways) for folder in below(sys / "class" / "net") if folder.name != "lo"]
    return {"lines": found, "way_out": any(one["up"] and one["way_out"] for one in found)}


def _line(folder: Path, proc: Path, way_out: bool) -> Mapping[str, Any]:
    name = folder.name
    flags = int(text_of(folder / "flags") or "0", 16)
    state = text_of(folder / "operstate")
    wifi = (folder / "wireless").is_dir() or (folder / "phy80211").exists()
    return {
        "name": name, "kind": "wifi" if wifi else "cable" if (folder / "device").exists() else "virtual",
        "up": state == "up" or (state == "unknown" and bool(flags & _UP)), "way_out": way_out,
        "addresses": [*_address(name), *_long_addresses(name, proc)], "wifi": _wifi_name(name) if wifi else "",
    }  # fmt: skip


def _ways_out(proc: Path) -> Iterator[str]:
    """The lines over which a default route leads."""
    for line in text_of(proc / "net" / "route").splitlines()[1:]:
        fields = line.split()
        if len(fields) > 7 and fields[1] == "00000000" and fields[7] == "00000000":
            yield fields[0]
    for line in text_of(proc / "net" / "ipv6_route").splitlines():
        fields = line.split()
        if len(fields) > 9 and fields[0] == "0" * 32 and fields[1] == "00" and fields[9] != "lo":
            yield fields[9]


def _address(name: str) -> list[str]:
    """The IPv4 address of a line."""
    request = struct.pack("256s", name.encode()[:15])
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            return [socket.inet_ntoa(fcntl.ioctl(asked.fileno(), _ADDRESS, request)[20:24])]
    except OSError:
        return []


def _long_addresses(name: str, proc: Path) -> list[str]:
    """The IPv6 addresses of a line, without those that mean nothing beyond it."""
    lines = (line.split() for line in text_of(proc / "net" / "if_inet6").splitlines())
    found = (ipaddress.IPv6Address(int(fields[0], 16)) for fields in lines if len(fields) == 6 and fields[5] == name)
    return [str(address) for address in found if not address.is_link_local]


def _wifi_name(name: str) -> str:
    """The name of the wifi that a line is in; nothing where it is in none, or its driver does not say."""
    room = array.array("B", bytes(_LONGEST_NAME))
    where, _ = room.buffer_info()
    request = bytearray(struct.pack("16sPHH", name.encode()[:15], where, _LONGEST_NAME, 0).ljust(40, b"\0"))
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            fcntl.ioctl(asked.fileno(), _WIFI_NAME, request)
    except OSError:
        return ""
    return room.tobytes().rstrip(b"\0").decode("utf-8", "replace")
