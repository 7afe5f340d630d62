"""The parts of a guest: modules in an order that loads, an archive that unpacks, words where something is missing."""

from __future__ import annotations

import gzip
import lzma
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.machine import ROOT
from tests.proofs.vm.archive import Entry, pack
from tests.proofs.vm.parts import content, in_order, name_of


def module(folder: Path, name: str, depends: str) -> None:
    words = f"\0alias=fs-{name}\0depends={depends}\0name={name}\0".encode()
    path = folder / "kernel" / name / f"{name}.ko"
    path.parent.mkdir(parents=True)
    if name.startswith("z"):
        path.with_suffix(".ko.xz").write_bytes(lzma.compress(words))
    else:
        path.write_bytes(words)


def test_a_module_comes_after_all_that_it_needs_and_once(tmp_path: Path) -> None:
    for name, depends in {"a": "b,zip", "b": "c-c", "c-c": "", "zip": "b,builtin", "other": ""}.items():
        module(tmp_path, name, depends)
    found = in_order(tmp_path, ["a", "zip", "absent"])
    assert [name_of(path) for path in found] == ["c_c", "b", "zip", "a"]
    assert all(content(path).startswith(b"\0alias=") for path in found)


@pytest.mark.skipif(shutil.which("cpio") is None, reason="needs cpio: apt install cpio")
def test_another_program_unpacks_the_archive_to_the_byte(tmp_path: Path) -> None:
    entries = {"init": Entry(b"#!/bin/sh\n", runs=True), "modules": Entry(), "modules/odd": Entry(b"12345"),
               "modules/none": Entry(b"")}  # fmt: skip
    archive = gzip.decompress(pack(entries))
    subprocess.run(["cpio", "--extract", "--quiet"], input=archive, cwd=tmp_path, check=True)
    for name, entry in entries.items():
        path = tmp_path / name
        assert path.is_dir() if entry.data is None else path.read_bytes() == entry.data
        assert bool(path.stat().st_mode & 0o100) == (entry.runs or entry.data is None)
    assert len(list(tmp_path.rglob("*"))) == len(entries)


def test_without_an_emulator_it_is_skipped_with_the_line_that_mends_it(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "tests.proofs.vm.cgroup2"], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "PATH": str(tmp_path)}, check=True)  # fmt: skip
    first, last = done.stdout.splitlines()
    assert "qemu-system-x86_64 is not installed" in first
    assert "sudo apt install qemu-system-x86" in first
    assert last == "RESULT vm-cgroup2 skipped"
