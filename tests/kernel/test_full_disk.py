"""A full disk: the run fails with words, nothing is lost, nothing half-written stays, the daemon lives."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHILD = Path(__file__).with_name("full_disk_child.py")
MOUNT = 'mount -t tmpfs -o size=1m none "$1" && exec "$2" "$3" "$1" "$4"'


@pytest.mark.slow
def test_a_full_disk(tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare: apt install util-linux")
    home = tmp_path / "home"
    home.mkdir()
    command = ["unshare", "-Urm", "sh", "-c", MOUNT, "sh", str(home), sys.executable, str(CHILD), str(tmp_path / "st")]
    if subprocess.run(["unshare", "-Urm", "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs user namespaces: see ./steward doctor")
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(Path.cwd())}
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["view"]["resolution"] == "failed"
    assert seen["view"]["error"]["code"].startswith("storage.")
    assert seen["view"]["error"]["hint"]
    assert seen["files"] == {"Downloads/big.bin": 600_000}
    assert seen["alive"] == "executed"
