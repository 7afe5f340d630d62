"""What a model that follows instructions can do: look into a folder, read a file, write one, run a command."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from skills.sdk import Context, ErrorWords, File, Folder, NewFile, Text, words

PART = 8000
"""Characters of a file that are read at once."""

_MOST_NAMES = 200
_MOST_SAID = 6000
_LARGEST = 8 << 20
_TOO_LARGE = ErrorWords(
    "hands.large", "{place} is too large to be read ({size}).", "Read another file, or a part of it with a command.",
    "{place} ist zu groß zum Lesen ({size}).", "Nimm eine andere Datei, oder einen Teil davon mit einem Befehl.",
)  # fmt: skip
_NO_TEXT = ErrorWords(
    "hands.binary", "{place} is no text.", "Read another file.", "{place} ist kein Text.", "Nimm eine andere Datei.",
)  # fmt: skip
_NO_PART = ErrorWords(
    "hands.part", "{place} has {count} parts.", "Read one of them.", "{place} hat {count} Teile.", "Nimm einen davon.",
)  # fmt: skip
_FAILED = ErrorWords(
    "hands.failed", "The command {how}, and nothing that it changed is kept.{said}", "Correct it.",
    "Der Befehl {wie}, und nichts, was er geändert hat, bleibt.{said}", "Verbessere ihn.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: ``part`` of ``parts``, both from 1."""

    text: str
    part: int
    parts: int


def look(ctx: Context, folder: Folder) -> Text:
    """Look into a folder: what lies in it, files with their size in bytes, folders with a slash.

    Args:
        folder: the folder.
    """
    below = [f"{one.path.rpartition('/')[2]}/" for one in islice(ctx.folders(folder), _MOST_NAMES + 1)]
    files = [f"{one.name} ({one.size_bytes})" for one in islice(ctx.scan(folder, recursive=False), _MOST_NAMES + 1)]
    names = [*below, *files]
    more = ["… and more"] if len(names) > _MOST_NAMES else []
    return Text("\n".join([*names[:_MOST_NAMES], *more]) or "(nothing)")


def read(ctx: Context, file: File, part: int = 1) -> Piece:
    """Read a text file, a long one in parts.

    Args:
        file: the file.
        part: which part, from 1.
    """
    size = ctx.file(file).size_bytes
    if size > _LARGEST:
        raise _TOO_LARGE(ctx.shown(file), size=words.size(size))
    data = ctx.read_bytes(file)
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _NO_TEXT(ctx.shown(file))
    text = data.decode(words.encoding_of(data), errors="replace")
    parts = max(1, -(-len(text) // PART))
    if not 1 <= part <= parts:
        raise _NO_PART(ctx.shown(file), count=parts)
    return Piece(text[(part - 1) * PART : part * PART], part, parts)


def write(ctx: Context, place: NewFile, text: Text) -> File:
    """Write a file, whole: what stood there before is gone.

    Args:
        place: where.
        text: all of its new content.
    """
    ctx.write(place, text)
    return File(ctx.path(place), len(text.encode()), ctx.now)


def run(ctx: Context, command: Text, folder: Folder) -> Text:
    """Run a command line in a folder.

    Args:
        command: the command line.
        folder: where to run it.
    """
    ran = ctx.run(["/bin/sh", "-c", command], cwd=folder)
    said = "\n".join(one.rstrip() for one in (ran.stdout, ran.stderr) if one.strip())
    said = said if len(said) <= _MOST_SAID else f"…{said[-_MOST_SAID:]}"
    if ran.status != 0:
        how, wie = _ended(ran.status)
        raise _FAILED(how=how, wie=wie, said=f"\n{said}" if said else "")
    return Text(said or "(it said nothing)")


def _ended(status: int) -> tuple[str, str]:
    if status < 0:
        return f"was ended by signal {-status}", f"wurde durch Signal {-status} beendet"
    return f"ended with status {status}", f"endete mit Status {status}"
