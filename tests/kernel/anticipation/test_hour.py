"""What was spent unasked counts for an hour."""

from __future__ import annotations

from kernel.anticipation.hour import HOUR_S, Hour


def test_what_was_spent_is_left_again_after_an_hour() -> None:
    hour = Hour()
    hour.spend(20.0, 0.0)
    hour.spend(30.0, 100.0)
    assert hour.left_s(60.0, 200.0) == 10.0
    assert hour.left_s(60.0, HOUR_S) == 30.0
    assert hour.left_s(60.0, HOUR_S + 100.0) == 60.0
    hour.spend(99.0, HOUR_S + 200.0)
    assert hour.left_s(60.0, HOUR_S + 200.0) == 0.0
