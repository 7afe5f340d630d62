"""Opening on the desktop: documents, folders and addresses are; what could run, or leads inside, is not."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
import time
from pathlib import Path

import pytest

from kernel.desktop import open_place, opening
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
        (".jar", b"PK", 0o644),
        (".EXE", b"x", 0o644),
        (".desktop", b"text", 0o644),
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


async def test_a_folder_that_some_systems_start_is_not_opened(around: dict[str, str], tmp_path: Path) -> None:
    for name in ("bundle.run", ".jar"):
        (tmp_path / name).mkdir()
        with pytest.raises(TaskFailed, match="could run"):
            await open_place(str(tmp_path / name), {**around, "DISPLAY": ":99"})


async def test_a_disk_that_does_not_answer_holds_nothing_up(
    around: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, answers, real = _make(tmp_path, "a.txt", b"x"), threading.Event(), os.path.realpath

    def slow(path: str) -> str:
        answers.wait(30)
        return real(path)

    monkeypatch.setattr("os.path.realpath", slow)
    monkeypatch.setattr(opening, "_LOOK_S", 0.1)
    began = time.monotonic()
    try:
        with pytest.raises(TaskFailed) as failed:
            await open_place(note, {**around, "DISPLAY": ":99"})
        assert (failed.value.code, time.monotonic() - began < 5) == ("desktop.absent", True)
    finally:
        answers.set()


async def test_a_pipe_that_takes_the_place_of_a_file_stops_nothing(
    around: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, real = _make(tmp_path, "a.txt", b"x"), os.open

    def swapped(path: str, *rest: int) -> int:
        os.unlink(note)
        os.mkfifo(note)
        return real(path, *rest)

    monkeypatch.setattr("os.open", swapped)
    with pytest.raises(TaskFailed, match="could run"):
        await asyncio.wait_for(open_place(note, {**around, "DISPLAY": ":99"}), 5)


async def test_no_pipe_is_left_where_a_viewer_goes_on(
    around: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    _make(programs, "xdg-open", b"#!/bin/sh\nexec sleep 3\n", 0o755)
    monkeypatch.setattr(opening, "_WAIT_S", 0.1)
    variables = {**around, "DISPLAY": ":99", "PATH": f"{programs}:{around['PATH']}"}
    await open_place(_make(tmp_path, "a.txt", b"x"), variables)
    await asyncio.sleep(0)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        await open_place(str(tmp_path / "a.txt"), variables)
        await asyncio.sleep(0)
    assert len(os.listdir("/proc/self/fd")) == before


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
