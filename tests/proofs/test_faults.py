"""A sample of the faults of ``make faults``, and the proof that the harness would notice a run that loses something."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proofs import faults, scene

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace: apt install strace"),
]


@pytest.fixture
def top() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=faults.memory()) as place:
        yield Path(place).resolve()


def test_a_sample_of_faults_loses_nothing(top: Path) -> None:
    findings = faults.sweep(top, sample=45)
    assert all(finding.fired for finding in findings), [f.point for f in findings if not f.fired]
    assert not [(f.point.inject, f.flaws) for f in findings if f.flaws]
    assert not [(f.point.inject, f.place) for f in findings if f.absorbed and not f.why]


def test_the_invariants_notice_a_home_between_two_states(top: Path) -> None:
    """The control: what a program that writes by itself leaves, when it dies half way, is seen."""
    after = faults.reference(top / "reference")
    world = scene.World(top / "world")
    (world.lab.home / "text").write_text("new te")
    assert any("not as before" in flaw for flaw in scene.flaws(world, (), after, settled=True))
    world = scene.World(top / "another")
    assert "an acknowledged commit is gone" in scene.flaws(world, ("committed",), after, settled=False)
    assert "acknowledged run.created is gone" in scene.flaws(world, (scene.CREATED,), after, settled=False)


def test_a_fault_that_does_not_fire_is_told(top: Path) -> None:
    act = faults.ACTS["commit", faults.MAIN]
    call = faults.Call("fsync", 9999, "never")
    found = faults.try_point(faults.Point(act.name, act.thread, "EIO", call), top, faults.reference(top / "reference"))
    assert not found.fired
    assert not found.flaws
    assert os.path.isdir(top)
