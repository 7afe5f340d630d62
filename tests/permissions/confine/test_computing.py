"""A process that only computes: forbidden acts really tried, with controls, as root and not, in a cell and not."""

from __future__ import annotations

import errno
import os
import struct
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.confine import landlock, linux, only_compute, seccomp
from permissions.confine.computing import Computing
from permissions.errors import WallUnavailable
from permissions.model import CellSpec

needs_landlock = pytest.mark.skipif(not landlock.abi(), reason="needs Landlock: Linux 5.13 with landlock in lsm=")
needs_numbers = pytest.mark.skipif(not linux.AUDIT_ARCH, reason="no filter is known for this machine")
FORBIDDEN = """
read,write,make,fork,execute,signal,raw fork,thread,allocate,held file,socket,pipe,memory file,link,chdir,priority,
affinity,mode,sleep""".replace("\n", "").split(",")
REFUSED = ("EPERM", "EACCES", "EFBIG")


@pytest.fixture
def secret(wall: Any) -> str:
    return str(wall.file("computed/secret.txt", "secret"))


@pytest.mark.sandbox
@needs_landlock
@pytest.mark.parametrize("act", FORBIDDEN)
def test_what_is_no_computing_is_refused_and_possible_in_the_open(wall: Any, secret: str, act: str) -> None:
    assert wall.outside("only_computing", doing=act, path=secret) in REFUSED
    assert wall.outside("in_the_open", doing=act, path=secret) == "done", (
        f"the control of {act} failed: it proves nothing"
    )


@pytest.mark.sandbox
@needs_landlock
@pytest.mark.parametrize("act", ["read", "fork", "raw fork", "thread", "socket", "allocate", "sleep"])
def test_in_a_cell_it_takes_away_what_the_cell_allows(wall: Any, secret: str, act: str) -> None:
    spec = CellSpec(read_paths=(os.path.dirname(secret),))
    assert wall.inside("only_computing", spec, doing=act, path=secret) in REFUSED
    if act != "allocate":  # a cell has a limit of its own
        assert wall.inside("in_the_open", spec, doing=act, path=secret) == "done"


@pytest.mark.sandbox
@needs_landlock
@pytest.mark.parametrize("act", ["count", "library"])
def test_computing_goes_on(wall: Any, secret: str, act: str) -> None:
    assert wall.outside("only_computing", doing=act, path=secret) == "done"
    assert wall.inside("only_computing", doing=act, path=secret) == "done"


@pytest.mark.sandbox
@needs_landlock
def test_a_file_that_was_named_can_be_read_and_not_written(wall: Any, secret: str) -> None:
    assert wall.outside("only_computing", doing="read", path=secret, readable=True) == "done"
    assert wall.outside("only_computing", doing="write", path=secret, readable=True) in REFUSED


@pytest.mark.sandbox
@needs_landlock
def test_threads_are_for_those_who_asked_and_processes_are_not(wall: Any, secret: str) -> None:
    assert wall.outside("only_computing", doing="thread", path=secret, threads=1) == "done"
    for act in ("fork", "raw fork"):
        assert wall.outside("only_computing", doing=act, path=secret, threads=1) in REFUSED


@needs_landlock
@needs_numbers
def test_other_threads_would_stay_outside_so_it_is_refused() -> None:
    waiting = threading.Event()
    other = threading.Thread(target=waiting.wait)
    other.start()
    try:
        with pytest.raises(WallUnavailable, match="Other threads run"):
            only_compute(Computing())
    finally:
        waiting.set()
        other.join()


def answer(program: bytes, number: int, arguments: tuple[int, ...], arch: int) -> int:
    """Return what linux would: a small interpreter of classic BPF."""
    data = struct.pack("<IIQ6Q", number, arch, 0, *arguments)
    steps = list(struct.iter_unpack("HBBI", program))
    place = held = 0
    while True:
        code, then, otherwise, value = steps[place]
        place += 1
        if code == 0x20:
            (held,) = struct.unpack_from("<I", data, value)
        elif code == 0x54:
            held &= value
        elif code == 0x06:
            return int(value)
        else:
            place += then if {0x15: held == value, 0x35: held >= value}[code] else otherwise


ALLOWED = {linux.NUMBERS[name] for name in seccomp.COMPUTES if name in linux.NUMBERS}
THREAD = linux.CLONE_VM | linux.CLONE_SIGHAND | linux.CLONE_THREAD


@needs_numbers
@given(number=st.integers(0, 600), words=st.tuples(*[st.integers(0, 2**32 - 1)] * 6), threads=st.booleans())
def test_no_call_is_allowed_that_no_list_names(number: int, words: tuple[int, ...], threads: bool) -> None:
    got = answer(seccomp.build_computing(threads=threads), number, words, linux.AUDIT_ARCH)
    if number in ALLOWED:
        assert got == 0x7FFF0000
    elif number == linux.NUMBERS["openat"]:
        writes = words[2] & (0o3 | 0o100 | 0o1000 | 0o20000000)
        assert (got == 0x7FFF0000) == (not writes)
    elif number == linux.NUMBERS["clone"]:
        assert (got == 0x7FFF0000) == (threads and words[0] & (THREAD | linux.CLONE_NAMESPACES) == THREAD)
    else:
        assert got in (0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS)


@needs_numbers
def test_a_foreign_architecture_is_killed() -> None:
    assert answer(seccomp.build_computing(threads=True), 0, (0,) * 6, 0x40000003) == 0x80000000
