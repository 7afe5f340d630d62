"""A disk that fails in the middle of a commit: nobody is told that nothing was changed; it is named until mended."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

CHILD = Path(__file__).with_name("half_done_child.py")
FILES = ("a.txt", "b.mp3", "c.zip", "d.txt")
SCRIPT = """
mount -t tmpfs -o size=4m none "$HOME_/Disk"
for name in a.txt b.mp3 c.zip d.txt; do echo "$name" >"$HOME_/Disk/$name"; done
"$PYTHON" "$CHILD" "$HOW" "$HOME_" "$STEWARD" || echo '{}'
"$PYTHON" "$CHILD" look "$HOME_" "$STEWARD"
mount -o remount,rw "$HOME_/Disk"
"$PYTHON" "$CHILD" look "$HOME_" "$STEWARD"
"""


@pytest.fixture(scope="module", params=["kill", "fail"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[dict[str, Any]]]:
    """What a kernel said when the disk failed (nothing, where it died), at the next start, and when it was mended."""
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare: apt install util-linux")
    if subprocess.run(["unshare", "-Urm", "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs user namespaces: see ./steward doctor")
    top = tmp_path_factory.mktemp("half")
    (top / "home" / "Disk").mkdir(parents=True)
    own = {"HOME_": str(top / "home"), "STEWARD": str(top / "st"), "PYTHON": sys.executable, "CHILD": str(CHILD),
           "HOW": request.param, "PYTHONPATH": str(Path.cwd())}  # fmt: skip
    done = subprocess.run(["unshare", "-Urm", "sh", "-c", SCRIPT], capture_output=True, text=True, check=False,
                          env={**os.environ, **own})  # fmt: skip
    assert done.returncode == 0, done.stderr
    return request.param, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def test_what_waits_for_its_disk_is_named_everywhere(told: tuple[str, list[dict[str, Any]]]) -> None:
    how, (failing, waiting, _) = told
    for seen in (failing, waiting) if how == "fail" else (waiting,):
        run, half_done = seen["view"]["run"], seen["view"]["half_done"]
        assert half_done["message"] == (
            f"The changes of {run} are half made and wait to be taken back: the disk refuses at {place(half_done)}."
        )
        assert half_done["hint"].startswith("Make sure that the disk of ~/Disk")
        assert "./steward down, ./steward up" in half_done["hint"]
        assert seen["line"]["half_done"] is True
        assert [one["run"] for one in seen["status"]] == [run]
        assert "Datenträger" in seen["status"][0]["de"]["hint"]
        assert not seen["doctor"]["ok"]
        assert run in seen["doctor"]["state"]
        assert seen["doctor"]["remedy"] == half_done["hint"]
        assert 0 < len([path for path in seen["tree"] if path.count("/") == 1]) < len(FILES), "it is half done"


def place(half_done: dict[str, Any]) -> str:
    return "~/Disk" + str(half_done["path"]).partition("/Disk")[2]


def test_nobody_says_that_nothing_was_changed(told: tuple[str, list[dict[str, Any]]]) -> None:
    how, (failing, waiting, _) = told
    if how == "fail":
        error = failing["asked"]["error"]
        assert (failing["asked"]["resolution"], error["code"]) == ("failed", "storage.half_done")
        assert "othing was changed" not in failing["asked"]["answer"]
    else:
        assert waiting["view"]["resolution"] == "pending"
    assert "othing was changed" not in waiting["view"]["answer"]
    assert waiting["refusals"] == ["run.half_done"] * 3


def test_a_start_with_the_disk_mended_takes_it_back(told: tuple[str, list[dict[str, Any]]]) -> None:
    how, (*_, mended) = told
    assert mended["tree"] == [f"Disk/{name}" for name in FILES]
    assert mended["doctor"]["ok"]
    assert (mended["status"], mended["view"]["half_done"], mended["line"]["half_done"]) == ([], None, False)
    assert mended["view"]["resolution"] == ("rolled_back" if how == "kill" else "failed")
