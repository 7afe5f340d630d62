"""What is left of a budget, and which question is asked against it."""

from __future__ import annotations

import asyncio

import pytest

from kernel.errors import ModelFailed
from kernel.models.model import Endpoint
from kernel.terms import Held, Overdue, Terms
from kernel.terms.held import in_time

PRICED = Endpoint("far", "https://api.example.org/v1", "m", price_in=10, price_out=10)
FREE_HERE = Endpoint("near", "http://127.0.0.1:1/v1", "m")
UNPRICED = Endpoint("far", "https://api.example.org/v1", "m")
DOLLARS = Endpoint("far", "https://api.example.org/v1", "m", price_in=10, currency="USD")


def test_questions_side_by_side_never_promise_more_than_there_is() -> None:
    held = Held(Terms(100))
    held.reserve(PRICED, 60)
    with pytest.raises(ModelFailed) as refused:
        held.reserve(PRICED, 60)
    assert (refused.value.code, "0.00004 EUR left" in str(refused.value)) == ("request.budget", True)
    held.settle(PRICED, 60, 20)
    held.reserve(PRICED, 80)
    held.settle(PRICED, 80, 95)  # it says that it took more than it should have
    with pytest.raises(ModelFailed):
        held.reserve(PRICED, 1)
    assert (held.spent, held.asked) == (115, 0)


@pytest.mark.parametrize(("endpoint", "word"), [(UNPRICED, "not known"), (DOLLARS, "costs USD")])
def test_a_price_that_nobody_knows_or_in_other_money_is_no_price_to_keep_to(endpoint: Endpoint, word: str) -> None:
    with pytest.raises(ModelFailed) as refused:
        Held(Terms(10**6)).reserve(endpoint, 0)
    assert word in str(refused.value)
    assert refused.value.hint
    assert refused.value.de != str(refused.value)
    Held().reserve(endpoint, 0)  # the control: without a budget nobody looks


def test_a_model_of_this_machine_is_free_also_where_nothing_may_be_spent() -> None:
    Held(Terms(0)).reserve(FREE_HERE, 0)
    with pytest.raises(ModelFailed):
        Held(Terms(0)).reserve(PRICED, 1)


async def test_at_the_deadline_what_runs_is_cancelled_and_a_timeout_of_its_own_is_no_deadline() -> None:
    ended = asyncio.Event()

    async def endless() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def late_itself() -> None:
        raise TimeoutError

    with pytest.raises(Overdue):
        await in_time(Held(Terms(deadline_s=1)), endless())
    assert ended.is_set()
    with pytest.raises(TimeoutError):
        await in_time(Held(Terms(deadline_s=60)), late_itself())
