"""A miner as JSON and back, so that a start does not mine anew. Items stand once, everything else by their numbers."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from memory.sequences.miner import Miner
from memory.sequences.model import Entry, Limits
from memory.sequences.rows import Row, Seen, latest, row_of

_FORM = 1


def miner_to_json(miner: Miner) -> dict[str, Any]:
    """Return all that ``miner`` knows."""
    numbers: dict[str, int] = {}

    def number(item: str) -> int:
        return numbers.setdefault(item, len(numbers))

    told = {
        "form": _FORM,
        "folded": miner.folded,
        "sessions": [
            [one, [[[number(item) for item in entry.items], entry.at, entry.group] for entry in entries]]
            for one, entries in miner.sessions.items()
        ],
        "total": _row_to_json(miner.total, miner.limits),
        "singles": [[number(item), *_row_to_json(row, miner.limits)] for item, row in miner.singles.items()],
        "rows": [
            [[number(item) for item in items], *_row_to_json(row, miner.limits)] for items, row in miner.rows.items()
        ],
        "general": [[number(item), number(wider)] for item, wider in miner.general.items()],
    }
    return {**told, "items": list(numbers)}


def miner_from_json(value: Mapping[str, Any], limits: Limits | None = None) -> Miner:
    """Read what ``miner_to_json`` wrote. Raises KeyError, IndexError, TypeError or ValueError on anything else."""
    if value["form"] != _FORM:
        raise ValueError(f"it is no miner of form {_FORM}")
    miner, items = Miner(limits), [sys.intern(str(item)) for item in value["items"]]
    miner.folded = int(value["folded"])
    for number, entries in value["sessions"]:
        miner.sessions[int(number)] = tuple(
            Entry(tuple(items[one] for one in known), float(at), group) for known, at, group in entries
        )
    same: dict[Row | Seen, Any] = {}
    miner.total = _row_from_json(value["total"], same)
    miner.singles = {items[number]: _row_from_json(row, same) for number, *row in value["singles"]}
    miner.rows = {tuple(items[one] for one in known): _row_from_json(row, same) for known, *row in value["rows"]}
    miner.general = {items[one]: items[wider] for one, wider in value["general"]}
    return miner


def _row_to_json(row: Row, limits: Limits) -> list[Any]:
    times, weight, last, *_ = row
    return [times, weight, last, latest(row, limits)]


def _row_from_json(value: list[Any], same: dict[Row | Seen, Any]) -> Row:
    """Read a row. What is equal is one object (in ``same``), as it was when it was counted."""
    times, weight, last, latest = value
    seen = [(int(session), tuple(places), float(at)) for session, places, at in latest]
    row = row_of(int(times), float(weight), float(last), [same.setdefault(one, one) for one in seen])
    known: Row = same.setdefault(row, row)
    return known
