"""Opening on the desktop: documents, folders and addresses are; what could run, or leads inside, is not."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from pathlib import Path

import pytest

from kernel.desktop import open_place
from kernel.errors import TaskFailed
from permissions.errors import Refused

pytestmark = pytest.mark.skipif(shutil.which("xdg-open") is None, reason="install the package xdg-utils")


async def _seen(file: Path, wait_s: float = 10.0) -> str:
    ends_at = time.monotonic() + wait_s
    while not file.exists():
        assert time.monotonic() < ends_at, "nothing was opened"
        await asyncio.sleep(0.05)
    return file.read_text()


@pytest.mark.slow
async def test_a_document_a_folder_and_an_address_reach_their_program(
    session: dict[str, str], opened: Path, tmp_path: Path
) -> None:
    note = tmp_path / "a note (1).txt"
    note.write_text("hello")
    for place in (str(note), str(tmp_path), "https://example.org/a?b=c"):
        opened.unlink(missing_ok=True)
        await open_place(place, session)
        assert (await _seen(opened)).removeprefix("file://") in (place, place.replace(" ", "%20")), place


@pytest.mark.slow
async def test_what_is_opened_is_no_child_of_stewards(session: dict[str, str], opened: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("hello")
    handler = tmp_path / "handler.sh"
    handler.write_text(f"#!/bin/sh\nprintf '%s' $$ > '{opened}'\nsleep 30\n")
    await open_place(str(note), session)
    pid = int(await _seen(opened))
    chain, above = [], pid
    while above > 1:
        above = int(Path(f"/proc/{above}/stat").read_text().rpartition(")")[2].split()[1])
        chain.append(above)
    os.killpg(os.getpgid(pid), 9)
    assert os.getpid() not in chain


def _make(folder: Path, name: str, data: bytes, mode: int = 0o644) -> str:
    path = folder / name
    path.write_bytes(data)
    path.chmod(mode)
    return str(path)


@pytest.mark.parametrize(
    ("name", "data", "mode"),
    [
        ("run.txt", b"#!/bin/sh\n", 0o755),
        ("tool", b"\x7fELF\x02\x01", 0o644),
        ("picture.png", b"\x7fELF\x02\x01", 0o644),
        ("letter.pdf", b"MZ\x90\x00", 0o644),
        ("app.desktop", b"text", 0o644),
        ("holiday.txt", b"\n# x\n[Desktop Entry]\nExec=sh\n", 0o644),
        ("setup.EXE", b"x", 0o644),
        ("game.AppImage", b"x", 0o644),
        ("pack.deb", b"x", 0o644),
        ("macro.jar", b"PK", 0o644),
    ],
)
async def test_what_could_run_is_not_opened(
    around: dict[str, str], tmp_path: Path, name: str, data: bytes, mode: int
) -> None:
    with pytest.raises(TaskFailed, match="could run") as refused:
        await open_place(_make(tmp_path, name, data, mode), {**around, "DISPLAY": ":99"})
    assert refused.value.code == "desktop.program_file"


async def test_a_link_does_not_hide_a_program(around: dict[str, str], tmp_path: Path) -> None:
    link = tmp_path / "harmless.txt"
    link.symlink_to(_make(tmp_path, "tool.sh", b"#!/bin/sh\n"))
    with pytest.raises(TaskFailed) as refused:
        await open_place(str(link), {**around, "DISPLAY": ":99"})
    assert refused.value.code == "desktop.program_file"


async def test_a_pipe_is_not_opened(around: dict[str, str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(TaskFailed):
        await open_place(str(tmp_path / "pipe.txt"), {**around, "DISPLAY": ":99"})


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1/", "http://localhost:8080/", "https://192.168.1.1/", "http://[::1]/", "http://169.254.169.254/",
     "https://printer.local/"],
)  # fmt: skip
async def test_an_address_inside_is_not_opened(around: dict[str, str], address: str) -> None:
    with pytest.raises((TaskFailed, Refused)):
        await open_place(address, {**around, "DISPLAY": ":99"})


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "javascript:alert(1)", "https://a:b@example.org/", "mailto:a@b"]
)
async def test_another_scheme_or_a_password_is_refused(around: dict[str, str], address: str) -> None:
    with pytest.raises(Refused):
        await open_place(address, {**around, "DISPLAY": ":99"})


async def test_without_a_screen_it_says_what_is_missing(around: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(TaskFailed, match="neither DISPLAY nor WAYLAND_DISPLAY") as failed:
        await open_place(_make(tmp_path, "a.txt", b"x"), around)
    assert failed.value.code == "desktop.display"
    assert "./steward up" in failed.value.hint


async def test_what_is_not_there_is_said(around: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(TaskFailed) as failed:
        await open_place(str(tmp_path / "gone.txt"), {**around, "DISPLAY": ":99"})
    assert failed.value.code == "desktop.absent"


@pytest.mark.slow
async def test_a_kind_without_a_program_is_said(session: dict[str, str], tmp_path: Path) -> None:
    session["BROWSER"] = "no-such-browser-word"
    names = "xdg-open xdg-mime sh grep sed cat head cut file uname basename readlink dirname which env awk tr"
    session["PATH"] = _only(tmp_path, *names.split())
    with pytest.raises(TaskFailed) as failed:
        await open_place(_make(tmp_path, "a.oddkind", b"\x00\x01\x02odd"), session)
    assert failed.value.code == "desktop.no_handler"


def _only(folder: Path, *names: str) -> str:
    """A folder with these programs alone."""
    place = folder / "bin"
    place.mkdir()
    for name in names:
        if found := shutil.which(name):
            (place / name).symlink_to(found)
    return str(place)
