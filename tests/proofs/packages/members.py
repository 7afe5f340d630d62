"""Attacks by names, kinds and sizes: what an archive or a folder holds, whatever is written in it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import stat
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.proofs.packages.ground import (
    SECRET,
    Attack,
    Scene,
    below,
    entries_of,
    git,
    hot,
    members_of,
    naive_copy,
    naive_import,
    naive_run,
    naive_tar,
    naive_zip,
    tarred,
    zipped,
)
from tests.skills.packages.wares import GOOD, laid, member

_GOOD = below(GOOD)
_MANY, _DEEP = 3000, 40
_ZEROS = b"\0" * (12 << 20)


def _zip_with(name: Callable[[Scene], str], content: str = "ran", mode: int = 0) -> Callable[[Scene], str]:
    def make(one: Scene) -> str:
        entry = (name(one), content, mode)
        return str(zipped(one.path("moon.zip"), [*entries_of(_GOOD), entry]))

    return make


def _tar_with(ending: str, *more: Callable[[Scene], tuple[tarfile.TarInfo, bytes]]) -> Callable[[Scene], str]:
    def make(one: Scene) -> str:
        return str(tarred(one.path(f"moon{ending}"), [*members_of(_GOOD), *(each(one) for each in more)]))

    return make


def _plain(name: Callable[[Scene], str], content: bytes = b"ran") -> Callable[[Scene], tuple[tarfile.TarInfo, bytes]]:
    return lambda one: (member(name(one)), content)


def _special(
    name: str, kind: bytes, target: Callable[[Scene], str] = lambda _: "", mode: int = 0o644
) -> Callable[[Scene], tuple[tarfile.TarInfo, bytes]]:
    return lambda one: (member(name, kind, target(one), mode), b"")


def _tar_leaves(one: Scene) -> bool:
    naive_tar(one, next(one.ware.iterdir()))
    return one.canary.exists()


def _zip_leaves(one: Scene) -> bool:
    naive_zip(one, next(one.ware.iterdir()))
    return one.canary.exists()


def _windows(one: Scene) -> bool:
    """On Windows the other slash is one too, and many unpackers turn it everywhere."""
    naive_zip(one, next(one.ware.iterdir()), lambda name: name.replace("\\", "/"))
    return one.canary.exists()


def _there(name: str) -> Callable[[Scene], bool]:
    """It is installed under that name, as it is."""

    def harm(one: Scene) -> bool:
        place = next(one.ware.iterdir())
        top = naive_zip(one, place) if place.suffix == ".zip" else naive_tar(one, place)
        return (top / name).exists()

    return harm


def _reads_secret(one: Scene) -> bool:
    place = next(one.ware.iterdir())
    top = (
        naive_copy(one, place).parent
        if place.is_dir()
        else (naive_zip if place.suffix == ".zip" else naive_tar)(one, place)
    )
    return SECRET in (top / "moon" / "notes.md").read_text()


def _status(name: str, wanted: Callable[[os.stat_result], bool]) -> Callable[[Scene], bool]:
    def harm(one: Scene) -> bool:
        top = naive_tar(one, next(one.ware.iterdir()))
        return wanted((top / name).lstat())

    return harm


def _first_and_last(one: Scene) -> bool:
    """Whoever reviews reads the first of two, whoever unpacks keeps the last."""
    place = next(one.ware.iterdir())
    if place.suffix == ".zip":
        with zipfile.ZipFile(place) as archive:
            first = next(archive.read(info) for info in archive.infolist() if info.filename == "moon/skill.py")
        top = naive_zip(one, place)
    else:
        with tarfile.open(place) as packed:
            found = packed.extractfile(next(info for info in packed if info.name == "moon/skill.py"))
            first = found.read() if found else b""
        top = naive_tar(one, place)
    return b"canary" not in first and naive_import(one, top / "moon")


def _one_elsewhere(normal: Callable[[str], str]) -> Callable[[Scene], bool]:
    """On a file system that knows fewer letters two names are one file: the later takes the place of the earlier."""

    def harm(one: Scene) -> bool:
        with zipfile.ZipFile(next(one.ware.iterdir())) as archive:
            shelf: dict[str, bytes] = {}
            for info in archive.infolist():
                shelf[normal(info.filename)] = archive.read(info)
            return len(shelf) < len(archive.infolist()) and shelf[normal("moon/notes-ﬁ-é-ß.md")] == b"ran"

    return harm


def _folding(text: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFKC", text).casefold()


def _half(one: Scene) -> bool:
    """It stops in the middle, and what was written stays."""
    try:
        naive_tar(one, next(one.ware.iterdir()))
    except OSError:
        return (one.into / "moon" / "skill.py").exists()
    return False


def _larger(bytes_: int) -> Callable[[Scene], bool]:
    """What is unpacked is more than that, and a hundred times the archive."""

    def harm(one: Scene) -> bool:
        place = next(one.ware.iterdir())
        top = naive_zip(one, place) if place.suffix == ".zip" else naive_tar(one, place)
        total = sum(path.stat().st_size for path in top.rglob("*") if path.is_file())
        shutil.rmtree(top)
        return total > bytes_ and total > 20 * place.stat().st_size

    return harm


def _many(one: Scene) -> bool:
    return sum(1 for _ in naive_zip(one, next(one.ware.iterdir())).rglob("*")) > _MANY


def _overlapping(one: Scene) -> str:
    """A list that names the same packed bytes thirty times: a bomb without a ratio of its own (Fifield 2019)."""
    place = zipped(one.path("moon.zip"), [*entries_of(_GOOD), ("moon/a.bin", os.urandom(1 << 20), 0)])
    with zipfile.ZipFile(place, "a") as archive:
        kernel = archive.getinfo("moon/a.bin")
        for number in range(30):
            again = zipfile.ZipInfo(f"moon/a{number:02}.bin")
            for name in (
                "compress_type",
                "create_system",
                "external_attr",
                "CRC",
                "compress_size",
                "file_size",
                "header_offset",
                "flag_bits",
            ):
                setattr(again, name, getattr(kernel, name))
            archive.filelist.append(again)
            archive.NameToInfo[again.filename] = again
        archive._didModify = True  # type: ignore[attr-defined]
    return str(place)


def _overlaps(one: Scene) -> bool:
    """A reader that goes by the list alone unpacks them all."""
    place = next(one.ware.iterdir())
    data, total = place.read_bytes(), 0
    with zipfile.ZipFile(place) as archive:
        for info in archive.infolist():
            head = data[info.header_offset : info.header_offset + 30]
            start = (
                info.header_offset + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
            )
            import zlib

            packed = data[start : start + info.compress_size]
            total += len(zlib.decompress(packed, -15) if info.compress_type else packed)
    return total > 25 * place.stat().st_size


def _two_names(one: Scene) -> str:
    place = zipped(one.path("moon.zip"), [*entries_of(_GOOD), ("moon/a-harmless-text.md", "ran", 0)])
    place.write_bytes(place.read_bytes().replace(b"moon/a-harmless-text.md", b"../../././././././canary"[:23], 1))
    return str(place)


def _streamed(one: Scene) -> bool:
    """Whoever unpacks as it comes believes what stands at the member, whoever lists believes the list."""
    place = next(one.ware.iterdir())
    with zipfile.ZipFile(place) as archive:
        listed = archive.namelist()
    data, names, at = place.read_bytes(), [], 0
    while data[at : at + 4] == b"PK\3\4":
        packed, name, more = (
            int.from_bytes(data[at + a : at + b], "little") for a, b in ((18, 22), (26, 28), (28, 30))
        )
        names.append(data[at + 30 : at + 30 + name].decode())
        at += 30 + name + more + packed
    return names != listed and any(".." in name for name in names)


def _pax_path(one: Scene) -> tuple[tarfile.TarInfo, bytes]:
    info = member("moon/notes.md")
    info.pax_headers = {"path": "../canary"}
    return info, b"ran"


def _sparse(one: Scene) -> str:
    """A file of two gibibytes of holes in a kilobyte (GNU sparse 1.0)."""
    info = member("moon/GNUSparseFile.0/hole.bin")
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "moon/hole.bin",
                        "GNU.sparse.realsize": str(2 << 30)}  # fmt: skip
    table = b"1\n%d\n1\n" % ((2 << 30) - 1)
    return str(tarred(one.path("moon.tar"), [*members_of(_GOOD), (info, table.ljust(512, b"\0") + b"x")]))


def _hole(one: Scene) -> bool:
    top = naive_tar(one, next(one.ware.iterdir()))
    size = max(path.stat().st_size for path in top.rglob("*") if path.is_file())
    shutil.rmtree(top)
    return size >= 2 << 30


def _inside_another(one: Scene) -> str:
    inner = zipped(one.folder / "inner.zip", [*entries_of(_GOOD), ("../canary", "ran", 0)])
    return str(zipped(one.path("moon.zip"), [("moon.zip", inner.read_bytes(), 0)]))


def _unpacks_all(one: Scene) -> bool:
    """An unpacker that goes on into every archive that it finds."""
    naive_zip(one, next(one.ware.iterdir()))
    naive_zip(one, one.into / "moon.zip")
    return one.canary.exists()


# --- folders ------------------------------------------------------------------------------------------------------


def _folder(change: Callable[[Scene, Path], None]) -> Callable[[Scene], str]:
    def make(one: Scene) -> str:
        folder = laid(one.path("moon"), GOOD)
        change(one, folder)
        return str(folder)

    return make


def _linked(one: Scene, folder: Path) -> None:
    (folder / "notes.md").symlink_to(one.secret)


def _linked_folder(one: Scene, folder: Path) -> None:
    laid(one.folder / "private", {"notes.md": SECRET})
    (folder / "more").symlink_to(one.folder / "private")


def _reads_folder(one: Scene) -> bool:
    return SECRET in (naive_copy(one, one.ware / "moon") / "more" / "notes.md").read_text()


def _piped(_: Scene, folder: Path) -> None:
    os.mkfifo(folder / "notes.md")


def _waits(one: Scene) -> bool:
    """Whoever reads it waits for good."""
    try:
        subprocess.run(["cat", str(one.ware / "moon" / "notes.md")], timeout=0.5, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return True
    return False


def _socket(_: Scene, folder: Path) -> None:
    held = os.open(folder, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(f"/proc/self/fd/{held}/s")
    finally:
        os.close(held)


def _copy_fails(one: Scene) -> bool:
    """An installer that did not look stops in the middle, with half of it there."""
    try:
        naive_copy(one, one.ware / "moon")
    except (shutil.Error, OSError):
        return (one.into / "moon").exists()
    return False


def _as_its_owner(_: Scene, folder: Path) -> None:
    laid(folder, {"helper": "#!/bin/sh\n"})
    (folder / "helper").chmod(0o4755)


def _keeps_bit(one: Scene) -> bool:
    return bool((naive_copy(one, one.ware / "moon") / "helper").stat().st_mode & stat.S_ISUID)


def _with_git(one: Scene, folder: Path) -> None:
    git(folder, "init", "-q")
    git(folder, "config", "core.fsmonitor", one.shell)


def _looks_with_git(one: Scene) -> bool:
    """Somebody looks at what was installed."""
    return naive_run(one, "git", "status", cwd=naive_copy(one, one.ware / "moon"))


def _bare(one: Scene, folder: Path) -> None:
    inner = folder / "assets"
    inner.mkdir()
    git(inner, "init", "-q", "--bare")
    git(inner, "config", "core.bare", "false")
    git(inner, "config", "core.worktree", str(inner))
    git(inner, "config", "core.fsmonitor", one.shell)


def _looks_at_assets(one: Scene) -> bool:
    return naive_run(one, "git", "status", cwd=naive_copy(one, one.ware / "moon") / "assets")


def _poisoned(one: Scene, folder: Path) -> None:
    """Source that is harmless, and compiled Python of something else that goes before it."""
    _compiled(one, folder / "other.py", Path(importlib.util.cache_from_source(str(folder / "skill.py"))))


def _sourceless(one: Scene, folder: Path) -> None:
    _compiled(one, folder / "other.py", folder / "skill.pyc")
    (folder / "skill.py").unlink()


def _compiled(one: Scene, source: Path, goal: Path) -> None:
    import py_compile

    source.write_text(one.code)
    goal.parent.mkdir(exist_ok=True)
    py_compile.compile(str(source), str(goal), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    source.unlink()


def _imports_copy(one: Scene) -> bool:
    return naive_import(one, naive_copy(one, one.ware / "moon"))


def _large(_: Scene, folder: Path) -> None:
    with (folder / "table.bin").open("wb") as file:
        file.truncate(17 << 20)


def _copies_large(one: Scene) -> bool:
    return (naive_copy(one, one.ware / "moon") / "table.bin").stat().st_size > 16 << 20


_CLIMB = "is not a path below|is not what it looks like"
_LOOKS = "is not what it looks like"
_KIND = "link or a special file"
_TWICE = "there twice|cannot both be there"

NAMES = {
    "a name that turns the direction of reading": "moon/\u202egpj.py", "a name with a character without width": "moon/no\u200btes.md",
    "a name with a line's end": "moon/a\nb.md", "a name that speaks to the terminal": "moon/\x1b]0;x\x07.md",
    "a name in letters that nobody sees": "moon/\U000e0041\U000e0042.md", "a name that ends with a point": "moon/notes.md.",
    "a name that begins with a space": "moon/ notes.md", "a second stream of a file": "moon/notes.md:evil.py",
    "a name with a star in it": "moon/*.md",
}  # fmt: skip

ARCHIVES = [
    Attack("zip: up and out", _CLIMB, _zip_with(lambda _: "../canary"), _zip_leaves),
    Attack("zip: a full path", _CLIMB, _zip_with(lambda one: str(one.canary)), _zip_leaves),
    Attack("zip: up and out from a folder", _CLIMB, _zip_with(lambda _: "moon/../../canary"), _zip_leaves),
    Attack("zip: up and out with the other slash", _LOOKS, _zip_with(lambda _: "..\\canary"), _windows),
    Attack("tar.gz: up and out", _CLIMB, _tar_with(".tar.gz", _plain(lambda _: "../canary")), _tar_leaves),
    Attack("tar.xz: a full path", _CLIMB, _tar_with(".tar.xz", _plain(lambda one: str(one.canary))), _tar_leaves),
    Attack("tar.bz2: up and out from a folder", _CLIMB, _tar_with(".tar.bz2", _plain(lambda _: "moon/../../canary")), _tar_leaves),
    Attack("tar: the path of an extended header", _CLIMB, _tar_with(".tar", _pax_path), _tar_leaves),
    Attack("tar: a link out, then a file through it", _KIND,
           _tar_with(".tar", _special("moon/up", tarfile.SYMTYPE, lambda one: str(one.folder)), _plain(lambda _: "moon/up/canary")), _tar_leaves),
    Attack("zip: a link out, then a file through it", _KIND,
           lambda one: str(zipped(one.path("moon.zip"), [*entries_of(_GOOD), ("moon/up", str(one.folder), stat.S_IFLNK | 0o777),
                                                       ("moon/up/canary", "ran", 0)])), _zip_leaves),
    Attack("tar: a link to the person's file", _KIND,
           _tar_with(".tgz", _special("moon/notes.md", tarfile.SYMTYPE, lambda one: str(one.secret))), _reads_secret),
    Attack("zip: a link to the person's file", _KIND,
           lambda one: str(zipped(one.path("moon.zip"), [*entries_of(_GOOD), ("moon/notes.md", str(one.secret), stat.S_IFLNK | 0o777)])),
           _reads_secret),
    Attack("tar: a second name of the person's file", _KIND,
           _tar_with(".tar", _special("moon/notes.md", tarfile.LNKTYPE, lambda one: str(one.secret))), _reads_secret),
    Attack("tar: a second name inside", _KIND, _tar_with(".tar", _special("moon/notes.md", tarfile.LNKTYPE, lambda _: "moon/SKILL.md")),
           _status("moon/notes.md", lambda found: found.st_nlink > 1)),
    Attack("tar: a link inside", _KIND, _tar_with(".tar.xz", _special("moon/notes.md", tarfile.SYMTYPE, lambda _: "SKILL.md")),
           _status("moon/notes.md", lambda found: stat.S_ISLNK(found.st_mode))),
    Attack("tar: a link to nowhere", _KIND, _tar_with(".tar", _special("moon/notes.md", tarfile.SYMTYPE, lambda _: "later")),
           _status("moon/notes.md", lambda found: stat.S_ISLNK(found.st_mode))),
    Attack("tar: a pipe", _KIND, _tar_with(".tar.gz", _special("moon/notes.md", tarfile.FIFOTYPE)),
           _status("moon/notes.md", lambda found: stat.S_ISFIFO(found.st_mode))),
    Attack("tar: set-user-ID", "set-user-ID", _tar_with(".tar", _special("moon/run", tarfile.REGTYPE, mode=0o4755)),
           _status("moon/run", lambda found: bool(found.st_mode & stat.S_ISUID))),
    Attack("tar: set-group-ID", "set-user-ID", _tar_with(".tar.gz", _special("moon/run", tarfile.REGTYPE, mode=0o2755)),
           _status("moon/run", lambda found: bool(found.st_mode & stat.S_ISGID))),
    Attack("tar: sticky", "set-user-ID", _tar_with(".tar.xz", _special("moon/all", tarfile.DIRTYPE, mode=0o1777)),
           _status("moon/all", lambda found: bool(found.st_mode & stat.S_ISVTX))),
    Attack("zip: one name twice, the second is meant", _TWICE,
           lambda one: str(zipped(one.path("moon.zip"), [*entries_of(_GOOD), ("moon/skill.py", hot(one)["skill.py"], 0)])), _first_and_last),
    Attack("tar: one name twice, the second is meant", _TWICE,
           _tar_with(".tar", lambda one: (member("moon/skill.py"), str(hot(one)["skill.py"]).encode())), _first_and_last),
    *(Attack(f"zip: {what} are one elsewhere", _TWICE,
             lambda one, name=name: str(zipped(one.path("moon.zip"),  # type: ignore[misc]
                                               [("moon/notes-ﬁ-é-ß.md", "x", 0), (name, "ran", 0), *entries_of(_GOOD)])),
             _one_elsewhere(_folding))
      for what, name in (("large and small letters", "moon/NOTES-ﬁ-é-ß.md"), ("a ligature and its letters", "moon/notes-fi-é-ß.md"),
                         ("a letter and its parts", "moon/notes-ﬁ-e\u0301-ß.md"), ("a letter and its capitals", "moon/notes-ﬁ-é-SS.md"))),
    Attack("tar: a folder, then a file in its place", _TWICE,
           _tar_with(".tar", _plain(lambda _: "moon/x/y"), _plain(lambda _: "moon/x")), _half),
    *(Attack(f"zip: {what}", _LOOKS, _zip_with(lambda _, name=name: name), _there(name))  # type: ignore[misc]
      for what, name in NAMES.items()),
    *(Attack(f"tar.xz: {what}", _LOOKS, _tar_with(".tar.xz", _plain(lambda _, name=name: name)), _there(name))  # type: ignore[misc]
      for what, name in list(NAMES.items())[:4]),
    Attack("tar: a name that is no text", _LOOKS, _tar_with(".tar", _plain(lambda _: "moon/\udcff.md")), _there("moon/\udcff.md")),
    Attack("zip: a bomb", "times its size", _zip_with(lambda _: "moon/zeros", _ZEROS), _larger(10 << 20)),  # type: ignore[arg-type]
    Attack("tar.gz: a bomb of several files", "times its size|larger than",
           _tar_with(".tar.gz", *(_plain(lambda _, n=n: f"moon/{n}", _ZEROS) for n in range(3))), _larger(30 << 20)),  # type: ignore[misc]
    Attack("tar.xz: a bomb", "times its size|larger than", _tar_with(".tar.xz", _plain(lambda _: "moon/zeros", _ZEROS)), _larger(10 << 20)),
    Attack("zip: the same bytes thirty times", "another name inside|times its size", _overlapping, _overlaps),
    Attack("zip: thousands of members", "more than 2000",
           lambda one: str(zipped(one.path("moon.zip"), [*entries_of(_GOOD), *((f"moon/{n}", "", 0) for n in range(_MANY))])), _many),
    Attack("tar: a folder in a folder in a folder", "too deep", _tar_with(".tar", _plain(lambda _: "moon/" + "a/" * _DEEP + "x")),
           _there("moon/" + "a/" * _DEEP + "x")),
    Attack("tar: a name without end", "too long", _tar_with(".tar", _plain(lambda _: "moon/" + "x" * 220)), _there("moon/" + "x" * 220)),
    Attack("tar: a file of holes", _KIND, _sparse, _hole),
    Attack("zip: one name in the list, another at the member", "another name inside", _two_names, _streamed),
    Attack("zip: an archive in an archive", "holds no skill", _inside_another, _unpacks_all),
]  # fmt: skip

FOLDERS = [
    Attack("folder: a link to the person's file", _KIND, _folder(_linked), _reads_secret),
    Attack("folder: a link to the person's folder", _KIND, _folder(_linked_folder), _reads_folder),
    Attack("folder: a pipe", _KIND, _folder(_piped), _waits),
    Attack("folder: a socket", _KIND, _folder(_socket), _copy_fails),
    Attack("folder: set-user-ID", "set-user-ID", _folder(_as_its_owner), _keeps_bit),
    Attack("folder: a repository with a program of its own", "repository of git", _folder(_with_git), _looks_with_git),
    Attack("folder: a repository that is hardly seen", "repository of git", _folder(_bare), _looks_at_assets),
    Attack("folder: compiled Python before its source", "compiled Python", _folder(_poisoned), _imports_copy),
    Attack("folder: compiled Python without source", "compiled Python", _folder(_sourceless), _imports_copy),
    Attack("folder: a file beyond all bounds", "larger than", _folder(_large), _copies_large),
]  # fmt: skip
