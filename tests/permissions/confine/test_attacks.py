"""Forbidden acts, really tried: refused by the operating system inside a cell, allowed to the same user outside."""

from __future__ import annotations

import os
import shutil
import signal
import socket
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Refused
from permissions.model import CellSpec, Level, Limits

pytestmark = pytest.mark.sandbox

REFUSED = ("EPERM", "EACCES", "ENOENT", "EROFS", "ESRCH", "ENOSYS", "EXDEV")


def refuses(
    wall: Any, act: str, spec: CellSpec | None = None, *, at_l3: str = "", at_l2: str = "", **words: Any
) -> None:
    """Assert that ``act`` works outside (else the attack proves nothing) and is refused inside."""
    inside = wall.inside(act, spec, **words)
    assert inside in REFUSED, f"{act} gave {inside!r}"
    wanted = at_l3 if wall.level is Level.L3 else at_l2
    assert not wanted or inside == wanted
    outside = wall.outside(act, **words)
    assert outside not in REFUSED, f"the control of {act} failed with {outside}: it proves nothing"


# -- files ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("act", ["read", "write", "truncate", "change_mode", "touch", "link_in", "watch", "unlink"])
def test_a_file_that_was_not_granted_is_out_of_reach(wall: Any, act: str) -> None:
    secret = wall.file(".ssh/id_test", "key")
    (wall.home / "linked").unlink(missing_ok=True)
    key = "path"
    refuses(wall, act, at_l3="ENOENT", **{key: secret})


@pytest.mark.parametrize("act", ["write", "truncate", "change_mode", "touch", "mark", "unlink", "rename_away"])
def test_a_readable_file_cannot_be_changed(wall: Any, act: str) -> None:
    path = wall.file("shown/letter.txt", "dear")
    refuses(wall, act, CellSpec(read_paths=(os.path.dirname(path),)), at_l3="EROFS", path=path)
    Path(path + ".moved").unlink(missing_ok=True)


def test_what_lies_beside_a_grant_is_not_shown(wall: Any) -> None:
    shown, beside = wall.file("grants/one.txt", "one"), wall.file("grants/two.txt", "two")
    spec = CellSpec(read_paths=(shown,))
    assert wall.inside("read", spec, path=shown) == "one"
    refuses(wall, "read", spec, at_l3="ENOENT", at_l2="EACCES", path=beside)


def test_a_link_in_a_granted_tree_does_not_lead_out(wall: Any) -> None:
    secret = wall.file(".ssh/id_link", "key")
    tree = wall.folder("tree-with-link")
    (tree / "innocent").symlink_to(secret)
    spec = CellSpec(read_paths=(str(tree),))
    refuses(wall, "read", spec, at_l3="ENOENT", at_l2="EACCES", path=str(tree / "innocent"))
    refuses(wall, "read", spec, at_l3="ENOENT", at_l2="EACCES", path=str(tree / "../.ssh/id_link"))


@pytest.mark.parametrize("granted", ["swapped", "swapped/key"])
def test_a_granted_path_in_which_a_link_stands_by_now_is_not_shown(wall: Any, granted: str) -> None:
    secret = wall.file("elsewhere/key", "key")
    link = wall.home / "swapped"
    link.symlink_to(os.path.dirname(secret))
    try:
        assert wall.outside("read", path=f"{link}/key") == "key"
        with pytest.raises(Refused) as refused:
            wall.call("read", CellSpec(read_paths=(str(wall.home / granted),)), path=f"{link}/key")
        assert refused.value.code == "refused.swapped"
    finally:
        link.unlink()


def test_the_home_cannot_be_listed(wall: Any) -> None:
    refuses(wall, "listing", at_l3="ENOENT", at_l2="EACCES", path=str(wall.home))


def test_a_hidden_place_in_a_granted_tree_is_empty(wall: Any) -> None:
    secret, open_ = wall.file("house/.private/key", "key"), wall.file("house/open.txt", "open")
    alone = wall.file("house/rc", "alias")
    deep = wall.file("house/.private/staging/blob", "blob")
    house = str(wall.home / "house")
    hidden = (f"{house}/.private", alone, "/nowhere/else")
    spec = CellSpec(read_paths=(house, os.path.dirname(deep)), hidden_paths=hidden)
    assert wall.inside("read", spec, path=open_) == "open"
    assert wall.inside("read", spec, path=deep) == "blob"
    refuses(wall, "read", spec, at_l3="ENOENT", at_l2="EACCES", path=secret)
    assert wall.inside("read", spec, path=alone) == ("" if wall.level is Level.L3 else "EACCES")
    if wall.level is Level.L3:
        assert wall.inside("listing", spec, path=f"{house}/.private") == ["staging"]
        refuses(wall, "write", spec, path=f"{house}/.private/new")
    assert Path(secret).read_text() == "key"


def test_a_hidden_tree_that_is_granted_itself_stays_hidden(wall: Any) -> None:
    secret = wall.file("house2/key", "key")
    tree = os.path.dirname(secret)
    refuses(wall, "read", CellSpec(read_paths=(tree,), hidden_paths=(tree,)), path=secret)


def test_a_link_to_a_hidden_place_does_not_open_it(wall: Any) -> None:
    secret = wall.file("house3/hidden/key", "key")
    house = wall.home / "house3"
    (house / "alias").symlink_to(house / "hidden")
    spec = CellSpec(read_paths=(str(house),), hidden_paths=(f"{house}/hidden",))
    assert wall.inside("read", spec, path=f"{house}/alias/key") in ("ENOENT", "EACCES")
    assert wall.outside("read", path=f"{house}/alias/key") == wall.outside("read", path=secret) == "key"


def test_programs_of_the_user_do_not_run(wall: Any) -> None:
    tree = wall.folder("programs")
    program = shutil.copy("/usr/bin/id", tree / "id")
    os.chown(program, wall.uid, wall.uid)
    refuses(wall, "execute", CellSpec(read_paths=(str(tree),)), at_l3="EACCES", at_l2="EACCES", path=str(program))
    refuses(wall, "execute", CellSpec(write_paths=(str(tree),)), at_l3="EACCES", at_l2="EACCES", path=str(program))
    assert wall.inside("execute", path="/usr/bin/id") == str(wall.uid)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a set-id program to attack with")
def test_a_set_id_program_gains_nothing(wall: Any) -> None:
    if wall.uid == 0:
        pytest.skip("root has nothing to gain; the ordinary user's situations show it")
    program = Path(shutil.copy("/usr/bin/id", wall.home / "root-id"))
    program.chmod(0o4755)
    if not wall.prefix[-1].startswith("--without"):
        assert wall.outside("execute", path=str(program)) == "0"
    assert wall.inside("execute", CellSpec(read_paths=(str(program),)), path=str(program)) in REFUSED
    assert wall.inside("privileges")["NoNewPrivs"] == "1"


def test_no_capability_is_left(wall: Any) -> None:
    found = wall.inside("privileges")
    sets = {name: int(value, 16) for name, value in found.items() if name.startswith("Cap")}
    assert sets
    assert not any(sets.values()) or (wall.level is not Level.L3 and set(sets.values()) - {0} == {sets["CapBnd"]})
    assert found["Seccomp"] == "2"


def test_the_root_and_the_system_cannot_be_written(wall: Any) -> None:
    for path in ("/planted", "/etc/planted", "/usr/planted", "/dev/planted", "/proc/sys/kernel/hostname"):
        assert wall.inside("write", path=path) in REFUSED


def test_other_places_of_the_machine_are_absent(wall: Any) -> None:
    if wall.level is not Level.L3:
        pytest.skip("only a new root hides names; below L3 their content is refused")
    for path in (
        "/root/.bashrc",
        "/var",
        "/etc/shadow",
        "/etc/hosts",
        "/sys",
        "/.old",
        "/dev/tty",
        "/home",
        "/proc/1/root/etc/shadow",
    ):
        assert wall.inside("stat_of", path=path) in ("ENOENT", "EACCES"), path
    assert wall.inside("see_processes") <= 2


@pytest.mark.parametrize("path", ["/proc/1/root/etc/hostname", "/proc/1/environ", "/proc/1/cwd"])
def test_process_one_opens_no_way_out(wall: Any, path: str) -> None:
    assert wall.inside("read", path=path) in REFUSED


def test_the_init_of_the_cell_cannot_be_taken_over(wall: Any) -> None:
    assert wall.inside("write_init") in REFUSED


def test_not_even_its_own_settings_in_proc_are_written(wall: Any) -> None:
    """Nothing but Landlock stands here at L3: the folder is the cell's own and is mounted writable."""
    refuses(wall, "write", at_l3="EACCES", at_l2="EACCES", path="/proc/self/comm")


def test_device_nodes_cannot_be_made(wall: Any) -> None:
    stage = wall.folder("devices")
    assert wall.inside("make_device", CellSpec(write_paths=(str(stage),)), path=f"{stage}/null") in REFUSED


# -- network ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("family", "kind"),
    [
        (socket.AF_INET, socket.SOCK_STREAM),
        (socket.AF_INET, socket.SOCK_DGRAM),
        (socket.AF_INET6, socket.SOCK_STREAM),
        (socket.AF_UNIX, socket.SOCK_STREAM),
        (socket.AF_NETLINK, socket.SOCK_RAW),
    ],
)
def test_no_socket_can_be_made(wall: Any, family: int, kind: int) -> None:
    refuses(wall, "make_socket", family=int(family), kind=int(kind), at_l3="EPERM", at_l2="EPERM")


def test_nothing_that_listens_can_be_reached(wall: Any, victim: dict[str, Any]) -> None:
    refuses(wall, "connect", family=int(socket.AF_INET), address=["127.0.0.1", victim["port"]])
    refuses(wall, "connect", family=int(socket.AF_UNIX), address=victim["abstract"])
    refuses(wall, "connect", family=int(socket.AF_UNIX), address=victim["named"])


def test_a_pair_of_connected_sockets_is_allowed(wall: Any) -> None:
    assert wall.inside("pair") == "ok"


# -- other processes --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("act", ["send_signal", "trace", "read_memory", "limit_of", "renice"])
def test_other_processes_cannot_be_touched(wall: Any, victim: dict[str, Any], act: str) -> None:
    if act in ("read_memory", "trace") and wall.outside(act, pid=victim["pid"]) in REFUSED:
        pytest.skip("this machine lets nobody trace a process that is not its child; nothing to prove")
    refuses(wall, act, pid=victim["pid"])


def test_everybody_cannot_be_signalled(wall: Any) -> None:
    assert wall.inside("signal_all") in REFUSED


# -- system calls -----------------------------------------------------------------------------------------------------
CALLS = {
    "ptrace": ({"x86_64": 101, "aarch64": 117}, [0, 0, 0, 0]),
    "process_vm_readv": ({"x86_64": 310, "aarch64": 270}, [1, 0, 0, 0, 0, 0]),
    "pidfd_getfd": ({"x86_64": 438, "aarch64": 438}, [0, 0, 0]),
    "kcmp": ({"x86_64": 312, "aarch64": 272}, [1, 1, 0, 0, 0]),
    "bpf": ({"x86_64": 321, "aarch64": 280}, [0, 0, 0]),
    "perf_event_open": ({"x86_64": 298, "aarch64": 241}, [0, 0, 0, 0, 0]),
    "userfaultfd": ({"x86_64": 323, "aarch64": 282}, [1]),
    "io_uring_setup": ({"x86_64": 425, "aarch64": 425}, [1, 0]),
    "io_setup": ({"x86_64": 206, "aarch64": 0}, [0, 0]),
    "io_submit": ({"x86_64": 209, "aarch64": 2}, [0, 0, 0]),
    "keyctl": ({"x86_64": 250, "aarch64": 219}, [0, -3, 0]),
    "add_key": ({"x86_64": 248, "aarch64": 217}, ["user", "steward-test", "x", 1, -3]),
    "request_key": ({"x86_64": 249, "aarch64": 218}, ["user", "steward-test", 0, -3]),
    "mount": ({"x86_64": 165, "aarch64": 40}, ["tmpfs", "/tmp", "tmpfs", 0, 0]),
    "umount2": ({"x86_64": 166, "aarch64": 39}, ["/proc", 2]),
    "pivot_root": ({"x86_64": 155, "aarch64": 41}, [".", "."]),
    "fsopen": ({"x86_64": 430, "aarch64": 430}, ["tmpfs", 0]),
    "open_tree": ({"x86_64": 428, "aarch64": 428}, [-100, "/usr", 1]),
    "mount_setattr": ({"x86_64": 442, "aarch64": 442}, [-100, "/", 0, 0, 0]),
    "unshare user": ({"x86_64": 272, "aarch64": 97}, [0x10000000]),
    "unshare mount": ({"x86_64": 272, "aarch64": 97}, [0x00020000]),
    "setns": ({"x86_64": 308, "aarch64": 268}, [0, 0]),
    "clone3": ({"x86_64": 435, "aarch64": 435}, [0, 0]),
    "chroot": ({"x86_64": 161, "aarch64": 51}, ["/tmp"]),
    "open_by_handle_at": ({"x86_64": 304, "aarch64": 265}, [0, 0, 0]),
    "personality": ({"x86_64": 135, "aarch64": 92}, [0x0040000]),
    "kexec_load": ({"x86_64": 246, "aarch64": 104}, [0, 0, 0, 0]),
    "init_module": ({"x86_64": 175, "aarch64": 105}, [0, 0, ""]),
    "finit_module": ({"x86_64": 313, "aarch64": 273}, [0, "", 0]),
    "swapon": ({"x86_64": 167, "aarch64": 224}, ["/tmp", 0]),
    "reboot": ({"x86_64": 169, "aarch64": 142}, [0, 0, 0, 0]),
    "quotactl": ({"x86_64": 179, "aarch64": 60}, [0, 0, 0, 0]),
    "acct": ({"x86_64": 163, "aarch64": 89}, [0]),
    "settimeofday": ({"x86_64": 164, "aarch64": 170}, [0, 0]),
    "clock_settime": ({"x86_64": 227, "aarch64": 112}, [0, 0]),
    "sethostname": ({"x86_64": 170, "aarch64": 161}, ["x", 1]),
    "syslog": ({"x86_64": 103, "aarch64": 116}, [10, 0, 0]),
    "memfd_secret": ({"x86_64": 447, "aarch64": 447}, [0]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_dangerous_call_is_refused_before_it_is_looked_at(wall: Any, name: str) -> None:
    """The filter answers alone: arguments that the kernel would fault with EINVAL or EBADF still give EPERM."""
    numbers, words = CALLS[name]
    assert wall.inside("raw", numbers=numbers, words=words) == ("ENOSYS" if name == "clone3" else "EPERM")


OUTSIDE = ["userfaultfd", "keyctl", "personality", "ptrace", "setns", "io_uring_setup", "io_setup"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_control_these_calls_are_not_refused_like_that_outside(wall: Any, name: str) -> None:
    numbers, words = CALLS[name]
    if name == "ptrace":
        words = [17, 1, 0, 0]  # PTRACE_DETACH from what it does not trace: ESRCH
    assert wall.outside("raw", numbers=numbers, words=words) != "EPERM"


@pytest.mark.parametrize("flags", [0x10000000, 0x00020000, 0x20000000, 0x40000000])
def test_a_child_gets_no_namespaces_of_its_own(wall: Any, flags: int) -> None:
    assert wall.inside("fork_with", flags=flags) == "EPERM"
    assert wall.inside("fork_with", flags=0) == wall.outside("fork_with", flags=0) == "forked"


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="only x86-64 has a second table of calls")
def test_the_second_table_of_calls_does_not_exist(wall: Any) -> None:
    assert wall.inside("raw", numbers={"x86_64": 0x40000000 + 101}, words=[0, 0, 0, 0]) == "ENOSYS"


def test_input_cannot_be_pushed_into_a_terminal(wall: Any) -> None:
    assert wall.inside("terminal_input") in ("EPERM", "ENOENT", "EACCES")


# -- surroundings -----------------------------------------------------------------------------------------------------
def test_no_secret_of_the_daemon_is_in_the_environment(wall: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEWARD_TEST_SECRET", "tell-nobody")
    cells = wall.new_cells()
    try:
        reply = wall.wait(cells.call(CellSpec(), wall.request("environment"))).reply.decode()
    finally:
        wall.wait(cells.close())
    assert "tell-nobody" not in reply
    with wall.start_control() as control:
        said, _ = control.communicate('["environment", {}]\n')
    assert "tell-nobody" in said


def test_no_descriptor_leaks(wall: Any) -> None:
    """The worker keeps one open under number 50 on purpose; the call has its streams, its answer, at L3 its door."""
    door = [6] if wall.level is Level.L3 else []
    assert sorted(map(int, wall.inside("descriptors"))) == [0, 1, 2, 3, *door]


def test_two_calls_do_not_share_their_dice(wall: Any) -> None:
    assert wall.inside("dice") != wall.inside("dice")


def test_standard_input_is_empty(wall: Any) -> None:
    assert wall.inside("stdin") == ""


def test_the_caller_is_itself_and_nobody_else(wall: Any) -> None:
    found = wall.inside("identity")
    assert found["uid"] == wall.uid
    assert found["mask"] == 0o077
    if wall.level is Level.L3:
        assert found["host"] == "cell" != socket.gethostname()
        assert found["pid"] == 2
        assert found["cwd"] == "/tmp"


def test_files_have_a_hard_limit(wall: Any) -> None:
    stage = wall.folder("sizes")
    spec = CellSpec(write_paths=(str(stage),), limits=Limits(file_bytes=4 << 20))
    assert wall.inside("write_much", spec, path=f"{stage}/big", size=8 << 20) == "EFBIG"
    assert (stage / "big").stat().st_size == 4 << 20
    assert wall.outside("write_much", path=f"{stage}/big2", size=8 << 20) == "full"


def test_private_folders_are_small(wall: Any) -> None:
    if wall.level is not Level.L3:
        pytest.skip("below L3 a call's private folder lies on the disk")
    spec = CellSpec(limits=Limits(memory_bytes=1 << 30))
    assert wall.inside("write_much", spec, path="/dev/shm/big", size=100 << 20) == "ENOSPC"


def test_signals_are_numbers_we_know() -> None:
    assert signal.SIGCHLD == 17
