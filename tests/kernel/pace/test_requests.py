"""How long a request may take beside much that is not about it: tools of servers, a person's own examples."""

from __future__ import annotations

import pytest

from kernel.learning.model import Clause
from skills.model import Example
from tests.clock import idle_s
from tests.kernel.learning.conftest import After
from tests.kernel.planner import Planner


def test_a_request_of_theirs_is_no_slower_beside_servers(beside: Planner, plain: Planner) -> None:
    sentence = "find the three largest files in ~/Downloads and save their names as a note called big files"
    beside.say(sentence)

    def no_slower() -> bool:
        return idle_s(lambda: beside.say(sentence)) < 1.25 * idle_s(lambda: plain.say(sentence)) + 0.002

    assert any(no_slower() for _ in range(4))  # one that is slower is so every time; a busy moment is not


@pytest.mark.slow
def test_five_hundred_own_examples_do_not_slow_a_request(planner: Planner, after: After) -> None:
    """At most 5 % and what the clock cannot tell; measured by turns, the best of several."""
    taught = after(*_five_hundred(planner))
    sentences = ["find the three largest files in Downloads", "write a note called milk: buy milk",
                 "what is the total of invoice_2024-03.pdf", "copy a.pdf to Archive and rename it to b2.pdf",
                 "wie viel Platz braucht Downloads"]  # fmt: skip

    def read(one: Planner) -> float:
        return idle_s(lambda: [one.say(sentence) for sentence in sentences], rounds=3)

    for one in (planner, taught):
        read(one)
    pairs: list[tuple[float, float]] = []
    while len(pairs) < 4 and not any(mine / shipped < 1.05 for shipped, mine in pairs):
        pairs.append((read(planner), read(taught)))
    assert min(mine / shipped for shipped, mine in pairs) < 1.05, pairs


def _five_hundred(planner: Planner) -> list[Clause]:
    clauses = []
    for tool in planner.toolbox.tools:
        for number, example in enumerate(tool.examples[:: max(1, len(tool.examples) // 12)]):
            text = f"{example.text} yo{number}"
            clauses.append(Clause(tool.id, Example(text, example.language, example.slots)))
    return clauses[-500:]
