"""Take the captures in README.md: the first two commands, run for real in a pseudo-terminal, and the page.

    python docs/capture.py [--tests]        # --tests runs the second command too (minutes); else its capture stays
    python -m docs.capture --page           # docs/page.png instead: the page, in a headless Chromium

The home is a small one made for it; the setup's own lines are from this machine.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGE = ROOT / "docs" / "page.png"
ASK = "find the three largest files in ~/Downloads and save their names as a note called big files"
FILES = {"ubuntu-24.04.iso": 21_000_000, "holiday clip.mp4": 9_400_000, "backup-2025.zip": 5_200_000,
         "boarding pass.pdf": 180_000, "notes.txt": 2_000}  # fmt: skip
PATIENCE_S = 60
ASKED = b"[n] no: "
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[=>]")


def run(command: list[str], environ: dict[str, str], answer: bytes = b"") -> str:
    """Run ``command`` in a terminal of 96 columns, answer its first question, return what it showed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, environ)  # noqa: S606
    shown, answered, began = b"", not answer, time.monotonic()
    while time.monotonic() - began < PATIENCE_S:
        ready, _, _ = select.select([terminal], [], [], 0.5)
        if ready:
            try:
                part = os.read(terminal, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        elif not answered and ASKED in shown:
            os.write(terminal, answer)
            answered = True
    os.waitpid(pid, 0)
    return screen(shown.decode("utf-8", "replace"))


def screen(text: str) -> str:
    """Return what stays on the screen: no colours, no overwritten progress."""
    lines = [line.split("\r")[-1].rstrip() for line in ANSI.sub("", text).replace("\r\n", "\n").split("\n")]
    return "\n".join(lines).strip("\n")


@contextmanager
def small_home() -> Iterator[tuple[Path, dict[str, str]]]:
    """A home with a few downloads, and the environment of its person."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "jana"
        (home / "Downloads").mkdir(parents=True)
        for name, size in FILES.items():
            with open(home / "Downloads" / name, "wb") as file:
                file.truncate(size)
        environ = {**os.environ, "HOME": str(home), "STEWARD_HOME": f"{scratch}/steward", "COLUMNS": "96",
                   "LINES": "50", "TERM": "xterm", "STEWARD_PORT": "0"}  # fmt: skip
        try:
            yield home, environ
        finally:
            subprocess.run(["./steward", "down"], env=environ, check=False, capture_output=True)


def page() -> int:
    """Ask two things on the page, and keep the picture of it."""
    from tests.portal.browser import Tab

    with small_home() as (_, environ), tempfile.TemporaryDirectory() as profile:
        subprocess.run(["./steward", "up"], env=environ, check=True, capture_output=True)
        shown = subprocess.run(
            ["./steward", "open", "--print", "--json"], env=environ, check=True, capture_output=True, text=True
        )
        tab = Tab(Path(profile))
        try:
            tab.look(1100, 860)
            tab.open(json.loads(shown.stdout)["url"])
            tab.until("document.getElementById('link')?.dataset.state === 'live'")
            tab.settle(ASK)
            tab.ask("delete the largest file in Downloads")
            tab.until("document.querySelectorAll('.run').length === 2")
            tab.until("document.querySelector('.card [data-answer=once]:enabled')")
            PAGE.write_bytes(tab.picture())
        finally:
            tab.close()
    return 0


def main() -> int:
    """Run, and write the capture between its marks."""
    with small_home() as (home, environ):
        shown = run(["./steward", "ask", ASK], environ, b"y\n").replace(str(home), "/home/jana")
    text = README.read_text("utf-8")
    old = re.search(r"\$ make test\n(.*?)\n```\n<!-- /capture -->", text, re.DOTALL)
    tests = old[1] if old else ""
    if "--tests" in sys.argv:
        done = subprocess.run(["make", "test"], capture_output=True, text=True, check=False)
        tests = "\n".join(["...", *done.stdout.strip().splitlines()[-1:]])
    second = f"$ make test\n{tests}\n" if tests else ""
    block = f'```console\n$ ./steward ask "{ASK}"\n{shown}\n{second}```\n'
    start, end = text.index("<!-- capture: made by docs/capture.py -->"), text.index("<!-- /capture -->")
    README.write_text(text[:start] + "<!-- capture: made by docs/capture.py -->\n" + block + text[end:], "utf-8")
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(page() if "--page" in sys.argv else main())
