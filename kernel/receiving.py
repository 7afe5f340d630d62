"""Receiving a request: who may ask, what was said and shown, and the first event of its run.

What this stops: a request of a program without the right to ask; consent in advance, or silence in the record, for what
a program asks; terms that nobody can read. Nothing is written down before all of that is settled.
What it does not: understand anything. Where the way of a request begins, this ends.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace

from kernel.clients import ASK, Clients, ToolCall
from kernel.errors import BadRequest
from kernel.house import House
from kernel.itself.version import own_version
from kernel.model import ConversationId, Plan, RunId, Utterance
from kernel.remember import RunLog
from kernel.request import Ask, checked_text, conversation_of
from kernel.routines.routine import Routine
from kernel.run import Run
from kernel.terms import Held, terms_of
from skills import one_import

AT_ONCE = 2_000
"""So many characters of a request are read at once; a longer one in a thread (20,000 can take a second)."""


class Receiving:
    """Makes runs of what comes in."""

    def __init__(self, house: House, clients: Clients) -> None:
        self._house = house
        self._clients = clients

    async def asked(self, ask: Ask) -> Run:
        """Write down that a request was made, and return its run. Raises BadRequest, UnknownRun."""
        if not ask.client:
            return await self.created(ask, shows=True)
        client = self._clients.known(ask.client)
        self._clients.may(client, ASK)
        return await self.created(ask, client.node, client.key, shows=True)

    async def called(self, call: ToolCall) -> tuple[Run, Plan]:
        """Write down that a client calls a tool; return the run and its plan. Raises BadRequest, UnknownRun."""
        from kernel.clients.calls import said

        plan, client = self._clients.plan(call), self._clients.known(call.client)
        shown = replace(call, tool=self._clients.called(call.tool))
        ask = Ask(said(shown), channel="mcp", client=call.client)
        return await self.created(ask, client.node, client.key), plan

    async def fired(self, routine: Routine, run: RunId) -> Run:
        """Write down that a routine's moment came, and return its run. Raises BadRequest."""
        ask = Ask(routine.said, channel="routine", cwd=routine.cwd)
        return await self.created(ask, routine.node, routine.key, run=run)

    async def created(
        self, ask: Ask, node: str = "", key: str = "", *, shows: bool = False, run: RunId | None = None
    ) -> Run:
        """Write down what was said by ``node`` (empty: by the person), and beside it what is shown with it, if it
        ``shows`` anything. Raises BadRequest.
        """
        text, terms = checked_text(ask.text), terms_of(ask.budget, ask.deadline)
        if node:  # nobody consents in advance for a program, and what one asks is always on record
            ask = replace(ask, yes=False, private=False)
        run = run or new_run_id()
        if "\0" in ask.cwd:
            raise BadRequest("request.folder", "The working folder is no path.", hint="Send a path, or nothing.")
        conversation = conversation_of(ask, node, key)
        now = self._house.clock()
        seed = secrets.randbits(48)
        home = str(self._house.folders.home)
        said = Utterance(text, conversation, ask.cwd or home, home, now, node)
        said = await _heard(said) if shows else said
        live = run_of(self._house, run, said, ask.yes, seed, private=ask.private, held=Held(terms))
        body = {
            "text": said.text, "conversation": conversation, "cwd": live.utterance.cwd, "channel": ask.channel,
            "now": now.isoformat(), "yes": ask.yes, "seed": seed, "steward": own_version(),
        }  # fmt: skip
        body |= {"shown": [{"kind": str(one.kind), "text": one.text} for one in said.shown]} if said.shown else {}
        body |= {"private": True} if ask.private else {}
        body |= {"terms": terms.to_json()} if terms.to_json() else {}
        body |= {"client": node, "client_key": key} if node else {}
        await live.log.say("run.created", None, body)
        self._house.talk.note(conversation, run, node, key)
        return live

    async def heard(self, ask: Ask) -> Utterance:
        """Return what is said where nothing is to be done about it, nor written down. Raises BadRequest."""
        text, home = checked_text(ask.text), str(self._house.folders.home)
        conversation = ConversationId(ask.conversation or "c-draft")
        return await _heard(Utterance(text, conversation, ask.cwd or home, home, self._house.clock()))


def new_run_id() -> RunId:
    """Return an id that no run has."""
    return RunId("r-" + secrets.token_hex(5))


def run_of(
    house: House, run: RunId, said: Utterance, yes: bool, seed: int, *, private: bool = False, held: Held | None = None
) -> Run:
    """Return a run that is about to begin, or to go on."""
    log = RunLog(house.ledger, run, private=private)
    return Run(run, said, house, yes, log, seed, private=private, held=held or Held())


async def _heard(utterance: Utterance) -> Utterance:
    """Return what was said, with what is shown taken out of it. A long text holds nobody else up."""
    with one_import:
        from kernel.firewall.said import heard

    return await asyncio.to_thread(heard, utterance) if len(utterance.text) > AT_ONCE else heard(utterance)
