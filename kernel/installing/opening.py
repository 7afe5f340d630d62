"""The environments of skills with Python packages, put together: for the daemon, and for who writes a skill."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from kernel.installing.environments import IDLE_S, Environments
from kernel.installing.wheelhouse import Index
from permissions import Cells
from permissions.egress import Egress

_CODE = Path(__file__).resolve().parents[2]
"""Where Steward's own packages lie."""


def index_of(place: str) -> Index:
    """Return the index that the setting ``package_index`` names."""
    return Index(place if place.startswith("https://") else os.path.realpath(Path(place).expanduser()))


def environments_at(
    data: Path, index: str, cells: Callable[[], Cells], zone: str = "UTC", egress: Egress | None = None
) -> Environments:
    """Return the environments below the folder ``data``; the calls of skills with packages are given ``egress``."""

    def start(lib: str) -> Cells:
        command = [sys.executable, "-P", "-m", "skills.worker", zone, "--environment", lib]
        return Cells(command, idle_s=IDLE_S, network=egress, environment={"PYTHONPATH": str(_CODE)})

    return Environments(data / "environments", index_of(index), cells, start)
