"""A sample of the escape list in every situation, and its part that is on the daemon. `make escape` tries it all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from permissions.model import CellSpec, Level
from tests.permissions.confine.asking_escapes import asking
from tests.permissions.confine.escapes import PROBES, SKIPPED
from tests.permissions.confine.ground import SECRET, Attempt, Ground, cell
from tests.permissions.confine.relay_escapes import relayed, said, town_of
from tests.permissions.egress.test_hello import greeting
from tests.proofs.deputies import DEPUTIES
from tests.proofs.refusals import REFUSALS, Refusal

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]
SAMPLE = 10
PLACE = "GET http://STRAY/stray HTTP/1.1\r\nhost: STRAY\r\n\r\n"
SLOW = ("58", "59", "70", "74", "76", "79", *(f"90{letter}" for letter in ("", *"bcdefg")))


@pytest.fixture
def ground(wall: Any) -> Iterator[Ground]:
    ground = Ground(wall)
    yield ground
    ground.close()


def test_a_sample_of_the_list_is_held(ground: Ground) -> None:
    # Another sample for every level, the same one in every run; what takes long is for `make escape`.
    quick = [probe for probe in PROBES if probe.number not in SLOW and not probe.own_bytes]
    sample = Random(str(ground.wall.prefix[-1:])).sample(quick, SAMPLE)
    found = {probe.number: probe.trial(ground) for probe in sample}
    promised = {probe.number for probe in sample if ground.wall.level is Level.L3 or not probe.weak}
    assert not [number for number, outcome in found.items() if outcome.escaped and number in promised]
    assert sum(outcome.live for outcome in found.values()) > SAMPLE // 3, found


def test_an_escape_would_be_seen(ground: Ground) -> None:
    """The control of the list itself: what was granted is reached, and counts as reached."""

    def granted(ground: Ground) -> Attempt:
        path = ground.secret()
        return Attempt(
            "read", {"path": path}, CellSpec(read_paths=(os.path.dirname(path),)), lambda text: text == SECRET
        )

    outcome = cell("0", "read what was granted", granted).trial(ground)
    assert outcome.live
    assert outcome.escaped


def test_an_escape_at_the_relay_would_be_seen(ground: Ground) -> None:
    """The control of that part: a host that was granted hears what is said, by a request and by a tunnel."""
    if ground.wall.level is not Level.L3:
        assert not said(PLACE, hosts=("STRAY",))(ground).escaped  # there is no relay, and so no way out
        return
    assert said(PLACE, hosts=("STRAY",), patience_s=5.0)(ground).escaped
    town, place = town_of(ground), "granted.test"
    words = {"place": town.said("GRANTED"), "greeting": greeting(place).decode("latin-1"), "seconds": 1.0}
    spec = CellSpec(hosts=(words["place"],), relays=True, changes_hosts=True)
    relayed(ground, "leave_tunnel", spec, **words)
    assert town.hears(place, 5.0)


def test_an_escape_at_the_line_for_questions_would_be_seen(ground: Ground) -> None:
    assert asking("ask_anywhere", lambda asked: b"open" in asked)(ground).escaped  # with the right to, it is heard
    assert asking("ask_often", lambda asked: len(asked) == 3, count=3)(ground).escaped
    assert asking("ask_much", lambda asked: len(asked[0]) == 9, size=9)(ground).escaped


@pytest.mark.parametrize("refusal", REFUSALS, ids=[refusal.title for refusal in REFUSALS])
def test_what_a_call_answers_does_not_get_out(refusal: Refusal) -> None:
    outcome = refusal.trial()
    assert outcome.live
    assert not outcome.escaped


def test_the_list_is_long_enough_and_names_nothing_twice() -> None:
    numbers = [probe.number for probe in PROBES] + [refusal.number for refusal in (*REFUSALS, *DEPUTIES)]
    assert len(numbers) == len(set(numbers)) >= 90
    assert all(SKIPPED.values())
