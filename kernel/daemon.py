"""The Agent Kernel: what a running Steward is, from top to bottom.

``open_kernel`` puts the parts together and mends what a crash left behind; ``Kernel.ask`` starts the one way through
(``kernel.handling``) for a sentence. A request comes in by ``receiving``, lives in ``underway``, is read back from
``record``, and what a daemon does beside requests is ``upkeep``. The portal sees this class and nothing below it.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from kernel import opening
from kernel.activity import Activity
from kernel.clients import MEMORY, Clients, ToolCall
from kernel.config import Folders, Settings
from kernel.context.zone import local_zone
from kernel.house import House
from kernel.itself import doctor
from kernel.itself.undoing import Undoable, change_of, last_change, must_be_possible, take_back, undoable_view
from kernel.itself.undoing_parts import part_of, take_part_back
from kernel.knowing.known import Known
from kernel.learning.learnt import Learnt
from kernel.macros.managing import Macros
from kernel.model import Plan, Resolution, RunId
from kernel.perms import Perms
from kernel.receiving import Receiving
from kernel.record import Record
from kernel.remembering.retention import Retention
from kernel.request import Ask
from kernel.rooms import Rooms
from kernel.routines.managing import Routines
from kernel.routines.routine import Routine
from kernel.routines.telling import tell
from kernel.run import Run
from kernel.underway import UnderWay, the_way
from kernel.upkeep import Upkeep
from memory.freed import share_one_heap
from skills import one_import


class Kernel:
    """A running Steward. All methods belong to one event loop; reads are cheap, effects go through runs."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._record = Record(house)
        self.activity = Activity(house.ledger)
        self.rights = Perms(house)
        self.clients = Clients(house)
        self._receiving = Receiving(house, self.clients)
        self.macros = Macros(house, self._receiving, self._record.outline, self._begin, self._try_out)
        self.rooms = Rooms(house, self._record.outline, self.macros, lambda: self._upkeep.look_on())  # noqa: PLW0108 - it comes later
        self.retention = Retention(house)
        self.learnt = Learnt(house)
        self._upkeep = Upkeep(house, self.retention, self.rooms.keep_tidy, self._fire, self.settle)
        self.known = Known(house, self._upkeep.rest_later)
        self._runs = UnderWay(house, self._record, self._upkeep.after)
        self.routines = Routines(house, self._fire, self._upkeep.hand_in, self._try_out, self.ask, self.settled)
        house.routines.when_gone = self._runs.cancel_of
        self._telling: set[asyncio.Task[None]] = set()
        self._replaying = asyncio.Lock()
        self._began = time.monotonic()

    # --- asking -----------------------------------------------------------------------------------------------

    async def ask(self, ask: Ask) -> str:
        """Write down the request and set it going; return the run's id. Raises BadRequest, UnknownRun."""
        live = await self._receiving.asked(ask)
        self._begin(live)
        return live.id

    def _begin(self, live: Run) -> None:
        """Set a request going."""
        self._runs.start(live, the_way().handle(live))

    async def call(self, call: ToolCall) -> str:
        """Start a run of one call of a tool, in the name of a client; return the run's id. Raises BadRequest."""
        live, plan = await self._receiving.called(call)
        self._runs.start(live, the_way().resume(live, plan, None))
        return live.id

    async def _fire(self, routine: Routine, plan: Plan, run: RunId) -> None:
        """Start the run of a routine whose moment has come, and tell the person how it ends."""
        live = await self._receiving.fired(routine, run)
        self._runs.start(live, the_way().resume(live, plan, None))
        telling = asyncio.create_task(tell(routine, partial(self.settled, run), self._house.report))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    def _try_out(self, live: Run, plan: Plan) -> None:
        """Set a dry run going."""
        self._runs.start(live, the_way().try_out(live, plan))

    async def draft(self, ask: Ask) -> dict[str, Any]:
        """Return what would be done about a request, and do nothing. Raises BadRequest."""
        from kernel.planning.drafting import draft  # with all that plans: no start waits for it

        return await draft(self._house, await self._receiving.heard(ask))

    async def recommend(self, ask: Ask, limit: int = 10) -> dict[str, Any]:
        """Return the tools that would serve a request together, with the reasons in numbers. Raises BadRequest."""
        from kernel.planning.recommending import recommended

        return await recommended(self._house, await self._receiving.heard(ask), limit)

    # --- runs under way ---------------------------------------------------------------------------------------

    async def settled(self, run: str) -> dict[str, Any]:
        """Wait until ``run`` has ended or waits for an answer; return its view. Raises UnknownRun."""
        await self.settle(run)
        return self.view(run)

    async def settle(self, run: str) -> None:
        """Wait until ``run`` has ended or waits for an answer."""
        await self._runs.settle(run)

    async def approve(self, run: str, answer: str, *, seal: str | None = None) -> None:
        """Answer the run that waits: once, run, always, no or done. Raises BadRequest, UnknownRun, NotNow.

        ``seal`` says what the person saw: the seal of the changes or of the limit, or "" for the card. An answer to
        something else than the run waits for now is refused; None answers whatever it is.
        """
        self._runs.approve(run, answer, seal)

    async def cancel(self, run: str) -> None:
        """Stop ``run``; nothing of it stays. Raises UnknownRun, NotNow when it has ended.

        One that has asked back has ended too: its question is dropped, so that what is said next is a new request.
        """
        await self._runs.cancel(run)

    def approvals(self, *, whole: bool = True) -> list[dict[str, Any]]:
        """Return the runs that wait for an answer; without ``whole``, many changes as a summary."""
        names = ("run", "text", "request", "language", "conversation", "plan", "stage", "card", "diff", "seal",
                 "expires_at", "client", "review")  # fmt: skip
        return [{name: view[name] for name in names} for view in self._runs.waiting(whole=whole)]

    def stream(self, *, after: int = 0, run: str | None = None) -> AsyncIterator[dict[str, Any]]:
        """Yield events after seq ``after``, past ones first, then as they are written; with ``run``, to its end.

        Raises StoreFailed when the run could not be written to its end.
        """
        return self._runs.stream(after, run)

    # --- taking back ------------------------------------------------------------------------------------------

    async def undo(self, run: str | None = None, paths: Sequence[str] = ()) -> dict[str, Any]:
        """Take back the effects of ``run`` (the last one that had any), or those at and below ``paths`` alone.

        Raises NotNow, UnknownRun, Conflict, BadRequest.
        """
        what = self._to_undo(run)
        if paths:
            taken = await take_part_back(self._house, what.run, paths)
        else:
            taken = await take_back(self._house, what)
        self._upkeep.learn_later()
        return taken

    def undoable(self, run: str | None = None, paths: Sequence[str] = ()) -> dict[str, Any]:
        """Return what taking back ``run`` (the last one that had effects), or that part of it, would do.

        Raises NotNow, UnknownRun, BadRequest.
        """
        what = self._to_undo(run)
        if paths:
            return undoable_view(part_of(self._house, what.run, paths))
        must_be_possible(self._house, what)
        return undoable_view(what)

    def _to_undo(self, run: str | None) -> Undoable:
        if run is None:
            return last_change(self._house)
        self.view(run)
        return change_of(self._house, run)

    # --- reading ----------------------------------------------------------------------------------------------

    def view(self, run: str) -> dict[str, Any]:
        """Return what a client sees of ``run``. Raises UnknownRun."""
        return self._record.view(run)

    def outline(self, run: str) -> dict[str, Any]:
        """Return the view of ``run`` as its events have it: many changes as a summary. Raises UnknownRun."""
        return self._record.outline(run)

    def runs(self, limit: int = 20, client: str = "") -> list[dict[str, Any]]:
        """Return the latest runs, newest first; with ``client`` those in its name. Raises UnknownRun."""
        known = self.clients.known(client) if client else None
        return self._record.runs(limit, (known.node, known.key) if known is not None else None)

    def is_run_of(self, run: str, client: str) -> bool:
        """Tell whether a run was asked for by this client, not by an earlier one of its name. Raises UnknownRun."""
        known = self.clients.known(client)
        return self._house.talk.is_of(run, known.node, known.key)

    def skills(self) -> list[dict[str, Any]]:
        """Return the installed skills with their tools."""
        with one_import:  # it knows the language, which no start waits for
            from kernel.itself import introduce

        self._house.world.look()
        return introduce.skills_view(self._house.registry, self._house.world)

    def skill_problems(self) -> list[dict[str, Any]]:
        """Return why skills that lie there could not be loaded: folder, message, hint."""
        with one_import:
            from kernel.itself import introduce

        return introduce.problems_view(self._house.registry, str(self._house.folders.home))

    def verify_ledger(self) -> dict[str, Any]:
        """Check the whole chain."""
        return opening.verification_view(self._house.ledger.verify())

    def log(self, limit: int = 50) -> list[dict[str, Any]]:
        """Return the latest events, newest last."""
        return self._record.log(limit)

    def doctor(self) -> list[dict[str, Any]]:
        """Return one line per capability of this machine and installation."""
        return doctor.examine(self._house)

    def status(self) -> dict[str, Any]:
        """Return what the daemon is doing. No disk is looked at: what is kept there says ``kept``."""
        level, note = self._house.level()
        return {
            "pid": os.getpid(), "uptime_s": round(time.monotonic() - self._began, 1), "level": level,
            "level_note": note, "wall_test": doctor.wall_words(self._house),
            "encoder": self._house.learning.encoder_state, "vectors": self._house.recollection.vectors.words(),
            "events": self._house.ledger.head()[0],
            "running": len(self._runs.live), "waiting": len(self._runs.waiting(whole=False)),
            "skills": len(self._house.registry.skills()), "half_done": self._record.half_done(),
            "reminders": self.reminders(),
        }  # fmt: skip

    def reminders(self) -> list[dict[str, Any]]:
        """Return what was told last of what skills keep on the clock, the oldest first."""
        return self._house.reminded()

    async def replay(self, run: str, *, tools: bool = False) -> dict[str, Any]:
        """Go through ``run`` once more by what the ledger has of it, with nothing done and no model asked; return what
        comes out otherwise than then. With ``tools`` the calls that only read are made once more and compared. One goes
        on at a time, since each reads much of the ledger.

        Raises UnknownRun, and NotNow where it is not over.
        """
        with one_import:
            from kernel.replaying import replayed  # with all that plans: no start waits for it

        async with self._replaying:
            return (await replayed(self._house, run, tools=tools)).to_json()

    async def kept(self) -> dict[str, Any]:
        """Return what is kept on disk, in bytes (``sizes``), and how much can be taken back (``undo``)."""
        return await self._record.kept()

    # --- rights and clients -----------------------------------------------------------------------------------

    def perms(self) -> list[dict[str, Any]]:
        """Return the standing grants."""
        return self.rights.grants()

    async def grant(self, skill: str, right: str, *, lasting: str = "", until: str = "", why: str = "") -> str:
        """Give ``skill`` a standing right, as a person writes it; return the grant's id. Raises BadRequest."""
        return await self.rights.grant(skill, right, lasting=lasting, until=until, why=why)

    async def revoke(self, grant: str) -> None:
        """Take a grant away; what runs and needs it is stopped. Raises UnknownRun."""
        await self.rights.revoke(grant)

    async def search_for(self, client: str, words: str, limit: int) -> dict[str, Any]:
        """Return what bears on the words and a client that may search may read. Raises BadRequest, UnknownRun."""
        known = self.clients.known(client)
        self.clients.may(known, MEMORY)
        return await self.known.search(words, limit=limit, client=known.node)

    @property
    def client_wait_s(self) -> float:
        """So long a client's call waits for the person's answer."""
        return self._house.settings.client_wait_s

    async def remove_client(self, name: str) -> list[str]:
        """Let a client's token open nothing, take its grants away and stop what runs in its name. Raises UnknownRun."""
        node = self.clients.known(name).node
        gone = await self.clients.remove(name)
        self._runs.cancel_of(node)
        return gone

    # --- beginning and end ------------------------------------------------------------------------------------

    async def take_up(self) -> None:
        """Go on where a stopped daemon left: runs that wait keep waiting, interrupted ones are rolled back."""
        await self._upkeep.mend()
        await self._runs.take_up()
        self._upkeep.begin()

    def warm(self) -> None:
        """Load, in the background, what the first request would wait for; it comes by itself soon after a start."""
        self._upkeep.warm()

    def test_wall(self) -> None:
        """Try the wall, once, in the background; what was found is an event, and stands in doctor and status."""
        self._upkeep.test_wall()

    async def close(self) -> None:
        """Stop: runs that wait stay pending, running ones are cancelled, cells and the ledger are closed."""
        await self._upkeep.stop()
        await self._runs.close()
        await asyncio.gather(*self._telling, return_exceptions=True)
        await self.rooms.close()
        await self._upkeep.close()
        await self._house.close()


def local_now() -> datetime:
    """Return the time of day in the user's zone, by its name where it has one: an offset knows no summer time."""
    zone = local_zone()
    return datetime.now(zone) if zone else datetime.now().astimezone()


async def open_kernel(
    settings: Settings, folders: Folders | None = None, clock: Callable[[], datetime] = local_now
) -> Kernel:
    """Put a kernel together, recover what a crash left, and return it ready. Raises LedgerBusy, LedgerBroken."""
    share_one_heap()
    house = await asyncio.to_thread(opening.build, settings, folders or Folders(), clock)
    kernel = Kernel(house)
    await kernel.take_up()
    return kernel


__all__ = ["Ask", "Kernel", "Resolution", "open_kernel"]
