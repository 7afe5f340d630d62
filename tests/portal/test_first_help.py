"""``./steward --help`` on a machine where nothing is set up yet: it answers at once, and makes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
USAGE = ROOT / "portal" / "cli" / "usage.txt"


@pytest.mark.parametrize("word", ["--help", "-h", "help"])
def test_help_needs_no_setup(tmp_path: Path, word: str) -> None:
    venv = tmp_path / "venv"
    environ = {**os.environ, "STEWARD_VENV": str(venv)}
    done = subprocess.run([ROOT / "steward", word], env=environ, capture_output=True, text=True, check=True, timeout=10)
    assert done.stdout == USAGE.read_text()
    assert str(venv) in done.stderr
    assert not venv.exists()


def test_it_is_what_the_command_line_says_of_itself() -> None:
    command = [sys.executable, "-P", "-m", "portal.cli", "--help"]
    environ = {**os.environ, "COLUMNS": "80"}
    said = subprocess.run(command, env=environ, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert said == USAGE.read_text(), "write it anew: COLUMNS=80 python -m portal.cli --help > portal/cli/usage.txt"
