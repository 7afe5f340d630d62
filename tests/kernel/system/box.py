"""A machine of files and sockets: a tree as sysfs has it, sockets on which it tells, and the address of a bus."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from kernel.system.senses import Senses
from tests.kernel.system.logind import awake_s

UEVENT = b"change@/x\0SUBSYSTEM=power_supply\0"
WAY_OUT = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\neth0\t00000000\t01\t3\t0\t0\t0\t00000000\n"


@dataclass(slots=True)
class Box:
    """A machine of files and sockets."""

    root: Path
    bus: str
    sockets: list[tuple[str, socket.socket]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    now_s: float = 1000.0

    def senses(self) -> Senses:
        return Senses(
            self.root / "sys", self.root / "proc", lambda: self._open("power"), lambda: self._open("network"),
            lambda _: int((self.root / "free").read_text()), lambda: self.now_s, {"DBUS_SYSTEM_BUS_ADDRESS": self.bus},
            awake_s,
        )  # fmt: skip

    def _open(self, name: str) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.opened.append(name)
        self.sockets.append((name, theirs))
        return ours

    def write(self, place: str, text: object) -> None:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")

    def battery(self, percent: int, *, plugged: bool = False, full: bool = False) -> None:
        """The battery and the charger are so from now on, and the kernel tells."""
        place = "sys/class/power_supply"
        status = "Full" if full else "Charging" if plugged else "Discharging"
        for name, text in {"AC/type": "Mains", "AC/online": int(plugged), "B/type": "Battery", "B/capacity": percent,
                           "B/status": status}.items():  # fmt: skip
            self.write(f"{place}/{name}", text)
        self._tell("power", UEVENT)

    def network(self, *, there: bool) -> None:
        """A way leads out from now on, or none does, and the kernel tells."""
        for name, text in {"flags": "0x1003", "operstate": "up" if there else "down"}.items():
            self.write(f"sys/class/net/eth0/{name}", text)
        self.write("proc/net/route", WAY_OUT if there else "")
        self._tell("network", b"x")

    def memory(self, *, used: float) -> None:
        """So many percent of the memory are in use from now on; nobody tells."""
        self.write("proc/meminfo", f"MemTotal: 1000 kB\nMemAvailable: {round(10 * (100 - used))} kB")

    def heat(self, celsius: float, *, told: bool = True) -> None:
        """The one sensor says so from now on, and its driver tells where ``told``."""
        self.write("sys/class/thermal/thermal_zone0/type", "x86_pkg_temp")
        self.write("sys/class/thermal/thermal_zone0/temp", round(1000 * celsius))
        if told:
            self._tell("power", b"change@/x\0SUBSYSTEM=thermal\0")

    def _tell(self, name: str, message: bytes) -> None:
        for one, theirs in self.sockets:
            if one == name:
                with suppress(OSError):  # nobody listens any more
                    theirs.send(message)
