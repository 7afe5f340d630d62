"""Random programs, once in a plain copy and once in the tree as a layer: after the commit both are equal, and after the
undo the tree is as it was."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from permissions.confine.machine import machine_level
from permissions.model import Level
from tests.permissions.transactions.trees import Workshop, python

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(machine_level() is not Level.L3, reason="needs L3: ./steward doctor"),
]

NAMES = ("a", "b", "ü", "sp ace", "c")
SCRIPT = """
import json, os, shutil, sys

def folders():
    return ["."] + sorted(os.path.join(at, name) for at, below, _ in os.walk(".") for name in below)

def things():
    return sorted(os.path.join(at, name) for at, below, names in os.walk(".") for name in below + names)

def move(source, target):
    # An overlay refuses to rename a folder of the lower tree (EXDEV, as between two disks); mv then copies, we too.
    if os.path.isdir(source) and not os.path.islink(source) and not os.path.lexists(target):
        if not os.path.abspath(target).startswith(os.path.abspath(source) + "/"):
            shutil.copytree(source, target, symlinks=True)
            shutil.rmtree(source)
    else:
        os.rename(source, target)

def act(kind, first, second, name, text):
    there, into = things(), folders()
    source = there[first % len(there)] if there else "none"
    target = os.path.join(into[second % len(into)], name)
    if kind == "write" or (kind == "create" and not os.path.lexists(target)):
        with open(source if kind == "write" else target, "a" if first % 3 else "w") as file:
            file.write(text)
    elif kind == "rename": move(source, target)
    elif kind == "unlink": os.unlink(source)
    elif kind == "mkdir": os.mkdir(target, 0o700 | first)
    elif kind == "rmdir": os.rmdir(source)
    elif kind == "symlink": os.symlink("a", target)
    elif kind == "replace":
        with open(target + "~", "w") as file:
            file.write(text)
        os.replace(target + "~", target)
    elif kind == "chmod" and not os.path.islink(source):
        os.chmod(source, 0o600 | (0o100 if os.path.isdir(source) else 0) | second)

for step in json.loads(sys.argv[1]):
    try:
        act(*step)
    except OSError as error:
        if error.errno == 18:
            raise
"""

texts = st.text(alphabet="xyz\n", max_size=6)
trees: st.SearchStrategy[dict[str, Any]] = st.recursive(
    st.dictionaries(st.sampled_from(NAMES), texts, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from(NAMES), texts | inner, max_size=3),
    max_leaves=7,
)
kinds = st.sampled_from("create write write rename rename unlink mkdir rmdir symlink chmod replace".split())
steps = st.lists(st.tuples(kinds, st.integers(0, 55), st.integers(0, 55), st.sampled_from(NAMES), texts), max_size=14)


def plant(top: Path, tree: dict[str, Any]) -> None:
    for name, thing in tree.items():
        if isinstance(thing, str):
            (top / name).write_text(thing)
            os.utime(top / name, (1_500_000_000, 1_500_000_000 + len(thing)))
        else:
            (top / name).mkdir()
            plant(top / name, thing)


def read(top: Path) -> dict[str, Any]:
    """Names, kinds, modes and contents of everything below ``top``."""
    found: dict[str, Any] = {}
    for folder, below, names in os.walk(top):
        for name in (*below, *names):
            path = Path(folder, name)
            info = path.lstat()
            if stat.S_ISLNK(info.st_mode):
                found[str(path.relative_to(top))] = os.readlink(path)
            else:
                content = path.read_bytes() if stat.S_ISREG(info.st_mode) else None
                found[str(path.relative_to(top))] = (stat.S_IMODE(info.st_mode), content)
    return found


@pytest.fixture(scope="module")
def shop(make_lab: Callable[[Path], Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = Workshop(make_lab(tmp_path_factory.mktemp("shop")))
    yield made
    made.close()


def compare(shop: Workshop, lab: Any, tree: dict[str, Any], programs: list[list[Any]]) -> None:
    """Run the programs one after the other as tasks of one run, and in a plain copy."""
    site, plain = lab.home / "site", lab.top / "plain"
    site.mkdir()
    plant(site, tree)
    shutil.copytree(site, plain, symlinks=True)
    before = lab.snapshot()
    staging = lab.tx.begin("r")
    for number, program in enumerate(programs):
        subprocess.run([sys.executable, "-I", "-c", SCRIPT, json.dumps(program)], cwd=plain, check=True)
        said = shop.works(staging, site, f"{python(SCRIPT)} {shlex.quote(json.dumps(program))}", task=f"t{number}")
        assert said["status"] == 0, said
        assert lab.snapshot() == before
    sealed = staging.seal()
    staging.commit(sealed.seal)
    assert read(site) == read(plain)
    if sealed.changes:
        lab.tx.undo("r")
    assert lab.snapshot() == before
    assert lab.leftovers() == []


@given(tree=trees, programs=st.lists(steps, min_size=1, max_size=2))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_program_in_a_layer_does_what_it_does_in_a_plain_copy(
    shop: Workshop, make_lab: Callable[[Path], Any], tree: dict[str, Any], programs: list[list[Any]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        compare(shop, make_lab(Path(folder)), tree, programs)


@given(tree=trees, programs=st.lists(steps, min_size=1, max_size=2))
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_program_in_a_copy_does_so_too(
    shop: Workshop,
    make_lab: Callable[[Path], Any],
    tree: dict[str, Any],
    programs: list[list[Any]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("permissions.transactions.rooms.store_hindrance", lambda _folder: "for this test")
        compare(shop, make_lab(Path(folder)), tree, programs)


def test_control_two_different_trees_are_not_equal(tmp_path: Path) -> None:
    for name, mode in (("one", 0o600), ("two", 0o640)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").write_text("1")
        (tmp_path / name / "x").chmod(mode)
    assert read(tmp_path / "one") != read(tmp_path / "two")
