"""The laws of the meet, and the tree against a second, plain implementation of it on random trees."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from permissions.model import Action, GrantMode, Principal, Right, Verdict
from permissions.policy.grants import Bound, Rule, new_grant
from permissions.policy.meet import ANYTHING, Effective, intersection, meet, meet_all, normal
from permissions.policy.node import CEILINGS, Node, key_of, keys_of
from permissions.policy.scopes import covers
from permissions.policy.tree import Policy, path_of
from tests.permissions.policy import plain

ME = Principal("files", "h1", "files.find", "r1", "t1")
SEEDS = st.integers(0, 1 << 32)


def right_of(body: dict[str, Any]) -> Right:
    return Right(Action(body["action"]), body["scope"], body["tree"])


def a_right(seed: int) -> Right:
    return right_of(plain.a_right(random.Random(seed)))


def an_effective(seed: int) -> Effective:
    dice = random.Random(seed)
    allowed = normal(right_of(plain.a_right(dice)) for _ in range(dice.randrange(6)))
    denied = normal(right_of(plain.a_right(dice)) for _ in range(dice.randrange(3)))
    limits = {meter: dice.randrange(4) for meter in dice.sample(["memory", "wall", "pids"], k=dice.randrange(3))}
    return Effective(allowed, denied, limits)


EFFECTIVE = SEEDS.map(an_effective)
RIGHTS = SEEDS.map(a_right)


@given(EFFECTIVE, EFFECTIVE, EFFECTIVE)
def test_the_meet_is_commutative_associative_and_idempotent(a: Effective, b: Effective, c: Effective) -> None:
    assert meet(a, b) == meet(b, a)
    assert meet(meet(a, b), c) == meet(a, meet(b, c))
    assert meet(a, a) == a
    assert meet(a, ANYTHING) == meet(ANYTHING, a) == a


@given(EFFECTIVE, EFFECTIVE, RIGHTS)
def test_the_meet_permits_what_both_permit(a: Effective, b: Effective, right: Right) -> None:
    assert meet(a, b).permits(right) == (a.permits(right) and b.permits(right))


@given(RIGHTS, RIGHTS, RIGHTS)
def test_the_intersection_of_two_rights_is_the_widest_that_both_imply(a: Right, b: Right, c: Right) -> None:
    both = intersection(a, b)
    if both is not None:
        assert covers(a, both)
        assert covers(b, both)
    assert (covers(a, c) and covers(b, c)) == (both is not None and covers(both, c))


@given(RIGHTS)
def test_the_keys_of_a_right_are_those_of_everything_that_implies_it(right: Right) -> None:
    assert keys_of(right) == tuple(key_of(wide) for wide in right.wider())


def some_tree(seed: int) -> Policy:
    return Policy.from_json(plain.a_tree(random.Random(seed)))


TREES = SEEDS.map(some_tree)
_STRICT = {Verdict.ALLOW: 0, Verdict.ASK: 1, Verdict.DENY: 2}


@given(TREES, RIGHTS, RIGHTS, st.sampled_from(path_of("files", "files.find")), st.booleans())
def test_a_deny_and_a_limit_never_widen(
    tree: Policy, right: Right, denied: Right, path: str, by_a_person: bool
) -> None:
    node = tree.node(path)
    narrower = node.with_rules((Rule(denied, Verdict.DENY, "no", "d-1" if by_a_person else ""),))
    now = 10.0
    before, after = (t.decide(ME, right, now_s=now) for t in (tree, tree.with_nodes([narrower])))
    assert _STRICT[after.verdict] >= _STRICT[before.verdict]
    before_amount, _ = tree.limits(path).get("memory", (3, ""))
    limited = tree.with_nodes([node.with_bound(Bound("memory", min(before_amount, 2)))])
    for below in path_of("files", "files.find"):
        amount = limited.limits(below).get("memory", (99, ""))[0]
        assert amount <= tree.limits(below).get("memory", (99, ""))[0]
    assert limited.limits(path)["memory"][0] <= 2
    assert limited.decide(ME, right, now_s=now) == before


@given(TREES, RIGHTS, RIGHTS)
def test_a_grant_never_widens_what_an_ancestor_denies(tree: Policy, right: Right, granted: Right) -> None:
    assume(granted.scope != "*")
    more = tree.with_grant(new_grant(ME, granted, GrantMode.ALWAYS, 1.0))
    before, after = tree.decide(ME, right, now_s=10.0), more.decide(ME, right, now_s=10.0)
    assert (before.verdict is Verdict.DENY) == (after.verdict is Verdict.DENY)
    others = replace(ME, skill="notes", tool="notes.create")
    assert more.decide(others, right, now_s=10.0) == tree.decide(others, right, now_s=10.0)


@given(TREES, RIGHTS)
def test_what_is_not_denied_lies_within_the_meet_of_the_path(tree: Policy, right: Right) -> None:
    """Time aside, the quick decision and the value that is shown are the same permissions."""
    timeless = tree.with_nodes(replace(node, expires_s=None) for node in tree.nodes.values())
    most = meet_all(timeless.node(path).effective() for path in path_of(ME.skill, ME.tool))
    assert most == timeless.effective(path_of(ME.skill, ME.tool)[-1])
    denied = timeless.decide(ME, right, now_s=10.0).verdict is Verdict.DENY
    assert denied != most.permits(right) or right.scope == "*"


@given(SEEDS, SEEDS)
def test_equal_trees_have_equal_hashes_whatever_the_order_of_making(seed: int, order: int) -> None:
    body = plain.a_tree(random.Random(seed))
    tree, dice = Policy.from_json(body), random.Random(order)
    for several in (body["nodes"], body["grants"], *(node["rules"] for node in body["nodes"])):
        dice.shuffle(several)
    again = Policy({}).with_nodes(Node.from_json(node) for node in body["nodes"])
    again = again.with_grants(Policy.from_json(body).grants[::-1])
    assert again == tree.with_nodes(())
    assert again.hash == tree.with_nodes(()).hash == Policy.from_json(body).with_nodes(()).hash


@given(TREES)
def test_a_tree_survives_json_and_another_tree_has_another_hash(tree: Policy) -> None:
    assert Policy.from_json(json.loads(json.dumps(tree.to_json()))) == tree
    others = [
        tree.with_grant(new_grant(ME, Right(Action.FS_READ, "/a"), GrantMode.ALWAYS, 1.0)),
        tree.with_nodes([tree.node(CEILINGS[1]).with_bound(Bound("memory", 77))]),
        tree.with_nodes([tree.node(CEILINGS[0]).with_rules((Rule(Right(Action.FS_READ, "/zz"), Verdict.DENY, "no"),))]),
    ]
    assert len({tree.hash, *(other.hash for other in others)}) == 4


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_the_tree_and_the_plain_implementation_agree_on_random_trees(count: int) -> None:
    seen = dict.fromkeys(("allow", "ask", "deny"), 0)
    for seed in range(count):
        dice = random.Random(seed)
        body = plain.a_tree(dice)
        tree = Policy.from_json(body)
        assert {m: a for m, (a, _) in tree.limits(f"{CEILINGS[-1]}/files/find").items()} == plain.limits(
            body, f"{CEILINGS[-1]}/files/find"
        ), seed
        for _ in range(6):
            who = replace(ME, tool=dice.choice(["", "files.find", "files.copy"]), run=dice.choice(["r1", "r2"]))
            granted = [{name: grant[name] for name in ("action", "scope", "tree")} for grant in body["grants"]]
            wanted, now = dice.choice([plain.a_right(dice), *granted]), dice.choice([10.0, 30.0, 55.0])
            if wanted["scope"] == "*":
                continue
            names = {name: getattr(who, name) for name in ("skill", "skill_hash", "tool", "run")}
            expected = plain.verdict(body, names, wanted, now)
            assert str(tree.decide(who, right_of(wanted), now_s=now).verdict) == expected, (seed, wanted)
            seen[expected] += 1
    assert min(seen.values()) > count / 20, f"a comparison that hardly meets a case proves little: {seen}"
