"""A process that is let see less: what is not named cannot be read or changed, by whatever way; without it, it can."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.sandbox

_CHILD = """
import os, sys
from permissions.confine import see_only
home, act, confined = sys.argv[1], sys.argv[2], sys.argv[3] == "yes"
if confined:
    see_only(home, [home + "/open"], [home + "/../scratch"])
try:
    exec(act, {"home": home, "os": os})
    print("done")
except OSError as error:
    print(type(error).__name__)
"""

ACTS = {
    "read": "open(home + '/shut/a.txt').read()",
    "through a link in the open": "open(home + '/open/link').read()",
    "through a link beside": "open(home + '/../beside/shut/a.txt').read()",
    "list": "os.listdir(home + '/shut')",
    "write": "open(home + '/shut/b.txt', 'w')",
    "write where it may read": "open(home + '/open/b.txt', 'w')",
    "write beside": "open(home + '/../other.txt', 'w')",
    "remove": "os.unlink(home + '/shut/a.txt')",
    "rename": "os.rename(home + '/shut/a.txt', home + '/open/a.txt')",
    "in a child": "assert os.system('cat ' + home + '/shut/a.txt > /dev/null') == 0 or os.open('/nothing', 0)",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    top = tmp_path / "top"
    for path in ("home/open/o.txt", "home/shut/a.txt", "scratch/s.txt"):
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text("SECRET")
    (top / "home" / "open" / "link").symlink_to(top / "home" / "shut" / "a.txt")
    (top / "beside").symlink_to(top / "home")
    return top / "home"


def tried(home: Path, act: str, *, confined: bool) -> str:
    command = [sys.executable, "-P", "-c", _CHILD, str(home), act, "yes" if confined else "no"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_what_is_not_named_is_shut(home: Path, act: str) -> None:
    before = sorted(path.relative_to(home.parent) for path in home.parent.rglob("*"))
    assert tried(home, act, confined=True) in ("PermissionError", "FileNotFoundError")
    assert sorted(path.relative_to(home.parent) for path in home.parent.rglob("*")) == before
    assert tried(home, act, confined=False) == "done"  # the control


@pytest.mark.parametrize(
    "act",
    ["open(home + '/open/o.txt').read()", "open(home + '/../scratch/x', 'w').write('x')", "open('/dev/null', 'w')",
     "import json, wave"],
)  # fmt: skip
def test_what_is_named_and_what_lies_elsewhere_stays(home: Path, act: str) -> None:
    assert tried(home, act, confined=True) == "done"
