"""What a person does with the policy tree: look at it, grant, revoke, deny, limit, ask why, and read what was done.

Everything that changes it is an event of the ledger first. A model, a skill or a page without a person never gets here:
the portal lets in the user's own commands only.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from kernel.approval.next_step import next_step
from kernel.errors import BadRequest, UnknownRun
from kernel.failures import reason as reason_words
from kernel.failures import said
from kernel.models.model import MODELS, MODELS_HASH
from permissions.errors import PermissionsError
from permissions.model import Action, GrantMode, Principal, Right, Verdict
from permissions.naming import sentence, shown
from permissions.policy import (
    CONTROLLERS,
    OWNERS,
    ROUTINE,
    Grant,
    Policy,
    amount_words,
    checked_meter,
    explain,
    explain_amount,
    for_node,
    new_grant,
    node_path,
    parse_amount,
    parse_right,
    path_of,
    way_to,
)
from skills.errors import SkillError
from skills.model import Skill, SkillId

if TYPE_CHECKING:
    from kernel.house import House

T = TypeVar("T")
View = dict[str, Any]

TOLD = ("grant.added", "grant.revoked", "grant.expired", "deny.added", "deny.removed", "limit.set", "grants.given",
        "client.added", "client.removed",
        "budget.settled", "clock.back", "perms.refused")  # fmt: skip
"""What the history tells."""

LEAST = {"memory": 10_000_000, "wall": 200}
"""What a call needs at the least to begin at all: bytes, milliseconds. Less is a mistake, none at all is not."""

UNCHARGED = {
    "gpu": "Nothing charges GPU time yet: the bound is kept, shown and explained, and no call counts against it."
}
"""Amounts that can be bounded before anything counts them, with what a person is told about that."""

LATEST_S = datetime(9999, 12, 31, 9, tzinfo=UTC).timestamp()
"""A grant ends no later than this: it is still a date in every time zone (14 hours east of Greenwich at the most)."""

_GRANT = "./steward perms grant SKILL RIGHT, e.g. documents fs.read:~/Documents/**"
_LIMIT = "./steward perms limit NODE CONTROLLER VALUE, e.g. files memory 512MB"


class Perms:
    """The tree in a person's hands. ``language`` is that of the words in an answer."""

    def __init__(self, house: House) -> None:
        self._house = house

    # --- looking --------------------------------------------------------------------------------------------------

    def grants(self) -> list[View]:
        """Return the standing grants, with those that will end by themselves.

        One of another version of its skill is ``idle``: it counts again when that version does.
        """
        now = {str(one.id): one.hash for one in self._house.registry.skills()}
        return [
            grant.to_json()
            | {"right": str(grant.right), "idle": now.get(grant.skill, grant.skill_hash) != grant.skill_hash}
            for grant in self._policy.standing(self._house.now_s())
        ]

    def show(self, node: str = "") -> View:
        """Return the tree, or what holds at one node. Raises BadRequest."""
        path = self._node(node) if node else ""
        self._house.now_s()  # what has ended by now is shown no more
        policy = self._policy
        denies = [(place, rule) for place, rule in self._house.denies() if not path or _is_on(place, path)]
        bounds = [(one.path, bound) for one in policy.nodes.values() for bound in one.bounds
                  if not path or _is_on(one.path, path)]  # fmt: skip
        at = for_node(path, "") if path else None
        return {
            "hash": policy.hash, "node": path,
            "grants": [grant for grant in self.grants() if at is None or _is_at(grant, at)],
            "denies": [{"id": rule.id, "node": place, "right": str(rule.right), **rule.origin.to_json()}
                       for place, rule in denies],
            "limits": [self._limit_view(place, bound.to_json()) for place, bound in bounds],
            "effective": _effective(policy, path) if path else None,
        }  # fmt: skip

    def _limit_view(self, place: str, bound: View) -> View:
        view = bound | {"node": place, "words": _words(bound["amount"], bound["meter"])}
        left = self._house.accounts.budgets.left(place, bound["meter"]) if bound["total"] else None
        return view | {"left": left, "left_words": _words(left, bound["meter"])}

    def explain(self, node: str, action: str, language: str = "en") -> View:
        """Say which node decides on a right (``fs.read:~/x``) or an amount (``memory``) there, and why.

        Raises BadRequest.
        """
        path = self._node(node)
        if ":" not in action:
            return self._explain_amount(path, action)
        right, now_s = self._right(action), self._house.now_s()  # the time first: what has ended leaves the tree
        found = explain(self._policy, self._principal_at(path), right, now_s=now_s)
        decision = found.decision
        return {
            "node": path, "right": str(right), "verdict": str(decision.verdict), "decided_by": decision.node,
            "reason": reason_words(decision.reason, language), "command": found.command,
            "steps": [{"node": step.node, "verdict": str(step.verdict), "reason": reason_words(step.reason, language)}
                      for step in found.steps],
        }  # fmt: skip

    def _explain_amount(self, path: str, meter: str) -> View:
        found = _checked(lambda: explain_amount(self._policy, self._house.accounts.budgets, path, meter), _LIMIT)
        amounts = [
            {"total": one.total, "amount": one.amount, "decided_by": one.node, "left": one.left,
             "words": _words(one.amount, meter) or "no limit", "left_words": _words(one.left, meter),
             "command": one.command}
            for one in found
        ]  # fmt: skip
        return {"node": path, "meter": meter, "amounts": amounts, "command": found[0].command,
                "decided_by": found[0].node, "learned": self._learned(path) if meter == "memory" else []}  # fmt: skip

    def _learned(self, path: str) -> list[View]:
        """Return what the calls of the tools at a node, or below it, begin with."""
        most, client = self._policy.limits(path).get("memory"), for_node(path, "").client
        tools = [one for one in self._house.registry.tools() if _is_on(path_of(one.skill, one.id, client)[-1], path)]
        view, bound = self._house.memory.view, most[0] if most else None
        return [one for tool in tools for one in view(tool.id, tool.limits.memory_bytes, bound)]

    def history(self, limit: int = 50) -> list[View]:
        """Return the latest changes of the tree, newest last: when, what, by whom, why."""
        events = list(self._house.ledger.events(kinds=TOLD))[-limit:]
        return [
            {"seq": event.seq, "at": datetime.fromtimestamp(event.at_ns / 1e9).astimezone().isoformat(),
             "kind": event.kind, "run": event.run, "body": None if event.body is None else dict(event.body)}
            for event in events
        ]  # fmt: skip

    # --- changing -------------------------------------------------------------------------------------------------

    async def grant(self, skill: str, right: str, *, lasting: str = "", until: str = "", why: str = "") -> str:
        """Give ``skill`` a standing right, as a person writes it; return the grant's id, that of an equal one where
        there is one. Raises BadRequest.
        """
        async with self._refusals("grant", skill, right):
            given = self._new_grant(skill, right, lasting, until, why)
        equal = self._equal(given)
        if equal is not None:
            return equal.id
        await self._house.grant([given], None)
        return given.id

    def _equal(self, given: Grant) -> Grant | None:
        """Return a standing grant that gives the same to the same, for good."""
        same = (one for one in self._policy.grants if one.mode is GrantMode.ALWAYS is given.mode)
        return next((one for one in same if (one.skill, one.skill_hash, one.right, one.client)
                     == (given.skill, given.skill_hash, given.right, given.client)), None)  # fmt: skip

    def _new_grant(self, skill: str, right: str, lasting: str, until: str, why: str) -> Grant:
        principal, wanted, now = self._principal(skill), self._right(right), self._house.now_s()
        if any(one.id == principal.skill and not one.tools for one in self._house.registry.skills()):
            message = (
                f"{principal.skill} is instructions alone: what a model may do that follows it is asked each time."
            )
            raise BadRequest("grant.instructions", message, subject=principal.skill,
                             hint="Ask for something that it is about; the card then says what it may do.")  # fmt: skip
        _check_fits(principal, wanted)
        decision = self._policy.decide(principal, wanted, now_s=now)
        if decision.verdict is Verdict.DENY:
            hint = next_step(decision, os.path.realpath(self._house.folders.home), "en")
            raise BadRequest("grant.denied", f"{shown(right)} cannot be granted: {decision.reason}.",
                             subject=shown(right), hint=hint)  # fmt: skip
        ends = self._end(lasting, until, now)
        mode = GrantMode.ALWAYS if ends is None else GrantMode.UNTIL
        return _checked(lambda: new_grant(principal, wanted, mode, now, ends, why=why), _GRANT)

    async def revoke(self, one: str, *, denies: bool = False) -> list[str]:
        """Take a grant away; what runs and needs it is stopped. Raises UnknownRun.

        With ``denies`` it is a deny that is taken away: that widens, and is never done by the way of a grant.
        """
        async with self._refusals("revoke", one):
            if denies != any(rule.id == one for _, rule in self._house.denies()):
                what = "deny" if denies else "grant"
                raise UnknownRun(f"{what}.unknown", f"There is no {what} {shown(one)}.", subject=shown(one),
                                 hint="./steward perms lists them.")  # fmt: skip
            await self._house.revoke(one)
        return [one]

    async def revoke_all(self, skill: str) -> list[str]:
        """Take every grant of a skill away, also of one that is no longer installed. Raises UnknownRun."""
        ended = {grant.id for grant in self._policy.ended(self._house.now_s())}
        ids = [
            grant.id for grant in self._policy.grants if skill in (grant.skill, grant.client) and grant.id not in ended
        ]
        async with self._refusals("revoke", skill):
            if not ids:
                raise UnknownRun("grant.unknown", f"{shown(skill)} has no standing grant.", subject=shown(skill),
                                 hint="./steward perms lists them.")  # fmt: skip
            await self._house.revoke(*ids)
        return ids

    async def deny(self, node: str, right: str, why: str = "", *, lasting: str = "", until: str = "") -> str:
        """Deny a right at a node and below, whoever grants it; return the deny's id. Raises BadRequest."""
        async with self._refusals("deny", node, right):
            path, denied = self._node(node), self._right(right)
            ends = self._end(lasting, until, self._house.now_s())
            return await _awaited(lambda: self._house.deny(path, denied, why, ends), "")

    async def limit(
        self, node: str, meter: str, value: str, *,
        total: bool = False, why: str = "", lasting: str = "", until: str = "",
    ) -> View:  # fmt: skip
        """Bound an amount at a node; ``none`` takes the bound away. Raises BadRequest."""
        async with self._refusals("limit", node, f"{meter} {value}"):
            path, amount = self._amount(node, meter, value, total)
            ends = self._end(lasting, until, self._house.now_s())
            if ends is not None:
                self._check_for_a_time(path, meter, total, amount)
            await _awaited(lambda: self._house.limit(path, meter, amount, total=total, why=why, expires_s=ends), _LIMIT)
        note = UNCHARGED.get(meter, "") if amount is not None else ""
        return {"node": path, "meter": meter, "amount": amount, "total": total, "words": _words(amount, meter),
                "note": note}  # fmt: skip

    def _check_for_a_time(self, path: str, meter: str, total: bool, amount: int | None) -> None:
        """Check that one for a time takes no lasting one's place: at its end nothing would hold. Raises BadRequest."""
        if amount is None:
            raise BadRequest("limit.expiry", "To take a limit away for a time cannot be said.", subject=meter,
                             hint="Take it away, and set it again later.")  # fmt: skip
        same = (one for one in self._policy.node(path).bounds if (one.meter, one.total) == (meter, total))
        if any(one.origin.expires_s is None for one in same):
            raise BadRequest(
                "limit.expiry",
                f"{meter} is limited here for good; a limit for a time would take its place, and leave none.",
                subject=meter, hint="Change it without --for, or bound a node below or above it for a time.",
            )  # fmt: skip

    def _amount(self, node: str, meter: str, value: str, total: bool) -> tuple[str, int | None]:
        none, path = value.strip().lower() in ("none", "off"), _checked(lambda: node_path(node), "")
        _checked(lambda: checked_meter(meter, total=total), _LIMIT)
        stands = any((one.meter, one.total) == (meter, total) for one in self._policy.node(path).bounds)
        if not (none and stands):  # a bound can go though what it bounded is gone
            self._principal_at(path)
        amount = None if none else _checked(lambda: parse_amount(value, meter), _LIMIT)
        least = 0 if total else LEAST.get(meter, 0)
        if amount is not None and 0 < amount < least:
            raise BadRequest("limit.amount", f"No call can run with {shown(value)} of {meter}.", subject=value,
                             hint=f"At least {amount_words(least, meter)}, or 0 for none at all.")  # fmt: skip
        return path, amount

    @asynccontextmanager
    async def _refusals(self, what: str, *asked: str) -> AsyncIterator[None]:
        """Write to the ledger what is refused: what was asked for, made visible and cut, and why not."""
        try:
            yield
        except (BadRequest, UnknownRun) as error:
            await self._house.refused({"what": what, "asked": [shown(one) for one in asked], "code": error.code,
                                 "message": str(error)})  # fmt: skip
            raise

    # --- reading what was typed ---------------------------------------------------------------------------------

    @property
    def _policy(self) -> Policy:
        return self._house.policy

    def _node(self, name: str) -> str:
        path = _checked(lambda: node_path(name), "")
        self._principal_at(path)
        return path

    def _principal(self, name: str) -> Principal:
        """Return to whom a person gives: ``files``, ``mcp:claude`` (a client), ``mcp:claude.files`` (for a client)."""
        if name.startswith(OWNERS) or name == MODELS:
            return self._principal_at(_checked(lambda: node_path(name), _GRANT))
        skill, _, tool = name.partition(".")
        if tool:
            raise _of_a_tool(name, self._skill(skill).id)
        return Principal(self._skill(name).id, self._skill(name).hash, "", "", "")

    def _principal_at(self, path: str) -> Principal:
        """Return whom a node stands for, bound to its content of today. Raises BadRequest where there is none."""
        found = for_node(path, "")
        key = self._house.owner_key(found.client) if found.client else None
        if found.client and key is None:
            kind, listing = ("routine", "routines") if found.client.startswith(ROUTINE) else ("client", "mcp clients")
            raise BadRequest(f"{kind}.unknown", f"There is no {kind} {found.client}.", subject=found.client,
                             hint=f"./steward {listing} lists them.")  # fmt: skip
        if key is not None and found.skill == found.client:
            return replace(found, skill_hash=key)
        if found.skill == MODELS:
            self._check_model(found.tool.partition(".")[2])
            return replace(found, skill_hash=MODELS_HASH)
        if found.tool:
            self._check_tool(found.skill, found.tool)
        return replace(found, skill_hash=self._skill(found.skill).hash) if found.skill else found

    def _check_tool(self, skill: str, name: str) -> None:
        """Check that a skill has a tool: what is denied or bounded at none holds nowhere. Raises BadRequest."""
        tools = [str(tool.id) for tool in self._house.registry.tools() if tool.skill == self._skill(skill).id]
        if name not in tools:
            raise BadRequest("tool.unknown", f"{skill} has no tool {shown(name)}.", subject=shown(name),
                             hint=f"It has: {', '.join(tools) or 'none'}.")  # fmt: skip

    def _check_model(self, name: str) -> None:
        """Check that ``models.NAME`` is one. Raises BadRequest."""
        if name and name not in self._house.models.book().endpoints:
            raise BadRequest("model.unknown", f"There is no endpoint {shown(name)}.", subject=shown(name),
                             hint="./steward models lists them.")  # fmt: skip

    def _skill(self, name: str) -> Skill:
        return _checked(lambda: self._house.registry.skill(SkillId(name)), _GRANT)

    def _right(self, text: str) -> Right:
        return _checked(lambda: parse_right(text, os.path.realpath(self._house.folders.home)), _GRANT)

    def _end(self, lasting: str, until: str, now_s: float) -> float | None:
        if lasting and until:
            raise BadRequest("grant.expiry", "Say either how long or until when, not both.", hint="--for 2h")
        if lasting.strip().isdigit():
            raise BadRequest("grant.expiry", f"{shown(lasting)} of what?", subject=lasting, hint="--for 2h, 30m, 7d")
        if not lasting and not until:
            return None
        spans = now_s + _checked(lambda: parse_amount(lasting, "wall"), "--for 2h, 30m, 7d") / 1000 if lasting else 0
        ends = spans or _moment(until, self._house.clock()).timestamp()
        if ends > LATEST_S:
            said = shown(lasting or until)
            raise BadRequest("grant.expiry", f"{said} is later than any clock can show.", subject=said,
                             hint="Without --for and --until a grant holds for good.")  # fmt: skip
        return ends


def _moment(text: str, now: datetime) -> datetime:
    """Read ``18:30`` (the next one) or ``2026-12-24T18:00`` in the user's zone. Raises BadRequest."""
    try:
        if len(text) <= 5 and ":" in text:
            hour, _, minute = text.partition(":")
            at = now.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
            return at if at > now else at + timedelta(days=1)
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadRequest("grant.expiry", f"{shown(text)!r} is no time.", subject=shown(text),
                         hint="--until 18:30, --until 2026-12-24 or --until 2026-12-24T18:00") from error  # fmt: skip
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)


def _words(amount: int | None, meter: str) -> str:
    return "" if amount is None else amount_words(amount, meter)


def _is_on(place: str, path: str) -> bool:
    """Tell whether the node at ``place`` has a say at ``path``, or stands below it."""
    return place in way_to(path) or place.startswith(f"{path}/")


def _is_at(grant: View, at: Principal) -> bool:
    """Tell whether a grant is one of a skill, of a client, or of a skill for a client."""
    client = str(grant.get("client") or "")
    return not at.skill or (client == at.client and at.skill in (grant["skill"], client))


def _check_fits(principal: Principal, wanted: Right) -> None:
    """Check that a grant says what a person means by it. Raises BadRequest."""
    client, skill = principal.client, principal.skill
    if (wanted.action is Action.MODEL_SEE) != (skill == MODELS):
        raise BadRequest("grant.model", f"{shown(str(wanted))} is no right of {skill}.", subject=skill,
                         hint="./steward perms grant models model.see:facts@127.0.0.1:11434")  # fmt: skip
    if principal.tool:
        raise _of_a_tool(principal.tool, f"{client}.{skill}")
    if client and client == skill and wanted.action not in (Action.SKILL_CALL, Action.GRAPH_READ):
        hint = f"For a skill that works for it: ./steward perms grant {client}.files fs.read:~/Documents/**"
        raise BadRequest("grant.client", f"{client} itself is granted tools, and {shown(str(wanted))} is none.",
                         subject=client, hint=hint)  # fmt: skip


def _of_a_tool(tool: str, whose: str) -> BadRequest:
    """Return the refusal of a grant for a single tool."""
    message = f"A right is given to a skill; {shown(tool)} is one tool of it."
    return BadRequest("grant.tool", message, subject=shown(tool), hint=f"./steward perms grant {whose} RIGHT")


def _effective(policy: Policy, path: str) -> View:
    """Return the meet of the way down to a node: what may be asked for there at most, and the least amounts."""
    meet = policy.effective(path)
    rights = {
        one.name: sorted(str(right) for right in meet.allowed if right.action in one.actions)
        for one in CONTROLLERS.values() if one.actions
    }  # fmt: skip
    limits = [{"meter": meter, "amount": amount, "words": amount_words(amount, meter), "node": node}
              for meter, (amount, node) in sorted(policy.limits(path).items())]  # fmt: skip
    denied = sorted({right.scope + ("/**" if right.tree else "") for right in meet.denied})
    return {"rights": rights, "denied": denied, "limits": limits}


def _checked(read: Callable[[], T], hint: str) -> T:
    """Return what ``read`` returns; what a lower room refuses is the input's fault."""
    try:
        return read()
    except (SkillError, PermissionsError) as error:
        raise _refused(error, hint) from error


async def _awaited(work: Callable[[], Awaitable[T]], hint: str) -> T:
    try:
        return await work()
    except PermissionsError as error:
        raise _refused(error, hint) from error


def _refused(error: SkillError | PermissionsError, hint: str) -> BadRequest:
    german = said(error.code, shown(error.subject)) or ("", "")
    subject = shown(error.subject)
    return BadRequest(error.code, sentence(str(error)), subject=subject, hint=error.hint or hint, de=german[0])
