"""The shelf: every version of every installed skill, whole, and which one counts.

    skills/<id>                         a link to the version in use, or a plain folder that a person put there
    skill-versions/<digest>/<id>/       one version; written once, never over another
    skills.lock.json                    what was installed from where, signed by whom, pinned or not

Which version counts changes by one rename, so a crash leaves the one before or the one after. A version that a person
edited is never overwritten, by an update as little as by going back: it stays where it is, and ``changed`` tells.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from permissions.private_file import write_private
from skills.contents import content_hash
from skills.errors import BadSkill
from skills.packages.model import Refused, Staged

LOCK = "skills.lock.json"
_FORM = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One version that was put on the shelf. ``at_s`` is when (Unix seconds); ``signer`` a public key, "" for none.

    ``source`` is where it lay, ``asked`` where updates are looked for (an index that led there; "" for nowhere: it was
    made here), ``commit`` of git. ``follows`` is the key of the version that a person's own change is based on.
    """

    id: str
    digest: str
    version: str
    source: str
    signer: str
    at_s: float
    asked: str = ""
    commit: str = ""
    follows: str = ""

    @property
    def key(self) -> str:
        """The public key that must have signed what is taken as an update; "" for any."""
        return self.signer or self.follows


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a package came from, as its ``Entry`` keeps it."""

    source: str
    asked: str = ""
    commit: str = ""
    follows: str = ""


@dataclass(frozen=True, slots=True)
class _Lock:
    """The lock file: versions by skill, the newest last; which one counts; which are pinned."""

    versions: dict[str, tuple[Entry, ...]]
    in_use: dict[str, str]
    pinned: frozenset[str]


class Shelf:
    """Installed skills below ``folder``. One writer at a time: the daemon."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._links, self._versions = folder / "skills", folder / "skill-versions"
        self._lock = self._read()

    def versions(self, skill: str) -> tuple[Entry, ...]:
        """Return the versions of a skill that are there, the newest last."""
        return self._lock.versions.get(skill, ())

    def in_use(self, skill: str) -> Entry | None:
        """Return the version that counts; None where the skill is not installed, or lies there as a plain folder."""
        digest = self._lock.in_use.get(skill)
        return next((one for one in self.versions(skill) if one.digest == digest), None)

    def ids(self) -> tuple[str, ...]:
        """Return the skills that came through here and are in use."""
        return tuple(sorted(self._lock.in_use))

    def is_pinned(self, skill: str) -> bool:
        """Tell whether a skill stays at its version."""
        return skill in self._lock.pinned

    def folder_of(self, entry: Entry) -> Path:
        """Return where a version lies."""
        return self._versions / entry.digest / entry.id

    def put(self, staged: Staged, origin: Origin, at_s: float) -> Entry:
        """Put a staged package on the shelf and let it count. Raises Refused where a plain folder has its name."""
        skill = str(staged.skill.id)
        self._check_ours(skill)
        signer = staged.signer.key if staged.signer else ""
        entry = Entry(skill, staged.digest, staged.skill.version, origin.source, signer, at_s,
                      origin.asked, origin.commit, origin.follows)  # fmt: skip
        self._keep(staged.folder, entry)
        rest = tuple(one for one in self.versions(skill) if one.digest != entry.digest)
        self._count(entry, replace(self._lock, versions={**self._lock.versions, skill: (*rest, entry)}))
        return entry

    def use(self, entry: Entry) -> None:
        """Let another version count that is on the shelf. Raises BadSkill where it is not whole any more."""
        self._check_ours(entry.id)
        if self.changed(entry):
            raise BadSkill("skill.changed", f"{self.folder_of(entry)} is not what was installed.", subject=entry.id,
                           hint="It was edited: move your copy away, and install the package again.")  # fmt: skip
        self._count(entry, self._lock)

    def pin(self, skill: str, pinned: bool) -> None:
        """Keep a skill at its version, or no longer."""
        pins = self._lock.pinned | {skill} if pinned else self._lock.pinned - {skill}
        self._write(replace(self._lock, pinned=frozenset(pins)))

    def remove(self, skill: str) -> None:
        """Let no version of a skill count. Its versions stay, so that it can come back."""
        self._check_ours(skill)
        (self._links / skill).unlink(missing_ok=True)
        in_use = {one: digest for one, digest in self._lock.in_use.items() if one != skill}
        self._write(replace(self._lock, in_use=in_use, pinned=self._lock.pinned - {skill}))

    def changed(self, entry: Entry) -> bool:
        """Tell whether a version is not any more what was installed, byte for byte."""
        try:
            return content_hash(self.folder_of(entry)) != entry.digest
        except (BadSkill, OSError):
            return True

    def is_whole(self, entry: Entry) -> bool:
        """Tell whether the version in use is what was installed, and is what its name leads to."""
        return (self._links / entry.id).resolve() == self.folder_of(entry).resolve() and not self.changed(entry)

    def _check_ours(self, skill: str) -> None:
        """Raise Refused where a person put a folder or a link of their own under that name."""
        link = self._links / skill
        ours = link.is_symlink() and link.resolve().is_relative_to(self._versions.resolve())
        if (link.exists() or link.is_symlink()) and not ours:
            raise Refused("package.local", f"{link} is a folder of your own with that name, or a link.", subject=skill,
                          hint="Rename it, or come back after moving it away.")  # fmt: skip

    def _keep(self, quarantine: Path, entry: Entry) -> None:
        """Copy a package to its place. What is there and whole is kept; what is there and was edited steps aside."""
        place = self.folder_of(entry)
        if place.exists():
            if not self.changed(entry):
                return
            aside = next(self._asides(place.parent)) / place.name
            aside.parent.mkdir()
            place.rename(aside)
        self._versions.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(prefix=".coming-", dir=self._versions) as coming:
            half = Path(coming) / entry.id
            shutil.copytree(quarantine, half)
            if content_hash(half) != entry.digest:
                raise Refused("package.changed", "The package changed while it was installed.", subject=entry.id)
            _sync(half)
            place.parent.mkdir(exist_ok=True, mode=0o700)
            half.rename(place)

    @staticmethod
    def _asides(place: Path) -> Iterator[Path]:
        return (one for n in range(1, 1000) if not (one := place.with_name(f"{place.name}.edited-{n}")).exists())

    def _count(self, entry: Entry, lock: _Lock) -> None:
        """Let ``entry`` count: first the lock file knows it, then the link, in one step, leads to it."""
        self._write(replace(lock, in_use={**lock.in_use, entry.id: entry.digest}))
        self._links.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self._versions / f".{entry.id}.{os.getpid()}"
        draft.unlink(missing_ok=True)
        draft.symlink_to(os.path.relpath(self.folder_of(entry), self._links))
        draft.rename(self._links / entry.id)

    def _read(self) -> _Lock:
        try:
            data = json.loads((self._folder / LOCK).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return _Lock({}, {}, frozenset())
        except (OSError, ValueError) as error:
            raise BadSkill("skill.lock", f"{self._folder / LOCK} cannot be read: {error}.",
                           hint="Restore it from a backup; what lies in skills/ still works.") from error  # fmt: skip
        versions = {
            skill: tuple(Entry(**{"asked": one["source"], **one}) for one in some)
            for skill, some in data["versions"].items()
        }
        return _Lock(versions, dict(data["in_use"]), frozenset(data["pinned"]))

    def _write(self, lock: _Lock) -> None:
        body: dict[str, Any] = {
            "form": _FORM,
            "versions": {skill: [asdict(one) for one in some] for skill, some in sorted(lock.versions.items())},
            "in_use": dict(sorted(lock.in_use.items())),
            "pinned": sorted(lock.pinned),
        }
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_private(self._folder / LOCK, json.dumps(body, indent=2).encode())
        self._lock = lock


def _sync(folder: Path) -> None:
    """Bring a folder of new files to the disk."""
    for top, _, files in os.walk(folder):
        for name in (*files, "."):
            held = os.open(os.path.join(top, name), os.O_RDONLY)
            try:
                os.fsync(held)
            finally:
                os.close(held)
