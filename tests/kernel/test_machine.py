"""The machine and the desktop in sentences, through the whole kernel: asked, done, and asked again the next time."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from tests.kernel.desktop.conftest import around, display, opened, session

__all__ = ["around", "display", "opened", "session"]

Bench = Any  # tests/kernel/conftest.py

PLANS = [
    ("how much memory is free?", "system.memory"),
    ("wie viel Arbeitsspeicher ist frei?", "system.memory"),
    ("how much disk space is left?", "system.disks"),
    ("wie viel Platz ist noch auf der Festplatte frei?", "system.disks"),
    ("how busy is the CPU?", "system.load"),
    ("wie ausgelastet ist die CPU?", "system.load"),
    ("which program uses the most memory?", "system.hungriest"),
    ("welches Programm braucht am meisten Arbeitsspeicher?", "system.hungriest"),
    ("which programs are running right now?", "system.programs"),
    ("welche Programme laufen gerade?", "system.programs"),
    ("is thunderbird running?", "system.running"),
    ("läuft gimp noch?", "system.running"),
    ("how full is my battery?", "system.battery"),
    ("wie voll ist mein Akku?", "system.battery"),
    ("am I connected to the internet?", "system.network"),
    ("welches WLAN habe ich?", "system.network"),
    ("how long has my computer been on?", "system.uptime"),
    ("seit wann läuft mein Rechner?", "system.uptime"),
    ("which Linux version do I have?", "system.versions"),
    ("welches Betriebssystem ist das?", "system.versions"),
    ("how hot is the processor?", "system.temperatures"),
    ("wie heiß ist der Prozessor?", "system.temperatures"),
    ("why is my computer so slow?", "system.slow"),
    ("warum ist mein Rechner so langsam?", "system.slow"),
    ("quit the program firefox", "system.stop"),
    ("beende das Programm firefox", "system.stop"),
    ("open small.txt with the standard program", "desktop.open_file"),
    ("öffne small.txt im Standardprogramm", "desktop.open_file"),
    ("open Downloads in the file manager", "desktop.open_folder"),
    ("öffne Downloads im Dateimanager", "desktop.open_folder"),
    ("open example.org in my browser", "desktop.browse"),
    ("öffne example.org im Browser", "desktop.browse"),
    ("what is on my clipboard?", "desktop.paste"),
    ("was liegt in der Zwischenablage?", "desktop.paste"),
    ('copy "see you" to the clipboard', "desktop.copy"),
    ('kopiere "bis bald" in die Zwischenablage', "desktop.copy"),
    ("take a screenshot", "desktop.screenshot"),
    ("mach einen Screenshot", "desktop.screenshot"),
    ('show a notification saying "tea is ready"', "desktop.notify"),
    ('zeig eine Benachrichtigung: "Tee ist fertig"', "desktop.notify"),
    ("what is 17% of 230?", "calc.compute"),
    ("how much space do my downloads take?", "files.usage"),
    ("open the folder Downloads", "files.contents"),
]


async def test_a_sentence_finds_its_tool(bench: Bench) -> None:
    wrong = []
    for sentence, tool in PLANS:
        told = await bench.kernel.draft(Ask(sentence, conversation=f"c{len(wrong)}", cwd=str(bench.home)))
        tools = [task["tool"] for task in (told["plan"] or {}).get("tasks", ())]
        wrong += [] if tools == [tool] else [(sentence, tools, told["answer"])]
    assert wrong == []


@pytest.mark.parametrize(
    ("sentence", "part", "right"),
    [
        ("how much memory is free?", " of memory are free.", "look up about this computer: memory"),
        ("wie viel Arbeitsspeicher ist frei?", "Vom Arbeitsspeicher sind ", "über diesen Rechner nachsehen: memory"),
        ("which programs are running?", " are running: ", "look up about this computer: programs"),
        ("how long has this computer been running?", "This computer has been running for ", "uptime"),
    ],
)
async def test_a_fact_is_told_after_a_card(bench: Bench, sentence: str, part: str, right: str) -> None:
    view = await bench.ask(sentence, yes=False)
    assert view["resolution"] == "pending", view["answer"]
    assert right in " ".join(line["words"] for line in view["card"]["lines"])
    view = await bench.answer(view["run"], "always")
    assert part in view["answer"], view["error"]
    view = await bench.ask(sentence, yes=False, conversation="d")
    assert (view["resolution"], part in view["answer"]) == ("executed", True)


async def test_a_program_is_ended_after_a_yes_each_time(bench: Bench, tmp_path: Path) -> None:
    for turn in range(2):
        pid = _started(tmp_path, "squirrel-word")
        view = await bench.ask("quit the program squirrel-word", yes=False, conversation=f"c{turn}")
        assert view["resolution"] == "pending", (turn, view["answer"])
        assert "end the program squirrel-word" in [line["words"] for line in view["card"]["lines"]]
        os.kill(pid, 0)
        view = await bench.answer(view["run"], "always")
        assert view["answer"] == "I ended squirrel-word.", view["error"]


async def test_a_no_ends_nothing(bench: Bench, tmp_path: Path) -> None:
    pid = _started(tmp_path, "squirrel-word")
    view = await bench.ask("beende das Programm squirrel-word", yes=False)
    assert (await bench.answer(view["run"], "no"))["resolution"] == "blocked"
    os.kill(pid, 9)


@pytest.fixture
def acorn(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program that this process, which is Steward here, has started: under a name that nothing else has."""
    program = tmp_path / "acorn-word"
    shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
    child = subprocess.Popen([program, "300"])
    yield child
    child.kill()
    child.wait()


async def test_steward_does_not_end_what_is_his_own(bench: Bench, acorn: subprocess.Popen[bytes]) -> None:
    view = await bench.ask("end the program acorn-word")
    assert (view["resolution"], view["error"]["code"]) == ("failed", "system.own"), view
    assert acorn.poll() is None


def _started(folder: Path, name: str) -> int:
    """Start a program that is no child of this process."""
    shutil.copy(shutil.which("sleep") or "/bin/sleep", folder / name)
    file = folder / f"{name}.pid"
    inner = f"(exec '{folder / name}' 60) >/dev/null 2>&1 & echo $! > '{file}'"
    subprocess.run(["/bin/sh", "-c", inner], check=True)
    pid, ends_at = int(file.read_text()), time.monotonic() + 5
    while Path(f"/proc/{pid}/comm").read_text().strip() != name:
        assert time.monotonic() < ends_at
        time.sleep(0.02)
    return pid


@pytest.fixture
def on_screen(session: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process be in the session."""
    for name, text in session.items():
        if name not in ("HOME", "PATH"):
            monkeypatch.setenv(name, text)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


@pytest.mark.parametrize("sentence", ["take a screenshot", "mach einen Screenshot"])
@pytest.mark.usefixtures("on_screen")
async def test_a_picture_of_the_screen_is_a_file_that_is_undone(bench: Bench, sentence: str) -> None:
    before = bench.tree()
    view = await bench.ask(sentence)
    assert view["resolution"] == "confirmed", view["error"]
    [(path, data)] = [(path, data) for path, data in bench.tree().items() if path not in before]
    assert path.startswith("Pictures/Screenshots/Screenshot ")
    assert data.startswith(b"\x89PNG")
    assert (await bench.ask("undo that"))["resolution"] in ("executed", "confirmed")
    assert bench.tree() == before


@pytest.mark.parametrize(
    "sentence", ["open small.txt with the standard program", "öffne small.txt im Standardprogramm"]
)
async def test_a_file_is_opened_after_a_yes_each_time(
    bench: Bench, opened: Path, on_screen: None, monkeypatch: pytest.MonkeyPatch, session: dict[str, str], sentence: str
) -> None:
    monkeypatch.setenv("HOME", session["HOME"])
    monkeypatch.setenv("BROWSER", session["BROWSER"])
    for turn in range(2):
        view = await bench.ask(sentence, yes=False, conversation=f"c{turn}")
        assert view["resolution"] == "pending", view["answer"]
        assert "small.txt" in " ".join(line["words"] for line in view["card"]["lines"])
        assert not opened.exists()
        view = await bench.answer(view["run"], "always")
        assert view["resolution"] == "confirmed", view["error"]
        ends_at = time.monotonic() + 10
        while not opened.exists():
            assert time.monotonic() < ends_at
            await asyncio.sleep(0.05)
        assert opened.read_text().removeprefix("file://") == str(bench.home / "Downloads" / "small.txt")
        opened.unlink()


@pytest.mark.parametrize(
    ("sentence", "code"),
    [("take a screenshot", "desktop.display"), ("what is on the clipboard?", "desktop.display"),
     ("open small.txt with the standard program", "desktop.display"),
     ("öffne example.org im Browser", "desktop.display")],
)  # fmt: skip
async def test_without_a_screen_it_says_what_is_missing(
    bench: Bench, around: dict[str, str], monkeypatch: pytest.MonkeyPatch, sentence: str, code: str
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", around["XDG_RUNTIME_DIR"])
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    view = await bench.ask(sentence)
    assert (view["resolution"], view["error"]["code"]) == ("failed", code), view
    assert view["error"]["hint"]


@pytest.mark.parametrize("name", ["tool.desktop", "run.sh"])
async def test_what_could_run_is_not_opened(bench: Bench, name: str) -> None:
    program = bench.home / "Downloads" / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    view = await bench.ask(f"open Downloads/{name} with the standard program")
    assert (view["resolution"], view["error"]["code"]) == ("failed", "desktop.program_file"), view
