"""The results as JSON, raw samples and all, and as a table."""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from gpu_skills.tiles import Target
from tests.benchmarks.gpu.rows import Row
from tests.benchmarks.gpu.timing import ratio
from tests.benchmarks.machine import RESULTS

BOUND = 2e-2
"""Of the norm, in bf16: a side that is further off is named and not raced."""
SIDES = ("eager", "library", "compile", "autokernel")


class Measured(Protocol):
    """What a row came to."""

    row: Row
    genome: Mapping[str, Any]
    tried: int
    samples: dict[str, list[float]]
    errors: dict[str, float]
    failed: dict[str, str]


def floor_us(row: Row, peaks: Mapping[str, float]) -> float:
    """Return the least time of a row by the ceilings of this run."""
    moved = row.size_bytes / peaks["copy_gb_s"] / 1e3
    return max(moved, row.operations / peaks["matmul_tflop_s"] / 1e6)


def lines(peaks: Mapping[str, float], results: Sequence[Measured]) -> list[str]:
    """Return the table: medians in microseconds, and how many times longer each other side took."""
    found = [
        "| row (bf16) | floor us | ours us | % of ceiling | " + " | ".join(f"{one} us" for one in SIDES) + " | "
        + " | ".join(f"{one} / ours" for one in SIDES) + " |",
        "|---|" + "---|" * (3 + 2 * len(SIDES)),
    ]  # fmt: skip
    for one in results:
        floor, ours = floor_us(one.row, peaks), one.samples.get("ours")
        middle = statistics.median(ours) if ours else float("nan")
        cells = [f"{one.row.name} {one.row.said}", f"{floor:.1f}", f"{middle:.1f}", f"{100 * floor / middle:.0f}"]
        cells += [_time(one, name) for name in SIDES] + [_ratio(one, name) for name in SIDES]
        found.append("| " + " | ".join(cells) + " |")
    failures = [f"- {one.row.name}, {name}: {said}" for one in results for name, said in one.failed.items()]
    return [*found, *(["", "Not raced:", "", *failures] if failures else [])]


def _time(one: Measured, name: str) -> str:
    return f"{statistics.median(one.samples[name]):.1f}" if name in one.samples else "-"


def _ratio(one: Measured, name: str) -> str:
    if name not in one.samples or "ours" not in one.samples:
        return "-"
    middle, low, high = ratio(one.samples[name], one.samples["ours"])
    return f"{middle:.2f} [{low:.2f}, {high:.2f}]"


def whole(results: Sequence[Measured], wanted: Sequence[str]) -> bool:
    """Tell whether every wanted row was measured, and ours is right in it."""
    right = {one.row.name for one in results if _both(one) and one.errors.get("ours", 1.0) <= BOUND}
    return bool(wanted) and right.issuperset(wanted)


def below_1(results: Sequence[Measured]) -> int:
    """Return in how many rows ours is slower than eager torch or torch.compile."""
    return sum(any(ratio(one.samples[side], one.samples["ours"])[0] < 1.0 for side in ("eager", "compile")
                   if side in one.samples) for one in results if "ours" in one.samples)  # fmt: skip


def told(results: Sequence[Measured], wanted: Sequence[str]) -> str:
    """Return the line that ends the run: how many times longer torch.compile took, row by row."""
    both = [one for one in results if _both(one)]
    pairs = [f"{one.row.name}={ratio(one.samples['compile'], one.samples['ours'])[0]:.3g}" for one in both]
    state = "pass" if whole(results, wanted) else "short"
    return " ".join(["RESULT gpu-check", state, f"rows={len(both)}/{len(wanted)}", f"rows_below_1={below_1(results)}",
                     *pairs])  # fmt: skip


def _both(one: Measured) -> bool:
    return "ours" in one.samples and "compile" in one.samples


def publish(torch: Any, target: Target, peaks: Mapping[str, float], results: Sequence[Measured]) -> None:
    """Write ``docs/results/gpu-check.md`` and ``.json``."""
    triton = __import__("triton").__version__
    about = f"{target.name}, {target.processors} processors, torch {torch.__version__}, Triton {triton}"
    head = [
        "# The Triton family on an NVIDIA GPU", "",
        f"Written by `make gpu-check` on {time.strftime('%Y-%m-%d')}. {about}, Python {platform.python_version()}.", "",
        f"Ceilings of this run: copying {peaks['copy_gb_s']:.0f} GB/s (read and written), products in bf16 "
        f"{peaks['matmul_tflop_s']:.0f} TFLOP/s on random numbers.",
        "Each side was right against float64 before it was timed; caches are flushed before each call; sides take "
        "turns in an order that is drawn anew each round. Ratios are medians of pairs with 95 % intervals (sign test).",
        "`eager` is the function as a person writes it, `library` torch's own fused one, `compile` torch.compile "
        "(max-autotune, no CUDA graphs) of the first. Attention is three sweeps that are not fused.", "",
    ]  # fmt: skip
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "gpu-check.md").write_text(
        "\n".join(
            [*head, *lines(peaks, results), "", f"Rows below 1: {below_1(results)} (slower than eager or compile)."]
        )
        + "\n"
    )
    rows = [
        {"row": one.row.name, "shape": one.row.said, "bytes": one.row.size_bytes, "operations": one.row.operations,
         "floor_us": floor_us(one.row, peaks), "genome": dict(one.genome), "genomes_tried": one.tried,
         "errors": one.errors, "failed": one.failed, "samples_us": one.samples}
        for one in results
    ]  # fmt: skip
    written = {"gpu": about, "ceilings": dict(peaks), "rows_below_1": below_1(results), "rows": rows}
    (RESULTS / "gpu-check.json").write_text(json.dumps(written, indent=1) + "\n")
