"""What one worker of the tests compiled ahead is what Python and pytest take, in every worker."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compiled_ahead import compile_share, compiled_file, is_stale

WORKERS = 2


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A few modules and tests of them, compiled by nobody."""
    for number in range(3):
        (tmp_path / f"module_{number}.py").write_text(f"N = {number}\n")
        (tmp_path / f"test_{number}.py").write_text(
            f"from module_{number} import N\n\n\ndef test_it():\n    assert N + 1 == {number}\n"
        )
    return tmp_path


def share(project: Path, pytestconfig: pytest.Config, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    given = {"workerid": f"gw{number}", "workercount": WORKERS}
    monkeypatch.setattr(pytestconfig, "workerinput", given, raising=False)
    compile_share([project], pytestconfig)


def collected(project: Path) -> str:
    """Run the tests of ``project`` in a process of their own."""
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(project)]
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [*command, "-o", "pythonpath=.", "-o", "addopts=", str(project)],
        cwd=project, env=environ, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    return done.stdout


def files(project: Path) -> dict[str, int]:
    """What is compiled, and which file it is: one that is written again is another."""
    return {path.name: path.stat().st_ino for path in project.rglob("*.pyc")}


def test_the_shares_are_everything_and_nothing_is_compiled_twice(
    project: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    share(project, pytestconfig, 0, monkeypatch)
    first = files(project)
    share(project, pytestconfig, 1, monkeypatch)
    assert len(first) == 3
    assert len(files(project)) == 6
    assert files(project).items() > first.items()


def test_it_is_what_python_and_pytest_take(
    project: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(WORKERS):
        share(project, pytestconfig, number, monkeypatch)
    before = files(project)
    said = collected(project)
    assert "3 failed" in said
    assert "assert (2 + 1) == 2" in said, "assertions are rewritten"
    assert files(project) == before, "nothing was compiled again"


def test_what_was_written_since_is_stale(
    project: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(WORKERS):
        share(project, pytestconfig, number, monkeypatch)
    changed = project / "test_1.py"
    changed.write_text("def test_it():\n    pass\n")
    later = compiled_file(changed).stat().st_mtime + 10
    os.utime(changed, (later, later))
    assert [path.name for path in sorted(project.glob("*.py")) if is_stale(path)] == ["test_1.py"]


def test_what_cannot_be_compiled_is_left_to_whoever_comes_to_it(
    project: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "module_0.py").write_text("def\n")
    (project / "test_0.py").write_text("def\n")
    for number in range(WORKERS):
        share(project, pytestconfig, number, monkeypatch)
    assert len(files(project)) == 4


def test_one_that_runs_alone_compiles_nothing_ahead(
    project: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.delattr(pytestconfig, "workerinput", raising=False)
    compile_share([project], pytestconfig)
    assert not files(project)
