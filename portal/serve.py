"""The daemon's process entry: ``python -P -m portal.serve``."""

from __future__ import annotations

import gc
import os
import sys

# Before numpy: one sentence at a time gains nothing from a thread pool, and idle pools cost memory.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")


def main() -> int:
    """Serve until a signal or a request to end; returns the exit status."""
    gc.disable()  # what a start makes stays: looking for garbage in it would be a tenth of its time
    from portal.host import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
