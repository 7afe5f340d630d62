"""The ground of the proof: a folder for each package, a canary, makers of packages, and installers that trust them.

A canary is a file that a package's own code would write, or that a member of it would become: where it stands, the
package has done something. The naive installers are what careless ones do, and every attack must succeed there.
"""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.skills.packages.wares import GOOD, laid, member

SECRET = "the secret of the person"
Files = Mapping[str, str | bytes]


@dataclass(frozen=True)
class Scene:
    """Where one package is made and tried: nothing of it leaves ``folder``."""

    folder: Path
    net: Any = None

    @property
    def canary(self) -> Path:
        """What stands there once something of the package has run, or has left its own folder."""
        return self.folder / "canary"

    @property
    def ware(self) -> Path:
        """Where the package is made."""
        return self.folder / "ware"

    @property
    def into(self) -> Path:
        """Where the naive installers put it."""
        return self.folder / "into"

    @property
    def secret(self) -> Path:
        """A file of the person's, beside the package."""
        return self.folder / "secret"

    @property
    def code(self) -> str:
        """A line of Python that leaves the canary."""
        return f"open({str(self.canary)!r}, 'w').write('ran')\n"

    @property
    def shell(self) -> str:
        """A program without spaces that leaves the canary."""
        place = self.folder / "run.sh"
        place.write_text(f"#!/bin/sh\necho ran > '{self.canary}'\n")
        place.chmod(0o755)
        return str(place)

    def path(self, name: str) -> Path:
        """A place for a package's file, its folder made."""
        self.ware.mkdir(exist_ok=True)
        return self.ware / name


def scene(base: Path, number: int, net: Any = None) -> Scene:
    """Make the folder of one attempt."""
    one = Scene(base / f"{number:03}", net)
    one.into.mkdir(parents=True)
    one.secret.write_text(SECRET)
    return one


@dataclass(frozen=True)
class Attack:
    """One malicious package. ``make`` returns the place as a person types it; ``harm`` does what a naive installer does
    and tells whether the attack succeeded; ``why`` is what our refusal must say.
    """

    name: str
    why: str
    make: Callable[[Scene], str | Awaitable[str]]
    harm: Callable[[Scene], bool | Awaitable[bool]]
    update_of: str = ""


@dataclass
class Outcome:
    """What became of one package."""

    name: str
    good: bool
    said: str
    control: bool = True
    took_s: float = 0.0
    more: list[str] = field(default_factory=list)


# --- makers ------------------------------------------------------------------------------------------------------


def hot(one: Scene, **changed: str | bytes) -> dict[str, str | bytes]:
    """The files of a good package whose code leaves the canary as soon as it is imported."""
    files: dict[str, str | bytes] = dict(GOOD)
    files["skill.py"] = GOOD["skill.py"].replace(
        "from skills.sdk import Context\n", f"from skills.sdk import Context\n{one.code}"
    )
    return {**files, **{name.replace("__", "."): text for name, text in changed.items()}}


def below(files: Files, top: str = "moon") -> dict[str, str | bytes]:
    """The same files below a folder."""
    return {f"{top}/{name}": content for name, content in files.items()}


def zipped(place: Path, entries: Sequence[tuple[str, str | bytes, int]]) -> Path:
    """A zip of (name, content, mode), in that order, also twice the same."""
    import warnings

    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two of one name is what some packages are about
        for name, content, mode in entries:
            info = zipfile.ZipInfo("x")
            info.filename, info.create_system, info.compress_type = name, 3, zipfile.ZIP_DEFLATED
            info.external_attr = (mode or stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content)
    return place


def tarred(place: Path, members: Sequence[tuple[tarfile.TarInfo, bytes]], form: int = tarfile.PAX_FORMAT) -> Path:
    """A tar of members as they are, packed as its name says."""
    pack = {".gz": "w:gz", ".tgz": "w:gz", ".xz": "w:xz", ".bz2": "w:bz2"}.get(place.suffix, "w")
    with tarfile.open(place, pack, format=form, encoding="utf-8", errors="surrogateescape") as archive:
        for info, content in members:
            info.size = len(content) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(content) if info.isreg() else None)
    return place


def members_of(files: Files) -> list[tuple[tarfile.TarInfo, bytes]]:
    """The members of a tar of plain files."""
    return [(member(name), text.encode() if isinstance(text, str) else text) for name, text in files.items()]


def entries_of(files: Files) -> list[tuple[str, str | bytes, int]]:
    """The entries of a zip of plain files."""
    return [(name, text, 0) for name, text in files.items()]


def git(place: Path, *words: str, feed: str = "") -> str:
    """Run git as the maker of a package does."""
    base = (
        "git",
        "-C",
        str(place),
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "-c",
        "protocol.file.allow=always",
    )
    done = subprocess.run([*base, *words], capture_output=True, text=True, check=True, input=feed)
    return done.stdout.strip()


def repository(place: Path, files: Files, name: str = "moon") -> Path:
    """A repository with one commit of ``files``."""
    laid(place / name, files)
    git(place / name, "init", "-q", "-b", "main")
    git(place / name, "add", "-A")
    git(place / name, "commit", "-qm", "One")
    return place / name


# --- what naive installers do -----------------------------------------------------------------------------------


def naive_tar(one: Scene, place: Path) -> Path:
    """``extractall`` as it was for twenty years."""
    with tarfile.open(place) as archive:
        archive.extractall(one.into, filter="fully_trusted")
    return one.into


def naive_zip(one: Scene, place: Path, named: Callable[[str], str] = lambda name: name) -> Path:
    """The loop that unpackers of zip have written again and again: join, make folders, write; links as links."""
    with zipfile.ZipFile(place) as archive:
        for info in archive.infolist():
            goal = Path(os.path.join(one.into, named(info.orig_filename)))
            goal.parent.mkdir(parents=True, exist_ok=True)
            if stat.S_ISLNK(info.external_attr >> 16):
                goal.symlink_to(archive.read(info).decode())
            elif not info.filename.endswith("/"):
                with archive.open(info) as source, goal.open("wb") as target:
                    shutil.copyfileobj(source, target)
    return one.into


def naive_copy(one: Scene, folder: Path) -> Path:
    """Copy a folder with everything, links followed."""
    return Path(shutil.copytree(folder, one.into / folder.name))


def naive_run(one: Scene, *words: str, cwd: Path | None = None, seconds: float = 20.0) -> bool:
    """Run a program; tell whether the canary stands afterwards."""
    command = [sys.executable if word == "python" else word for word in words]
    environ = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    environ.pop("PYTHONPATH", None)
    subprocess.run(command, cwd=cwd or one.folder, capture_output=True, check=False, timeout=seconds, env=environ)
    return one.canary.exists()


def naive_import(one: Scene, folder: Path) -> bool:
    """Import a skill to see what it offers, as loaders of plugins do; a stand-in for the SDK is there."""
    laid(one.folder / "sdk" / "skills", {"__init__.py": "", "sdk.py": "Context = object\n"})
    code = f"import sys; sys.path[:0] = [{str(folder)!r}, {str(one.folder / 'sdk')!r}]; import skill"
    return naive_run(one, "python", "-c", code)


def naive_dies(code: str, *words: str) -> bool:
    """Tell whether a reader without bounds ends otherwise than well, or not within its time."""
    try:
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=False, timeout=20)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0
