"""What is learned from sequences beats the chain where more than the chain tells, and its chances come true."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kernel.anticipation.foretelling import FEWEST, learned
from memory.sequences.following import Act

DAYS = ("mon", "tue")


def _lines(count: int, seed: int) -> list[list[Act]]:
    """Two days: what is opened tells half of the time what comes then, the day before it tells what is opened."""
    draw = random.Random(seed)
    lines = []
    for _ in range(count):
        day = draw.choice(DAYS)
        first = "mail" if (day == "mon") == (draw.random() < 0.9) else "notes"
        about = draw.choice(["work", "home"])
        then = {"work": "sum", "home": "print"}[about] if draw.random() < 0.8 else draw.choice(["sum", "print"])
        around = {"weekday": day}
        lines.append([Act(first, "a", (about,), around), Act(then, "b", (), around)])
    return lines


def test_arguments_and_the_day_tell_what_comes() -> None:
    teller = learned(_lines(120, seed=1), around=("weekday",))
    assert teller.foretell([], {"weekday": "mon"})[0].item == "mail"
    assert teller.foretell([], {"weekday": "tue"})[0].item == "notes"
    assert teller.foretell([Act("mail", "a", ("home",))])[0].item == "print"
    assert teller.foretell([Act("mail", "a", ("work",))])[0].item == "sum"
    on_monday = teller.foretell([], {"weekday": "mon"})[0].reasons
    assert max(on_monday, key=on_monday.__getitem__) == "weekday"


def test_chances_come_true() -> None:
    teller = learned(_lines(200, seed=2), around=("weekday",))
    said, came = [], []
    for line in _lines(400, seed=3):
        for at, act in enumerate(line):
            first = teller.foretell(line[:at], act.around)[0]
            said.append(first.chance)
            came.append(first.item == act.item)
    assert np.mean(said) == pytest.approx(np.mean(came), abs=0.05)


def test_few_sequences_leave_the_plain_chain() -> None:
    lines = _lines(FEWEST - 1, seed=4)
    told = learned(lines, around=("weekday",)).foretell(lines[0][:1])
    assert {name for name, value in told[0].reasons.items() if value} == {"chain3"}
    assert sum(one.chance for one in told) == pytest.approx(1.0)


def test_weights_that_are_kept_look_at_new_counts() -> None:
    before = learned(_lines(60, seed=5), around=("weekday",))
    new = [[Act("scan"), Act("file")] for _ in range(30)]
    after = learned([*_lines(60, seed=5), *new], around=("weekday",), known=before)
    assert after.foretell([Act("scan")])[0].item == "file"


def test_nothing_is_foretold_of_nothing() -> None:
    assert learned([]).foretell([]) == []


def test_words_that_are_known_before_tell_more_than_what_was_done() -> None:
    draw = random.Random(6)
    lines = []
    for _ in range(60):
        item = draw.choice(["print", "scan", "send"])
        lines.append([Act("look"), Act(item, said=frozenset({f"{item}-word", "please"}))])
    teller = learned(lines, words=True)
    for item in ("print", "scan", "send"):
        first = teller.foretell([Act("look")], said={f"{item}-word"})[0]
        assert first.item == item
        assert first.chance > 0.6
        assert max(first.reasons, key=first.reasons.__getitem__) in {"words", "word"}


def test_words_count_from_the_first_sequences_on() -> None:
    lines = [[Act("mail", said=frozenset({"send"}))], [Act("note", said=frozenset({"write"}))]]
    assert len(lines) < FEWEST
    assert learned(lines, words=True).foretell([], said={"write"})[0].item == "note"
