"""Pytest over the tests of one skill, inside a cell: what passed, what failed and why, and which rights were used."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from skills.authoring.practice import Guard, Rights
from skills.loading import load_skill
from skills.sdk import ToolError
from skills.sdk.testing import performing

_TAIL = 20_000
"""Characters of what pytest says."""

_NO_TESTS = 5
"""Pytest's exit status where it found nothing."""


def rehearsed(folder: Path, room: Path, rights: Rights) -> dict[str, Any]:
    """Run the tests of the skill in ``folder``, with ``room`` to write to; return the report. Raises ToolError."""
    sys.dont_write_bytecode = True
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        import pytest
    except ImportError as error:
        raise ToolError("The tests of a skill need pytest.", hint=f"Install it: {sys.executable} -m pip install pytest",
                        code="practice.pytest") from error  # fmt: skip
    guard, outcomes, said = Guard(load_skill(folder), rights), Outcomes(), io.StringIO()
    scratch = room / "scratch"  # beside the homes: what may be written to anywhere must not hold one of them
    scratch.mkdir()
    tempfile.tempdir = os.environ["TMPDIR"] = str(scratch)
    settings = room / "pytest.ini"
    settings.write_text("[pytest]\n")
    arguments = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "--capture=sys", "--tb=short",
                 "-c", str(settings), f"--rootdir={folder}", f"--basetemp={room / 'homes'}", str(folder)]  # fmt: skip
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), performing(guard):
        status = int(pytest.main(arguments, plugins=[outcomes]))
    return {"passed": status == 0, "empty": status == _NO_TESTS, "tests": outcomes.tests, "rights": guard.report(),
            "uncalled": guard.uncalled(), "output": said.getvalue()[-_TAIL:]}  # fmt: skip


class Outcomes:
    """A plugin of pytest that keeps how every test ended."""

    def __init__(self) -> None:
        self.tests: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take in one phase of a test: its call, or a setting up or tearing down that went wrong."""
        if report.when != "call" and report.outcome == "passed":
            return
        name = str(report.nodeid).rpartition("/")[2]
        why = str(report.longreprtext or "").strip().splitlines() if report.outcome == "failed" else []
        self.tests.append({"test": name, "outcome": str(report.outcome), "seconds": round(float(report.duration), 3),
                           "why": why[-1][:500] if why else ""})  # fmt: skip

    def pytest_collectreport(self, report: Any) -> None:
        """Take in a file of tests that could not be read."""
        if report.failed:
            lines = str(report.longreprtext or "").strip().splitlines()
            self.tests.append({"test": str(report.nodeid), "outcome": "failed", "seconds": 0.0,
                               "why": lines[-1][:500] if lines else "It cannot be read."})  # fmt: skip
