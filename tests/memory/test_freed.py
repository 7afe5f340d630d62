"""What the C library keeps of freed memory goes back to the system."""

from __future__ import annotations

import subprocess
import sys

SCATTERED = """
import sys
from pathlib import Path
from memory.freed import give_back

def rss_mb():
    return int(next(line.split()[1] for line in Path("/proc/self/status").open() if line.startswith("VmRSS"))) / 1000

pieces = [bytearray(2_000) for _ in range(40_000)]
kept = pieces[::50] + pieces[-1:]
del pieces
before = rss_mb()
if sys.argv[1] == "give back":
    give_back()
print(before - rss_mb())
"""


def _given_back_mb(how: str) -> float:
    done = subprocess.run([sys.executable, "-c", SCATTERED, how], capture_output=True, text=True, check=True)
    return float(done.stdout)


def test_freed_pieces_between_kept_ones_are_given_back() -> None:
    assert _given_back_mb("give back") > 40
    assert _given_back_mb("wait") < 5, "the control: by itself it keeps them"
