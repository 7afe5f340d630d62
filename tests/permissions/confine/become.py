"""Run a program as somebody with less: ``become.py [--user UID] [--without-namespaces] PROGRAM ...``."""

from __future__ import annotations

import argparse
import ctypes
import os


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--user", type=int)
    parser.add_argument("--without-namespaces", action="store_true")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    wish = parser.parse_args()
    if wish.user is not None:
        os.setgroups([])
        os.setresgid(wish.user, wish.user, wish.user)
        os.setresuid(wish.user, wish.user, wish.user)
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE: own /proc/self again
    if wish.without_namespaces:
        forbid_namespaces()
    os.execv(wish.program[0], wish.program)


def forbid_namespaces() -> None:
    uid, gid = os.getuid(), os.getgid()
    if ctypes.CDLL(None, use_errno=True).unshare(0x10000000):
        raise OSError(ctypes.get_errno(), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    with open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")


main()
