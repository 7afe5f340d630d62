"""Filing: documents go into the subfolder of their year, month or day, by the date that stands in them.

A file without such a date goes by its own: a photo by the day it was taken, anything else by its last change.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import Literal

from skills.sdk import Context, File, Folder, ToolError, photos, words

from . import facts_of, reading

_FORMATS = {"date": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}


def filed(ctx: Context, files: Sequence[File], to: Folder, by: Literal["date", "month", "year"]) -> list[File]:
    """Move ``files`` below ``to``; what lies in its place already stays. Raises ToolError for a name that is taken, and
    nothing is moved.
    """
    there: list[File] = []
    groups: Counter[str] = Counter()
    for path in dict.fromkeys(ctx.path(one) for one in files):
        file = ctx.file(path)
        ctx.progress(None, file.name)
        folder = os.path.join(ctx.path(to), _day(ctx, file).strftime(_FORMATS[by]))
        place = os.path.join(folder, file.name)
        if place != file.path and ctx.exists(place):
            raise _taken(ctx, place)
        ctx.move(file, place)
        groups[ctx.shown(folder)] += 1
        there.append(File(place, file.size_bytes, file.modified))
    inside = [f"{folder} ({number})" for folder, number in sorted(groups.items())]
    ctx.say(
        f"I filed {words.count(len(there), 'file', 'files')}: {words.listing(inside)}.",
        de=f"Ich habe {words.count(len(there), 'Datei', 'Dateien')} abgelegt: {words.listing(inside, 'de')}.",
    )
    return there


def _day(ctx: Context, file: File) -> date:
    """Return the day that stands in a document, else that of the file."""
    day = None
    if file.suffix in reading.SUFFIXES:
        with suppress(ToolError):  # encrypted, damaged or only scanned: it is filed all the same
            day = facts_of.facts(reading.load(ctx, file, layout=True)).day
    return day or photos.taken(ctx, file) or (file.modified or ctx.now).date()


def _taken(ctx: Context, place: str) -> ToolError:
    folder, name = ctx.shown(Folder(os.path.dirname(place))), words.name(os.path.basename(place))
    return ToolError(
        f"{folder} already holds something called {name}; nothing was filed.",
        hint="Rename one of the two, or choose another folder.",
        code="tool.taken",
        de=f"In {folder} gibt es schon etwas mit dem Namen {name}; es wurde nichts abgelegt.",
        de_hint="Benenne eines der beiden um oder wähle einen anderen Ordner.",
    )
