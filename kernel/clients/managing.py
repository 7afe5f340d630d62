"""What a person does with clients, and what one may call: add, offer, withdraw, remove, list.

A client is offered a tool by a standing grant of ``skill.call`` on its own node, so that ``./steward perms`` shows,
explains, limits and revokes it like any other.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kernel.clients.book import ADDED, REMOVED, digest_of, new_token, to_json
from kernel.clients.model import ASK, AT_FIRST, MEMORY, OWN, Client, ToolCall
from kernel.errors import BadRequest, UnknownRun
from memory.model import Draft
from permissions import new_grant
from permissions.labels import KERNEL_SAID
from permissions.model import Action, GrantMode, Principal, Right, Verdict
from permissions.naming import sentence, shown
from permissions.policy import Grant
from skills.errors import SkillError
from skills.model import ToolId

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.model import Plan

View = dict[str, Any]

MOST = 50
"""So many clients there are at most."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")
_SHORT = {"ask": ASK, "memory_search": MEMORY}


class Clients:
    """The clients in a person's hands. All methods belong to the kernel's event loop."""

    def __init__(self, house: House) -> None:
        self._house = house

    # --- who there is ---------------------------------------------------------------------------------------------

    def listed(self) -> list[View]:
        """Return the clients with what each may call."""
        return [self._view(client) for client in self._house.clients.every()]

    def _view(self, client: Client) -> View:
        standing = self._standing(client)
        offers = [one for one in standing if _is_offer(one, client)]
        rights = [one for one in standing if not _is_offer(one, client)]
        scopes = sorted((str(one.right.scope) for one in offers), key=_first_own)
        return {"name": client.name, "node": client.node, "at_s": client.at_s,
                "offers": [self.called(scope) for scope in scopes],
                "rights": [{"id": one.id, "skill": one.skill, "right": str(one.right), "mode": str(one.mode)}
                           for one in rights]}  # fmt: skip

    def whose(self, token: str) -> str | None:
        """Return the name of the client that ``token`` was given to; None where it is nobody's."""
        client = self._house.clients.whose(token)
        return client.name if client else None

    def known(self, name: str) -> Client:
        """Return the client of this name. Raises UnknownRun."""
        client = self._house.clients.get(name)
        if client is None:
            raise UnknownRun("client.unknown", f"There is no client {shown(name)}.", subject=shown(name),
                             hint="./steward mcp clients lists them; clients add NAME makes one.")  # fmt: skip
        return client

    async def add(self, name: str) -> str:
        """Make a client that may ask and search memory; return its token, which is kept nowhere. Raises BadRequest."""
        self._check_new(name)
        token = new_token()
        client = Client(name, digest_of(token), secrets.token_hex(8), self._house.now_s())
        await self._revoke(self._all_of(client))  # left by an earlier one of this name that went half way
        await self._say(ADDED, to_json(client))
        self._house.clients.put(client)
        await self._offer(client, AT_FIRST)
        return token

    def _check_new(self, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise BadRequest("client.name", f"{shown(name)!r} is no name for a client.", subject=shown(name),
                             hint="Small letters, digits, hyphens: ./steward mcp clients add claude")  # fmt: skip
        if self._house.clients.get(name) is not None:
            raise BadRequest("client.taken", f"There is a client {name} already.", subject=name,
                             hint=f"For a new token: ./steward mcp clients remove {name}, then add it.")  # fmt: skip
        if len(self._house.clients.every()) >= MOST:
            raise BadRequest("client.many", f"There are {MOST} clients, which is the most.", subject=name,
                             hint="./steward mcp clients remove NAME")  # fmt: skip

    async def remove(self, name: str) -> list[str]:
        """Let a client's token open nothing, and take all its grants away; return their ids. Raises UnknownRun."""
        client = self.known(name)
        await self._say(REMOVED, {"name": name})
        self._house.clients.drop(name)
        return await self._revoke(self._all_of(client))

    # --- what it may call -----------------------------------------------------------------------------------------

    async def allow(self, name: str, offers: Sequence[str]) -> Sequence[str]:
        """Offer a client more; return what it is that was not offered before. Raises UnknownRun, BadRequest."""
        client = self.known(name)
        wanted = [self._offer_named(one) for one in offers]
        new = [one for one in dict.fromkeys(wanted) if not self._is_offered(client, one)]
        await self._offer(client, new)
        return new

    async def withdraw(self, name: str, offers: Sequence[str]) -> Sequence[str]:
        """Offer a client less; return what it may no longer call. Raises UnknownRun, BadRequest."""
        client = self.known(name)
        wanted = {self._offer_named(one) for one in offers}
        gone = [grant for grant in self._offers_of(client) if grant.right.scope in wanted]
        await self._revoke(gone)
        left = sorted(one for one in wanted if self._is_offered(client, one))
        if left:  # under a whole skill: one tool of it cannot be taken out of that by itself
            whole = left[0].partition(".")[0]
            message = f"{name} is offered all of {whole}, and {left[0]} with it."
            raise BadRequest("client.whole", message, subject=left[0],
                             hint=f"./steward mcp revoke {name} {whole}, then allow what it shall keep.")  # fmt: skip
        return [grant.right.scope for grant in gone]

    def _offer_named(self, name: str) -> str:
        """Return what a person calls ``files.find``, ``files`` (all its tools), ``ask``, a macro. Raises BadRequest."""
        offer = _SHORT.get(name, name)
        skills = {str(skill.id) for skill in self._house.registry.skills()} - {OWN}
        tools = {str(tool.id) for tool in self._house.registry.tools()}
        if offer in AT_FIRST or offer in skills or (offer in tools and not offer.startswith(f"{OWN}.")):
            return offer
        macro = self._house.macros.get(name)
        if macro is None:
            raise BadRequest("client.offer", f"There is no tool {shown(name)}.", subject=shown(name),
                             hint="ask, memory_search, files.find, files, a macro: ./steward skills")  # fmt: skip
        from kernel.clients.macros import offer_of  # no start waits for it

        return offer_of(macro)

    def may(self, client: Client, offer: str) -> None:
        """Check that ``client`` was offered this. Raises BadRequest."""
        if not self._is_offered(client, offer):
            short = next((name for name, own in _SHORT.items() if own == offer), offer)
            raise BadRequest("client.not_allowed", f"{client.name} may not call {shown(short)}.", subject=shown(short),
                             hint=f"The person can allow it: ./steward mcp allow {client.name} {short}")  # fmt: skip

    def _is_offered(self, client: Client, offer: str) -> bool:
        return is_offered(self._house, client, offer)

    def offers(self, name: str) -> Sequence[View]:
        """Return everything that a client may call, described. Raises UnknownRun."""
        from kernel.clients.describing import OWN_VIEWS, tool_view  # no start waits for it
        from kernel.clients.macros import macro_views, offer_of

        client = self.known(name)
        macros = [one for one in self._house.macros.every() if self._is_offered(client, offer_of(one))]
        own = [dict(view) for offer, view in OWN_VIEWS.items() if self._is_offered(client, offer)]
        tools = sorted(self._house.registry.tools(), key=lambda tool: tool.id)
        mine = [tool_view(tool) for tool in tools if tool.skill != OWN and self._is_offered(client, tool.id)]
        return [*own, *mine, *macro_views(self._house, macros)]

    def plan(self, call: ToolCall) -> Plan:
        """Return the plan that makes a call, if it is offered and its arguments fit. Raises BadRequest, UnknownRun."""
        from kernel.clients.calls import plan_of
        from kernel.clients.macros import offered_macro, plan_of_macro

        self.may(self.known(call.client), call.tool)
        macro = offered_macro(self._house, call.tool)
        if macro is not None:
            return plan_of_macro(self._house, call, macro)
        try:
            tool = self._house.registry.tool(ToolId(call.tool))
        except SkillError as error:
            raise BadRequest(error.code, sentence(str(error)), subject=shown(call.tool), hint=error.hint) from error
        return plan_of(call, tool, str(self._house.folders.home))

    def called(self, offer: str) -> str:
        """Return what a person calls an offer: a macro by its name."""
        from kernel.clients.macros import offered_macro

        macro = offered_macro(self._house, offer)
        return offer if macro is None else macro.name

    # --- grants ---------------------------------------------------------------------------------------------------

    def _offers_of(self, client: Client) -> Sequence[Grant]:
        return [one for one in self._standing(client) if _is_offer(one, client)]

    def _standing(self, client: Client) -> Sequence[Grant]:
        return [one for one in self._house.policy.standing(self._house.now_s()) if one.client == client.node]

    def _all_of(self, client: Client) -> Sequence[Grant]:
        return [one for one in self._house.policy.grants if one.client == client.node]

    async def _offer(self, client: Client, offers: Iterable[str]) -> None:
        now = self._house.now_s()
        grants = [
            new_grant(principal_of(client), Right(Action.SKILL_CALL, one), GrantMode.ALWAYS, now) for one in offers
        ]
        if grants:
            await self._house.grant(grants, None)

    async def _revoke(self, grants: Iterable[Grant]) -> list[str]:
        ids = [grant.id for grant in grants]
        if ids:
            await self._house.revoke(*ids)
        return ids

    async def _say(self, kind: str, body: View) -> None:
        await asyncio.wrap_future(self._house.ledger.submit(Draft(kind=kind, body=body, label=KERNEL_SAID.to_json())))


def is_offered(house: House, client: Client, offer: str) -> bool:
    """Tell whether ``client`` may call this by now."""
    return house.decide(principal_of(client), Right(Action.SKILL_CALL, offer)).verdict is Verdict.ALLOW


def _is_offer(grant: Grant, client: Client) -> bool:
    """Tell whether a grant of ``client`` is what it may call, and not what its calls may do."""
    own = grant.skill == client.node and grant.skill_hash == client.key
    return own and grant.right.action is Action.SKILL_CALL


def _first_own(offer: str) -> tuple[bool, str]:
    return (not offer.startswith(f"{OWN}."), offer)


def principal_of(client: Client) -> Principal:
    """Return the client as one that rights are decided for."""
    return Principal(client.node, client.key, "", "", "", client.node)
