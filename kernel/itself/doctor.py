"""Doctor: one line per capability of this machine and installation, and the one command that mends it."""

from __future__ import annotations

import importlib.util
import os
import shutil
from typing import TYPE_CHECKING, Any

from permissions import machine_level, survey

if TYPE_CHECKING:
    from kernel.house import House


def examine(house: House) -> list[dict[str, Any]]:
    """Return name, ok, state and remedy of every capability, the wall first."""
    level = machine_level()
    lines = [_line("sandbox", level == "L3", f"calls run at level {level}", _wall_remedy(str(level)))]
    lines += [_line(found.name, found.ok, found.state, found.remedy) for found in survey()]
    lines += [_encoder(house), _skills(house), _ledger(house), _disk(house), _model(), _voice(), _gpu()]
    return lines


def _line(name: str, ok: bool, state: str, remedy: str = "") -> dict[str, Any]:
    return {"name": name, "ok": ok, "state": state, "remedy": "" if ok else remedy}


def _wall_remedy(level: str) -> str:
    return "" if level == "L3" else "see the lines below for what is missing"


def _encoder(house: House) -> dict[str, Any]:
    state = house.learning.encoder_state
    return _line("encoder", not state.startswith("missing"), state, "./steward setup")


def _skills(house: House) -> dict[str, Any]:
    problems = house.registry.problems()
    count = len(house.registry.skills())
    if problems:
        return _line("skills", False, f"{count} loaded, {len(problems)} not: {problems[0]}", "./steward skills")
    return _line("skills", True, f"{count} loaded")


def _ledger(house: House) -> dict[str, Any]:
    found = house.ledger.verify()
    if found.ok:
        return _line("ledger", True, f"{found.events} events, all whole")
    first = found.problems[0]
    state = f"{len(found.problems)} of {found.events} events are damaged, the first is {first.seq}: {first.reason}"
    return _line("ledger", False, state, "./steward ledger verify")


def _disk(house: House) -> dict[str, Any]:
    free = shutil.disk_usage(house.folders.data).free
    return _line("disk", free > 1 << 30, f"{free / 1e9:.1f} GB free for Steward's data", "free some space")


def _model() -> dict[str, Any]:
    return _line("model", True, "none configured; Steward works without one")


def _voice() -> dict[str, Any]:
    have = importlib.util.find_spec("pocketsphinx") is not None
    state = "pocketsphinx is installed" if have else "no speech recogniser for this Python"
    return _line("voice", have, state, "./steward setup")


def _gpu() -> dict[str, Any]:
    have = os.path.exists("/dev/nvidia0")
    return _line("gpu", True, "an NVIDIA GPU is there" if have else "none; kernels are optimised for the CPU")
