"""Archives (zip, tar, and tar that gzip, bzip2 or xz packed) to a folder: listed first, then written within bounds.

What this stops: everything in ``members``; archives that say one thing in their list and another at the member, that
are encrypted, or that unpack to more than they say.
What it does not: survive a bug in zlib; so it belongs into a cell.
Source: APPNOTE.TXT 6.3.10 (zip), pax(1) and ustar.
"""

from __future__ import annotations

import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import IO

from skills.packages.members import Member, check_members, shown
from skills.packages.model import Bounds, Refused

_PIECE = 1 << 16
_LOCAL = struct.Struct("<4s5H3L2H")
_UNREADABLE = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError
)  # fmt: skip
"""What ``zipfile`` and ``tarfile`` raise: their own, broken streams, offsets before the file, names in no encoding
(ValueError), members that are locked or packed in a way they do not know (RuntimeError)."""
Open = Callable[[], AbstractContextManager[IO[bytes]]]


def unpacked(archive: Path, folder: Path, bounds: Bounds = Bounds()) -> int:  # noqa: B008  # a value
    """Unpack ``archive`` into the empty ``folder``; return the number of files. Raises Refused; then nothing counts."""
    size = archive.stat().st_size
    if size > bounds.total_bytes:
        raise Refused("package.size", f"{archive.name} is larger than {bounds.total_bytes >> 20} MiB.")
    try:
        if zipfile.is_zipfile(archive):
            return _zip(archive, folder, bounds)
        return _tar(archive, folder, bounds)
    except _UNREADABLE as error:
        if isinstance(error, Refused):
            raise
        why = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(":.")
        message = f"{archive.name} cannot be read as a zip or tar archive: {shown(why)}."
        raise Refused("package.archive", message, hint="Pack it again, or give the folder itself.") from error


def _zip(archive: Path, folder: Path, bounds: Bounds) -> int:
    with zipfile.ZipFile(archive) as opened, archive.open("rb") as raw:
        infos = opened.infolist()
        check_members(map(_of_zip, infos), bounds, archive.stat().st_size)
        for info in infos:
            _check_local(raw, info)
        return _write(((_of_zip(one), partial(opened.open, one)) for one in infos), folder, bounds)


def _of_zip(info: zipfile.ZipInfo) -> Member:
    if info.flag_bits & 0x1:
        raise Refused("package.archive", f"{shown(info.filename)} is encrypted.", hint="Pack it without a password.")
    if "\0" in info.orig_filename or "\\" in info.orig_filename:
        raise Refused("package.name", f"{shown(info.orig_filename)} has a name that is not what it looks like.")
    mode = info.external_attr >> 16 if info.create_system == 3 else 0
    return Member(info.filename, 0 if info.is_dir() else info.file_size, mode)


def _check_local(raw: IO[bytes], info: zipfile.ZipInfo) -> None:
    """Hold the list at the end of a zip against what stands at the member: readers differ in which they believe."""
    raw.seek(info.header_offset)
    head = _LOCAL.unpack(raw.read(_LOCAL.size))
    name = raw.read(head[9])
    listed = info.orig_filename.encode("utf-8" if info.flag_bits & 0x800 else "cp437")
    if head[0] != b"PK\3\4" or name != listed:
        raise Refused("package.archive", f"{shown(info.filename)} has another name inside than in the archive's list.")


def _tar(archive: Path, folder: Path, bounds: Bounds) -> int:
    with tarfile.open(archive, errorlevel=2) as opened:
        infos: list[tarfile.TarInfo] = []
        check_members(map(_of_tar, _listed(opened, infos)), bounds, archive.stat().st_size)
        return _write(((_of_tar(one), partial(_member, opened, one)) for one in infos), folder, bounds)


def _listed(opened: tarfile.TarFile, infos: list[tarfile.TarInfo]) -> Iterator[tarfile.TarInfo]:
    """Give members as they are read, so that each is checked before the next is unpacked; ``infos`` has them then."""
    for info in opened:
        infos.append(info)
        yield info


def _of_tar(info: tarfile.TarInfo) -> Member:
    kind = stat.S_IFREG if info.isreg() and not info.issparse() else stat.S_IFDIR if info.isdir() else stat.S_IFLNK
    return Member(info.name + ("/" if info.isdir() else ""), info.size, kind | stat.S_IMODE(info.mode))


def _member(opened: tarfile.TarFile, info: tarfile.TarInfo) -> AbstractContextManager[IO[bytes]]:
    found = opened.extractfile(info)
    if found is None:
        raise Refused("package.kind", f"{shown(info.name)} is a link or a special file; only plain files are taken.")
    return found


def _write(members: Iterator[tuple[Member, Open]], folder: Path, bounds: Bounds) -> int:
    written = total = 0
    for member, opens in members:
        place = folder / member.path
        if member.is_folder:
            place.mkdir(parents=True, exist_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        with opens() as source, place.open("xb") as target:
            size = 0
            while piece := source.read(_PIECE):
                size += len(piece)
                if size > member.size or total + size > bounds.total_bytes:
                    raise Refused("package.size", f"{shown(member.path)} is larger than the archive says.")
                target.write(piece)
        if size != member.size:
            raise Refused("package.archive", f"{shown(member.path)} is shorter than the archive says.")
        place.chmod(0o755 if member.mode & stat.S_IXUSR else 0o644)
        total += size
        written += 1
    return written
