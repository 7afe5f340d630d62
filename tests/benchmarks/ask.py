"""A warm one-task request, from the daemon's socket to the committed result, and where its time goes.

python -m tests.benchmarks.ask
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks.machine import Daemon, daemon, median, publish, quantile, result

LIMITS = {"p50_ms": 60.0, "p95_ms": 150.0}
WARM_UP, COUNTED = 10, 100
LONGEST_WARMING_S = 60
STAGES = ("interpret_ms", "recommend_ms", "plan_ms", "authorize_ms", "sandbox_ms", "commit_ms", "ledger_ms", "total_ms")


def ask(client: httpx.Client, text: str, yes: bool = True) -> dict[str, Any]:
    """Send one request and wait for its resolution over the event stream; return the run's view."""
    run = client.post("/api/v1/runs", json={"text": text, "yes": yes}).raise_for_status().json()["run"]
    with client.stream("GET", f"/api/v1/runs/{run}/events") as events:
        for line in events.iter_lines():
            if line.startswith("data:") and json.loads(line[5:]).get("kind") == "run.finished":
                break
    return dict(client.get(f"/api/v1/runs/{run}").raise_for_status().json())


def settle(one: Daemon) -> None:
    """Wait until the encoder is warm and the wall has been tried: a person's first request is not what is measured."""
    transport = httpx.HTTPTransport(uds=str(one.socket))
    deadline = time.monotonic() + LONGEST_WARMING_S
    with httpx.Client(transport=transport, base_url="http://steward", timeout=60) as client:
        while time.monotonic() < deadline:
            status = client.get("/api/v1/status").raise_for_status().json()
            if status["encoder"] == "warm" and "acts were refused" in status["wall_test"]:
                return
            time.sleep(0.2)
    raise SystemExit(f"Not ready after {LONGEST_WARMING_S} s: {status['encoder']}; {status['wall_test']}")


def measure(one: Daemon) -> tuple[list[float], list[dict[str, float]]]:
    """Return the wall milliseconds of each counted request as the client sees them, and each run's own timings."""
    walls, timings = [], []
    transport = httpx.HTTPTransport(uds=str(one.socket))
    with httpx.Client(transport=transport, base_url="http://steward", timeout=60) as client:
        for number in range(WARM_UP + COUNTED):
            began = time.perf_counter()
            view = ask(client, f"save a note called 'measured {number}' saying 'one more'")
            if view["resolution"] != "confirmed":
                raise SystemExit(f"The request ended as {view['resolution']}: {view['answer']}")
            if number >= WARM_UP:
                walls.append((time.perf_counter() - began) * 1000)
                timings.append(view["timings"])
    return walls, timings


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    with tempfile.TemporaryDirectory() as scratch, daemon(Path(scratch)) as one:
        settle(one)
        walls, timings = measure(one)
    figures = {"p50_ms": round(median(walls), 1), "p95_ms": round(quantile(walls, 0.95), 1)}
    rows = ["A one-task request that changes something (a new note), answered by a yes in advance: interpreted,",
            "planned, authorised, run in a fresh cell, sealed, committed with its journal on disk, remembered.", "",
            f"As the client sees it, over the Unix socket: p50 {figures['p50_ms']} ms, p95 {figures['p95_ms']} ms "
            f"(bounds {LIMITS['p50_ms']:g} and {LIMITS['p95_ms']:g}), {COUNTED} requests.", "",
            "| stage | p50 ms | p95 ms |", "|---|---|---|"]  # fmt: skip
    for stage in STAGES:
        values = [timing.get(stage, 0.0) for timing in timings]
        rows.append(f"| {stage.removesuffix('_ms')} | {median(values):.2f} | {quantile(values, 0.95):.2f} |")
    publish("bench-ask", "A warm request", rows, figures)
    return result("bench-ask", figures, LIMITS)


if __name__ == "__main__":
    sys.exit(main())
