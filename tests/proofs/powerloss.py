"""The power goes at any moment: what was acknowledged is there, and nothing is between two states.

The ledger's own code writes through SQLite (apsw, with a VFS that notes every write and sync), a commit and an undo
through the calls of the operating system, noted likewise. From each log the disk is built as it may be after every
single operation, with any part of what was not synced yet; then the real code opens it. The controls leave out syncs,
and must lose something: SQLite with synchronous=NORMAL, and a disk that acknowledges what it has not written.

python -m tests.proofs.powerloss [--seeds N]
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from memory import Ledger
from memory.errors import StoreError
from tests.benchmarks.machine import ROOT, publish, result
from tests.proofs import journal_disk
from tests.proofs.faults import memory
from tests.proofs.power import Flat

SEED = 20261122
STATES = 5000
Op = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of many states: how many, how many lost something acknowledged, how many are damaged, and examples."""

    states: int
    lost: int
    corrupt: int
    examples: tuple[str, ...] = ()

    def plus(self, other: Tally) -> Tally:
        """Return both together."""
        examples = (self.examples + other.examples)[:5]
        return Tally(self.states + other.states, self.lost + other.lost, self.corrupt + other.corrupt, examples)


NOTHING = Tally(0, 0, 0)


def has_apsw() -> bool:
    """Tell whether the test extra's apsw is here."""
    return importlib.util.find_spec("apsw") is not None


# -- the ledger -------------------------------------------------------------------------------------------------------
def life_of_a_ledger(top: Path, synchronous: str) -> tuple[list[Op], bytes]:
    """Return the log of a ledger's life, and its signing key."""
    place = top / f"recorded-{synchronous}"
    place.mkdir()
    command = [sys.executable, "-m", "tests.proofs.record_ledger", str(place / "ledger"), synchronous]
    subprocess.run([*command, str(place / "log")], check=True, cwd=ROOT, timeout=120)
    log: list[Op] = pickle.loads((place / "log").read_bytes())
    return log, (place / "ledger" / "signing.key").read_bytes()


def ledger_states(log: Sequence[Op], key: bytes, seeds: int, top: Path, first: int) -> Tally:
    """Try every state after operation ``first``."""
    logging.disable()
    disk = Flat()
    for op in log[:first]:
        disk.do(op)
    told = [event for op in log[:first] if op[0] == "ack" for event in op[1]]
    forgot = any(op[0] == "forgot" for op in log[:first])
    tally = NOTHING
    for seed in range(seeds):
        found = disk.after_power_loss(Random(f"{SEED}-{first}-{seed}"))
        tally = tally.plus(_look_at_ledger(found, key, told, forgot, top, f"after {first} operations, seed {seed}"))
    return tally


def _look_at_ledger(
    found: dict[str, bytes], key: bytes, told: Sequence[tuple[int, str]], forgot: bool, top: Path, where: str
) -> Tally:
    folder = Path(tempfile.mkdtemp(dir=top))
    try:
        for name, content in {**found, "signing.key": key}.items():
            (folder / name).write_bytes(content)
        with Ledger.open(folder) as ledger:
            events = {event.seq: event for event in ledger.events()}
            gone = [seq for seq, digest in told if seq not in events or events[seq].hash != digest]
            remembered = forgot and any(event.entities and event.seq < told[-1][0] for event in events.values())
            problems = ledger.verify().problems
        if problems:
            return Tally(1, 0, 1, (f"{where}: {problems[0].reason}",))
        if gone or remembered:
            return Tally(1, 1, 0, (f"{where}: events {gone} are gone" if gone else f"{where}: it was not forgotten",))
        return Tally(1, 0, 0)
    except StoreError as error:
        return Tally(1, 0, 1, (f"{where}: {error}",))
    finally:
        shutil.rmtree(folder)


# -- all of it --------------------------------------------------------------------------------------------------------
def sweep(one: Callable[[int], Tally], points: Sequence[int]) -> Tally:
    """Add up what ``one`` finds at every point, on all processors."""
    total = NOTHING
    with ProcessPoolExecutor(os.cpu_count(), get_context("fork")) as pool:
        for tally in pool.map(one, points, chunksize=4):
            total = total.plus(tally)
    return total


def ledger(top: Path, synchronous: str, seeds: int, every: int = 1) -> Tally:
    """Try the ledger with a setting of ``synchronous``, after every ``every``-th operation."""
    log, key = life_of_a_ledger(top, synchronous)
    return sweep(partial(ledger_states, log, key, seeds, top), range(0, len(log) + 1, every))


def journal(top: Path, seeds: int, *, honest: bool = True, every: int = 1) -> Tally:
    """Try a commit and an undo; on a disk that is not ``honest`` no sync counts."""
    total = NOTHING
    for act in journal_disk.ACTS:
        recording = journal_disk.record(act, top / f"{act}-{honest}", honest=honest)
        one = partial(journal_states, recording, seeds, top)
        total = total.plus(sweep(one, range(0, len(recording.log) + 1, every)))
    return total


def journal_states(recording: journal_disk.Recording, seeds: int, top: Path, first: int) -> Tally:
    """Try every state of the home and the journal after operation ``first``."""
    tally = NOTHING
    for seed in range(seeds):
        dice = Random(f"{SEED}-{first}-{seed}")
        flaw = journal_disk.flaw(recording, first, dice, top)
        where = f"{recording.act} after {first} operations, seed {seed}: {flaw}"
        tally = tally.plus(Tally(1, flaw.startswith("lost"), bool(flaw) and not flaw.startswith("lost"),
                                 (where,) if flaw else ()))  # fmt: skip
    return tally


def page(tallies: dict[str, Tally], wall_s: float) -> list[str]:
    """Return the page."""
    rows = [" ".join((__doc__ or "").split("\n\n")[1].split()), "", f"{wall_s:.0f} s.", "",
            "| what | crash states | acknowledged, lost | damaged |", "|---|---|---|---|"]  # fmt: skip
    rows += [f"| {name} | {one.states} | {one.lost} | {one.corrupt} |" for name, one in tallies.items()]
    examples = [f"- {name}: {text}" for name, one in tallies.items() for text in one.examples]
    return [*rows, "", "Examples of what was lost or damaged:", "", *(examples or ["- none"])]


def main() -> int:
    """Try all states, publish, and close with one RESULT line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    wish = parser.parse_args()
    if not has_apsw():
        raise SystemExit("powerloss: apsw is not here: pip install apsw (it belongs to the test extra)")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=memory()) as place:
        top = Path(place).resolve()
        tallies = {
            "the ledger": ledger(top, "FULL", wish.seeds),
            "a commit and an undo": journal(top, wish.seeds),
            "control: the ledger with synchronous=NORMAL": ledger(top, "NORMAL", 4),
            "control: a commit and an undo on a disk that syncs nothing": journal(top, 4, honest=False),
        }
    ours, controls = list(tallies.values())[:2], list(tallies.values())[2:]
    total = ours[0].plus(ours[1])
    figures = {"states": float(total.states), "lost": float(total.lost), "corrupt": float(total.corrupt),
               "control_normal_lost": float(controls[0].lost),
               "control_no_sync_lost": float(controls[1].lost + controls[1].corrupt)}  # fmt: skip
    if total.states >= STATES:
        publish("powerloss", "The power goes", page(tallies, time.monotonic() - began), figures)
    else:
        print("\n".join(page(tallies, time.monotonic() - began)))
    blind = float(not all(one.lost + one.corrupt for one in controls) or not controls[0].lost)
    few = max(0.0, STATES - total.states)
    return result("powerloss", {**figures, "blind": blind, "lacking": few},
                  {"lost": 0, "corrupt": 0, "blind": 0, "lacking": 0})  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
