"""The closed set of facts about this machine, each a small object in JSON; sizes in bytes, times in seconds."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kernel.system.networks import networks
from kernel.system.processes import programs
from kernel.system.reading import PROC, SYS, below, number_of, text_of

Fact = Mapping[str, Any]

_KIB = 1024
_LOOK_S = 0.3
_LOCAL = frozenset("btrfs ext2 ext3 ext4 exfat f2fs fuseblk hfsplus jfs ntfs ntfs3 overlay vfat xfs zfs".split())
"""Kinds of file systems that lie in this machine: one behind a network may never answer."""
_OWN_PLACES = ("/boot", "/snap", "/var/lib/docker", "/var/snap", "/etc")


def memory(proc: Path = PROC) -> Fact:
    """How much memory there is, how much of it programs can still have, and the same of the swap space."""
    lines = (line.partition(":") for line in text_of(proc / "meminfo").splitlines())
    sizes = {name: int(rest.split()[0]) * _KIB for name, _, rest in lines if rest.split()[:1]}
    return {
        "total_bytes": sizes.get("MemTotal", 0), "available_bytes": sizes.get("MemAvailable", 0),
        "swap_total_bytes": sizes.get("SwapTotal", 0), "swap_free_bytes": sizes.get("SwapFree", 0),
    }  # fmt: skip


def disks(proc: Path = PROC) -> Fact:
    """The disks of this machine: where each is mounted, how large it is, and what is free for the person."""
    found, seen = [], set()
    for place in _mounted(proc):
        try:
            device, space = os.stat(place).st_dev, os.statvfs(place)
        except OSError:
            continue
        if device not in seen and space.f_blocks:
            seen.add(device)
            found.append({"place": place, "total_bytes": space.f_blocks * space.f_frsize,
                          "free_bytes": space.f_bavail * space.f_frsize})  # fmt: skip
    return {"disks": found}


def _mounted(proc: Path) -> Iterator[str]:
    """Where local disks are mounted, "/" first; what the system keeps for itself is left out."""
    yield "/"
    for line in text_of(proc / "self" / "mounts").splitlines():
        fields = line.split()
        if len(fields) < 3 or fields[2] not in _LOCAL:
            continue
        place = fields[1].encode().decode("unicode_escape")
        if not any(place == own or place.startswith(f"{own}/") for own in _OWN_PLACES) and os.path.isdir(place):
            yield place


def load(proc: Path = PROC, look_s: float = _LOOK_S) -> Fact:
    """How busy the processors are: now as a share of all of them, and how many tasks wanted one lately."""
    busy_before, all_before = _ticks(proc)
    time.sleep(look_s)
    busy, everything = _ticks(proc)
    share = (busy - busy_before) / max(everything - all_before, 1)
    one, five, fifteen = (float(part) for part in (text_of(proc / "loadavg") or "0 0 0").split()[:3])
    return {"busy": round(min(max(share, 0.0), 1.0), 3), "processors": os.cpu_count() or 1,
            "minute": one, "five_minutes": five, "quarter_hour": fifteen}  # fmt: skip


def _ticks(proc: Path) -> tuple[int, int]:
    """Return the time that the processors worked, and all time, since the start (in ticks)."""
    fields = [int(part) for part in text_of(proc / "stat").partition("\n")[0].split()[1:9]]
    idle = sum(fields[3:5])
    return sum(fields) - idle, sum(fields)


def battery(sys: Path = SYS) -> Fact:
    """The batteries of the machine itself, how full each is and what it does, and whether it is plugged in."""
    found, plugged = [], None
    for folder in below(sys / "class" / "power_supply"):
        kind = text_of(folder / "type")
        if kind == "Mains" or (kind == "USB" and (folder / "online").exists()):
            plugged = bool(plugged) or number_of(folder / "online") == 1
        elif kind == "Battery" and text_of(folder / "scope") != "Device":  # a mouse has one, too
            found.append(_battery(folder))
    return {"batteries": found, "plugged_in": plugged}


def _battery(folder: Path) -> Fact:
    held = {name: number_of(folder / name) for name in ("capacity", "energy_now", "charge_now", "energy_full",
            "charge_full", "power_now", "current_now")}  # fmt: skip
    now, full = held["energy_now"] or held["charge_now"], held["energy_full"] or held["charge_full"]
    rate = held["power_now"] or held["current_now"]
    percent = held["capacity"] if held["capacity"] is not None else round(100 * now / full) if now and full else None
    status = text_of(folder / "status").casefold() or "unknown"
    left = {"discharging": now, "charging": (full or 0) - (now or 0)}.get(status)
    return {"percent": percent, "status": status, "left_s": round(3600 * left / rate) if left and rate else None}


def uptime(proc: Path = PROC) -> Fact:
    """How long the machine has been running."""
    return {"seconds": float((text_of(proc / "uptime") or "0").split()[0])}


def versions() -> Fact:
    """What runs here: the system, the operating system's kernel, the kind of machine, Python."""
    try:
        system = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        system = ""
    return {"system": system or platform.system(), "linux": platform.release(), "machine": platform.machine(),
            "processor": _processor(), "python": platform.python_version()}  # fmt: skip


def _processor(proc: Path = PROC) -> str:
    lines = (line.partition(":") for line in text_of(proc / "cpuinfo").splitlines())
    return next((rest.strip() for name, _, rest in lines if name.strip() == "model name"), "")


def temperatures(sys: Path = SYS) -> Fact:
    """What the sensors of the machine say, in degrees Celsius."""
    found: list[dict[str, Any]] = [
        {"name": text_of(folder / "type") or folder.name, "celsius": value / 1000}
        for folder in below(sys / "class" / "thermal")
        if folder.name.startswith("thermal_zone") and (value := number_of(folder / "temp")) is not None
    ]
    for chip in below(sys / "class" / "hwmon"):
        for file in sorted(chip.glob("temp*_input")):
            value = number_of(file)
            label = text_of(file.with_name(file.name.replace("_input", "_label")))
            if value is not None:
                found.append({"name": f"{text_of(chip / 'name')} {label}".strip(), "celsius": value / 1000})
    return {"sensors": [one for one in found if -40 <= one["celsius"] <= 200]}


FACTS: Mapping[str, Callable[[], Fact]] = {
    "memory": memory,
    "disks": disks,
    "load": load,
    "programs": programs,
    "battery": battery,
    "network": networks,
    "uptime": uptime,
    "versions": versions,
    "temperatures": temperatures,
}
"""Every fact that a call may be told, by the scope of the right to it."""
