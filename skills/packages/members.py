"""What a package may hold, told from names, kinds and sizes alone, before a byte of it is written anywhere.

What this stops: paths that leave the folder, links and devices, names that are one and the same to some file system or
to a reader, bits that give powers, and more than fits (members, bytes, depth, ratio).
What it does not: look into files; see ``opening``.
"""

from __future__ import annotations

import stat
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from permissions.naming import UNSEEN
from skills.packages.model import Bounds, Refused

_RESERVED = frozenset('<>:"|?*\\')
_COMPILED = (".pyc", ".pyo")
_REPOSITORY = ".git"
_BARE = ("HEAD", "objects", "refs")
"""What makes a folder a repository of git, whose settings run programs of whoever looks at it with git."""


@dataclass(frozen=True, slots=True)
class Member:
    """One entry as the package lists it. ``mode`` holds type and permissions as in ``stat``; 0 where it says none."""

    path: str
    size: int
    mode: int = 0

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return stat.S_ISDIR(self.mode) or self.path.endswith("/")


def check_members(members: Iterable[Member], bounds: Bounds, packed_bytes: int | None = None) -> list[Member]:
    """Return the members. Raises Refused for the first one that no package may hold.

    ``packed_bytes`` is the size of the archive they come from, None for a folder.
    """
    seen: dict[str, str] = {}
    found: list[Member] = []
    total = 0
    for member in members:
        check_path(member.path, bounds)
        _check_kind(member)
        _check_once(member, seen)
        total += member.size
        if len(seen) > bounds.members:
            raise Refused("package.size", f"It holds more than {bounds.members} files and folders.")
        if member.size > bounds.member_bytes or total > bounds.total_bytes:
            most = bounds.member_bytes if member.size > bounds.member_bytes else bounds.total_bytes
            raise Refused("package.size", f"{shown(member.path)} makes it larger than {most >> 20} MiB.")
        if packed_bytes is not None and total > bounds.ratio * max(packed_bytes, 1 << 12):
            raise Refused("package.ratio", f"It unpacks to more than {bounds.ratio} times its size.")
        found.append(member)
    _check_bare(seen)
    return found


def check_path(path: str, bounds: Bounds) -> None:
    """Raise Refused where ``path`` is no plain relative path that means the same everywhere."""
    parts = path.removesuffix("/").split("/")
    if path.startswith(("/", "~")) or any(part in ("", ".", "..") for part in parts):
        raise Refused("package.path", f"{shown(path)} is not a path below the package's own folder.")
    for part in parts:
        if unseen(part) or _RESERVED.intersection(part) or part != part.strip() or part.endswith("."):
            raise Refused("package.name", f"{shown(path)} has a name that is not what it looks like.")
    if len(path.encode(errors="surrogatepass")) > bounds.path_bytes or len(parts) > bounds.depth:
        raise Refused("package.path", f"{shown(path[:80])} … lies too deep, or its name is too long.")
    if parts[-1].endswith(_COMPILED) or "__pycache__" in parts:
        raise Refused("package.compiled", f"{shown(path)} is compiled Python, which nobody can read before it runs.")
    if _REPOSITORY in (part.casefold() for part in parts):
        raise _repository(path)


def unseen(text: str) -> str:
    """Return the first character of ``text`` that a person does not see for what it is, "" for none."""
    return next((char for char in text if unicodedata.category(char) in UNSEEN), "")


def shown(name: str) -> str:
    """Return a name from a package so that it can be shown: what cannot be seen is written out."""
    return "".join(f"\\u{ord(one):04x}" if unicodedata.category(one) in UNSEEN else one for one in name[:200])


def _check_kind(member: Member) -> None:
    kind = stat.S_IFMT(member.mode)
    if kind and not (stat.S_ISREG(member.mode) or stat.S_ISDIR(member.mode)):
        raise Refused("package.kind", f"{shown(member.path)} is a link or a special file; only plain files are taken.")
    if stat.S_IMODE(member.mode) & (stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX):
        raise Refused("package.mode", f"{shown(member.path)} wants to be set-user-ID, set-group-ID or sticky.")


def _check_bare(seen: Mapping[str, str]) -> None:
    """Refuse a repository without files of its own: git takes any folder with these three names for one."""
    below = {path.rpartition("/")[0] for path in seen if path.rpartition("/")[2] == _BARE[0].casefold()}
    for top in sorted(below):
        if all((f"{top}/{name}" if top else name) in seen for name in _BARE[1:]):
            raise _repository(seen.get(top, "."))


def _repository(path: str) -> Refused:
    message = f"{shown(path)} is a repository of git, with settings that run programs."
    return Refused("package.repository", message, hint="Of a clone, its commit can be taken: git:PATH")


def _check_once(member: Member, seen: dict[str, str]) -> None:
    """Refuse two members that are one to some file system, and a file that is also a folder of others."""
    path = member.path.removesuffix("/")
    folded = _folded(path)
    if folded in seen and not (member.is_folder and seen[folded] == f"{path}/"):
        raise Refused("package.twice", f"{shown(path)} is there twice, or differs from another only in its letters.")
    for end in (at for at, char in enumerate(folded) if char == "/"):
        above = seen.setdefault(folded[:end], path[:end] + "/")
        if above != path[:end] + "/":
            raise Refused("package.twice", f"{shown(above)} and {shown(path)} cannot both be there.")
    seen[folded] = f"{path}/" if member.is_folder else path


def _folded(path: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())
