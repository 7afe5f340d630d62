"""A sample of ``make powerloss``, and its controls: without syncs something must be lost."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.proofs import journal_disk, powerloss
from tests.proofs.faults import memory
from tests.proofs.power import Content, Flat

needs_apsw = pytest.mark.skipif(not powerloss.has_apsw(), reason="needs apsw: ./.venv/bin/pip install -e '.[test]'")


@pytest.fixture
def top() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=memory()) as place:
        yield Path(place).resolve()


@needs_apsw
@pytest.mark.slow
def test_the_ledger_loses_nothing_and_with_normal_it_would(top: Path) -> None:
    ours = powerloss.ledger(top, "FULL", 2, every=6)
    assert (ours.lost, ours.corrupt) == (0, 0), ours.examples
    assert ours.states > 100
    assert powerloss.ledger(top, "NORMAL", 2, every=8).lost > 0


@pytest.mark.slow
def test_a_commit_and_an_undo_are_whole_or_not_at_all(top: Path) -> None:
    ours = powerloss.journal(top, 2, every=4)
    assert (ours.lost, ours.corrupt) == (0, 0), ours.examples
    assert ours.states > 90


@pytest.mark.slow
def test_on_a_disk_that_syncs_nothing_they_are_not(top: Path) -> None:
    theirs = powerloss.journal(top, 2, honest=False, every=4)
    assert theirs.lost + theirs.corrupt > 0


def test_what_was_not_synced_may_be_torn_and_what_was_is_whole() -> None:
    content = Content()
    content.write(0, b"a" * 2000)
    seen = {content.after_power_loss(Random(seed), 0.5) for seed in range(30)}
    assert len(seen) > 5
    assert any(b"\0" * 512 in one for one in seen)
    content.sync()
    content.write(0, b"b" * 10)
    assert content.whole()[:10] == b"b" * 10
    assert {one[10:] for one in (content.after_power_loss(Random(s), 0.5) for s in range(9))} == {b"a" * 1990}


def test_a_name_that_was_not_made_durable_may_be_missing() -> None:
    disk = Flat()
    for op in [("create", "one"), ("write", "one", 0, b"x"), ("sync", "one"), ("delete", "one"), ("create", "two")]:
        disk.do(op)
    assert {tuple(disk.after_power_loss(Random(seed))) for seed in range(60)} == {("one",), (), ("two",)}


def test_the_tree_that_is_built_is_the_tree_that_was(top: Path) -> None:
    recording = journal_disk.record("commit", top / "world", honest=True)
    assert journal_disk.flaw(recording, 0, Random(1), top) == ""
    assert journal_disk.flaw(recording, len(recording.log), Random(1), top) == ""
