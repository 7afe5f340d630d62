"""Where the machine is read and heard: its folders, its sockets, its bus. Another machine is another value."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kernel.system import bells
from kernel.system.facts import memory, temperatures
from kernel.system.networks import networks
from kernel.system.power import Power, power
from kernel.system.reading import PROC, SYS


def free_bytes(place: str) -> int:
    """Return what is free for the person on the disk of ``place``. Raises OSError."""
    return shutil.disk_usage(place).free


def _awake_or_not_s() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@dataclass(frozen=True, slots=True)
class Senses:
    """The machine. ``clock`` counts seconds, also while it sleeps, and ``awake_s`` those in which it was awake since
    its start; ``around`` are variables that say where the bus is.
    """

    sys: Path = SYS
    proc: Path = PROC
    uevents: Callable[[], socket.socket] = bells.uevents
    routes: Callable[[], socket.socket] = bells.routes
    free_bytes: Callable[[str], int] = free_bytes
    clock: Callable[[], float] = _awake_or_not_s
    around: Mapping[str, str] = field(default_factory=lambda: os.environ)
    awake_s: Callable[[], float] = time.monotonic

    def power(self) -> Power:
        """Return what the machine runs on."""
        return power(self.sys)

    def memory_in_use(self) -> float | None:
        """Return how much of the memory programs cannot have any more, in percent; None where nothing tells."""
        told = memory(self.proc)
        total = told["total_bytes"]
        return 100 * (total - told["available_bytes"]) / total if total else None

    def celsius(self) -> float | None:
        """Return what the hottest sensor says, in degrees Celsius; None where there is none."""
        return max((one["celsius"] for one in temperatures(self.sys)["sensors"]), default=None)

    def is_online(self) -> bool:
        """Tell whether a way leads out of the machine; nobody is contacted to find out."""
        return bool(networks(self.proc, self.sys)["way_out"])
