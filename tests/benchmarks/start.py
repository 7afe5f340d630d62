"""What a start and an idle daemon cost: CPU to the first page, resident memory, idle CPU, size on disk.

Beside it, start by start, the smallest server of the same libraries: one page from FastAPI and uvicorn.

python -m tests.benchmarks.start
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from tests.benchmarks.machine import ROOT, cpu_s, daemon, median, publish, result

LIMITS = {"cpu_first_page_s": 0.6, "idle_rss_mb": 150.0, "idle_cpu_pct": 0.1, "install_mb": 650.0}
STARTS = 5
SMALLEST = """
import socket, sys
import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse

app = FastAPI()

@app.get("/", response_class=HTMLResponse)
def page() -> str:
    return "<html></html>"

uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
"""
SETTLE_S, IDLE_S = 15.0, 30.0


def first_page(base: Path) -> tuple[float, float]:
    """Return CPU and wall seconds from the start of the process to the first page served."""
    began = time.monotonic()
    with daemon(base) as one:
        with urllib.request.urlopen(one.address, timeout=20) as page:
            if b"<html" not in page.read().lower():
                raise SystemExit("The first page is no page.")
        return one.cpu_s(), time.monotonic() - began


def smallest_first_page() -> float:
    """Return CPU seconds of the smallest server up to its first page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, "-P", "-c", SMALLEST, str(port)]) as process:
        try:
            _first_answer(f"http://127.0.0.1:{port}/", process)
            return cpu_s(process.pid)
        finally:
            process.terminate()


def _first_answer(address: str, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=20).read()
        except OSError:
            time.sleep(0.002)
        else:
            return
    raise SystemExit("The smallest server did not start.")


def idle(base: Path) -> tuple[float, float, float]:
    """Return resident MB, CPU percent and the CPU seconds up to then of a daemon that is warm and that nobody asks."""
    with daemon(base) as one:
        urllib.request.urlopen(one.address, timeout=20).read()
        time.sleep(SETTLE_S)
        before, began = one.cpu_s(), time.monotonic()
        time.sleep(IDLE_S)
        return one.rss_mb(), 100 * (one.cpu_s() - before) / (time.monotonic() - began), before


def install_mb() -> float:
    """Return the size of what ``./steward`` installs (without the tests' and extras' packages), in MB."""
    with tempfile.TemporaryDirectory() as scratch:
        venv = Path(scratch) / "venv"
        subprocess.run([ROOT / "steward", "--version"], env={**os.environ, "STEWARD_VENV": str(venv)}, check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        blocks = sum(path.lstat().st_blocks for path in venv.rglob("*"))
        return blocks * 512 / 1e6


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    with tempfile.TemporaryDirectory() as scratch:
        first_page(Path(scratch) / "cold")
        smallest_first_page()
        starts, peers = [], []
        for number in range(STARTS):
            starts.append(first_page(Path(scratch) / str(number)))
            peers.append(smallest_first_page())
        rss_mb, cpu_pct, warm_s = idle(Path(scratch) / "idle")
    wall = median([wall for _, wall in starts])
    ratios = [ours / peer for (ours, _), peer in zip(starts, peers, strict=True)]
    figures = {
        "cpu_first_page_s": round(median([cpu for cpu, _ in starts]), 3), "idle_rss_mb": round(rss_mb, 1),
        "idle_cpu_pct": round(cpu_pct, 3), "install_mb": round(install_mb(), 0), "cpu_warm_s": round(warm_s, 3),
        "times_smallest": round(median(ratios), 2),
    }  # fmt: skip
    rows = ["| what | measured | bound |", "|---|---|---|"]
    rows += [f"| {key} | {figures[key]:g} | {limit:g} |" for key, limit in LIMITS.items()]
    spread = f"{median(ratios):.2f} times ({min(ratios):.2f} to {max(ratios):.2f})"
    rows += ["", f"CPU to the first page: {spread} that of the smallest FastAPI server ({median(peers):.2f} s), each",
             "start in turn with one of ours. Ours serves its page before it loads the framework's routes, the skills",
             "and the language, which the first request needs.",
             f"Wall time to the first page: {wall:.2f} s (median of {STARTS} starts, one uncounted before).",
             f"Idle: {SETTLE_S:.0f} s after the first page, over {IDLE_S:.0f} s, encoder warm.",
             f"CPU until then, everything loaded: {warm_s:.2f} s (work that is only put off shows here)."]  # fmt: skip
    publish("bench-start", "Start and idle cost", rows, figures)
    return result("bench-start", figures, LIMITS)


if __name__ == "__main__":
    sys.exit(main())
