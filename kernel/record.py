"""The record: runs as they are read back from the ledger, and what is kept on disk. Nothing here changes anything."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import Any

from kernel.errors import NotNow, UnknownRun
from kernel.house import House
from kernel.itself.record import request_words
from kernel.remember import event_json, run_line, run_view
from kernel.remembering.lapsing import undo_room


class Record:
    """What was done, and how it stands."""

    def __init__(self, house: House) -> None:
        self._house = house

    def view(self, run: str) -> dict[str, Any]:
        """Return what a client sees of ``run``. Raises UnknownRun."""
        return self._house.whole(self.outline(run))

    def outline(self, run: str) -> dict[str, Any]:
        """Return the view of ``run`` as its events have it: many changes as a summary. Raises UnknownRun."""
        view = run_view(self._house.ledger.events(run=run))
        if not view["run"]:
            raise UnknownRun("run.unknown", f"There is no run {run}.", subject=run, hint="./steward runs lists them.")
        half_done = self._house.half_done(view["language"]).get(run)
        return view | {"request": request_words(self._house.ledger, run, view), "half_done": half_done}

    def runs(self, limit: int, of: tuple[str, str] | None) -> list[dict[str, Any]]:
        """Return the latest runs, newest first; with ``of`` those of the client at that node with that key."""
        every = reversed(self._house.talk.every())
        mine = (run for run in every if of is None or self._house.talk.is_of(run, *of))
        return [run_line(self.outline(run)) for run in islice(mine, limit)]

    def must_not_be_half_done(self, run: str) -> None:
        """Say what ``run`` waits for where that is no person. Raises UnknownRun, NotNow."""
        waits = self.outline(run)["half_done"]
        if waits is not None:
            raise NotNow("run.half_done", waits["message"], subject=run, hint=waits["hint"])

    def half_done(self) -> list[dict[str, Any]]:
        """Return what stands half way because its disk refuses, in English, and below ``de`` in German."""
        german = self._house.half_done("de")
        return [view | {"de": german[run]} for run, view in self._house.half_done("en").items()]

    def log(self, limit: int) -> list[dict[str, Any]]:
        """Return the latest events, newest last."""
        return [event_json(event) for event in reversed(self._house.ledger.latest(limit))]

    async def kept(self) -> dict[str, Any]:
        """Return what is kept on disk, in bytes (``sizes``), and how much can be taken back (``undo``)."""
        return await asyncio.to_thread(self._kept)

    def _kept(self) -> dict[str, Any]:
        ledger = sum(path.stat().st_size for path in self._house.ledger.folder.glob("*.db*"))
        usage = self._house.transactions.usage()  # every old content is looked at: once
        sizes = {"ledger_bytes": ledger, "known_bytes": self._house.knowledge.size_bytes(),
                 "recall_bytes": self._house.recollection.size_bytes(),
                 "undo_bytes": usage.preimage_bytes, "staged_bytes": usage.staged_bytes}  # fmt: skip
        return {"sizes": sizes, "undo": undo_room(usage)}
