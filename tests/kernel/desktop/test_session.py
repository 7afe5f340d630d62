"""The session: which display is taken, what programs are told; clipboard, screenshot and notices in a real one."""

from __future__ import annotations

import io
import os
import shutil
import socket
import time
from pathlib import Path

import pytest
from PIL import Image

from kernel.desktop import copied, notify, put_on_clipboard, screenshot
from kernel.desktop.clipboard import MOST_BYTES
from kernel.desktop.session import Kind, session, variables
from kernel.errors import TaskFailed

needs_xclip = pytest.mark.skipif(
    not (shutil.which("xclip") or shutil.which("xsel")), reason="install the package xclip or xsel"
)


def test_a_wayland_display_that_is_there_comes_first(around: dict[str, str]) -> None:
    assert session({**around, "DISPLAY": ":7"}).kind is Kind.X11
    with socket.socket(socket.AF_UNIX) as waiting:
        waiting.bind(str(Path(around["XDG_RUNTIME_DIR"], "wayland-0")))
        found = session({**around, "DISPLAY": ":7"})
        assert (found.kind, found.variables["WAYLAND_DISPLAY"]) == (Kind.WAYLAND, "wayland-0")
        assert session(around).kind is Kind.WAYLAND  # also where the daemon was told of none


def test_programs_of_the_session_are_told_no_more_than_they_need(around: dict[str, str]) -> None:
    told = variables({**around, "DISPLAY": ":7", "AWS_SECRET": "word", "STEWARD_HOME": "/s", "LD_PRELOAD": "/x.so"})
    assert told["DISPLAY"] == ":7"
    assert not {"AWS_SECRET", "STEWARD_HOME", "LD_PRELOAD"} & set(told)


async def test_without_a_display_nothing_is_read_or_written(around: dict[str, str]) -> None:
    for wanted in (copied(around), put_on_clipboard("x", around), screenshot(around)):
        with pytest.raises(TaskFailed) as failed:
            await wanted
        assert failed.value.code == "desktop.display"


async def test_a_missing_program_is_named(around: dict[str, str], tmp_path: Path) -> None:
    empty = {**around, "DISPLAY": ":7", "PATH": str(tmp_path)}
    with pytest.raises(TaskFailed, match="no program") as failed:
        await copied(empty)
    assert "xclip" in failed.value.hint


@needs_xclip
@pytest.mark.slow
@pytest.mark.parametrize("text", ["hello", "grüezi „du“\nzweite Zeile", "$(touch /tmp/x); `id`", "x" * 200_000])
async def test_what_is_copied_can_be_pasted(session: dict[str, str], text: str) -> None:
    await put_on_clipboard(text, session)
    assert await copied(session) == text


@pytest.mark.slow
@pytest.mark.parametrize("reads", ["sleep 60", "exit 1", "echo something else"])
async def test_a_copy_that_cannot_be_looked_at_is_a_copy(around: dict[str, str], tmp_path: Path, reads: str) -> None:
    program, there = tmp_path / "xclip", tmp_path / "there"
    program.write_text(f'#!/bin/sh\ncase "$3" in -in) exec cat > "{there}";; *) {reads};; esac\n')
    program.chmod(0o755)
    before = time.monotonic()
    await put_on_clipboard("hello", {**around, "DISPLAY": ":7", "PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert there.read_text() == "hello"
    assert time.monotonic() - before < 9  # so long a program is waited for that is needed


@needs_xclip
@pytest.mark.slow
async def test_too_much_is_not_put_on_the_clipboard(session: dict[str, str]) -> None:
    with pytest.raises(TaskFailed) as failed:
        await put_on_clipboard("x" * (MOST_BYTES + 1), session)
    assert failed.value.code == "desktop.size"


@pytest.mark.slow
async def test_the_picture_is_the_screen(session: dict[str, str]) -> None:
    with Image.open(io.BytesIO(await screenshot(session))) as picture:
        assert picture.size == (320, 200)


async def test_a_display_that_is_not_there_gives_no_picture(around: dict[str, str]) -> None:
    with pytest.raises(TaskFailed) as failed:
        await screenshot({**around, "DISPLAY": ":4711"})
    assert failed.value.code == "desktop.screenshot"


async def test_where_one_program_gives_no_picture_the_next_is_asked(around: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "one.png"
    Image.new("RGB", (3, 2)).save(file)
    programs = tmp_path / "bin"
    programs.mkdir()
    scripts = {
        "gnome-screenshot": "exit 0", "spectacle": "echo no picture > \"$4\"", "import": f'cp {file} "$3"',
    }  # fmt: skip
    for name, script in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{around['PATH']}"
    assert await screenshot({**around, "DISPLAY": ":4711", "PATH": path}) == file.read_bytes()
    (programs / "import").write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(TaskFailed) as failed:
        await screenshot({**around, "DISPLAY": ":4711", "PATH": path})
    assert failed.value.code == "desktop.screenshot"


async def test_without_a_bus_no_notice_is_shown(around: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", around["XDG_RUNTIME_DIR"])
    assert await notify("title", "text") is False
