"""A moment of all that Steward keeps of a person, gathered in a private folder while the daemon goes on.

What this stops: a backup of two moments (the ledger and what runs are taken back with are taken while nothing is
committed; events that come later are not in it); a long wait of requests (old contents get a second name, long files
are read afterwards); a link leading out of Steward's folders.
What it does not: take what is under way (staged changes, prepared letters), what is worked out anew (graph, recall,
habits, environments of packages), or who may sign in at this machine's page.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from kernel.backup.model import Folder, Manifest, Member
from kernel.backup.paths import FILES, SECRETS, TREES
from kernel.errors import NotNow
from kernel.itself.version import own_version
from kernel.knowing.knowledge import FORGETTING
from memory import Ledger
from skills.contents import COMPILED

if TYPE_CHECKING:
    from kernel.house import House

_LINK = re.compile(r"\.\./skill-versions/([0-9a-f]{64})/([a-z0-9][a-z0-9-]{0,63})")
_LOCK = "skills.lock.json"
_TRIES = 5
_NO_SUM = "0" * 64


@dataclass(frozen=True, slots=True)
class Gathered:
    """What lies below ``root``, and what was left out there: links and names that are no text."""

    root: Path
    manifest: Manifest
    left_out: tuple[str, ...]


@dataclass(slots=True)
class _Tree:
    """Copies of folders. ``left_out`` grows."""

    data: Path
    left_out: list[str] = field(default_factory=list)

    def take(self, source: Path, target: Path, put: Callable[[str, Path], object]) -> None:
        """Put the plain files of ``source`` below ``target``; what vanishes meanwhile was not there."""
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            found = sorted(os.scandir(source), key=lambda one: one.name)
        except FileNotFoundError:
            return
        for one in found:
            if one.name == COMPILED or (one.name.startswith(".") and one.name.endswith(".new")):
                continue
            if one.is_dir(follow_symlinks=False):
                self.take(Path(one.path), target / one.name, put)
            elif one.is_file(follow_symlinks=False) and _is_text(one.name):
                try:
                    put(one.path, target / one.name)
                except FileNotFoundError:
                    continue
            else:
                self.left_out.append(os.path.relpath(one.path, self.data.parent))


def gather(house: House, root: Path, *, secrets: bool) -> Gathered:
    """Gather it in the empty folder ``root``. Raises NotNow, StoreFailed, StorageFailed, OSError."""
    data, to = house.folders.data, root / "data"
    (to / "ledger").mkdir(parents=True, mode=0o700)
    tree = _Tree(data)
    with house.transactions.still(to / "transactions"):
        moment = house.ledger.moment(to / "ledger")
        tree.take(house.folders.kept, to / "own", _copy)
    at_ns = time.time_ns()
    moment.finish()
    links = _skills(tree, data, to)
    tree.take(data / "pictures", to / "pictures", _second_name)
    tree.take(house.folders.config, root / "config", _copy)
    if secrets:
        tree.take(data / "secrets", root / SECRETS, _copy)
    _must_be_whole(to / "ledger")
    manifest = manifest_of(root, home=str(house.folders.home), data=str(data), at_ns=at_ns, events=moment.head,
                           secrets=secrets, links=links)  # fmt: skip
    return Gathered(root, manifest, tuple(tree.left_out))


def manifest_of(
    root: Path, *, home: str, data: str, at_ns: int, events: int, secrets: bool, links: dict[str, str], id: str = "",
    as_of_ns: int | None = None,
) -> Manifest:  # fmt: skip
    """Return the manifest of what lies below ``root``; sums are filled in when it is written."""
    folders, members = [], []
    for path, info in _below(root):
        if stat.S_ISDIR(info.st_mode):
            folders.append(Folder(path=path, mode=0o700))
        else:
            members.append(Member(path=path, size=info.st_size, sha256=_NO_SUM, mode=stat.S_IMODE(info.st_mode) & 0o777,
                                  mtime_ns=max(0, info.st_mtime_ns)))  # fmt: skip
    return Manifest(
        form=1, steward=own_version(), id=id or token_hex(8), at_ns=at_ns, home=home, data=data, events=events,
        secrets=secrets, as_of_ns=at_ns if as_of_ns is None else as_of_ns, folders=folders, members=members,
        links=links,
    )  # fmt: skip


def _below(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    for name in FILES:
        if (place := root / name).is_file():
            yield name, place.lstat()
    for tree in TREES:
        for top, folders, files in os.walk(root / tree):
            folders.sort()
            yield os.path.relpath(top, root), os.lstat(top)
            for name in sorted(files):
                path = os.path.join(top, name)
                yield os.path.relpath(path, root), os.lstat(path)


def _skills(tree: _Tree, data: Path, to: Path) -> dict[str, str]:
    """Take the installed skills: the lock file and the links first, until both are of one moment."""
    for _ in range(_TRIES):
        before = _lock_of(data), _links_of(data)
        shutil.rmtree(to / "skills", ignore_errors=True)
        tree.take(data / "skills", to / "skills", _copy)
        if before == (_lock_of(data), _links_of(data)):
            break
    lock, links = before
    if lock is not None:
        (to / _LOCK).write_bytes(lock)
    tree.take(data / "skill-versions", to / "skill-versions", _second_name)
    linked = {f"data/skills/{one}" for one in links}
    tree.left_out[:] = [one for one in tree.left_out if f"data/{one.partition('/')[2]}" not in linked]
    return links


def _lock_of(data: Path) -> bytes | None:
    try:
        return (data / _LOCK).read_bytes()
    except FileNotFoundError:
        return None


def _own_links(data: Path) -> list[str]:
    place = data / "skills"
    return [one.name for one in place.iterdir() if one.is_symlink()] if place.is_dir() else []


def _links_of(data: Path) -> dict[str, str]:
    """Return which version each installed skill's name leads to."""
    links = {}
    for name in _own_links(data):
        found = _LINK.fullmatch(os.readlink(data / "skills" / name))
        if found is not None and found[2] == name:
            links[name] = found[1]
    return links


def _must_be_whole(folder: Path) -> None:
    """Raise NotNow where somebody is being forgotten at this moment, or the copy does not verify."""
    with Ledger.open(folder, read_only=True) as ledger:
        if any(event.body is not None for event in ledger.events(kinds=(FORGETTING,))):
            raise NotNow("backup.forgetting", "Steward is forgetting at this moment; no backup was written.",
                         hint="Try again in a moment.")  # fmt: skip
        found = ledger.verify()
    if not found.ok:
        raise NotNow("backup.ledger", f"The ledger is damaged ({found.problems[0].reason}); no backup was written.",
                     hint="./steward ledger verify says where; keep the backups that you have.")  # fmt: skip
    for name in ("ledger.db", "keys.db"):
        for end in ("-wal", "-shm"):
            (folder / f"{name}{end}").unlink(missing_ok=True)


def _copy(source: str, target: Path) -> None:
    shutil.copy2(source, target, follow_symlinks=False)


def _second_name(source: str, target: Path) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except FileNotFoundError:
        raise
    except OSError:  # a disk without second names
        _copy(source, target)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
