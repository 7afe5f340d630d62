"""Sealing: the net entries get their digests, become one canonical text, and its SHA-256 is what a person approves.

What this stops: content that changes after approval (digests, read-only blobs, both checked again at commit), an
approval that fits another change set (the seal covers paths, versions, modes and digests).
What it does not: judge the changes.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from permissions.errors import BadScope, StorageFailed
from permissions.model import ChangeKind, ChangeSet
from permissions.transactions import files
from permissions.transactions.failures import conflict, translated
from permissions.transactions.model import Entry, Node, Version
from permissions.transactions.resolve import Folders
from permissions.transactions.shop import STAGED_QUOTA_BYTES, private_folder

DIGEST_UP_TO_BYTES = 8 << 20
"""Files up to this size may differ in ctime alone if their content is still the same."""

_FORMAT = 1
_FILE = "sealed.json"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed run: the hash, the entries it covers, and the effects they came from (for later tasks to see).

    ``inputs`` are the files that were only read, as they were then.
    """

    seal: str
    run: str
    entries: tuple[Entry, ...]
    effects: tuple[Mapping[str, Any], ...]
    inputs: Mapping[str, Version] = field(default_factory=dict)

    def change_set(self) -> ChangeSet:
        """Return what the kernel shows and approves."""
        return ChangeSet(self.seal, self.run, tuple(entry.change() for entry in self.entries))


def canonical(run: str, entries: Sequence[Entry], inputs: Mapping[str, Version]) -> str:
    """Return the text whose SHA-256 is the seal: sorted keys, no spaces, ASCII, entries sorted by path."""
    body: dict[str, Any] = {"format": _FORMAT, "run": run, "entries": [entry.to_json() for entry in entries]}
    if inputs:
        body["inputs"] = {path: version.row() for path, version in inputs.items()}
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def seal_of(text: str) -> str:
    """Return the seal of a canonical text."""
    return hashlib.sha256(text.encode()).hexdigest()


class Sealer:
    """Fills entries in: digests of new contents and of old ones; materialises copies."""

    def __init__(self, run_folder: str, folders: Folders) -> None:
        self._top = run_folder
        self._folders = folders
        self._copies = 0
        self._staged = 0
        self._seen: dict[str, tuple[str, int]] = {}

    def fill(self, entry: Entry) -> Entry:
        """Return the entry completed. Raises Conflict, BadScope, StorageFailed."""
        with translated(entry.path):
            if entry.kind is ChangeKind.CREATED and entry.origin and entry.node is Node.FILE:
                entry = self._copied(entry)
            if entry.origin and entry.kind is not ChangeKind.CREATED:
                entry = self._with_base(entry)
            elif entry.blob:
                entry = self._with_digest(entry)
        if self._staged > STAGED_QUOTA_BYTES:
            hint = "Ask for less at once."
            raise StorageFailed("storage.quota", "The run wants to write more than one run may stage.", hint=hint)
        return entry

    def _copied(self, entry: Entry) -> Entry:
        """Copy the source's content into staging, checked to be the version that the tool saw."""
        source = entry.origin or ""
        if self._folders.version(source) != entry.base:
            raise conflict([source])
        self._copies += 1
        name = f"copies/{self._copies:06d}"
        private_folder(f"{self._top}/copies")
        meta = files.copy_file(self._folders, source, f"{self._top}/{name}", times=True)
        if self._folders.version(source) != entry.base:
            raise conflict([source])
        mode = meta.mode & 0o777 if entry.mode is None else entry.mode
        return replace(entry, blob=name, mode=mode, mtime_ns=meta.mtime_ns)

    def _with_digest(self, entry: Entry) -> Entry:
        digest, size = self._content(entry.blob or "")
        return replace(entry, digest=digest, size_bytes=size)

    def _content(self, name: str) -> tuple[str, int]:
        """Return the digest and the size of a content file, which is closed for writing."""
        if name not in self._seen:
            self._seen[name] = self._close_blob(name)
            self._staged += self._seen[name][1]
        return self._seen[name]

    def _close_blob(self, name: str) -> tuple[str, int]:
        opened = self._folders.open(f"{self._top}/{name}")
        try:
            info = os.fstat(opened)
            if info.st_nlink != 1:
                raise BadScope("scope.blob", f"The content file {name} has a second name.")
            os.fchmod(opened, 0o400)
            digest = files.digest_of(opened)
            if not Version.of(os.fstat(opened)).but_for_ctime(Version.of(info)):
                raise conflict([f"{self._top}/{name}"], "changed while it was sealed")
            return digest, info.st_size
        finally:
            os.close(opened)

    def _with_base(self, entry: Entry) -> Entry:
        origin = entry.origin or ""
        here = self._folders.version(origin) == entry.base  # else already a conflict; the commit says so
        if not here or entry.kind is ChangeKind.MOVED or entry.node is not Node.FILE:
            return self._with_digest(entry) if entry.blob else entry
        return self._with_old_content(entry, origin)

    def _with_old_content(self, entry: Entry, origin: str) -> Entry:
        digest, size = self._content(entry.blob) if entry.blob else (entry.digest, entry.size_bytes)
        old = self._folders.open(origin)
        try:
            old_bytes = os.fstat(old).st_size
            was = files.digest_of(old) if old_bytes <= DIGEST_UP_TO_BYTES else entry.base_digest
            if old_bytes == size and was:
                appends = was == digest
            else:
                appends = bool(entry.blob) and old_bytes <= size and self._appends(old, entry.blob or "")
        finally:
            os.close(old)
        return replace(entry, digest=digest, size_bytes=size, base_digest=was, appends=appends)

    def _appends(self, old: int, blob: str) -> bool:
        new = self._folders.open(f"{self._top}/{blob}")
        try:
            return files.begins_with(old, new)
        finally:
            os.close(new)


def save(run_folder: str, sealed: Sealed, folders: Folders) -> None:
    """Keep a sealed run for the time it waits for an answer. Raises OSError."""
    effects = list(sealed.effects)
    text = json.dumps(
        {"seal": sealed.seal, "body": canonical(sealed.run, sealed.entries, sealed.inputs), "effects": effects}
    )
    opened = folders.open(f"{run_folder}/{_FILE}.part", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        files.write_all(opened, text.encode())
        os.fsync(opened)
    finally:
        os.close(opened)
    top = folders.fd(run_folder)
    os.rename(f"{_FILE}.part", _FILE, src_dir_fd=top, dst_dir_fd=top)
    os.fsync(top)


def load(run_folder: str) -> Sealed | None:
    """Return the sealed run that waits in ``run_folder``, None if there is none or it does not fit its seal."""
    try:
        with open(f"{run_folder}/{_FILE}", "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            whole = json.loads(file.read())
    except (OSError, ValueError):
        return None
    if seal_of(whole["body"]) != whole["seal"]:
        return None
    body = json.loads(whole["body"])
    entries = tuple(Entry.from_json(entry) for entry in body["entries"])
    inputs = {path: Version.from_row(row) for path, row in body.get("inputs", {}).items()}
    return Sealed(whole["seal"], body["run"], entries, tuple(whole["effects"]), inputs)
