"""The system call filter of a cell, assembled by hand.

What this stops: the calls that have no business in a skill and a long record of kernel bugs or escapes: tracing, other
processes' memory, io_uring, BPF, keyrings, mounts, new namespaces, handles, clocks, modules, and every socket but a
pair of connected local ones (and, of a call whose programs connect, TCP on its own loopback). A foreign architecture's
calls kill the process; x32 calls do not exist. Where there is no new root (L2) also changes of metadata, System V IPC,
watches, and acting on other processes by number.
What it does not: what a pointer points at (a filter sees registers only), and timing.

Source: ``seccomp(2)``, ``linux/filter.h``, ``linux/seccomp.h``.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from dataclasses import dataclass

from permissions.confine import linux

_LOAD, _EQUAL, _AT_LEAST, _MASK, _RETURN = (
    0x20,
    0x15,
    0x35,
    0x54,
    0x06,
)  # BPF_LD|W|ABS, BPF_JMP..., BPF_ALU|AND, BPF_RET
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16  # struct seccomp_data; both machines are little-endian
_X32_BIT = 0x40000000

NEVER = """
ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp process_madvise bpf perf_event_open userfaultfd
io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key
mount umount2 pivot_root open_tree open_tree_attr move_mount fsopen fsconfig fsmount fspick mount_setattr statmount
listmount unshare setns chroot open_by_handle_at name_to_handle_at personality kexec_load kexec_file_load init_module
finit_module delete_module swapon swapoff reboot quotactl quotactl_fd acct settimeofday clock_settime clock_adjtime
adjtimex sethostname setdomainname iopl ioperm modify_ldt syslog vhangup lookup_dcookie nfsservctl uselib move_pages
migrate_pages fanotify_init memfd_secret socket io_setup io_submit
""".split()
WITHOUT_NEW_ROOT = """
chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat setxattr lsetxattr
fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat file_setattr shmget shmat shmctl semget semctl
semop semtimedop msgget msgctl msgsnd msgrcv mq_open mq_unlink inotify_add_watch pidfd_open
""".split()
COMPUTES = """
read write readv writev pread64 lseek close fstat newfstatat sendto recvfrom mmap mprotect munmap mremap brk madvise
futex sched_yield sched_getaffinity getpid gettid getrusage clock_gettime clock_getres gettimeofday getrandom rseq
membarrier set_robust_list set_tid_address arch_prctl rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack
restart_syscall exit exit_group
""".split()
"""What pure computation needs once its files are mapped; nothing else is allowed to it but what has conditions."""
_TO_SHOW_FILES = "mount umount2 open_tree move_mount mount_setattr".split()
"""What a cell that stands by still needs, to show its call's files."""
_ON_ITSELF = "prlimit64 sched_setscheduler sched_setparam sched_setattr sched_setaffinity".split()
_SIGNALS = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo".split()
_KEYS = 0x5412, 0x541C  # TIOCSTI, TIOCLINUX: they type into a terminal
_KIND_OF_REQUEST, _OF_SOCKETS = 0xFF00, 0x8900  # SIOC...: they tell of the network that the socket was made in
_AF_UNIX, _AF_INET, _SOCK_STREAM, _IPPROTO_TCP = 1, 2, 1, 6
_SOCKET_FLAGS = 0o2004000  # SOCK_CLOEXEC, SOCK_NONBLOCK
_SOCKET = "socket"
_O_TRUNC, _O_ACCMODE = 0o1000, 0o3
_O_CREATES = 0o100 | 0o20000000  # O_CREAT, __O_TMPFILE
_A_THREAD = linux.CLONE_VM | linux.CLONE_SIGHAND | linux.CLONE_THREAD


@dataclass(frozen=True, slots=True)
class Setting:
    """What the filter must make up for: no new root (L2), and the Landlock ABI; ``pid`` is the caller's.

    With ``relays`` TCP sockets of IPv4 can be made: in a network namespace of its own, with nothing but a loopback.
    """

    new_root: bool
    landlock_abi: int
    pid: int = 0
    relays: bool = False


def install(program: bytes) -> None:
    """Put this process and all its children under ``program`` for ever. Needs ``no_new_privs``."""
    instructions = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(instructions))
    linux.prctl(linux.PR_SET_SECCOMP, linux.SECCOMP_MODE_FILTER, ctypes.create_string_buffer(header, len(header)))


def build(setting: Setting) -> bytes:
    """Return the filter's instructions for ``setting``."""
    code = [*_for_a_call(setting.relays), *_for_all_times()]
    if not setting.new_root:
        code += _without_new_root(setting)
    return _program(code)


def build_standing() -> bytes:
    """Return the filter of a cell that stands by: the one of L3, but for what showing its call's files needs."""
    return _program(_for_all_times())


def build_last(*, relays: bool) -> bytes:
    """Return what is added when the call's files are shown: together with the standing one it is the one of L3."""
    return _program(_for_a_call(relays))


def build_computing(*, threads: bool) -> bytes:
    """Return the filter of pure computation: ``COMPUTES``, files opened to be read, threads if asked for; no more."""
    code = _when("openat", 2, [_step(_MASK, _O_ACCMODE | _O_TRUNC | _O_CREATES), *_unless_equal((0,))])
    code += _deny(["clone3"], errno.ENOSYS)  # its flags lie behind a pointer; libc falls back to clone
    if threads:
        code += _when("clone", 0, [_step(_MASK, _A_THREAD | linux.CLONE_NAMESPACES), *_unless_equal((_A_THREAD,))])
    code += [step for name in COMPUTES for step in _let(name)]
    return _program([*code, _refuse(errno.EPERM)])


def _let(name: str) -> list[bytes]:
    number = linux.NUMBERS.get(name)
    return [] if number is None else [_step(_EQUAL, number, 0, 1), _step(_RETURN, _ALLOW)]


def _program(code: list[bytes]) -> bytes:
    """Return a whole filter: what no step of ``code`` answers is allowed."""
    head = [
        _step(_LOAD, _ARCH_AT),
        _step(_EQUAL, linux.AUDIT_ARCH, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_AT),
    ]
    if linux.MACHINE == "x86_64":
        head += [_step(_AT_LEAST, _X32_BIT, 0, 1), _refuse(errno.ENOSYS)]
    return b"".join([*head, *code, _step(_RETURN, _ALLOW)])


def _for_a_call(relays: bool) -> list[bytes]:
    """What holds from the moment on in which a call's files are shown, and its loopback is up."""
    sockets = _tcp_alone() if relays else _deny([_SOCKET], errno.EPERM)
    return [*sockets, *_deny(_TO_SHOW_FILES, errno.EPERM), *_requests_of_sockets()]


def _requests_of_sockets() -> list[bytes]:
    """Refuse a socket's requests, and go on with the number of the call."""
    asked = [_step(_LOAD, _ARGUMENTS_AT + 8), _step(_MASK, _KIND_OF_REQUEST)]
    asked += [*_if_equal(_OF_SOCKETS, _refuse(errno.EPERM)), _step(_LOAD, _NUMBER_AT)]
    return [_step(_EQUAL, linux.NUMBERS["ioctl"], 0, len(asked)), *asked]


def _for_all_times() -> list[bytes]:
    """What holds in a cell as soon as it stands by."""
    code = _deny([name for name in NEVER if name not in (*_TO_SHOW_FILES, _SOCKET)], errno.EPERM)
    code += _deny(["clone3"], errno.ENOSYS)  # its flags lie behind a pointer; libc falls back to clone
    code += _when("clone", 0, [*_if_any_bit(linux.CLONE_NAMESPACES, _refuse(errno.EPERM))])
    code += _when("ioctl", 1, [step for key in _KEYS for step in _if_equal(key, _refuse(errno.EPERM))])
    return code + _when("socketpair", 0, [_step(_EQUAL, _AF_UNIX, 1, 0), _refuse(errno.EPERM)])


def _tcp_alone() -> list[bytes]:
    """Let ``socket`` make nothing but a stream of IPv4 over TCP."""
    family = [_step(_EQUAL, _AF_INET, 1, 0), _refuse(errno.EPERM)]
    kind = [
        _step(_LOAD, _ARGUMENTS_AT + 8),
        _step(_MASK, ~_SOCKET_FLAGS & 0xFFFFFFFF),
        _step(_EQUAL, _SOCK_STREAM, 1, 0),
        _refuse(errno.EPERM),
    ]
    protocol = [_step(_LOAD, _ARGUMENTS_AT + 16), *_unless_equal((0, _IPPROTO_TCP))]
    return _when(_SOCKET, 0, [*family, *kind, *protocol])


def _without_new_root(setting: Setting) -> list[bytes]:
    code = _deny(WITHOUT_NEW_ROOT, errno.EPERM)
    for name in _ON_ITSELF:
        code += _when(name, 0, _unless_equal((0, setting.pid)))
    code += _when("setpriority", 1, _unless_equal((0, setting.pid)))
    code += _when("ioprio_set", 1, _unless_equal((0, setting.pid)))
    if setting.landlock_abi >= 6:  # Landlock keeps signals inside, but says nothing when "everybody" is meant
        code += _when("kill", 0, _if_equal(0xFFFFFFFF, _refuse(errno.EPERM)))
    else:
        code += _deny(["pidfd_send_signal"], errno.EPERM)
        for name in _SIGNALS:
            code += _when(name, 0, _unless_equal((setting.pid,)))
    if setting.landlock_abi < 3:
        code += _deny(["truncate"], errno.EPERM) + _deny(["openat2"], errno.ENOSYS)
        only_truncates = [_step(_MASK, _O_TRUNC | _O_ACCMODE), *_if_equal(_O_TRUNC, _refuse(errno.EPERM))]
        code += _when("open", 1, only_truncates) + _when("openat", 2, only_truncates)
    return code


def _step(operation: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", operation, then, otherwise, value)


def _refuse(code: int) -> bytes:
    return _step(_RETURN, _ERRNO | code)


def _deny(names: list[str], code: int) -> list[bytes]:
    numbers = [linux.NUMBERS[name] for name in names if name in linux.NUMBERS]
    return [step for number in numbers for step in (_step(_EQUAL, number, 0, 1), _refuse(code))]


def _when(name: str, argument: int, checks: list[bytes]) -> list[bytes]:
    """Run ``checks`` on the low word of ``argument`` when the call is ``name``; what falls through is allowed."""
    if name not in linux.NUMBERS:
        return []
    body = [_step(_LOAD, _ARGUMENTS_AT + 8 * argument), *checks, _step(_RETURN, _ALLOW)]
    return [_step(_EQUAL, linux.NUMBERS[name], 0, len(body)), *body]


def _if_equal(value: int, then: bytes) -> list[bytes]:
    return [_step(_EQUAL, value, 0, 1), then]


def _if_any_bit(mask: int, then: bytes) -> list[bytes]:
    return [_step(0x45, mask, 0, 1), then]  # BPF_JMP|JSET


def _unless_equal(values: tuple[int, ...]) -> list[bytes]:
    left = len(values)
    tests = [_step(_EQUAL, value, left - index, 0) for index, value in enumerate(values)]
    return [*tests, _refuse(errno.EPERM)]
