"""The decision point: ceilings deny, skills ask, grants serve exactly what they were given for."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.errors import BadScope
from permissions.model import Action, GrantMode, Principal, Right, Verdict
from permissions.policy import Grant, Origin, Rule, default_policy, new_grant, private_places
from permissions.policy.node import Node
from permissions.policy.tree import node_path

HOME = "/home/u"
ME = Principal("files", "hash-1", "files.find", "run-1", "t1")
DOWNLOADS = Right(Action.FS_READ, f"{HOME}/Downloads", True)
POLICY = default_policy(HOME, private_places(HOME, ["/home/u/.local/share/steward"]))


def test_a_skill_starts_with_nothing_and_is_asked() -> None:
    decision = POLICY.decide(ME, DOWNLOADS, now_s=0)
    assert decision.verdict is Verdict.ASK
    assert decision.node == "root/user/workspace/files"
    assert decision.remedy == "./steward perms grant files 'fs.read:/home/u/Downloads/**'"


@pytest.mark.parametrize(
    "scope",
    ["/home/other/x.txt", "/etc/shadow", "/root/x", "/", "/proc/1/environ", "/home/u2", "/opt/x", "/usr/bin/env",
     "/home/u/.ssh/id_ed25519", "/home/u/.ssh", "/home/u/.gnupg/x", "/home/u/.local/share/steward/ledger"],
)  # fmt: skip
@pytest.mark.parametrize("action", [Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE])
def test_what_lies_outside_or_is_private_is_denied_even_with_a_grant(scope: str, action: Action) -> None:
    right = Right(action, scope)
    assert POLICY.decide(ME, right, now_s=0).verdict is Verdict.DENY
    given_away = POLICY.with_grant(new_grant(ME, right, GrantMode.ALWAYS, 0))
    assert given_away.decide(ME, right, now_s=0).verdict is Verdict.DENY


def test_a_private_place_that_is_a_link_is_private_where_it_lies(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "ssh"
    real.mkdir(parents=True)
    (tmp_path / ".ssh").symlink_to("dotfiles/ssh")
    (tmp_path / ".aws").symlink_to(".")  # nobody's whole home becomes private by a link
    policy = default_policy(str(tmp_path), private_places(str(tmp_path), []))
    for path in (tmp_path / ".ssh" / "id", real / "id"):
        assert policy.decide(ME, Right(Action.FS_READ, str(path)), now_s=0).verdict is Verdict.DENY
    assert policy.decide(ME, Right(Action.FS_READ, str(tmp_path / "a")), now_s=0).verdict is Verdict.ASK


def test_changing_a_folder_that_holds_a_private_place_is_denied_but_reading_around_it_is_asked() -> None:
    assert POLICY.decide(ME, Right(Action.FS_DELETE, HOME), now_s=0).verdict is Verdict.DENY
    assert POLICY.decide(ME, Right(Action.FS_READ, HOME, True), now_s=0).verdict is Verdict.ASK


def test_a_grant_serves_its_scope_skill_content_and_nothing_else() -> None:
    policy = POLICY.with_grant(new_grant(ME, DOWNLOADS, GrantMode.ALWAYS, 0))
    inside = Right(Action.FS_READ, f"{HOME}/Downloads/a.pdf")
    assert policy.decide(ME, inside, now_s=0).verdict is Verdict.ALLOW
    assert policy.decide(ME, Right(Action.FS_READ, f"{HOME}/Downloads-private/a"), now_s=0).verdict is Verdict.ASK
    assert policy.decide(ME, replace(inside, action=Action.FS_WRITE), now_s=0).verdict is Verdict.ASK
    assert policy.decide(replace(ME, skill="notes"), inside, now_s=0).verdict is Verdict.ASK
    changed = policy.decide(replace(ME, skill_hash="hash-2"), inside, now_s=0)
    assert changed.verdict is Verdict.ASK
    assert "changed" in changed.reason


@pytest.mark.parametrize("mode", [GrantMode.ONCE, GrantMode.RUN])
def test_a_grant_for_a_run_is_for_that_run(mode: GrantMode) -> None:
    policy = POLICY.with_grant(new_grant(ME, DOWNLOADS, mode, 0))
    assert policy.decide(ME, DOWNLOADS, now_s=0).verdict is Verdict.ALLOW
    assert policy.decide(replace(ME, run="run-2"), DOWNLOADS, now_s=0).verdict is Verdict.ASK
    assert policy.standing(0) == ()
    standing = new_grant(ME, DOWNLOADS, GrantMode.ALWAYS, 0)
    assert policy.with_grant(standing).after_run("run-1").grants == (standing,)
    assert policy.after_run("run-2") == policy


def test_a_timed_grant_ends() -> None:
    policy = POLICY.with_grant(new_grant(ME, DOWNLOADS, GrantMode.UNTIL, 100, 200))
    assert policy.decide(ME, DOWNLOADS, now_s=199).verdict is Verdict.ALLOW
    assert policy.decide(ME, DOWNLOADS, now_s=200).verdict is Verdict.ASK
    assert policy.standing(200) == ()


@pytest.mark.parametrize(
    ("mode", "end"),
    [(GrantMode.UNTIL, None), (GrantMode.UNTIL, 50.0), (GrantMode.UNTIL, float("nan")), (GrantMode.ALWAYS, 200.0)],
)
def test_an_impossible_time_limit_is_refused(mode: GrantMode, end: float | None) -> None:
    with pytest.raises(BadScope):
        new_grant(ME, DOWNLOADS, mode, 100, end)


def test_revoking_takes_effect_on_the_next_decision() -> None:
    grant = new_grant(ME, DOWNLOADS, GrantMode.ALWAYS, 0)
    policy = POLICY.with_grant(grant)
    assert policy.without(grant.id).decide(ME, DOWNLOADS, now_s=0).verdict is Verdict.ASK
    assert policy.decide(ME, DOWNLOADS, now_s=0).verdict is Verdict.ALLOW, "a policy is a value"


def test_the_working_directory_widens_the_ceiling_and_nothing_else() -> None:
    there = Right(Action.FS_READ, "/opt/project/a.txt")
    assert POLICY.decide(ME, there, now_s=0).verdict is Verdict.DENY
    assert POLICY.in_workspace("/opt/project").decide(ME, there, now_s=0).verdict is Verdict.ASK
    assert POLICY.in_workspace("/etc").decide(ME, Right(Action.FS_READ, "/etc/shadow"), now_s=0).verdict is Verdict.DENY
    assert POLICY.in_workspace("/").decide(ME, there, now_s=0).verdict is Verdict.DENY


def test_a_malformed_right_is_denied_by_name() -> None:
    decision = POLICY.decide(ME, Right(Action.FS_READ, "/a/../etc"), now_s=0)
    assert decision.verdict is Verdict.DENY
    assert "normalised" in decision.reason


def test_a_grant_survives_the_ledger_and_a_broken_one_is_refused() -> None:
    grant = new_grant(ME, DOWNLOADS, GrantMode.UNTIL, 1.0, 2.0)
    assert Grant.from_json(grant.to_json()) == grant
    for name, value in [("action", "fs.everything"), ("scope", "x"), ("mode", "forever"), ("at_s", "soon"),
                        ("at_s", float("nan")), ("at_s", True), ("expires_s", float("nan")), ("expires_s", None),
                        ("expires_s", "late"), ("tree", "false"), ("scope", "/a/../b"), ("scope", "/a\0b"),
                        ("mode", "always"), ("why", "x" * 501)]:  # fmt: skip
        with pytest.raises(BadScope):
            Grant.from_json({**grant.to_json(), name: value})
    with pytest.raises(BadScope):
        Grant.from_json({})


@given(
    st.lists(st.sampled_from(["/home/u", "/home/u/a", "/home/u/a/b", "/etc", "/home/v"]), max_size=4),
    st.sampled_from(["/home/u/a/b/c", "/home/u", "/etc/x", "/home/v/x"]),
)
def test_more_grants_never_turn_a_deny_into_an_allow(scopes: list[str], wanted: str) -> None:
    right = Right(Action.FS_READ, wanted)
    policy = POLICY
    for scope in scopes:
        policy = policy.with_grant(new_grant(ME, Right(Action.FS_READ, scope, True), GrantMode.ALWAYS, 0))
    if POLICY.decide(ME, right, now_s=0).verdict is Verdict.DENY:
        assert policy.decide(ME, right, now_s=0).verdict is Verdict.DENY


def test_a_grant_of_the_first_ledgers_is_read_as_it_was() -> None:
    old = {"id": "g-1", "skill": "files", "skill_hash": "hash-1", "action": "fs.read", "scope": DOWNLOADS.scope,
           "tree": True, "mode": "always", "at_s": 5.0, "run": "", "expires_s": None}  # fmt: skip
    grant = Grant.from_json(old, event=7)
    assert (grant.by, grant.why, grant.event) == ("person", "", 7)
    assert POLICY.with_grant(grant).decide(ME, DOWNLOADS, now_s=6).verdict is Verdict.ALLOW


@pytest.mark.parametrize("action", [action for action in Action if not action.startswith("fs.")])
def test_a_skill_that_asks_for_everything_of_a_kind_gets_nothing(action: Action) -> None:
    everything = Right(action, "*")
    decision = POLICY.decide(ME, everything, now_s=0)
    assert (decision.verdict, decision.node) == (Verdict.DENY, "root")
    with pytest.raises(BadScope):
        new_grant(ME, everything, GrantMode.ALWAYS, 0)


def test_a_host_is_asked_for_and_the_own_network_is_denied_even_with_a_grant() -> None:
    host, router = Right(Action.NET_CONNECT, "example.org:443"), Right(Action.NET_CONNECT, "192.168.0.1:80")
    assert POLICY.decide(ME, host, now_s=0).verdict is Verdict.ASK
    given_away = POLICY.with_grants([new_grant(ME, right, GrantMode.ALWAYS, 0) for right in (host, router)])
    assert given_away.decide(ME, host, now_s=0).verdict is Verdict.ALLOW
    assert given_away.decide(ME, router, now_s=0).verdict is Verdict.DENY


def test_the_command_of_an_answer_cannot_carry_another_one() -> None:
    evil = Right(Action.FS_READ, f"{HOME}/x'; rm -rf ~; '")
    remedy = POLICY.decide(ME, evil, now_s=0).remedy
    assert shlex.split(remedy) == ["./steward", "perms", "grant", "files", str(evil)]


def test_time_goes_to_the_safe_side() -> None:
    policy = POLICY.with_grant(new_grant(ME, DOWNLOADS, GrantMode.UNTIL, 100, 200))
    assert policy.decide(ME, DOWNLOADS, now_s=float("nan")).verdict is Verdict.ASK
    over = policy.decide(ME, DOWNLOADS, now_s=250)
    assert (over.verdict, over.reason) == (Verdict.ASK, "the time of its grant is over")
    assert policy.decide(ME, DOWNLOADS, now_s=150).expires_s == 200


def test_a_part_of_the_tree_whose_time_is_over_allows_nothing() -> None:
    policy = POLICY.with_grant(new_grant(ME, DOWNLOADS, GrantMode.ALWAYS, 0))
    skill = "root/user/workspace/files"
    policy = policy.with_nodes([Node(skill, expires_s=50.0)])
    assert policy.decide(ME, DOWNLOADS, now_s=49).verdict is Verdict.ALLOW
    assert (over := policy.decide(ME, DOWNLOADS, now_s=50)).verdict is Verdict.DENY
    assert over.node == skill


def test_a_deny_of_a_person_holds_at_its_node_and_below_until_it_is_taken_back() -> None:
    policy = POLICY.with_grant(new_grant(ME, DOWNLOADS, GrantMode.ALWAYS, 0))
    rule = Rule(DOWNLOADS, Verdict.DENY, "you denied it", "d-1", Origin("person", 1.0))
    for place, others in (("root/user", Verdict.DENY), ("root/user/workspace/files", Verdict.ASK)):
        denied = policy.with_nodes([policy.node(place).with_rules([rule])])
        decision = denied.decide(ME, DOWNLOADS, now_s=2)
        assert (decision.verdict, decision.node, decision.remedy) == (Verdict.DENY, place, "./steward perms revoke d-1")
        assert denied.decide(replace(ME, skill="notes", tool=""), DOWNLOADS, now_s=2).verdict is others
        assert denied.without("d-1") == policy
    tool = policy.with_nodes([Node("root/user/workspace/files/find", (rule,))])
    assert tool.decide(ME, DOWNLOADS, now_s=2).verdict is Verdict.DENY
    assert tool.decide(replace(ME, tool="files.copy"), DOWNLOADS, now_s=2).verdict is Verdict.ALLOW


def test_several_denies_of_one_node_are_taken_back_at_once() -> None:
    rules = [Rule(DOWNLOADS, Verdict.DENY, "you denied it", name, Origin("person", 1.0)) for name in ("d-1", "d-2")]
    denied = POLICY.with_nodes([POLICY.node("root/user").with_rules(rules)])
    assert denied.without("d-1", "d-2") == POLICY
    assert [rule.id for rule in denied.without("d-1").node("root/user").rules if rule.id] == ["d-2"]


@pytest.mark.parametrize(
    ("name", "path"),
    [("root", "root"), ("user", "root/user"), ("root/user/workspace", "root/user/workspace"),
     ("files", "root/user/workspace/files"), ("files.find", "root/user/workspace/files/find"),
     ("root/user/workspace/files/find", "root/user/workspace/files/find")],
)  # fmt: skip
def test_a_node_is_named_as_a_person_calls_it(name: str, path: str) -> None:
    assert node_path(name) == path


@pytest.mark.parametrize("name", ["", "..", "files/../notes", "Files", "a\0b", "files.find.x", "/root", "root/files"])
def test_what_is_no_node_is_refused(name: str) -> None:
    with pytest.raises(BadScope):
        node_path(name)


def test_the_hosts_that_were_denied_inside_of_what_is_held() -> None:
    def host(scope: str) -> Right:
        return Right(Action.NET_CONNECT, scope)

    inside, outside = host("evil.example.org:443"), host("evil.example.com:443")
    rules = [Rule(one, Verdict.DENY, "you denied it", f"d-{n}") for n, one in enumerate((inside, outside, DOWNLOADS))]
    node = POLICY.node("root/user/workspace/files").with_rules(rules)
    path = ("root/user/workspace", node.path)
    policy = POLICY.with_nodes([node])
    assert [rule.right for rule in policy.shut(path, [host("*.example.org:443"), DOWNLOADS])] == [inside]
    assert policy.shut(path, [host("a.example.org:443")]) == ()
    assert policy.shut(path[:1], [host("*:443")]) == ()
    assert {rule.right for rule in policy.shut(path, [host("*:443")])} == {inside, outside}


def test_the_end_of_no_run_ends_no_grant() -> None:
    always = new_grant(ME, DOWNLOADS, GrantMode.ALWAYS, 0.0)
    once = new_grant(ME, Right(Action.FS_READ, f"{HOME}/a"), GrantMode.RUN, 0.0)
    policy = POLICY.with_grants((always, once))
    for other in ("", "another"):
        assert policy.after_run(other) is policy
    assert policy.after_run(ME.run).grants == (always,)
