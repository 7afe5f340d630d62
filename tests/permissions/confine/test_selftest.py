"""The self-test of the wall: what stands it at each level, and that a hole is found, named, and lowers the level."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import permissions
from permissions.confine import Cells, machine_level, trials, try_wall
from permissions.errors import WallUnavailable
from permissions.model import CellSpec, CellStatus, Level

pytestmark = pytest.mark.sandbox
HERE = Path(__file__).parent
ROOT = str(Path(permissions.__file__).parents[1])


async def test_every_act_is_refused_in_a_cell_and_possible_outside() -> None:
    found = await try_wall()
    assert (found.level, found.claimed) == (machine_level(), machine_level())
    assert (found.failed, found.unproven, found.why) == ((), (), "")
    assert found.tried == len(trials.expected(found.claimed)) > 0


def test_without_namespaces_it_stands_at_l2() -> None:
    if machine_level() is not Level.L3:
        pytest.skip("namespaces are denied here already; the first test shows it")
    command = [sys.executable, str(HERE / "become.py"), "--without-namespaces", sys.executable, "-P", "-m"]
    said = subprocess.run([*command, "permissions.confine.selftest"], capture_output=True, text=True, check=True,
                          cwd=ROOT, env={**os.environ, "PYTHONPATH": ROOT}).stdout  # fmt: skip
    found = json.loads(said)
    assert (found["level"], found["claimed"], found["failed"]) == ("L2", "L2", [])
    assert 0 < found["tried"] < len(trials.expected(Level.L3))


async def test_a_hole_is_found_named_and_lowers_the_level(tmp_path: Path) -> None:
    found = await try_wall(shown=(str(tmp_path),), folder=str(tmp_path))  # the private file lies below what is shown
    assert "read_private" in found.failed
    assert found.level is Level.L1
    assert "read private" in found.why


async def test_a_test_that_could_not_be_done_lowers_nothing_and_says_so() -> None:
    found = await try_wall(Cells([sys.executable, "-c", "raise SystemExit('no worker today')"]))
    assert (found.tried, found.level) == (0, found.claimed)
    assert "no worker today" in found.why


async def test_what_was_lowered_is_claimed_no_more() -> None:
    cells = Cells([sys.executable, str(HERE / "eaters.py")], environment={"PYTHONPATH": ROOT})
    request = json.dumps({"act": "hold", "mib": 1}).encode()
    try:
        before = await cells.call(CellSpec(minimum=machine_level()), request)
        assert (before.status, before.level) == (CellStatus.RETURNED, machine_level())
        cells.lower(Level.L1, "a cell could read private")
        with pytest.raises(WallUnavailable, match="a cell could read private"):
            await cells.call(CellSpec(), request)
        after = await cells.call(CellSpec(minimum=Level.L1), request)
        assert (after.status, after.level) == (CellStatus.RETURNED, Level.L1)
    finally:
        await cells.close()


async def test_a_cell_that_ends_before_it_has_said_anything_lowers_nothing_and_says_so() -> None:
    dies = "from permissions.confine import serve; serve(lambda request, emit: __import__('os')._exit(7))"
    cells = Cells([sys.executable, "-P", "-c", dies], environment={"PYTHONPATH": ROOT})
    try:
        found = await try_wall(cells)
    finally:
        await cells.close()
    assert (found.tried, found.level, found.failed) == (0, found.claimed, ())
    assert "ended early (crashed)" in found.why
