"""kill -9 of the kernel during a run: afterwards the home is as before the run or as after it, and it says which."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.errors import KernelError
from memory import Ledger

pytestmark = pytest.mark.slow

CHILD = Path(__file__).with_name("crash_child.py")
REQUEST = "sort the files in ~/Downloads into folders by type"
MOMENTS_S = (0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.075, 0.09, 0.11, 0.14, 0.2, 0.5)


def fill(home: Path) -> None:
    (home / "Downloads").mkdir(parents=True)
    for number in range(6):
        for suffix in ("txt", "zip", "mp3"):
            (home / "Downloads" / f"file {number}.{suffix}").write_text(f"{number}{suffix}")


def tree(home: Path) -> dict[str, str]:
    files = (path for path in home.rglob("*") if path.is_file() and ".local" not in path.parts)
    return {str(path.relative_to(home)): path.read_text() for path in files}


def kill_after(home: Path, steward: Path, delay_s: float) -> bool:
    """Run the request in a kernel of its own and kill it ``delay_s`` later; return whether it had ended by then."""
    environ = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    child = subprocess.Popen(
        [sys.executable, str(CHILD), str(home), str(steward), REQUEST],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdin is not None
    with child:
        assert child.stdout.readline().strip() == "ready"
        child.stdin.write("go\n")
        child.stdin.flush()
        time.sleep(delay_s)
        os.kill(child.pid, signal.SIGKILL)
        return "done" in child.stdout.read()


async def look(folders: Folders) -> tuple[Kernel, dict[str, object]]:
    """Open the kernel again; return it with the view of the killed run."""
    kernel = await open_kernel(load_settings(encoder=False), folders)
    await asyncio.sleep(0)
    for run in kernel.runs():
        if run["text"] == REQUEST:
            return kernel, kernel.view(run["run"])
    return kernel, {}


async def test_an_undo_that_nobody_could_write_down_is_known_afterwards(tmp_path: Path) -> None:
    home, steward = tmp_path / "home", tmp_path / "steward"
    fill(home)
    before = tree(home)
    environ = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, str(CHILD), str(home), str(steward), REQUEST, "undo"]
    child = await asyncio.to_thread(subprocess.run, command, input="go\n", capture_output=True, text=True, env=environ)
    assert (child.returncode, child.stdout.split()) == (-signal.SIGKILL, ["ready", "done"])
    assert tree(home) == before, "it was taken back"
    kernel, view = await look(Folders({"HOME": str(home), "STEWARD_HOME": str(steward)}))
    try:
        assert view["undone"], "and the list says so"
        assert kernel.verify_ledger()["ok"]
        with pytest.raises(KernelError):
            await kernel.undo(None)
    finally:
        await kernel.close()
    kernel, view = await look(Folders({"HOME": str(home), "STEWARD_HOME": str(steward)}))
    await kernel.close()
    events = [event.kind for event in Ledger.open(steward / "data" / "ledger", read_only=True).events()]
    assert events.count("run.undone") == 1, "once"


@pytest.mark.parametrize("delay_s", MOMENTS_S)
async def test_killed_at_any_moment(tmp_path: Path, delay_s: float) -> None:
    home, steward = tmp_path / "home", tmp_path / "steward"
    fill(home)
    before = tree(home)
    ended = kill_after(home, steward, delay_s)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(steward)})
    kernel, view = await look(folders)
    try:
        after = tree(home)
        assert sorted(after.values()) == sorted(before.values()), "no content is lost or doubled"
        untouched = after == before
        moved = all("/" in name.removeprefix("Downloads/") for name in after)
        assert untouched or moved, "all of it or none of it"
        assert kernel.verify_ledger()["ok"]
        if not view:
            assert untouched, "what was never written down was never done"
        elif untouched:
            assert view["resolution"] == "rolled_back"
        else:
            assert view["resolution"] == "confirmed"
            assert view["effects"]
            taken = await kernel.undo(None)
            assert taken["run"] == view["run"]
            assert tree(home) == before
        if ended:
            assert not untouched
    finally:
        await kernel.close()
