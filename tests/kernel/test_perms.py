"""The tree is made again from the ledger: old events, broken ones, and what a person did, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kernel.allotting import replay
from memory.model import Event
from permissions.errors import BadAmount, BadScope
from permissions.model import Action, Principal, Right, Verdict
from permissions.policy import default_policy

Bench = Any  # tests/kernel/conftest.py

HOME = "/home/u"
POLICY = default_policy(HOME, ())
ME = Principal("files", "h", "files.find", "", "")
HERE = Right(Action.FS_READ, f"{HOME}/Downloads", True)
OLD = {"id": "g-1", "skill": "files", "skill_hash": "h", "action": "fs.read", "scope": HERE.scope, "tree": True,
       "mode": "always", "at_s": 5.0, "run": "", "expires_s": None}  # fmt: skip
DENY = {"id": "d-1", "node": "root/user", "action": "fs.read", "scope": HERE.scope, "tree": True, "by": "person",
        "at_s": 6.0, "why": ""}  # fmt: skip
LIMIT = {"node": "root/user", "meter": "tokens", "amount": 50, "total": True, "by": "person", "at_s": 6.0, "why": ""}


def told(*events: tuple[str, Mapping[str, Any] | None]) -> list[Event]:
    return [Event(n, n * 10**9, kind, None, None, body, None, "") for n, (kind, body) in enumerate(events, 1)]


def verdict(*events: tuple[str, Mapping[str, Any] | None]) -> Verdict:
    return replay(told(*events), POLICY).policy.decide(ME, HERE, now_s=100.0).verdict


def test_the_events_of_the_first_ledgers_still_make_the_tree() -> None:
    standing = replay(told(("grant.added", OLD)), POLICY)
    (grant,) = standing.policy.grants
    assert (grant.id, grant.by, grant.why, grant.event) == ("g-1", "person", "", 1)
    assert standing.policy.decide(ME, HERE, now_s=100.0).verdict is Verdict.ALLOW
    assert verdict(("grant.added", OLD), ("grant.revoked", {"id": "g-1"})) is Verdict.ASK
    assert verdict(("grant.added", {**OLD, "mode": "once", "run": "r"})) is Verdict.ASK
    assert verdict(("grant.added", None)) is Verdict.ASK, "forgotten"


def test_what_ended_once_has_ended_and_a_deny_is_taken_back_by_its_name() -> None:
    timed = {**OLD, "mode": "until", "expires_s": 200.0}
    assert verdict(("grant.added", timed)) is Verdict.ALLOW
    assert verdict(("grant.added", timed), ("grant.expired", {"id": "g-1"})) is Verdict.ASK
    assert verdict(("grant.added", OLD), ("deny.added", DENY)) is Verdict.DENY
    assert verdict(("grant.added", OLD), ("deny.added", DENY), ("deny.removed", {"id": "d-1"})) is Verdict.ALLOW


@pytest.mark.parametrize(
    "change",
    [{"action": "fs.fly"}, {"scope": "/a/../b"}, {"scope": "/a\0"}, {"tree": "yes"}, {"mode": "forever"},
     {"at_s": float("nan")}, {"expires_s": 5.0}, {"mode": "until"}, {"why": "x" * 501}],
)  # fmt: skip
def test_a_grant_that_cannot_be_read_is_left_out_and_the_others_hold(change: dict[str, Any]) -> None:
    broken = {**OLD, "id": "g-2", **change}
    standing = replay(told(("grant.added", broken), ("grant.added", OLD)), POLICY)
    assert [grant.id for grant in standing.policy.grants] == ["g-1"]


@pytest.mark.parametrize(
    ("kind", "body"),
    [("deny.added", {**DENY, "action": "fs.fly"}), ("deny.added", {"id": "d-1"}),
     ("limit.set", {**LIMIT, "amount": -1}), ("limit.set", {**LIMIT, "amount": float("nan")}),
     ("limit.set", {**LIMIT, "meter": "happiness"}), ("limit.set", {**LIMIT, "amount": True})],
)  # fmt: skip
def test_a_deny_or_a_limit_that_cannot_be_read_stops_the_start(kind: str, body: Mapping[str, Any]) -> None:
    with pytest.raises((BadScope, BadAmount)):
        replay(told((kind, body)), POLICY)


def test_budgets_are_what_was_settled_and_nothing_that_was_only_reserved() -> None:
    path = ["root", "root/user", "root/user/workspace", "root/user/workspace/files"]
    used = ("budget.settled", {"id": "b-1", "path": path, "used": {"tokens": 20}})
    held = ("budget.reserved", {"id": "b-2", "path": path, "amounts": {"tokens": 30}})
    standing = replay(told(("limit.set", LIMIT), used, held), POLICY)
    assert standing.budgets.left("root/user", "tokens") == 30
    renewed = replay(told(("limit.set", LIMIT), used, ("limit.set", LIMIT)), POLICY)
    assert renewed.budgets.left("root/user", "tokens") == 50
    gone = replay(told(("limit.set", LIMIT), used, ("limit.set", {**LIMIT, "amount": None})), POLICY)
    assert gone.budgets.left("root/user", "tokens") is None
    assert gone.policy == POLICY


def test_the_highest_time_comes_from_every_event_and_from_a_clock_that_was_set_back() -> None:
    assert replay(told(("grant.added", OLD)), POLICY).seen_s == 1.0
    assert replay(told(("clock.back", {"seen_s": 900.0})), POLICY).seen_s == 900.0
    assert replay([], POLICY, seen_s=7.0).seen_s == 7.0


@pytest.mark.slow
async def test_the_tree_of_a_restarted_kernel_is_the_same_value(bench: Bench) -> None:
    rights = bench.kernel.rights
    await rights.grant("files", "fs.read:~/Downloads/**", lasting="2h", why="so")
    gone = await rights.grant("notes", "fs.read:~/Notes/**")
    await rights.deny("user", "fs.delete:~/Documents/**")
    await rights.limit("files", "memory", "512MB")
    await rights.limit("user", "tokens", "100k", total=True)
    await rights.revoke(gone)
    before = rights.show()
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert bench.kernel.rights.show() == before
    assert len(before["grants"]) == len(before["denies"]) == 1
    assert len(before["limits"]) == 2
