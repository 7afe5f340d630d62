"""The habits in a running kernel: opened late, fed after a run, kept at the end, and nothing stays of what went."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
import zlib
from datetime import timedelta
from pathlib import Path

import pytest

from kernel.suggestions.seeing import Seeing
from memory import Ledger
from tests.kernel.habits.diary import REGISTRY, Diary, said, week
from tests.kernel.suggestions.conftest import Weeks

pytestmark = pytest.mark.slow


def test_a_start_imports_no_miner() -> None:
    rooms = ("kernel.habits", "memory.sequences", "kernel.anticipation", "kernel.manners")
    code = f"import sys, kernel.daemon; print([m for m in sys.modules if m.startswith({rooms})])"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


async def test_a_start_opens_nothing_and_a_run_feeds_it(weeks: Weeks) -> None:
    weeks.write()
    kernel = await weeks.open()
    seeing = kernel._house.seeing
    assert seeing._habits is None, "no start waits for it"
    await weeks.say("what is 2 + 3?")
    async with asyncio.timeout(30):
        while seeing._habits is None or seeing.keep_up() or not seeing._file.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    found = await asyncio.to_thread(seeing.patterns, weeks.now)
    assert [[step.tool for step in one.steps] for one in found] == [["files.contents", "files.largest"]]


async def test_it_is_kept_at_the_end_and_read_again(weeks: Weeks) -> None:
    weeks.write()
    kernel = await weeks.open()
    before = await asyncio.to_thread(kernel._house.seeing.patterns, weeks.now)
    kernel = await weeks.open()
    assert (weeks.folders.data / "habits").is_file()
    seq = kernel._house.ledger.head()[0]
    assert kernel._house.seeing._opened().seq >= seq - 50, "what was read is not read again"
    assert await asyncio.to_thread(kernel._house.seeing.patterns, weeks.now) == before


def test_while_a_run_is_at_work_nothing_is_read(weeks: Weeks) -> None:
    weeks.write()
    ledger, busy = Ledger.open(weeks.folders.data / "ledger"), True
    seeing = Seeing(ledger, REGISTRY, weeks.folders.data / "habits", lambda: busy)
    assert seeing.keep_up() == 1
    assert seeing._habits is None
    busy = False
    assert seeing.keep_up() == 0
    assert seeing._habits is not None
    assert seeing._habits.seq > 0
    ledger.close()


def test_whoever_asks_gets_an_answer_though_not_all_is_read(weeks: Weeks) -> None:
    weeks.write()
    ledger = Ledger.open(weeks.folders.data / "ledger")
    seeing = Seeing(ledger, REGISTRY, weeks.folders.data / "habits", lambda: False)
    assert seeing.patterns(weeks.now, within_s=0) == ()
    assert 0 < seeing.left < 1
    assert seeing.keep_up() == 0
    assert len(seeing.patterns(weeks.now, within_s=0)) == 1
    assert seeing.left == 0
    ledger.close()


def test_what_is_all_read_is_answered_with_however_long_it_took(weeks: Weeks) -> None:
    diary = Diary(weeks.folders.data / "ledger", asked=weeks.write().asked)
    seeing = Seeing(diary.ledger, REGISTRY, weeks.folders.data / "habits", lambda: False)
    (before,) = seeing.patterns(weeks.now)
    diary.ask(week(5), ("files.contents", {"folder": said(f"{weeks.home}/Finance")}))
    diary.ask(week(5, 3), ("files.largest", {"folder": said(f"{weeks.home}/Downloads"), "count": said(3)}))
    (after,) = seeing.patterns(weeks.now + timedelta(weeks=1), within_s=0)
    assert (before.seen.times, after.seen.times, seeing.left) == (5, 6, 0)
    diary.ledger.close()


def test_reading_on_makes_way_for_whoever_asks(weeks: Weeks) -> None:
    weeks.write()
    ledger = Ledger.open(weeks.folders.data / "ledger")
    portions, between, asks = [0], threading.Event(), threading.Event()

    def busy() -> bool:
        portions[0] += 1
        if portions[0] > 1:
            between.set()
            asks.wait(30)
        return False

    seeing = Seeing(ledger, REGISTRY, weeks.folders.data / "habits", busy)
    worker = threading.Thread(target=lambda: left.append(seeing.keep_up()))
    left: list[int] = []
    worker.start()
    assert between.wait(30)
    with seeing._lock:  # whoever asks has to wait for it, and has said so
        asking = threading.Thread(target=lambda: seeing.patterns(weeks.now))
        asking.start()
        while not seeing._asked:
            time.sleep(0.001)
        asks.set()
        worker.join(30)
        assert left == [1], "it stopped, and the rest is left"
    asking.join(30)
    assert seeing.keep_up() == 0
    ledger.close()


async def test_what_is_forgotten_goes_from_the_file_too_though_nobody_opened_it(weeks: Weeks) -> None:
    weeks.write()
    kernel = await weeks.open()
    assert await asyncio.to_thread(kernel._house.seeing.patterns, weeks.now)
    kernel = await weeks.open()
    assert kernel._house.seeing._habits is None
    shown = await kernel.known.preview("Finance")
    assert shown["runs"]
    await kernel.known.forget("Finance", [], shown["seal"])
    assert "Finance" not in _kept(weeks.folders.data / "habits")
    found = await asyncio.to_thread(kernel._house.seeing.patterns, weeks.now)
    assert all("Finance" not in repr(one) for one in found)


async def test_what_is_past_its_time_goes_too(weeks: Weeks) -> None:
    weeks.write()
    kernel = await weeks.open()
    assert await asyncio.to_thread(kernel._house.seeing.patterns, weeks.now)
    await kernel.retention.set(1)
    late = int((weeks.now + timedelta(days=400)).timestamp() * 1e9)
    await asyncio.to_thread(kernel.retention.apply, late)
    assert await asyncio.to_thread(kernel._house.seeing.patterns, weeks.now) == ()
    assert "Finance" not in _kept(weeks.folders.data / "habits")


def _kept(file: Path) -> str:
    return zlib.decompress(file.read_bytes()[64:]).decode() if file.exists() else ""
