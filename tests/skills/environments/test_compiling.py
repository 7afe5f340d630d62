"""Modules compiled ahead: of their own sources, none of them run, nothing else taken along."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from skills.environments import compiling
from skills.environments.compiling import compiled, take
from skills.environments.model import BOUNDS

TAG = sys.implementation.cache_tag


def sources(tmp_path: Path) -> Path:
    """An environment with a module that would leave a trace if it ran, one that is none, and one of a package."""
    lib = tmp_path / "lib"
    (lib / "lune").mkdir(parents=True)
    (lib / "lune" / "__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nFROM = 'the source'\n")
    (lib / "mare.py").write_text("FROM = 'the source'\n")
    (lib / "broken.py").write_text("def (:\n")
    (lib / "nothing.py").write_bytes(b"\0")
    (lib / "deep.py").write_text("-" * 50_000 + "1")
    return lib


def said_by(lib: Path, module: str) -> str:
    code = f"import sys; sys.path.insert(0, {str(lib)!r}); import {module}; print({module}.FROM)"
    done = subprocess.run([sys.executable, "-P", "-B", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_what_can_be_compiled_is_and_nothing_of_it_runs(tmp_path: Path) -> None:
    """The control: the trace is there as soon as the module is imported."""
    lib, goal = sources(tmp_path), tmp_path / "made"
    assert compiled(lib, goal) == take(goal, lib) == 2
    assert not (tmp_path / "ran").exists()
    found = sorted(path.relative_to(lib).as_posix() for path in lib.rglob("*.pyc"))
    assert found == [f"__pycache__/mare.{TAG}.pyc", f"lune/__pycache__/__init__.{TAG}.pyc"]
    assert said_by(lib, "lune") == "the source"
    assert (tmp_path / "ran").exists()


def test_what_was_compiled_is_what_python_loads(tmp_path: Path) -> None:
    """The source is not looked at again: so both are held by their sums (``Kept.check``)."""
    lib, goal = sources(tmp_path), tmp_path / "made"
    compiled(lib, goal)
    take(goal, lib)
    (lib / "mare.py").write_text("FROM = 'somewhere else'\n")
    assert said_by(lib, "mare") == "the source"


@pytest.mark.parametrize("whole", [True, False])
def test_no_link_on_the_way_leads_to_a_file_of_somebody_elses(tmp_path: Path, whole: bool) -> None:
    """A source that takes the compiler over may leave anything behind. The control: it is a file as good as others."""
    lib, goal = sources(tmp_path), tmp_path.resolve() / "made"
    compiled(lib, goal)
    link, elsewhere = (goal if whole else goal / "lune"), tmp_path / "of-the-person"
    link.rename(elsewhere)
    link.symlink_to(elsewhere)
    assert take(goal, lib) == (0 if whole else 1)
    assert not list(lib.glob("lune/__pycache__/*"))
    link.unlink()
    elsewhere.rename(link)
    assert take(goal, lib) == 2


def test_a_link_on_our_own_way_to_the_folder_is_none_of_the_cells(tmp_path: Path) -> None:
    lib, home = sources(tmp_path), tmp_path / "home"
    compiled(lib, tmp_path / "disk" / "made")
    home.symlink_to(tmp_path / "disk")
    assert take(home / "made", lib) == 2


def test_together_it_is_no_more_than_an_environment_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lib, goal = sources(tmp_path), tmp_path.resolve() / "made"
    compiled(lib, goal)
    first, second = (len(made.read_bytes()) for made in (goal / "lune" / "__init__.pyc", goal / "mare.pyc"))
    monkeypatch.setattr(compiling, "BOUNDS", replace(BOUNDS, total_bytes=first + second - 1))
    assert take(goal, lib) == 1
    monkeypatch.setattr(compiling, "BOUNDS", replace(BOUNDS, total_bytes=first + second))
    assert take(goal, lib) == 2


@pytest.mark.parametrize("what", ["link", "pipe", "folder", "large", "more"])
def test_nothing_is_taken_but_what_belongs_to_a_source(tmp_path: Path, what: str) -> None:
    lib, goal = sources(tmp_path), tmp_path / "made"
    compiled(lib, goal)
    made = goal / "mare.pyc"
    made.unlink()
    match what:
        case "link":
            made.symlink_to("/etc/hostname")
        case "pipe":
            os.mkfifo(made)
        case "folder":
            made.mkdir()
        case "large":
            made.write_bytes(b"x" * (1 << 20))
        case _:
            (goal / "json.pyc").write_bytes(b"x")
    assert take(goal, lib) == 1
    assert [path.name for path in lib.rglob("*.pyc")] == [f"__init__.{TAG}.pyc"]
