"""The skill for kernels in a real cell: it brings a room of ours that nothing else imports."""

from __future__ import annotations

import pytest

from tests.kernel.conftest import Bench

pytestmark = pytest.mark.sandbox


async def test_a_call_sees_the_room_of_its_own_skill(bench: Bench) -> None:
    done = await bench.ask("what does this machine have for making kernels?")
    assert done["resolution"] in ("executed", "confirmed"), done["answer"]
    assert [task["tool"] for task in done["plan"]["tasks"]] == ["kernels.doctor"]
    assert "gpu_skills" not in done["answer"]
