"""What a commit and an undo cost, against copying the same files durably with the tools of the system.

From the seal to the durable commit, beside ``cp -a --reflink=never`` + ``sha256sum`` + ``sync -f`` of the same contents
onto the same file system: the least that a careful person would do by hand. Made, overwritten and taken back, in turn
with the peer.

Nothing of many files is removed before all is measured: for a minute or more after a deletion ext4 steps over every
inode that has just become free, and each new file costs up to 0.8 ms more (``recently_deleted`` in fs/ext4/ialloc.c).

python -m tests.benchmarks.commit [--small]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from permissions.transactions import Staging, Transactions
from tests.benchmarks.machine import median, publish, result

LIMITS = {"create_vs_cp": 2.0, "overwrite_vs_cp": 3.0, "undo_vs_cp": 3.0}
ROUNDS = 5
FILE_BYTES = 4096
PER_FOLDER = 500


@dataclass(frozen=True, slots=True)
class Load:
    """So many files of one size."""

    name: str
    files: int
    bytes_each: int
    rounds: int


LOADS = (
    Load("1,000 files of 4 KiB", 1_000, FILE_BYTES, ROUNDS),
    Load("100,000 files of 4 KiB", 100_000, FILE_BYTES, 1),
    Load("one file of 2 GB", 1, 2_000_000_000, 2),
)


@dataclass(frozen=True, slots=True)
class Round:
    """Seconds of one round, ours and the peer's."""

    create: float
    create_cp: float
    overwrite: float
    overwrite_cp: float
    undo: float

    def ratios(self) -> dict[str, float]:
        """Return ours over the peer's. What an undo puts back is what an overwrite by hand would."""
        return {
            "create_vs_cp": self.create / self.create_cp,
            "overwrite_vs_cp": self.overwrite / self.overwrite_cp,
            "undo_vs_cp": self.undo / self.overwrite_cp,
        }


def names(load: Load) -> Iterator[str]:
    """Yield the files' names below a top folder, spread over folders."""
    return (f"f{number // PER_FOLDER}/n{number}" for number in range(load.files))


def fill(path: Path, size: int, seed: int) -> None:
    """Write ``size`` bytes that do not compress and differ between files and seeds."""
    block = bytearray(os.urandom(min(size, 1 << 20)))
    with path.open("wb") as file:
        for start in range(0, size, len(block)):
            block[:16] = (seed << 64 | start).to_bytes(16, "little")
            file.write(block[: size - start])


def timed(work: Callable[[], object], store: Path) -> float:
    """Return how many seconds ``work`` takes; when it begins, all before it is on disk, and our garbage is emptied."""
    while any((store / "garbage").iterdir()):
        time.sleep(0.05)
    os.sync()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def copied(source: Path, target: Path) -> None:
    """Copy, hash and sync as a careful person would by hand."""
    target.mkdir(exist_ok=True)
    subprocess.run(["cp", "-a", "--reflink=never", f"{source}/.", str(target)], check=True)
    hashed = "find . -type f -print0 | xargs -0 sha256sum"
    subprocess.run(["sh", "-c", hashed], cwd=target, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["sync", "-f", str(target)], check=True)


def staged(tx: Transactions, run: str, load: Load, top: Path, seed: int) -> Staging:
    """Return a staging whose effects write every file of ``load`` below ``top``, with new contents."""
    staging = tx.begin(run)
    blobs = staging.task_folder("t1")
    effects = []
    for number, name in enumerate(names(load)):
        fill(blobs / f"b{number}", load.bytes_each, seed + number)
        path = top / name
        effects.append({"op": "write", "path": str(path), "blob": f"b{number}", "base": _version(path)})
    staging.describe("t1", effects)
    return staging


def _version(path: Path) -> dict[str, int] | None:
    try:
        info = path.lstat()
    except FileNotFoundError:
        return None
    return {"dev": info.st_dev, "ino": info.st_ino, "size": info.st_size, "mtime_ns": info.st_mtime_ns,
            "ctime_ns": info.st_ctime_ns}  # fmt: skip


def one_round(top: Path, load: Load) -> Round:
    """Measure one round in an empty folder."""
    home, peer, sources = top / "home", top / "peer", top / "sources"
    for folder in (home, peer, sources, home / ".local" / "share" / "Trash"):
        folder.mkdir(parents=True)
    store = top / "store"
    tx = Transactions(store, home, state=top / "state")
    for seed, source in ((1, sources / "a"), (2, sources / "b")):
        for number, name in enumerate(names(load)):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            fill(source / name, load.bytes_each, seed * 10**9 + number)
    target = home / "made"
    for name in names(load):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
    made = staged(tx, "r1", load, target, 3 * 10**9)
    create = timed(lambda: made.commit(made.seal().seal), store)
    create_cp = timed(lambda: copied(sources / "a", peer / "made"), store)
    again = staged(tx, "r2", load, target, 4 * 10**9)
    overwrite = timed(lambda: again.commit(again.seal().seal), store)
    overwrite_cp = timed(lambda: copied(sources / "b", peer / "made"), store)
    undo = timed(lambda: tx.undo("r2"), store)
    return Round(create, create_cp, overwrite, overwrite_cp, undo)


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield an empty folder on the disk that homes lie on (/tmp may be memory), and remove it."""
    base = Path.home() / ".cache"
    base.mkdir(parents=True, exist_ok=True)
    top = Path(tempfile.mkdtemp(prefix="steward-bench-", dir=base))
    try:
        yield top
    finally:
        while top.exists():  # a thread of ours may be emptying the same garbage
            shutil.rmtree(top, ignore_errors=True)


def measure(load: Load, top: Path) -> list[Round]:
    """Return the rounds of one load, each in a folder of its own below ``top``; big files go before the next round."""
    found = []
    for number in range(load.rounds):
        folder = top / f"{load.files}-{number}"
        found.append(one_round(folder, load))
        if load.files == 1:
            shutil.rmtree(folder)
    return found


def main(arguments: list[str]) -> int:
    """Measure, publish, and close with one RESULT line."""
    loads = LOADS[:1] if "--small" in arguments else LOADS
    worst = dict.fromkeys(LIMITS, 0.0)
    rows = [
        "| load | create | against cp | overwrite | against cp | undo | against cp |",
        "|---|---|---|---|---|---|---|",
    ]
    files_per_s = 0.0
    with scratch() as top:
        measured = {load: measure(load, top) for load in loads}
    for load, rounds in measured.items():
        ratios = {key: median([one.ratios()[key] for one in rounds]) for key in LIMITS}
        worst = {key: max(worst[key], ratios[key]) for key in LIMITS}
        create, over, undo = (median([getattr(r, part) for r in rounds]) for part in ("create", "overwrite", "undo"))
        files_per_s = files_per_s or load.files / create
        rows.append(f"| {load.name} | {create:.2f} s | {ratios['create_vs_cp']:.2f} | {over:.2f} s | "
                    f"{ratios['overwrite_vs_cp']:.2f} | {undo:.2f} s | {ratios['undo_vs_cp']:.2f} |")  # fmt: skip
    figures = {"files_per_s": round(files_per_s), **{key: round(value, 2) for key, value in worst.items()}}
    rows += ["", "Ours: from the seal (every content hashed) to the commit, journal and contents on disk. The peer:",
             "`cp -a --reflink=never`, `sha256sum` of the copy, `sync -f`. Ratios are ours over the peer's; an undo is",
             "held against the peer's overwrite. The RESULT line has the worst load of each."]  # fmt: skip
    if loads is LOADS:
        publish("bench-commit", "What a commit and an undo cost", rows, figures)
    else:
        print("\n".join(rows))
    return result("bench-commit", figures, {key: LIMITS[key] for key in LIMITS})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
