"""A call in the background has the processor that nobody else wants; any other call has its share."""

from __future__ import annotations

import os
from typing import Any

import pytest

from permissions.model import CellSpec

pytestmark = pytest.mark.sandbox


def test_a_call_in_the_background_gives_way_to_all_others(wall: Any) -> None:
    ordinary, background = (wall.inside("place_in_line", CellSpec(in_background=quiet)) for quiet in (False, True))
    assert background == [19, os.SCHED_IDLE]
    assert ordinary[1] != os.SCHED_IDLE
