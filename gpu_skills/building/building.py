"""Running the compiler: fixed flags, a deadline, bounded output, nothing left behind when it fails."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gpu_skills.errors import BuildFailed, BuildTookTooLong, CompilerMissing
from gpu_skills.model import Built, Candidate

FLAGS: Final = (
    "-std=c++17", "-O2", "-fPIC", "-shared", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden",
    "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast", "-fno-strict-aliasing", "-pthread", "-w",
)  # fmt: skip
"""Nothing here changes what a float is: no -ffast-math, no -march (a source names what it needs, and asks first)."""
SANITIZED: Final = (
    "-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer",
    "-ftrivial-auto-var-init=pattern", "-DSANITIZED", "-U__SANITIZE_ADDRESS__",
)  # fmt: skip
"""The compiler's own name for such a build is taken back; ``SANITIZED``, which our prelude asks for, is there."""
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,119}")
_LINES_SHOWN, _RAM_BYTES, _FILE_BYTES = 12, 4 << 30, 64 << 20


def build(
    candidate: Candidate, folder: Path, *, sanitize: bool = False, timeout_s: float = 60.0, flags: Sequence[str] = ()
) -> Built:
    """Build a candidate into ``folder`` and return the library. ``flags`` are the caller's, beyond ``FLAGS``.

    With ``sanitize`` the library carries the address and undefined-behaviour sanitizers, automatic variables begin as
    a pattern, and it must be loaded by a process that has libasan first; the source finds ``SANITIZED`` defined.
    Raises CompilerMissing, BuildFailed, BuildTookTooLong.
    """
    if not _ID.fullmatch(candidate.id):
        raise BuildFailed(
            "build.refused",
            f"A candidate is called {candidate.id[:40]!r}.",
            hint="Its id names files: letters, digits, . _ -",
        )
    folder.mkdir(parents=True, exist_ok=True)
    name = candidate.id + ("-sanitized" if sanitize else "")
    source, library = folder / f"{name}.cpp", folder / f"{name}.so"
    _written(source, candidate.source)
    more = [one for one in flags if one not in FLAGS]
    began = time.monotonic()
    command = compiled(source, library, (*FLAGS, *more, *(SANITIZED if sanitize else ())), timeout_s)
    seconds = time.monotonic() - began
    return Built(candidate, library, hashlib.sha256(library.read_bytes()).hexdigest(), command, seconds)


def compiled(source: Path, made: Path, flags: Sequence[str], timeout_s: float = 60.0) -> tuple[str, ...]:
    """Compile ``source`` to ``made``, which appears whole or not at all; return the command.

    Raises CompilerMissing, BuildFailed, BuildTookTooLong.
    """
    with tempfile.TemporaryDirectory(prefix=".half-", dir=made.parent) as folder:
        half = Path(folder) / made.name
        links = tuple(one for one in flags if one.startswith("-l"))
        others = tuple(one for one in flags if not one.startswith("-l"))
        command = (compiler(), *others, "-o", str(half), str(source), *links, "-lm")
        _run(command, made.parent, timeout_s)
        half.replace(made)
    return command


def _written(place: Path, text: str) -> None:
    """Write a file that others may be reading: they see it whole, as it was or as it is."""
    with tempfile.TemporaryDirectory(prefix=".half-", dir=place.parent) as folder:
        half = Path(folder) / place.name
        half.write_text(text, encoding="utf-8")
        half.replace(place)


def compiler() -> str:
    """Return where g++ lies. Raises CompilerMissing."""
    found = shutil.which("g++")
    if found is None:
        raise CompilerMissing(
            "build.compiler_missing",
            "There is no g++ on this machine.",
            hint="Install one: apt install g++ (or gcc-c++).",
        )
    return found


def _run(command: tuple[str, ...], folder: Path, timeout_s: float) -> None:
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True,
                                 preexec_fn=_limits, cwd=folder, env=_environment())  # noqa: PLW1509  # fmt: skip
        try:
            in_time = _has_ended(child, timeout_s)
        finally:
            _ended(child)
        said.seek(0)
        text = said.read(200_000).decode(errors="replace")
    if not in_time:
        raise BuildTookTooLong(
            "build.too_long", f"The compiler was not done after {timeout_s:g} s.", hint="Propose a smaller kernel."
        )
    if child.returncode != 0:
        shown = "\n".join(text.splitlines()[:_LINES_SHOWN])
        raise BuildFailed("build.refused", f"The compiler refused the candidate (exit {child.returncode}):\n{shown}")


def _has_ended(child: subprocess.Popen[bytes], within_s: float) -> bool:
    """Tell whether a child ends in time. It keeps its number, by which its group can be ended, until ``wait``."""
    until, pause = time.monotonic() + within_s, 0.0005
    while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() > until:
            return False
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    return True


def _ended(child: subprocess.Popen[bytes]) -> None:
    """End the compiler and the processes it started, while their number is still theirs."""
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {"PATH": os.defpath, "LC_ALL": "C", **kept}


def _limits() -> None:
    limits = ((resource.RLIMIT_AS, _RAM_BYTES), (resource.RLIMIT_FSIZE, _FILE_BYTES), (resource.RLIMIT_CORE, 0))
    for kind, wanted in limits:
        hard = resource.getrlimit(kind)[1]  # that of a cell may be lower
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (most, most))
