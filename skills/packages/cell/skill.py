"""What is done with a package behind the wall, as calls like any other; nobody can ask for it in a sentence."""

from __future__ import annotations

from pathlib import Path

from skills.packages.archives import unpacked
from skills.packages.model import Bounds, Refused
from skills.sdk import Context, File, Folder, Text, ToolError


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


def clone(ctx: Context, place: Text, ref: Text) -> int:
    """Fetch one commit of a git repository and unpack its files into this call's own folder.

    Args:
        place: where the repository lies, a path or an address.
        ref: a branch, tag or commit.
    """
    work = ctx.workroom("clone")
    _git(ctx, work, "init", "--quiet", ".")
    _git(ctx, work, "fetch", "--quiet", "--depth=1", "--no-tags", place, ref)
    _git(ctx, work, "archive", "--format=tar", "--output=package.tar", "FETCH_HEAD")
    return _unpacked(Path(work.path) / "package.tar", Path(ctx.workroom("package").path))


def _git(ctx: Context, work: Folder, *arguments: str) -> None:
    done = ctx.run(["git", "-c", "safe.directory=*", "-c", "core.hooksPath=/dev/null", *arguments], cwd=work)
    if done.status != 0:
        said = done.stderr.strip().splitlines()[-1:] or ["nothing"]
        raise ToolError(f"git {arguments[0]} did not work: {said[0][:300]}", hint="Look at the place and the name.",
                        de=f"git {arguments[0]} gelang nicht: {said[0][:300]}")  # fmt: skip


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
