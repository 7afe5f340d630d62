"""Full disks, limits, read-only folders and killed processes: nothing acknowledged is lost, nothing half-written."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory import Draft, Ledger
from memory.database import open_writer
from memory.errors import LedgerBusy

pytestmark = pytest.mark.slow

Make = Callable[..., Draft]
SCENARIO = Path(__file__).with_name("ledger_scenario.py")
ISOLATE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]


def play(scene: str, folder: Path, *, before: str = "") -> Any:
    """Play a scene, after the shell line ``before`` in a mount namespace of its own where one is given."""
    command = [sys.executable, "-P", str(SCENARIO), scene, str(folder)]
    if before:
        command = [*ISOLATE, "sh", "-ec", f'{before}; exec "$@"', "sh", *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def own_mounts() -> None:
    try:
        subprocess.run([*ISOLATE, "mount", "-t", "tmpfs", "none", "/mnt"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no mount namespace here ({error}); install util-linux and allow user namespaces, or run as root")


@pytest.mark.usefixtures("own_mounts")
def test_a_full_disk_loses_nothing_and_writing_goes_on_when_there_is_room(tmp_path: Path) -> None:
    seen = play("full", tmp_path / "ledger", before=f"mount -t tmpfs -o size=1m none '{tmp_path}'")
    assert (seen["code"], seen["again"]) == ("store.full", "store.full")
    assert seen["hint"]
    assert seen["seen"] == list(range(1, seen["done"] + 2))
    assert seen["last"] == seen["done"] + 1
    assert seen["ok"]


def test_a_limit_on_file_sizes_is_the_same(tmp_path: Path) -> None:
    seen = play("limit", tmp_path / "ledger")
    assert seen["code"].startswith("store.")
    assert seen["again"].startswith("store.")
    assert seen["done"] > 5
    assert seen["seen"] == list(range(1, seen["last"] + 1))
    assert seen["last"] == seen["done"] + 1
    assert seen["ok"]


@pytest.mark.usefixtures("own_mounts")
def test_a_ledger_on_a_read_only_file_system_can_be_read_and_verified(tmp_path: Path, draft: Make) -> None:
    with Ledger.open(tmp_path / "ledger") as ledger:
        ledger.append(draft(1), draft(2))
    mount = f"mount --bind '{tmp_path}' '{tmp_path}'; mount -o remount,bind,ro '{tmp_path}'"
    seen = play("look", tmp_path / "ledger", before=mount)
    assert seen["seen"] == [1, 2]
    assert seen["ok"]
    assert seen["code"].startswith("store.")


def test_a_commit_that_fails_leaves_nothing_in_the_index(
    folder: Path, draft: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys and the index are committed before the event. When the event's commit then fails (here: another
    program holds the event file), the next event takes its place, and must not be forgotten in its stead."""
    monkeypatch.setattr("memory.database.BUSY_TIMEOUT_S", 0.05)
    with Ledger.open(folder) as ledger:
        ledger.append(draft(0, entities=()))
        holder = sqlite3.connect(folder / "ledger.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerBusy):
            ledger.append(draft(1, entities=("person:anna",)))
        holder.close()
        assert ledger.append(draft(2, entities=()))[0].seq == 2
        assert ledger.forget("person:anna") == 0  # type: ignore[arg-type]
        assert ledger.verify().ok


def test_what_a_crash_left_in_the_index_goes_at_the_next_start(folder: Path, draft: Make) -> None:
    with Ledger.open(folder) as ledger:
        ledger.append(draft(0, entities=()), draft(1, entities=("person:anna",)))
    keys = sqlite3.connect(folder / "keys.db")
    keys.execute("INSERT INTO about SELECT tag, 3 FROM about")
    keys.commit()
    keys.close()
    with Ledger.open(folder) as ledger:
        ledger.append(draft(2, entities=()))
        assert ledger.forget("person:anna") == 1  # type: ignore[arg-type]
        assert ledger.verify().ok


def test_a_killed_process_loses_nothing_that_was_acknowledged(folder: Path, child: Any) -> None:
    """kill -9 at random moments, also while it opens, for about three seconds and at least twenty times."""
    chance = random.Random(1)
    end = time.monotonic() + 3.0
    rounds = killed = acknowledged = 0
    while time.monotonic() < end or rounds < 20:
        process = child.start(folder=str(folder), numbers=list(range(1_000)), entity="person:anna")
        heard = [child.line() for _ in range(chance.choice((0, 1, 5, 20)))]
        wait_us(chance.randrange(4_000))
        os.kill(process, signal.SIGKILL)
        lines, code = child.rest()
        rounds, killed = rounds + 1, killed + (code == -signal.SIGKILL)
        acknowledged = max([acknowledged, *(int(line) for line in heard + lines)])
        with Ledger.open(folder) as ledger:
            check = ledger.verify()
            assert check.ok, check.problems
            assert acknowledged <= check.events
            acknowledged = check.events
    assert killed == rounds >= 20
    assert acknowledged > 100


def wait_us(microseconds: int) -> None:
    """Let the other process run for a random while; there is nothing to wait for."""
    end = time.perf_counter() + microseconds / 1e6
    while time.perf_counter() < end:
        pass


def test_a_process_killed_while_forgetting_has_forgotten_all_or_nothing(folder: Path, child: Any) -> None:
    chance = random.Random(2)
    forgotten = []
    for _ in range(25):
        command = {"folder": str(folder), "numbers": list(range(10)), "entity": "person:anna", "forget": True}
        process = child.start(**command)
        for _ in range(10):
            child.line()
        wait_us(chance.randrange(6_000))
        os.kill(process, signal.SIGKILL)
        child.rest()
        with Ledger.open(folder) as ledger:
            check = ledger.verify()
            assert check.ok, check.problems
            forgotten.append(check.forgotten)
            ledger.forget("person:anna")  # type: ignore[arg-type]
    assert {count % 5 for count in forgotten} == {0}
    assert forgotten[-1] >= 5 * 24


def test_every_commit_is_synced(tmp_path: Path) -> None:
    """kill -9 cannot show this, since the page cache survives it: only power cuts can."""
    connection = open_writer(tmp_path / "file.db")
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
