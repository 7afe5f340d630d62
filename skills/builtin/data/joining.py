"""Two tables side by side, on a column that both have: every pair of rows whose values are the same."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from skills.sdk import ToolError
from skills.sdk.words import listing

from . import telling
from .frame import MOST_ROWS, Cell, Frame
from .kinds import Column
from .names import meaning, plain


@dataclass(frozen=True, slots=True)
class Joined:
    """The joined table, the column it was joined on, and how many rows of the first found no partner.

    ``columns`` say how the values are written; they still have the names that they had in their own tables.
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    on: str
    unmatched: int


def said(joined: Joined, first: str, second: str, shown: str) -> tuple[str, str]:
    """Return what was joined and what was left out, English and German; ``shown`` are its first rows."""
    heading, lost = " · ".join(joined.names), joined.unmatched
    lost_en = f"\n{lost} of {first} had no match and were left out." if lost else ""
    lost_de = f"\n{lost} aus {first} hatten kein Gegenstück und fehlen." if lost else ""
    size_en, size_de = (telling.counted(len(joined.rows), language) for language in ("en", "de"))
    return (
        f"{first} and {second} share {joined.on} and give {size_en} ({heading}):\n{shown}{lost_en}",
        f"{first} und {second} haben {joined.on} gemeinsam und ergeben {size_de} ({heading}):\n{shown}{lost_de}",
    )


def join(left: Frame, right: Frame, on: str | None) -> Joined:
    """Join two tables. Raises ToolError when the column is not in both, or the result would be too large."""
    at, other = _keys(left, right, on)
    partners: dict[Any, list[tuple[Cell, ...]]] = defaultdict(list)
    for row in right.rows():
        if row[other] is not None:
            partners[_same(row[other])].append((*row[:other], *row[other + 1 :]))
    rows: list[tuple[Cell, ...]] = []
    unmatched = 0
    for row in left.rows():
        found = partners.get(_same(row[at]), [])
        unmatched += not found
        rows.extend((*row, *partner) for partner in found)
        if len(rows) > MOST_ROWS:
            raise ToolError(
                f"Joined on {left.names[at]}, the tables give more than {MOST_ROWS} rows.",
                hint="Join on a column whose values are different in each row.",
                code="data.too-many-rows",
                de=f"Über {left.names[at]} verbunden ergeben die Tabellen mehr als {MOST_ROWS} Zeilen.",
                de_hint="Verbinde sie über eine Spalte, deren Werte sich in jeder Zeile unterscheiden.",
            )
    columns = (*left.columns, *right.columns[:other], *right.columns[other + 1 :])
    return Joined(_names(left, right, other), columns, tuple(rows), left.names[at], unmatched)


def _keys(left: Frame, right: Frame, on: str | None) -> tuple[int, int]:
    if on is not None:
        return left.find(on), right.find(on)
    theirs = {plain(name): at for at, name in enumerate(right.names)}
    shared = [(at, theirs[plain(name)]) for at, name in enumerate(left.names) if plain(name) in theirs]
    shared = [pair for pair in shared if meaning(left.names[pair[0]]) not in ("amount", "currency")]  # no keys
    keyed = [
        pair for pair in shared if plain(left.names[pair[0]]).split()[-1] in ("id", "nr", "no", "number", "nummer")
    ]
    if len(keyed or shared) == 1:
        return (keyed or shared)[0]
    names = listing([left.names[at] for at, _ in shared])
    have = f"several columns in common: {names}" if shared else "no column in common to join them on"
    haben = f"mehrere Spalten gemeinsam: {names}" if shared else "keine Spalte gemeinsam, die sie verbindet"
    raise ToolError(
        f"{left.label} and {right.label} have {have}.",
        hint="Say which column to join them on.",
        code="data.no-join",
        de=f"{left.label} und {right.label} haben {haben}.",
        de_hint="Sag, über welche Spalte sie verbunden werden sollen.",
    )


def _same(value: Cell) -> Any:
    """Return what two values have in common that are the same to a person: numbers by value, text without case."""
    return " ".join(value.split()).casefold() if isinstance(value, str) else value


def _names(left: Frame, right: Frame, key: int) -> tuple[str, ...]:
    taken = {name.casefold() for name in left.names}
    names = list(left.names)
    stem = right.label.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    for at, name in enumerate(right.names):
        if at == key:
            continue
        free = f"{name} ({stem})" if name.casefold() in taken else name
        number = 1
        while free.casefold() in taken:
            number += 1
            free = f"{name} ({stem} {number})"
        taken.add(free.casefold())
        names.append(free)
    return tuple(names)
