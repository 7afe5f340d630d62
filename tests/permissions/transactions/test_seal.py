"""The seal: what was shown is what is committed, also after a restart, and nothing else of it is left."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import BadScope, Refused
from permissions.model import ChangeKind
from permissions.transactions import Recovery


def test_the_seal_covers_content_and_path(lab: Any) -> None:
    def seal_of(run: str, path: str, data: str) -> str:
        lab.blobs = 0
        staging = lab.stage(run, lab.write(lab.home / path, data))
        seal = str(staging.seal().seal)
        staging.drop()
        return seal

    seals = {seal_of("r", "a", "1"), seal_of("r", "a", "2"), seal_of("r", "b", "1"), seal_of("q", "a", "1")}
    assert len(seals) == 4
    assert seal_of("r", "a", "1") in seals


def test_nothing_is_added_after_the_seal_and_nothing_committed_under_another(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    with pytest.raises(Refused):
        staging.commit("0" * 64)
    first = staging.seal()
    assert staging.seal() == first
    with pytest.raises(Refused):
        lab.describe(staging, lab.write(lab.home / "b", "2"))
    with pytest.raises(Refused):
        staging.commit("0" * 64)
    assert lab.snapshot() == {}


def test_content_that_changed_after_the_seal_is_refused(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "good"))
    seal = staging.seal().seal
    blob = next(lab.store.glob("runs/r/tasks/*/*"))
    assert stat.S_IMODE(blob.stat().st_mode) == 0o400
    blob.chmod(0o600)
    blob.write_text("evil")
    with pytest.raises(Refused):
        staging.commit(seal)
    assert lab.snapshot() == {}


def test_a_refused_batch_leaves_no_trace(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    with pytest.raises(BadScope):
        lab.describe(staging, lab.write(lab.home / "b", "1"), {"op": "burn", "path": "/x"})
    assert [effect["path"] for effect in staging.view()] == [str(lab.home / "a")]


def test_the_view_shows_effects_in_order_with_their_content(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"), lab.mkdir(lab.home / "d"))
    lab.describe(staging, lab.move(lab.home / "a", lab.home / "d" / "b"), task="t2")
    view = staging.view()
    assert [effect["op"] for effect in view] == ["write", "mkdir", "move"]
    assert Path(view[0]["blob_path"]).read_text() == "1"


def test_a_committed_run_cannot_begin_again(lab: Any) -> None:
    lab.commit("r", lab.write(lab.home / "a", "1"))
    with pytest.raises(Refused):
        lab.tx.begin("r")
    assert [change.kind for change in lab.tx.effects("r")] == [ChangeKind.CREATED]


def test_a_sealed_run_survives_a_restart(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    seal = staging.seal().seal
    staging.keep()
    other = lab.open()
    other.recover()
    again = other.reopen("r")
    assert again is not None
    assert again.seal().seal == seal
    assert again.view() == staging.view()
    again.commit(seal)
    assert (lab.home / "a").read_text() == "1"
    assert other.reopen("r") is None


def test_drop_forgets(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    staging.drop()
    staging.drop()
    assert lab.leftovers() == []
    with pytest.raises(Refused):
        staging.commit("x")


def test_what_does_not_wait_is_gone_after_a_restart(lab: Any) -> None:
    lab.stage("r", lab.write(lab.home / "a", "1")).seal()
    other = lab.open()
    assert [(item.run, item.action) for item in other.recover()] == [("r", Recovery.DROPPED)]
    assert other.reopen("r") is None
    with pytest.raises(Refused):
        lab.stage("s", lab.write(lab.home / "a", "1")).keep()


def test_everything_of_ours_is_private(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", "1"))
    staging.seal()
    staging.keep()
    for path in [lab.store, *lab.store.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path
