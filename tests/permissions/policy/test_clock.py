"""The time that grants end by never goes back, whatever is done to the clock of the machine."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from permissions.model import Action, GrantMode, Principal, Right, Verdict
from permissions.policy import default_policy, new_grant
from permissions.policy.clock import SteadyClock

ME = Principal("files", "h", "", "", "")
HERE = Right(Action.FS_READ, "/home/u/a")


class Hands:
    """Two clocks that a test sets, and what was told to be kept."""

    def __init__(self, wall: float, seen: float = 0.0) -> None:
        self.wall, self.boot = wall, 50.0
        self.kept: list[float] = []
        self.clock = SteadyClock(seen, wall=lambda: self.wall, steady=lambda: self.boot, on_back=self.kept.append)

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.boot += seconds


def test_a_clock_set_back_does_not_revive_a_grant_and_the_control_shows_that_it_would() -> None:
    hands = Hands(1000.0)
    policy = default_policy("/home/u", ()).with_grant(new_grant(ME, HERE, GrantMode.UNTIL, 1000.0, 1100.0))
    assert policy.decide(ME, HERE, now_s=hands.clock.now_s()).verdict is Verdict.ALLOW
    hands.passes(200)
    hands.wall = 1050.0
    assert policy.decide(ME, HERE, now_s=hands.wall).verdict is Verdict.ALLOW, "the control: by the wall it lives again"
    assert policy.decide(ME, HERE, now_s=hands.clock.now_s()).verdict is Verdict.ASK


def test_the_time_of_an_earlier_process_counts_and_a_step_back_is_kept_once() -> None:
    hands = Hands(1050.0, seen=1200.0)
    assert hands.clock.now_s() == 1200.0
    hands.passes(10)
    assert hands.clock.now_s() == 1210.0
    assert hands.kept == [1200.0]
    hands.wall -= 500
    hands.clock.now_s()
    hands.passes(3)
    hands.clock.now_s()
    assert hands.kept == [1200.0, 1210.0]


def test_a_small_correction_is_not_worth_a_word() -> None:
    hands = Hands(1000.0)
    hands.clock.now_s()
    hands.wall -= 0.4
    assert hands.clock.now_s() == 1000.0
    assert hands.kept == []


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(0, 1e5)), max_size=30), st.floats(0, 1e7))
def test_time_never_goes_back_and_never_stands_still(steps: list[tuple[float, float]], seen: float) -> None:
    hands = Hands(5e6, seen)
    last = hands.clock.now_s()
    for jump, elapsed in steps:
        hands.passes(elapsed)
        hands.wall += jump
        now = hands.clock.now_s()
        assert now >= max(last + elapsed * 0.999999, hands.wall) - 1e-3
        last = now
