"""A node of the tree: immutable, in one order whatever the order of making, with an index so that a check is quick."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from permissions.errors import BadScope
from permissions.model import Action, Right, Verdict
from permissions.policy.grants import Bound, Rule
from permissions.policy.meet import ANYTHING, Effective, normal
from permissions.policy.scopes import is_file_action

CEILINGS = ("root", "root/user", "root/user/workspace")

CLIENT = "mcp:"
"""So begins the name of the node of a program that asks in its own name."""

ROUTINE = "routine:"
"""And so that of a routine."""

OWNERS = (CLIENT, ROUTINE)
"""Who has a branch of the tree besides the person."""

OUTSIDE = "it lies outside your home folder and the folder you called from"
NOT_ALLOWED = "it was not allowed there"
ENDED = "the time of this part of the tree is over"

FILES = tuple(action for action in Action if is_file_action(action))

Key = tuple[str, str, bool]


def program_of(owner: str) -> str:
    """Return the name of the program that asks in its own name; none is that of the person, or of their routine."""
    return owner.removeprefix(CLIENT) if owner.startswith(CLIENT) else ""


def node_name(path: str) -> str:
    """Return the node at ``path`` as a person types it: ``user``, ``files``, ``files.find``."""
    below = path.removeprefix(f"{CEILINGS[-1]}/")
    return below.replace("/", ".") if below != path else path.rpartition("/")[2]


def allow_trees(trees: Iterable[str], reason: str) -> tuple[Rule, ...]:
    """Return the rules that let every file action below ``trees`` be asked for."""
    return tuple(Rule(Right(action, tree, True), Verdict.ALLOW, reason) for tree in trees for action in FILES)


def keys_of(right: Right) -> tuple[Key, ...]:
    """Return the keys of every right that implies ``right``, the narrowest first (``Right.wider``).

    This is most of the work of a decision, so that of paths, of which there may be thousands, no rights are made.
    """
    if not is_file_action(right.action):
        return tuple(key_of(wide) for wide in right.wider())
    action, above = right.action.value, right.scope
    keys = [(action, above, False)] if not right.tree else []
    keys.append((action, above, True))
    while above != "/":
        above = above.rpartition("/")[0] or "/"
        keys.append((action, above, True))
    return tuple(keys)


def key_of(right: Right) -> Key:
    """Return the key under which an index holds ``right``."""
    return (right.action.value, right.scope, right.tree)


@dataclass(frozen=True, slots=True)
class Node:
    """What stands at ``path``: rules (allows and denies), amounts, and until when (Unix seconds) it allows anything.

    Of a ceiling, what no allow covers is denied. Below, a node without allows lets pass what it does not deny.
    """

    path: str
    rules: tuple[Rule, ...] = ()
    bounds: tuple[Bound, ...] = ()
    expires_s: float | None = None
    _allow: Mapping[Key, Rule] = field(init=False, repr=False, compare=False)
    _deny: Mapping[Key, Rule] = field(init=False, repr=False, compare=False)
    _holding: Mapping[str, Rule] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Put rules and amounts into their one order, once each, and index them."""
        rules = sorted(set(self.rules), key=Rule.sorting)
        by_meter = {(bound.meter, bound.total): bound for bound in self.bounds}
        object.__setattr__(self, "rules", tuple(rules))
        object.__setattr__(self, "bounds", tuple(by_meter[name] for name in sorted(by_meter)))
        backwards = rules[::-1]  # the first of equal ones stays
        object.__setattr__(self, "_allow", {key_of(r.right): r for r in backwards if r.verdict is Verdict.ALLOW})
        object.__setattr__(self, "_deny", {key_of(r.right): r for r in backwards if r.verdict is Verdict.DENY})
        object.__setattr__(self, "_holding", _holding(backwards))

    @property
    def is_closed(self) -> bool:
        """Whether what no allow covers is denied."""
        return self.path in CEILINGS or bool(self._allow)

    def refusal(self, right: Right, keys: Sequence[Key], now_s: float) -> tuple[str, Rule | None] | None:
        """Return why this node refuses ``right`` (with its ``keys``), and the rule that does; None when it does not."""
        if self.expires_s is not None and not now_s < self.expires_s:
            return ENDED, None
        rule = _first(self._deny, keys)
        if rule is None and right.action is Action.FS_DELETE and not right.tree:
            rule = self._holding.get(right.scope)
        if rule is not None:
            return rule.reason, rule
        if not self.is_closed or _first(self._allow, keys) is not None:
            return None
        return (OUTSIDE if is_file_action(right.action) else NOT_ALLOWED), None

    def withheld(self, keys: Sequence[Key], now_s: float) -> tuple[str, Rule | None] | None:
        """Return why a skill has not even its own folder here: its time is over, or a person denied it there."""
        if self.expires_s is not None and not now_s < self.expires_s:
            return ENDED, None
        denied = (rule for rule in self.rules if rule.id and rule.verdict is Verdict.DENY)
        rule = next((rule for rule in denied if key_of(rule.right) in keys), None)
        return None if rule is None else (rule.reason, rule)

    def effective(self) -> Effective:
        """Return what this node alone leaves of everything, whatever the time."""
        allowed = normal(rule.right for rule in self._allow.values()) if self.is_closed else ANYTHING.allowed
        denied = normal(rule.right for rule in self._deny.values())
        return Effective(allowed, denied, {bound.meter: bound.amount for bound in self.bounds if not bound.total})

    def with_rules(self, rules: Iterable[Rule]) -> Node:
        """Return the node with more rules."""
        return replace(self, rules=(*self.rules, *rules))

    def without_rules(self, ids: Collection[str]) -> Node:
        """Return the node without the rules of a person that are called ``ids``."""
        return replace(self, rules=tuple(rule for rule in self.rules if not rule.id or rule.id not in ids))

    def with_bound(self, bound: Bound) -> Node:
        """Return the node with ``bound`` in the place of an earlier one of the same kind."""
        return replace(self, bounds=(*self.bounds, bound))

    def without_bound(self, meter: str, total: bool) -> Node:
        """Return the node without the amount of ``meter``."""
        kept = tuple(bound for bound in self.bounds if (bound.meter, bound.total) != (meter, total))
        return replace(self, bounds=kept)

    def to_json(self) -> dict[str, Any]:
        """Return the form that is hashed."""
        rules, bounds = [rule.to_json() for rule in self.rules], [bound.to_json() for bound in self.bounds]
        return {"path": self.path, "rules": rules, "bounds": bounds, "expires_s": self.expires_s}

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Node:
        """Read what ``to_json`` wrote. Raises BadScope, BadAmount."""
        try:
            rules = tuple(Rule.from_json(rule) for rule in body["rules"])
            bounds = tuple(Bound.from_json(bound) for bound in body["bounds"])
            return Node(str(body["path"]), rules, bounds, body["expires_s"])
        except (KeyError, TypeError) as error:
            raise BadScope("grant.malformed", f"A node is malformed: {error}.") from error


def _first(index: Mapping[Key, Rule], keys: Sequence[Key]) -> Rule | None:
    for key in keys:
        if key in index:
            return index[key]
    return None


def _holding(rules: Iterable[Rule]) -> dict[str, Rule]:
    """Return the folders that hold a place which may not be deleted: removing one of them would remove it, too.

    Of reading, a tree that merely contains a denied place is not denied: the wall masks that place, and every single
    effect is decided again.
    """
    found: dict[str, Rule] = {}
    for rule in rules:
        if rule.verdict is Verdict.DENY and rule.right.action is Action.FS_DELETE:
            found |= {wide.scope: rule for wide in rule.right.wider()}
    return found
