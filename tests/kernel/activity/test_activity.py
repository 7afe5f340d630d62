"""What happened, read backwards: whole, once, by sort and by run."""

from __future__ import annotations

import pytest

from kernel.activity import SORTS
from kernel.errors import BadRequest
from tests.kernel.conftest import Bench


async def test_pages_are_the_ledger_backwards_and_every_event_is_of_a_sort(bench: Bench) -> None:
    await bench.ask("create a note called plants: fern and ivy")
    await bench.ask("remember that Anna lives in Bonn")
    await bench.ask("what is 2 + 3")
    activity, found, before = bench.kernel.activity, list[int](), None
    while True:
        page = activity.page(7, before=before)
        found += [event["seq"] for event in page.events]
        assert all(event["sort"] in SORTS for event in page.events), [one["kind"] for one in page.events]
        before = page.before
        if before is None:
            break
    assert found == list(range(found[0], 0, -1))
    assert found[0] >= 20


async def test_a_sort_and_a_run_narrow_it(bench: Bench) -> None:
    view = await bench.ask("what is 2 + 3")
    await bench.ask("what is 7 + 8")
    page = bench.kernel.activity.page(100, run=view["run"], sorts=("requests",))
    assert {event["run"] for event in page.events} == {view["run"]}
    assert {event["sort"] for event in page.events} == {"requests"}
    assert page.events[-1]["kind"] == "run.created"
    assert page.before is None


async def test_a_sort_that_is_none_is_said_with_those_there_are(bench: Bench) -> None:
    with pytest.raises(BadRequest) as refused:
        bench.kernel.activity.page(5, sorts=("requests", "gossip"))
    assert "gossip" in str(refused.value)
    assert "requests" in refused.value.hint


def test_each_stem_is_of_one_sort() -> None:
    stems = [stem for found in SORTS.values() for stem in found]
    assert len(stems) == len(set(stems))
    assert not any(one != other and one.startswith(other) for one in stems for other in stems)
