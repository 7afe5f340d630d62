"""Killed at every step and at random moments: each time is told once, and shown twice only where it says so."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from memory import Ledger
from skills.schedule import Scheduled, write_schedule
from tests.kernel.reminding.conftest import Bus

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

ENTRIES = 2
AGAIN = " (perhaps for the second time)"
CHILD = Path(__file__).with_name("crash_child.py")


def keep(root: Path) -> None:
    path = root / "own" / "timers" / "schedule.json"
    path.parent.mkdir(parents=True)
    at = datetime.fromisoformat("2025-03-14T12:00")
    path.write_bytes(write_schedule(Scheduled(f"t{number}", at, {"en": f"tea {number}"}) for number in range(ENTRIES)))


def started(root: Path, bus: Bus, dies_at: int = 0) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", str(CHILD), str(root), bus.address, str(ENTRIES), str(dies_at)],
        stdout=subprocess.PIPE, text=True, cwd=CHILD.parents[3], env={"PYTHONPATH": str(CHILD.parents[3])},
    )  # fmt: skip


def ended(child: subprocess.Popen[str]) -> int:
    with child:
        child.communicate(timeout=60)
    return child.returncode


def judge(root: Path, bus: Bus, kills: int) -> int:
    """Hold what was told and shown against what must hold; return how often one was shown twice."""
    with Ledger.open(root / "ledger", read_only=True) as ledger:
        told = Counter(event.task for event in ledger.events(kinds=("reminder.told",)))
    assert len(told) == ENTRIES
    assert set(told.values()) == {1}, told
    times = Counter(body.removesuffix(AGAIN) for _, body in bus.shown)
    first = {body.removesuffix(AGAIN): at for at, (_, body) in reversed([*enumerate(bus.shown)])}
    assert set(times) == {f"tea {number}" for number in range(ENTRIES)}
    for at, (_, body) in enumerate(bus.shown):
        if first[body.removesuffix(AGAIN)] != at:
            assert body.endswith(AGAIN), "what is shown a second time says so"
    doubled = sum(times.values()) - ENTRIES
    assert doubled <= kills
    return doubled


def test_at_every_step(tmp_path: Path, bus: Bus) -> None:
    doubled = 0
    for step in range(1, 3 * ENTRIES + 1):
        root = tmp_path / str(step)
        keep(root)
        bus.shown.clear()
        assert ended(started(root, bus, step)) == -9, "the fault has fired"
        assert ended(started(root, bus)) == 0
        doubled += judge(root, bus, 1)
    assert doubled == ENTRIES, "killed between showing and writing it down, each of them is shown again"


def test_at_random_moments_until_all_is_told(tmp_path: Path, bus: Bus) -> None:
    seed = random.randrange(1 << 32)
    chance, fired = random.Random(seed), 0
    for attempt in range(4):
        root = tmp_path / str(attempt)
        keep(root)
        bus.shown.clear()
        kills = 0
        for _ in range(3):
            child = started(root, bus)
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(chance.uniform(0, 0.05))
            child.kill()
            kills += ended(child) == -9
        assert ended(started(root, bus)) == 0
        judge(root, bus, kills)
        fired += kills
    assert fired > 0, seed
