"""From a source to a folder in quarantine, which nobody else writes to. What is hostile is opened in a cell."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest
from kernel.installing.celled import in_cell, own_authority
from kernel.installing.discovery import kept_by_agents
from permissions.model import Limits
from skills.packages import Bounds, Refused, Source, SourceKind, check_folder, found_in, parse_source, read_instructions

if TYPE_CHECKING:
    from kernel.house import House

_CELL = Path(__file__).resolve().parents[2] / "skills" / "packages" / "cell"
_LIMITS = Limits(memory_bytes=512 << 20, wall_s=120.0, file_bytes=2 * Bounds().total_bytes)
_TREE = Bounds(members=20_000, total_bytes=4 * Bounds().total_bytes, depth=12)
_MOST_INDEX, _LONGEST_NAME = 1 << 20, 63


async def fetched(house: House, source: Source, quarantine: Path) -> tuple[Path, Source]:
    """Bring a package into ``quarantine`` (empty); return its folder, and the source that it really came from.

    Raises Refused, BadRequest.
    """
    if source.kind is SourceKind.INDEX:
        source = await _listed(house, source, quarantine)
    if source.kind is SourceKind.AGENTS:
        source = await asyncio.to_thread(kept_by_agents, source.part, Path(source.place), house.folders.home)
    match source.kind:
        case SourceKind.FOLDER:
            await asyncio.to_thread(_copied, Path(source.place), quarantine)
            top = quarantine
        case SourceKind.ARCHIVE:
            top = await _unpacked(house, source, quarantine)
        case _:  # git
            top, source = await _cloned(house, source, quarantine)
    return await asyncio.to_thread(_the_one, top, source), source


def _the_one(top: Path, source: Source) -> Path:
    """Return the folder of the one skill that is meant, under its own name; all below ``top`` is looked at first."""
    if top.is_symlink() or not top.is_dir():
        raise Refused("package.skill", "It holds no skill.", hint="A skill is a folder with SKILL.md.")
    check_folder(top, _TREE)
    found = [one for one in found_in(top) if not source.part or one.as_posix() == source.part.strip("/")]
    if len(found) != 1:
        names = sorted(one.as_posix() for one in found_in(top))
        if not names:
            raise Refused("package.skill", "It holds no skill.", hint="A skill is a folder with SKILL.md.")
        what = f"no skill at {source.part}" if source.part else "several skills"
        message = f"It holds {what}; there is: {', '.join(names[:20])}."
        raise Refused("package.skill", message, hint=f"Say which: {replace(source, part=names[0])}")
    return _named(top) if found[0] == Path() else top / found[0]


def _named(top: Path) -> Path:
    """Give a skill that lies at the top of what was unpacked the folder name that it says it has."""
    name = read_instructions(top).name
    if name in ("", ".", "..") or "/" in name or "\0" in name or len(name) > _LONGEST_NAME:
        raise Refused("package.skill", "Its SKILL.md says no name that a folder could have.", hint="name: moon")
    goal = top.parent / "named" / name
    goal.parent.mkdir()
    return top.rename(goal)


def _nothing(source: Source) -> BadRequest:
    message = f"There is no {source.kind} at {source.place}."
    hint = "Give a folder, an archive, a git repository, or an address that begins with https://."
    return BadRequest("package.source", message, subject=source.place, hint=hint)


def _copied(folder: Path, quarantine: Path) -> None:
    """Copy a folder, which may change meanwhile: what is copied is what counts, and links are not followed."""
    if not folder.is_dir():
        raise _nothing(Source(SourceKind.FOLDER, str(folder)))
    bounds = Bounds()
    goal = quarantine / folder.name
    for member in check_folder(folder, bounds):
        place = goal / member.path
        if member.is_folder:
            place.mkdir(parents=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(folder / member.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as held:
            if not stat.S_ISREG(os.fstat(held.fileno()).st_mode):
                raise Refused("package.kind", f"{member.path} is no plain file.")
            place.write_bytes(held.read(bounds.member_bytes))
        place.chmod(0o755 if member.mode & stat.S_IXUSR else 0o644)


async def _unpacked(house: House, source: Source, quarantine: Path) -> Path:
    if source.is_remote:
        await _in_cell(house, "download", {"url": source.place}, quarantine, url=source.place)
    elif not Path(source.place).is_file():
        raise _nothing(source)
    else:
        await _in_cell(house, "unpack", {"archive": {"path": source.place}}, quarantine, reads=(source.place,))
    return quarantine / "room-package"


async def _cloned(house: House, source: Source, quarantine: Path) -> tuple[Path, Source]:
    if not source.is_remote and not Path(source.place).is_dir():
        raise _nothing(source)
    authority = await own_authority(house.settings.ca_file if source.is_remote else None)
    wish = {"place": source.place, "ref": source.ref or "HEAD", "part": source.part, "authority": authority}
    reads = () if source.is_remote else (source.place,)
    url = source.place if source.is_remote else ""
    commit = await _in_cell(house, "clone", wish, quarantine, reads=reads, url=url, programs=True)
    return quarantine / "room-package", replace(source, commit=str(commit))


async def _listed(house: House, source: Source, quarantine: Path) -> Source:
    """Return the place that an index has for a name: ``{"skills": {"moon": "https://example.org/moon.zip"}}``."""
    text = await _index(house, source, quarantine)
    try:
        place = json.loads(text)["skills"][source.part]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Refused("package.index", f"{source.place} is no index that has {source.part}.") from error
    found = parse_source(str(place), Path(source.place).parent, house.folders.home)
    leads_on = found.kind in (SourceKind.INDEX, SourceKind.AGENTS)
    if leads_on or (source.is_remote and not found.is_remote):
        raise Refused("package.index", f"{source.place} leads to {found}, and an index leads to packages alone.")
    return found


async def _index(house: House, source: Source, quarantine: Path) -> str:
    if source.is_remote:
        return str(await _in_cell(house, "read", {"url": source.place}, quarantine, url=source.place))
    try:
        return await asyncio.to_thread(_text, Path(source.place))
    except (OSError, ValueError) as error:
        raise BadRequest("package.source", f"{source.place} cannot be read.", subject=source.place,
                         hint="Give a JSON file with the skills and where they are.") from error  # fmt: skip


def _text(file: Path) -> str:
    if not file.is_file():  # a pipe would keep the reader for good
        raise OSError("it is no file")
    with file.open("rb") as opened:
        text = opened.read(_MOST_INDEX + 1)
    if len(text) > _MOST_INDEX:
        raise Refused("package.index", f"{file} is larger than 1 MiB.")
    return text.decode("utf-8")


async def _in_cell(
    house: House,
    function: str,
    arguments: Mapping[str, Any],
    room: Path,
    *,
    reads: Sequence[str] = (),
    url: str = "",
    programs: bool = False,
) -> Any:
    return await in_cell(house.cells, _CELL, function, arguments, room, _LIMITS, reads=reads, urls=(url,),
                         programs=programs)  # fmt: skip
