"""A client's branch of the tree: narrower than the person's, and nobody's but its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.errors import BadScope
from permissions.model import Action, GrantMode, Principal, Right, Verdict
from permissions.policy import (
    Bound,
    Budgets,
    Grant,
    Rule,
    default_policy,
    explain,
    explain_amount,
    for_node,
    new_grant,
    node_name,
    node_path,
    path_of,
    way_to,
)

HOME = "/home/u"
WORKSPACE = "root/user/workspace"
ME = Principal("files", "h", "files.find", "r", "t1")
CLAUDE = replace(ME, client="mcp:claude")
CODE = replace(ME, client="mcp:code")
HERE = Right(Action.FS_READ, f"{HOME}/Documents", True)
POLICY = default_policy(HOME, ())


def granted(principal: Principal, right: Right = HERE) -> Grant:
    return new_grant(principal, right, GrantMode.ALWAYS, 0)


@pytest.mark.parametrize("given", [ME, CLAUDE, CODE])
@pytest.mark.parametrize("asking", [ME, CLAUDE, CODE])
def test_a_grant_counts_for_whom_it_was_given_and_nobody_else(given: Principal, asking: Principal) -> None:
    """The control: each of the three is allowed by the one grant that is its own."""
    wanted = Verdict.ALLOW if given.client == asking.client else Verdict.ASK
    assert POLICY.with_grant(granted(given)).decide(asking, HERE, now_s=1).verdict is wanted


def test_what_is_asked_for_names_the_client_and_how_it_is_given() -> None:
    decision = POLICY.decide(CLAUDE, HERE, now_s=1)
    assert decision.node == f"{WORKSPACE}/mcp:claude/files"
    assert decision.remedy == "./steward perms grant mcp:claude.files 'fs.read:/home/u/Documents/**'"


@pytest.mark.parametrize("place", ["root/user", WORKSPACE, f"{WORKSPACE}/files", f"{WORKSPACE}/files/find",
                                   f"{WORKSPACE}/mcp:claude", f"{WORKSPACE}/mcp:claude/files",
                                   f"{WORKSPACE}/mcp:claude/files/find"])  # fmt: skip
def test_a_deny_on_the_person_s_way_or_on_its_own_holds_for_a_client(place: str) -> None:
    """The control: without it, and for another client, the grant counts."""
    policy = POLICY.with_grants([granted(CLAUDE), granted(CODE), granted(ME)])
    denied = policy.with_nodes([policy.node(place).with_rules([Rule(HERE, Verdict.DENY, "no", "d-1")])])
    assert policy.decide(CLAUDE, HERE, now_s=1).verdict is Verdict.ALLOW
    assert denied.decide(CLAUDE, HERE, now_s=1).verdict is Verdict.DENY
    own = "mcp:claude" in place
    for other in (CODE, ME):
        assert denied.decide(other, HERE, now_s=1).verdict is (Verdict.ALLOW if own else Verdict.DENY)


def test_the_ceilings_hold_for_a_client() -> None:
    outside = Right(Action.FS_READ, "/etc/shadow")
    assert POLICY.with_grant(granted(CLAUDE, outside)).decide(CLAUDE, outside, now_s=1).verdict is Verdict.DENY


def test_limits_and_budgets_of_both_ways_meet() -> None:
    nodes = [POLICY.node(f"{WORKSPACE}/files").with_bound(Bound("memory", 500)),
             POLICY.node(f"{WORKSPACE}/mcp:claude").with_bound(Bound("memory", 300))]  # fmt: skip
    policy = POLICY.with_nodes(nodes)
    assert policy.limits(path_of("files", "files.find", "mcp:claude")[-1])["memory"] == (300, f"{WORKSPACE}/mcp:claude")
    assert policy.limits(path_of("files", "files.find", "mcp:code")[-1])["memory"] == (500, f"{WORKSPACE}/files")
    budgets = Budgets().set(f"{WORKSPACE}/mcp:claude", "tokens", 10).set("root/user", "tokens", 50)
    path = path_of("files", "files.find", "mcp:claude")
    assert budgets.room(path, "tokens") == (10, f"{WORKSPACE}/mcp:claude")
    charged = budgets.charge(path, {"tokens": 4})
    assert (charged.left(f"{WORKSPACE}/mcp:claude", "tokens"), charged.left("root/user", "tokens")) == (6, 46)
    (amount,) = [one for one in explain_amount(policy, charged, path[-1], "tokens") if one.total]
    assert (amount.node, amount.left) == (f"{WORKSPACE}/mcp:claude", 6)


@pytest.mark.parametrize("name", ["mcp:claude", "mcp:claude.files", "mcp:claude.files.find", "files", "files.find"])
def test_a_node_is_named_as_it_is_read(name: str) -> None:
    path = node_path(name)
    assert node_name(path) == name
    assert node_path(path) == path
    principal = for_node(path, "h")
    assert path_of(principal.skill, principal.tool, principal.client)[-1] == path
    assert way_to(path) == path_of(principal.skill, principal.tool, principal.client)


@pytest.mark.parametrize("name", ["mcp:", "mcp:Claude", "mcp:a/b/c/d", "mcp:../x", "mcp:claude.files.find.x", "mcp:é",
                                  "mcp:claude.Files", "mcp", "mcp:claude files"])  # fmt: skip
def test_what_is_no_node_is_refused(name: str) -> None:
    if name == "mcp":  # a skill may be called so
        assert node_path(name) == f"{WORKSPACE}/mcp"
        return
    with pytest.raises(BadScope):
        node_path(name)


def test_why_goes_down_both_ways() -> None:
    found = explain(POLICY, CLAUDE, HERE, now_s=1)
    assert [step.node for step in found.steps][-4:] == [
        f"{WORKSPACE}/mcp:claude", f"{WORKSPACE}/mcp:claude/files", f"{WORKSPACE}/mcp:claude/files/find",
        f"{WORKSPACE}/mcp:claude/files",
    ]  # fmt: skip


def test_a_person_s_grant_has_the_form_that_it_always_had_and_a_client_s_says_whose_it_is() -> None:
    assert "client" not in granted(ME).to_json()
    again = Grant.from_json(granted(CLAUDE).to_json())
    assert again.client == "mcp:claude"
    assert not again.is_for(ME)


@given(
    st.sets(st.sampled_from([ME, CLAUDE, CODE])),
    st.lists(st.tuples(st.sampled_from(way_to(node_path("mcp:claude.files.find"))), st.booleans()), max_size=4),
)
def test_a_client_s_call_never_has_more_than_the_same_call_of_the_person_granted_the_same(
    given_to: set[Principal], rules: list[tuple[str, bool]]
) -> None:
    """Whatever rules stand where: allowed to the client means granted to it, and not denied to the person."""
    policy = POLICY.with_grants([granted(one) for one in given_to])
    for place, denies in rules:
        verdict = Verdict.DENY if denies else Verdict.ALLOW
        policy = policy.with_nodes([policy.node(place).with_rules([Rule(HERE, verdict, "", "d-1" if denies else "")])])
    if policy.decide(CLAUDE, HERE, now_s=1).verdict is Verdict.ALLOW:
        assert CLAUDE in given_to
        assert policy.decide(ME, HERE, now_s=1).verdict is not Verdict.DENY
