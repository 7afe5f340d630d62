"""What a virtual machine is made of: an emulator, and Debian's kernel and shell, fetched and unpacked.

Nothing is installed: packages are downloaded into a folder of their own, what is needed of them is kept there, and the
next run finds it.
"""

from __future__ import annotations

import lzma
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

EMULATOR = "qemu-system-x86_64"
KERNEL = "linux-image-amd64"
"""The package that depends on the newest kernel. The one for clouds has no 9p, by which the guest sees this machine."""
MODULES = ("virtio_pci", "virtio_blk", "9pnet_virtio", "9p", "crc32c_generic", "ext4", "overlay")
_DEPENDS = re.compile(rb"\0depends=([^\0]*)\0")
Say = Callable[[str], None]


class Absent(Exception):
    """Something is missing here that no test can do without. ``remedy`` is the one line that mends it."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Parts:
    """The emulator, the kernel and its version, its modules in the order of loading, and a shell that needs nothing."""

    emulator: str
    kernel: Path
    version: str
    modules: tuple[Path, ...]
    shell: Path


def find_parts(cache: Path, say: Say) -> Parts:
    """Return the parts, fetched into ``cache`` where it lacks them. Raises Absent."""
    if platform.machine() != "x86_64":
        raise Absent(f"this is {platform.machine()}, and the guest runs this machine's own programs", "use an x86-64")
    emulator = shutil.which(EMULATOR)
    if emulator is None:
        raise Absent(f"{EMULATOR} is not installed", "sudo apt install qemu-system-x86")
    if not (cache / "shell").exists() or not list(cache.glob("kernel-*")):
        say("fetching a kernel and a shell")
        _fill(cache)
    (kernel,) = cache.glob("kernel-*")
    modules = tuple(sorted((cache / "modules").iterdir()))
    return Parts(emulator, kernel, kernel.name.removeprefix("kernel-"), modules, cache / "shell")


def _fill(cache: Path) -> None:
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        raise Absent("there is no apt-get here that could fetch a kernel", "use Debian 12 or later")
    shutil.rmtree(cache, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="steward-vm-") as top:
        shell, kernel = Path(top) / "shell", Path(top) / "kernel"
        _unpack("busybox-static", shell)
        _unpack(_newest_kernel(), kernel)
        draft = Path(top) / "cache"
        (draft / "modules").mkdir(parents=True)
        shutil.copy(next(shell.rglob("bin/busybox")), draft / "shell")
        (image,) = kernel.glob("boot/vmlinuz-*")
        shutil.copy(image, draft / image.name.replace("vmlinuz", "kernel", 1))
        for number, module in enumerate(in_order(kernel, MODULES)):
            target = draft / "modules" / f"{number:02}-{name_of(module)}.ko"
            target.write_bytes(content(module))
        cache.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(draft, cache)


def _newest_kernel() -> str:
    said = _apt("apt-cache", "depends", KERNEL)
    found = re.search(r"Depends: (linux-image-\S+)", said)
    if found is None:
        raise Absent(f"apt knows no {KERNEL}", "sudo apt-get update, on Debian 12 or later")
    return found[1]


def _unpack(package: str, folder: Path) -> None:
    folder.mkdir()
    _apt("apt-get", "--quiet", "download", package, cwd=folder)
    (archive,) = folder.glob("*.deb")
    subprocess.run(["dpkg", "-x", archive, folder], check=True)


def _apt(*command: str, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise Absent(f"{' '.join(command)}: {said}", "sudo apt-get update")
    return done.stdout


def in_order(top: Path, wanted: Sequence[str]) -> list[Path]:
    """Return the files of kernel modules below ``top`` that ``wanted`` need, each after those that it needs itself.

    What no file is found for is built into the kernel. Source: the ``depends`` entry of a module's ``.modinfo``.
    """
    files = {name_of(path): path for path in top.rglob("*.ko*")}
    ordered: list[Path] = []

    def add(name: str) -> None:
        path = files.get(name)
        if path is None or path in ordered:
            return
        found = _DEPENDS.search(content(path))
        for needed in filter(None, found[1].decode().split(",") if found else []):
            add(needed.replace("-", "_"))
        ordered.append(path)

    for name in wanted:
        add(name)
    return ordered


def name_of(path: Path) -> str:
    """Return the name that a module's file is loaded under."""
    return path.name.partition(".ko")[0].replace("-", "_")


def content(path: Path) -> bytes:
    """Return a module as the kernel loads it."""
    return lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
