"""A guest that an emulator runs: this machine's files read-only, a disk for changes, a folder for results."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Timer

from tests.benchmarks.machine import ROOT
from tests.proofs.vm.archive import Entry, pack
from tests.proofs.vm.parts import Absent, Parts, Say

HERE = Path(__file__).parent
MEMORY_MIB = 3072
_DISK_BYTES = 8 << 30  # a hole: it takes what is written
_LINE = "vm: "


def first_files(parts: Parts, program: Sequence[str], folder: Path = ROOT) -> bytes:
    """Return the first file system: a shell, the modules, and how ``program`` is started in ``folder``."""
    places = (str(folder), sys.prefix, sys.base_prefix)
    own = "" if any(place.startswith("/tmp/") for place in places) else "/run/busybox mount -o bind /scratch /tmp\n"
    guest = f"{own}cd {shlex.quote(str(folder))}\n{shlex.join(program)}\n/run/busybox sync\n/run/busybox poweroff -f\n"
    init = (HERE / "init.sh").read_bytes()
    entries = {"busybox": Entry(parts.shell.read_bytes(), runs=True), "init": Entry(init, runs=True),
               "guest.sh": Entry(guest.encode()), "modules": Entry()}  # fmt: skip
    entries |= {f"modules/{module.name}": Entry(module.read_bytes()) for module in parts.modules}
    return pack(entries)


def make_disk(path: Path) -> None:
    """Make an empty file system in a file. Raises Absent."""
    with path.open("wb") as file:
        file.truncate(_DISK_BYTES)
    try:
        subprocess.run(["mkfs.ext4", "-q", "-F", path], check=True, capture_output=True,
                       env={**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"})  # fmt: skip
    except FileNotFoundError:
        raise Absent("mkfs.ext4 is not installed", "sudo apt install e2fsprogs") from None


def command(parts: Parts, top: Path, out: Path) -> list[str]:
    """Return how the emulator is started: one processor, no network, nothing of this machine to write but ``out``.

    The guest's clock counts its own instructions (a nanosecond each) while it works: what else this machine is busy
    with makes it take longer, and no timeout in it end earlier.
    """
    share = "local,security_model=none,multidevs=remap"
    return [parts.emulator, "-accel", "tcg", "-icount", "shift=0,sleep=on", "-cpu", "max", "-smp", "1",
            "-m", str(MEMORY_MIB), "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-nic", "none",
            "-serial", "stdio", "-kernel", str(parts.kernel), "-initrd", str(top / "first"),
            "-append", "console=ttyS0 quiet loglevel=3 panic=-1 random.trust_cpu=on",
            "-drive", f"file={top / 'disk'},format=raw,if=virtio,cache=unsafe",
            "-fsdev", f"{share},id=host,path=/,readonly=on", "-device", "virtio-9p-pci,fsdev=host,mount_tag=host",
            "-fsdev", f"{share},id=out,path={out}", "-device", "virtio-9p-pci,fsdev=out,mount_tag=out"]  # fmt: skip


def boot(parts: Parts, top: Path, program: Sequence[str], say: Say, most_s: float) -> Path:
    """Run ``program`` in a guest whose working folder is ``top``; return the folder with its results.

    What it says on lines that begin with ``vm: `` is said on; all of it is in ``console`` of that folder.
    """
    out = top / "out"
    out.mkdir()
    make_disk(top / "disk")
    (top / "first").write_bytes(first_files(parts, program))
    with subprocess.Popen(["nice", *command(parts, top, out)], text=True, errors="replace", stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as guest, ExitStack() as until:  # fmt: skip
        until.callback(guest.kill)
        late = Timer(most_s, guest.kill)
        until.callback(late.cancel)
        late.start()
        console = until.enter_context((out / "console").open("w"))
        assert guest.stdout
        for line in guest.stdout:
            print(line, end="", file=console, flush=True)
            if line.startswith(_LINE):
                say(line.removeprefix(_LINE).rstrip())
    return out


def python(*words: str) -> list[str]:
    """Return how this interpreter is started in the guest, with a clean environment."""
    return ["/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", f"PYTHONPATH={ROOT}",
            sys.executable, "-P", *words]  # fmt: skip
