"""A deny or a limit that was set for a time: it holds until then, over restarts, and its end is written down."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from kernel.allotting import replay
from kernel.clients.managing import is_offered
from kernel.clients.model import ASK
from kernel.clients.sight import sees_of
from kernel.errors import BadRequest
from kernel.models.model import Endpoint
from memory.model import Event
from permissions.errors import BadScope
from permissions.labels import USER_SAID
from permissions.policy import SteadyClock, default_policy

Bench = Any  # tests/kernel/conftest.py

HOUR = 3600.0
NODE = "mcp:claude"


def ahead(bench: Bench, hours: float) -> None:
    bench.kernel._house.steady = SteadyClock(time.time() + hours * HOUR)


async def again(bench: Bench) -> None:
    await bench.kernel.close()
    bench.kernel = await bench.reopen()


def shown(bench: Bench) -> tuple[list[Any], list[Any]]:
    found = bench.kernel.rights.show()
    return ([one["expires_s"] for one in found["denies"] if one.get("expires_s")],
            [one["origin"]["expires_s"] for one in found["limits"] if one["origin"].get("expires_s")])  # fmt: skip


async def test_they_hold_until_then_and_not_longer(bench: Bench) -> None:
    rights = bench.kernel.rights
    await rights.deny("files", "fs.read:~/Downloads/**", lasting="2h")
    await rights.limit("files", "memory", "512MB", lasting="2h")
    await rights.limit("user", "tokens", "100k", total=True, lasting="2h")
    assert await denied(bench)
    await again(bench)
    denies, limits = shown(bench)
    assert (len(denies), len(limits)) == (1, 2), "the ledger knows until when"
    assert denies[0] == pytest.approx(time.time() + 2 * HOUR, abs=60)
    ahead(bench, 1.9)
    assert len(shown(bench)[0]) == 1
    assert await denied(bench)
    ahead(bench, 2.1)
    assert shown(bench) == ([], [])
    assert not await denied(bench)
    house = bench.kernel._house
    assert house.accounts.budgets.left("root/user", "tokens") is None
    kinds = [event["kind"] for event in bench.kernel.log(200)]
    assert kinds.count("deny.removed") == 1
    assert [one["body"]["why"] for one in bench.kernel.log(200) if one["kind"] == "limit.set"][-2:] == [
        "its time was over"
    ] * 2
    await again(bench)  # the clock of this machine is behind what was seen
    assert bench.kernel.rights.show()["denies"] == []


async def denied(bench: Bench) -> bool:
    view = await bench.ask("list the files in Downloads")
    return bool((view["error"] or {}).get("code") == "policy.denied")


async def test_the_first_to_ask_after_its_end_is_no_longer_denied(bench: Bench) -> None:
    """What a run may do is looked up in the tree as it is at the time that is looked at with it."""
    await bench.kernel.rights.deny("files", "fs.read:~/Downloads/**", lasting="2h")
    house, home = bench.kernel._house, str(bench.home)
    rules = [node.rules for node in house.circumstances("r-1", home).policy.nodes.values()]
    assert any(rule.id for each in rules for rule in each), "the control"
    ahead(bench, 2.1)
    around = house.circumstances("r-1", home)
    assert not any(rule.id for node in around.policy.nodes.values() for rule in node.rules)


def offered(bench: Bench) -> bool:
    house = bench.kernel._house
    client = house.clients.get("claude")
    assert client is not None
    return is_offered(house, client, ASK)


def seen(bench: Bench) -> bool:
    sees = sees_of(bench.kernel._house, NODE)
    assert sees is not None
    return sees(USER_SAID.to_json())


def explained(bench: Bench) -> bool:
    return bool(bench.kernel.rights.explain("files", "fs.read:~/Downloads/big.iso")["verdict"] != "deny")


def shown_to_a_model(bench: Bench) -> bool:
    endpoint = Endpoint("far", "https://api.example.org/v1", "m")
    return "facts" in bench.kernel.rooms.models.seen_by(endpoint)


@pytest.mark.parametrize(
    ("node", "right", "may"),
    [
        (NODE, f"skill.call:{ASK}", offered), (NODE, "graph.read:user", seen),
        ("files", "fs.read:~/Downloads/**", explained),
        ("models", "model.see:facts@api.example.org:443", shown_to_a_model),
    ],
)  # fmt: skip
async def test_a_deny_that_has_ended_has_no_say_in_the_first_decision_after_its_end(
    bench: Bench, node: str, right: str, may: Callable[[Bench], bool]
) -> None:
    """Nobody else has looked at the time yet: whoever decides looks at it first."""
    await bench.kernel.clients.add("claude")
    if node == "models":
        await bench.kernel.rights.grant(node, right)
    assert may(bench), "the control: nothing is denied yet"
    await bench.kernel.rights.deny(node, right, lasting="2h")
    assert not may(bench)
    ahead(bench, 1.9)
    assert not may(bench)
    ahead(bench, 2.1)
    assert may(bench)


async def test_a_lasting_limit_is_not_lost_to_one_for_a_time(bench: Bench) -> None:
    rights = bench.kernel.rights
    await rights.limit("files", "memory", "512MB")
    with pytest.raises(BadRequest, match="for good") as caught:
        await rights.limit("files", "memory", "1GB", lasting="1h")
    assert caught.value.hint
    with pytest.raises(BadRequest, match="for a time"):
        await rights.limit("files", "memory", "none", lasting="1h")
    with pytest.raises(BadRequest, match="not both"):
        await rights.deny("files", "fs.read:~/Downloads/**", lasting="1h", until="18:30")
    (limit,) = rights.show()["limits"]
    assert limit["amount"] == 512_000_000
    await rights.limit("files", "wall", "1m", lasting="1h")
    await rights.limit("files", "wall", "2m", lasting="2h")
    await rights.limit("files", "wall", "3m")  # one for good may take its place
    ahead(bench, 3)
    assert {one["amount"] for one in rights.show()["limits"]} == {512_000_000, 180_000}


@pytest.mark.parametrize("end", [float("nan"), "soon", True])
def test_an_end_that_is_none_stops_the_start(end: Any) -> None:
    body = {"node": "root/user", "meter": "tokens", "amount": 5, "total": True, "at_s": 1.0, "expires_s": end}
    event = Event(1, 10**9, "limit.set", None, None, body, None, "")
    with pytest.raises(BadScope):
        replay([event], default_policy("/home/u", ()))
