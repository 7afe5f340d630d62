"""A model of the ledger, a list, held against the real one through appends, forgets, closings and crashes."""

from __future__ import annotations

import os
import shutil
import signal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memory import Draft, Ledger
from memory.model import EntityId
from tests.memory.conftest import scratch

people = st.sampled_from(["person:anna", "person:ben", "person:çem"])
drafts = st.builds(
    Draft,
    kind=st.sampled_from(["a", "b"]),
    body=st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=5), max_size=2),
    run=st.none() | st.sampled_from(["r1", "r2"]),
    entities=st.lists(people, max_size=2, unique=True).map(tuple),
    label=st.none() | st.just("untrusted"),
    durable=st.booleans(),
)


def machine(child: Any) -> type[RuleBasedStateMachine]:
    class LedgerMachine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.folder = scratch("ledger-machine-")
            self.model: list[Draft | None] = []  # None: forgotten, or the ledger's own
            self.heard: list[int] = []

        @initialize()
        def begin(self) -> None:
            self.ledger = Ledger.open(self.folder)
            self.ledger.subscribe(lambda event: self.heard.append(event.seq))

        @rule(some=st.lists(drafts, min_size=1, max_size=4))
        def append(self, some: list[Draft]) -> None:
            events = self.ledger.append(*some)
            assert [event.seq for event in events] == [len(self.model) + at for at in range(1, len(some) + 1)]
            self.model += some

        @rule(some=st.lists(drafts, min_size=2, max_size=12))
        def submit(self, some: list[Draft]) -> None:
            futures = [self.ledger.submit(draft) for draft in some]
            self.model += some
            assert futures[-1].result(10)[0].seq == len(self.model)

        @rule(person=people)
        def forget(self, person: str) -> None:
            about = [at for at, draft in enumerate(self.model) if draft and person in draft.entities]
            assert self.ledger.forget(EntityId(person)) == len(about)
            for at in about:
                self.model[at] = None
            if about:
                self.model.append(None)

        @rule()
        def reopen(self) -> None:
            self.ledger.close()
            assert self.heard == sorted(set(self.heard))
            self.begin()

        @rule(heard=st.integers(0, 4), person=people)
        def crash(self, heard: int, person: str) -> None:
            """Another process writes, is killed, and the ledger is opened again."""
            self.ledger.close()
            process = child.start(folder=str(self.folder), numbers=list(range(6)), entity=person)
            lines = [child.line() for _ in range(heard)]
            os.kill(process, signal.SIGKILL)
            lines += child.rest()[0]
            self.begin()
            written = self.ledger.head()[0] - len(self.model)
            assert len(lines) <= written <= 6
            self.model += [
                Draft("task.done", {"number": at}, run="child", entities=(EntityId(person),) if at % 2 else ())
                for at in range(written)
            ]

        @precondition(lambda self: hasattr(self, "ledger"))
        @invariant()
        def agrees(self) -> None:
            events = list(self.ledger.events())
            assert [event.seq for event in events] == list(range(1, len(self.model) + 1))
            for event, draft in zip(events, self.model, strict=True):
                if draft is None:
                    assert event.body is None or event.kind == "ledger.forgotten"
                else:
                    expected = (draft.kind, draft.body, draft.run, draft.entities, draft.label)
                    assert (event.kind, event.body, event.run, event.entities, event.label) == expected

        def teardown(self) -> None:
            if hasattr(self, "ledger"):
                check = self.ledger.verify()
                self.ledger.close()
                assert check.ok, check.problems
            shutil.rmtree(self.folder)

    return LedgerMachine


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_ledger_is_its_model(child: Any) -> None:
    run_state_machine_as_test(
        machine(child),
        settings=settings(
            max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
