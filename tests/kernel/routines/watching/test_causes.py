"""Whose doing a change of a file is: a run's, as long as the file stays as the run left it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel.routines.watching.causes import KEPT_S, Causes
from permissions.model import Change, ChangeKind


class Clock:
    """A clock that stands still."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def causes(clock: Clock) -> Causes:
    """What knows that run 1 is of the routine "filing", set off by "sorting"."""
    made = Causes(clock)
    made.fired("run-1", "filing", ("sorting",))
    return made


def _changed(causes: Causes, file: Path, run: str = "run-1") -> None:
    causes.note(run, [Change(ChangeKind.CREATED, str(file))])


def test_what_a_run_did_is_its_doing_however_often_it_is_seen(causes: Causes, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    _changed(causes, file)
    file.write_bytes(b"1")
    assert causes.of(str(file)) == ("sorting", "filing")
    assert causes.of(str(file)) == ("sorting", "filing"), "one change may be seen twice"


def test_what_somebody_does_to_the_file_then_is_not(causes: Causes, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    _changed(causes, file)
    file.write_bytes(b"1")
    assert causes.of(str(file)) == ("sorting", "filing")
    file.write_bytes(b"12")
    assert causes.of(str(file)) == ()
    assert causes.of(str(file)) == ()


def test_what_is_put_where_a_run_took_it_away_is_not(causes: Causes, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    _changed(causes, file)
    assert causes.of(str(file)) == ("sorting", "filing"), "it was deleted"
    file.write_bytes(b"1")
    assert causes.of(str(file)) == ()


def test_after_a_while_nothing_is(causes: Causes, clock: Clock, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(b"1")
    _changed(causes, file)
    clock.now += KEPT_S + 1
    assert causes.of(str(file)) == ()


def test_a_run_of_a_person_leads_to_no_routine(causes: Causes, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(b"1")
    _changed(causes, file, "run-of-mine")
    assert causes.of(str(file)) == ()
    assert causes.of(str(tmp_path / "another.pdf")) == ()
