"""The record as a store that forgets: which runs and events mention somebody, and how they go.

A run that mentions a name anywhere, in its words, its plan, what a task found or what its changes held, goes whole: its
payloads in the ledger and all that was kept to take it back. Only that it was, and when, stays.

What this stops: words of a forgotten person in the ledger, in pre-images, staged copies and journals, and in what runs
put in the trash.
What it does not: drop a deny or a limit that names a place (that would widen); those are named to the person. What
stands in the home, or packed inside a file, is the person's.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel.remembering.bulk import kept_in
from memory import Ledger
from memory.graph.mentions import Mentions
from memory.model import EntityId, Event
from permissions import Transactions

InText = Callable[[str], bool]

NEVER = frozenset(("deny.added", "deny.removed", "limit.set", "client.added", "client.removed"))
"""Never destroyed: without them more would be allowed."""

STANDING = frozenset(("grant.added", "grant.revoked", "grant.expired", "budget.settled", "clock.back", "limit.learned",
                      "wall.tested", "perms.refused", "retention.set", "facts.told", "routine.kept",
                      "routine.removed", "routine.left", "routine.returned", "macro.kept",
                      "run.replayed"))  # fmt: skip
"""Not part of a run, though they may stand in one: destroyed only where they mention the name themselves."""

GRAPH = ("fact.", "entity.", "predicate.", "ledger.")
"""Kinds that the graph or the ledger forgets itself."""

_PACKED = "_packed"


@dataclass(frozen=True, slots=True)
class Reach:
    """What mentions somebody: runs, the numbers of their events and of others, and rules that stay (their places)."""

    runs: tuple[str, ...]
    seqs: tuple[int, ...]
    stays: tuple[str, ...]


def reached(ledger: Ledger, transactions: Transactions, looked_for: Mentions) -> Reach:
    """Return what mentions one of the names. Reads every event: some 0.1 ms each."""
    in_text = looked_for.in_text
    of_run: dict[str, list[int]] = defaultdict(list)
    doomed, alone, stays = set(transactions.mentioning(in_text)), [], []
    for event in ledger.events():
        if event.body is None or event.kind.startswith(GRAPH):
            continue
        mentions = body_mentions(event, looked_for)
        if event.kind in NEVER:
            stays += [str(event.body.get("scope") or event.body.get("node"))] if mentions else []
        elif event.run is None or event.kind in STANDING:
            alone += [event.seq] if mentions else []
        else:
            of_run[event.run].append(event.seq)
            if mentions:
                doomed.add(event.run)
    seqs = sorted([*alone, *(seq for run in doomed for seq in of_run.get(run, ()))])
    return Reach(tuple(sorted(doomed)), tuple(seqs), tuple(dict.fromkeys(stays)))


def body_mentions(event: Event, looked_for: Mentions) -> bool:
    """Tell whether what an event says holds a name anywhere, also packed."""
    whole = json.dumps([event.body, event.entities], ensure_ascii=False)
    if not looked_for.may_be_in(whole) and _PACKED not in whole:
        return False
    return mentions_in(event.body, looked_for.in_text) or any(map(looked_for.in_text, event.entities))


def mentions_in(value: Any, in_text: InText) -> bool:
    """Tell whether any text or key of a JSON value holds it, packed values opened."""
    match value:
        case str():
            return in_text(value)
        case Mapping():
            names = (str(key) for key in value)
            return any(_entry_mentions(value, name, in_text) for name in names)
        case Sequence() if not isinstance(value, bytes):
            return any(mentions_in(one, in_text) for one in value)
    return False


def _entry_mentions(body: Mapping[str, Any], name: str, in_text: InText) -> bool:
    if name.endswith(_PACKED):
        return mentions_in(kept_in(body, name.removesuffix(_PACKED)), in_text)
    return in_text(name) or mentions_in(body[name], in_text)


class RecordStore:
    """The ledger's runs and what transactions keep of them, as a store of the graph's purge."""

    name = "record"

    def __init__(
        self,
        ledger: Ledger,
        transactions: Transactions,
        on_gone: Callable[[Collection[str]], object],
        look_for: Callable[[Collection[str]], Mentions] = Mentions,
    ) -> None:
        """``on_gone`` is told which runs can no longer be taken back; called on the forgetting thread.

        ``look_for`` makes of names what looks for them.
        """
        self._look_for = look_for
        self._ledger = ledger
        self._transactions = transactions
        self._on_gone = on_gone

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Remove every run and event that mentions one of ``words``; return how many events went."""
        del entities  # the ledger's own index has them
        if not words:
            return 0
        looked_for = self._look_for(words)
        reach = reached(self._ledger, self._transactions, looked_for)
        self._transactions.forget(reach.runs, looked_for.in_text)
        self._on_gone(reach.runs)
        return self._ledger.destroy(reach.seqs)


class LogStore:
    """The daemon's log: lines about faults, which may name a file. Lines that mention somebody go."""

    name = "log"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Remove every line that mentions one of ``words``; return how many went."""
        del entities
        in_text = Mentions(words).in_text
        return sum(_without(path, in_text) for path in sorted(self._folder.glob("*.log*"))) if words else 0


def _without(path: Path, in_text: InText) -> int:
    """Rewrite a log in place: the daemon goes on appending to the same file."""
    with path.open("r+b") as log:
        lines = log.readlines()
        kept = [line for line in lines if not in_text(line.decode("utf-8", "replace"))]
        if len(kept) < len(lines):
            log.seek(0)
            log.writelines(kept)
            log.truncate()
    return len(lines) - len(kept)
