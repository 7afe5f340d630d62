"""The Linux calls that the standard library does not offer, by ctypes, with their numbers and constants.

What this stops: nothing by itself; it is the vocabulary of the wall.
What it does not: it checks no argument. Every call raises ``OSError`` with the kernel's errno.

Sources: the kernel's uapi headers (``asm/unistd_64.h``, ``asm-generic/unistd.h``, ``linux/sched.h``, ``linux/mount.h``,
``linux/landlock.h``, ``linux/seccomp.h``, ``linux/prctl.h``, ``linux/capability.h``) and man-pages section 2 of each
call. Numbers from 424 on are the same on every architecture (``scripts/syscall.tbl``).
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import struct

MACHINE = os.uname().machine
AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}.get(MACHINE, 0)
"""The architecture word that seccomp hands to a filter (``linux/audit.h``); 0 where the wall knows no numbers."""

_COMMON = """
pidfd_send_signal 424 io_uring_setup 425 io_uring_enter 426 io_uring_register 427 open_tree 428 move_mount 429
fsopen 430 fsconfig 431 fsmount 432 fspick 433 pidfd_open 434 clone3 435 close_range 436 openat2 437 pidfd_getfd 438
process_madvise 440 mount_setattr 442 quotactl_fd 443 landlock_create_ruleset 444 landlock_add_rule 445
landlock_restrict_self 446 memfd_secret 447 fchmodat2 452 statmount 457 listmount 458 setxattrat 463
removexattrat 466 open_tree_attr 467 file_setattr 469
"""
_X86_64 = """
clone 56 pivot_root 155 mount 165 umount2 166 capset 126 seccomp 317 unshare 272 setns 308 ptrace 101
process_vm_readv 310 process_vm_writev 311 kcmp 312 bpf 321 perf_event_open 298 userfaultfd 323 keyctl 250 add_key 248
request_key 249 open_by_handle_at 304 name_to_handle_at 303 personality 135 kexec_load 246 kexec_file_load 320
init_module 175 finit_module 313 delete_module 176 swapon 167 swapoff 168 reboot 169 quotactl 179 acct 163
settimeofday 164 clock_settime 227 clock_adjtime 305 adjtimex 159 sethostname 170 setdomainname 171 chroot 161 iopl 172
ioperm 173 modify_ldt 154 syslog 103 vhangup 153 lookup_dcookie 212 nfsservctl 180 uselib 134 move_pages 279
migrate_pages 256 fanotify_init 300 socket 41 socketpair 53 ioctl 16 chmod 90 fchmod 91 fchmodat 268 chown 92 fchown 93
lchown 94 fchownat 260 utime 132 utimes 235 futimesat 261 utimensat 280 setxattr 188 lsetxattr 189 fsetxattr 190
removexattr 197 lremovexattr 198 fremovexattr 199 shmget 29 shmat 30 shmctl 31 semget 64 semctl 66 semop 65
semtimedop 220 msgget 68 msgctl 71 msgsnd 69 msgrcv 70 mq_open 240 mq_unlink 241 inotify_add_watch 254 kill 62
tkill 200 tgkill 234 rt_sigqueueinfo 129 rt_tgsigqueueinfo 297 prlimit64 302 setpriority 141 sched_setscheduler 144
sched_setparam 142 sched_setattr 314 sched_setaffinity 203 ioprio_set 251 truncate 76 open 2 openat 257
io_setup 206 io_submit 209
read 0 write 1 close 3 fstat 5 lseek 8 mmap 9 mprotect 10 munmap 11 brk 12 rt_sigaction 13 rt_sigprocmask 14
rt_sigreturn 15 pread64 17 readv 19 writev 20 sched_yield 24 mremap 25 madvise 28 getpid 39 sendto 44 recvfrom 45
exit 60 gettimeofday 96 getrusage 98 sigaltstack 131 arch_prctl 158 gettid 186 futex 202 sched_getaffinity 204
set_tid_address 218 restart_syscall 219 clock_gettime 228 clock_getres 229 exit_group 231 newfstatat 262
set_robust_list 273 getrandom 318 membarrier 324 rseq 334
"""
_AARCH64 = """
clone 220 pivot_root 41 mount 40 umount2 39 capset 91 seccomp 277 unshare 97 setns 268 ptrace 117
process_vm_readv 270 process_vm_writev 271 kcmp 272 bpf 280 perf_event_open 241 userfaultfd 282 keyctl 219 add_key 217
request_key 218 open_by_handle_at 265 name_to_handle_at 264 personality 92 kexec_load 104 kexec_file_load 294
init_module 105 finit_module 273 delete_module 106 swapon 224 swapoff 225 reboot 142 quotactl 60 acct 89
settimeofday 170 clock_settime 112 clock_adjtime 266 adjtimex 171 sethostname 161 setdomainname 162 chroot 51
syslog 116 vhangup 58 lookup_dcookie 18 nfsservctl 42 move_pages 239 migrate_pages 238 fanotify_init 262 socket 198
socketpair 199 ioctl 29 fchmod 52 fchmodat 53 fchown 55 fchownat 54 utimensat 88 setxattr 5 lsetxattr 6 fsetxattr 7
removexattr 14 lremovexattr 15 fremovexattr 16 shmget 194 shmat 196 shmctl 195 semget 190 semctl 191 semop 193
semtimedop 192 msgget 186 msgctl 187 msgsnd 189 msgrcv 188 mq_open 180 mq_unlink 181 inotify_add_watch 27 kill 129
tkill 130 tgkill 131 rt_sigqueueinfo 138 rt_tgsigqueueinfo 240 prlimit64 261 setpriority 140 sched_setscheduler 119
sched_setparam 118 sched_setattr 274 sched_setaffinity 122 ioprio_set 30 truncate 45 openat 56
io_setup 0 io_submit 2
read 63 write 64 close 57 fstat 80 lseek 62 mmap 222 mprotect 226 munmap 215 brk 214 rt_sigaction 134 rt_sigprocmask 135
rt_sigreturn 139 pread64 67 readv 65 writev 66 sched_yield 124 mremap 216 madvise 233 getpid 172 sendto 206 recvfrom 207
exit 93 gettimeofday 169 getrusage 165 sigaltstack 132 gettid 178 futex 98 sched_getaffinity 123
set_tid_address 96 restart_syscall 128 clock_gettime 113 clock_getres 114 exit_group 94 newfstatat 79
set_robust_list 99 getrandom 278 membarrier 283 rseq 293
"""


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


NUMBERS: dict[str, int] = _numbers(_COMMON + {"x86_64": _X86_64, "aarch64": _AARCH64}.get(MACHINE, ""))
"""System call numbers of this machine by name. A name that is absent does not exist here."""

# linux/sched.h
CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
CLONE_VM, CLONE_SIGHAND, CLONE_THREAD = 0x100, 0x800, 0x10000
CLONE_INTO_CGROUP = 0x200000000
CLONE_NAMESPACES = (
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP
)
SIGCHLD = 17

# sys/mount.h, linux/mount.h
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 1 << 14, 1 << 18
MNT_DETACH = 2
OPEN_TREE_CLONE, AT_EMPTY_PATH, AT_RECURSIVE = 1, 0x1000, 0x8000
MOVE_MOUNT_F_EMPTY_PATH = 0x4
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC = 1, 2, 4, 8

# linux/openat2.h
RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_IN_ROOT = 0x02, 0x04, 0x10

# linux/prctl.h, linux/securebits.h
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_SECUREBITS, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 28, 36, 38, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
SECUREBITS_ALL_LOCKED = 0xEF  # noroot, no_setuid_fixup, no_cap_ambient_raise and all four locks; not keep_caps
SECCOMP_MODE_FILTER = 2

_LIBC = ctypes.CDLL(None, use_errno=True)
_HELD = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock over the call, as a fork needs it


def kernel() -> tuple[int, ...]:
    """Return the version of the running kernel, two numbers."""
    return tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))


def _argument(value: int | bytes | ctypes.Array[ctypes.c_char] | None) -> object:
    if isinstance(value, int):
        return ctypes.c_long(value)
    return ctypes.c_char_p(value) if isinstance(value, bytes) or value is None else value


def syscall(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make the system call ``name``. Raise ``OSError``, with ``ENOSYS`` where this machine has no such call."""
    number = NUMBERS.get(name)
    if number is None:
        raise OSError(errno.ENOSYS, f"{name} is not known on {MACHINE}")
    result = int(_LIBC.syscall(ctypes.c_long(number), *map(_argument, arguments)))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def prctl(option: int, *values: int | ctypes.Array[ctypes.c_char]) -> int:
    """Call ``prctl(2)``; raise ``OSError``."""
    words = [_argument(value) for value in values] + [ctypes.c_long(0)] * (4 - len(values))
    result = int(_LIBC.prctl(ctypes.c_int(option), *words))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl({option}): {os.strerror(code)}")
    return result


def fork_with_namespaces(flags: int, group_fd: int = -1) -> int:
    """Fork into new namespaces, and into the version 2 control group ``group_fd``; 0 in the child.

    Only for a process with a single thread. None of the interpreter's hooks runs in the child (C API,
    ``PyOS_AfterFork_Child``): they touch more memory than all that it does. They put right locks and threads, of which
    there are none, and the seed of ``random``. Whoever runs a program of others in it forks once more, the usual way.
    """
    words: list[object]
    if group_fd >= 0:
        arguments = struct.pack("11Q", flags | CLONE_INTO_CGROUP, 0, 0, 0, SIGCHLD, 0, 0, 0, 0, 0, group_fd)
        words = [NUMBERS["clone3"], ctypes.create_string_buffer(arguments, len(arguments)), len(arguments)]
    else:
        words = [NUMBERS["clone"], flags | SIGCHLD, 0, 0, 0, 0]
    longs = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    pid = int(_HELD.syscall(*longs))
    code = ctypes.get_errno()
    if pid < 0:
        raise OSError(code, f"clone: {os.strerror(code)}")
    return pid


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Call ``mount(2)``."""
    words = [source.encode(), os.fsencode(target), kind.encode() if kind else None]
    syscall("mount", *words, flags, data.encode() if data else None)


def open_in(root_fd: int, path: str, resolve: int = RESOLVE_NO_MAGICLINKS) -> int:
    """Open ``path`` for its name alone (``O_PATH``), every symbolic link in it resolved below ``root_fd``.

    With ``RESOLVE_NO_SYMLINKS`` as ``resolve`` a link in it is an error (``ELOOP``).

    The descriptor, not the name, is what later steps use, so nothing can be put in its place (``openat2(2)``).
    """
    how = struct.pack("QQQ", os.O_PATH | os.O_CLOEXEC, 0, RESOLVE_IN_ROOT | resolve)
    return syscall("openat2", root_fd, os.fsencode(path), ctypes.create_string_buffer(how, len(how)), len(how))


def bind(source_fd: int, target: str, attributes: int, *, recursive: bool = True) -> None:
    """Show what ``source_fd`` names at ``target`` too, with ``MOUNT_ATTR_*`` added on it and on all mounts below.

    ``mount_setattr(2)`` only ever adds here, so flags that a user namespace locks are no trap (Linux 5.12).
    """
    deep = AT_RECURSIVE if recursive else 0
    tree = syscall("open_tree", source_fd, b"", OPEN_TREE_CLONE | AT_EMPTY_PATH | os.O_CLOEXEC | deep)
    try:
        _set_attributes(tree, attributes, recursive=recursive)
        syscall("move_mount", tree, b"", -100, os.fsencode(target), MOVE_MOUNT_F_EMPTY_PATH)
    finally:
        os.close(tree)


def add_attributes(path: str, attributes: int) -> None:
    """Add ``MOUNT_ATTR_*`` to the mount at ``path`` alone."""
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _set_attributes(place, attributes, recursive=False)
    finally:
        os.close(place)


def _set_attributes(mount_fd: int, attributes: int, *, recursive: bool) -> None:
    words = struct.pack("QQQQ", attributes, 0, 0, 0)
    flags = AT_EMPTY_PATH | (AT_RECURSIVE if recursive else 0)
    syscall("mount_setattr", mount_fd, b"", flags, ctypes.create_string_buffer(words, len(words)), len(words))


def close_from(first: int) -> None:
    """Close every descriptor from ``first`` on (``close_range(2)``)."""
    try:
        syscall("close_range", first, 0xFFFFFFFF, 0)
    except OSError:
        os.closerange(first, os.sysconf("SC_OPEN_MAX"))
