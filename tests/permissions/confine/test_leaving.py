"""A call is over when the kernel says so: the mark of whoever leaves, and nobody else in its group."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from permissions.confine import cgroup, leaving

pytestmark = pytest.mark.sandbox
INIT = """
import os, signal, sys, threading, time
def work():
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass
open(sys.argv[1], "w").write("0")
call = os.fork()
if call == 0:
    beside = os.fork() if sys.argv[2] == "beside" else -1
    if beside == 0:
        time.sleep(60)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if sys.argv[2] == "in a thread":
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        work()
    print(call or os.getpid(), flush=True)
    while True:
        signal.pause()
time.sleep(60)  # it reaps nobody, so whoever left stays as the kernel left it
"""


@pytest.fixture
def leaf() -> Iterator[cgroup.Leaf]:
    found = cgroup.make_leaf(cgroup.find_groups(), f"{cgroup.owner_of(os.getpid())}-{time.monotonic_ns() % 10**6}")
    if found is None or not (found.own.pids or found.own.unified):
        pytest.skip("needs a control group of our own: run as root, or under systemd with Delegate=yes")
    yield found
    for word in cgroup.read((found.own.unified or found.own.pids or found.folders[0]) / "cgroup.procs").split():
        os.kill(int(word), signal.SIGKILL)
    for _ in range(100):
        found.remove()
        if not any(folder.exists() for folder in found.folders):
            break
        time.sleep(0.02)


@pytest.mark.parametrize("company", ["alone", "in a thread", "beside"])
def test_only_who_has_left_alone_is_over(leaf: cgroup.Leaf, company: str) -> None:
    entry = (leaf.own.unified or leaf.own.pids or leaf.folders[0]) / "cgroup.procs"
    command = [sys.executable, "-c", INIT, str(entry), company]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as init:
        assert init.stdout
        call = int(init.stdout.readline())
        own = os.open(f"/proc/{call}", os.O_PATH)
        assert leaving.is_over(own, leaf) is None, "it runs"
        os.kill(call, signal.SIGTERM)
        deadline = time.monotonic() + 10
        while cgroup.read(f"/proc/{call}/stat").rpartition(")")[2].split()[0] != "Z" and time.monotonic() < deadline:
            time.sleep(0.01)
        used_s = leaving.is_over(own, leaf)
        while used_s is None and company == "in a thread" and time.monotonic() < deadline:
            used_s = leaving.is_over(own, leaf)  # its last thread goes a moment after its leader
        os.close(own)
        if company == "beside":
            assert used_s is None, "something else of the call runs"
        else:
            assert used_s is not None
            assert 0.15 < used_s < 5
        init.kill()


def test_a_process_that_is_gone_is_not_judged(leaf: cgroup.Leaf) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as gone:
        own = os.open(f"/proc/{gone.pid}", os.O_PATH)
    assert leaving.is_over(own, leaf) is None
    os.close(own)


LEADER = """
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(60,)).start()
print("ready", flush=True)
ctypes.CDLL(None).syscall(60, 0)  # the leader alone leaves
"""


class Counted:
    """A group that counts what a cell's last moment would: the call and its init."""

    def tasks(self) -> int:
        return 2


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the number of exit(2) is that of x86-64")
def test_a_leader_that_leaves_its_thread_behind_is_not_over() -> None:
    """The mark alone says so of its first thread; the thread that runs on could begin another program."""
    with subprocess.Popen([sys.executable, "-c", LEADER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        own = os.open(f"/proc/{process.pid}", os.O_PATH)
        for _ in range(200):
            fields = cgroup.read("stat", own).rpartition(")")[2].split()
            if int(fields[6]) & 0x4:
                break
            time.sleep(0.02)
        assert int(fields[6]) & 0x4, "the leader bears the mark"
        assert leaving.is_over(own, Counted()) is None  # type: ignore[arg-type]
        process.kill()
        os.close(own)
