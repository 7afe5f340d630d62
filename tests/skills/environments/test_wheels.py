"""A wheel is unpacked as it is or refused; what Python would run by itself has no place."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from skills.environments.wheels import check_list, laid_out
from skills.packages.model import Refused
from tests.skills.environments.wheelwright import lune, wheel

GOOD = {"lune/__init__.py": "X = 1\n"}


def lay(tmp_path: Path, *wheels: Path) -> tuple[set[str], list[str]]:
    """Unpack wheels; return the files that can be imported, and what was left out."""
    goal, work = tmp_path / "goal", tmp_path / "work"
    for one in (goal, work):
        one.mkdir()
    left = laid_out(wheels, goal, work)
    files = {path.relative_to(goal).as_posix() for path in goal.rglob("*") if path.is_file()}
    return {one for one in files if ".dist-info/" not in one}, left


def test_modules_and_data_are_placed_and_scripts_are_not(tmp_path: Path) -> None:
    made = wheel(
        tmp_path, "lune",
        {**GOOD, "lune/sea.txt": "x", "lune-1.0.data/purelib/mare.py": "", "lune-1.0.data/platlib/sea/a.py": "",
         "lune-1.0.data/scripts/lune": "#!python", "lune-1.0.data/data/etc/x": "", "lune-1.0.data/headers/x.h": ""},
    )  # fmt: skip
    files, left = lay(tmp_path, made)
    assert files == {"lune/__init__.py", "lune/sea.txt", "mare.py", "sea/a.py"}
    assert len(left) == 3


STARTS = {"lune.pth": "RUN", "sitecustomize.py": "RUN", "usercustomize/__init__.py": "RUN",
          "lune-1.0.data/purelib/other.pth": "RUN"}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("path", [one for one in STARTS if one.endswith(".pth")])
def test_a_pth_that_pip_would_have_run_is_not_there(tmp_path: Path, path: str) -> None:
    """The control installs the same wheel with pip, and starts Python on it as ``site`` does."""
    canary = tmp_path / "ran"
    made = wheel(tmp_path, "lune", {**GOOD, path: f"import os; os.mkdir({str(canary)!r})\n"})
    pip = [sys.executable, "-m", "pip", "--isolated", "-q", "install", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--target", str(tmp_path / "by-pip"), str(made)], check=True, capture_output=True)

    def started(folder: Path) -> bool:
        subprocess.run([sys.executable, "-c", f"import site; site.addsitedir({str(folder)!r})"], check=True)
        return canary.exists() and (canary.rmdir() or True)

    assert started(tmp_path / "by-pip")
    files, left = lay(tmp_path, made)
    assert not started(tmp_path / "goal")
    assert files == {"lune/__init__.py"}
    assert len(left) == 1


def test_modules_that_python_imports_by_itself_are_left_out(tmp_path: Path) -> None:
    files, left = lay(tmp_path, wheel(tmp_path, "lune", {**GOOD, **STARTS}))
    assert files == {"lune/__init__.py"}
    assert len(left) == len(STARTS)


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"../escape.py": ""}, "package.path"), ({"/etc/escape.py": ""}, "package.path"),
        ({"lune/a.py": "", "lune/A.py": ""}, "package.twice"), ({"lune/__pycache__/a.pyc": ""}, "package.compiled"),
        ({"json.py": ""}, "environment.shadow"), ({"json/__init__.py": ""}, "environment.shadow"),
        ({"skills/sdk/__init__.py": ""}, "environment.shadow"), ({"kernel.abi3.so": ""}, "environment.shadow"),
        ({"lune-1.0.data/purelib/os.py": ""}, "environment.shadow"),
        ({"other-2.dist-info/METADATA": ""}, "environment.wheel"),
    ],
)  # fmt: skip
def test_hostile_wheels_are_refused_by_name(tmp_path: Path, files: dict[str, str], code: str) -> None:
    with pytest.raises(Refused) as error:
        lay(tmp_path, wheel(tmp_path, "lune", {**GOOD, **files}))
    assert error.value.code == code


def test_a_link_in_a_wheel_is_refused(tmp_path: Path) -> None:
    made = wheel(tmp_path, "lune", GOOD)
    with zipfile.ZipFile(made, "a") as archive:
        info = zipfile.ZipInfo("lune/link.py")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(Refused, match="link or a special file"):
        lay(tmp_path, made)


def test_a_record_must_list_what_is_there_as_it_is(tmp_path: Path) -> None:
    for number, made in enumerate((
        wheel(tmp_path / "a", "lune", GOOD, unlisted={"lune/more.py": "x"}),
        wheel(tmp_path / "b", "lune", GOOD, spoilt=["lune/__init__.py"]),
    )):  # fmt: skip
        (tmp_path / str(number)).mkdir()
        with pytest.raises(Refused, match="RECORD"):
            lay(tmp_path / str(number), made)


@pytest.mark.parametrize("record", ["lune/__init__.py\n", "x" * 200_000 + ",,\n"])
def test_a_record_that_is_no_list_is_refused(tmp_path: Path, record: str) -> None:
    info = tmp_path / "lune-1.0.dist-info"
    info.mkdir()
    (info / "WHEEL").write_text("Wheel-Version: 1.0\n")
    (info / "RECORD").write_text(record)
    with pytest.raises(Refused, match="cannot be read"):
        check_list("lune-1.0-py3-none-any.whl", tmp_path)


def test_what_is_no_wheel_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "lune-1.0-py3-none-any.whl"
    place.write_bytes(b"not a zip at all")
    with pytest.raises(Refused):
        lay(tmp_path, place)


@pytest.mark.parametrize("other", [{"lune/__init__.py": "Y = 2\n"}, {"lune": "a file"}, {"Lune/__INIT__.py": ""}])
def test_two_wheels_that_write_one_file_are_refused(tmp_path: Path, other: dict[str, str]) -> None:
    made = [wheel(tmp_path, "lune", GOOD), wheel(tmp_path, "mare", other)]
    with pytest.raises(Refused) as error:
        lay(tmp_path, *made)
    assert error.value.code == "environment.twice"


def test_two_wheels_may_share_a_folder(tmp_path: Path) -> None:
    files, _ = lay(tmp_path, wheel(tmp_path, "lune", {"sea/a.py": ""}), wheel(tmp_path, "mare", {"sea/b.py": ""}))
    assert files == {"sea/a.py", "sea/b.py"}


HUNT = """
import sys
{enter}
import json
print(hasattr(json, "HOSTILE"))
import skills.model
print(hasattr(sys.modules["skills"], "HOSTILE"))
import importlib.metadata, lune
print(lune.look(), importlib.metadata.version("lune"))
"""
ROOT = Path(__file__).parents[3]


def test_an_environment_shadows_neither_python_nor_steward_and_goes_before_the_rest(tmp_path: Path) -> None:
    """As if no wheel had been looked at. With the folder first on the path, as a plain installation has it, it does."""
    lay(tmp_path, lune(tmp_path))
    goal = tmp_path / "goal"
    for name in ("json.py", "skills.py"):
        (goal / name).write_text("HOSTILE = 1\n")
    elsewhere = lune(tmp_path / "elsewhere", version="0.1", look="of yesterday")
    with zipfile.ZipFile(elsewhere) as archive:
        archive.extractall(tmp_path / "brought-along")

    def told(enter: str) -> list[str]:
        path = os.pathsep.join(map(str, (tmp_path / "brought-along", ROOT)))
        words = [sys.executable, "-P", "-c", HUNT.format(enter=enter)]
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
        )
        return done.stdout.split("\n")

    assert told(f"from skills.environments import finder; finder.enter({str(goal)!r})") == [
        "False", "False", "full 1.0", ""
    ]  # fmt: skip
    assert told(f"sys.path.insert(0, {str(goal)!r})")[0] == "True"
    assert told("")[2] == "of yesterday 0.1"
