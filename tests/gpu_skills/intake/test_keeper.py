"""The keeper against programs that do not want to end: each is named, and nothing of it is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gpu_skills.intake.keeper as keeper_module
from gpu_skills.errors import BadProblem
from gpu_skills.intake.process import Limits, _again, _answer, _array
from gpu_skills.intake.shapes import by_name, others, shapes_of
from gpu_skills.intake.shrinking import constants, rewritten, shrunk

KEEPER = str(keeper_module.__file__)


def kept(tmp_path: Path, script: str, *, deadline_s: float = 5, most_printed: int = 1 << 20) -> dict[str, object]:
    job = {"command": [sys.executable, "-c", script], "folder": str(tmp_path), "environment": {"PATH": "/usr/bin"},
           "deadline_s": deadline_s, "most_printed": most_printed,
           "limits": {"RLIMIT_AS": 1 << 30, "RLIMIT_FSIZE": 1 << 20}}  # fmt: skip
    command = [sys.executable, "-I", KEEPER]
    done = subprocess.run(command, input=json.dumps(job).encode(), capture_output=True, timeout=30, check=True)
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def alive(mark: str) -> list[str]:
    found = []
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [one.parent.name] if mark.encode() in one.read_bytes() else []
        except OSError:
            continue
    return found


def test_a_program_that_ends_is_left_alone(tmp_path: Path) -> None:
    verdict = kept(tmp_path, "print('done')")
    assert (verdict["code"], verdict["why"], verdict["tail"]) == (0, "", "done\n")


def test_one_that_hangs_is_ended_in_time(tmp_path: Path) -> None:
    begun = time.monotonic()
    verdict = kept(tmp_path, "import time; time.sleep(1000)", deadline_s=0.5)
    assert verdict["why"] == "deadline"
    assert time.monotonic() - begun < 10


def test_one_that_prints_without_end_is_ended(tmp_path: Path) -> None:
    assert kept(tmp_path, "while True: print('x' * 10000)")["why"] == "output"


def test_one_that_forks_without_end_is_ended_and_its_children_too(tmp_path: Path) -> None:
    mark = f"mark-{time.monotonic_ns()}"
    script = (
        "import subprocess, sys, time\n"
        f"child = [sys.executable, '-c', 'import time; time.sleep(99) # {mark}']\n"
        "for _ in range(80): subprocess.Popen(child)\n"
        "time.sleep(99)"
    )
    assert kept(tmp_path, script, deadline_s=20)["why"] == "processes"
    assert not alive(mark)


def test_a_child_that_detaches_does_not_survive(tmp_path: Path) -> None:
    mark = f"mark-{time.monotonic_ns()}"
    script = (
        "import os, subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99) # {mark}'], start_new_session=True)\n"
    )
    assert kept(tmp_path, script)["code"] == 0
    assert not alive(mark)
    other = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep(99) # {mark}"])  # the test can see one
    try:
        until = time.monotonic() + 10
        while not alive(mark) and time.monotonic() < until:
            time.sleep(0.02)
        assert alive(mark)
    finally:
        other.kill()
        other.wait()


def test_memory_and_files_are_bounded(tmp_path: Path) -> None:
    assert "MemoryError" in str(kept(tmp_path, "x = bytearray(100 << 30)")["tail"])
    assert kept(tmp_path, "open('big', 'wb').write(bytes(8 << 20))")["code"] != 0
    assert (tmp_path / "big").stat().st_size <= 1 << 20


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_an_answer_that_is_none_is_an_error_that_says_so(tmp_path: Path, text: str) -> None:
    (tmp_path / "answer.json").write_text(text)
    with pytest.raises(BadProblem, match=r"reading a\.py"):
        _answer(tmp_path / "answer.json", {"code": -9, "tail": ""}, "a.py", Limits())


def pipe(file: Path) -> None:
    os.mkfifo(file)


def link(file: Path) -> None:
    """A link to what would be a good answer and a good array."""
    aim = file.with_name(f"elsewhere{file.suffix}")
    if file.suffix == ".json":
        aim.write_text("{}")
    else:
        np.save(aim, np.zeros(3))
    file.symlink_to(aim)


def huge(file: Path) -> None:
    with file.open("wb") as stream:
        stream.truncate(1 << 40)


def folder(file: Path) -> None:
    file.mkdir()


def lie(file: Path) -> None:
    with file.open("wb") as stream:
        np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (1 << 50,)})


@pytest.mark.timeout(20)
@pytest.mark.parametrize("made", [pipe, link, huge, folder, lie], ids=lambda one: one.__name__)
def test_what_a_child_left_is_read_only_as_a_file_of_bounded_size(tmp_path: Path, made: Callable[[Path], None]) -> None:
    made(tmp_path / "answer.json")
    made(tmp_path / "out.npy")
    with pytest.raises(BadProblem) as error:
        _answer(tmp_path / "answer.json", {"code": 0, "tail": ""}, "a.py", Limits())
    assert error.value.code == "intake.crashed"
    with pytest.raises(BadProblem) as error:
        _array(tmp_path / "out.npy", 1 << 30)
    assert error.value.code == "intake.answer"


def test_an_array_that_a_child_left_is_read(tmp_path: Path) -> None:
    for value in (np.arange(6.0).reshape(2, 3), np.asarray(3), np.asfortranarray(np.ones((2, 3))), np.array([True])):
        np.save(tmp_path / "out.npy", value)
        assert np.array_equal(_array(tmp_path / "out.npy", 1 << 10), value)
    np.save(tmp_path / "out.npy", np.zeros(500))
    with pytest.raises(BadProblem, match="no array out"):
        _array(tmp_path / "out.npy", 1 << 10)


def test_an_error_of_the_child_is_data() -> None:
    assert _again(["trace.export", "words", "hint"]).code == "trace.export"
    assert _again({"a": 1}).code == "intake.answer"


def test_shapes_are_read_by_order_and_by_name() -> None:
    found = by_name(shapes_of("64x128:bf16, t=64:i64<1000"), ["x", "t"])
    assert found["x"].sizes == (64, 128)
    assert found["t"].below == 1000
    for wrong in ("x", "4x", "0x3", "4:complex", "y=3"):
        with pytest.raises(BadProblem):
            by_name(shapes_of(wrong), ["x", "t"])
    with pytest.raises(BadProblem, match="3 shapes for 2 parameters"):
        by_name(shapes_of("1,2,3"), ["x", "t"])


def test_other_sizes_tell_rows_from_columns_first() -> None:
    first = next(iter(others(by_name(shapes_of("4096x4096,4096"), ["x", "w"]))))
    assert first["x"].sizes[1] == first["w"].sizes[0] != first["x"].sizes[0]
    tied = list(others(by_name(shapes_of("x=8x4096,t=8:i64<4096"), ["x", "t"])))
    assert any(one["t"].below == one["x"].sizes[1] and one["t"].sizes[0] == one["x"].sizes[0] for one in tied)


SOURCE = "batch_size = 4096\nwidth, depth = 1024, 3\nshape = (64, 64)\nname = 'x'\n"


def test_constants_are_rewritten_and_nothing_else() -> None:
    assert {one.name: one.value for one in constants(SOURCE)} == {
        "batch_size": 4096, "width": 1024, "depth": 3, "shape[0]": 64, "shape[1]": 64}  # fmt: skip
    assert "width, depth = (8, 3)" in rewritten(SOURCE, {"width": 8})


def run(source: str) -> dict[str, object]:
    made: dict[str, object] = {}
    exec(source, made)
    return made


def test_shrinking_halves_the_batch_first_and_ties_what_belongs_together() -> None:
    def elements(source: str) -> int | None:
        made = run(source)
        shape = made["shape"]
        assert isinstance(shape, tuple)
        return None if shape[0] != shape[1] else int(str(made["batch_size"])) * shape[0] * shape[1]

    small = run(shrunk(SOURCE, 4096 * 2, elements))
    assert small["batch_size"] == 2
    assert small["shape"] == (64, 64)
    smaller = run(shrunk(SOURCE, 512, elements))
    assert smaller["shape"] == (16, 16)
