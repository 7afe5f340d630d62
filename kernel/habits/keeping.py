"""What is known of habits between two starts: the miner, the deeds of its sessions, and how far the ledger was read.

What this stops: a start that mines years anew; a word of what was forgotten staying here.
What it does not: seal the file. Like what recall keeps it is readable to whoever reads the folder of the data.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from kernel.habits.model import Deed, Given, Made
from memory import write_derived
from memory.sequences import Entry, Limits, Miner, miner_from_json, miner_to_json

_FORM = b"steward habits 1".ljust(32)
_HEAD = len(_FORM) + hashlib.sha256().digest_size

Ranges = Sequence[tuple[int, int]]


@dataclass(slots=True)
class Kept:
    """What is known. ``seqs`` are the events of each run in it, ``open`` the deeds of the session that goes on."""

    miner: Miner
    deeds: OrderedDict[int, tuple[Deed, ...]] = field(default_factory=OrderedDict)  # the oldest are at hand
    open: list[Deed] = field(default_factory=list)
    undone: set[str] = field(default_factory=set)
    seqs: dict[str, tuple[int, ...]] = field(default_factory=dict)
    seq: int = 0

    def let_go(self) -> None:
        """Let go of the deeds of sessions that the miner has let go of, which are the oldest."""
        while (number := next(iter(self.deeds), None)) is not None and number not in self.miner.sessions:
            for deed in self.deeds.pop(number):
                self.seqs.pop(deed.run, None)
                self.undone.discard(deed.run)

    def forget(self, ranges: Ranges, entry: Callable[[Deed], Entry]) -> bool:
        """Let go of every run of which an event in ``ranges`` (both ends with it) told; whether there was one."""
        gone = {run for run, seqs in self.seqs.items() if any(_within(one, ranges) for one in seqs)}
        if not gone:
            return False
        self.open = [one for one in self.open if one.run not in gone]
        changed = {
            number: tuple(one for one in deeds if one.run not in gone)
            for number, deeds in self.deeds.items()
            if any(one.run in gone for one in deeds)
        }
        self.miner = self.miner.without(changed, lambda number: [entry(one) for one in changed[number]])
        self.deeds = OrderedDict((number, deeds) for number, deeds in (self.deeds | changed).items() if deeds)
        self.undone -= gone
        for run in gone:
            del self.seqs[run]
        return True


def _within(seq: int, ranges: Ranges) -> bool:
    place = bisect_right(ranges, (seq, float("inf"))) - 1
    return place >= 0 and ranges[place][0] <= seq <= ranges[place][1]


def write_kept(file: Path, kept: Kept, seq: float) -> bool:
    """Write down what is known, from event ``seq`` on the ledger is read again; tell whether that could be done."""
    told = {
        "miner": miner_to_json(kept.miner),
        "deeds": [[number, [_deed_to_json(one) for one in deeds]] for number, deeds in kept.deeds.items()],
        "open": [_deed_to_json(one) for one in kept.open],
        "undone": sorted(kept.undone),
        "seqs": kept.seqs,
        "seq": int(seq),
    }
    return write_derived(file, _FORM, zlib.compress(json.dumps(told, separators=(",", ":")).encode(), 1))


def read_kept(file: Path, limits: Limits) -> Kept:
    """Return what ``file`` keeps; nothing where it is not there, or not what was written."""
    try:
        data = file.read_bytes()
        body = data[_HEAD:]
        if data[:_HEAD] != _FORM + hashlib.sha256(body).digest():
            return Kept(Miner(limits))
        told = json.loads(zlib.decompress(body))
        return Kept(
            miner_from_json(told["miner"], limits),
            OrderedDict((int(number), tuple(map(_deed_from_json, deeds))) for number, deeds in told["deeds"]),
            [_deed_from_json(one) for one in told["open"]],
            set(told["undone"]),
            {str(run): tuple(seqs) for run, seqs in told["seqs"].items()},
            int(told["seq"]),
        )
    except (OSError, zlib.error, ValueError, KeyError, IndexError, TypeError):
        return Kept(Miner(limits))


def _deed_to_json(deed: Deed) -> list[Any]:
    given = {
        name: [one.value, one.said, [[made.run, made.step, made.field, made.index] for made in one.made]]
        for name, one in deed.arguments.items()
    }
    return [deed.run, deed.step, deed.tool, given, deed.at.isoformat(), deed.against]


def _deed_from_json(value: Sequence[Any]) -> Deed:
    run, step, tool, arguments, at, against = value
    given: Mapping[str, Given] = {
        name: Given(known, said, tuple(Made(*one) for one in made)) for name, (known, said, made) in arguments.items()
    }
    return Deed(run, step, tool, given, datetime.fromisoformat(at), against)
