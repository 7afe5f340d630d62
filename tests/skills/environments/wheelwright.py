"""Wheels made for the tests: good ones, and ways to spoil them; and skills that need them."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.skills.packages.wares import GOOD, laid

ANY = "py3-none-any"

SKILL = '''"""The moon."""

from lune import look
from skills.sdk import Context


def phase(ctx: Context) -> str:
    """Say how the moon looks tonight."""
    ctx.say(f"The moon is {look()}.")
    return look()
'''
MANIFEST = """version = "VERSION"
title = "Moon"

[python]
requires = ["lune >= 1"]

[tools.phase]
effect = "pure"
examples.en = ["how is the moon", "what phase is the moon in", "phase of the moon"]
"""


def wheel(
    folder: Path,
    name: str,
    files: Mapping[str, str | bytes],
    version: str = "1.0",
    tag: str = ANY,
    *,
    unlisted: Mapping[str, str] | None = None,
    spoilt: Sequence[str] = (),
) -> Path:
    """Make a wheel; ``unlisted`` files are not in its RECORD, and ``spoilt`` ones stand there with another sum."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    whole: dict[str, str | bytes] = {
        **files,
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
    }
    rows = [f"{path},{_sum('spoilt' if path in spoilt else text)},{len(text)}" for path, text in whole.items()]
    whole[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{name.replace('-', '_')}-{version}-{tag}.whl"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in {**whole, **(unlisted or {})}.items():
            archive.writestr(path, text)
    return place


def _sum(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def digest(place: Path) -> str:
    """Return the sum of a file."""
    return hashlib.sha256(place.read_bytes()).hexdigest()


def locked(*wheels: Path) -> str:
    """Return the lock that names these wheels."""
    lines = []
    for one in wheels:
        name, version = one.name.split("-")[:2]
        lines.append(f"{name.replace('_', '-')}=={version} --hash=sha256:{digest(one)}")
    return "# a lock\n" + "\n".join(lines) + "\n"


def lune(folder: Path, version: str = "1.0", look: str = "full") -> Path:
    """Make the wheel of a package that looks at the moon."""
    return wheel(folder, "lune", {"lune/__init__.py": f"def look():\n    return {look!r}\n"}, version)


def skill(folder: Path, *wheels: Path, version: str = "1.0.0", brings: bool = True, code: str = SKILL) -> Path:
    """Make a skill that needs these wheels, and with ``brings`` has them in its own folder."""
    files = {**GOOD, "skill.py": code, "steward.toml": MANIFEST.replace("VERSION", version)}
    place = laid(folder / "moon", {**files, "requirements.lock": locked(*wheels)})
    for one in wheels if brings else ():
        (place / "wheels").mkdir(exist_ok=True)
        (place / "wheels" / one.name).write_bytes(one.read_bytes())
    return place
