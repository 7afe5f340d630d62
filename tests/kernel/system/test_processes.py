"""Programs and their ends: real processes, names and no command lines, the person's own and never Steward's."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kernel.errors import TaskFailed
from kernel.system.processes import Process, processes, programs
from kernel.system.stopping import carries_session, ours, stop

SECRET = "hunter2-word"
Start = Callable[..., int]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start programs under names of their own that are no children of this process; end them after."""
    started: list[int] = []

    def begin(name: str, *, script: str = "", wait: str = "300") -> int:
        program = tmp_path / name
        if not program.exists():
            shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
        file = tmp_path / f"{name}.pid"
        inner = script or f"exec '{program}' {wait}"
        subprocess.run(["/bin/sh", "-c", f"({inner}) >/dev/null 2>&1 & echo $! > '{file}'"], check=True)
        pid = int(file.read_text())
        started.append(pid)
        if not script:
            _until(lambda: any(one.pid == pid and one.name == name for one in processes()))
        return pid

    yield begin
    for pid in started:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _until(holds: Callable[[], bool], wait_s: float = 5.0) -> None:
    ends_at = time.monotonic() + wait_s
    while not holds():
        assert time.monotonic() < ends_at
        time.sleep(0.02)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def test_a_program_is_told_by_its_name_and_never_by_its_command_line(tmp_path: Path, start: Start) -> None:
    program = tmp_path / "quite-a-long-name-for-a-program"
    start(program.name, wait="301")
    listed = programs(look_s=0.05)
    assert program.name in [one["name"] for one in listed["programs"]]  # Linux itself keeps 15 bytes of it
    assert str(tmp_path) not in json.dumps(listed)
    carrier = subprocess.Popen(["/bin/sh", "-c", "sleep 300; :", f"--password={SECRET}"])
    try:
        line = Path(f"/proc/{carrier.pid}/cmdline")
        _until(lambda: SECRET.encode() in line.read_bytes())  # the control: it is there to be read
        assert SECRET not in json.dumps(programs(look_s=0.05))
    finally:
        carrier.kill()
        carrier.wait()


def test_what_works_is_busy_and_what_sleeps_is_not(start: Start) -> None:
    start("worker-word", script="while :; do :; done")
    start("sleeper-word")
    told = {one["name"]: one for one in programs(look_s=0.5)["programs"]}
    assert told["sleeper-word"]["busy"] == 0
    assert max(one["busy"] for one in told.values()) > 0.1
    assert told["sleeper-word"]["memory_bytes"] > 0
    assert told["sleeper-word"]["mine"] is True


def test_a_program_is_ended_with_all_of_its_processes_and_no_other(start: Start) -> None:
    pids = [start("twins-word"), start("twins-word")]
    other = start("twins-word2")
    assert stop("Twins-Word") == {"program": "twins-word", "ended": 2, "left": 0}
    assert not any(_lives(pid) for pid in pids)
    assert _lives(other)


def test_a_program_that_will_not_end_is_left_and_can_be_made_to(tmp_path: Path, start: Start) -> None:
    program = tmp_path / "stubborn"
    shutil.copy("/bin/sh", program)
    pid = start("carrier-word", script=f"exec '{program}' -c 'trap \"\" TERM; while :; do sleep 0.05; done'")
    _until(lambda: any(one.pid == pid and one.name == "stubborn" for one in processes()))
    time.sleep(0.2)
    assert stop("stubborn", wait_s=0.5)["left"] == 1
    assert _lives(pid)
    assert stop("stubborn", force=True)["left"] == 0
    assert not _lives(pid)


def test_what_runs_for_steward_is_not_ended(tmp_path: Path) -> None:
    program = tmp_path / "cell-word"
    shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
    child = subprocess.Popen([program, "300"])
    try:
        _until(lambda: any(one.pid == child.pid and one.name == "cell-word" for one in processes()))
        with pytest.raises(TaskFailed, match="Steward itself") as refused:
            stop("cell-word")
        assert refused.value.code == "system.own"
        assert child.poll() is None
        os.kill(child.pid, signal.SIGTERM)  # the control: without us it ends
        assert child.wait(5) == -signal.SIGTERM
    finally:
        child.kill()
        child.wait()


def test_what_steward_runs_under_is_his_own_too() -> None:
    def one(pid: int, parent: int) -> Process:
        return Process(pid, parent, 1000, f"p{pid}", 1, 0.0, 1, 1)

    everybody = [one(1, 0), one(10, 1), one(20, 10), one(30, 20), one(40, 30), one(11, 1), one(12, 11)]
    assert ours(everybody, 20) == {0, 1, 10, 20, 30, 40}


def test_what_most_of_a_session_runs_below_is_the_session_whatever_it_is_called() -> None:
    def one(pid: int, parent: int, name: str, uid: int = 1000) -> Process:
        return Process(pid, parent, uid, name, 1, 0.0, 1, 1)

    programs = [one(20 + number, 10, f"p{number}") for number in range(9)]
    browser = [one(50, 20, "browser"), *(one(60 + number, 50, "tab") for number in range(90))]
    everybody = [one(1, 0, "init", 0), one(10, 1, "own-wm"), *programs, *browser, one(200, 1, "other", 0)]
    assert carries_session({10}, everybody, 1000)
    assert not carries_session({50}, everybody, 1000)  # many processes, one program
    assert not carries_session({20}, everybody, 1000)
    assert not carries_session({10}, everybody[:4], 1000)  # too few to tell


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start a program for another user")
def test_another_users_program_is_not_ended(tmp_path: Path) -> None:
    program = tmp_path / "others-word"
    shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    child = subprocess.Popen([program, "300"], user=65534)
    try:
        _until(lambda: any(one.pid == child.pid and one.name == "others-word" for one in processes()))
        with pytest.raises(TaskFailed) as refused:
            stop("others-word")
        assert refused.value.code == "system.others"
        assert child.poll() is None
    finally:
        child.kill()
        child.wait()


def _written_process(proc: Path, pid: int, name: str) -> None:
    """Write a process of ours into a /proc of the test: a number that no real one has."""
    folder = proc / str(pid)
    folder.mkdir(parents=True)
    (folder / "stat").write_text(f"{pid} ({name}) S 1 " + "0 " * 17 + "77 0 0\n")
    (folder / "statm").write_text("10 5 1 0 0 0 0\n")


@pytest.mark.parametrize("name",
["python", "python3.11", "Python3", "bash", "sh", "node", "gnome-shell", "systemd", "tmux: server",
 "electron", "electron32", "gjs", "wine64-preloader", "Xvnc", "Xtigervnc", "niri", "river", "labwc", "cosmic-comp",
 "dbus-run-session", "dbus-run-sessio", "xdg-desktop-por", "xdg-desktop-portal", "beam.smp", "pwsh", "nu",
 "kwin_x11"])  # fmt: skip
def test_what_many_things_run_under_is_not_ended_by_its_name(tmp_path: Path, name: str) -> None:
    _written_process(tmp_path, 2**22 + 7, name)
    with pytest.raises(TaskFailed) as refused:
        stop(name, proc=tmp_path)
    assert refused.value.code == "system.shared"


@pytest.mark.parametrize("name", ["firefox", "gimp-2.10", "pythonista", "node-red", "rstudio", "nuclear", "num: x"])
def test_a_program_of_its_own_is_not_taken_for_one_of_those(tmp_path: Path, name: str) -> None:
    _written_process(tmp_path, 2**22 + 7, name)
    assert stop(name, proc=tmp_path)["left"] == 0


def test_a_program_that_does_not_run_is_said() -> None:
    with pytest.raises(TaskFailed) as refused:
        stop("no-such-program-word")
    assert refused.value.code == "system.none"
    assert "no-such-program-word" in refused.value.de


def test_the_systems_own_threads_are_no_programs() -> None:
    assert not [one for one in processes() if one.pid == 2 or one.parent == 2]
