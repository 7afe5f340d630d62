"""What runs are taken back with goes when it is past its time or over the quota, the oldest first."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import BadScope
from permissions.transactions import Keep, Transactions

DAY = 86_400.0
BIG = 1 << 20


def shop(lab: Any, *, checkpoint: Any = lambda _: None, **keep: Any) -> Transactions:
    return Transactions(lab.store, lab.home, state=lab.top / "state", keep=Keep(**keep), checkpoint=checkpoint)


def overwrite(lab: Any, run: str, size: int = BIG) -> None:
    lab.commit(run, lab.over(lab.file(run, os.urandom(size)), "new"))


def aged(lab: Any, run: str, days: float) -> None:
    at = time.time() - days * DAY
    for path in (lab.store / "journal" / "done").glob(f"{run}*"):
        os.utime(path, (at, at))


def old_contents(lab: Any) -> list[str]:
    return sorted(path.name for path in (lab.store / "preimages").iterdir())


def test_over_the_quota_the_oldest_goes_while_commits_go_on(lab: Any) -> None:
    lab.tx = shop(lab, size_bytes=int(2.5 * BIG))
    trimmed = []
    for number in range(6):
        overwrite(lab, f"r{number}")
        aged(lab, f"r{number}", 6 - number)
        trimmed += lab.tx.trim(spare=f"r{number}")
        assert lab.tx.usage().preimage_bytes <= 2.5 * BIG, number
    assert trimmed == ["r0", "r1", "r2", "r3"]
    assert old_contents(lab) == ["r4", "r5"]
    with pytest.raises(BadScope):
        lab.tx.undo("r3")
    lab.tx.undo("r4")
    assert (lab.home / "r4").stat().st_size == BIG


def test_what_is_past_its_time_goes_and_the_rest_stays(lab: Any) -> None:
    lab.tx = shop(lab, seconds=30 * DAY)
    for run, days in (("old", 31), ("young", 29)):
        overwrite(lab, run, 10)
        aged(lab, run, days)
    assert lab.tx.trim() == ("old",)
    assert lab.tx.trim() == ()
    assert lab.tx.trim(now_s=time.time() + 2 * DAY) == ("young",), "also when nothing was committed in between"
    assert (old_contents(lab), lab.tx.runs()) == ([], frozenset())


def test_asking_is_cheap_where_nothing_is_due(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.tx = shop(lab)
    lab.tx.trim()
    overwrite(lab, "r")
    looked: list[str] = []
    monkeypatch.setattr("permissions.transactions.retention.size_below", lambda top: looked.append(top) or 0)
    assert lab.tx.trim() == ()
    assert looked == []


def test_a_commit_whose_old_contents_cannot_be_measured_stands_and_they_are_looked_for(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.tx = shop(lab, size_bytes=BIG // 2)
    assert lab.tx.trim() == ()

    def refuses(top: str) -> int:
        raise OSError(errno.EIO, "no", top)

    with monkeypatch.context() as patched:
        patched.setattr("permissions.transactions.retention.size_below", refuses)
        overwrite(lab, "next")
    assert (lab.home / "next").read_text() == "new"
    assert lab.tx.runs() == {"next"}
    assert lab.tx.trim() == ("next",), "a whole look was due"


def test_a_run_that_alone_is_over_the_quota_stays_until_the_next(lab: Any) -> None:
    lab.tx = shop(lab, size_bytes=BIG // 2)
    overwrite(lab, "huge")
    assert lab.tx.trim(spare="huge") == ()
    aged(lab, "huge", 1)
    overwrite(lab, "next", 10)
    assert lab.tx.trim(spare="next") == ("huge",)
    lab.tx.undo("next")


def test_a_start_trims_too_and_by_the_bounds_of_today(lab: Any) -> None:
    overwrite(lab, "a")
    aged(lab, "a", 2)
    shop(lab, seconds=3 * DAY).recover()
    assert old_contents(lab) == ["a"]
    shop(lab, seconds=1 * DAY).recover()
    assert old_contents(lab) == []


def test_what_an_undo_gave_back_counts_no_longer(lab: Any) -> None:
    lab.tx = shop(lab, size_bytes=int(2.5 * BIG))
    for run in ("a", "b"):
        overwrite(lab, run)
        aged(lab, run, 1)
        lab.tx.trim(spare=run)
    lab.tx.undo("a")
    overwrite(lab, "c")
    assert lab.tx.trim(spare="c") == ()
    assert lab.tx.runs() == {"a", "b", "c"}


def test_taken_back_in_part_goes_whole_and_leaves_no_journal(lab: Any) -> None:
    lab.commit("r", lab.over(lab.file("x"), "1"), lab.over(lab.file("y"), "2"))
    lab.tx.undo("r", paths=[str(lab.home / "x")])
    aged(lab, "r", 100)
    assert lab.tx.trim() == ("r",)
    assert list((lab.store / "journal" / "done").iterdir()) == []
    assert (lab.home / "y").read_text() == "2"


class Died(Exception):
    """The process ends here."""


def test_dying_in_the_middle_leaves_no_half_run(lab: Any) -> None:
    def die(name: str) -> None:
        if name == "retention:journal":
            raise Died

    lab.commit("r", lab.over(lab.file("x"), "1"), lab.over(lab.file("y"), "2"))
    lab.tx.undo("r", paths=[str(lab.home / "x")])
    aged(lab, "r", 100)
    with pytest.raises(Died):
        shop(lab, checkpoint=die).trim()
    later = shop(lab)
    with pytest.raises(BadScope):
        later.undo("r")
    later.recover()
    assert (old_contents(lab), list((lab.store / "journal" / "done").iterdir())) == ([], [])


def test_one_that_waits_for_its_disk_stays(lab: Any) -> None:
    overwrite(lab, "r")
    aged(lab, "r", 100)
    waits = Path(lab.store, "journal", "open", "r~1")
    waits.write_bytes(b"")
    assert lab.tx.trim() == ()
    waits.unlink()
    assert lab.tx.trim(now_s=time.time() + 1) == ("r",)
