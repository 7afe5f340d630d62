"""Wheels to a folder that can be imported from: unpacked, checked against their own list, and nothing of them run.

What this stops: all that ``skills.packages.members`` stops; files that the wheel's RECORD does not list or lists
otherwise; code that Python would run by itself at a start (``.pth``, ``sitecustomize``); scripts; two wheels that write
one file; a package called like a module of Python's own or a room of Steward's.
What it does not: judge what a package does when it is imported. That happens in a cell, with the skill's rights.
Source: PEP 427 and the specification "Binary distribution format".
"""

from __future__ import annotations

import base64
import csv
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from skills.environments.finder import ROOMS
from skills.environments.lock import plain_name
from skills.environments.model import BOUNDS
from skills.packages.archives import unpacked
from skills.packages.members import shown
from skills.packages.model import Refused

_AT_A_START = frozenset({"sitecustomize", "usercustomize"})
"""Modules that Python imports by itself."""
_PLACED = ("purelib", "platlib")
_LONGEST_PATH = 4096  # characters; none longer can be opened
_SIGNATURES = ("RECORD", "RECORD.jws", "RECORD.p7s")
_VERSION = re.compile(r"^Wheel-Version:\s*1\.\d+\s*$", re.MULTILINE)


def laid_out(wheels: Iterable[Path], goal: Path, work: Path) -> list[str]:
    """Unpack every wheel into ``goal``, with ``work`` to write to; return what was left out. Raises Refused."""
    left: list[str] = []
    owners: dict[str, str] = {}
    for number, wheel in enumerate(sorted(wheels)):
        folder = work / f"wheel-{number}"
        folder.mkdir()
        unpacked(wheel, folder, BOUNDS)
        check_list(wheel.name, folder)
        left += _placed(wheel.name, folder, goal, owners)
    return left


def check_list(wheel: str, folder: Path) -> None:
    """Hold what was unpacked against the wheel's own RECORD. Raises Refused."""
    info = _info(wheel, folder)
    said = dict(_listed(wheel, info / "RECORD"))
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    signatures = {f"{info.name}/{one}" for one in _SIGNATURES}
    odd = sorted((said.keys() - signatures) ^ (there - signatures))
    if odd:
        raise _bad(wheel, f"its RECORD does not list exactly the files that are there: {shown(odd[0])}")
    for name, digest in said.items():
        if name not in signatures and digest != _sum(folder / name):
            raise _bad(wheel, f"{shown(name)} is not the file that its RECORD lists")


def _info(wheel: str, folder: Path) -> Path:
    """Return the ``.dist-info`` folder, which must be that of the package that the wheel's name says."""
    found = [one for one in folder.iterdir() if one.is_dir() and one.name.endswith(".dist-info")]
    name = "-".join(wheel.split("-")[:2])
    if len(found) != 1 or plain_name(found[0].name.removesuffix(".dist-info")) != plain_name(name):
        raise _bad(wheel, "it has not exactly one .dist-info folder, of the package that its name says")
    about = found[0] / "WHEEL"
    if not about.is_file() or not _VERSION.search(about.read_text("utf-8", "replace")):
        raise _bad(wheel, "it is of no form that is known (Wheel-Version 1)")
    return found[0]


def _listed(wheel: str, record: Path) -> Iterator[tuple[str, str]]:
    if not record.is_file():
        raise _bad(wheel, "it has no RECORD")
    try:
        rows = list(csv.reader(record.read_text("utf-8", "replace").splitlines()))
    except csv.Error:
        rows = [[]]
    if not all(len(row) == 3 and len(row[0]) <= _LONGEST_PATH for row in rows):
        raise _bad(wheel, "its RECORD cannot be read")
    yield from ((path, digest) for path, digest, _ in rows)


def _sum(path: Path) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).decode().rstrip("=")
    return f"sha256={digest}"


def _placed(wheel: str, folder: Path, goal: Path, owners: dict[str, str]) -> list[str]:
    """Move what can be imported to ``goal``; return the names of what has no place there."""
    left = []
    for source in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = _name_in(source.relative_to(folder))
        if not name or _runs_by_itself(name):
            left.append(f"{wheel}: {source.relative_to(folder).as_posix()}")
            continue
        _check_name(wheel, name)
        if name.casefold() in owners:
            raise _twice(wheel, name, owners[name.casefold()])
        owners[name.casefold()] = wheel
        place = goal / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            source.rename(place)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            raise _twice(wheel, name, "another wheel") from error
    return left


def _name_in(path: Path) -> str:
    """Return where a file of a wheel belongs below the folder that is imported from; "" for nowhere."""
    top = path.parts[0]
    if not top.endswith(".data"):
        return path.as_posix()
    return Path(*path.parts[2:]).as_posix() if len(path.parts) > 2 and path.parts[1] in _PLACED else ""


def _runs_by_itself(name: str) -> bool:
    """Whether Python would run it at a start, from a folder that it takes for one of packages."""
    top = name.partition("/")[0]
    return ("/" not in name and name.endswith((".pth", ".egg-link"))) or top.partition(".")[0] in _AT_A_START


def _check_name(wheel: str, name: str) -> None:
    top = name.partition("/")[0]
    module = top.partition(".")[0]
    if top.endswith(".dist-info"):
        return
    if module in sys.stdlib_module_names or module in ROOMS:
        whose = "a room of Steward's" if module in ROOMS else "a module of Python's own"
        raise Refused("environment.shadow", f"{wheel} brings {shown(module)}, which is {whose}.", subject=wheel,
                      hint="A package with a name of its own can be used.")  # fmt: skip


def _twice(wheel: str, name: str, other: str) -> Refused:
    return Refused("environment.twice", f"{other} and {wheel} both bring {shown(name)}.", subject=wheel,
                   hint="They cannot be used together; the author must leave one out.")  # fmt: skip


def _bad(wheel: str, why: str) -> Refused:
    hint = "Get it again from its author, or build it with another tool."
    return Refused("environment.wheel", f"{wheel} is no whole wheel: {why}.", subject=wheel, hint=hint)
