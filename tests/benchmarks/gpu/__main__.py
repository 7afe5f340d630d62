"""What the Triton family comes to on an NVIDIA GPU: eleven rows beside eager torch, torch.compile and AutoKernel.

make gpu-check [AUTOKERNEL=checkout]    or    python3 -m tests.benchmarks.gpu [--autokernel checkout] [--minutes 9]

One command of at most ten minutes. It needs torch, Triton and numpy, no network, nothing of ``.venv``. Ceilings are
measured in the same run. Where there is no GPU nothing is measured, nothing is written, and it says so.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import importlib.util
import sys
from pathlib import Path

_GRACE_S = 40.0


def missing() -> str:
    """Return why nothing can be measured here, or nothing."""
    for name in ("numpy", "torch", "triton"):
        if importlib.util.find_spec(name) is None:
            return f"{name} is not installed (./steward setup gpu)"
    torch = importlib.import_module("torch")
    if not torch.version.cuda:
        return f"torch {torch.__version__} was not built for NVIDIA GPUs"
    return "" if torch.cuda.is_available() else "there is no NVIDIA GPU that torch can use"


def main() -> int:
    """Measure, print, publish."""
    given = _given()
    why = missing()
    if why:
        print(f"gpu-check: nothing was measured and nothing is written: {why}.")
        return 0
    from tests.benchmarks.gpu.check import measure
    from tests.benchmarks.gpu.page import told, whole
    from tests.benchmarks.gpu.rows import rows

    faulthandler.dump_traceback_later(given.minutes * 60 + _GRACE_S, exit=True)  # what never comes back to Python
    torch = importlib.import_module("torch")
    results = measure(torch, minutes=given.minutes, checkout=given.autokernel, only=given.only)
    faulthandler.cancel_dump_traceback_later()
    wanted = given.only or [one.name for one in rows(torch)]
    print(told(results, wanted))
    return 0 if whole(results, wanted) else 1


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m tests.benchmarks.gpu")
    parser.add_argument("--autokernel", type=Path, help="a checkout of AutoKernel, whose kernels run beside ours")
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--only", action="append", default=[], help="a row; may be given again")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
