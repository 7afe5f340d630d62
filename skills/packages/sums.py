"""Sums and signatures of packages, in forms that other tools check too: ``sha256sum -c SHA256SUMS``, ``minisign -Vm``.

What this stops: a signed package of which one byte, name or file is not what the publisher signed.
What it does not: say who the publisher is. A key is trusted for being the same as last time.
Source: ``sha256sum(1)``, https://jedisct1.github.io/minisign/ (library py-minisign).
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from skills.packages.members import unseen
from skills.packages.model import Refused, Signer

SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.minisig"
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")
_MOST_BYTES = 1 << 20


def signer_of(folder: Path, publisher: str) -> Signer | None:
    """Return who signed the package in ``folder``, None where nobody did; ``publisher`` is the key it names.

    Raises Refused where sums, a signature or a key are there and do not fit together and all files.
    """
    has_sums, has_signature = ((folder / one).is_file() for one in (SUMS, SIGNATURE))
    if has_sums:
        _check_sums(folder)
    if not has_signature and not publisher:
        return None
    if not (has_sums and has_signature and publisher):
        missing = "a publisher in steward.toml" if not publisher else SIGNATURE if not has_signature else SUMS
        raise Refused("package.signature", f"It is signed by halves: {missing} is missing.")
    return Signer(publisher, _verified(folder, publisher))


def sums_of(folder: Path) -> str:
    """Return what ``SHA256SUMS`` must say of a folder."""
    names = sorted(_files(folder), key=str.encode)
    return "".join(f"{hashlib.sha256((folder / one).read_bytes()).hexdigest()}  {one}\n" for one in names)


def _files(folder: Path) -> set[str]:
    every = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return set(every) - {SUMS, SIGNATURE}


def _check_sums(folder: Path) -> None:
    lines = _small(folder / SUMS).decode("utf-8", "replace").splitlines()
    said = {match[2]: match[1] for line in lines if (match := _LINE.fullmatch(line))}
    there = _files(folder)
    if len(said) != len(lines) or set(said) != there:
        other = sorted(set(said) ^ there) or ["a line that is no sum"]
        raise Refused("package.sums", f"{SUMS} does not list exactly the files that are there: {other[0][:100]}.")
    for name, digest in said.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise Refused("package.sums", f"{name} is not the file that {SUMS} lists.", hint="Get it again.")


def _verified(folder: Path, publisher: str) -> str:
    from minisign import Error, PublicKey, Signature  # hardly a package is signed

    try:
        signature = Signature.from_bytes(_small(folder / SIGNATURE))
        PublicKey.from_base64(publisher).verify(_small(folder / SUMS), signature)
    except (Error, ValueError) as error:
        raise Refused(
            "package.signature", "The signature is not the publisher's.", hint="Do not install it."
        ) from error
    comment = signature.trusted_comment
    return "" if unseen(comment) else comment[:200]


def _small(path: Path) -> bytes:
    if path.stat().st_size > _MOST_BYTES:
        raise Refused("package.size", f"{path.name} is larger than 1 MiB.")
    return path.read_bytes()
