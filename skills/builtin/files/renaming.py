"""New names for several files at once: numbered, with words replaced in them, or with words before or behind them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from skills.sdk import Context, File, ToolError, words

from . import kinds

_SIGNS = {
    " ": "space spaces blank blanks leerzeichen leerstelle leerstellen",
    "_": "underscore underscores unterstrich unterstriche unterstrichen",
    "-": "hyphen hyphens dash dashes bindestrich bindestriche bindestrichen",
    ".": "dot dots period periods punkt punkte punkten",
    ",": "comma commas komma kommas kommata",
}
_BY_NAME = {name: sign for sign, names in _SIGNS.items() for name in names.split()}
_COUNTED = re.compile(
    r"(?P<base>.+?)(?P<joint>[ _.-]?)\(?(?<!\d)(?<!\d[-.])0*1(?!\d)\)?"  # trip 1, trip_01, trip (1)
    r"(?:\.(?=\w*[^\W\d_])\w{1,10})?"  # .jpg
    r"(?:[,;]?\s*(?:\.{3}|[,;…])?"  # , ...
    r"|(?:[,;]|\s(?:to|until|bis|and|und))\s*(?:(?P=base).*|\(?0*2(?!\d).*)"  # , trip 2
    r"|\s(?:to|until|bis)\s*\d+\)?)$",  # to 9
    re.DOTALL | re.IGNORECASE,
)
_SHOWN = 20
_MOST_BYTES = 255


def base_of(name: str) -> tuple[str, str]:
    """Return the name that is numbered and what parts it from the number: ``trip_1, trip_2 and so on`` -> trip, _."""
    wanted = name.strip(" \t#*…")
    counted = _COUNTED.match(wanted)
    if counted is None or not counted["base"].strip():
        return wanted, " "
    return counted["base"].strip(), counted["joint"]


def sign(text: str) -> str:
    """Return the sign that a word names ("underscores"), else the text itself."""
    return _BY_NAME.get(text.strip().casefold(), text)


def beside(stem: str, text: str) -> str:
    """Return what parts ``text`` from the name ``stem``: nothing beside a sign, else a blank or what the name has."""
    if not text[:1].isalnum() or not text[-1:].isalnum():
        return ""
    return "_" if "_" in stem and " " not in stem else " "


def replacing(files: Sequence[File], old: str, new: str) -> Callable[[str, int], str]:
    """Return what makes ``new`` of every ``old`` in a name, in capitals or not; spaces left over at its ends are gone.

    Where ``old`` is a word of its own in one of the names it is one in all: "copy" is not in photocopy then. Raises
    ToolError where ``old`` is nothing.
    """
    if not old:
        raise ToolError(
            "There is nothing to replace; nothing was renamed.",
            hint="Say which words or signs are to go from the names.",
            de="Es gibt nichts zu ersetzen; es wurde nichts umbenannt.",
            de_hint="Sag, welche Wörter oder Zeichen aus den Namen sollen.",
        )
    part = re.compile(re.escape(old), re.IGNORECASE)
    whole = re.compile(f"{_edge(old[0], '<')}{part.pattern}{_edge(old[-1], '')}", re.IGNORECASE)
    pattern = whole if any(whole.search(kinds.parted(file.name)[0]) for file in files) else part
    return lambda stem, _at: pattern.sub(lambda _: new, stem).strip()


def _edge(sign: str, side: str) -> str:
    """Return the pattern for "the word ends here": beside a letter stands none, beside a digit none."""
    return f"(?{side}![^\\W\\d_])" if sign.isalpha() else f"(?{side}!\\d)" if sign.isdigit() else ""


def give(ctx: Context, files: Sequence[File], named: Callable[[str, int], str]) -> list[File]:
    """Give every file the name that ``named`` makes of its name without suffix and its place in the row.

    The suffix stays. Files whose name stays are passed over. Raises ToolError where a name is taken, twice or none.
    """
    meant = [ctx.file(file.path) for file in files]
    paths = [_path(old, named(kinds.parted(old.name)[0], at)) for at, old in enumerate(meant, start=1)]
    _refuse_twice(ctx, paths)
    moves = {old.path: path for old, path in zip(meant, paths, strict=True) if path != old.path}
    for old, new in list(_in_order(moves)):
        ctx.move(old, new)
    _tell(ctx, [(os.path.basename(old), os.path.basename(new)) for old, new in moves.items()], len(files))
    return [File(path, old.size_bytes, old.modified) for old, path in zip(meant, paths, strict=True)]


def _in_order(moves: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the moves so that a name that one of them frees is taken after it. Raises ToolError where they turn."""
    left = dict(moves)
    while left:
        free = [old for old, new in left.items() if new not in left]
        if not free:
            raise _turning(*next(iter(left.items())))
        yield from ((old, left.pop(old)) for old in free)


def _turning(old: str, new: str) -> ToolError:
    before, after = words.name(os.path.basename(old)), words.name(os.path.basename(new))
    return ToolError(
        f"{before} would be called {after}, which is one of the files to rename and has to wait for {before} itself; "
        "nothing was renamed.",
        hint="Give them another name first, then this one.",
        code="tool.taken",
        de=f"{before} hieße dann {after}; so heißt aber eine der anderen Dateien, die auf {before} warten müsste; "
        "es wurde nichts umbenannt.",
        de_hint="Gib ihnen erst einen anderen Namen, dann diesen.",
    )


def _path(old: File, stem: str) -> str:
    name, shown = stem.strip() + kinds.parted(old.name)[1], words.name(old.name)
    if stem.strip() in ("", ".", ".."):
        raise ToolError(
            f"{shown} would be left without a name; nothing was renamed.",
            hint="Say what the files are to be called.",
            de=f"{shown} hätte dann keinen Namen mehr; es wurde nichts umbenannt.",
            de_hint="Sag, wie die Dateien heißen sollen.",
        )
    if "/" in stem or "\0" in stem:
        raise ToolError(
            f"The new name of {shown} would hold a slash, which no name may; nothing was renamed.",
            hint="Choose a name without a slash; a file goes into another folder with “move”.",
            de=f"Im neuen Namen von {shown} stünde ein Schrägstrich, das darf keiner; es wurde nichts umbenannt.",
            de_hint="Wähle einen Namen ohne Schrägstrich; in einen anderen Ordner kommt eine Datei mit „verschiebe“.",
        )
    if len(name.encode()) > _MOST_BYTES:
        raise ToolError(
            f"The new name of {shown} would be too long; nothing was renamed.",
            hint=f"A name has {_MOST_BYTES} bytes at most; choose a shorter one.",
            de=f"Der neue Name von {shown} wäre zu lang; es wurde nichts umbenannt.",
            de_hint=f"Ein Name hat höchstens {_MOST_BYTES} Byte; wähle einen kürzeren.",
        )
    return os.path.join(old.folder, name)


def _refuse_twice(ctx: Context, paths: Sequence[str]) -> None:
    twice = next((path for at, path in enumerate(paths) if path in paths[:at]), None)
    if twice is not None:
        raise ToolError(
            f"Two of the files would be called {words.name(os.path.basename(twice))}; nothing was renamed.",
            hint="Choose names that keep them apart.",
            code="tool.taken",
            de=f"Zwei der Dateien hießen dann {words.name(os.path.basename(twice))}; es wurde nichts umbenannt.",
            de_hint="Wähle Namen, die sie unterscheiden.",
        )


def _tell(ctx: Context, changed: Sequence[tuple[str, str]], among: int) -> None:
    if not changed:
        ctx.say(
            "None of the names changes; nothing was renamed." if among else "There was nothing to rename.",
            de="Keiner der Namen ändert sich; es wurde nichts umbenannt." if among else "Es gab nichts umzubenennen.",
        )
        return
    head = ("alter Name", "neuer Name") if ctx.language == "de" else ("old name", "new name")
    ctx.table(head, [(words.name(old), words.name(new)) for old, new in changed])
    pairs = [f"{words.name(old)} → {words.name(new)}" for old, new in changed]
    ctx.say(
        f"I renamed {words.count(len(changed), 'file', 'files')}: {words.listing(pairs, most=_SHOWN)}.",
        de=f"Ich habe {words.count(len(changed), 'Datei', 'Dateien')} umbenannt: "
        f"{words.listing(pairs, 'de', most=_SHOWN)}.",
    )
