"""What is done with a package behind the wall, as calls like any other; nobody can ask for it in a sentence."""

from __future__ import annotations

from pathlib import Path

from skills.packages.archives import unpacked
from skills.packages.model import Bounds, Refused
from skills.sdk import Context, File, Text, ToolError


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
