"""What finished runs are taken back with, in another folder: nothing under way, and nothing commits meanwhile."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from permissions.transactions import drop

Lab = Any  # tests/permissions/transactions/conftest.py


def _names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_finished_runs_are_copied_and_the_rest_is_not(lab: Lab, tmp_path: Path) -> None:
    path = lab.file("a.txt", "old\n")
    lab.commit("r-1", lab.over(path, "new\n"))
    lab.commit("r-2", lab.write(lab.home / "b.txt", "b\n"))
    lab.stage("r-3", lab.write(lab.home / "c.txt", "not yet\n")).seal()
    out = tmp_path / "out"
    with lab.tx.still(out):
        pass
    assert _names(out) == {"journal/done/r-1", "journal/done/r-2", "preimages/r-1/000000"}
    assert (out / "preimages/r-1/000000").read_text() == "old\n"
    lab.tx.undo("r-1")
    assert path.read_text() == "old\n"
    assert (out / "preimages/r-1/000000").read_text() == "old\n"  # the copy has a name of its own
    drop(out, "r-1")
    assert _names(out) == {"journal/done/r-2"}
    drop(out, "r-9")  # one that is not there is no matter


def test_nothing_commits_while_it_is_still(lab: Lab, tmp_path: Path) -> None:
    staging = lab.stage("r-1", lab.write(lab.home / "a.txt", "new\n"))
    seal = staging.seal().seal
    begun, done = threading.Event(), threading.Event()

    def commit() -> None:
        begun.set()
        staging.commit(seal)
        done.set()

    with lab.tx.still(tmp_path / "out"):
        thread = threading.Thread(target=commit)
        thread.start()
        begun.wait(10)
        assert not done.wait(0.2)  # it waits for the moment to pass
        assert not (lab.home / "a.txt").exists()
    thread.join(10)
    assert (lab.home / "a.txt").read_text() == "new\n"
    assert _names(tmp_path / "out") == set()
