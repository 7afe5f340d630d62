"""The filter as a program: every call number and argument gets the answer that the lists promise.

The oracle is a small interpreter of classic BPF, written from ``linux/filter.h``; the kernel's own answers are in the
attack tests.
"""

from __future__ import annotations

import errno
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from permissions.confine import linux, seccomp

ALLOW, KILL = 0x7FFF0000, 0x80000000
DENIED = 0x00050000 | errno.EPERM
NAMES = {number: name for name, number in linux.NUMBERS.items()}
pytestmark = pytest.mark.skipif(not linux.AUDIT_ARCH, reason="no filter is known for this machine")


def answer(program: bytes, number: int, arguments: tuple[int, ...] = (), arch: int = linux.AUDIT_ARCH) -> int:
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, arch, 0, *words)
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
            true = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            place += then if true else otherwise


SETTINGS = [seccomp.Setting(new_root, abi, 4242) for new_root in (True, False) for abi in (0, 2, 4, 7)]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_foreign_architecture_is_killed(setting: seccomp.Setting) -> None:
    program = seccomp.build(setting)
    assert answer(program, 0, arch=0x40000003) == KILL
    assert answer(program, 0) == ALLOW
    assert len(program) // 8 < 4096, "the kernel takes no more instructions"


@given(number=st.integers(0, 700), setting=st.sampled_from(SETTINGS), words=st.tuples(*[st.integers(0, 2**64 - 1)] * 6))
def test_what_no_list_names_is_allowed_and_what_one_names_is_not(
    number: int, setting: seccomp.Setting, words: tuple[int, ...]
) -> None:
    got = answer(seccomp.build(setting), number, words)
    name = NAMES.get(number)
    if name in seccomp.NEVER or (not setting.new_root and name in seccomp.WITHOUT_NEW_ROOT):
        assert got == DENIED
    elif name is None:
        assert got == ALLOW


@pytest.mark.parametrize("relays", [False, True])
@given(
    number=st.one_of(st.integers(0, 2**32 - 1), st.sampled_from(sorted(NAMES))),
    words=st.tuples(*[st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 8), st.just(0x8914))] * 6),
    arch=st.sampled_from([linux.AUDIT_ARCH, 0x40000003]),
)
def test_the_two_filters_of_a_call_are_together_the_whole_one(
    relays: bool, number: int, words: tuple[int, ...], arch: int
) -> None:
    whole = seccomp.build(seccomp.Setting(new_root=True, landlock_abi=7, relays=relays))
    both = [answer(one, number, words, arch) for one in (seccomp.build_standing(), seccomp.build_last(relays=relays))]
    assert answer(whole, number, words, arch) == min(both), "the kernel heeds the strictest; its codes fall with it"


def test_a_cell_that_stands_by_lacks_what_is_never_needed() -> None:
    needed = {"mount", "umount2", "open_tree", "move_mount", "mount_setattr", "socket"}
    for name in set(seccomp.NEVER) & linux.NUMBERS.keys():
        wanted = ALLOW if name in needed else DENIED
        assert answer(seccomp.build_standing(), linux.NUMBERS[name]) == wanted, name


@given(family=st.integers(0, 50), kind=st.integers(0, 2**32 - 1), protocol=st.integers(0, 300))
@example(2, 1, 0)
@example(2, 0o2004001, 6)
@example(2, 2, 0)
@example(2, 1, 262)
@example(10, 1, 0)
def test_of_sockets_only_tcp_where_a_relay_is(family: int, kind: int, protocol: int) -> None:
    relaying = seccomp.build(seccomp.Setting(new_root=True, landlock_abi=7, relays=True))
    number = linux.NUMBERS["socket"]
    wanted = family == 2 and kind & ~0o2004000 == 1 and protocol in (0, 6)
    assert answer(relaying, number, (family, kind, protocol)) == (ALLOW if wanted else DENIED)
    assert answer(seccomp.build(SETTINGS[0]), number, (family, kind, protocol)) == DENIED


def test_a_relay_changes_nothing_else() -> None:
    plain, relaying = (seccomp.build(seccomp.Setting(True, 7, relays=relays)) for relays in (False, True))
    for number, name in NAMES.items():
        if name != "socket":
            assert answer(plain, number) == answer(relaying, number)


@given(flags=st.integers(0, 2**32 - 1))
def test_no_namespace_flag_passes(flags: int) -> None:
    got = answer(seccomp.build(SETTINGS[0]), linux.NUMBERS["clone"], (flags,))
    assert got == (DENIED if flags & linux.CLONE_NAMESPACES else ALLOW)


@given(target=st.integers(0, 2**32 - 1))
def test_without_a_new_root_only_itself_may_be_changed(target: int) -> None:
    program = seccomp.build(seccomp.Setting(new_root=False, landlock_abi=4, pid=4242))
    wanted = ALLOW if target in (0, 4242) else DENIED
    assert answer(program, linux.NUMBERS["prlimit64"], (target,)) == wanted
    assert answer(program, linux.NUMBERS["setpriority"], (0, target)) == wanted
    assert answer(program, linux.NUMBERS["kill"], (target,)) == (ALLOW if target == 4242 else DENIED)


@given(flags=st.integers(0, 2**22))
def test_an_old_landlock_is_helped_against_truncation(flags: int) -> None:
    program = seccomp.build(seccomp.Setting(new_root=False, landlock_abi=2, pid=1))
    sly = flags & 0o1003 == 0o1000
    assert answer(program, linux.NUMBERS["openat"], (0, 0, flags)) == (DENIED if sly else ALLOW)
