"""The policy tree: root / user / workspace / skill / call, and the one decision point over it.

What this stops: a call doing anything that no node allowed; a grant widening what an ancestor denies; a grant of one
skill, version, run or time serving another.
What it does not: enforce. The wall and the commit do, from the rights that were decided here.

A node holds allow and deny rules. Going down the path, the strictest verdict wins: a deny anywhere ends it, and what
the ceiling nodes (root, user, workspace) do not allow is denied. Below the ceilings a skill starts with nothing:
what it was not granted is asked. The tree is a value; every change makes a new one.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

from permissions.errors import BadScope
from permissions.model import Action, Decision, GrantMode, Principal, Right, Verdict
from permissions.policy.scopes import checked, covers, holds_path

CEILINGS = ("root", "root/user", "root/user/workspace")


@dataclass(frozen=True, slots=True)
class Rule:
    """An allow or a deny on a ceiling node, with the reason a person reads."""

    right: Right
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class Grant:
    """A right that a person gave to a skill, bound to the skill's content hash. Times are Unix seconds."""

    id: str
    skill: str
    skill_hash: str
    right: Right
    mode: GrantMode
    at_s: float
    run: str = ""
    expires_s: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the form that stands in the ledger."""
        return {
            "id": self.id, "skill": self.skill, "skill_hash": self.skill_hash, "action": str(self.right.action),
            "scope": self.right.scope, "tree": self.right.tree, "mode": str(self.mode), "at_s": self.at_s,
            "run": self.run, "expires_s": self.expires_s,
        }  # fmt: skip

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Grant:
        """Read what ``to_json`` wrote. Raises BadScope."""
        try:
            right = checked(Right(Action(body["action"]), str(body["scope"]), bool(body["tree"])))
            return Grant(
                str(body["id"]), str(body["skill"]), str(body["skill_hash"]), right, GrantMode(body["mode"]),
                float(body["at_s"]), str(body.get("run") or ""),
                None if body.get("expires_s") is None else float(body["expires_s"]),
            )  # fmt: skip
        except (KeyError, ValueError, TypeError) as error:
            raise BadScope("grant.malformed", f"A grant in the ledger is malformed: {error}.") from error

    def holds(self, principal: Principal, now_s: float) -> bool:
        """Tell whether this grant is for this principal, now."""
        if (self.skill, self.skill_hash) != (principal.skill, principal.skill_hash):
            return False
        if self.mode in (GrantMode.ONCE, GrantMode.RUN) and self.run != principal.run:
            return False
        return self.expires_s is None or now_s < self.expires_s


def new_grant(
    principal: Principal, right: Right, mode: GrantMode, at_s: float, expires_s: float | None = None
) -> Grant:
    """Make a grant for ``principal``. Raises BadScope on a malformed right or a time limit that is missing or wrong."""
    if (mode is GrantMode.UNTIL) != (expires_s is not None) or (expires_s is not None and not expires_s > at_s):
        raise BadScope("grant.expiry", "A timed grant, and only a timed one, needs an end that lies ahead.")
    run = principal.run if mode in (GrantMode.ONCE, GrantMode.RUN) else ""
    return Grant(
        "g-" + secrets.token_hex(5), principal.skill, principal.skill_hash, checked(right), mode, at_s, run, expires_s
    )


@dataclass(frozen=True, slots=True)
class Policy:
    """The whole tree as a value: rules of the ceiling nodes, and the grants of the skill nodes."""

    rules: Mapping[str, tuple[Rule, ...]]
    grants: tuple[Grant, ...] = ()
    _by_right: Mapping[Right, list[tuple[int, Grant]]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the grants: a card may have given thousands."""
        found: dict[Right, list[tuple[int, Grant]]] = {}
        for number, grant in enumerate(self.grants):
            found.setdefault(grant.right, []).append((number, grant))
        object.__setattr__(self, "_by_right", found)

    def decide(self, principal: Principal, right: Right, *, now_s: float) -> Decision:
        """Decide one right. Never raises on a well-formed right; anything else is denied by name."""
        try:
            checked(right)
        except BadScope as error:
            return Decision(right, Verdict.DENY, "root", str(error))
        for node in CEILINGS:
            refusal = self._ceiling(node, right)
            if refusal is not None:
                return refusal
        return self._skill(principal, right, now_s)

    def _ceiling(self, node: str, right: Right) -> Decision | None:
        rules = self.rules.get(node, ())
        for rule in rules:
            if rule.verdict is Verdict.DENY and _touches(rule.right, right):
                return Decision(right, Verdict.DENY, node, rule.reason)
        if any(rule.verdict is Verdict.ALLOW and covers(rule.right, right) for rule in rules):
            return None
        return Decision(right, Verdict.DENY, node, "it lies outside your home folder and the folder you called from")

    def _skill(self, principal: Principal, right: Right, now_s: float) -> Decision:
        node = f"{CEILINGS[-1]}/{principal.skill}"
        covering = sorted((one for wide in right.wider() for one in self._by_right.get(wide, ())), key=itemgetter(0))
        for _, grant in covering:
            if grant.holds(principal, now_s):
                words = {"once": "for this call", "run": "for this run"}.get(str(grant.mode), str(grant.mode))
                return Decision(right, Verdict.ALLOW, f"{node}#{grant.id}", f"granted {words}",
                                f"./steward perms revoke {grant.id}")  # fmt: skip
        stale = any(g.skill == principal.skill and g.skill_hash != principal.skill_hash for _, g in covering)
        reason = "the skill has changed since it was granted" if stale else "not granted yet"
        return Decision(right, Verdict.ASK, node, reason, f"./steward perms grant {principal.skill} '{right}'")

    def in_workspace(self, folder: str) -> Policy:
        """Return the tree as seen from ``folder``, the caller's working directory: what lies below may be asked for."""
        if folder == "/":
            return self
        extra = _allow((folder,), "the folder you called from")
        user, workspace = self.rules.get(CEILINGS[1], ()), self.rules.get(CEILINGS[2], ())
        return replace(self, rules={**self.rules, CEILINGS[1]: user + extra, CEILINGS[2]: workspace + extra})

    def with_grant(self, grant: Grant) -> Policy:
        """Return the tree with one more grant (a second one with the same id replaces the first)."""
        return self.with_grants((grant,))

    def with_grants(self, grants: Sequence[Grant]) -> Policy:
        """Return the tree with more grants."""
        ids = {grant.id for grant in grants}
        return replace(self, grants=(*(g for g in self.grants if g.id not in ids), *grants))

    def without(self, grant_id: str) -> Policy:
        """Return the tree without the grant called ``grant_id``."""
        return replace(self, grants=tuple(g for g in self.grants if g.id != grant_id))

    def after_run(self, run: str) -> Policy:
        """Return the tree without what was granted for ``run`` alone."""
        return replace(self, grants=tuple(grant for grant in self.grants if grant.run != run or not run))

    def standing(self, now_s: float) -> tuple[Grant, ...]:
        """Return the grants that outlive a run and have not expired."""
        return tuple(
            g for g in self.grants
            if g.mode in (GrantMode.UNTIL, GrantMode.ALWAYS) and (g.expires_s is None or now_s < g.expires_s)
        )  # fmt: skip


def _touches(denied: Right, right: Right) -> bool:
    """Tell whether ``right`` reaches into what is denied.

    A tree that merely contains a denied place is not denied: the wall masks that place, and every single effect is
    decided again. Removing a folder that contains one is.
    """
    if covers(denied, right):
        return True
    removes = right.action is denied.action is Action.FS_DELETE and not right.tree
    return removes and holds_path(right.scope, denied.scope)


_FILE_ACTIONS = (Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE)

SYSTEM_TREES = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys",
                "/usr", "/var/cache", "/var/lib", "/var/log", "/var/spool")  # fmt: skip
"""Never a skill's, unless the user's home lies inside."""

SHARED_TREES = ("/media", "/mnt", "/run/media", "/srv", "/tmp", "/var/tmp")  # noqa: S108  (scopes, not our files)
"""Where people keep data outside the home: may be asked for, is never granted by itself."""


def _allow(trees: Iterable[str], reason: str) -> tuple[Rule, ...]:
    return tuple(Rule(Right(action, tree, True), Verdict.ALLOW, reason) for tree in trees for action in _FILE_ACTIONS)


def default_policy(home: str, private: Iterable[tuple[str, str]]) -> Policy:
    """Return the tree of a new installation.

    The user's home and shared data folders are the ceiling of what may be asked for; system folders and the
    ``private`` trees (path, reason) are denied to everybody. Paths are absolute and resolved.
    """
    at_home = Right(Action.FS_READ, home, True)
    denied = [(tree, "it belongs to the system") for tree in SYSTEM_TREES
              if not covers(Right(Action.FS_READ, tree, True), at_home)]  # fmt: skip
    root = _allow(("/",), "") + tuple(
        Rule(Right(action, path, True), Verdict.DENY, reason)
        for path, reason in (*denied, *private) for action in _FILE_ACTIONS
    )  # fmt: skip
    user = _allow((home,), "your home folder") + _allow(SHARED_TREES, "a shared data folder")
    return Policy({"root": root, "root/user": user, "root/user/workspace": user})
