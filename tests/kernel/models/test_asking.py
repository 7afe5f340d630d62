"""What a question takes: rights, a budget, and an endpoint that is not resting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from kernel.errors import ModelFailed
from kernel.models.asking import Line, usage_of
from kernel.models.breaker import FIRST_REST_S, LONGEST_REST_S, Breakers
from kernel.models.model import MODELS, MODELS_HASH, Endpoint, Message, Prompt, Seen
from permissions import Policy, new_grant
from permissions.model import Action, GrantMode, Principal, Right, Verdict
from permissions.policy import Rule
from tests.kernel.models.acts import refuses
from tests.kernel.models.behaviours import BEHAVIOURS
from tests.kernel.models.conftest import PROMPT, Desk
from tests.kernel.models.server import SCHEMA, serving

pytestmark = [pytest.mark.slow, pytest.mark.models]
MINE = Principal(MODELS, MODELS_HASH, "", "", "")
GOOD = BEHAVIOURS["good"].act
NODE = "root/user/workspace/models/scripted"
FACTS = replace(PROMPT, seen=PROMPT.seen | {Seen.FACTS})


def granted(policy: Policy, *scopes: str, client: str = "") -> Policy:
    """Return ``policy`` with rights to see."""
    to = replace(MINE, client=client)
    return policy.with_grants([new_grant(to, Right(Action.MODEL_SEE, one), GrantMode.ALWAYS, 1.0) for one in scopes])


async def refusal(desk: Desk, endpoint: Endpoint, prompt: Prompt = PROMPT) -> ModelFailed:
    """Return how it failed."""
    with pytest.raises(ModelFailed) as failed:
        await desk.ask(endpoint, prompt)
    return failed.value


async def test_what_it_may_not_see_is_not_sent_and_the_grant_is_named(desk: Desk) -> None:
    async with serving(GOOD) as server:
        endpoint = desk.endpoint(server)
        error = await refusal(desk, endpoint, FACTS)
        assert (error.code, server.asked, desk.told) == ("model.not_allowed", [], [])
        assert error.hint == f"./steward perms grant models model.see:facts@{endpoint.host}"
        for scope in ("files@" + endpoint.host, "facts@127.0.0.1:9"):
            desk.behalf = replace(desk.behalf, policy=granted(desk.behalf.policy, scope))
            assert (await refusal(desk, endpoint, FACTS)).code == "model.not_allowed"
        desk.behalf = replace(desk.behalf, policy=granted(desk.behalf.policy, f"facts@{endpoint.host}"))
        assert (await desk.ask(endpoint, FACTS)).value, "the control: with the grant it is asked"
        assert desk.body("model.asked")["seen"] == ["facts", "request", "tools"]


async def test_the_persons_grants_count_for_nobody_else_and_a_deny_wins(desk: Desk) -> None:
    async with serving(GOOD) as server:
        endpoint = desk.endpoint(server)
        held = granted(desk.behalf.policy, f"*@{endpoint.host}")
        desk.behalf = replace(desk.behalf, policy=held, client="mcp:claude")
        assert (await refusal(desk, endpoint, FACTS)).code == "model.not_allowed"
        desk.behalf = replace(desk.behalf, client="")
        assert (await desk.ask(endpoint, FACTS)).value
        rule = Rule(Right(Action.MODEL_SEE, f"facts@{endpoint.host}"), Verdict.DENY, "you denied it", "d-1")
        denied = held.with_nodes([held.node("root/user").with_rules([rule])])
        desk.behalf = replace(desk.behalf, policy=denied)
        error = await refusal(desk, endpoint, FACTS)
        assert (error.code, error.hint) == ("model.not_allowed", "./steward perms revoke d-1")


@pytest.mark.parametrize(
    ("node", "meter", "amount"),
    [
        ("root", "tokens", 10),
        ("root/user", "tokens", 250),
        ("root/user/workspace/models", "money.EUR", 5),
        (NODE, "tokens", 0),
    ],
)
async def test_a_budget_that_is_too_small_stops_it_before_anything_is_sent(
    desk: Desk, node: str, meter: str, amount: int
) -> None:
    desk.behalf.accounts.set(node, meter, amount)
    async with serving(GOOD) as server:
        error = await refusal(desk, desk.endpoint(server, price_in=1_000_000, price_out=1_000_000))
        assert (error.code, server.asked) == ("model.budget", [])
        assert f"{meter} AMOUNT --total" in error.hint
        desk.behalf.accounts.set(node, meter, 10**9)
        assert (await desk.ask(desk.endpoint(server, price_in=1_000_000))).value, "the control"


async def test_what_was_used_is_charged_at_every_node_in_tokens_and_money(desk: Desk) -> None:
    accounts = desk.behalf.accounts
    for node, meter in (("root", "tokens"), (NODE, "tokens"), ("root/user", "money.EUR"), (NODE, "money.USD")):
        accounts.set(node, meter, 10_000_000)
    async with serving(GOOD) as server:
        reply = await desk.ask(desk.endpoint(server, price_in=1_000_000, price_out=10_000_000))
    assert (reply.usage.tokens_in, reply.usage.tokens_out, reply.usage.money) == (20, 9, 110)
    assert not reply.usage.estimated
    left = {account: accounts.budgets.left(*account) for account in accounts.budgets.allowed}
    assert left == {("root", "tokens"): 9_999_971, (NODE, "tokens"): 9_999_971, ("root/user", "money.EUR"): 9_999_890,
                    (NODE, "money.USD"): 10_000_000}  # fmt: skip


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ({"prompt_tokens": 20, "completion_tokens": 9}, (20, 9)),
        (None, None),
        ({}, None),
        ({"prompt_tokens": 20}, None),
        ({"prompt_tokens": -1, "completion_tokens": 9}, None),
        ({"prompt_tokens": True, "completion_tokens": 9}, None),
        ({"prompt_tokens": 10**18, "completion_tokens": 9}, None),
        ({"prompt_tokens": 20, "completion_tokens": 10**6}, None),
        ({"prompt_tokens": 20.5, "completion_tokens": 9}, None),
        ({"prompt_tokens": 20, "completion_tokens": 0}, None),
    ],
)
def test_what_cannot_be_true_is_estimated(said: Any, counts: tuple[int, int] | None) -> None:
    assert usage_of(said, 100, 200) == counts


async def test_what_is_too_long_is_not_sent(desk: Desk) -> None:
    async with serving(GOOD) as server:
        long = Prompt((Message("user", "x" * 6000),), SCHEMA)
        error = await refusal(desk, desk.endpoint(server, context_tokens=2000), long)
        assert (error.code, server.asked) == ("model.too_long", [])
        assert (await desk.ask(desk.endpoint(server, context_tokens=8000), long)).value, "the control"


@pytest.mark.parametrize(("name", "setting"), [("endless tokens", "--context"), ("413", None)])
async def test_no_setting_is_named_where_none_helps(desk: Desk, name: str, setting: str | None) -> None:
    async with serving(BEHAVIOURS[name].act) as server:
        error = await refusal(desk, desk.endpoint(server))
    assert error.code == "model.too_long"
    assert ("--context" in error.hint, "--context" in error.de_hint) == ((setting is None,) * 2)


async def test_one_that_is_down_is_left_alone_and_then_tried_once(desk: Desk) -> None:
    now = [1000.0]
    desk.line = Line(Breakers(lambda: now[0]))
    async with serving(refuses("500 Internal Server Error")) as server:
        endpoint = desk.endpoint(server)
        codes = [(await refusal(desk, endpoint)).code for _ in range(4)]
        assert codes == ["model.unreachable"] * 3 + ["model.resting"]
        assert len(server.asked) == 3
        now[0] += FIRST_REST_S + 1
        assert [(await refusal(desk, endpoint)).code for _ in range(2)] == ["model.unreachable", "model.resting"]
        now[0] += FIRST_REST_S + 1
        assert (await refusal(desk, endpoint)).code == "model.resting", "it rests twice as long"
        now[0] += FIRST_REST_S
        server.act = GOOD
        assert (await desk.ask(endpoint)).value
        assert (await desk.ask(endpoint)).value


async def test_one_that_says_no_is_not_down(desk: Desk) -> None:
    async with serving(refuses("401 Unauthorized")) as server:
        codes = {(await refusal(desk, desk.endpoint(server))).code for _ in range(5)}
    assert codes == {"model.refused"}


def test_rests_double_to_ten_minutes_and_one_alone_may_try() -> None:
    now = [0.0]
    breakers = Breakers(lambda: now[0])
    rests = []
    for _ in range(10):
        if breakers.rests_s("x") == 0:
            breakers.down("x")
        rests.append(breakers.rests_s("x"))
        now[0] += rests[-1]
    assert rests == [0, 0, 30, 60, 120, 240, 480, 600, 600, 600]
    assert rests[-1] == LONGEST_REST_S
    assert breakers.rests_s("x") == 0
    assert breakers.rests_s("x") > 0, "one is trying"
    breakers.neither("x")
    assert breakers.rests_s("x") == 0
    breakers.well("x")
    assert [breakers.rests_s("x") for _ in range(2)] == [0, 0]


async def test_a_key_that_is_missing_is_named_with_what_sets_it(desk: Desk) -> None:
    async with serving(GOOD) as server:
        error = await refusal(desk, desk.endpoint(server, secret="model-gone"))
    assert (error.code, server.asked) == ("model.refused", [])
    assert "secrets set model-gone" in error.hint
