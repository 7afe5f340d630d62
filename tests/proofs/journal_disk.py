"""A commit and an undo on a disk whose power goes: the calls are noted, the tree is built again as it may be.

The model is that of ext4, XFS and btrfs: changes of names in one folder reach the disk in order, a rename as a whole; a
sync of a folder makes all changes of its names durable, a sync of a thing also its own name and the folders above it.
Of a file, what was written since its last sync arrives sector by sector, zeros where it did not; its size and times
arrive in order. Inode numbers differ in every tree that is built, so those in the journal are put in anew.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from permissions.transactions import Transactions
from tests.permissions.transactions.conftest import Snapshot, snapshot
from tests.proofs import os_recorder
from tests.proofs.power import ARRIVES, SECTOR
from tests.proofs.scene import RUN, World, timeless

Op = tuple[Any, ...]
ACTS = ("commit", "undo")
_NAMES = ("file", "mkdir", "symlink", "rename", "exchange", "unlink")


@dataclass(frozen=True)
class Recording:
    """The tree at the start, what was done to it, and how the home is before and after."""

    act: str
    top: str
    dev: int
    root: int
    start: dict[int, Inode]
    log: list[Op]
    before: Snapshot
    after: Snapshot


@dataclass
class Inode:
    """A thing on disk: what is durable of it, and the operations since, in order."""

    kind: str
    mode: int
    mtime_ns: int
    content: bytes = b""
    target: str = ""
    entries: dict[str, int] = field(default_factory=dict)
    lines: list[bytes] = field(default_factory=list)
    pending: list[Op] = field(default_factory=list)


def record(act: str, top: Path, *, honest: bool) -> Recording:
    """Carry out a commit, or an undo after one, and note it; without syncs where the disk is not ``honest``."""
    world = World(top)
    tx = world.lab.open()
    staging = world.stage(tx)
    seal = staging.seal().seal
    staging.keep()
    if act == "undo":
        staging.commit(seal)
    start = os_recorder.tree(top)
    log: list[Op] = _unsynced(start, world)
    home = world.lab.snapshot()
    with os_recorder.recording(log):
        if act == "undo":
            tx.undo(RUN)
        else:
            staging.commit(seal)
    log.append(("ack", act))
    _must_agree(start, log, top)
    info = os.stat(top)
    kept = [op for op in log if honest or op[0] not in ("sync", "syncfs")]
    first, last = (home, world.lab.snapshot())
    return Recording(act, str(top), info.st_dev, info.st_ino, start, kept, timeless(first), timeless(last))


def _unsynced(start: dict[int, Inode], world: World) -> list[Op]:
    """What a call wrote into its staging folder is not on disk yet: its writes come first in the log."""
    log: list[Op] = []
    for path in sorted((world.lab.store / "runs").glob("*/tasks/*/*")):
        inode = start[path.stat().st_ino]
        log.append(("write", path.stat().st_ino, 0, inode.content, inode.mtime_ns))
        inode.content = b""
    return log


def _must_agree(start: dict[int, Inode], log: Sequence[Op], top: Path) -> None:
    """Everything that was done must be in the log: applied to the start it gives the tree that there is."""
    disk = _copied(start)
    for op in log:
        if op[0] in _NAMES:
            _rename(disk, op)
        elif op[0] in ("write", "truncate", "mode", "times"):
            disk[op[1]].pending.append(op)
    for inode in disk.values():
        _settle(inode, len(inode.pending), None, 1.0)
    seen = os_recorder.tree(top)
    for number, inode in seen.items():
        ours = disk[number]
        assert (ours.kind, ours.entries, ours.target) == (inode.kind, inode.entries, inode.target), (number, ours)
        assert ours.content + b"".join(ours.lines) == inode.content, number
        assert inode.kind != "file" or (ours.mode, ours.mtime_ns) == (inode.mode, inode.mtime_ns), number


# -- the disk after the power went ------------------------------------------------------------------------------------
def _copied(start: dict[int, Inode]) -> dict[int, Inode]:
    return {n: Inode(i.kind, i.mode, i.mtime_ns, i.content, i.target, dict(i.entries)) for n, i in start.items()}


def _folders_of(op: Op) -> tuple[int, ...]:
    """Return the folders whose names an operation changes; one that is removed had to be empty by then."""
    return (op[1], op[3]) if op[0] in ("rename", "exchange", "unlink") else (op[1],)


def _rename(disk: dict[int, Inode], op: Op) -> None:
    """Apply one change of names."""
    match op:
        case ("file", folder, name, number, mode, mtime_ns):
            disk.setdefault(number, Inode("file", mode, mtime_ns))
            disk[folder].entries[name] = number
        case ("mkdir", folder, name, number, mode):
            disk.setdefault(number, Inode("folder", mode, 0))
            disk[folder].entries[name] = number
        case ("symlink", folder, name, number, target, mtime_ns):
            disk.setdefault(number, Inode("link", 0o777, mtime_ns, target=target))
            disk[folder].entries[name] = number
        case ("rename", folder, name, other, new):
            disk[other].entries[new] = disk[folder].entries.pop(name)
        case ("exchange", folder, name, other, new):
            one, two = disk[folder].entries[name], disk[other].entries[new]
            disk[folder].entries[name], disk[other].entries[new] = two, one
        case ("unlink", folder, name, _):
            del disk[folder].entries[name]


def _certain(log: Sequence[Op], start: dict[int, Inode]) -> set[int]:
    """Return which changes of names are durable: by their place in the log."""
    made = {op[3]: at for at, op in enumerate(log) if op[0] in ("file", "mkdir", "symlink")}
    durable: set[int] = set()
    done: list[int] = []
    for at, op in enumerate(log):
        if op[0] in _NAMES:
            done.append(at)
        elif op[0] == "syncfs":
            durable.update(done)
        elif op[0] == "sync":
            durable.update(i for i in done if op[1] in _folders_of(log[i]))
            number = op[1]
            while number in made and made[number] < at:
                durable.add(made[number])
                number = log[made[number]][1]
    for at in reversed(done):  # changes of one folder's names arrive in order, after the folder itself
        if at in durable:
            folders = set(_folders_of(log[at]))
            durable.update(i for i in done if i < at and folders & set(_folders_of(log[i])))
            durable.update(made[folder] for folder in folders if folder in made)
    return durable


def after_power_loss(recording: Recording, first: int, dice: Random) -> dict[int, Inode]:
    """Return the inodes as they may be when the power goes after ``first`` operations."""
    log, share = recording.log[:first], dice.choice(ARRIVES)
    disk, certain = _copied(recording.start), _certain(log, recording.start)
    late: set[int] = set()
    for at, op in enumerate(log):
        if op[0] in _NAMES:
            needed = (op[1], op[3]) if op[0] in ("rename", "exchange") else (op[1],)
            held = any(place in late for place in _folders_of(op)) or any(place not in disk for place in needed)
            if at in certain or (not held and dice.random() < share):
                _rename(disk, op)
            else:
                late.update(_folders_of(op))
        elif op[0] in ("write", "truncate", "mode", "times") and op[1] in disk:
            disk[op[1]].pending.append(op)
        elif op[0] in ("sync", "syncfs"):
            for inode in disk.values() if op[0] == "syncfs" else filter(None, [disk.get(op[1])]):
                _settle(inode, len(inode.pending), None, 1.0)
    for inode in disk.values():
        count = len(inode.pending)
        _settle(inode, round(share * count) if share in (0.0, 1.0) else dice.randint(0, count), dice, share)
    return disk


def _settle(inode: Inode, count: int, dice: Random | None, share: float) -> None:
    """Let the first ``count`` pending operations of an inode arrive; of what they wrote some sectors only."""
    content = bytearray(inode.content)
    for op in inode.pending[:count]:
        match op:
            case ("write", _, -1, data, mtime_ns):  # a line of a journal
                inode.lines.append(data if dice is None else _torn(data, dice, share))
                inode.mtime_ns = mtime_ns
            case ("write", _, offset, data, mtime_ns):
                content.extend(bytes(max(0, offset + len(data) - len(content))))
                content[offset : offset + len(data)] = data if dice is None else _torn(data, dice, share)
                inode.mtime_ns = mtime_ns
            case ("truncate", _, size, mtime_ns):
                content = bytearray(content[:size].ljust(size, b"\0"))
                inode.mtime_ns = mtime_ns
            case ("mode", _, mode):
                inode.mode = mode
            case ("times", _, mtime_ns):
                inode.mtime_ns = mtime_ns
    inode.content = bytes(content)
    inode.pending.clear()


def _torn(data: bytes, dice: Random, share: float) -> bytes:
    sectors = [data[at : at + SECTOR] for at in range(0, len(data), SECTOR)]
    return b"".join(one if dice.random() < share else bytes(len(one)) for one in sectors)


# -- the tree, built again --------------------------------------------------------------------------------------------
def build(recording: Recording, disk: dict[int, Inode], top: Path) -> None:
    """Make the tree below the empty folder ``top``."""
    made: dict[int, Path] = {}
    for number, path in _below(disk, recording.root, top):
        inode = disk[number]
        if number in made:
            os.link(made[number], path)
            continue
        made[number] = path
        if inode.kind == "folder":
            path.mkdir(exist_ok=True)
        elif inode.kind == "link":
            path.symlink_to(inode.target)
            os.utime(path, ns=(inode.mtime_ns, inode.mtime_ns), follow_symlinks=False)
        else:
            path.touch()
    numbers = {old: path.lstat().st_ino for old, path in made.items()}
    for number, path in made.items():
        inode = disk[number]
        if inode.kind == "file":
            lines = (_renumbered(line, recording, numbers, top) for line in inode.lines)
            path.write_bytes(_renumbered_all(inode.content, recording, numbers, top) + b"".join(lines)
                             if "/journal/" in str(path) else inode.content)  # fmt: skip
            path.chmod(inode.mode)
            os.utime(path, ns=(inode.mtime_ns, inode.mtime_ns))
        elif inode.kind == "folder":
            path.chmod(inode.mode)


def _below(disk: dict[int, Inode], number: int, path: Path) -> Iterator[tuple[int, Path]]:
    yield number, path
    for name, below in sorted(disk[number].entries.items()):
        yield from _below(disk, below, path / name)


def _renumbered_all(content: bytes, recording: Recording, numbers: dict[int, int], top: Path) -> bytes:
    return b"".join(_renumbered(line, recording, numbers, top) for line in content.splitlines(keepends=True))


def _renumbered(line: bytes, recording: Recording, numbers: dict[int, int], top: Path) -> bytes:
    """Put the inode numbers and the place of this tree into a journal's line; a torn one stays as it is."""
    crc, _, text = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or crc != b"%08x" % zlib.crc32(text):
        return line
    body = _mapped(json.loads(text.replace(recording.top.encode(), str(top).encode())), recording.dev, numbers)
    text = json.dumps(body, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _mapped(value: Any, dev: int, numbers: dict[int, int]) -> Any:
    if isinstance(value, dict):
        return {key: _mapped(below, dev, numbers) for key, below in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) >= 4 and value[0] == dev and value[1] in numbers:
        return [dev, numbers[value[1]], *value[2:]]
    return [_mapped(below, dev, numbers) for below in value]


def flaw(recording: Recording, first: int, dice: Random, scratch: Path) -> str:
    """Build a state, let the real code recover it, and say what is wrong then; "" for nothing."""
    top = Path(tempfile.mkdtemp(dir=scratch))
    try:
        build(recording, after_power_loss(recording, first, dice), top)
        tx = Transactions(top / "store", top / "home", state=top / "state")
        found = tx.recover()
        told = ("ack", recording.act) in recording.log[:first]
        return _flaw(recording, tx, top, told, [path for item in found for path in item.problems])
    except Exception as error:
        return f"damaged: {error!r}"
    finally:
        shutil.rmtree(top)


def _flaw(recording: Recording, tx: Transactions, top: Path, told: bool, problems: list[str]) -> str:
    stands = bool(tx.effects(RUN)) != (recording.act == "undo")
    home = timeless(snapshot(top / "home"))
    if told and not stands:
        return "lost: what was acknowledged is taken back"
    if problems:
        return f"damaged: recovery left {problems} alone"
    wanted = recording.after if stands else recording.before
    if home != wanted:
        names = sorted(name for name in home.keys() | wanted.keys() if home.get(name) != wanted.get(name))
        return f"damaged: {names} are neither as before nor as after"
    store, home_now = top / "store", top / "home"
    left = [*store.glob("holding/*"), *store.glob("journal/open/*"), *home_now.rglob(".steward-*")]
    if left:
        return f"damaged: left over {left}"
    if tx.effects(RUN):
        tx.undo(RUN)
        if timeless(snapshot(top / "home")) != (recording.before if recording.act == "commit" else recording.after):
            return "damaged: undo does not bring everything back"
    return ""
