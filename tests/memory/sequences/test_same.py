"""The miner against its own figures on generated sessions: what makes it quicker changes none of them."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator

import pytest

from memory.sequences import Entry, Limits, Miner, miner_to_json

DAY = 86_400.0
FIRST = {1: "0f2f3f5159b76a80", 2: "300de2cf618df8ad", 3: "7f1188a9828475ea"}
"""What the first miner came to, by seed: all that is kept, all that is found, to nine digits and in order."""


@pytest.mark.parametrize("seed", FIRST)
def test_what_is_kept_and_found_is_the_same_to_the_last_figure(seed: int) -> None:
    miner = Miner(Limits(latest=12, sessions=150, most=4_000))  # so it lets go of sessions and of sequences
    for session in _generated(seed, 400):
        miner.fold(session)
    found = [
        [one.items, one.times, one.support, one.lift, one.score, one.occurrences, miner.held(one.items)]
        for one in miner.found(400 * DAY)
    ]
    told = json.loads(
        json.dumps([miner_to_json(miner), found]), parse_float=lambda digits: format(float(digits), ".9g")
    )
    assert hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16] == FIRST[seed]


def _generated(seed: int, count: int) -> Iterator[list[Entry]]:
    """Yield a session a day: some of six habits among other things, each item in three widths, some in groups."""
    chance = random.Random(seed)
    words = [f"{name}/{name}{chance.randrange(3)}/{name}{kind}" for name in "abcdefgh" for kind in range(4)]
    habits = [[chance.choice(words) for _ in range(chance.randint(2, 9))] for _ in range(6)]
    for day in range(count):
        session = [chance.choice(words) for _ in range(chance.randrange(5))]
        if chance.random() < 0.7:
            place = chance.randint(0, len(session))
            session[place:place] = chance.choice(habits)
        at, entries = day * DAY, []
        for word in session:
            at += chance.choice((60.0, 60.0, 600.0, 2_400.0))
            entries.append(Entry(tuple(dict.fromkeys(word.split("/"))), at, chance.choice(("", "", "r", "s"))))
        yield entries
