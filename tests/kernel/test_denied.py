"""Where user namespaces are denied the whole main job still runs, at L2, and every place that speaks of it says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from permissions import machine_level
from tests.skills.packages.wares import GOOD, laid

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]
ROOT = Path(__file__).parents[2]
JOB = """
import asyncio, json, sys
from pathlib import Path
from kernel import Ask, Folders, load_settings, open_kernel

async def main(root):
    home = Path(root, "home")
    (home / "Downloads").mkdir(parents=True)
    for name, size in [("big.iso", 5000), ("middle.zip", 3000), ("small.txt", 10)]:
        (home / "Downloads" / name).write_bytes(b"x" * size)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": root + "/steward"})
    kernel = await open_kernel(load_settings(encoder=False), folders)
    async def ask(text, yes=True):
        run = await kernel.ask(Ask(text, conversation="c", cwd=str(home), yes=yes, channel="test"))
        return await kernel.settled(run)
    words = "find the two largest files in ~/Downloads and save their names as a note called big files"
    asked = await ask(words, yes=False)
    await kernel.approve(asked["run"], "once")
    done = await kernel.settled(asked["run"])
    note = home / "Notes" / "big files.md"
    written = note.read_text() if note.exists() else ""
    levels = [event["body"]["level"] async for event in kernel.stream(run=asked["run"]) if event["kind"] == "task.done"]
    kernel.test_wall()
    await kernel._upkeep.testing
    taken = await kernel.undo()
    doctor = {line["name"]: line for line in kernel.doctor()}
    print(json.dumps({
        "card": asked["card"], "resolution": done["resolution"], "answer": done["answer"], "written": written,
        "levels": levels, "undone": not note.exists(), "taken": taken["run"] == asked["run"],
        "status": kernel.status(), "doctor": doctor,
    }))
    await kernel.close()

asyncio.run(main(sys.argv[1]))
"""


def test_ask_approve_commit_and_undo_without_user_namespaces(tmp_path: Path) -> None:
    if machine_level() != "L3":
        pytest.skip("namespaces are denied here already; every other test shows it")
    become = [sys.executable, str(ROOT / "tests/permissions/confine/become.py"), "--without-namespaces"]
    command = [*become, sys.executable, "-P", "-c", JOB, str(tmp_path)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False, env=environ, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["resolution"] == "confirmed", found["answer"]
    assert "big.iso" in found["written"]
    assert "middle.zip" in found["written"]
    assert (found["undone"], found["taken"]) == (True, True)
    assert set(found["levels"]) == {"L2"}
    assert (found["card"]["level"], found["status"]["level"]) == ("L2", "L2")
    assert "file system of its own" in found["card"]["level_note"]
    assert "refused in a cell of L2" in found["status"]["wall_test"]
    doctor = found["doctor"]
    assert "calls run at level L2" in doctor["sandbox"]["state"]
    assert (doctor["namespaces"]["ok"], doctor["wall test"]["ok"]) == (False, True)
    assert "max_user_namespaces" in doctor["namespaces"]["remedy"]


OTHERS = """
import asyncio, json, sys
from pathlib import Path
from kernel import Ask, Folders, load_settings, open_kernel
from kernel.errors import KernelError

async def main(root, below):
    home = Path(root, "home")
    home.mkdir(exist_ok=True)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": root + "/steward"})
    kernel = await open_kernel(load_settings(encoder=False, below_l3=below), folders)
    if not any(one["id"] == "moon" for one in kernel.skills()):
        found = await kernel.rooms.installed.look_at(root + "/moon")
        await kernel.rooms.installed.install(found["package"])
    for language, words in (("en", "how is the moon today"), ("de", "wie steht der mond heute")):
        run = await kernel.ask(Ask(words, conversation=language, cwd=str(home), channel="test"))
        done = await kernel.settled(run)
        print(json.dumps([done["resolution"], done["answer"], done.get("error")]))
    await kernel.close()

asyncio.run(main(*sys.argv[1:]))
"""
_ASKED = 'examples.en = ["how is the moon today"]\n'
_WITHOUT_RIGHTS = GOOD["steward.toml"].partition("[[tools.phase.rights]]")[0]
PLAIN = GOOD | {
    "steward.toml": _WITHOUT_RIGHTS.replace(_ASKED, _ASKED + 'examples.de = ["wie steht der mond heute"]\n')
}


@pytest.mark.parametrize(("namespaces", "below", "runs"), [
    (False, "", False), (False, "moon", True), (False, "sun", False), (True, "", True),
])  # fmt: skip
def test_a_skill_of_others_runs_behind_the_whole_wall_alone(
    tmp_path: Path, namespaces: bool, below: str, runs: bool
) -> None:
    """What others wrote needs L3 unless the person said otherwise, by its name; the control has namespaces."""
    if machine_level() != "L3":
        pytest.skip("namespaces are denied here already: there is no control")
    laid(tmp_path / "moon", PLAIN)
    less = [] if namespaces else ["--without-namespaces"]
    command = [sys.executable, str(ROOT / "tests/permissions/confine/become.py"), *less, sys.executable, "-P", "-c"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*command, OTHERS, str(tmp_path), below], capture_output=True, text=True, timeout=110,
                          check=False, env=environ, cwd=ROOT)  # fmt: skip
    assert done.returncode == 0, done.stderr
    english, german = (json.loads(line) for line in done.stdout.splitlines())
    if runs:
        assert [english[:2], german[:2]] == [["executed", "Full."]] * 2, done.stdout
    else:
        assert "moon is a skill of others, which runs behind the whole wall (L3) alone" in str(english), english
        named = f'"moon {below}"' if below else "moon"  # who may already goes on
        assert f"config set below_l3 {named}" in str(english)
        assert "moon ist eine Fähigkeit von anderen" in str(german)
