"""The folder that each skill has for itself: the skill's alone, unasked, and a person's to deny."""

from __future__ import annotations

import pytest

from permissions.model import Action, GrantMode, Principal, Right, Verdict
from permissions.policy import OWN_FOLDER, Policy, Rule, default_policy, new_grant, private_places
from permissions.policy.node import CEILINGS, ENDED, Node

HOME, DATA = "/home/u", "/home/u/.local/share/steward"
OWN = f"{DATA}/own"
PRIVATE = private_places(HOME, [DATA])
TREE = default_policy(HOME, PRIVATE, OWN)


def who(skill: str) -> Principal:
    return Principal(skill, "h", f"{skill}.do", "r", "t")


def verdict(policy: Policy, skill: str, action: Action, path: str, *, tree: bool = False) -> Verdict:
    return policy.decide(who(skill), Right(action, path, tree), now_s=0.0).verdict


@pytest.mark.parametrize("action", [Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE])
def test_a_skill_has_its_own_folder_and_nobody_elses(action: Action) -> None:
    assert verdict(TREE, "timers", action, f"{OWN}/timers", tree=True) is Verdict.ALLOW
    assert verdict(TREE, "timers", action, f"{OWN}/timers/a/b.json") is Verdict.ALLOW
    for path in (f"{OWN}/tasks/todo.txt", f"{OWN}/timers-2/x", OWN, f"{DATA}/ledger/events.db", f"{OWN}/timers2"):
        assert verdict(TREE, "timers", action, path) is Verdict.DENY, path


def test_it_says_why_and_the_tree_without_one_denies_it() -> None:
    assert TREE.decide(who("timers"), Right(Action.FS_READ, f"{OWN}/timers/x"), now_s=0.0).reason == OWN_FOLDER
    assert verdict(default_policy(HOME, PRIVATE), "timers", Action.FS_READ, f"{OWN}/timers/x") is Verdict.DENY


def test_no_grant_reaches_what_another_skill_keeps() -> None:
    for scope in (HOME, OWN, DATA, f"{OWN}/tasks"):
        right = Right(Action.FS_READ, scope, True)
        granted = TREE.with_grant(new_grant(who("evil"), right, GrantMode.ALWAYS, 0.0))
        assert verdict(granted, "evil", Action.FS_READ, f"{OWN}/tasks/todo.txt") is Verdict.DENY, scope


@pytest.mark.parametrize("place", [CEILINGS[0], f"{CEILINGS[-1]}/timers", f"{CEILINGS[-1]}/timers/do"])
def test_a_person_can_deny_it(place: str) -> None:
    rule = Rule(Right(Action.FS_READ, OWN, True), Verdict.DENY, "no", "d-1")
    denied = TREE.with_nodes([TREE.node(place).with_rules([rule])])
    assert verdict(denied, "timers", Action.FS_READ, f"{OWN}/timers/x") is Verdict.DENY
    assert verdict(denied, "timers", Action.FS_WRITE, f"{OWN}/timers/x") is Verdict.ALLOW
    assert verdict(denied.without("d-1"), "timers", Action.FS_READ, f"{OWN}/timers/x") is Verdict.ALLOW


@pytest.mark.parametrize("place", [CEILINGS[-1], f"{CEILINGS[-1]}/timers", f"{CEILINGS[-1]}/timers/do"])
def test_it_is_gone_with_the_time_of_the_skill_s_part_of_the_tree(place: str) -> None:
    ends = TREE.with_nodes([Node(place, TREE.node(place).rules, expires_s=50.0)])
    own = Right(Action.FS_WRITE, f"{OWN}/timers/x")
    assert ends.decide(who("timers"), own, now_s=49.0).verdict is Verdict.ALLOW
    over = ends.decide(who("timers"), own, now_s=50.0)
    assert (over.verdict, over.node, over.reason) == (Verdict.DENY, place, ENDED)


def test_it_stays_where_the_tree_is_written_down_or_changed() -> None:
    assert Policy.from_json(TREE.to_json()).own == OWN
    assert Policy.from_json(TREE.to_json()).hash == TREE.hash
    assert TREE.in_workspace("/work").own == OWN
    assert TREE.with_grants(()).without("x").own == OWN
