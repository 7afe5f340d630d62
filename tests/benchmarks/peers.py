"""Other ways to run something apart, to be measured beside a call: bare, in bubblewrap, in sandlock.

Each is started the way its own users start it, with the least that it needs to run a program at all. What it does not:
compare what they stop; ``make escape`` says what is stopped here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

TRUE = "/usr/bin/true"
PYTHON = (os.path.realpath(sys.executable), "-S", "-E", "-c", "pass")
SANDLOCK = "sandlock==0.9.0"
_BWRAP = (
    "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc",
    "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
    "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
)  # fmt: skip
_SANDLOCK_SIDE = """
import sys, time
from sandlock import Sandbox
PLACES = ["/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/dev", sys.argv[1]]
for line in sys.stdin:
    command = line.split("\\t")
    began = time.perf_counter()
    box = Sandbox(fs_readable=PLACES, fs_writable=["/tmp"], max_memory="512M")
    result = box.run([word.strip() for word in command])
    took = time.perf_counter() - began
    print(took * 1000 if result.success else f"failed: {result.stderr!r}", flush=True)
"""


def spawned_ms(command: Sequence[str]) -> float:
    """Return how many milliseconds ``command`` takes from ``posix_spawn`` until it is reaped. Raises SystemExit."""
    began = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ)
    status = os.waitpid(pid, 0)[1]
    took = time.perf_counter() - began
    if status:
        raise SystemExit(f"{command[0]} ended with status {os.waitstatus_to_exitcode(status)}")
    return took * 1000


def in_bubblewrap(*command: str) -> list[str]:
    """Return the command line that runs ``command`` in bubblewrap. Raises SystemExit without it."""
    program = shutil.which("bwrap")
    if program is None:
        raise SystemExit("bubblewrap is not installed, and is what this is compared with: apt install bubblewrap")
    return [program, *_BWRAP, *command]


class Sandlock:
    """A process that runs commands in sandlock and says how long each took."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ran_ms(self, *command: str) -> float:
        """Run ``command``; return its milliseconds. Raises SystemExit."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\t".join(command) + "\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline().strip()
        if not said.replace(".", "", 1).isdigit():
            raise SystemExit(f"sandlock did not run {command[0]}: {said or 'it ended'}")
        return float(said)


@contextmanager
def sandlock(scratch: Path) -> Iterator[Sandlock]:
    """Install sandlock into an environment of its own and have it ready. Raises SystemExit where that fails."""
    folder = scratch / "sandlock"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", SANDLOCK]
    if subprocess.run(pip, check=False, stderr=subprocess.DEVNULL).returncode:
        raise SystemExit(f"{SANDLOCK} could not be installed, and is what this is compared with.")
    command = [str(python), "-c", _SANDLOCK_SIDE, sys.base_prefix]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Sandlock(process)
        finally:
            process.kill()
