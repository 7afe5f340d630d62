"""What stands on a node of the tree, each with where it comes from: rules, amounts, and the grants of a skill."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from permissions.errors import BadScope
from permissions.model import Action, GrantMode, Principal, Right, Verdict
from permissions.policy.controllers import checked_amount, checked_meter
from permissions.policy.scopes import checked, is_everything, is_text

LONGEST_WHY = 500
"""Characters of the reason that a person gives."""

PERSON, INSTALLATION = "person", "installation"


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """Where something on the tree comes from: who put it there, when (Unix seconds), why, and in which event.

    What was put there for a time says when that is over.
    """

    by: str = INSTALLATION
    at_s: float = 0.0
    why: str = ""
    event: int = 0
    expires_s: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the form that is hashed."""
        body = {"by": self.by, "at_s": self.at_s, "why": self.why, "event": self.event}
        return body if self.expires_s is None else body | {"expires_s": self.expires_s}

    def has_ended(self, now_s: float) -> bool:
        """Tell whether its time is over; also when nobody can tell what time it is."""
        return self.expires_s is not None and not now_s < self.expires_s

    @staticmethod
    def from_json(body: Mapping[str, Any], event: int = 0) -> Origin:
        """Read what ``to_json`` wrote, or the same names in an event; what an older one lacks was a person's."""
        by, why = str(body.get("by") or PERSON), checked_why(str(body.get("why") or ""))
        ends = None if body.get("expires_s") is None else _seconds(body["expires_s"])
        return Origin(by, _seconds(body["at_s"]), why, event or int(body.get("event") or 0), ends)


def checked_why(why: str) -> str:
    """Return a reason that is text, and not too long. It is kept as it was given; who shows it makes it visible."""
    if not is_text(why):
        raise BadScope("grant.why", "The reason holds a broken character.", subject=why[:60], hint="Say it again.")
    if len(why) > LONGEST_WHY:
        raise BadScope("grant.why", f"The reason has {len(why)} characters; {LONGEST_WHY} are kept.",
                       subject=why[:60], hint="Say it shorter.")  # fmt: skip
    return why


def _seconds(value: Any) -> float:
    """Return a finite time. Raises ValueError: a NaN would compare as neither ended nor not ended."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no time")
    return float(value)


def _end(mode: GrantMode, value: Any) -> float | None:
    """Return when a grant of this mode ends. Raises ValueError when a timed one, or another one, does not say so."""
    if (mode is GrantMode.UNTIL) != (value is not None):
        raise ValueError("a timed grant, and only a timed one, has an end")
    return None if value is None else _seconds(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def right_from_json(body: Mapping[str, Any]) -> Right:
    """Read the fields ``action``, ``scope`` and ``tree``. Raises KeyError, ValueError, TypeError, BadScope."""
    return checked(Right(Action(body["action"]), str(body["scope"]), _flag(body["tree"])))


def right_to_json(right: Right) -> dict[str, Any]:
    """Return the fields that ``right_from_json`` reads."""
    return {"action": str(right.action), "scope": right.scope, "tree": right.tree}


@dataclass(frozen=True, slots=True)
class Rule:
    """An allow or a deny on a node, with the reason a person reads. One that a person made has an ``id``."""

    right: Right
    verdict: Verdict
    reason: str
    id: str = ""
    origin: Origin = Origin()

    def sorting(self) -> tuple[Any, ...]:
        """Return what puts equal sets of rules into one order."""
        return (self.right, str(self.verdict), self.reason, self.id, self.origin)

    def to_json(self) -> dict[str, Any]:
        """Return the form that is hashed."""
        more = {"verdict": str(self.verdict), "reason": self.reason, "id": self.id, "origin": self.origin.to_json()}
        return right_to_json(self.right) | more

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Rule:
        """Read what ``to_json`` wrote. Raises BadScope."""
        try:
            origin = Origin.from_json(body["origin"])
            return Rule(right_from_json(body), Verdict(body["verdict"]), str(body["reason"]), str(body["id"]), origin)
        except (KeyError, ValueError, TypeError) as error:
            raise BadScope("grant.malformed", f"A rule is malformed: {error}.") from error


@dataclass(frozen=True, slots=True)
class Bound:
    """An amount on a node: of ``meter``, for each call, or in ``total`` for all calls from then on (a budget)."""

    meter: str
    amount: int
    total: bool = False
    origin: Origin = Origin()

    def __post_init__(self) -> None:
        """Refuse what is no amount. Raises BadAmount."""
        checked_meter(self.meter, total=self.total)
        checked_amount(self.amount, self.meter)

    def to_json(self) -> dict[str, Any]:
        """Return the form that is hashed."""
        return {"meter": self.meter, "amount": self.amount, "total": self.total, "origin": self.origin.to_json()}

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Bound:
        """Read what ``to_json`` wrote. Raises BadScope, BadAmount."""
        try:
            return Bound(str(body["meter"]), body["amount"], _flag(body["total"]), Origin.from_json(body["origin"]))
        except (KeyError, ValueError, TypeError) as error:
            raise BadScope("grant.malformed", f"A limit is malformed: {error}.") from error


@dataclass(frozen=True, slots=True)
class Grant:
    """A right that a person gave to a skill, bound to the skill's content hash. Times are Unix seconds.

    ``client`` is the program or the routine that it was given to (``mcp:NAME``, ``routine:NAME``); what the person may
    do has none. Of what a client may call, ``skill`` is the client itself.
    """

    id: str
    skill: str
    skill_hash: str
    right: Right
    mode: GrantMode
    at_s: float
    run: str = ""
    expires_s: float | None = None
    by: str = PERSON
    why: str = ""
    event: int = 0
    client: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the form that stands in the ledger; the event that it stands in is not part of it."""
        body = {
            "id": self.id, "skill": self.skill, "skill_hash": self.skill_hash, **right_to_json(self.right),
            "mode": str(self.mode), "at_s": self.at_s, "run": self.run, "expires_s": self.expires_s,
            "by": self.by, "why": self.why,
        }  # fmt: skip
        return body | ({"client": self.client} if self.client else {})  # a person's has the form that it always had

    @staticmethod
    def from_json(body: Mapping[str, Any], event: int = 0) -> Grant:
        """Read what ``to_json`` wrote, also before grants said who gave them and why. Raises BadScope."""
        try:
            mode, origin = GrantMode(body["mode"]), Origin.from_json(body, event)
            expires = _end(mode, body.get("expires_s"))
            return Grant(
                str(body["id"]), str(body["skill"]), str(body["skill_hash"]), right_from_json(body), mode,
                origin.at_s, str(body.get("run") or ""), expires, origin.by, origin.why, origin.event,
                str(body.get("client") or ""),
            )  # fmt: skip
        except (KeyError, ValueError, TypeError) as error:
            raise BadScope("grant.malformed", f"A grant in the ledger is malformed: {error}.") from error

    def is_for(self, principal: Principal) -> bool:
        """Tell whether this grant was given to this principal."""
        given, content = (self.client, self.skill), self.skill_hash
        if given != (principal.client, principal.skill) or content != principal.skill_hash:
            return False
        return self.mode not in (GrantMode.ONCE, GrantMode.RUN) or self.run == principal.run

    def has_ended(self, now_s: float) -> bool:
        """Tell whether its time is over; also when nobody can tell what time it is."""
        return self.expires_s is not None and not now_s < self.expires_s

    def holds(self, principal: Principal, now_s: float) -> bool:
        """Tell whether this grant is for this principal, now."""
        return self.is_for(principal) and not self.has_ended(now_s)

    def outlives_its_run(self) -> bool:
        """Tell whether it is a standing grant."""
        return self.mode in (GrantMode.UNTIL, GrantMode.ALWAYS)


def new_grant(
    principal: Principal,
    right: Right,
    mode: GrantMode,
    at_s: float,
    expires_s: float | None = None,
    *,
    by: str = PERSON,
    why: str = "",
) -> Grant:
    """Make a grant for ``principal``. Raises BadScope on a malformed right or a time limit that is missing or wrong."""
    if (mode is GrantMode.UNTIL) != (expires_s is not None) or not _lies_ahead(expires_s, at_s):
        raise BadScope("grant.expiry", "A timed grant, and only a timed one, needs an end that lies ahead.")
    if is_everything(checked(right)):
        raise BadScope("grant.everything", f"{right} is everything of its kind.", subject=str(right),
                       hint="Name what it is for.")  # fmt: skip
    run = principal.run if mode in (GrantMode.ONCE, GrantMode.RUN) else ""
    name = "g-" + secrets.token_hex(5)
    return Grant(
        name, principal.skill, principal.skill_hash, right, mode, at_s, run, expires_s, by, checked_why(why),
        client=principal.client,
    )  # fmt: skip


def _lies_ahead(expires_s: float | None, at_s: float) -> bool:
    return expires_s is None or (math.isfinite(expires_s) and expires_s > at_s)
