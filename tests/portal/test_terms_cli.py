"""``ask --budget --deadline``, and what a second model says of a result, on the command line and over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from tests.kernel.models.server import Server, served
from tests.kernel.prompting.test_whole import LOST, only_looking, planning
from tests.kernel.reviewing.test_whole import all_are, judging

Installation = Any  # tests/portal/conftest.py

pytestmark = [pytest.mark.slow, pytest.mark.models]


@pytest.fixture
def models(running: Installation) -> Iterator[tuple[Server, Server]]:
    """A planner that costs money, and a reviewer that supports nothing."""
    (running.home / "Downloads").mkdir(exist_ok=True)
    (running.home / "Downloads" / "big.iso").write_bytes(b"x" * 5000)
    with served(planning(only_looking)) as planner, served(judging(all_are("not supported", "r1"))) as judge:
        for name, server, role in (("dear", planner, "planner"), ("judge", judge, "reviewer")):
            price = ("--price-in", "10", "--price-out", "10") if name == "dear" else ()
            done = running.steward("models", "set", name, "--url", server.url, "--model", "m", "--family", name,
                                   "--context", "32000", *price)  # fmt: skip
            assert done.code == 0, done.err
            running.steward("models", "use", role, name)
        yield planner, judge
        for name in ("dear", "judge"):
            running.steward("models", "remove", name)


def test_a_budget_that_no_question_fits_in_is_refused_with_the_reason(
    running: Installation, models: tuple[Server, Server]
) -> None:
    done = running.steward("ask", LOST, "--yes", "--json", "--budget", "1ct", "--conversation", "terms-1")
    assert models[0].asked == []
    assert "of 0.01 EUR there is 0.01 EUR left; it was not asked" in done.json["answer"]
    assert done.code in (5, 7), "refused, or only what the kernel itself asks is left"
    assert (done.json["error"] or {}).get("code") == ("request.budget" if done.code == 5 else None)
    assert done.json["terms"] == {"money": 10_000, "currency": "EUR"}
    paid = running.steward("ask", LOST, "--yes", "--json", "--budget", "1EUR", "--deadline", "5m", "-c", "terms-2")
    assert paid.code == 0, paid
    assert 0 < paid.json["cost"]["EUR"] < 10**6
    assert paid.json["terms"]["deadline_s"] == 300


def test_a_verdict_stands_below_the_answer_and_in_the_object(
    running: Installation, models: tuple[Server, Server]
) -> None:
    for seen in ("results", "files"):
        assert running.steward("perms", "grant", "models", f"model.see:{seen}@127.0.0.1:{models[1].port}").code == 0
    done = running.steward("ask", LOST, "--yes", "--conversation", "terms-3")
    assert done.code == 0, done
    assert "Not supported" in done.err
    assert "Not supported" not in done.out
    assert "Models took" in done.err
    shown = running.steward("runs", running.steward("runs", "--json", "-n", "1").json["runs"][0]["run"])
    assert "Not supported" in shown.out
    as_json = running.steward("ask", LOST, "--yes", "--json", "--conversation", "terms-4").json
    assert {one["verdict"] for one in as_json["review"]["claims"]} == {"not supported"}
    assert as_json["review"]["kinship"] == "other"


def test_without_a_model_nothing_was_reviewed_and_nothing_cost(running: Installation) -> None:
    found = running.steward("ask", "what is 2 + 2", "--json", "--deadline", "2m", "--budget", "0ct").json
    assert (found["review"], found["cost"], "4" in found["answer"]) == (None, {}, True)
