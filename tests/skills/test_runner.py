"""Calls end to end: runner, zygote, cell, worker, and back. The wall is the real one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from permissions.confine import Cells
from permissions.model import CellSpec, CellStatus, Limits
from skills import BadResult, Ran, Runner, UnknownTool
from skills.contents import BUILTIN
from skills.model import Call, ToolId

_CODE = '''from __future__ import annotations
import os, time
from pathlib import Path
from skills.sdk import Context, File, Text

def slow(ctx: Context) -> int:
    """Wait."""
    ctx.progress(0.25, "waiting")
    time.sleep(60)
    return 1

def hungry(ctx: Context) -> int:
    """Eat memory."""
    held = [bytearray(1 << 20) for _ in range(4096)]
    return len(held)

class OutOfMemoryException(Exception):
    pass

def allocate(ctx: Context) -> int:
    """Run out of memory as a library with an allocator of its own does."""
    raise OutOfMemoryException("Failed to allocate block")

def load(ctx: Context) -> int:
    """Load a library where there is no memory for it, as the system's loader says it."""
    raise ImportError("/x/_y.so: failed to map segment from shared object")

def load_said(ctx: Context) -> int:
    """The same where the loader says why."""
    raise ImportError("/x/_y.so: failed to map segment from shared object: Cannot allocate memory")

def barred(ctx: Context) -> int:
    """Load a library from a disk without programs."""
    raise ImportError("/x/_y.so: failed to map segment from shared object: Operation not permitted")

def missing(ctx: Context) -> int:
    """Load a library that is not there."""
    raise ImportError("/x/_y.so: cannot open shared object file: No such file or directory")

def crash(ctx: Context) -> int:
    """Die."""
    print("goodbye", file=__import__("sys").stderr, flush=True)
    os.abort()

def lie(ctx: Context) -> int:
    """Lie."""
    return "three"

def flood(ctx: Context) -> int:
    """Flood."""
    deep = b'{"fraction": 1, "text": ' + b"[" * 5000 + b"]" * 5000 + b"}"
    large = b'{"fraction": 1' + b"0" * 400 + b', "text": "x"}'
    for line in (deep, large, b"[1]", *[b'{"fraction": 1e999, "text": "endless"}'] * 5000):
        os.write(3, b"p" + len(line).to_bytes(4, "little") + line)
    return 1

def look(ctx: Context, path: Text) -> str:
    """Look.

    Args:
        path: where.
    """
    return Path(path).read_text()
'''


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "skill.py").write_text(_CODE)
    return folder


@pytest.fixture
async def runner() -> AsyncIterator[Runner]:
    cells = Cells([sys.executable, "-P", "-m", "skills.worker"])
    yield Runner(cells)
    await cells.close()


def _call(folder: Path, function: str, home: Path, **other: Any) -> Call:
    given: dict[str, Any] = {"language": "en", "arguments": {}, "staging": None} | other
    return Call(
        tool=ToolId(f"{folder.name}.{function}"),
        folder=str(folder),
        function=function,
        home=str(home),
        cwd=str(home),
        now="2025-07-01T12:00:00+02:00",
        timezone="Europe/Berlin",
        seed=1,
        **given,
    )


def _spec(*reads: Path, writes: tuple[str, ...] = (), **limits: Any) -> CellSpec:
    return CellSpec(tuple(map(str, reads)), writes, limits=Limits(**limits))


def _code(ran: Ran) -> str:
    assert ran.result.error is not None
    assert ran.result.error["message"]
    return ran.result.error["code"]


async def test_a_shipped_tool_answers_from_its_cell(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "Downloads").mkdir()
    for number in range(3):
        (tmp_path / "Downloads" / f"f{number}.pdf").write_bytes(b"x" * number)
    arguments = {"folder": {"path": str(tmp_path / "Downloads")}, "count": 2}
    call = _call(BUILTIN / "files", "largest", tmp_path, arguments=arguments)
    ran = await runner.run(call, _spec(tmp_path / "Downloads", BUILTIN / "files"))
    assert [file["name"] for file in ran.result.value] == ["f2.pdf", "f1.pdf"]
    assert ran.result.answer.startswith("The 2 largest files in ~/Downloads are: f2.pdf (2 bytes, ")
    assert ran.cell.wall_s > 0


async def test_effects_and_blobs_come_out_of_the_cell(runner: Runner, tmp_path: Path) -> None:
    staging = tmp_path / "staging"
    staging.mkdir()
    call = _call(
        BUILTIN / "notes", "create", tmp_path, arguments={"title": "Käse", "text": "Gouda"}, staging=str(staging)
    )
    ran = await runner.run(call, _spec(BUILTIN / "notes", writes=(str(staging),)))
    assert [effect["op"] for effect in ran.result.effects] == ["mkdir", "write"]
    assert (staging / ran.result.effects[1]["blob"]).read_text() == "Gouda\n"
    assert not (tmp_path / "Notes").exists()


async def test_a_call_that_takes_too_long_is_ended_with_words(runner: Runner, skill: Path) -> None:
    heard: list[tuple[float | None, str]] = []
    ran = await runner.run(
        _call(skill, "slow", skill.parent), _spec(skill, wall_s=0.5), lambda part, text: heard.append((part, text))
    )
    assert _code(ran) == "task.time"
    assert "0.5 seconds" in str(ran.result.error)
    assert heard == [(0.25, "waiting")]


async def test_a_call_that_eats_too_much_is_ended_with_words(runner: Runner, skill: Path) -> None:
    ran = await runner.run(_call(skill, "hungry", skill.parent, language="de"), _spec(skill, memory_bytes=256 << 20))
    assert _code(ran) == "task.memory"
    assert "mehr Speicher als erlaubt: Es erreichte 2" in str(ran.result.error)
    assert "die Grenze ist 268 MB." in str(ran.result.error)


async def test_a_library_that_runs_out_of_memory_in_its_own_words_is_understood(runner: Runner, skill: Path) -> None:
    ran = await runner.run(_call(skill, "allocate", skill.parent), _spec(skill, memory_bytes=256 << 20))
    assert (_code(ran), ran.cell.status) == ("task.memory", CellStatus.OUT_OF_MEMORY)
    assert "its limit is 268 MB." in str(ran.result.error)


async def test_a_library_that_finds_no_memory_to_be_loaded_is_said_to_lack_memory(runner: Runner, skill: Path) -> None:
    for function in ("load", "load_said"):
        assert _code(await runner.run(_call(skill, function, skill.parent), _spec(skill))) == "task.memory"
    assert _code(await runner.run(_call(skill, "barred", skill.parent), _spec(skill))) == "tool.fault"
    assert _code(await runner.run(_call(skill, "missing", skill.parent), _spec(skill))) == "tool.fault"


async def test_a_crash_names_the_signal_and_the_last_words(runner: Runner, skill: Path) -> None:
    ran = await runner.run(_call(skill, "crash", skill.parent), _spec(skill))
    assert _code(ran) == "task.crashed"
    assert "signal 6" in str(ran.result.error)
    assert "goodbye" in str(ran.result.error)


async def test_a_lie_about_the_result_is_refused(runner: Runner, skill: Path) -> None:
    with pytest.raises(BadResult, match="kind integer"):
        await runner.run(_call(skill, "lie", skill.parent), _spec(skill))


@pytest.mark.sandbox
async def test_what_was_not_granted_cannot_be_read(runner: Runner, skill: Path, tmp_path: Path) -> None:
    for name in ("granted", "secret"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    asked = {
        name: _call(skill, "look", tmp_path, arguments={"path": str(tmp_path / name / "a.txt")})
        for name in ("granted", "secret")
    }
    spec = _spec(skill, tmp_path / "granted")
    assert (await runner.run(asked["granted"], spec)).result.value == "granted"
    assert _code(await runner.run(asked["secret"], spec)) == "tool.os"


async def test_a_flood_of_malformed_reports_is_dropped(runner: Runner, skill: Path) -> None:
    heard: list[tuple[float | None, str]] = []
    ran = await runner.run(
        _call(skill, "flood", skill.parent), _spec(skill), lambda part, text: heard.append((part, text))
    )
    assert ran.result.value == 1
    assert heard[0] == (None, "endless")
    assert len(heard) < 20


@pytest.mark.sandbox
async def test_what_the_hash_leaves_out_cannot_be_read(runner: Runner, skill: Path) -> None:
    (skill / "__pycache__").mkdir()
    for place in (skill / "__pycache__" / "data.py", skill / "data.py"):
        place.write_text("counted")
        ran = await runner.run(_call(skill, "look", skill.parent, arguments={"path": str(place)}), _spec(skill))
        assert (ran.result.value == "counted") is (place.parent == skill)


async def test_cancelling_ends_the_call(runner: Runner, skill: Path) -> None:
    started = asyncio.Event()
    running = asyncio.create_task(
        runner.run(_call(skill, "slow", skill.parent), _spec(skill), lambda _part, _text: started.set())
    )
    await asyncio.wait_for(started.wait(), 30)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_tool_that_is_gone_is_unknown(runner: Runner, skill: Path) -> None:
    with pytest.raises(UnknownTool, match=r"demo\.sing"):
        await runner.run(_call(skill, "sing", skill.parent), _spec(skill))
