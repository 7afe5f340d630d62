"""The policy tree: root / user / workspace / skill / call, and the one decision point over it.

A program that asks in its own name is a node ``mcp:NAME`` below the workspace, and a routine a node ``routine:NAME``,
with skills and calls of their own below: their calls pass the nodes that the person's pass, and then their own, and
what one of them was granted is nobody else's.

What this stops: a call doing anything that no node allowed; a grant widening what an ancestor denies; a grant of one
skill, version, run, time, client or routine serving another; the person's own grants serving these two; a skill
reading what another one keeps in its own folder.
What it does not: enforce. The wall and the commit do, from the rights that were decided here.

Going down the path, the strictest verdict wins: a deny anywhere ends it, and what the ceiling nodes (root, user,
workspace) do not allow is denied. Below the ceilings a skill starts with nothing: what it was not granted is asked.
The node of a call is that of its tool. Each skill has a folder of its own below ``own``: there it may do everything
unasked, unless a person denied it, and nobody else anything. The tree is a value with one canonical form and hash;
every change makes a new one, which shares what did not change.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from permissions.errors import BadScope
from permissions.model import Action, Decision, Principal, Right, Verdict
from permissions.policy.book import Book
from permissions.policy.canonical import digest
from permissions.policy.grants import Grant, Rule
from permissions.policy.meet import Effective, meet_all
from permissions.policy.node import CEILINGS, OUTSIDE, OWNERS, Key, Node, allow_trees, keys_of, node_name
from permissions.policy.scopes import checked, covers, holds_path, is_everything, is_file_action, is_own_network

ALL_OF_IT = "it asks for everything of its kind, which nobody is given"
OWN_NETWORK = "it is an address of this machine or of its network"
NOT_GRANTED = "not granted yet"
OWN_FOLDER = "it is the skill's own folder"
CHANGED = "the skill has changed since it was granted"
EXPIRED = "the time of its grant is over"

_NODE = re.compile(r"(?P<skill>[a-z][a-z0-9-]{1,62})(?:\.(?P<tool>[a-z_][a-z0-9_]{0,62}))?")
_OWNER = re.compile(rf"(?:{'|'.join(map(re.escape, OWNERS))})[a-z][a-z0-9-]{{0,62}}")
_HELD = {"once": "for this call", "run": "for this run"}


def node_path(name: str) -> str:
    """Return the path of a node as a person calls it: ``user``, ``files``, ``files.find``. Raises BadScope."""
    for ceiling in CEILINGS:
        if name in (ceiling, ceiling.rpartition("/")[2]):
            return ceiling
    below = name.removeprefix(f"{CEILINGS[-1]}/")
    spoken = below.replace("/", ".") if below != name else name
    client, _, rest = spoken.partition(".") if spoken.startswith(OWNERS) else ("", "", spoken)
    found = _NODE.fullmatch(rest)
    if (client and not _OWNER.fullmatch(client)) or (found is None and (rest or not client)):
        raise BadScope("scope.node", f"{name!r} is no node of the tree.", subject=name[:100],
                       hint="root, user, workspace, a skill (files), a tool (files.find), mcp:NAME, routine:NAME"
                       )  # fmt: skip
    named = (found["skill"], found["tool"]) if found else ()
    return "/".join(part for part in (CEILINGS[-1], client, *named) if part)


def path_of(skill: str, tool: str = "", client: str = "") -> tuple[str, ...]:
    """Return the nodes from the root down to a skill, and to the calls of its tool (``files.find``).

    Of a client they are those that the person's calls pass, then its own; a client that is the skill is itself.
    """
    above, function = f"{CEILINGS[-1]}/{skill}", tool.rpartition(".")[2]
    persons = (*CEILINGS, above, f"{above}/{function}") if function else (*CEILINGS, above)
    if client in ("", skill):
        return persons
    return way_to(f"{CEILINGS[-1]}/{client}{persons[-1].removeprefix(CEILINGS[-1])}")


def way_to(path: str) -> tuple[str, ...]:
    """Return the nodes that have a say at ``path``, from the root down; below a client those of the person first."""
    down = tuple(_down_to(path))
    client, _, rest = path.removeprefix(f"{CEILINGS[-1]}/").partition("/")
    if not client.startswith(OWNERS) or not rest:
        return down
    return (*_down_to(f"{CEILINGS[-1]}/{rest}"), *down[len(CEILINGS) :])


@dataclass(frozen=True, slots=True)
class Policy:
    """The whole tree as a value: its nodes by their paths, and the grants of the skill nodes.

    ``own`` is the real path of the folder that holds the skills' own ones, empty where they have none.
    """

    nodes: Mapping[str, Node]
    book: Book = field(default_factory=Book)
    own: str = ""

    @property
    def grants(self) -> tuple[Grant, ...]:
        """The grants, the oldest first."""
        return self.book.grants

    def node(self, path: str) -> Node:
        """Return the node at ``path``; one where nothing stands is empty."""
        return self.nodes.get(path) or Node(path)

    # --- deciding ---------------------------------------------------------------------------------------------

    def decide(self, principal: Principal, right: Right, *, now_s: float) -> Decision:
        """Decide one right. Never raises on a well-formed right; anything else is denied by name."""
        refusal = _unfit(right)
        if refusal is not None:
            return Decision(right, Verdict.DENY, CEILINGS[0], refusal)
        keys = keys_of(right)
        if self.is_own(principal.skill, right):
            return self._at_home(principal, right, keys, now_s)
        for path in path_of(principal.skill, principal.tool, principal.client):
            node = self.nodes.get(path) or _EMPTY.get(path)
            found = node.refusal(right, keys, now_s) if node else None
            if found is not None:
                reason, rule = found
                remedy = f"./steward perms revoke {rule.id}" if rule is not None and rule.id else ""
                return Decision(right, Verdict.DENY, path, reason, remedy)
        return self._granted(principal, right, keys, now_s)

    def own_folder(self, skill: str) -> str:
        """Return the folder that ``skill`` has for itself; empty where there is none."""
        return f"{self.own}/{skill}" if self.own and skill else ""

    def is_own(self, skill: str, right: Right) -> bool:
        """Tell whether ``right`` lies in the folder that ``skill`` has for itself."""
        folder = self.own_folder(skill)
        return bool(folder) and is_file_action(right.action) and holds_path(folder, right.scope)

    def _at_home(self, principal: Principal, right: Right, keys: Sequence[Key], now_s: float) -> Decision:
        """Decide a right in the skill's own folder: it has it, unless a person took it away."""
        for path in path_of(principal.skill, principal.tool, principal.client):
            found = self.node(path).withheld(keys, now_s)
            if found is not None:
                reason, rule = found
                remedy = f"./steward perms revoke {rule.id}" if rule is not None else ""
                return Decision(right, Verdict.DENY, path, reason, remedy)
        return Decision(right, Verdict.ALLOW, f"{CEILINGS[-1]}/{principal.skill}", OWN_FOLDER)

    def _granted(self, principal: Principal, right: Right, keys: Sequence[Any], now_s: float) -> Decision:
        node = path_of(principal.skill, "", principal.client)[-1]
        covering = self.book.covering(principal.skill, keys, principal.client)
        for grant in covering:
            if grant.holds(principal, now_s):
                words = _HELD.get(str(grant.mode), str(grant.mode))
                return Decision(right, Verdict.ALLOW, f"{node}#{grant.id}", f"granted {words}",
                                f"./steward perms revoke {grant.id}", grant.expires_s)  # fmt: skip
        remedy = f"./steward perms grant {node_name(node)} {shlex.quote(str(right))}"
        return Decision(right, Verdict.ASK, node, _why_asked(covering, principal, now_s), remedy)

    def masked(self, path: Iterable[str]) -> tuple[Rule, ...]:
        """Return what a person denied to read at the nodes of ``path``: inside a granted tree the wall hides it."""
        nodes = (self.nodes[place] for place in path if place in self.nodes)
        return tuple(rule for node in nodes for rule in node.rules if rule.id and rule.right.action is Action.FS_READ)

    def shut(self, path: Iterable[str], held: Iterable[Right]) -> tuple[Rule, ...]:
        """Return what hosts a person denied at the nodes of ``path``, inside of what is ``held``."""
        nodes = [self.nodes[place] for place in path if place in self.nodes]
        rules = [rule for node in nodes for rule in node.rules if rule.id and rule.right.action is Action.NET_CONNECT]
        return tuple(rule for rule in rules if any(covers(right, rule.right) for right in held)) if rules else ()

    def effective(self, path: str) -> Effective:
        """Return the meet of every node from the root down to ``path``: the most that may be asked for there."""
        return meet_all(self.node(above).effective() for above in way_to(path))

    def limits(self, path: str) -> dict[str, tuple[int, str]]:
        """Return the smallest amount of every meter for one call at ``path``, and the node that sets it."""
        found: dict[str, tuple[int, str]] = {}
        for above in way_to(path):
            for bound in self.node(above).bounds:
                if not bound.total and (bound.meter not in found or bound.amount < found[bound.meter][0]):
                    found[bound.meter] = (bound.amount, above)
        return found

    def budgets(self) -> dict[tuple[str, str], int]:
        """Return every budget of the tree: by node and meter, the amount in total."""
        return {(node.path, bound.meter): bound.amount for node in self.nodes.values() for bound in node.bounds
                if bound.total}  # fmt: skip

    # --- changing ---------------------------------------------------------------------------------------------

    def with_nodes(self, nodes: Iterable[Node]) -> Policy:
        """Return the tree with these nodes in the place of those at their paths; an empty one is none."""
        merged = {**self.nodes, **{node.path: node for node in nodes}}
        return replace(self, nodes={path: node for path, node in merged.items() if node != Node(path)})

    def in_workspace(self, folder: str) -> Policy:
        """Return the tree as seen from ``folder``, the caller's working directory: what lies below may be asked for."""
        if folder == "/":
            return self
        extra = allow_trees((folder,), "the folder you called from")
        return self.with_nodes(self.node(path).with_rules(extra) for path in CEILINGS[1:])

    def with_grant(self, grant: Grant) -> Policy:
        """Return the tree with one more grant (a second one with the same id replaces the first)."""
        return self.with_grants((grant,))

    def with_grants(self, grants: Sequence[Grant]) -> Policy:
        """Return the tree with more grants."""
        ids = {grant.id for grant in grants}
        return self._with_book((*(g for g in self.grants if g.id not in ids), *grants))

    def without(self, *ids: str) -> Policy:
        """Return the tree without the grants, and without the denies of a person, that are called ``ids``."""
        gone = set(ids)
        named = (node for node in self.nodes.values() if any(rule.id in gone for rule in node.rules))
        nodes = [node.without_rules(gone) for node in named]
        kept = self if gone.isdisjoint(g.id for g in self.grants) else self._with_book(
            g for g in self.grants if g.id not in gone
        )  # fmt: skip
        return kept.with_nodes(nodes) if nodes else kept

    def after_run(self, run: str) -> Policy:
        """Return the tree without what was granted for ``run`` alone."""
        if not run or all(grant.run != run for grant in self.grants):
            return self
        return self._with_book(grant for grant in self.grants if grant.run != run)

    def _with_book(self, grants: Iterable[Grant]) -> Policy:
        return replace(self, book=Book(tuple(grants)))

    # --- reading ----------------------------------------------------------------------------------------------

    def standing(self, now_s: float) -> tuple[Grant, ...]:
        """Return the grants that outlive a run and have not expired."""
        return tuple(g for g in self.grants if g.outlives_its_run() and not g.has_ended(now_s))

    def ended(self, now_s: float) -> tuple[Grant, ...]:
        """Return the grants whose time is over."""
        if now_s < self.book.soonest_s:
            return ()
        return tuple(grant for grant in self.grants if grant.has_ended(now_s))

    @property
    def hash(self) -> str:
        """The SHA-256 of the canonical form: equal trees have equal hashes, whatever the order of making."""
        return digest(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the canonical form."""
        nodes = [self.nodes[path].to_json() for path in sorted(self.nodes)]
        grants = [grant.to_json() | {"event": grant.event} for grant in self.grants]
        return {"nodes": nodes, "grants": grants} | ({"own": self.own} if self.own else {})

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Policy:
        """Read what ``to_json`` wrote. Raises BadScope, BadAmount."""
        try:
            nodes = [Node.from_json(node) for node in body["nodes"]]
            grants = tuple(Grant.from_json(grant) for grant in body["grants"])
        except (KeyError, TypeError) as error:
            raise BadScope("grant.malformed", f"A tree is malformed: {error}.") from error
        return Policy({node.path: node for node in nodes}, Book(grants), str(body.get("own", "")))


_EMPTY = {path: Node(path) for path in CEILINGS}
"""A ceiling where nothing stands denies; below, nothing stands in the way."""


def _down_to(path: str) -> Iterator[str]:
    """Yield the paths from the root down to ``path``."""
    parts = path.split("/")
    yield from ("/".join(parts[:count]) for count in range(1, len(parts) + 1))


def _unfit(right: Right) -> str | None:
    """Return why nobody is given ``right``, whatever the tree holds."""
    try:
        checked(right)
    except BadScope as error:
        return str(error)
    if is_own_network(right):
        return OWN_NETWORK
    return ALL_OF_IT if is_everything(right) else None


def _why_asked(covering: Sequence[Grant], principal: Principal, now_s: float) -> str:
    if any(grant.is_for(principal) and grant.has_ended(now_s) for grant in covering):
        return EXPIRED
    return CHANGED if any(grant.skill_hash != principal.skill_hash for grant in covering) else NOT_GRANTED


def may_be_elsewhere(decision: Decision) -> bool:
    """Tell whether the right was denied only for where it lies: from another folder it may be asked for."""
    return decision.verdict is Verdict.DENY and decision.reason == OUTSIDE
