"""What stands in the tree is well formed: amounts on what has amounts, reasons that are text, scopes that fit."""

from __future__ import annotations

import pytest

from permissions.errors import BadAmount, BadScope
from permissions.model import Action, Right
from permissions.policy.grants import LONGEST_WHY, Bound, checked_why
from permissions.policy.meet import intersection
from permissions.policy.scopes import checked


@pytest.mark.parametrize(("meter", "total"), [("memory", True), ("tokens", False), ("gpu", False), ("files", False),
                                              ("money", True), ("nonsense", False)])  # fmt: skip
def test_an_amount_stands_where_it_can_be_bounded(meter: str, total: bool) -> None:
    for good in (Bound("memory", 1), Bound("wall", 1), Bound("wall", 1, total=True), Bound("tokens", 1, total=True)):
        assert Bound.from_json(good.to_json()) == good
    with pytest.raises(BadAmount) as refused:
        Bound(meter, 1, total)
    assert refused.value.code in ("limit.controller", "limit.kind")


def test_a_reason_is_text_and_not_too_long() -> None:
    assert checked_why("ü\n" * 5) == "ü\n" * 5
    for bad in ("half \ud800", "x" * (LONGEST_WHY + 1)):
        with pytest.raises(BadScope) as refused:
            checked_why(bad)
        assert refused.value.code == "grant.why"


@pytest.mark.parametrize("action", [action for action in Action if not action.startswith("fs.")])
def test_only_a_path_means_everything_below_it(action: Action) -> None:
    scopes = {Action.NET_CONNECT: "example.org:443", Action.DESKTOP_OPEN: "https://example.org/",
              Action.MODEL_SEE: "facts@127.0.0.1:11434"}  # fmt: skip
    scope = scopes.get(action, "one")
    assert checked(Right(action, scope)).scope == scope
    with pytest.raises(BadScope) as refused:
        checked(Right(action, scope, True))
    assert refused.value.code == "scope.tree"


@pytest.mark.parametrize(("one", "other", "both"), [
    ("a.test:*", "*.test:443", "a.test:443"), ("*.test:443", "a.test:*", "a.test:443"), ("a.test:*", "b.test:*", ""),
    ("*.test:80", "a.test:443", ""), ("*:443", "*.test:*", "*.test:443"), ("*:80", "*:443", ""),
])  # fmt: skip
def test_of_two_hosts_the_narrower_and_of_two_ports_too(one: str, other: str, both: str) -> None:
    found = intersection(Right(Action.NET_CONNECT, one), Right(Action.NET_CONNECT, other))
    assert (found.scope if found else "") == both


@pytest.mark.parametrize(("one", "other"), [
    (Right(Action.DEVICE_USE, "usb:1"), Right(Action.SECRET_USE, "usb:1")),
    (Right(Action.FS_READ, "/home/u/a:*"), Right(Action.FS_READ, "/home/u/a:80")),
    (Right(Action.FS_READ, "/home/u/a:80"), Right(Action.NET_CONNECT, "*:80")),
])  # fmt: skip
def test_what_are_not_two_hosts_is_not_met_by_host_and_port(one: Right, other: Right) -> None:
    assert intersection(one, other) is None
    assert intersection(other, one) is None
