"""Reading the small files in which Linux speaks of itself (proc(5), sysfs(5)); what cannot be read is not there."""

from __future__ import annotations

from pathlib import Path

PROC = Path("/proc")
SYS = Path("/sys")
_MOST_BYTES = 1 << 20


def text_of(path: Path) -> str:
    """Return the content of a small file without the white space around it; nothing where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace").strip()
    except (OSError, ValueError):
        return ""


def number_of(path: Path) -> int | None:
    """Return the whole number that stands in a file; None where there is none."""
    try:
        return int(text_of(path))
    except ValueError:
        return None


def below(folder: Path) -> list[Path]:
    """Return what stands in a folder, sorted; nothing where it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
