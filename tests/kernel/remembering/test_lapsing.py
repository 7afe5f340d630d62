"""Old contents have a bound while the daemon runs, and a run that lost them says so."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kernel import Folders, NotNow, commit, load_settings, open_kernel
from kernel.errors import BadRequest
from kernel.remembering.lapsing import lapse
from tests.kernel.conftest import Bench, knowing

MIB = 1 << 20


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel that keeps a mebibyte and a half of old contents."""
    home = tmp_path / "home"
    (home / "Downloads").mkdir(parents=True)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})

    async def start() -> Any:
        return knowing(await open_kernel(load_settings(encoder=False, undo_quota_gib=1.5 / 1024), folders))

    one = Bench(await start(), home, folders, start)
    yield one
    await one.kernel.close()


async def deleted(bench: Bench, name: str) -> str:
    (bench.home / "Downloads" / name).write_bytes(os.urandom(MIB))
    view = await bench.ask(f"delete {name}")
    assert view["effects"], view
    return str(view["run"])


@pytest.mark.slow
async def test_over_the_quota_the_oldest_can_no_longer_be_taken_back_and_says_so(small: Bench) -> None:
    first = await deleted(small, "one.bin")
    assert small.kernel.undoable(first)["effects"]
    second = await deleted(small, "two.bin")
    room = (await small.kernel.kept())["undo"]
    assert (room["runs"], room["most_bytes"], room["keep_days"]) == (1, int(1.5 * MIB), 90)
    assert room["size_bytes"] < 1.5 * MIB
    with pytest.raises(NotNow, match="can no longer be taken back"):
        small.kernel.undoable(first)
    with pytest.raises(NotNow, match="can no longer be taken back") as caught:
        await small.kernel.undo(first)
    assert caught.value.code == "undo.lapsed"
    assert "undo_quota_gib" in caught.value.hint
    told = [event for event in small.kernel.log(200) if event["kind"] == "undo.lapsed"]
    assert [event["body"]["first"] for event in told] == [[first]]
    undone = await small.kernel.undo()
    assert undone["run"] == second
    assert (small.home / "Downloads" / "two.bin").stat().st_size == MIB
    with pytest.raises(NotNow, match="nothing to take back"):
        await small.kernel.undo()  # and not the run that lapsed


@pytest.mark.slow
async def test_a_commit_waits_for_no_look_where_nothing_is_due(small: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    lapse(small.kernel._house)
    looks: list[str] = []

    def look(house: Any, spare: str) -> tuple[str, ...]:
        looks.append(spare)
        return lapse(house, spare)

    monkeypatch.setattr(commit, "lapse", look)
    first = await deleted(small, "one.bin")
    assert looks == []
    second = await deleted(small, "two.bin")
    assert looks == [second]
    with pytest.raises(NotNow, match="can no longer be taken back"):
        small.kernel.undoable(first)


@pytest.mark.slow
async def test_what_lapsed_stays_lapsed_after_a_restart(small: Bench) -> None:
    first = await deleted(small, "one.bin")
    await deleted(small, "two.bin")
    await small.kernel.close()
    small.kernel = await small.reopen()
    assert first not in small.kernel._house.with_effects
    with pytest.raises(NotNow, match="can no longer be taken back"):
        small.kernel.undoable(first)


@pytest.mark.slow
async def test_what_is_past_its_time_goes_without_a_commit_too(bench: Bench) -> None:
    run = (await bench.ask("save a note called errands saying milk"))["run"]
    house = bench.kernel._house
    assert lapse(house) == ()
    long_ago = time.time() - 91 * 86_400
    os.utime(bench.folders.data / "transactions" / "journal" / "done" / run, (long_ago, long_ago))
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    with pytest.raises(NotNow, match="can no longer be taken back"):
        bench.kernel.undoable(run)


async def test_bounds_that_are_none_are_refused() -> None:
    for name, value in (("undo_keep_days", 0), ("undo_quota_gib", 0), ("undo_quota_gib", float("nan"))):
        with pytest.raises(BadRequest) as caught:
            load_settings(**{name: value})
        assert caught.value.subject == name
