"""What the machine runs on, out of a tree as sysfs has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel.system.power import Power, power


def write(folder: Path, **files: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(f"{text}\n")


@pytest.mark.parametrize(
    ("supplies", "told"),
    [
        ({}, Power(None, None)),
        ({"AC": {"type": "Mains", "online": 1}}, Power(None, True)),
        ({"AC": {"type": "Mains", "online": 0}, "B": {"type": "Battery", "capacity": 40, "status": "Discharging"}},
         Power(40.0, False)),
        ({"A": {"type": "Battery", "capacity": 40, "status": "Discharging"}}, Power(40.0, False)),
        ({"A": {"type": "Battery", "capacity": 90, "status": "Charging"},
          "B": {"type": "Battery", "capacity": 50, "status": "Unknown"}}, Power(70.0, True)),
        ({"A": {"type": "Battery", "status": "Full"}}, Power(None, True, is_full=True)),
    ],
)  # fmt: skip
def test_what_it_runs_on(tmp_path: Path, supplies: dict[str, dict[str, object]], told: Power) -> None:
    for name, files in supplies.items():
        write(tmp_path / "class/power_supply" / name, **files)
    assert power(tmp_path) == told
