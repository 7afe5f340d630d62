"""What is done with a package behind the wall, as calls like any other; nobody can ask for it in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from skills.contents import INSTRUCTIONS
from skills.manifest import MANIFEST
from skills.packages.archives import unpacked
from skills.packages.cloning import Git
from skills.packages.model import Bounds, Refused
from skills.sdk import Context, File, Text, ToolError

_MOST_NAMED = 400


def unpack(ctx: Context, archive: File) -> int:
    """Unpack an archive into this call's own folder.

    Args:
        archive: a zip or tar.
    """
    return _unpacked(Path(archive.path), Path(ctx.workroom("package").path))


def download(ctx: Context, url: Text) -> int:
    """Fetch an archive and unpack it into this call's own folder.

    Args:
        url: where it lies.
    """
    answer = ctx.fetch(url, limit_bytes=Bounds().total_bytes)
    if answer.status != 200:
        raise ToolError(f"{url} answered with {answer.status}.", hint="Look at the address in a browser.",
                        de=f"{url} antwortete mit {answer.status}.")  # fmt: skip
    archive = Path(ctx.workroom("download").path) / "archive"
    archive.write_bytes(answer.body)
    return _unpacked(archive, Path(ctx.workroom("package").path))


def clone(ctx: Context, place: Text, ref: Text, part: Text, authority: Text) -> str:
    """Fetch one commit of a git repository, unpack its files into this call's own folder, and return its id.

    Args:
        place: where the repository lies, a path or an address.
        ref: a branch, tag or commit.
        part: the folder that is meant; empty for the one skill that is there.
        authority: a certificate authority of the person's own, as PEM; empty for none.
    """
    git = Git(ctx, "https" if place.startswith("https://") else "file", authority)
    commit = git.fetched(place, ref)
    files = git.files(part)
    git.pack(_wanted(files, part), files)
    _unpacked(git.packed, Path(ctx.workroom("package").path))
    return commit


def _wanted(files: Iterable[str], part: str) -> list[str]:
    """Return what to take: the folder of the one skill that is meant, or, of several, the files that name them."""
    named = [path for path in files if path.rpartition("/")[2] in (INSTRUCTIONS, MANIFEST)]
    below = {path.rpartition("/")[0] for path in named}
    tops = [one for one in below if not any(one != other and f"{one}/".startswith(f"{other}/") for other in below)]
    if part and part in tops:
        return [part]
    if "" in below or not tops:
        return [""]
    return [tops[0]] if len(tops) == 1 and not part else sorted(named)[:_MOST_NAMED]


def read(ctx: Context, url: Text) -> str:
    """Fetch a text.

    Args:
        url: where it lies.
    """
    answer = ctx.fetch(url, limit_bytes=1 << 20)
    if answer.status != 200:
        raise ToolError(f"{url} answered with {answer.status}.", hint="Look at the address in a browser.",
                        de=f"{url} antwortete mit {answer.status}.")  # fmt: skip
    return answer.body.decode("utf-8", "replace")


def _unpacked(archive: Path, folder: Path) -> int:
    try:
        return unpacked(archive, folder)
    except Refused as error:
        raise ToolError(str(error), hint=error.hint or "Nothing was installed.", de=str(error)) from error
