"""A disk that refuses in the middle: what stands half way is told, waits alone, and is taken back when it can be."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import StorageFailed
from permissions.transactions import Recovery
from tests.permissions.transactions.test_mounts import (
    _REMOUNT,
    _REMOUNT_READ_ONLY,
    needs_mounts,
    remounted,
    with_volume,
)

MOVED = ("one", "two", "three")


def moving(lab: Any, volume: Path) -> list[Any]:
    (volume / "there").mkdir()
    return [lab.move(lab.file(f"vol/{name}", name), volume / "there" / name) for name in MOVED]


@needs_mounts
@pytest.mark.parametrize("undo", [False, True])
def test_moves_that_cannot_be_taken_back_are_told_and_finished_later(lab: Any, tools: Any, undo: bool) -> None:
    """Moves need no temporary names, so nothing but the journal tells that they are half done."""

    def act(volume: Path) -> None:
        armed, seen = [not undo], []

        def checkpoint(name: str) -> None:
            if armed[0] and name == "step:move":
                seen.append(name)
                if len(seen) == 2:
                    remounted(volume, _REMOUNT_READ_ONLY)

        lab.tx = lab.open(checkpoint)
        moves = moving(lab, volume)
        if undo:
            lab.commit("r1", *moves)
            armed[0] = True
        before = lab.snapshot()
        assert lab.tx.half_done() == ()
        with pytest.raises(StorageFailed) as failed:
            _ = lab.tx.undo("r1") if undo else lab.commit("r1", *moves)
        assert failed.value.code == "storage.half_done"
        assert str(failed.value).startswith(str(volume))
        assert "nothing was changed" not in f"{failed.value} {failed.value.hint}".lower()
        (waits,) = lab.tx.half_done()
        assert (waits.run, waits.undo) == ("r1", undo)
        assert waits.path.startswith(str(volume))
        lab.tx = lab.open()
        (told,) = lab.tx.recover()
        assert (told.run, told.action) == ("r1", Recovery.WAITING)
        (waits,) = lab.tx.half_done()
        assert (waits.run, waits.undo) == ("r1", undo)
        assert "ead-only" in waits.why
        remounted(volume, _REMOUNT)
        lab.tx = lab.open()
        (done,) = lab.tx.recover()
        assert done.action is (Recovery.UNDO_ROLLED_BACK if undo else Recovery.ROLLED_BACK)
        assert lab.tx.half_done() == ()
        assert lab.snapshot() == before

    assert with_volume(lab, tools, act) == 0


@needs_mounts
def test_what_was_applied_is_not_half_done(lab: Any, tools: Any) -> None:
    """It died after the point of no return: all of it stands, whatever the disk lets be cleared up."""

    def killed(name: str) -> None:
        if name == "journal:applied:durable":
            os.kill(os.getpid(), signal.SIGKILL)

    def act(volume: Path) -> None:
        path = lab.file("vol/sales.csv", "1")
        staging = lab.stage("r1", lab.over(path, "2"), tx=lab.open(killed))
        sealed = staging.seal().seal
        assert os.WTERMSIG(tools[1](lambda: staging.commit(sealed))) == signal.SIGKILL
        remounted(volume, _REMOUNT_READ_ONLY)
        lab.tx = lab.open()
        assert all(one.action in (Recovery.WAITING, Recovery.FINISHED) for one in lab.tx.recover())
        assert lab.tx.half_done() == ()
        assert path.read_text() == "2"
        remounted(volume, _REMOUNT)

    assert with_volume(lab, tools, act) == 0
