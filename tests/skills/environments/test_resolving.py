"""Why pip found nothing: that its index could not be reached is another thing than that it has no such package."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from skills.environments.cell.skill import unreached

PIP = (sys.executable, "-P", "-m", "pip", "--isolated", "--no-input", "--disable-pip-version-check", "install",
       "--dry-run", "--only-binary=:all:", "--no-cache-dir", "--quiet", "--retries", "1")  # fmt: skip


def told(*more: str) -> str:
    done = subprocess.run(
        [*PIP, *more, "--", "nobodys-package"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode != 0
    return done.stderr


def test_an_index_that_nobody_serves_is_not_reached() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        place = f"http://127.0.0.1:{taken.getsockname()[1]}/simple"
        assert unreached(told("--index-url", place)) == "Failed to establish a new connection: Connection refused"
        assert "Connection refused" in unreached(told("--proxy", place, "--index-url", "https://index.test/simple"))


def test_an_index_without_the_package_is_reached(tmp_path: Path) -> None:
    assert unreached(told("--no-index", "--find-links", str(tmp_path))) == ""
