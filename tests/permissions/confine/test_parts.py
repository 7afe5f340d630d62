"""The parts of the wall by themselves, in states that this machine may not be in: what each says, or refuses."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import struct
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from permissions.confine import Asker, cgroup, landlock, level, linux, machine
from permissions.confine.asker import LARGEST_QUESTION
from permissions.confine.cgroup import Groups, Leaf, Usage
from permissions.confine.questions import Questions
from permissions.model import CellSpec, Layer, Level
from tests.permissions.confine.conftest import Wall

APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"


def knobs(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    """Let the machine's settings be these, by the last part of their names."""
    monkeypatch.setattr(machine, "_knob", lambda path: values.get(path.rpartition("/")[2], ""))


@pytest.mark.parametrize(("values", "uid", "remedy"), [
    ({"apparmor_restrict_unprivileged_userns": "1"}, 1000, "apparmor_parser"),
    ({"apparmor_restrict_unprivileged_userns": "1"}, 0, "in a container"),
    ({"unprivileged_userns_clone": "0", "max_user_namespaces": "0"}, 1000, "unprivileged_userns_clone=1"),
    ({"max_user_namespaces": "0"}, 1000, "user.max_user_namespaces=15000"), ({}, 1000, "in a container"),
])  # fmt: skip
def test_what_makes_namespaces_possible(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], uid: int, remedy: str
) -> None:
    knobs(monkeypatch, **values)
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    found = machine._namespaces({"namespaces": "EPERM"})
    assert not found.ok
    assert remedy in found.remedy
    assert ("in a container" in found.remedy) == (remedy == "in a container")
    assert machine._namespaces({"namespaces": ""}).ok


@pytest.mark.parametrize(("enabled", "restricts", "tried", "state"), [
    ("N", "1", {}, "not in use"), ("Y", "0", {}, "does not restrict"),
    ("Y", "1", {"namespaces": ""}, "a profile allows"), ("Y", "1", {"namespaces": "EPERM"}, "forbids"),
    ("Y", "1", {}, "forbids"),
])  # fmt: skip
def test_what_is_said_of_apparmor(
    monkeypatch: pytest.MonkeyPatch, enabled: str, restricts: str, tried: dict[str, str], state: str
) -> None:
    knobs(monkeypatch, enabled=enabled, apparmor_restrict_unprivileged_userns=restricts)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os.path, "isdir", lambda _path: True)
    found = machine._apparmor(tried)
    assert state in found.state
    assert found.ok == (state != "forbids") != bool(found.remedy)


def test_what_is_said_where_a_part_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine._landlock().ok == bool(landlock.abi())
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    assert (machine._landlock().ok, "5.13" in machine._landlock().remedy) == (False, True)
    monkeypatch.setattr(landlock, "abi", lambda: 3)
    assert machine._landlock().state == "ABI 3; too old to restrict TCP, signals and abstract sockets"
    assert machine._seccomp().ok == os.path.exists("/proc/sys/kernel/seccomp/actions_avail")
    monkeypatch.setattr(linux, "AUDIT_ARCH", 0)
    assert (machine._seccomp().ok, "no filter" in machine._seccomp().state) == (False, True)
    assert level._try(None) == f"no system call numbers for {linux.MACHINE}"  # type: ignore[arg-type]


@pytest.mark.parametrize(("tried", "remedy"), [
    ({"overlay": "", "namespaces": ""}, ""), ({"overlay": "EINVAL", "namespaces": ""}, "use a kernel from 5.11"),
    ({"overlay": "EPERM", "namespaces": "EPERM"}, "sysctl"), ({}, "sysctl"),
])  # fmt: skip
def test_what_is_said_of_overlays(monkeypatch: pytest.MonkeyPatch, tried: dict[str, str], remedy: str) -> None:
    knobs(monkeypatch)
    found = machine._overlay(tried)
    assert found.ok == (not remedy)
    assert remedy in found.remedy
    assert bool(found.remedy) == bool(remedy)


@pytest.mark.parametrize(("lacking", "found"), [
    ((), Level.L3), (("namespaces",), Level.L2), (("landlock",), Level.L2), (("seccomp",), Level.L1),
    (("namespaces", "landlock"), Level.L1),
])  # fmt: skip
def test_the_level_follows_from_what_is_there(
    monkeypatch: pytest.MonkeyPatch, lacking: tuple[str, ...], found: Level
) -> None:
    names = ("namespaces", "apparmor", "landlock", "seccomp", "cgroup", "overlay")
    state = tuple(machine.Capability(name, name not in lacking, "x") for name in names)
    monkeypatch.setattr(machine, "survey", lambda: state)
    assert machine.machine_level.__wrapped__() is found


# --- control groups -----------------------------------------------------------------------------------------------
def test_the_words_for_control_groups(tmp_path: Path) -> None:
    assert "version 2" in Groups(unified=tmp_path).words()
    assert Groups(memory=tmp_path).words() == "version 1: memory limited per call"
    assert Groups(memory=tmp_path, pids=tmp_path).words() == "version 1: memory and processes limited per call"
    assert Groups().words() == "no group of our own"
    assert not Groups()


def test_what_a_group_saw_of_processes_alone(tmp_path: Path) -> None:
    (tmp_path / "pids.events").write_text("max 3\n")
    assert Leaf(own=Groups(pids=tmp_path)).usage() == Usage(refused_processes=3)
    assert Leaf().usage() == Usage()


def test_a_group_is_ours_where_it_can_be_written_and_has_both_controllers(tmp_path: Path) -> None:
    for name, controllers in (("good", "cpu memory pids"), ("poor", "cpu memory")):
        (tmp_path / name / "own").mkdir(parents=True)
        for file, text in (("cgroup.procs", ""), ("cgroup.controllers", controllers), ("cgroup.subtree_control", "")):
            (tmp_path / name / file).write_text(text)
    assert cgroup._delegated(tmp_path, "/good/own") == tmp_path / "good"
    assert cgroup._delegated(tmp_path, "/poor/own") is None
    for mount, own in ((None, "/good/own"), (tmp_path, None), (tmp_path, "/"), (tmp_path, "/gone/own")):
        assert cgroup._delegated(mount, own) is None
    assert cgroup._writable(tmp_path, "/good") == tmp_path / "good"
    for mount, own in ((None, "/good"), (tmp_path, None), (tmp_path, "/gone")):
        assert cgroup._writable(mount, own) is None


# --- system calls -------------------------------------------------------------------------------------------------
def test_a_system_call_that_fails_says_so() -> None:
    assert linux.prctl(38 + 1) in (0, 1)  # PR_GET_NO_NEW_PRIVS
    with pytest.raises(OSError, match=r"prctl\(-1\)") as refused:
        linux.prctl(-1)
    assert refused.value.errno == errno.EINVAL
    with pytest.raises(OSError, match="not known") as unknown:
        linux.syscall("no_such_call")
    assert unknown.value.errno == errno.ENOSYS
    with pytest.raises(OSError, match="clone") as denied:
        linux.fork_with_namespaces(0x00000800)  # CLONE_SIGHAND without CLONE_VM
    assert denied.value.errno == errno.EINVAL


# --- the line for questions ---------------------------------------------------------------------------------------
def test_too_long_a_question_is_not_begun_and_a_closed_line_is_told() -> None:
    ours, theirs = socket.socketpair()
    asker = Asker(theirs.fileno())
    with ours, theirs:
        with pytest.raises(ValueError, match="a question of"):
            asker.ask(bytes(LARGEST_QUESTION + 1))
        ours.sendall(struct.pack("<I", 2) + b"ok")
        assert asker.ask(b"hi") == b"ok"
        assert ours.recv(100) == struct.pack("<I", 2) + b"hi"
        ours.shutdown(socket.SHUT_WR)
        with pytest.raises(ConnectionError, match="closed the line"):
            asker.ask(b"hi")


async def test_a_fault_in_the_answering_is_not_swallowed() -> None:
    async def answer(_question: bytes, _given_bytes: int) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await _asked(answer)


async def _asked(answer: Any) -> None:
    async with AsyncExitStack() as until:
        [theirs] = Questions(answer, _NoMemory()).open(until)  # type: ignore[arg-type]
        asker = Asker(theirs)
        until.callback(os.close, theirs)
        with pytest.raises(ConnectionError):
            await asyncio.to_thread(asker.ask, b"hi")


class _NoMemory:
    reserved = 0


# --- trees --------------------------------------------------------------------------------------------------------
@pytest.mark.sandbox
def test_a_whole_copy_is_shown_in_the_place_of_its_tree(wall: Wall) -> None:
    if wall.level is not Level.L3:
        pytest.skip("trees are worked in at L3 alone")
    tree, copy = wall.folder("a-tree"), wall.folder("its-copy")
    theirs, ours = wall.file("a-tree/file", "theirs"), wall.file("its-copy/file", "ours")
    assert wall.inside("read", CellSpec(read_paths=(str(tree),)), path=theirs) == "theirs"  # the control
    spec = CellSpec(layers=(Layer(str(tree), str(copy)),))
    assert wall.inside("read", spec, path=theirs) == "ours"
    assert wall.inside("write", spec, path=theirs) == "written"
    assert (Path(theirs).read_text(), Path(ours).read_text()) == ("theirs", "written")
