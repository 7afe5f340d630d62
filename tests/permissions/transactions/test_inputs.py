"""Files that were only read are compared at the commit, too: what was made of an old content does not come about."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import BadScope, Conflict, Refused
from permissions.transactions.model import Version
from permissions.transactions.staging import MOST_INPUTS
from tests.clock import less_than


def row(path: Path) -> list[int]:
    return Version.of(os.lstat(path)).row()


def made_of(lab: Any, *read: Path) -> Any:
    staging = lab.stage("r", lab.write(lab.home / "sum", "3\n"))
    staging.rests_on({str(path): row(path) for path in read})
    return staging


def save(path: Path) -> None:
    path.write_text("9\n")


def save_by_rename(path: Path) -> None:
    beside = path.with_suffix(".tmp")
    beside.write_text("9\n")
    os.rename(beside, path)


def save_as_if_nothing_was(path: Path) -> None:
    """As long, and with the old time: only the time of the change of status tells."""
    info = path.stat()
    path.write_text("9\n")
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def become_a_link(path: Path) -> None:
    shutil.copy2(path, f"{path}.copy")
    path.unlink()
    path.symlink_to(f"{path}.copy")


def exchange_the_folder(path: Path) -> None:
    folder = path.parent
    other = folder.with_name("other")
    shutil.copytree(folder, other)
    folder.rename(folder.with_name("old"))
    other.rename(folder)


@pytest.mark.parametrize(
    "edit", [save, save_by_rename, save_as_if_nothing_was, os.unlink, become_a_link, exchange_the_folder]
)
@pytest.mark.parametrize("sealed_before", [True, False])
def test_an_input_that_changed_is_a_conflict_that_names_it(lab: Any, edit: Any, sealed_before: bool) -> None:
    read, other = lab.file("in/numbers", "1 2\n"), lab.file("in/more", "0\n")
    staging = made_of(lab, read, other)
    if sealed_before:
        staging.seal()
    edit(read)
    before = lab.snapshot()
    with pytest.raises(Conflict) as caught:
        staging.commit(staging.seal().seal)
    assert caught.value.code == "conflict.read"
    assert str(read) in str(caught.value)
    assert str(read) in caught.value.paths
    assert lab.snapshot() == before
    assert not (lab.home / "sum").exists()


def test_what_did_not_change_is_no_conflict(lab: Any) -> None:
    read, beside = lab.file("in/numbers", "1 2\n"), lab.file("in/beside", "x")
    staging = made_of(lab, read)
    read.read_text()
    beside.write_text("y")  # nobody read it
    staging.commit(staging.seal().seal)
    assert (lab.home / "sum").read_text() == "3\n"


def test_what_is_read_and_then_overwritten_is_compared_once(lab: Any) -> None:
    path = lab.file("a", "old")
    staging = lab.stage("r", lab.over(path, "new"))
    staging.rests_on({str(path): row(path)})
    staging.seal()
    path.chmod(0o600)  # of an overwritten file that alone is no conflict
    staging.commit(staging.seal().seal)
    assert path.read_text() == "new"


def test_the_first_look_counts(lab: Any) -> None:
    path = lab.file("a", "1")
    staging = made_of(lab, path)
    path.write_text("2")
    staging.rests_on({str(path): row(path)})  # a later call of the plan read the new content
    with pytest.raises(Conflict):
        staging.commit(staging.seal().seal)


def test_a_run_that_waits_for_its_answer_knows_its_inputs_after_a_restart(lab: Any) -> None:
    path = lab.file("a", "1")
    staging = made_of(lab, path)
    seal = staging.seal().seal
    staging.keep()
    again = lab.open().reopen("r")
    assert again.inputs() == {str(path)}
    path.write_text("2")
    with pytest.raises(Conflict, match="read for this"):
        again.commit(seal)


def test_the_seal_covers_the_inputs(lab: Any) -> None:
    path = lab.file("a", "1")
    staging = made_of(lab, path)
    staging.seal()
    staging.keep()
    kept = lab.store / "runs" / "r" / "sealed.json"
    text = kept.read_text()
    path.write_text("2")
    forged = text.replace(str(row(path)[3]), str(row(path)[3] + 1)).replace(f"{path}", f"{lab.home}/b")
    assert forged != text
    kept.chmod(0o600)
    kept.write_text(forged)
    assert lab.open().reopen("r") is None


@pytest.mark.parametrize("bad", [{"a": [1] * 5}, {"/a/../b": [1] * 5}, {"/a": [1] * 4}, {"/a": [1, 2, 3, 4, "5"]}])
def test_malformed_inputs_are_refused(lab: Any, bad: Any) -> None:
    with pytest.raises(BadScope):
        lab.tx.begin("r").rests_on(bad)


def test_nothing_is_added_to_a_seal(lab: Any) -> None:
    path = lab.file("a", "1")
    staging = made_of(lab)
    staging.seal()
    with pytest.raises(Refused):
        staging.rests_on({str(path): row(path)})


def test_ten_thousand_inputs_cost_a_fraction_of_a_second(lab: Any) -> None:
    paths = [lab.file(f"in/{number}", "x") for number in range(10_000)]
    staging = made_of(lab, *paths)
    with less_than(2.0):
        staging.commit(staging.seal().seal)
    paths[9_999].write_text("y")
    lab.tx.undo("r")
    assert not (lab.home / "sum").exists(), "what was read afterwards keeps nothing from being taken back"


def test_inputs_are_bounded(lab: Any) -> None:
    staging = lab.tx.begin("r")
    staging.rests_on({f"/tmp/{number}": [1, 2, 3, 4, 5] for number in range(MOST_INPUTS + 10)})
    assert len(staging.inputs()) == MOST_INPUTS
