"""The file: a zip of plain members with a manifest, written beside and renamed, checked whole before it is believed.

What this stops: an archive that is cut short, changed, of a newer form or of something else; a member that the manifest
does not name, or that is a link, packed larger than it says, encrypted, or outside the folders of a backup; another
account reading a backup; a file that is written over; half a backup under the name of a whole one.
What it does not: tell who wrote an archive. Whoever can write one can put rights into it: the person is asked first.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from kernel.backup import errors
from kernel.backup.model import FORM, MANIFEST, Manifest, Member, Progress
from kernel.backup.paths import wrong_tree
from permissions.private_file import sync_folder

PIECE_BYTES = 1 << 20
MOST_MEMBERS = 2_000_000
MOST_MANIFEST_BYTES = 512 << 20
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_SEALED = "data/ledger/"  # encrypted: packing it gains nothing
_WHEN = (1980, 1, 1, 0, 0, 0)
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What zipfile raises for what it cannot read: NotImplementedError for a packing that it does not know, RuntimeError
for an encrypted member, ValueError for offsets and names that are none (its documentation and source)."""

Tell = Callable[[Progress], object]


def write_archive(target: Path, root: Path, manifest: Manifest, tell: Tell, *, replace: bool) -> tuple[str, int]:
    """Write what lies below ``root`` as ``manifest`` names it; return the file's SHA-256 and size.

    The members' sums are filled in here. Raises OSError; FileExistsError unless it may ``replace`` what is there.
    """
    sweep_parts(target.parent, target.name)
    part = target.with_name(f".{target.name[:120]}.{secrets.token_hex(4)}.part")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(part, flags, 0o600), "w+b") as file:
            _fill(file, root, manifest, tell)
            file.flush()
            os.fsync(file.fileno())
            file.seek(0)
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = os.fstat(file.fileno()).st_size
        if replace:
            part.replace(target)
        else:
            _put_new(part, target)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(target.parent)
    return digest, size


def _put_new(part: Path, target: Path) -> None:
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a disk without second names
        if os.path.lexists(target):
            raise FileExistsError(17, "it is there already", str(target)) from None
        part.rename(target)


def _fill(file: IO[bytes], root: Path, manifest: Manifest, tell: Tell) -> None:
    total, done, members = manifest.size_bytes, 0, []
    with zipfile.ZipFile(file, "w", allowZip64=True, compresslevel=1) as packed:
        for member in manifest.members:
            tell(Progress(done, total))
            members.append(_pack(packed, root, member))
            done += members[-1].size
        whole = manifest.model_copy(update={"members": members})
        packed.writestr(_info(MANIFEST, zipfile.ZIP_DEFLATED), json.dumps(whole.model_dump(), ensure_ascii=True))
    tell(Progress(total, total))


def _pack(packed: zipfile.ZipFile, root: Path, member: Member) -> Member:
    way = zipfile.ZIP_STORED if member.path.startswith(_SEALED) else zipfile.ZIP_DEFLATED
    digest, size = hashlib.sha256(), 0
    with open(root / member.path, "rb") as source:
        info = _info(member.path, way)
        info.file_size = os.fstat(source.fileno()).st_size
        with packed.open(info, "w", force_zip64=info.file_size > 1 << 30) as out:
            while piece := source.read(PIECE_BYTES):
                digest.update(piece)
                size += len(piece)
                out.write(piece)
    return member.model_copy(update={"size": size, "sha256": digest.hexdigest()})


def _info(name: str, way: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _WHEN)
    info.compress_type, info.external_attr = way, (stat.S_IFREG | 0o600) << 16
    return info


class Archive:
    """An archive whose directory and manifest were checked; what its members hold is checked as it is read."""

    def __init__(self, path: Path, packed: zipfile.ZipFile, manifest: Manifest, digest: str) -> None:
        self.path, self.manifest, self.digest = path, manifest, digest
        self._packed = packed

    def check(self, tell: Tell) -> None:
        """Read every member and hold it against its sum. Raises BadRequest."""
        done, total = 0, self.manifest.size_bytes
        for member in self.manifest.members:
            tell(Progress(done, total))
            for _ in self._pieces(member):
                pass
            done += member.size
        tell(Progress(total, total))

    def unpack(self, root: Path, tell: Tell) -> None:
        """Put every member below the empty folder ``root``, checked and on disk. Raises BadRequest, OSError."""
        done, total = 0, self.manifest.size_bytes
        for folder in sorted(self.manifest.folders, key=lambda one: one.path):
            (root / folder.path).mkdir(mode=0o700, parents=True, exist_ok=True)
        for member in self.manifest.members:
            tell(Progress(done, total))
            place = root / member.path
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._put(member, place)
            done += member.size
        tell(Progress(total, total))

    def _put(self, member: Member, place: Path) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(place, flags, 0o600), "wb") as out:
            for piece in self._pieces(member):
                out.write(piece)
            out.flush()
            os.fchmod(out.fileno(), member.mode & 0o700 | 0o600)
            os.utime(out.fileno(), ns=(member.mtime_ns, member.mtime_ns))
            os.fsync(out.fileno())

    def _pieces(self, member: Member) -> Iterator[bytes]:
        digest, size = hashlib.sha256(), 0
        try:
            with self._packed.open(member.path) as source:
                while piece := source.read(PIECE_BYTES):
                    size += len(piece)
                    if size > member.size:
                        raise errors.hostile(self.path, f"{member.path[:80]!r} is larger than it says")
                    digest.update(piece)
                    yield piece
        except _UNREADABLE as error:
            raise errors.broken(self.path, f"{member.path[:80]!r} cannot be read") from error
        if size != member.size or digest.hexdigest() != member.sha256:
            raise errors.broken(self.path, f"{member.path[:80]!r} is not what was written")


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open an archive and check its directory and manifest. Raises BadRequest."""
    try:
        held = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise errors.foreign(path, f"it cannot be opened ({error.strerror})") from error
    if not stat.S_ISREG(os.fstat(held).st_mode):
        os.close(held)
        raise errors.foreign(path, "it is no plain file")
    with os.fdopen(held, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        begins = file.read(4) == b"PK\x03\x04"
        file.seek(0)
        try:
            packed = zipfile.ZipFile(file)
        except _UNREADABLE as error:
            if begins:
                raise errors.broken(path, "its end is missing or does not fit its beginning") from error
            raise errors.foreign(path) from error
        with packed:
            yield Archive(path, packed, _manifest(path, packed), digest)


def _manifest(path: Path, packed: zipfile.ZipFile) -> Manifest:
    infos = packed.infolist()
    listed = {info.filename: info for info in infos}
    if MANIFEST not in listed:
        raise errors.foreign(path)
    if len(infos) > MOST_MEMBERS or listed[MANIFEST].file_size > MOST_MANIFEST_BYTES:
        raise errors.hostile(path, "it has more members than any backup")
    if len(listed) < len(infos):
        raise errors.hostile(path, "it holds a name twice")
    manifest = _read(path, packed)
    names = {member.path: member for member in manifest.members}
    if wrong := wrong_tree(manifest):
        raise errors.hostile(path, wrong)
    if len(names) < len(manifest.members) or set(listed) - {MANIFEST} != set(names):
        raise errors.hostile(path, "its members are not those that it names")
    for name, info in listed.items():
        if wrong := _wrong_entry(info, names.get(name)):
            raise errors.hostile(path, f"{name[:80]!r} {wrong}")
    return manifest


def _wrong_entry(info: zipfile.ZipInfo, member: Member | None) -> str:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return "is a link or no plain file"
    if info.flag_bits & 0x1 or info.compress_type not in _PACKED:
        return "is encrypted, or packed in a way that no backup is"
    return "has another size than it says" if member is not None and info.file_size != member.size else ""


def _read(path: Path, packed: zipfile.ZipFile) -> Manifest:
    try:
        with packed.open(MANIFEST) as source:
            body: Any = json.loads(source.read(MOST_MANIFEST_BYTES))
    except (*_UNREADABLE, RecursionError) as error:
        raise errors.broken(path, "its manifest cannot be read") from error
    form = body.get("form") if isinstance(body, Mapping) else None
    if not isinstance(form, int) or isinstance(form, bool) or form < 1:
        raise errors.foreign(path, "its manifest is of no Steward")
    if form > FORM:
        raise errors.newer(path, str(body.get("steward") or "")[:40])
    try:
        return Manifest.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise errors.hostile(path, f"its manifest is wrong at {place[:80]}: {first['msg'][:120]}") from error


def sweep_parts(folder: Path, name: str) -> None:
    """Remove what killed writers of ``name`` have left beside it."""
    for one in folder.glob(f".{escape(name[:120])}.*.part"):
        with suppress(OSError):
            one.unlink()
