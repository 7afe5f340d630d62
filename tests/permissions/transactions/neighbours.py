"""Other programs at work on the user's files: an editor that saves in place, one that saves by rename, a sync client.

Each is a process of its own, with files of its own, and only ever adds: a token at the end of what it finds. When a
save is finished its token is written to a log. So at any later time every token in the log must be found in its file.

python neighbours.py KIND SEED PACE LOG FILE...
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

KINDS = ("in-place", "by-rename", "sync")


@dataclass(frozen=True)
class Neighbour:
    """A program at work: what it is, on which files, and where it logs what it has saved."""

    kind: str
    files: tuple[Path, ...]
    log: Path

    def saved(self) -> list[tuple[Path, str]]:
        """Return every finished save: the file and its token."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [(Path(path), token) for path, _, token in (line.partition("\t") for line in lines)]


@contextmanager
def neighbours(folder: Path, logs: Path, seed: int, *, pace: float = 1.0) -> Iterator[list[Neighbour]]:
    """Let one of each kind work on files of its own in ``folder``; at the end each finishes what it is at.

    ``pace`` stretches the pauses between two saves.
    """
    made, running = [], []
    for kind in KINDS:
        files = tuple(folder / f"{kind}-{number}.txt" for number in range(8 if kind == "sync" else 2))
        for path in files:
            path.write_text("begun\n")
        one = Neighbour(kind, files, logs / f"{kind}.log")
        made.append(one)
        words = [sys.executable, __file__, kind, str(seed), str(pace), str(one.log), *map(str, files)]
        running.append(subprocess.Popen(words, stdin=subprocess.PIPE))
    try:
        while not all(one.saved() for one in made):
            time.sleep(0.005)
        yield made
    finally:
        codes = [_ended(process) for process in running]
    assert codes == [0] * len(KINDS), codes


def _ended(process: subprocess.Popen[bytes]) -> int:
    process.send_signal(signal.SIGTERM)
    process.communicate()
    return process.returncode


def lost(made: Sequence[Neighbour], elsewhere: str = "") -> list[tuple[str, str]]:
    """Return the finished saves that are neither in their file nor in the text ``elsewhere``."""
    texts = {path: path.read_text() if path.exists() else "" for one in made for path in one.files}
    saved = [(path, token) for one in made for path, token in one.saved()]
    return [(path.name, token) for path, token in saved if token not in texts[path] and token not in elsewhere]


# -- the programs -----------------------------------------------------------------------------------------------------
class _Work:
    def __init__(self, kind: str, seed: int, pace: float, log: str, files: list[str]) -> None:
        self._kind, self._pace, self._files = kind, pace, files
        self._dice = random.Random(f"{kind}{seed}")
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._count = 0
        self.going = True

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        self.going = False

    def round(self) -> None:
        many = self._kind == "sync"
        for path in self._dice.sample(self._files, len(self._files) if many else 1):
            token = f"<{self._kind} {self._count}>"
            self._count += 1
            if self._save(path, token):
                os.write(self._log, f"{path}\t{token}\n".encode())
        self.rest((0.2 if many else 0.05) * self._pace)

    def rest(self, longest_s: float) -> None:
        time.sleep(self._dice.random() * longest_s)

    def _save(self, path: str, token: str) -> bool:
        """Save; False where the file is not there at the moment."""
        style = self._kind if self._kind != "sync" else self._dice.choice(("by-rename", "old-times", "times"))
        try:
            if style == "times":
                os.utime(path, ns=(0, self._dice.randrange(10**18)))
                return False  # no content of its own
            return self._by_rename(path, token) if style == "by-rename" else self._in_place(path, token, style)
        except FileNotFoundError:
            return False

    def _in_place(self, path: str, token: str, style: str) -> bool:
        file = os.open(path, os.O_RDWR)
        try:
            before = os.fstat(file)
            text = os.pread(file, 1 << 22, 0)
            self.rest(0.003)
            if style == "old-times":  # the same size, if it can, and the time that the other side knows
                new = text.replace(b"\n", b"", 1) if text.count(b"\n") > 1 else text
                new += token.encode()
            else:
                new = text + token.encode() + b"\n"
                os.ftruncate(file, 0)
                self.rest(0.001)
            os.pwrite(file, new, 0)
            if style == "old-times":
                os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        finally:
            os.close(file)
        return True

    def _by_rename(self, path: str, token: str) -> bool:
        with open(path, "rb") as file:
            text = file.read()
        self.rest(0.002)
        beside = f"{path}.{self._kind}~"
        with open(beside, "wb") as file:
            file.write(text + token.encode() + b"\n")
        if not os.path.lexists(path):
            os.unlink(beside)
            return False
        os.rename(beside, path)
        return True


def main(kind: str, seed: str, pace: str, log: str, *files: str) -> None:
    """Work until a signal says that it is enough, and finish what is begun."""
    work = _Work(kind, int(seed), float(pace), log, list(files))
    signal.signal(signal.SIGTERM, work.stop)
    while work.going:
        work.round()


if __name__ == "__main__":
    main(*sys.argv[1:])
