"""Does a test notice when a guard of permissions goes? A seeded sample of guarding lines is taken out, one at a time.

A guarding line is a ``raise`` or ``return`` that an ``if`` leads to, or a call whose name says that it checks. It is
replaced by ``pass`` in a copy, and the tests of its room run there, those named after the file first; one must fail.
Only a test judges that passes with every line in its place: before all, and again right after it has failed.

python -m tests.proofs.mutants [--sample N]
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Lock
from typing import TypeVar

from tests.benchmarks.machine import ROOT, publish, result
from tests.proofs.judges import BOOK, NAME, PROFILE

SEED = 20261122
SAMPLE = 60
WANTED_PCT = 90.0
WHOLE_S = 20 * 60.0
ONE_S = 240.0
_CHECKS = re.compile(r"_?(check(?!point)|refuse|require|must|forbid|restrict|strip|verify|drop_cap|seal)")
_ROOMS = ("permissions", "memory", "skills", "kernel", "portal", "gpu_skills")
_COPIED = (*_ROOMS, "tests", "conftest.py", "pyproject.toml", "README.md")
_NOBODY, _NO_JUDGE = "nobody", "exit 5"
_WRITING = Lock()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Guard:
    """One line that guards: ``path`` relative to the repository, the lines of the statement, and what it says."""

    path: str
    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a mutant: ``killed`` by whom, or None if every test still passed."""

    guard: Guard
    killed: str | None
    wall_s: float


def guards(path: Path) -> Iterator[Guard]:
    """Yield the guarding lines of a file."""
    lines = path.read_text().splitlines()
    for node in ast.walk(ast.parse(path.read_text())):
        wanted: list[ast.stmt] = []
        if isinstance(node, ast.If):
            wanted = [one for one in node.body[-1:] if isinstance(one, ast.Raise | ast.Return)]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _CHECKS.match(_called(node.value)):
            wanted = [node]
        for one in wanted:
            last = one.end_lineno or one.lineno
            yield Guard(str(path.relative_to(ROOT)), one.lineno, last, lines[one.lineno - 1].strip())


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def sample(count: int) -> list[Guard]:
    """Return ``count`` guarding lines of permissions, the same ones for the same code."""
    found = [guard for path in sorted((ROOT / "permissions").rglob("*.py")) for guard in guards(path)]
    return Random(SEED).sample(found, min(count, len(found)))


def room_of(path: str) -> str:
    """Return the folder of the tests of a file's room."""
    _, *rooms, _ = Path(path).with_suffix("").parts
    return str(Path("tests", "permissions", *rooms[:1]))


def tests_of(room: str, copy: Path) -> list[str]:
    """Return the test files of a room, as they are in a copy."""
    return [str(one.relative_to(copy)) for one in sorted((copy / room).glob("test_*.py"))]


def without(guard: Guard, copy: Path) -> str:
    """Take the guard out of the copy; return what stood there before."""
    path = copy / guard.path
    before = path.read_text()
    lines = before.splitlines(keepends=True)
    indent = re.match(r"\s*", lines[guard.first - 1])
    assert indent
    lines[guard.first - 1 : guard.last] = [f"{indent[0]}pass\n"]
    path.write_text("".join(lines))
    return before


def judged(copy: Path, tests: Sequence[str], book: Path, name: str, patience_s: float) -> str | None:
    """Run ``tests`` in the copy; return who failed first, None when nobody did in the time there is."""
    command = [sys.executable, "-P", "-m", "pytest", "-p", "tests.proofs.judges", f"--hypothesis-profile={PROFILE}",
               "-p", "no:cacheprovider", "--timeout", "60", "--tb=no", "-rfE"]  # fmt: skip
    stop = ["-x"] if book.exists() else []
    environ = {**os.environ, "PYTHONPATH": str(copy), BOOK: str(book), NAME: name}  # its own code, not the installed
    try:
        done = subprocess.run([*command, *stop, *tests], cwd=copy, capture_output=True, text=True, env=environ,
                              timeout=max(1.0, patience_s), check=False, start_new_session=True)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None  # a test that hangs is ended, and told, by its own timeout
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return None if done.returncode == 0 else (failed[1] if failed else f"exit {done.returncode}")


def try_mutant(guard: Guard, copy: Path, book: Path, until: float) -> Finding:
    """Run the tests of the guard's room without it; whoever fails must pass again with it."""
    began = time.monotonic()
    name, room = Path(guard.path).stem, tests_of(room_of(guard.path), copy)
    while True:
        before = without(guard, copy)
        try:
            killed = judged(copy, room, book, name, min(ONE_S - (time.monotonic() - began), until - time.monotonic()))
        finally:
            (copy / guard.path).write_text(before)
        if killed == _NO_JUDGE:
            return Finding(guard, None, time.monotonic() - began)
        if killed is None or "::" not in killed or not judged(copy, [killed.partition("[")[0]], book, name, ONE_S):
            return Finding(guard, killed, time.monotonic() - began)
        _dismiss(book, killed)


def _dismiss(book: Path, judge: str) -> None:
    """Let a test judge nobody any more: it fails with every line in its place, too."""
    with _WRITING:
        book.write_text(json.dumps({**json.loads(book.read_text()), judge: None}))


def first_run(copy: Path, room: str, top: Path) -> Path:
    """Run a room with every line in its place; return the book of who judges."""
    book = top / f"{Path(room).name}.json"
    judged(copy, tests_of(room, copy), book, _NOBODY, WHOLE_S)
    return book


def copied(top: Path, number: int) -> Path:
    """Make a copy of the code and its tests."""
    copy = top / f"copy{number}"
    copy.mkdir()
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    return copy


def sweep(chosen: Sequence[Guard], whole_s: float = WHOLE_S) -> list[Finding]:
    """Try every mutant, as many at a time as there are processors, each in a copy of its own.

    What there is no time for is left out of the answer.
    """
    until = time.monotonic() + whole_s
    with tempfile.TemporaryDirectory(prefix="steward-mutants-") as folder:
        top, copies, lanes = Path(folder), SimpleQueue[Path](), os.cpu_count() or 1
        top.chmod(0o755)  # some tests are another user's, who has to read the code
        for number in range(lanes):
            copies.put(copied(top, number))

        def in_copy(work: Callable[[Path], T]) -> T:
            copy = copies.get()
            try:
                return work(copy)
            finally:
                copies.put(copy)

        def one(guard: Guard) -> Finding | None:
            if until - time.monotonic() < ONE_S / 4:
                return None
            return in_copy(lambda copy: try_mutant(guard, copy, books[room_of(guard.path)], until))

        rooms = sorted({room_of(guard.path) for guard in chosen})
        with ThreadPoolExecutor(lanes) as pool:
            run = pool.map(lambda room: in_copy(lambda copy: first_run(copy, room, top)), rooms)
            books = dict(zip(rooms, run, strict=True))
            return [found for found in pool.map(one, chosen) if found]


def page(findings: Sequence[Finding], wall_s: float) -> list[str]:
    """Return who killed what, and what survived."""
    rows = [" ".join((__doc__ or "").split("\n\n")[1].split()), "", f"{len(findings)} mutants in {wall_s:.0f} s.", ""]
    rows += ["| line | what was taken out | killed by |", "|---|---|---|"]
    for one in sorted(findings, key=lambda finding: (finding.killed is not None, finding.guard.path)):
        text = one.guard.text.replace("|", "\\|")[:90]
        rows.append(f"| {one.guard.path}:{one.guard.first} | `{text}` | {one.killed or '**survived**'} |")
    return rows


def main() -> int:
    """Try, publish, and close with one RESULT line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=SAMPLE)
    wish = parser.parse_args()
    began = time.monotonic()
    findings = sweep(sample(wish.sample))
    wall_s = time.monotonic() - began
    killed = 100 * sum(one.killed is not None for one in findings) / len(findings)
    figures = {"mutants_killed_pct": round(killed, 1), "mutants": float(len(findings)), "wall_s": round(wall_s)}
    rows = page(findings, wall_s)
    if wish.sample == SAMPLE:
        publish("mutants", "Guards taken out", rows, figures)
    else:
        print("\n".join(rows))
    lacking = {"lacking_pct": max(0.0, WANTED_PCT - killed), "untried": float(wish.sample - len(findings))}
    return result("mutants", {**figures, **lacking}, {"lacking_pct": 0, "untried": 0, "wall_s": WHOLE_S + 30})


if __name__ == "__main__":
    sys.exit(main())
