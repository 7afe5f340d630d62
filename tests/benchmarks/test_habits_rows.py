"""The rows of mining: small, they come to what they say, and a miner that finds nothing would fall short."""

from __future__ import annotations

from tests.benchmarks.habits import planted
from tests.benchmarks.habits.cold import measure


def test_planted_workflows_are_found_among_the_most_telling_of_fewer_sessions() -> None:
    workflows, sessions = planted.drawn(5, 3_000)
    assert len(sessions) == 3_000
    found = set(workflows) & set(planted.ranked(sessions)[:20])
    assert len(found) >= 12


def test_some_thousand_events_are_mined_from_cold() -> None:
    figures = measure(events=1_000, days=40)
    assert figures["cold_events"] >= 1_000
    assert 0 < figures["fold_session_ms"] < 1_000
    assert figures["cold_s"] > 0
