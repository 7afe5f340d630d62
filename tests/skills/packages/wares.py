"""Packages made for the tests: a good one, and ways to spoil it."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from minisign import KeyPair

from skills.packages.sums import SIGNATURE, SUMS, sums_of

GOOD = {
    "SKILL.md": "---\nname: moon\ndescription: Says how the moon looks. Use when someone asks about the moon.\n---\n",
    "steward.toml": '''version = "1.0.0"
title = "Moon"

[tools.phase]
effect = "pure"
examples.en = ["how is the moon today"]

[[tools.phase.rights]]
action = "fs.read"
scope = "~/Moon/**"
reason = "to read the table of the moon"
''',
    "skill.py": '''"""The moon."""

from skills.sdk import Context


def phase(ctx: Context) -> str:
    """Say how the moon looks."""
    ctx.say("Full.")
    return "full"
''',
}  # fmt: skip


def laid(folder: Path, files: Mapping[str, str | bytes] = GOOD) -> Path:
    """Write files into a folder."""
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def signed(folder: Path, pair: KeyPair) -> Path:
    """Name the publisher in the manifest, and sign everything."""
    manifest = folder / "steward.toml"
    manifest.write_text(f'publisher = "{key_of(pair)}"\n' + manifest.read_text())
    (folder / SUMS).write_text(sums_of(folder))
    (folder / SIGNATURE).write_bytes(bytes(pair.secret_key.sign((folder / SUMS).read_bytes())))
    return folder


def key_of(pair: KeyPair) -> str:
    """Return the public key as one line."""
    return pair.public_key.to_base64().decode()


def zipped(place: Path, files: Mapping[str, str | bytes], modes: Mapping[str, int] = {}) -> Path:
    """Make a zip."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.create_system, info.compress_type = 3, zipfile.ZIP_DEFLATED
            info.external_attr = modes.get(name, stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content)
    return place


def tarred(place: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    """Make a tar of members as they are."""
    with tarfile.open(place, "w:gz") as archive:
        for info, content in members:
            info.size = len(content) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(content) if info.isreg() else None)
    return place


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", mode: int = 0o644) -> tarfile.TarInfo:
    """Make one member of a tar."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, target, mode
    return info
