"""Which files are meant, in which order, and on which day a photo was taken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from skills.sdk import Context, File, Period, Size, ToolError, photos

from . import kinds, matching


def fits(file: File, kind: str | None, modified: Period | None, size: Size | None) -> bool:
    """Tell whether a file is of the kind, the time and the size that are asked for."""
    return (
        kinds.matches(file.suffix, kind)
        and (modified is None or (file.modified is not None and modified.holds(file.modified.date())))
        and (size is None or size.holds(file.size_bytes))
    )


def but_for(files: Iterable[File], not_name: str | None, not_kind: Sequence[str]) -> list[File]:
    """Return the files but for those excepted. Raises ToolError where a name excepts none: it may be misspelt."""
    kept = [file for file in files if not any(kinds.matches(file.suffix, kind) for kind in not_kind)]
    if not not_name:
        return kept
    left = [file for file in kept if not matching.score(not_name, file.name)]
    if kept and len(left) == len(kept):
        raise ToolError(
            f"None of them has “{not_name}” in its name, so nothing would be left out.",
            hint="Say what to leave out by words of its name, or by its kind.",
            de=f"Nichts davon hat „{not_name}“ im Namen, es bliebe also nichts ausgenommen.",
            de_hint="Sag, was ausgenommen ist, mit Wörtern seines Namens oder mit seiner Art.",
        )
    return left


def ordered(found: Sequence[tuple[float, File]], order: str | None) -> list[File]:
    """Sort by ``order``; without one, the best fit comes first. The path decides between equals."""

    def when(file: File) -> float:
        return file.modified.timestamp() if file.modified else 0.0

    keys = {
        "newest": lambda pair: -when(pair[1]),
        "oldest": lambda pair: when(pair[1]),
        "largest": lambda pair: -pair[1].size_bytes,
        "smallest": lambda pair: pair[1].size_bytes,
        "name": lambda pair: pair[1].name.casefold(),
        None: lambda pair: -pair[0],
    }
    by_path = sorted(found, key=lambda pair: pair[1].path)
    return [file for _fit, file in sorted(by_path, key=keys[order])]


def day_of(ctx: Context, file: File) -> date:
    """Return the day of a file: for a photo when it was taken, else when it was last changed."""
    taken = photos.taken(ctx, file) if kinds.matches(file.suffix, "image") else None
    if taken is not None:
        return taken
    return (file.modified or ctx.now).date()


def dated(day: date, by: str) -> str:
    """Return the name of the folder for ``day``; all sort by time."""
    return {"date": f"{day:%Y-%m-%d}", "month": f"{day:%Y-%m}", "year": f"{day:%Y}"}[by]
