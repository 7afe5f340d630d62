"""Learning from the ledger: what stands is an example, what was refused is not, and a refit that loses is dropped."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernel.ranking import Learner, Moment
from kernel.ranking.log import KINDS, REFITTED, RequestLog, Shown
from kernel.ranking.refit import EVERY, FEWEST, refit
from kernel.ranking.weights import Weights, shipped
from memory import Ledger
from memory.model import Draft, EntityId
from tests.kernel.ranking.conftest import by_subject

CANDIDATES = [
    {"tool": "sky", "score": 2.0, "reasons": {"dense": 0.9, "verb": 0.0}},
    {"tool": "cars", "score": 1.0, "reasons": {"dense": 0.3, "verb": 1.0}},
]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger") as opened:
        yield opened


def _run(
    ledger: Ledger, name: str, text: str, tool: str, resolution: str = "executed", *,
    error: str = "", undone: bool = False, entity: str = "", candidates: list[dict[str, Any]] | None = None,
) -> None:  # fmt: skip
    about = (EntityId(entity),) if entity else ()

    def draft(kind: str, body: Mapping[str, Any]) -> Draft:
        return Draft(kind=kind, body=body, run=name, entities=about, durable=False)

    drafts = [
        draft("run.created", {"text": text, "conversation": "c", "now": "2026-03-04T09:30:00+01:00"}),
        draft("run.recommended", {"candidates": candidates or CANDIDATES}),
        draft("run.planned", {"plan": {"tasks": [{"id": "t1", "tool": tool, "text": text}], "score": 1.0}}),
        draft("run.finished", {"resolution": resolution, "error": {"code": error} if error else None}),
    ]
    ledger.append(*drafts, *([draft("run.undone", {"changes": []})] if undone else []))


def test_a_run_that_stands_is_an_example_and_others_are_not(ledger: Ledger) -> None:
    _run(ledger, "r1", "will it rain", "sky")
    _run(ledger, "r2", "delete it all", "cars", "blocked", error="approval.refused")
    _run(ledger, "r3", "drive there", "cars", undone=True)
    _run(ledger, "r4", "make coffee", "sky", "failed", error="tool.failed")
    log = RequestLog()
    log.take(ledger.events(kinds=KINDS))
    told = {one.text: one.accepted for one in log.requests()}
    assert told == {"will it rain": True, "delete it all": False, "drive there": False}
    assert log.requests()[0].hour == 9.5
    assert [one.meant for one in log.choices()] == [0]
    assert log.together() == (frozenset({"sky"}),)


def test_what_was_done_counts_for_the_next_request(ledger: Ledger) -> None:
    learner = Learner(ledger)
    assert len(learner.now(Moment()).past) == 0
    _run(ledger, "r1", "will it rain", "sky")
    learner.learn(by_subject)
    known = learner.now(Moment(hour=9.5), "c", by_subject)
    assert known.past.tools == ["sky"]
    assert known.moment.before == ("sky",)
    assert learner.now(Moment(), "another").moment.before == ()


def test_a_request_does_not_wait_for_learning(ledger: Ledger) -> None:
    """The first call begins to learn beside it; what it learns is there soon after."""
    _run(ledger, "r1", "will it rain", "sky")
    learner = Learner(ledger)
    learner.now(Moment())
    deadline = time.monotonic() + 20
    while not len(learner.now(Moment()).past) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert learner.now(Moment()).past.tools == ["sky"]


def test_what_is_forgotten_is_unlearnt(ledger: Ledger) -> None:
    _run(ledger, "r1", "a secret about rain", "sky", entity="person:anna")
    _run(ledger, "r2", "drive me home", "cars")
    learner = Learner(ledger)
    learner.learn()
    assert len(learner.now(Moment()).past) == 2
    ledger.forget(EntityId("person:anna"))
    learner.learn()
    assert [one.text for one in learner.now(Moment()).past.requests] == ["drive me home"]
    _run(ledger, "r3", "drive me to work", "cars")
    learner.learn()
    assert len(learner.now(Moment()).past) == 2


def _shown(decides: str, count: int, seed: int) -> list[Shown]:
    """Requests whose tool is the one with the most of ``decides``; the other reasons are noise."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        reasons = tuple({"dense": float(random.random()), "verb": float(random.random())} for _ in range(4))
        found.append(Shown(reasons, max(range(4), key=lambda at: reasons[at][decides])))
    return found


START = Weights({"dense": 2.0, "verb": 1.0})


def test_a_refit_follows_what_the_person_chose() -> None:
    trial = refit(_shown("verb", 200, seed=1), START)
    assert trial is not None
    assert trial.kept
    assert trial.after > trial.before + 0.2
    assert trial.weights.values["verb"] > trial.weights.values["dense"] >= 0.0


def test_a_refit_that_loses_on_the_held_back_is_dropped() -> None:
    """The older three quarters say one thing, the newest quarter the opposite: the weights stay."""
    trial = refit([*_shown("verb", 150, seed=2), *_shown("dense", 50, seed=3)], START)
    assert trial is not None
    assert not trial.kept
    assert trial.weights == START
    assert trial.after < trial.before
    assert trial.to_json()["weights"] == {}


def test_too_few_choices_move_nothing() -> None:
    assert refit(_shown("verb", FEWEST - 1, seed=1), START) is None


def test_a_refit_is_written_down_and_taken_up_at_the_next_start(ledger: Ledger) -> None:
    random = np.random.default_rng(5)
    for number in range(60):
        low, high = sorted(random.random(2).tolist())
        reasons = [{"dense": high, "verb": low}, {"dense": low, "verb": high}]
        shown = [{"tool": tool, "reasons": own} for tool, own in zip(("sky", "cars"), reasons, strict=True)]
        _run(ledger, f"r{number}", "go", "cars", candidates=shown)
    learner = Learner(ledger)
    learner.learn()
    ledger.append(Draft(kind="other", body={}))  # everything before it is on disk
    trials = [event.body for event in ledger.events(kinds=(REFITTED,))]
    assert [body["kept"] for body in trials if body] == [True]
    fitted = learner.now(Moment()).weights.values
    assert fitted["verb"] > shipped("stretch").values["verb"]
    again = Learner(ledger)
    again.learn()
    assert again.now(Moment()).weights.values["verb"] == pytest.approx(fitted["verb"], abs=1e-3)
    assert len(list(ledger.events(kinds=(REFITTED,)))) == 1


def test_of_many_runs_the_latest_are_kept_and_refits_go_on(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("learner", "log", "past"):
        monkeypatch.setattr(f"kernel.ranking.{place}.MOST", 60)
    random = np.random.default_rng(5)

    def go(name: str) -> None:
        low, high = sorted(random.random(2).tolist())
        reasons = [{"dense": high, "verb": low}, {"dense": low, "verb": high}]
        shown = [{"tool": tool, "reasons": own} for tool, own in zip(("sky", "cars"), reasons, strict=True)]
        _run(ledger, name, "go", "cars", candidates=shown)

    def refits() -> int:
        ledger.append(Draft(kind="other", body={}))  # everything before it is on disk
        return sum(1 for _ in ledger.events(kinds=(REFITTED,)))

    for number in range(200):
        go(f"r{number}")
    learner = Learner(ledger)
    learner.learn()
    assert len(learner.now(Moment()).past) == 60
    assert refits() == 1
    for more in range(1, 7):  # long enough that the oldest are let go of on the way
        for number in range(EVERY):
            go(f"s{more}-{number}")
        learner.learn()
        assert refits() == 1 + more, "what is new counts, not how much is kept"
    again = Learner(ledger)
    again.learn()
    assert refits() == 7
