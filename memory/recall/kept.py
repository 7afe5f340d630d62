"""``recall.db``: turns and facts as they were told, and arrays over them by place.

What this stops: forgotten words staying in the file (``secure_delete``, vacuumed, log truncated).
What it does not: older copies of the file; blocks that a disk has not reused. The texts lie in it readable.
"""

from __future__ import annotations

import json
import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory.database import broken, open_writer, transaction
from memory.graph.names import folded
from memory.model import EntityId
from memory.recall.model import Question, Turn
from memory.stores.checks import allowed, canonical, concerns, telling
from memory.stores.columns import Columns, Mask
from memory.stores.model import Range, Value
from memory.text_index import in_memory

FORMAT = 2
TURN, FACT = "turn", "fact"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS memory (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    text TEXT NOT NULL, at_ns INTEGER NOT NULL, session TEXT NOT NULL, speaker TEXT NOT NULL, origin TEXT NOT NULL,
    source INTEGER NOT NULL, label TEXT NOT NULL, about TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS about (entity TEXT NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (entity, row)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (seen INTEGER NOT NULL);
INSERT INTO state SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM state);
"""
LONG = 400
"""Characters; what is longer counts as so long."""
_COLUMNS = "id, kind, text, at_ns, session, speaker, origin, source, label, about"
_MANY = 500

Places = npt.NDArray[np.intp]


class Kept:
    """The file, for one thread at a time. A place (0, 1, 2 ...) is the order in which memories were told."""

    def __init__(self, path: Path | None) -> None:
        """Raises sqlite3.Error, or LedgerBroken when the file is damaged or of another form."""
        self._connection = open_writer(path) if path else in_memory()
        self._connection.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes is told again
        form = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if form not in (0, FORMAT):
            self._connection.close()
            raise broken(path or Path(":memory:"), f"it is not a recall of format {FORMAT}")
        self._connection.executescript(f"{_SCHEMA} PRAGMA user_version = {FORMAT};")
        self._load()

    def _load(self) -> None:
        self.ids: list[str] = []
        self.places: dict[str, int] = {}
        self._rows = array("q")
        self._columns = Columns()
        self._labels = array("i")
        self._codes: dict[str, int] = {}
        self._sessions: dict[str, int] = {}
        self._speakers: dict[str, int] = {}
        self._at = array("q")
        self._session = array("i")
        self._speaker = array("i")
        self._length = array("i")
        self._asks = array("b")
        self._arrays: Arrays | None = None
        for row, *fields in self._connection.execute(f"SELECT row, {_LIGHT} FROM memory ORDER BY row"):  # noqa: S608
            self._seat(row, *fields)

    def _seat(
        self, row: int, id: str, kind: str, at_ns: int, session: str, speaker: str, origin: str, label: str,
        length: int, asks: int,
    ) -> None:  # fmt: skip
        place, id = len(self.ids), sys.intern(id)
        self.ids.append(id)
        self.places[id] = place
        self._rows.append(row)
        self._labels.append(self._codes.setdefault(label, len(self._codes)))
        self._at.append(at_ns)
        self._session.append(self._sessions.setdefault(session, len(self._sessions)))
        self._speaker.append(self._speakers.setdefault(speaker, len(self._speakers)))
        self._length.append(min(length, LONG) if kind == TURN else LONG // 2)
        self._asks.append(bool(asks) and kind == TURN)
        self._columns.put(place, {"kind": kind, "at": at_ns, "session": session, "speaker": speaker, "origin": origin})
        self._arrays = None

    # --- changing -----------------------------------------------------------------------------------------------------

    def add(self, several: Sequence[tuple[str, Turn]], seen: int | None = None) -> list[tuple[str, Turn]]:
        """Take in (kind, turn)s; those that were not there. ``seen``: the last event that was looked at."""
        fresh = list({turn.id: (kind, turn) for kind, turn in several if turn.id not in self.places}.values())
        end = (self._connection.execute("SELECT max(row) FROM memory").fetchone()[0] or 0) + 1
        rows = range(end, end + len(fresh))
        with transaction(self._connection) as connection:
            connection.executemany(
                f"INSERT INTO memory (row, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                [
                    (row, turn.id, kind, turn.text, turn.at_ns, turn.session, turn.speaker, turn.origin, turn.source,
                     canonical(turn.label), json.dumps(turn.about))
                    for row, (kind, turn) in zip(rows, fresh, strict=True)
                ],
            )  # fmt: skip
            connection.executemany(
                "INSERT OR IGNORE INTO about VALUES (?, ?)",
                [(entity, row) for row, (_, turn) in zip(rows, fresh, strict=True) for entity in turn.about],
            )
            if seen is not None:
                connection.execute("UPDATE state SET seen = max(seen, ?)", (seen,))
        for row, (kind, turn) in zip(rows, fresh, strict=True):
            label = canonical(turn.label)
            self._seat(
                row, turn.id, kind, turn.at_ns, turn.session, turn.speaker, turn.origin, label, len(turn.text),
                "?" in turn.text,
            )  # fmt: skip
        return fresh

    def remove(self, ids: Iterable[str]) -> int:
        """Take memories out: how many were there. ``scrub`` removes their last bytes."""
        gone = [(self._rows[self.places[id]],) for id in dict.fromkeys(ids) if id in self.places]
        with transaction(self._connection) as connection:
            connection.executemany("DELETE FROM memory WHERE row = ?", gone)
            connection.executemany("DELETE FROM about WHERE row = ?", gone)
        if gone:
            self._load()
        return len(gone)

    def scrub(self) -> None:
        """Leave no byte of what was taken out."""
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def clear(self) -> None:
        """Take everything out, to the last byte."""
        with transaction(self._connection) as connection:
            for statement in ("DELETE FROM memory", "DELETE FROM about", "UPDATE state SET seen = 0"):
                connection.execute(statement)
        self.scrub()
        self._load()

    # --- reading ------------------------------------------------------------------------------------------------------

    @property
    def seen(self) -> int:
        """The last event that was looked at, as the teller said."""
        seen: int = self._connection.execute("SELECT seen FROM state").fetchone()[0]
        return seen

    def __len__(self) -> int:
        return len(self.ids)

    def turns(self, ids: Sequence[str]) -> dict[str, tuple[str, Turn]]:
        """(kind, turn) by id, of those that are there."""
        found = {}
        for at in range(0, len(ids), _MANY):
            some = ids[at : at + _MANY]
            asked = f"SELECT {_COLUMNS} FROM memory WHERE id IN ({', '.join('?' * len(some))})"  # noqa: S608
            for id, kind, text, at_ns, session, speaker, origin, source, label, about in self._connection.execute(
                asked, some
            ):
                whom = tuple(map(EntityId, json.loads(about)))
                turn = Turn(id, text, at_ns, session, speaker, origin, source, json.loads(label), whom)
                found[id] = (kind, turn)
        return found

    def about(self, entities: Collection[str]) -> dict[int, list[str]]:
        """Places of memories about these entities, with whom of them."""
        asked = "SELECT row, entity FROM about WHERE entity IN (SELECT value FROM json_each(?))"
        found: dict[int, list[str]] = {}
        for row, entity in self._connection.execute(asked, (json.dumps(list(entities)),)):
            found.setdefault(bisect_left(self._rows, row), []).append(entity)
        return found

    def concerned(self, entities: Collection[EntityId], words: Collection[str]) -> list[str]:
        """The memories that are one of ``entities``, about one, or that hold one of the names."""
        ids, forms = frozenset(entities), telling(words)
        rows = self._connection.execute("SELECT id, about, text, speaker FROM memory")
        return [
            id
            for id, about, text, speaker in rows
            if id in ids or concerns(("", json.loads(about), (text, speaker)), ids, forms)
        ]

    def mask(self, question: Question) -> Mask:
        """Which places the question's filters let through, [len(self)]."""
        count = len(self.ids)
        some = self._columns.mask(*filters(question), count)
        mask = np.ones(count, dtype=np.bool_) if some is None else some
        if question.people:
            mask = mask & self._of(question.people)
        if question.label is not None:
            codes = [self._codes[text] for text in allowed(self._codes, question.label)]
            mask = mask & np.isin(np.array(self._labels, dtype=np.int32), codes)
        return mask

    def _of(self, people: Sequence[str]) -> Mask:
        wanted = {form for name in people for form in folded(name)}
        speakers = tuple(name for name in self._speakers if not wanted.isdisjoint(folded(name)))
        said = self._columns.mask({"speaker": speakers}, {}, len(self.ids)) if speakers else None
        mask = np.zeros(len(self.ids), dtype=np.bool_) if said is None else said
        mask[list(self.about(people))] = True
        return mask

    def speakers(self) -> dict[str, int]:
        """Everybody who said something, with the number that ``Arrays.speaker`` has."""
        return self._speakers

    def arrays(self) -> Arrays:
        """What ranking needs of all memories."""
        if self._arrays is None:
            alone = self._sessions.get("", -1)
            self._arrays = Arrays(self._at, self._session, self._speaker, self._length, self._asks, alone=alone)
        return self._arrays

    def close(self) -> None:
        """Free the file."""
        self._connection.close()


def fields(kind: str, turn: Turn) -> dict[str, Value]:
    """What a memory may be filtered by in any store."""
    return {"kind": kind, "at": turn.at_ns, "session": turn.session, "origin": turn.origin}


def filters(question: Question) -> tuple[dict[str, Value | tuple[Value, ...]], dict[str, Range]]:
    """The question's filters over ``fields``."""
    wanted = {"kind": question.kinds, "session": question.sessions, "origin": question.origins}
    ranges: dict[str, Range] = {"at": question.span} if question.span != (None, None) else {}
    return {name: tuple(values) for name, values in wanted.items() if values}, ranges


_LIGHT = "id, kind, at_ns, session, speaker, origin, label, length(text), instr(text, '?')"


class Arrays:
    """Times, sessions, speakers, and which memory was said before and after which, all [memories].

    ``before`` and ``after`` hold places, -1 where a session begins or ends; a memory without a session stands alone.
    ``length``: 0 .. 1, the logarithm of the characters up to ``LONG``; a fact counts as half as long. ``asks``: 0 or 1.
    """

    def __init__(
        self, at: Sequence[int], session: Sequence[int], speaker: Sequence[int], length: Sequence[int],
        asks: Sequence[int], *, alone: int,
    ) -> None:  # fmt: skip
        self.at = np.array(at, dtype=np.int64)
        self.session = np.array(session, dtype=np.int32)
        self.speaker = np.array(speaker, dtype=np.int32)
        self.length = (np.log1p(np.array(length, dtype=np.float32)) / np.log1p(np.float32(LONG))).astype(np.float32)
        self.asks = np.array(asks, dtype=np.float32)
        order = np.lexsort((np.arange(len(at)), self.at, self.session))
        self.before = np.full(len(at), -1, dtype=np.intp)
        self.after = np.full(len(at), -1, dtype=np.intp)
        if len(at) > 1:
            first, second = order[:-1], order[1:]
            beside = (self.session[first] == self.session[second]) & (self.session[first] != alone)
            self.before[second[beside]] = first[beside]
            self.after[first[beside]] = second[beside]
