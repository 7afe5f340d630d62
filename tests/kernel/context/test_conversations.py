"""Which runs there were, and of which conversation: read once it is asked for, and not before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kernel.context.conversations import Conversations
from kernel.remember import TRIAL
from memory import Draft, Event, Ledger


class Watched:
    """A ledger that counts which events were opened."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.opened = 0

    def events(self, **limits: Any) -> Iterator[Event]:
        for event in self._ledger.events(**limits):
            self.opened += 1
            yield event

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Any]:
    with Ledger.open(tmp_path) as opened:
        yield Watched(opened)


def _begin(ledger: Ledger, run: str, conversation: str, kind: str = "run.created", **more: str) -> None:
    ledger.append(Draft(kind=kind, run=run, body={"conversation": conversation, **more}))


def test_they_are_read_when_one_is_asked_for(ledger: Any) -> None:
    _begin(ledger, "one", "talk")
    _begin(ledger, "two", "other", client="mcp:a", client_key="k")
    _begin(ledger, "three", "talk", TRIAL)
    _begin(ledger, "four", "talk", aside="yes")
    talk = Conversations(ledger, "/home/a")
    assert ledger.opened == 0
    assert talk.runs("talk") == ("one",), "no sentence refers to a dry run"
    assert talk.every() == ("one", "two", "three")
    assert talk.is_of("two", "mcp:a", "k")
    assert not talk.is_of("two", "mcp:a", "another")
    opened = ledger.opened
    assert talk.knows("three")
    assert ledger.opened == opened, "once is enough"


def test_what_begins_later_stands_behind_what_was_before(ledger: Any) -> None:
    _begin(ledger, "one", "talk")
    talk = Conversations(ledger, "/home/a")
    _begin(ledger, "two", "talk")  # written before it is noted, by whoever begins it
    talk.note("talk", "two", "mcp:a", "k")
    assert talk.runs("talk") == ("one", "two")
    assert talk.every() == ("one", "two")
    assert talk.client("two") == "mcp:a"
    assert talk.client("one") == ""


def test_reading_ahead_leaves_nothing_to_wait_for(ledger: Any) -> None:
    _begin(ledger, "one", "talk")
    talk = Conversations(ledger, "/home/a")
    talk.read()
    opened = ledger.opened
    assert opened > 0
    assert talk.runs("talk") == ("one",)
    assert ledger.opened == opened
