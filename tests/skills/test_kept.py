"""What was read of the skills that come with Steward: the same out of the file, nothing out of one that is not ours."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from skills import Registry, compiled, kept
from skills.contents import BUILTIN, content_hash
from skills.model import Skill

KEY = hashlib.sha256(b"this code").digest()


@pytest.fixture(scope="module")
def shipped() -> dict[Path, Skill]:
    """The built-in skills, by their folders."""
    return {Path(skill.folder): skill for skill in Registry([BUILTIN]).skills()}


@pytest.fixture
def file(tmp_path: Path, shipped: dict[Path, Skill]) -> Path:
    """A file that keeps them."""
    made = tmp_path / "below" / "kept.read"
    kept.keep(made, KEY, shipped)
    return made


def test_what_is_kept_is_what_was_read(file: Path, shipped: dict[Path, Skill]) -> None:
    assert shipped
    assert kept.read_kept(file, KEY) == shipped
    assert os.listdir(file.parent) == [file.name]


def test_other_code_or_another_interpreter_reads_nothing_of_it(file: Path) -> None:
    assert kept.read_kept(file, hashlib.sha256(b"other code").digest()) == {}


@pytest.mark.parametrize("at", [0, 40, 100, -1])
def test_a_damaged_byte_and_a_torn_file_are_as_none(file: Path, at: int) -> None:
    whole = file.read_bytes()
    damaged = bytearray(whole)
    damaged[at] ^= 1
    file.write_bytes(damaged)
    assert kept.read_kept(file, KEY) == {}
    file.write_bytes(whole[:at])
    assert kept.read_kept(file, KEY) == {}
    file.write_bytes(whole)
    assert kept.read_kept(file, KEY)


def test_it_lies_where_our_compiled_code_lies_and_no_call_may_write() -> None:
    """That none may write there: ``tests/kernel/test_attacks.py``."""
    assert kept.default_file().parent == compiled.default_file().parent
    assert kept.default_file() != compiled.default_file()


def test_no_file_is_as_none(tmp_path: Path) -> None:
    assert kept.read_kept(tmp_path / "none", KEY) == {}


class _Order:
    """Makes a file when it is read, where the reader lets it."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (self.path,)


def test_nothing_but_nouns_is_made_of_it(tmp_path: Path) -> None:
    file, trace = tmp_path / "evil", tmp_path / "trace"
    data = pickle.dumps((_Order(str(trace)),))
    file.write_bytes(KEY + hashlib.sha256(data).digest() + data)
    assert kept.read_kept(file, KEY) == {}
    assert not trace.exists()
    pickle.loads(data)  # the control: whoever reads it as it stands obeys
    assert trace.is_dir()


def test_where_nobody_may_write_nothing_is_kept(tmp_path: Path, shipped: dict[Path, Skill]) -> None:
    (tmp_path / "file").write_text("in the way of a folder")
    kept.keep(tmp_path / "file" / "kept.read", KEY, shipped)
    assert (tmp_path / "file").read_text() == "in the way of a folder"


_COUNT = """
import sys
from pathlib import Path
from skills import Registry, schema
from skills.contents import BUILTIN
assert BUILTIN.is_relative_to(sys.argv[1]), BUILTIN
found = Registry([BUILTIN]).skills()
print(len(found), schema._parsed.cache_info().misses)
"""


def _read_by_a_process(code: Path) -> tuple[int, int]:
    """Return how many skills a new process has, and the sources of how many it read for it."""
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(code)}
    command = [sys.executable, "-c", _COUNT, str(code)]
    done = subprocess.run(command, env=environ, cwd=code, capture_output=True, text=True, check=True)
    skills, read = map(int, done.stdout.split())
    return skills, read


def test_a_new_process_reads_only_what_has_changed(tmp_path: Path) -> None:
    for room in ("skills", "permissions"):
        shutil.copytree(BUILTIN.parents[1] / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    skills, read = _read_by_a_process(tmp_path)
    assert skills == read > 5
    assert _read_by_a_process(tmp_path) == (skills, 0)
    notes = tmp_path / "skills" / "builtin" / "notes"
    before = content_hash(notes)
    with (notes / "skill.py").open("a") as source:
        source.write("\n")
    assert content_hash(notes) != before
    assert _read_by_a_process(tmp_path) == (skills, 1)
    assert _read_by_a_process(tmp_path) == (skills, 0)
    with (tmp_path / "skills" / "joining.py").open("a") as code:
        code.write("\n")
    assert _read_by_a_process(tmp_path) == (skills, skills)
