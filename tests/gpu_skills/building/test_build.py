"""The compiler and what it made: flags, deadlines, what is left behind, what a library says of itself."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gpu_skills.building import build, load, report, this_machine
from gpu_skills.building.elf import read_elf
from gpu_skills.building.machine import _caches
from gpu_skills.errors import BuildFailed, BuildTookTooLong, CompilerMissing, NotLoadable
from gpu_skills.model import Built, Candidate, Language
from tests.gpu_skills.running import needs_compiler

_VISIBLE = 'extern "C" __attribute__((visibility("default")))'
GOOD = f"{_VISIBLE} int steward_kernel(void *const *, const long *, const double *, int)"


def candidate(source: str, name: str = "one") -> Candidate:
    return Candidate(name, "structure", Language.CPP, source)


def made(body: str, folder: Path, before: str = "") -> Built:
    return build(candidate(f"{before}\n{GOOD} {{ {body} }}"), folder)


@needs_compiler
def test_a_library_has_its_hash_and_its_command(tmp_path: Path) -> None:
    built = made("return 7;", tmp_path)
    assert built.sha256 == hashlib.sha256(built.library.read_bytes()).hexdigest()
    assert "-O2" in built.command
    assert "-ffast-math" not in built.command
    assert 0 < built.seconds < 60
    assert sorted(one.name for one in tmp_path.iterdir()) == ["one.cpp", "one.so"]


@needs_compiler
def test_the_same_source_makes_the_same_bytes(tmp_path: Path) -> None:
    assert made("return 7;", tmp_path / "a").sha256 == made("return 7;", tmp_path / "b").sha256


@needs_compiler
def test_a_candidate_that_does_not_compile_says_why_and_leaves_no_library(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="nonsense") as caught:
        made("return nonsense;", tmp_path)
    assert len(str(caught.value)) < 3000
    assert [one.name for one in tmp_path.iterdir()] == ["one.cpp"]


@needs_compiler
def test_a_compiler_that_does_not_end_is_ended(tmp_path: Path) -> None:
    # Every template makes two more: the compiler would be at it for hours.
    source = "template <int N, int M> struct A { enum { v = A<N - 1, M * 2>::v + A<N - 1, M * 2 + 1>::v }; };\n"
    source += "template <int M> struct A<0, M> { enum { v = M }; };\nint x = A<26, 0>::v;"
    began = time.monotonic()
    with pytest.raises(BuildTookTooLong, match="not done after 1 s"):
        build(candidate(source), tmp_path, timeout_s=1)
    assert time.monotonic() - began < 20
    assert [one.name for one in tmp_path.iterdir()] == ["one.cpp"]


@pytest.mark.slow
@needs_compiler
def test_builds_side_by_side_in_one_folder_do_not_spoil_each_other(tmp_path: Path) -> None:
    """Half of them are one source under one name; of the others, each second one is refused with its own reason."""

    def result(index: int) -> str:
        source = f"{GOOD} {{ return {'nonsense' * (index % 2)}{index}; }}"
        one = candidate(source, f"own-{index}") if index < 4 else candidate(f"{GOOD} {{ return 9; }}", "same")
        try:
            return build(one, tmp_path).sha256
        except BuildFailed as refused:
            return str(refused)

    with ThreadPoolExecutor(8) as threads:
        for _ in range(3):
            found = list(threads.map(result, range(8)))
            assert "nonsense1" in found[1]
            assert "nonsense3" in found[3]
            assert "nonsense3" not in found[1]
            assert all(len(found[one]) == 64 for one in (0, 2, 4))
            assert len(set(found[4:])) == 1
    names = [f"own-{index}.cpp" for index in range(4)] + ["own-0.so", "own-2.so", "same.cpp", "same.so"]
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(names)


@needs_compiler
def test_a_compiler_that_ended_is_not_signalled_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a group is ended its leader must not have been waited for yet: after that its number may be another's."""
    ended: list[bool] = []

    def killpg(group: int, _: int) -> None:
        ended.append(os.waitid(os.P_PID, group, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None)

    monkeypatch.setattr(os, "killpg", killpg)  # one that is not a child any more raises ChildProcessError here
    made("return 7;", tmp_path)
    assert ended == [True]


def test_a_name_that_is_a_path_is_refused(tmp_path: Path) -> None:
    for name in ("../x", "a/b", "", ".hidden", "x" * 200, "a\n"):
        with pytest.raises(BuildFailed, match=r"A candidate is called"):
            build(candidate("", name), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_no_compiler_is_an_error_that_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompilerMissing, match=r"no g\+\+ on this machine") as refused:
        build(candidate(""), tmp_path)
    assert refused.value.hint.startswith("Install one: apt install g++")
    assert this_machine.__wrapped__().compiler == ""


@needs_compiler
def test_a_report_names_what_is_not_allowed(tmp_path: Path) -> None:
    fine = report(made("return 0;", tmp_path).library)
    assert fine.allowed
    assert fine.forbidden == ()
    calls = report(made('return system("true");', tmp_path, 'extern "C" int system(const char *);').library)
    assert "system" in calls.forbidden
    assert not calls.allowed
    loads = made(
        "return 0;", tmp_path, "volatile int seen; __attribute__((constructor)) void early() { seen = 1; }"
    ).library
    assert report(loads).runs_on_loading == 1
    assert not report(loads).allowed
    indirect = 'extern "C" void *pick() { return 0; } extern "C" int f() __attribute__((ifunc("pick")));'
    assert not report(made("return f();", tmp_path, indirect).library).allowed


@needs_compiler
@pytest.mark.skipif(shutil.which("objdump") is None, reason="there is no objdump: apt install binutils")
def test_a_report_counts_vectors_and_spills(tmp_path: Path) -> None:
    vectors = "typedef float v __attribute__((vector_size(32), may_alias));"
    wide = made("*(v *)t[0] += *(v *)t[1]; return 0;".replace("t[", "((void **)T)["), tmp_path,
                vectors + '\n#pragma GCC target("avx2")\nextern "C" void *const *T; void *const *T;')  # fmt: skip
    found = report(wide.library)
    assert found.vector is not None
    assert found.vector["ymm"] >= 2
    assert found.vector["zmm"] == 0
    assert found.spills == 0


@needs_compiler
def test_what_is_no_library_is_not_read_and_not_loaded(tmp_path: Path) -> None:
    built = made("return 0;", tmp_path)
    data = built.library.read_bytes()
    for broken in (b"", b"\x7fELF", data[:100], data[: len(data) // 2], b"#!/bin/sh\n" + data):
        with pytest.raises(NotLoadable):
            read_elf(broken)
    built.library.write_bytes(b"no library")
    with pytest.raises(NotLoadable, match="cannot be loaded"):
        load(built)


@needs_compiler
def test_a_library_without_the_kernel_is_no_candidate(tmp_path: Path) -> None:
    built = build(candidate("int other() { return 0; }"), tmp_path)
    with pytest.raises(NotLoadable, match="steward_kernel"):
        report(built.library)


def test_this_machine_says_what_it_is_and_is_looked_at_once() -> None:
    machine = this_machine()
    assert machine.cpu
    assert machine.cores >= 1
    assert machine.last_cache_bytes >= machine.l2_bytes
    assert this_machine() is machine


def test_caches_are_read_from_what_linux_says_of_a_core(tmp_path: Path) -> None:
    for index, (level, kind, size) in enumerate(
        (("1", "Data", "48K\n"), ("1", "Instruction", "64K\n"), ("2", "Unified", "2048K\n"), ("3", "Unified", "105M\n"),
         ("4", "Unified", "nonsense"), ("x", "Unified", "1G\n"))
    ):  # fmt: skip
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, text in (("level", level), ("type", kind), ("size", size)):
            (folder / name).write_text(text)
    (tmp_path / "index9").mkdir()
    assert _caches(tmp_path) == {1: 48 << 10, 2: 2 << 20, 3: 105 << 20}
    assert _caches(tmp_path / "none") == {}
