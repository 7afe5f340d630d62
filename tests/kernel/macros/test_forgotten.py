"""What is forgotten takes the macros with it that name it; what only builds on a macro is a request of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel.macros.test_run import NAME, kept
from tests.kernel.routines.conftest import Desk, desk_on

pytestmark = pytest.mark.slow


async def test_who_is_forgotten_goes_out_of_the_macros_too(desk: Desk) -> None:
    await kept(desk, "make a note called Otto saying milk", "errand of friday")
    await kept(desk)
    await kept(desk, "what is 17 * 3", "sums")
    await desk.kernel.macros.rename("sums", "sums of Otto")
    said = await desk.say("forget everything about Otto")
    assert said["resolution"] == "confirmed", said["answer"]
    assert [one["name"] for one in desk.kernel.macros.every()] == [NAME]
    events = [one for one in desk.kernel.log(500) if one["kind"] == "macro.kept" and one["body"]]
    assert "Otto" not in str(events)


async def test_what_was_forgotten_is_gone_after_a_restart_too(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        await kept(first, "what is 17 * 3", "sums")
        await first.kernel.macros.rename("sums", "sums of Otto")
        await first.say("make a note called Otto saying milk")
        said = await first.say("forget everything about Otto")
        assert said["resolution"] == "confirmed", said["answer"]
    async with desk_on(tmp_path) as later:
        assert later.kernel.macros.every() == []


async def test_what_follows_a_macro_is_none(desk: Desk) -> None:
    await kept(desk, "show me the largest files in Downloads", "big ones")
    assert (await desk.say("big ones"))["macro"] == "big ones"
    after = await desk.say("now the same for Backup")
    assert after["macro"] == "", after
