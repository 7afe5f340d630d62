"""Facts of the machine: on this one as the system's own tools have them, and from the files of other machines."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from kernel.system import FACTS
from kernel.system.facts import battery, disks, memory, temperatures
from kernel.system.networks import networks


def write(folder: Path, **files: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(f"{text}\n")


@pytest.mark.parametrize("name", sorted(FACTS))
def test_every_fact_of_this_machine_can_be_told_as_json(name: str) -> None:
    fact = FACTS[name]()
    assert json.loads(json.dumps(fact)) == fact


def test_memory_is_what_the_system_says() -> None:
    told = memory()
    assert told["total_bytes"] == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < told["available_bytes"] <= told["total_bytes"]


def test_the_first_disk_is_the_root_as_large_as_it_is() -> None:
    first = disks()["disks"][0]
    assert first["place"] == "/"
    assert first["total_bytes"] == pytest.approx(shutil.disk_usage("/").total)
    assert 0 <= first["free_bytes"] <= first["total_bytes"]


def test_a_disk_behind_a_network_is_not_asked(tmp_path: Path) -> None:
    far = tmp_path / "far"
    far.mkdir()
    write(tmp_path / "proc" / "self", mounts=f"server:/x {far} nfs4 rw 0 0\n/dev/sdz1 {tmp_path} ext4 rw 0 0")
    asked: list[Any] = disks(tmp_path / "proc")["disks"]
    assert str(far) not in [one["place"] for one in asked]


@pytest.mark.parametrize(
    ("files", "percent", "status", "left_s"),
    [
        ({"type": "Battery", "capacity": 81, "status": "Discharging", "energy_now": 40, "power_now": 10}, 81,
         "discharging", 14400),
        ({"type": "Battery", "status": "Charging", "charge_now": 30, "charge_full": 60, "current_now": 60}, 50,
         "charging", 1800),
        ({"type": "Battery", "capacity": 100, "status": "Full"}, 100, "full", None),
        ({"type": "Battery", "capacity": "broken", "status": "odd"}, None, "odd", None),
    ],
)  # fmt: skip
def test_a_battery_is_read(
    tmp_path: Path, files: dict[str, Any], percent: int | None, status: str, left_s: int | None
) -> None:
    write(tmp_path / "class" / "power_supply" / "BAT0", **files)
    write(tmp_path / "class" / "power_supply" / "AC", type="Mains", online=0)
    write(tmp_path / "class" / "power_supply" / "mouse", type="Battery", scope="Device", capacity=5)
    told = battery(tmp_path)
    assert told == {"batteries": [{"percent": percent, "status": status, "left_s": left_s}], "plugged_in": False}


def test_a_machine_without_a_battery_says_so(tmp_path: Path) -> None:
    assert battery(tmp_path) == {"batteries": [], "plugged_in": None}


def test_sensors_are_read_and_nonsense_is_left_out(tmp_path: Path) -> None:
    write(tmp_path / "class" / "thermal" / "thermal_zone0", type="x86_pkg_temp", temp=61500)
    write(tmp_path / "class" / "thermal" / "thermal_zone1", type="broken", temp=-274000)
    write(tmp_path / "class" / "hwmon" / "hwmon0", name="k10temp", temp1_input=70000, temp1_label="Tctl")
    assert temperatures(tmp_path)["sensors"] == [
        {"name": "x86_pkg_temp", "celsius": 61.5}, {"name": "k10temp Tctl", "celsius": 70.0},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "flags", "route", "up", "way_out"),
    [("up", "0x1003", True, True, True), ("down", "0x1002", True, False, False), ("up", "0x1003", False, True, False),
     ("unknown", "0x1043", True, True, True)],
)  # fmt: skip
def test_a_way_out_is_a_default_route_over_a_line_that_is_up(
    tmp_path: Path, state: str, flags: str, route: bool, up: bool, way_out: bool
) -> None:
    write(tmp_path / "sys" / "class" / "net" / "eth7", operstate=state, flags=flags)
    head = "Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT"
    default, local = (f"eth7 {to} 0 3 0 0 0 {mask} 0 0 0" for to, mask in (("0" * 8, "0" * 8), ("1A8C0", "FFFFFF")))
    far, near = "20010db8000000000000000000000007", "fe800000000000000000000000000001"
    lines = "\n".join(f"{address} 02 40 00 80 eth7" for address in (far, near))
    write(tmp_path / "proc" / "net", route=f"{head}\n{default if route else local}", if_inet6=lines)
    told = networks(tmp_path / "proc", tmp_path / "sys")
    [line] = told["lines"]
    assert (line["up"], told["way_out"]) == (up, way_out)
    assert line["addresses"] == ["2001:db8::7"]
