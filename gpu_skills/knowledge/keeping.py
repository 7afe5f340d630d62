"""The file: SQLite with a write-ahead log, one row a candidate, a version of its schema.

Stops: a file that SQLite cannot read or that fails its check, and one of another version (both are set aside, kept
under another name, and told in ``set_aside``). Does not stop: false rows from who may write the file.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from gpu_skills.errors import NothingKnown
from gpu_skills.knowledge import lines
from gpu_skills.knowledge.foreseeing import foresight, rank_correlation
from gpu_skills.knowledge.model import Advice, Features, Row
from gpu_skills.knowledge.nearness import neighbours
from gpu_skills.model import Genome

VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE features (id INTEGER PRIMARY KEY, problem TEXT NOT NULL, family TEXT NOT NULL, device TEXT NOT NULL,
  told TEXT NOT NULL UNIQUE);
CREATE TABLE rows (features INTEGER NOT NULL REFERENCES features(id) ON DELETE CASCADE, genome TEXT NOT NULL,
  best_ns REAL, median_ns REAL, samples INTEGER NOT NULL, statics TEXT NOT NULL, verdict TEXT NOT NULL,
  made_by TEXT NOT NULL, parents TEXT NOT NULL, compiler TEXT NOT NULL, generator TEXT NOT NULL,
  PRIMARY KEY (features, genome, compiler, generator));
CREATE INDEX by_problem ON features (problem);
CREATE INDEX by_kind ON features (device, family);
"""
_COLUMNS: Final = "genome, best_ns, median_ns, samples, statics, verdict, made_by, parents, compiler, generator"
_WAIT_S, _WINNERS, _FAR = 10.0, 3, 6.0
_MOST_BYTES: Final = 64 << 20


class Knowledge:
    """What past searches taught. ``set_aside`` says, where it is not empty, what became of a file that was no good."""

    def __init__(self, place: Path) -> None:
        self.place, self.set_aside = place, ""
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._base = _opened(place)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise
            self.set_aside = _put_aside(place, str(error))
            self._base = _opened(place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self._base.close()

    def learn(self, rows: Iterable[Row]) -> int:
        """Keep rows, all or none, and return how many. A row of the same problem, genome and versions is replaced."""
        count = 0
        with self._base:
            for row in rows:
                told = (self._features(row.features), *_cells(row))
                self._base.execute(f"INSERT OR REPLACE INTO rows VALUES ({','.join('?' * len(told))})", told)  # noqa: S608
                count += 1
        return count

    def rows(self, like: Features | None = None) -> list[Row]:
        """Return all rows, or those of the device and family of ``like``."""
        where, of = ("", ()) if like is None else (" WHERE device = ? AND family = ?", (like.device.value, like.family))
        query = f"SELECT told, {_COLUMNS} FROM rows JOIN features ON features.id = rows.features{where}"  # noqa: S608
        found = self._base.execute(query + " ORDER BY features.id, genome", of).fetchall()
        known: dict[str, Features] = {}
        return [_row(known.setdefault(one[0], lines.features_from(json.loads(one[0]))), one[1:]) for one in found]

    def advice(self, features: Features) -> Advice:
        """Return what past problems say for a new one: nothing, where there are none of its kind."""
        rows = self.rows(features)
        near = [one for one in neighbours(features, rows) if one.distance <= _FAR]
        winners = [one.winner.genome for one in near if one.winner is not None]
        model = foresight(features, [row for one in near for row in one.rows])
        return Advice(tuple(_different(winners)[:_WINNERS]), model)

    def rank_correlation(self, like: Features) -> float | None:
        """Return how well the cost model orders problems of this kind that it was not fitted to; None if unknown."""
        return rank_correlation(self.rows(like))

    def forget(self, problem: str) -> int:
        """Remove every row of a problem, on the disk as well, and return how many there were."""
        with self._base:
            count = self._base.execute(
                "SELECT count(*) FROM rows JOIN features ON features.id = rows.features WHERE problem = ?", (problem,)
            ).fetchone()[0]
            self._base.execute("DELETE FROM features WHERE problem = ?", (problem,))
        self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return int(count)

    def export(self, place: Path) -> int:
        """Write every row as a JSON line and return how many; the file is there whole or not at all."""
        told = list(lines.written(self.rows()))
        half = place.with_name(f".{place.name}.half")
        half.write_text("".join(f"{one}\n" for one in told), encoding="utf-8")
        half.replace(place)
        return len(told)

    def take_in(self, place: Path) -> int:
        """Read rows from JSON lines, all or none, and return how many.

        Raises NothingKnown for what is no row, and for a file that cannot be read or is larger than 64 MiB.
        """
        try:
            text = _read(place)
            return self.learn(list(lines.read(text.split("\n"))))
        except (OSError, UnicodeError, sqlite3.DataError) as error:
            raise _unread(str(error)) from error

    def _features(self, features: Features) -> int:
        told = json.dumps(asdict(features), sort_keys=True)
        self._base.execute(
            "INSERT OR IGNORE INTO features (problem, family, device, told) VALUES (?, ?, ?, ?)",
            (features.problem, features.family, features.device.value, told),
        )
        return int(self._base.execute("SELECT id FROM features WHERE told = ?", (told,)).fetchone()[0])


def _read(place: Path) -> str:
    with place.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise _unread(f"it is larger than {_MOST_BYTES >> 20} MiB")
    return data.decode()


def _unread(why: str) -> NothingKnown:
    return NothingKnown("knowledge.file", f"The file cannot be taken in: {why}.", hint="Take it away, or export again.")


def _opened(place: Path) -> sqlite3.Connection:
    base = sqlite3.connect(place, timeout=_WAIT_S)
    try:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", "secure_delete = ON"):
            base.execute(f"PRAGMA {pragma}")
        version = base.execute("PRAGMA user_version").fetchone()[0]
        empty = not base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if empty and version == 0:
            base.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
        _check(base)
    except BaseException:
        base.close()
        raise
    return base


def _check(base: sqlite3.Connection) -> None:
    version = base.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        raise sqlite3.DatabaseError(f"its schema is of version {version}, not {VERSION}")
    if (said := base.execute("PRAGMA quick_check").fetchone()[0]) != "ok":
        raise sqlite3.DatabaseError(str(said))


def _put_aside(place: Path, why: str) -> str:
    """Rename a file and its log, and return what is to be said."""
    aside = place.with_name(f"{place.name}.{time.time_ns()}.aside")
    place.rename(aside)
    for ending in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            place.with_name(place.name + ending).rename(aside.with_name(aside.name + ending))
    return f"What was known of kernels could not be read ({why}). It is kept as {aside.name}; a new file is begun."


def _cells(row: Row) -> tuple[str | float | int | None, ...]:
    genome, statics, parents = json.dumps(dict(row.genome), sort_keys=True), json.dumps(row.statics), list(row.parents)
    return (genome, row.best_ns, row.median_ns, row.samples, statics, row.verdict, row.made_by, json.dumps(parents),
            row.compiler, row.generator)  # fmt: skip


def _row(features: Features, told: tuple[str, float, float, int, str, str, str, str, str, str]) -> Row:
    genome, best, middle, samples, statics, verdict, made_by, parents, compiler, generator = told
    figures = tuple((str(name), float(value)) for name, value in json.loads(statics))
    return Row(features, json.loads(genome), best, middle, samples, figures, verdict, made_by,
               tuple(json.loads(parents)), compiler, generator)  # fmt: skip


def _different(genomes: list[Genome]) -> list[Genome]:
    return list({json.dumps(dict(one), sort_keys=True): one for one in genomes}.values())
