"""The machine a figure was taken on, a daemon to take it from, and the table it goes into."""

from __future__ import annotations

import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def machine() -> str:
    """Name processor, cores, memory, linux and Python."""
    cpu = next((line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "?")
    ram_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = f"Linux {platform.release()}, Python {platform.python_version()}"
    return f"{cpu}, {os.cpu_count()} cores, {ram_gib:.0f} GiB, {system}"


def load() -> float:
    """Return the load average of the last minute."""
    return os.getloadavg()[0]


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines()


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and of its ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(fields[n]) for n in (11, 12, 13, 14)) * _TICK_S


def rss_mb(pid: int) -> float:
    """Return the resident memory of a process, in MB (1e6); 0 of one that has ended."""
    try:
        lines = _lines(f"/proc/{pid}/status")
    except OSError:
        return 0.0
    return int(next((line.split()[1] for line in lines if line.startswith("VmRSS")), 0)) * 1024 / 1e6


@dataclass(frozen=True, slots=True)
class Daemon:
    """A running daemon with folders of its own."""

    pid: int
    address: str
    home: Path
    socket: Path

    def cpu_s(self) -> float:
        """Return the CPU seconds of the process and of its ended children."""
        return cpu_s(self.pid)

    def rss_mb(self) -> float:
        """Return the resident memory of the process, in MB (1e6)."""
        return rss_mb(self.pid)


@contextmanager
def daemon(base: Path, **settings: str) -> Iterator[Daemon]:
    """Start a daemon with a home and folders below ``base``, and end it."""
    home = base / "home"
    home.mkdir(parents=True, exist_ok=True)
    environ = {**os.environ, "HOME": str(home), "STEWARD_HOME": str(base / "steward"), "STEWARD_PORT": "0", **settings}
    process = subprocess.Popen([sys.executable, "-P", "-m", "portal.serve"], env=environ)
    try:
        ready = base / "steward" / "run" / "daemon.json"
        yield Daemon(process.pid, _address(process, ready), home, ready.with_name("steward.sock"))
    finally:
        process.terminate()
        process.wait(20)


def _address(process: subprocess.Popen[bytes], ready: Path) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if ready.exists():
            return str(json.loads(ready.read_text())["address"])
        time.sleep(0.002)
    raise SystemExit("The daemon did not start; see daemon.log in its state folder.")


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of ``values`` lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median(values: Sequence[float]) -> float:
    """Return the middle value."""
    return statistics.median(values)


def made_up(chance: random.Random) -> str:
    """Return a name of three syllables that nobody has."""
    return "".join(chance.choice("bdfgklmnprst") + chance.choice("aeiou") for _ in range(3)).title()


def publish(name: str, title: str, text: Sequence[str], figures: dict[str, float]) -> None:
    """Write ``docs/results/<name>.md`` and ``.json``."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    head = [f"# {title}", "", f"Written by `make {name}` on {time.strftime('%Y-%m-%d')}. {machine()}.",
            f"Load average when it began: {load():.2f}.", ""]  # fmt: skip
    (RESULTS / f"{name}.md").write_text("\n".join([*head, *text]) + "\n")
    (RESULTS / f"{name}.json").write_text(json.dumps({"machine": machine(), **figures}, indent=2) + "\n")


def table(figures: Mapping[str, float]) -> list[str]:
    """Return figures as a table of names and values."""
    return ["| | |", "|---|---|", *(f"| {name} | {value:.4g} |" for name, value in figures.items())]


def result(
    name: str, figures: dict[str, float], limits: dict[str, float], least: Mapping[str, float] | None = None
) -> int:
    """Print the RESULT line, held against upper ``limits`` and lower ones (``least``); return the exit status."""
    good = all(figures[key] <= limit for key, limit in limits.items())
    good = good and all(figures[key] >= limit for key, limit in (least or {}).items())
    pairs = " ".join(f"{key}={value:g}" for key, value in figures.items())
    print(f"RESULT {name} {'pass' if good else 'short'} {pairs}")
    return 0 if good else 1
