"""The files of a cell: a new, empty root in which only what the call needs is shown.

What this stops: reading, writing, listing, or changing the metadata of any file of the user's that the call was not
given: its path does not exist, also where a link was put into a granted path meanwhile, or something else in its place
(``granted``). Writing to what is shown
read-only. Set-id programs, device nodes, and running programs from the user's trees. Filling the disk through private
folders (they are small and in memory). What a call changes in a tree that it works in reaching that tree: it lands in a
layer of ours.
What it does not: what a granted tree itself holds; the names of the folders that lead to it; a hidden place that comes
into being outside while the call runs, or that has a second name which nobody listed.

Sources: ``mount_namespaces(7)``, ``pivot_root(2)``, ``mount_setattr(2)``, ``openat2(2)``, ``proc(5)``.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from permissions.confine import linux
from permissions.confine.granted import DEVICES, OLD, Granted, holds
from permissions.model import CellSpec, Layer

NOTHING = "/.nothing"
SCRATCH = "/tmp"  # noqa: S108 - the cell's own, a tmpfs of its mount namespace
SHARED = "/dev/shm"  # noqa: S108 - likewise
SCRATCH_BYTES, SHARED_BYTES = 256 << 20, 64 << 20
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_SETTINGS = (
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/fonts",
    "/etc/mime.types",
    "/etc/magic",
    "/etc/ssl/certs",
    "/etc/pki/tls/certs",
    "/etc/ca-certificates/extracted",
)
_SHOWN = linux.MOUNT_ATTR_RDONLY | linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV
_GRANTED = linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV | linux.MOUNT_ATTR_NOEXEC


@dataclass(frozen=True, slots=True)
class Base:
    """What every cell of a zygote shows: trees (read, run), folders of settings (read), links, and copied files."""

    trees: tuple[str, ...]
    settings: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    copies: tuple[tuple[str, bytes], ...]


def describe_base(home: str, trees: Iterable[str] = ()) -> Base:
    """Find the system's and this interpreter's own trees, and add ``trees``, which are real paths.

    ``home`` itself and what holds it are never among them.
    """
    links = tuple((path, os.readlink(path)) for path in (*_SYSTEM, *_SETTINGS) if _is_link(path))
    linked = {path for path, _ in links}
    system = [path for path in _SYSTEM if os.path.isdir(path) and path not in linked]
    code = [path for path in (*_code_roots(), *trees) if not holds(path, home) and os.path.exists(path)]
    settings = [path for path in _SETTINGS if os.path.exists(path) and path not in linked]
    folders = tuple(path for path in settings if os.path.isdir(path))
    copies = tuple((path, Path(path).read_bytes()) for path in settings if os.path.isfile(path))
    return Base(_outermost([*system, *code]), folders, links, (*copies, *_who()))


def _is_link(path: str) -> bool:
    """Tell whether ``path`` is a link that also works inside: its target lies in a system tree."""
    return os.path.islink(path) and os.path.realpath(path).startswith("/usr/")


def _code_roots() -> Iterator[str]:
    for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix):
        yield os.path.realpath(prefix)
        yield os.path.abspath(prefix)
    yield from (os.path.realpath(entry) for entry in sys.path if entry and os.path.isabs(entry))
    for name, module in list(sys.modules.items()):
        if "." not in name and name != "__main__":
            paths = getattr(module, "__path__", None) or [getattr(module, "__file__", None)]
            yield from (os.path.realpath(path) for path in paths if path and os.path.isabs(path))


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for path in sorted(set(paths), key=lambda text: (text.count("/"), text)):
        if not any(holds(tree, path) for tree in kept):
            kept.append(path)
    return tuple(kept)


def build(base: Base) -> None:
    """Make the new root in this mount namespace and move into it; the old one stays at ``OLD`` until ``seal``."""
    linux.mount("", "/", None, linux.MS_REC | linux.MS_PRIVATE)
    os.chdir("/")
    old_root = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    _tmpfs(SCRATCH, 16 << 20, 0o755)
    os.chdir(SCRATCH)
    os.mkdir(OLD[1:], 0o700)
    linux.syscall("pivot_root", b".", OLD[1:].encode())
    os.chdir("/")
    os.makedirs(SCRATCH, exist_ok=True)
    _tmpfs(SCRATCH, SCRATCH_BYTES, 0o700)  # first: what is shown below may itself lie in there
    for path in base.trees:
        _show_own(old_root, path, _SHOWN)
    for path in base.settings:
        _show_own(old_root, path, _SHOWN | linux.MOUNT_ATTR_NOEXEC)
    for path, target in base.links:
        os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
        with suppress(FileExistsError):
            os.symlink(target, path)
    os.makedirs("/etc", 0o755, exist_ok=True)
    for path, content in base.copies:
        _fill(path, content)
    _make_private_places(old_root)
    os.close(old_root)


def _make_private_places(old_root: int) -> None:
    os.makedirs(SHARED)
    for path in DEVICES:
        _show_own(old_root, path, linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NOEXEC)
    os.symlink("/proc/self/fd", "/dev/fd")
    _tmpfs(SHARED, SHARED_BYTES, 0o700)
    Path(NOTHING).touch(0o400)
    os.mkdir("/proc", 0o555)
    # Where the old /proc is masked (containers), the kernel refuses a new one; then there is none at all.
    with suppress(OSError):
        flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC
        linux.mount("proc", "/proc", "proc", flags, "hidepid=2,subset=pid")


def _who() -> tuple[tuple[str, bytes], ...]:
    """Return the few lines of ``passwd``, ``group`` and ``nsswitch.conf`` that look-ups need, and nobody's name."""
    uid, gid = os.getuid(), os.getgid()
    return (
        ("/etc/passwd", f"user:x:{uid}:{gid}::{SCRATCH}:/bin/sh\n".encode()),
        ("/etc/group", f"user:x:{gid}:\n".encode()),
        ("/etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files\n"),
    )


def _fill(path: str, content: bytes) -> None:
    file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o444)
    os.write(file, content)
    os.close(file)


def _tmpfs(target: str, size_bytes: int, mode: int) -> None:
    flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC
    linux.mount("tmpfs", target, "tmpfs", flags, f"size={size_bytes},nr_inodes=16384,mode={mode:o}")


def grant(spec: CellSpec, base: Base) -> None:
    """Show the call's own paths, outermost first: what may be read read-only, what is hidden empty. Needs the old root.

    A hidden place covers what was shown before it; a path that was granted below it is shown again, and so is the
    code of the worker itself where it lies inside a granted path (an installation in the home).

    Raises:
        BadScope: a path is gone, or is neither a file nor a folder.
        Refused: a path is not what was decided on.
    """
    old_root = os.open(OLD, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    granted = Granted(old_root, spec.held)
    attributes = {path: _GRANTED | linux.MOUNT_ATTR_RDONLY for path in spec.read_paths}
    attributes |= dict.fromkeys(
        spec.program_paths, _SHOWN if spec.runs_programs else _GRANTED | linux.MOUNT_ATTR_RDONLY
    )
    attributes |= dict.fromkeys(spec.write_paths, _GRANTED)
    layers = {layer.tree: layer for layer in spec.layers}
    masks = []
    for path in sorted({*attributes, *layers, *_hidden_below(spec)}, key=lambda text: (text.count("/"), text)):
        if path in layers:
            _lay(granted, layers[path], runs=spec.runs_programs)
        elif path in attributes:
            _show(granted.open(path), path, attributes[path])
        if path in spec.hidden_paths:
            masks += _mask(os.path.realpath(path))
    for tree in base.trees:
        if any(holds(path, tree) for path in (*attributes, *layers)):
            _show_own(old_root, tree, _SHOWN)
    for mask in masks:
        linux.add_attributes(mask, linux.MOUNT_ATTR_RDONLY)
    os.close(old_root)


def _hidden_below(spec: CellSpec) -> set[str]:
    """Return the hidden paths that lie in what is shown; the others do not exist inside anyway."""
    shown = (*spec.read_paths, *spec.program_paths, *(layer.tree for layer in spec.layers))
    return {path for path in spec.hidden_paths if any(holds(tree, path) for tree in shown)}


def _lay(granted: Granted, layer: Layer, *, runs: bool) -> None:
    """Show a tree that the call works in: an overlay, or the whole copy, at the tree's own path.

    The layers are named to the kernel by held descriptors: no character of their paths is special in the options, and
    nothing can take their place. A mount inside a layer is refused by the kernel.
    """
    attributes = linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV
    attributes |= 0 if runs and not _is_noexec(layer) else linux.MOUNT_ATTR_NOEXEC
    if not layer.work:
        _show(granted.open(layer.room()), layer.tree, attributes)
        return
    _make_mount_point(layer.tree, folder=True)
    with ExitStack() as held:
        places = [granted.open(path) for path in (layer.room(), *layer.below)]
        held.callback(_close, places)
        room, *below = (f"{OLD}/proc/self/fd/{place}" for place in places)
        upper, work = (f"{room}/{os.path.basename(path)}" for path in (layer.upper, layer.work))
        options = f"lowerdir={':'.join(below)},upperdir={upper},workdir={work},userxattr,index=off,volatile"
        linux.mount("overlay", layer.tree, "overlay", linux.MS_NOSUID | linux.MS_NODEV, options)
    linux.add_attributes(layer.tree, attributes)


def _close(places: Iterable[int]) -> None:
    for place in places:
        os.close(place)


def _is_noexec(layer: Layer) -> bool:
    """Tell whether no program may be run from the tree outside either."""
    return any(os.statvfs(OLD + path).f_flag & os.ST_NOEXEC for path in layer.below)


def _mask(path: str) -> list[str]:
    """Cover ``path`` with nothing; return the masks that are still to be made read-only."""
    if os.path.isdir(path):
        _tmpfs(path, 64 << 10, 0o500)
        return [path]
    if os.path.exists(path):
        place = os.open(NOTHING, os.O_PATH | os.O_CLOEXEC)
        linux.bind(place, path, _GRANTED | linux.MOUNT_ATTR_RDONLY, recursive=False)
        os.close(place)
    return []


def _show_own(root_fd: int, path: str, attributes: int) -> None:
    """Show what belongs to every cell, at its own path; a link on the way to it is followed."""
    _show(linux.open_in(root_fd, path), path, attributes)


def _show(place: int, target: str, attributes: int) -> None:
    """Show what the descriptor ``place`` names at ``target``, and close it."""
    try:
        _make_mount_point(target, stat.S_ISDIR(os.fstat(place).st_mode))
        linux.bind(place, target, attributes)
    finally:
        os.close(place)


def _make_mount_point(target: str, folder: bool) -> None:
    if os.path.lexists(target):
        return
    os.makedirs(target if folder else os.path.dirname(target), 0o755, exist_ok=True)
    if not folder:
        _fill(target, b"")


def seal() -> None:
    """Let go of the old root for ever and make the new one read-only."""
    linux.syscall("umount2", OLD.encode(), linux.MNT_DETACH)
    os.rmdir(OLD)
    linux.add_attributes("/", linux.MOUNT_ATTR_RDONLY)
