"""The fields of items as arrays by row, so that a filter over 100,000 of them takes well under a millisecond."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from memory.stores.model import Range, Value

Mask = npt.NDArray[np.bool_]
_ABSENT = -1
_TYPES = {str: np.int32, int: np.int64, float: np.float64}


class Column:
    """One field: texts as numbers of their own, whole numbers and fractions as they are."""

    def __init__(self, kind: type[Value], rows: int) -> None:
        self.kind = kind
        self._values = np.full(rows, _ABSENT, dtype=_TYPES[kind])
        self._present = np.zeros(rows, dtype=np.bool_)
        self._codes: dict[str, int] = {}

    def put(self, row: int, value: Value) -> None:
        """Set the value of a row."""
        if row >= len(self._values):
            more = max(row + 1, 2 * len(self._values)) - len(self._values)
            self._values = np.concatenate([self._values, np.full(more, _ABSENT, dtype=self._values.dtype)])
            self._present = np.concatenate([self._present, np.zeros(more, dtype=np.bool_)])
        self._values[row] = self._codes.setdefault(value, len(self._codes)) if isinstance(value, str) else value
        self._present[row] = True

    def drop(self, row: int) -> None:
        """The row has no value any more."""
        if row < len(self._present):
            self._present[row] = False

    def equal(self, wanted: Iterable[Value], rows: int) -> Mask:
        """Where the value is one of ``wanted``, [rows]."""
        known = [self._codes.get(value, _ABSENT) if isinstance(value, str) else value for value in wanted]
        return self._fitted(np.isin(self._values, np.array(known)) & self._present, rows)

    def within(self, span: Range, rows: int) -> Mask:
        """Where a number lies in ``span``, [rows]."""
        low, high = span
        found = self._present.copy()
        if low is not None:
            found &= self._values >= low
        if high is not None:
            found &= self._values < high
        return self._fitted(found, rows)

    @staticmethod
    def _fitted(mask: Mask, rows: int) -> Mask:
        return mask[:rows] if len(mask) >= rows else np.concatenate([mask, np.zeros(rows - len(mask), dtype=np.bool_)])


class Columns:
    """All fields of a store's items."""

    def __init__(self) -> None:
        self._columns: dict[str, Column] = {}

    def check(self, several: Iterable[Mapping[str, Value]]) -> None:
        """Raises ValueError for a value of another type than the field has in this store."""
        kinds: dict[str, type] = {name: column.kind for name, column in self._columns.items()}
        for name, value in (pair for fields in several for pair in fields.items()):
            kind = kinds.setdefault(name, type(value))
            if kind not in _TYPES:
                raise ValueError(f"the field {name} must be a text or a number, not {kind.__name__}")
            if kind is not type(value):
                raise ValueError(f"the field {name} is of {kind.__name__} here, not of {type(value).__name__}")

    def put(self, row: int, fields: Mapping[str, Value]) -> None:
        """Set the fields of a row; what it had before must have been dropped."""
        for name, value in fields.items():
            if name not in self._columns:
                self._columns[name] = Column(type(value), max(1024, row + 1))
            self._columns[name].put(row, value)

    def drop(self, row: int) -> None:
        """The row is free."""
        for column in self._columns.values():
            column.drop(row)

    def mask(
        self, fields: Mapping[str, Value | tuple[Value, ...]], ranges: Mapping[str, Range], rows: int
    ) -> Mask | None:
        """Which rows pass, [rows]; None: all."""
        masks = []
        for name, value in fields.items():
            column = self._columns.get(name)
            wanted = value if isinstance(value, tuple) else (value,)
            masks.append(column.equal(wanted, rows) if column else np.zeros(rows, dtype=np.bool_))
        for name, span in ranges.items():
            column = self._columns.get(name)
            numbers = column is not None and column.kind is not str
            masks.append(column.within(span, rows) if column and numbers else np.zeros(rows, dtype=np.bool_))
        return np.logical_and.reduce(masks) if masks else None
