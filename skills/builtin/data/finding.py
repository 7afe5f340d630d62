"""Which table of a home holds what was spent, where a person names none: by its name, else by its columns.

Only files that are tables by their suffix are looked at, a bounded number of them. Where several may be meant, they are
named in a refusal; a table is never chosen among equals.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import PurePosixPath

from skills.sdk import Context, File, Table, ToolError
from skills.sdk.words import listing

from . import names, reading

SUFFIXES = frozenset({".csv", ".tsv", ".xlsx", ".xlsm", ".parquet"})
_SPENDING = frozenset().union(
    *map(
        names.stems,
        "expenses spending spendings outlays costs expenditure expenditures receipts "
        "ausgaben kosten haushaltsbuch haushaltskasse auslagen".split(),
    )
)
_MOST_FILES = 500
_MOST_READ = 40  # of which the columns are looked at
_MOST_BYTES = 8 << 20


def of_spending(ctx: Context) -> Table:
    """Return the one table of what was spent. Raises ToolError when there is none, or when several may be meant."""
    every = list(islice((file for file in ctx.scan(ctx.home, caches=False) if file.suffix in SUFFIXES), _MOST_FILES))
    found = [file for file in every if names.stems(file.stem) & _SPENDING] or _by_columns(ctx, every)
    if len(found) != 1:
        raise _several(ctx, found) if found else _none(ctx, every)
    return Table((), (), found[0].path)


def _by_columns(ctx: Context, every: Sequence[File]) -> list[File]:
    """The tables that have an amount, a day, and a place or a purpose for each row."""
    small = (file for file in every if 0 < file.size_bytes <= _MOST_BYTES)
    return [file for file in islice(small, _MOST_READ) if {"amount", "date", "vendor"} <= _meanings(ctx, file)]


def _meanings(ctx: Context, file: File) -> set[str]:
    try:
        return set(map(names.meaning, reading.load(ctx, Table((), (), file.path)).names))
    except ToolError:  # no table after all, or a broken one: it is not the one that is meant
        return set()


def _several(ctx: Context, found: Sequence[File]) -> ToolError:
    shown = [ctx.shown(file) for file in found]
    return ToolError(
        f"Several tables may hold what you spent: {listing(shown)}.",
        hint=f"Name one of them, such as “how much did I spend according to {PurePosixPath(shown[0]).name}”.",
        code="data.several-tables",
        de=f"Mehrere Tabellen können deine Ausgaben enthalten: {listing(shown, 'de')}.",
        de_hint=f"Nenne eine davon, etwa „wie viel habe ich laut {PurePosixPath(shown[0]).name} ausgegeben“.",
    )


def _none(ctx: Context, every: Sequence[File]) -> ToolError:
    shown = [ctx.shown(file) for file in every[:8]]
    there, da = (
        (f" The tables here are {listing(shown)}.", f" Tabellen hier: {listing(shown, 'de')}.") if shown else ("", "")
    )
    return ToolError(
        f"I found no table of what you spent, by its name or its columns.{there}",
        hint="Name the table.",
        code="data.no-table",
        de=f"Ich habe keine Tabelle deiner Ausgaben gefunden, weder am Namen noch an den Spalten.{da}",
        de_hint="Nenne die Tabelle.",
    )
