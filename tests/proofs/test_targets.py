"""Every target of the Makefile that starts a module of the tests finds it as it is started there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STARTED = re.findall(r"(?:PY\)|/bin/python)((?: -\w)*) -m (tests\.[\w.]+)", (ROOT / "Makefile").read_text())


def test_there_are_some() -> None:
    assert len(STARTED) > 20


@pytest.mark.parametrize("flags", sorted({flags for flags, _ in STARTED}), ids=repr)
def test_what_is_started_with_these_flags_is_found(flags: str) -> None:
    modules = sorted({module for found, module in STARTED if found == flags})
    look = "import importlib.util as u, sys; sys.exit([m for m in sys.argv[1:] if u.find_spec(m) is None] or 0)"
    done = subprocess.run([sys.executable, *flags.split(), "-c", look, *modules], cwd=ROOT, capture_output=True,
                          env={"PATH": "/usr/bin:/bin"}, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
