"""The Agent Kernel: what a running Steward is, from top to bottom.

``open_kernel`` puts the parts together and mends what a crash left behind; ``Kernel.ask`` starts the one way through
(``kernel.handling``) for a sentence; everything else reads the ledger back, answers a run that waits, or takes
something back. The portal sees this class and nothing below it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from types import ModuleType
from typing import Any

from kernel import opening
from kernel.clients import ASK, MEMORY, Clients, ToolCall
from kernel.config import Folders, Settings
from kernel.context.zone import local_zone
from kernel.errors import BadRequest, NotNow, UnknownRun
from kernel.house import House
from kernel.installing.renewed import carried_over, noted
from kernel.itself import doctor
from kernel.itself.record import request_words
from kernel.itself.undoing import Undoable, change_of, last_change, must_be_possible, take_back, undoable_view
from kernel.itself.undoing_parts import part_of, take_part_back
from kernel.knowing.known import Known
from kernel.learning.learnt import Learnt
from kernel.model import ConversationId, Resolution, RunId, Utterance
from kernel.perms import Perms
from kernel.recalling.keeping_up import KeepingUp
from kernel.remember import RunLog, event_json, run_line, run_view
from kernel.remembering import pictures
from kernel.remembering.lapsing import lapse, undo_room
from kernel.remembering.privacy import Privacy, end_undo, left_behind
from kernel.remembering.retention import Retention
from kernel.remembering.stream import stream
from kernel.request import Ask, checked_text, conversation_of
from kernel.rooms import Rooms
from kernel.run import Run
from kernel.terms import Held, terms_of
from skills import one_import

WARM_AFTER_S = 0.4
"""The first page goes before the learning of words."""

TEST_AFTER_S = 4.0
"""So long after its start the daemon tries its wall, when whoever started it has been served."""

REST_AFTER_S = 30.0
"""Nobody asked for so long: the encoder's weights leave memory."""

DAILY_S = 86_400.0
"""So often what is past its time is destroyed."""

AT_ONCE = 2_000
"""So many characters of a request are read at once; a longer one in a thread (20,000 can take a second)."""

ANSWERS = ("once", "run", "always", "no", "done")
"""``done`` answers one question only: whether a letter of which nobody knows was sent."""


class Kernel:
    """A running Steward. All methods belong to one event loop; reads are cheap, effects go through runs."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.rights = Perms(house)
        self.clients = Clients(house)
        self.known = Known(house, self.rest_later)
        self.rooms = Rooms(house, self.outline)
        self.retention = Retention(house)
        self.learnt = Learnt(house)
        self._privacy = Privacy(house)
        self._keeping_up = KeepingUp(house.recollection, self._lives, house.report)
        self._live: dict[str, tuple[Run, asyncio.Task[None]]] = {}
        self._rest: asyncio.TimerHandle | None = None
        self._daily: asyncio.TimerHandle | None = None
        self._testing: asyncio.Task[None] | None = None
        self._reminding: asyncio.Task[None] | None = None
        self._tidying: asyncio.Task[None] | None = None
        self._closed = False
        self._began = time.monotonic()

    # --- asking -----------------------------------------------------------------------------------------------

    async def ask(self, ask: Ask) -> str:
        """Write down the request and set it going; return the run's id. Raises BadRequest, UnknownRun."""
        node = self._asking(ask)
        live = await self._created(ask, node, shows=True)
        self._start(live, _the_way().handle(live))
        return live.id

    def _asking(self, ask: Ask) -> str:
        """Return the node of the client that asks, "" for the person. Raises BadRequest where it may not ask."""
        if not ask.client:
            return ""
        client = self.clients.known(ask.client)
        self.clients.may(client, ASK)
        return client.node

    async def call(self, call: ToolCall) -> str:
        """Start a run of one call of a tool, in the name of a client; return the run's id. Raises BadRequest."""
        from kernel.clients.calls import said

        plan, node = self.clients.plan(call), self.clients.known(call.client).node
        live = await self._created(Ask(said(call), channel="mcp", client=call.client), node)
        self._start(live, _the_way().resume(live, plan, None))
        return live.id

    async def _created(self, ask: Ask, node: str, *, shows: bool = False) -> Run:
        """Write down that a request was made: what was said, and beside it what is shown with it, if it ``shows``."""
        text, terms = checked_text(ask.text), terms_of(ask.budget, ask.deadline)
        if node:  # nobody consents in advance for a program, and what one asks is always on record
            ask = replace(ask, yes=False, private=False)
        run = RunId("r-" + secrets.token_hex(5))
        if "\0" in ask.cwd:
            raise BadRequest("request.folder", "The working folder is no path.", hint="Send a path, or nothing.")
        key = self.clients.known(ask.client).key if node else ""
        conversation = conversation_of(ask, node, key)
        now = self._house.clock()
        seed = secrets.randbits(48)
        home = str(self._house.folders.home)
        said = Utterance(text, conversation, ask.cwd or home, home, now, node)
        said = await _heard(said) if shows else said
        live = self._run(run, said, ask.yes, seed, ask.private, Held(terms))
        body = {
            "text": said.text, "conversation": conversation, "cwd": live.utterance.cwd, "channel": ask.channel,
            "now": now.isoformat(), "yes": ask.yes, "seed": seed,
        }  # fmt: skip
        body |= {"shown": [{"kind": str(one.kind), "text": one.text} for one in said.shown]} if said.shown else {}
        body |= {"private": True} if ask.private else {}
        body |= {"terms": terms.to_json()} if terms.to_json() else {}
        body |= {"client": node, "client_key": key} if node else {}
        await live.log.say("run.created", None, body)
        self._house.talk.note(conversation, run, node, key)
        return live

    async def draft(self, ask: Ask) -> dict[str, Any]:
        """Return what would be done about a request, and do nothing. Raises BadRequest."""
        from kernel.planning.drafting import draft  # with all that plans: no start waits for it

        return await draft(self._house, await self._only_heard(ask))

    async def recommend(self, ask: Ask, limit: int = 10) -> dict[str, Any]:
        """Return the tools that would serve a request together, with the reasons in numbers. Raises BadRequest."""
        from kernel.planning.recommending import recommended

        return await recommended(self._house, await self._only_heard(ask), limit)

    async def _only_heard(self, ask: Ask) -> Utterance:
        """Return what is said where nothing is to be done about it."""
        text, home = checked_text(ask.text), str(self._house.folders.home)
        conversation = ConversationId(ask.conversation or "c-draft")
        return await _heard(Utterance(text, conversation, ask.cwd or home, home, self._house.clock()))

    def _run(
        self, run: RunId, utterance: Utterance, yes: bool, seed: int, private: bool = False, held: Held | None = None
    ) -> Run:
        log = RunLog(self._house.ledger, run, private=private)
        return Run(run, utterance, self._house, yes, log, seed, private=private, held=held or Held())

    def _start(self, live: Run, way: Any) -> None:
        task = asyncio.create_task(way, name=live.id)
        self._live[live.id] = (live, task)
        self._house.live.add(live.id)
        task.add_done_callback(lambda _: self._ended(live.id))

    def _ended(self, run: str) -> None:
        live, _ = self._live.pop(run)
        self._house.live.discard(run)
        if live.private and not self._closed:
            self._privacy.let_go_later(run)
        if not self._closed:
            self._learn_later()
            self._keeping_up.soon()
        self.rest_later()

    def _learn_later(self) -> None:
        self._house.learning.learn_later(self._house.ledger, self._lives)

    def _lives(self) -> bool:
        return bool(self._house.live)

    def warm(self) -> None:
        """Load, in the background, what the first request would wait for."""
        if self._closed:
            return
        self._house.learning.begin()
        self._look_after(lambda: self._house.learning.learn_own(self._house.ledger))
        asyncio.get_running_loop().run_in_executor(None, _the_way)
        self._keep_promises()
        self._look_after(lambda: pictures.drop_left_behind(self._house))
        self._look_after(lambda: noted(self._house))
        self._reminding = asyncio.create_task(self._house.remind())
        self._tidying = asyncio.create_task(self.rooms.keep_tidy())

    def _keep_promises(self) -> None:
        """Finish forgets that were cut short, and destroy what is past its time; now and once a day."""

        def work() -> None:
            self._house.knowledge.finish_forgetting()
            self.retention.apply()
            lapse(self._house)

        self._look_after(work)
        self._daily = asyncio.get_running_loop().call_later(DAILY_S, self._keep_promises)

    def _look_after(self, work: Callable[[], object]) -> None:
        """Do ``work`` in a thread that nobody waits for; a fault in it goes to the log."""
        done = asyncio.get_running_loop().run_in_executor(None, work)
        done.add_done_callback(lambda ended: None if self._closed else self._look_at(ended))

    def _look_at(self, ended: asyncio.Future[Any]) -> None:
        if not ended.cancelled() and (error := ended.exception()) is not None:
            self._house.report(error)

    def test_wall(self) -> None:
        """Try the wall, once, in the background; what was found is an event, and stands in doctor and status."""
        if not self._closed and self._testing is None and self._house.wall is None:
            self._testing = asyncio.create_task(self._house.test_wall())

    def rest_later(self) -> None:
        """Once, some time after the last run or search: give memory back."""
        if self._rest is not None:
            self._rest.cancel()
        if self._closed:
            return
        self._rest = asyncio.get_running_loop().call_later(REST_AFTER_S, self._give_back)

    def _give_back(self) -> None:
        self._house.learning.rest()
        if self._house.recollection.is_open:
            self._look_after(self._house.recollection.rest)

    async def settled(self, run: str) -> dict[str, Any]:
        """Wait until ``run`` has ended or waits for an answer; return its view. Raises UnknownRun."""
        await self.settle(run)
        return self.view(run)

    async def settle(self, run: str) -> None:
        """Wait until ``run`` has ended or waits for an answer."""
        async for event in self.stream(run=run):
            if event["kind"] == "approval.requested" and self._waits(run, event["body"] or {}):
                break

    def _waits(self, run: str, question: Mapping[str, Any]) -> bool:
        """Tell whether ``run`` waits for the answer to this question, and not to an earlier one of its own."""
        live = self._live[run][0] if run in self._live else None
        if live is None or live.waiting is None or live.waiting.done():
            return False
        return bool(question.get("expires_at") == live.expires_at)

    async def approve(self, run: str, answer: str, *, seal: str | None = None) -> None:
        """Answer the run that waits: once, run, always, no or done. Raises BadRequest, UnknownRun, NotNow.

        ``seal`` says what the person saw: the seal of the changes or of the limit, or "" for the card. An answer to
        something else than the run waits for now is refused; None answers whatever it is.
        """
        if answer not in ANSWERS:
            raise BadRequest("approval.answer", f"{answer!r} is no answer.", hint="One of: " + ", ".join(ANSWERS))
        waiting = self._live[run][0].waiting if run in self._live else None
        if answer == "done" and waiting is not None and not self._live[run][0].seal.startswith("unknown:"):
            raise BadRequest("approval.answer", "“done” answers only whether a mail was sent.", hint="Say once or no.")
        if waiting is None or waiting.done():
            self._not_half_done(run)
            raise NotNow("run.state", f"The run {run} does not wait for an answer.", subject=run,
                         hint="./steward runs shows which do.")  # fmt: skip
        if seal is not None and seal != self._live[run][0].seal:
            raise NotNow("approval.other", f"The run {run} asks about something else by now.", subject=run,
                         hint="Look at what it asks, then answer: ./steward approve " + run)  # fmt: skip
        waiting.set_result(answer)

    async def cancel(self, run: str) -> None:
        """Stop ``run``; nothing of it stays. Raises UnknownRun, NotNow when it has ended.

        One that has asked back has ended too: its question is dropped, so that what is said next is a new request.
        """
        if self._house.talk.is_open(run):
            await RunLog(self._house.ledger, RunId(run)).say("run.dropped", None, {})
            return
        if run not in self._live:
            self._not_half_done(run)
            raise NotNow("run.state", f"The run {run} has ended already.", subject=run)
        self._live[run][1].cancel()

    def _not_half_done(self, run: str) -> None:
        """Say what ``run`` waits for where that is no person. Raises UnknownRun, NotNow."""
        waits = self.outline(run)["half_done"]
        if waits is not None:
            raise NotNow("run.half_done", waits["message"], subject=run, hint=waits["hint"])

    async def undo(self, run: str | None = None, paths: Sequence[str] = ()) -> dict[str, Any]:
        """Take back the effects of ``run`` (the last one that had any), or those at and below ``paths`` alone.

        Raises NotNow, UnknownRun, Conflict, BadRequest.
        """
        what = self._to_undo(run)
        if paths:
            taken = await take_part_back(self._house, what.run, paths)
        else:
            taken = await take_back(self._house, what)
        self._learn_later()
        return taken

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
        for live, task in list(self._live.values()):
            if live.client == node:
                task.cancel()
        return gone

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
        return self._house.whole(self.outline(run))

    def outline(self, run: str) -> dict[str, Any]:
        """Return the view of ``run`` as its events have it: many changes as a summary. Raises UnknownRun."""
        view = run_view(self._house.ledger.events(run=run))
        if not view["run"]:
            raise UnknownRun("run.unknown", f"There is no run {run}.", subject=run, hint="./steward runs lists them.")
        half_done = self._house.half_done(view["language"]).get(run)
        return view | {"request": request_words(self._house.ledger, run, view), "half_done": half_done}

    def runs(self, limit: int = 20, client: str = "") -> list[dict[str, Any]]:
        """Return the latest runs, newest first; with ``client`` those in its name. Raises UnknownRun."""
        known = self.clients.known(client) if client else None
        every = reversed(self._house.talk.every())
        mine = (run for run in every if known is None or self._house.talk.is_of(run, known.node, known.key))
        return [run_line(self.outline(run)) for run in islice(mine, limit)]

    def is_run_of(self, run: str, client: str) -> bool:
        """Tell whether a run was asked for by this client, not by an earlier one of its name. Raises UnknownRun."""
        known = self.clients.known(client)
        return self._house.talk.is_of(run, known.node, known.key)

    def approvals(self, *, whole: bool = True) -> list[dict[str, Any]]:
        """Return the runs that wait for an answer; without ``whole``, many changes as a summary."""
        names = ("run", "text", "request", "language", "conversation", "plan", "stage", "card", "diff", "seal",
                 "expires_at", "client", "review")  # fmt: skip
        views = [self.view(run) if whole else self.outline(run) for run in self._live]
        return [{name: view[name] for name in names} for view in views if self._waits(view["run"], view)]

    def stream(self, *, after: int = 0, run: str | None = None) -> AsyncIterator[dict[str, Any]]:
        """Yield events after seq ``after``, past ones first, then as they are written; with ``run``, to its end.

        Raises StoreFailed when the run could not be written to its end.
        """
        return stream(self._house.ledger, self._live, after, run)

    def skills(self) -> list[dict[str, Any]]:
        """Return the installed skills with their tools, and what could not be loaded."""
        with one_import:  # it knows the language, which no start waits for
            from kernel.itself import introduce

        self._house.world.look()
        return introduce.skills_view(self._house.registry, self._house.world)

    def perms(self) -> list[dict[str, Any]]:
        """Return the standing grants."""
        return self.rights.grants()

    async def grant(self, skill: str, right: str, *, lasting: str = "", until: str = "", why: str = "") -> str:
        """Give ``skill`` a standing right, as a person writes it; return the grant's id. Raises BadRequest."""
        return await self.rights.grant(skill, right, lasting=lasting, until=until, why=why)

    async def revoke(self, grant: str) -> None:
        """Take a grant away; what runs and needs it is stopped. Raises UnknownRun."""
        await self.rights.revoke(grant)

    def verify_ledger(self) -> dict[str, Any]:
        """Check the whole chain."""
        return opening.verification_view(self._house.ledger.verify())

    def log(self, limit: int = 50) -> list[dict[str, Any]]:
        """Return the latest events, newest last."""
        head, _ = self._house.ledger.head()
        return [event_json(event) for event in self._house.ledger.events(after=max(0, head - limit))]

    def doctor(self) -> list[dict[str, Any]]:
        """Return one line per capability of this machine and installation."""
        return doctor.examine(self._house)

    def status(self) -> dict[str, Any]:
        """Return what the daemon is doing."""
        level, note = self._house.level()
        return {
            "pid": os.getpid(), "uptime_s": round(time.monotonic() - self._began, 1), "level": level,
            "level_note": note, "wall_test": doctor.wall_words(self._house),
            "encoder": self._house.learning.encoder_state, "vectors": self._house.recollection.vectors.words(),
            "events": self._house.ledger.head()[0],
            "running": len(self._live), "waiting": len(self.approvals(whole=False)),
            "skills": len(self._house.registry.skills()), "half_done": self._half_done(), "sizes": self.sizes(),
            "reminders": self._house.reminded(), "undo": undo_room(self._house),
        }  # fmt: skip

    def sizes(self) -> dict[str, int]:
        """Return what is kept on disk, in bytes: the ledger, what is known, what changes are taken back with."""
        ledger = sum(path.stat().st_size for path in self._house.ledger.folder.glob("*.db*"))
        usage = self._house.transactions.usage()
        return {"ledger_bytes": ledger, "known_bytes": self._house.knowledge.size_bytes(),
                "recall_bytes": self._house.recollection.size_bytes(),
                "undo_bytes": usage.preimage_bytes, "staged_bytes": usage.staged_bytes}  # fmt: skip

    def _half_done(self) -> list[dict[str, Any]]:
        german = self._house.half_done("de")
        return [view | {"de": german[run]} for run, view in self._house.half_done("en").items()]

    # --- beginning and end ------------------------------------------------------------------------------------

    async def take_up(self) -> None:
        """Go on where a stopped daemon left: runs that wait keep waiting, interrupted ones are rolled back."""
        await asyncio.to_thread(lambda: end_undo(self._house, left_behind(self._house)))
        for unfinished in opening.unfinished(self._house):
            held = unfinished.held
            live = self._run(unfinished.run, unfinished.utterance, unfinished.yes, unfinished.seed, held=held)
            if unfinished.ended is not None:
                await live.log.say("run.finished", None, unfinished.ended)
            elif unfinished.plan is not None:
                letters = unfinished.letters
                self._start(live, _the_way().resume(live, unfinished.plan, unfinished.staging, letters=letters))
            elif unfinished.letters:
                self._start(live, _the_way().settle(live))
        waiting_for_their_disk = (one.run for one in self._house.transactions.half_done())
        self._house.post.outbox.sweep({*self._live, *waiting_for_their_disk})

    async def close(self) -> None:
        """Stop: runs that wait stay pending, running ones are cancelled, cells and the ledger are closed."""
        self._closed = True
        for task in (self._testing, self._reminding, self._tidying):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        for live, task in list(self._live.values()):
            if live.waiting is not None and not live.waiting.done():
                live.abandoned = True
            task.cancel()
        await asyncio.gather(*(task for _, task in self._live.values()), return_exceptions=True)
        await self.rooms.close()
        self._house.learning.stop()
        self._keeping_up.stop()
        if self._rest is not None:
            self._rest.cancel()
        if self._daily is not None:
            self._daily.cancel()
        await asyncio.to_thread(self._privacy.close)
        await self._house.close()


def _the_way() -> ModuleType:
    """Return ``kernel.handling``, with all of interpreting and planning behind it: a third of a start's CPU."""
    with one_import:
        from kernel import handling

    return handling


async def _heard(utterance: Utterance) -> Utterance:
    """Return what was said, with what is shown taken out of it. A long text holds nobody else up."""
    with one_import:
        from kernel.firewall.said import heard

    return await asyncio.to_thread(heard, utterance) if len(utterance.text) > AT_ONCE else heard(utterance)


def local_now() -> datetime:
    """Return the time of day in the user's zone, by its name where it has one: an offset knows no summer time."""
    zone = local_zone()
    return datetime.now(zone) if zone else datetime.now().astimezone()


async def open_kernel(
    settings: Settings, folders: Folders | None = None, clock: Callable[[], datetime] = local_now
) -> Kernel:
    """Put a kernel together, recover what a crash left, and return it ready. Raises LedgerBusy, LedgerBroken."""
    house = await asyncio.to_thread(opening.build, settings, folders or Folders(), clock)
    kernel = Kernel(house)
    await carried_over(house)
    await kernel.take_up()
    asyncio.get_running_loop().call_later(WARM_AFTER_S, kernel.warm)
    asyncio.get_running_loop().call_later(TEST_AFTER_S, kernel.test_wall)
    kernel.rest_later()
    return kernel


__all__ = ["Ask", "Kernel", "Resolution", "open_kernel"]
