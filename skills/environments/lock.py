"""``requirements.lock``: exactly which packages a skill runs with, each with the sums of the wheels that it may be.

The form is pip's own (``name==version --hash=sha256:...``), and of that nothing else: no address, no index, no option,
no marker. So everything that comes is one of the files whose sums stand here.
Source: pip, "Secure installs" (hash-checking mode); PEP 508 for what ``steward.toml`` requires.
"""

from __future__ import annotations

import hashlib
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from skills.errors import BadSkill
from skills.model import Pin

if TYPE_CHECKING:
    from packaging.requirements import Requirement

LOCK = "requirements.lock"
MOST_PACKAGES = 200
_LARGEST_BYTES = 1 << 20
_LINE = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?)==(?P<version>[A-Za-z0-9][A-Za-z0-9.!+_-]{0,63})"
    r"(?P<hashes>(?:\s+--hash=sha256:[0-9a-f]{64})+)"
)
_HASH = re.compile(r"[0-9a-f]{64}")
_APART = re.compile(r"[-_.]+")


def plain_name(name: str) -> str:
    """Return the one way in which the name of a package is compared (PEP 503)."""
    return _APART.sub("-", name).lower()


def read_lock(folder: Path, requires: Sequence[str]) -> tuple[Pin, ...]:
    """Return what the lock of a skill pins, by name. Raises BadSkill where it is missing, malformed or incomplete."""
    place = folder / LOCK
    if not place.is_file():
        raise _wrong(folder, f"{LOCK} is missing, and the skill needs {', '.join(requires)}.")
    pins = _pins(folder, place)
    for text in requires:
        wanted = requirement(text)
        pinned = pins.get(plain_name(wanted.name))
        if pinned is None:
            raise _wrong(folder, f"{LOCK} has no line for {wanted.name}, which steward.toml requires.")
        if not wanted.specifier.contains(pinned.version, prereleases=True):
            raise _wrong(folder, f"{LOCK} pins {wanted.name} {pinned.version}, and steward.toml requires {text}.")
    return tuple(pins[name] for name in sorted(pins))


def requires_of(folder: Path) -> Sequence[str]:
    """Return what the manifest of a skill requires. Raises BadSkill, also where there is none."""
    from skills.manifest import MANIFEST, read_manifest  # which reads requirements itself

    if not (folder / MANIFEST).is_file():
        raise BadSkill("skill.folder", f"There is no skill in {folder}.", subject=str(folder),
                       hint="Give the folder of a skill, or make one: ./steward skills new NAME")  # fmt: skip
    python = read_manifest(folder).python
    return python.requires if python else ()


def pins_of(folder: Path) -> tuple[Pin, ...]:
    """Return what a version of a skill on the shelf pins; nothing where it needs none, or cannot be read any more."""
    try:
        requires = requires_of(folder)
        return read_lock(folder, requires) if requires else ()
    except (BadSkill, OSError):
        return ()


def requirement(text: str) -> Requirement:
    """Return one line of ``requires``. Raises ValueError for what is none, or names a place or a condition."""
    from packaging.requirements import InvalidRequirement, Requirement  # hardly a skill needs packages

    try:
        wanted = Requirement(text)
    except InvalidRequirement as error:
        raise ValueError(f"{text!r} is no requirement: {str(error).splitlines()[0]}") from error
    if wanted.url or wanted.marker:
        raise ValueError(f"{text!r} names an address or a condition; write a name and versions: tabulate >= 0.9")
    return wanted


def _pins(folder: Path, place: Path) -> dict[str, Pin]:
    found: dict[str, Pin] = {}
    for number, line in filter(itemgetter(1), _lines(_text(folder, place))):
        match = _LINE.fullmatch(line)
        where = f"{LOCK}:{number}"
        if match is None:
            raise _wrong(folder, f"{where}: {line[:80]!r} is not of the form name==version --hash=sha256:...")
        name = plain_name(match["name"])
        if name in found:
            raise _wrong(folder, f"{where}: {name} is there twice.")
        found[name] = Pin(name, match["version"], tuple(sorted(set(_HASH.findall(match["hashes"])))))
        if len(found) > MOST_PACKAGES:
            raise _wrong(folder, f"{LOCK} pins more than {MOST_PACKAGES} packages.")
    return found


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Give each line, without its comment, with its number; one that ends in a backslash goes on in the next."""
    begun: list[str] = []
    start = 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip() if not raw.lstrip().startswith("#") else ""
        line = line.partition(" #")[0].rstrip()
        start = start or number
        begun.append(line.removesuffix("\\").strip())
        if line.endswith("\\"):
            continue
        yield start, " ".join(filter(None, begun))
        begun, start = [], 0
    yield start, " ".join(filter(None, begun))


def _text(folder: Path, place: Path) -> str:
    data = place.read_bytes()
    if len(data) > _LARGEST_BYTES:
        raise _wrong(folder, f"{LOCK} is larger than 1 MiB.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _wrong(folder, f"{LOCK} is not UTF-8 text.") from error


def _wrong(folder: Path, message: str) -> BadSkill:
    hint = "Whoever writes the skill makes its lock: ./steward skills lock FOLDER"
    return BadSkill("skill.lock", message, subject=folder.name, hint=hint)


def python_tag() -> str:
    """Return what must be the same for an environment to work: this Python, and the kind of machine."""
    return f"{sys.implementation.cache_tag}-{sysconfig.get_platform()}"


def digest_of(pins: Iterable[Pin]) -> str:
    """Return the digest under which the environment of these packages is kept (SHA-256, hex)."""
    lines = sorted(f"{one.name}=={one.version} {' '.join(sorted(one.hashes))}\n" for one in pins)
    return hashlib.sha256(f"steward environment 1\n{python_tag()}\n{''.join(lines)}".encode()).hexdigest()


def written(pins: Iterable[Pin], requires: Sequence[str]) -> str:
    """Return the text of a lock."""
    lines = ["# Made by ./steward skills lock, for " + ", ".join(requires), "# Do not edit: the sums are what is run."]
    for one in sorted(pins, key=lambda pin: pin.name):
        sums = [f"    --hash=sha256:{digest}" for digest in sorted(one.hashes)]
        lines.append(" \\\n".join([f"{one.name}=={one.version}", *sums]))
    return "\n".join(lines) + "\n"
