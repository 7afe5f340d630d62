"""Where a package comes from, as a person types it.

~/Downloads/moon.zip    moon/    https://example.org/moon.tgz    https://example.org/moon.git@v1#skills/moon
git+https://example.org/moon@v1    index:https://example.org/skills.json#moon    agents:moon
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from skills.packages.members import check_path, unseen
from skills.packages.model import Bounds, Refused

_ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tbz2", ".tar.bz2", ".txz", ".tar.xz", ".skill")
_REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
_HELP = "Give a folder, an archive, https://…, git+https://…@TAG, git:PATH, index:PLACE#NAME, or agents:NAME."


class SourceKind(StrEnum):
    """The forms in which packages come."""

    FOLDER = "folder"
    ARCHIVE = "archive"
    GIT = "git"
    INDEX = "index"
    AGENTS = "agents"


@dataclass(frozen=True, slots=True)
class Source:
    """One place. ``place`` is an absolute path or an https URL, ``ref`` a tag or commit of git, ``part`` a folder
    inside (of an index: a name). Of what other agents keep, ``place`` is the folder that somebody works in and
    ``part`` the name. ``commit`` is what ``ref`` led to, once it was fetched.
    """

    kind: SourceKind
    place: str
    ref: str = ""
    part: str = ""
    commit: str = field(default="", compare=False)

    @property
    def is_remote(self) -> bool:
        """Whether it must be fetched over the network."""
        return self.place.startswith("https://")

    def __str__(self) -> str:
        if self.kind is SourceKind.AGENTS:
            return f"agents:{self.part}"
        before = "index:" if self.kind is SourceKind.INDEX else "git:" if self.kind is SourceKind.GIT else ""
        return f"{before}{self.place}{'@' * bool(self.ref)}{self.ref}{'#' * bool(self.part)}{self.part}"


def parse_source(text: str, cwd: Path, home: Path) -> Source:
    """Read what a person typed. Raises Refused with what can be given."""
    if not text.strip() or unseen(text):
        raise Refused("package.source", "That is no place of a package.", hint=_HELP)
    text = text.replace("git+https://", "git:https://", 1) if text.startswith("git+https://") else text
    form, _, rest = text.partition(":")
    if form == "agents":
        return _kept_by_agents(rest, cwd)
    kind = SourceKind(form) if form in ("git", "index") else None
    where, _, part = (rest if kind else text).partition("#")
    ref = ""
    if kind is SourceKind.GIT or (kind is None and re.search(r"\.git(@[^/]*)?$", where)):
        kind, (where, ref) = SourceKind.GIT, _with_ref(where)
    place = _placed(where, cwd, home)
    if kind is None:
        kind = SourceKind.ARCHIVE if place.startswith("https://") or place.endswith(_ARCHIVES) else SourceKind.FOLDER
    if kind is SourceKind.INDEX and not part:
        raise Refused("package.source", "Which skill of the index?", hint=f"Write index:{where}#NAME.")
    if part and kind is not SourceKind.INDEX:
        part = _folder_inside(part.strip("/"))
    return Source(kind, place, ref, part)


def _with_ref(where: str) -> tuple[str, str]:
    head, at, ref = where.rpartition("@")
    _, far, path = head.partition("://")
    in_a_path = (
        "/" in path and not path.endswith("/") if far else "/" not in ref or ".git" in head
    )  # else it is somebody's name: me@host
    if not at or not in_a_path:
        return where, ""
    if not _REF.fullmatch(ref) or ".." in ref:
        raise Refused("package.source", f"{ref!r} is no tag, branch or commit.", hint=_HELP)
    return head, ref


def _folder_inside(part: str) -> str:
    try:
        check_path(part, Bounds())
    except Refused as error:
        raise Refused("package.source", str(error), hint="Name a folder inside: …#skills/moon") from error
    return part


def _kept_by_agents(name: str, cwd: Path) -> Source:
    if not _NAME.fullmatch(name):
        message = "Which of the skills that other agents keep?"
        raise Refused("package.source", message, hint="Write agents:NAME; ./steward skills found lists them.")
    return Source(SourceKind.AGENTS, str(cwd), part=name)


def _address(where: str) -> str:
    """Return an address that can be asked and shown: with a host, without anybody's password. Raises Refused."""
    try:
        parts = urlsplit(where)
        whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        raise Refused("package.source", "That is no address of a package.", hint=_HELP)
    if parts.username is not None or parts.query:
        message = "An address with a password or a query in it would be kept with the skill."
        raise Refused("package.source", message, hint="Fetch the package yourself, and give the file.")
    return where


def _placed(where: str, cwd: Path, home: Path) -> str:
    if where.startswith("https://"):
        return _address(where)
    if re.match(r"[a-z][a-z0-9+.-]*:", where):
        message = f"Packages are not taken from {where.partition(':')[0]}:."
        raise Refused("package.source", message, hint=f"{_HELP} Only https is taken from the network.")
    path = home / where[2:] if where.startswith("~/") else cwd / where
    return str(path.resolve())
