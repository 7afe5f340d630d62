"""A program of its own that tries what a cell is built from, and prints what worked as JSON.

What this stops: a claim about this machine that was read off a version number instead of tried.
What it does not: change anything; all of it happens in namespaces that end with it.

It is run by its path (``python -I -S probe.py``), imports nothing of ours and starts in a few milliseconds.
Constants: ``linux/sched.h``, ``sys/mount.h``.
"""

from __future__ import annotations

import ctypes
import json
import os

_NEW_USER, _NEW_MOUNT, _NEW_REST = (
    0x10000000,
    0x00020000,
    0x40000000 | 0x20000000 | 0x08000000 | 0x04000000 | 0x02000000,
)
_PRIVATE = (1 << 18) | (1 << 14)
_PLACE = "/tmp"  # noqa: S108 - covered by a private tmpfs before anything is written
_LIBC = ctypes.CDLL(None, use_errno=True)


def _check(result: int) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [word.encode() if word is not None else None for word in (source, target, kind)]
    _check(_LIBC.mount(*words, ctypes.c_ulong(flags), data.encode() if data else None))


def _enter() -> None:
    uid, gid = os.getuid(), os.getgid()
    _check(_LIBC.unshare(_NEW_USER | _NEW_MOUNT | _NEW_REST))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    _mount("", "/", None, _PRIVATE)


def _overlay(folder: str) -> None:
    for name in ("lower", "upper", "work", "merged"):
        os.mkdir(os.path.join(folder, name))
    options = f"lowerdir={folder}/lower,upperdir={folder}/upper,workdir={folder}/work,userxattr"
    _mount("overlay", f"{folder}/merged", "overlay", 0, options)


def _attempt() -> dict[str, str]:
    said: dict[str, str] = {}
    try:
        _enter()
        _mount("tmpfs", _PLACE, "tmpfs", 0)
        said["namespaces"] = ""
        _overlay(_PLACE)
        said["overlay"] = ""
    except OSError as problem:
        said.setdefault("namespaces", f"{problem.strerror} ({problem.filename or 'clone'})")
        said.setdefault("overlay", problem.strerror or "refused")
    return said


def main() -> None:
    """Try, and print the outcome: for each thing an empty text, or what refused it."""
    print(json.dumps(_attempt()))


if __name__ == "__main__":
    main()
