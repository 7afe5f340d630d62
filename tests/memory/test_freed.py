"""What the C library keeps of freed memory is one heap, and goes back to the system."""

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


HEAPS = """
import sys
import threading
from memory.freed import share_one_heap

if sys.argv[1] == "share":
    share_one_heap()
threads = [threading.Thread(target=lambda: kept.append([bytearray(2_000) for _ in range(100)])) for _ in range(4)]
kept = []
for one in threads:
    one.start()
for one in threads:
    one.join()

import ctypes
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""


def _heaps(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", HEAPS, how], capture_output=True, text=True, check=True)
    return done.stdout.count("<heap nr=")


def test_threads_share_one_heap() -> None:
    assert _heaps("share") == 1
    assert _heaps("each its own") > 1, "the control: each takes one of its own"
