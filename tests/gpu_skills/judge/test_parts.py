"""Parts of the judge: what a library wants, shared memory, the door."""

from __future__ import annotations

import contextlib
import mmap
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gpu_skills.judge as door
from gpu_skills.judge import sanitizer, symbols
from gpu_skills.judge.arena import Layout, Memory
from gpu_skills.judge.model import Gate
from gpu_skills.judge.rotation import Rotation, last_cache_bytes
from tests.gpu_skills import programs as of
from tests.proofs.redteam.kernels import BY_NAME, HEAD, THREADED, built

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++: apt install g++")


def test_all_names_of_the_door_exist() -> None:
    assert all(hasattr(door, name) for name in door.__all__)


@needs_compiler
@pytest.mark.parametrize("name", list(BY_NAME))
def test_right_kernels_want_nothing_that_is_refused(tmp_path: Path, name: str) -> None:
    made = built(name, BY_NAME[name].source, tmp_path, THREADED)
    assert symbols.gate(made.library).passed, symbols.gate(made.library).said


@needs_compiler
@pytest.mark.parametrize(
    ("before", "body", "said"),
    [
        ("#include <cstdio>\n", '  fopen("x", "r");\n', "wants fopen"),
        ("#include <unistd.h>\n", "  fork();\n", "wants fork"),
        ("#include <ctime>\n", "  clock();\n", "wants clock"),
        ("static volatile int v; __attribute__((constructor)) static void early() { v = 1; }\n", "",
         "when it is loaded"),
        ('static volatile int v; __attribute__((constructor)) static void early() __asm__("frame_dummy");\n'
         "static void early() { v = 1; }\n", "", "when it is loaded"),
        ("static volatile int v; __attribute__((destructor)) static void late() { v = 1; }\n", "", "when it is loaded"),
        ('static int f() { return 0; } extern "C" { static int (*pick())() { return f; }\n'
         'static int g() __attribute__((ifunc("pick"))); }\n', "  return g();\n", "when it is loaded"),
        ('static volatile int v; extern "C" void __gmon_start__() { v = 1; }\n', "", "when it is loaded"),
        ('__asm__(".pushsection .init; .fill 64, 1, 0x90; .popsection");\n', "", "when it is loaded"),
        ("extern \"C\" int __fprintf();\n", "  __fprintf();\n", "wants __fprintf"),
        ("extern \"C\" int cblas_sgemm();\n", "  cblas_sgemm();\n", "wants cblas_sgemm"),
    ],
)  # fmt: skip
def test_a_name_that_is_no_kernels_business_is_refused(tmp_path: Path, before: str, body: str, said: str) -> None:
    opening, _, kernel = HEAD.rpartition('extern "C"')
    made = built("it", f'{opening}{before}extern "C"{kernel}{body}  return 0;\n}}\n', tmp_path)
    gate = symbols.gate(made.library)
    assert not gate.passed
    assert said in gate.said


@needs_compiler
def test_a_library_without_the_kernel_is_refused(tmp_path: Path) -> None:
    made = built("it", 'extern "C" int other() { return 0; }\n', tmp_path)
    assert "has no steward_kernel" in symbols.gate(made.library).said


# Every template makes two more: the compiler would be at it for hours.
BOMB = """template <int N, int M> struct A { enum { v = A<N - 1, M * 2>::v + A<N - 1, M * 2 + 1>::v }; };
template <int M> struct A<0, M> { enum { v = M }; };
int x = A<26, 0>::v;
"""


def running_in(folder: Path) -> list[str]:
    """Return the programs that run in a folder."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # another user's, or it has ended meanwhile
            if (one / "cwd").readlink() == folder:
                found.append((one / "comm").read_text().strip())
    return found


@needs_compiler
def test_a_source_that_keeps_the_compiler_busy_is_refused_and_leaves_no_process_behind(tmp_path: Path) -> None:
    harmless = built("it", "int nothing;", tmp_path / "plain", ())
    bomb = replace(harmless, candidate=replace(harmless.candidate, source=BOMB))
    folder = tmp_path / "sanitized"
    with ThreadPoolExecutor(1) as beside:
        built_again = beside.submit(sanitizer.build, bomb, folder, 1.5)
        seen: set[str] = set()
        while not built_again.done():
            seen |= set(running_in(folder))
            time.sleep(0.05)
    gate = built_again.result()
    assert isinstance(gate, Gate)
    assert not gate.passed
    assert "not done after 1.5 s" in gate.said
    assert "cc1plus" in seen
    until = time.monotonic() + 5
    while running_in(folder) and time.monotonic() < until:
        time.sleep(0.02)
    assert running_in(folder) == []


@needs_compiler
def test_a_candidate_that_is_no_source_is_refused_with_what_the_compiler_said(tmp_path: Path) -> None:
    harmless = built("any name, even one of words", "int nothing;", tmp_path / "plain", ())
    broken = replace(harmless, candidate=replace(harmless.candidate, source="nonsense"))
    gate = sanitizer.build(broken, tmp_path / "sanitized")
    assert isinstance(gate, Gate)
    assert not gate.passed
    assert "cannot be built with sanitizers" in gate.said
    assert "nonsense" in gate.said


@needs_compiler
def test_a_build_with_sanitizers_keeps_what_decides_what_is_computed_and_says_what_it_is(tmp_path: Path) -> None:
    wrong = "!defined(SANITIZED) || !defined(MINE) || defined(__SANITIZE_ADDRESS__)"
    source = f"#if {wrong}\n#error\n#endif\n{HEAD} return MINE; }}"
    harmless = built("it", "int nothing;", tmp_path / "plain", ("-DMINE=1", "-march=native", "-O3"))
    made = sanitizer.build(replace(harmless, candidate=replace(harmless.candidate, source=source)), tmp_path / "again")
    assert isinstance(made, Path), made
    assert b"__asan_init" in made.read_bytes()


def test_given_memory_cannot_be_written_through_another_mapping_and_taken_memory_can() -> None:
    given, taken = Memory(4096, sealed=True), Memory(4096, sealed=False)
    try:
        with pytest.raises(PermissionError):
            mmap.mmap(given.fd, 4096)
        with mmap.mmap(given.fd, 4096, prot=mmap.PROT_READ) as seen, mmap.mmap(taken.fd, 4096) as other:
            given.bytes[:4] = 7
            assert seen[:4] == b"\7" * 4
            other[:4] = b"\1" * 4
            assert taken.bytes[:4].tolist() == [1] * 4
    finally:
        given.close()
        taken.close()


def test_tensors_begin_at_64_bytes_and_bands_lie_between() -> None:
    layout = Layout()
    places = layout.add(of.add_rmsnorm(3, 5).program)
    arena = layout.made()
    try:
        assert all(one.offset % 64 == 0 for one in places.values())
        for one in places.values():
            arena.view(one)[...] = 0
        assert arena.broken_bands() == 0
        out = places["out"]
        arena.taken.bytes[out.offset + out.size_bytes] = 0
        arena.taken.bytes[out.offset - 1] = 0
        assert arena.broken_bands() == 2
        arena.poison(places)
        assert arena.poisoned(out) == 15
    finally:
        arena.close()


def test_timed_calls_never_see_a_pointer_or_values_twice_in_a_row() -> None:
    problem = of.softmax(64, 512)
    rotation = Rotation(door.Exam(problem, seed=1), 1)
    try:
        total = sum(one.size_bytes for places in rotation.sets for one in places.values())
        assert total > 4 * last_cache_bytes()
        firsts = []
        for _ in range(2 * len(rotation.sets) + 1):
            (index,) = rotation.take(1)
            firsts.append((index, rotation.arena.view(rotation.sets[index]["x"]).copy()))
        assert [one for one, _ in firsts[:3]] == [0, 1, 2]
        again = [values for index, values in firsts if index == 0]
        assert len(again) == 3
        assert not np.isclose(again[0], again[1]).mean() > 0.1
        assert len({values.tobytes() for _, values in firsts}) == len(firsts)
    finally:
        rotation.close()
