"""The search as a whole: what it finds, when it stops, that it is the same again, and that it goes on where it was."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gpu_skills.errors import KernelsError, SearchElsewhere
from gpu_skills.knowledge import Advice
from gpu_skills.model import Built, Genome, Knob, Space
from gpu_skills.search import Budget, Found, Progress, Proposal, Refusal, search
from gpu_skills.search.journal import FILE, Journal
from gpu_skills.search.model import Brief, Event
from tests.gpu_skills.search.landscapes import BASE_NS, Bench, Landscape, Ticks, genome_ns, space

LANDSCAPE = Landscape("interacting", 3)
NOISY = Landscape("noisy", 1)
LONG = Budget(seconds=1e6, builds=30, patience=1000)


def run(folder: Path, bench: Bench | None = None, budget: Budget = LONG, **more: Any) -> Found:
    folder.mkdir(exist_ok=True)
    bench = bench or Bench(LANDSCAPE, folder, 1)
    return search(space(), bench, folder / "search", budget=budget, clock=Ticks(), **{"seed": 1, **more})


def told(found: Found) -> list[tuple[str, tuple[float, ...], str]]:
    return [(one.proposal.id, one.samples, one.refusal.why if one.refusal else "") for one in found.trials]


def lines_of(folder: Path) -> list[str]:
    return (folder / "search" / FILE).read_text().splitlines(keepends=True)


def test_it_finds_something_much_faster_than_the_default(tmp_path: Path) -> None:
    found = run(tmp_path)
    assert found.best is not None
    assert found.beats is not None
    assert found.beats.low > 1.3
    assert genome_ns(LANDSCAPE, found.best.candidate.genome) < 1.25 * LANDSCAPE.best_ns
    assert next(one.accepted for one in found.trials if one.proposal.id == found.best.candidate.id)


@pytest.mark.parametrize("landscape", [LANDSCAPE, NOISY, Landscape("failing", 2)], ids=lambda one: one.shape)
def test_the_same_seed_and_the_same_answers_give_the_same_search(landscape: Landscape, tmp_path: Path) -> None:
    runs = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        runs.append(run(tmp_path / name, Bench(landscape, tmp_path / name, 1)))
    assert told(runs[0]) == told(runs[1])
    assert runs[0].shares == runs[1].shares
    other = run(tmp_path / "c", seed=2)
    assert told(other) != told(runs[0])


def test_nothing_is_built_twice_and_only_what_may_win_is_measured_often(tmp_path: Path) -> None:
    bench = Bench(NOISY, tmp_path, 1)
    found = run(tmp_path, bench, Budget(seconds=1e6, builds=100, patience=1000))
    assert max(Counter(bench.built).values()) == 1
    counts = Counter(len(one.samples) for one in found.trials)
    assert set(counts) <= {1, 5, 25}
    assert counts[1] > counts[5] > 0
    assert 1 <= counts[25] <= 12
    assert len(bench.judged) == len(set(bench.judged)) <= 12


def test_what_the_judge_refuses_is_never_found(tmp_path: Path) -> None:
    class Strict(Bench):
        def judge(self, built: Built) -> Refusal | None:
            super().judge(built)
            return Refusal("errors", "wrong") if built.candidate.genome["lanes"] == lanes else None

    lanes = min(LANDSCAPE.times, key=LANDSCAPE.times.__getitem__)[0]
    lanes = space().knobs[0].choices[lanes]
    found = run(tmp_path, Strict(LANDSCAPE, tmp_path, 1))
    assert found.best is not None
    assert found.best.candidate.genome["lanes"] != lanes
    assert any(one.refusal and one.refusal.why == "errors" for one in found.trials)


def test_where_nothing_is_accepted_nothing_is_found(tmp_path: Path) -> None:
    class Never(Bench):
        def judge(self, built: Built) -> Refusal | None:
            return Refusal("poison")

    found = run(tmp_path, Never(LANDSCAPE, tmp_path, 1))
    assert (found.best, found.best_ns, found.beats) == (None, None, None)


def test_where_nothing_can_be_built_it_ends(tmp_path: Path) -> None:
    class Broken(Bench):
        def build(self, proposal: Proposal) -> Built | Refusal:
            return Refusal("build", "no compiler likes it")

    found = run(tmp_path, Broken(LANDSCAPE, tmp_path, 1), Budget(seconds=1e6, builds=500))
    assert found.best is None
    assert "no gain" in found.stopped
    assert len(found.trials) <= 48


def test_it_stops_near_the_ceiling_only_with_what_is_accepted(tmp_path: Path) -> None:
    floor = 1.1 * LANDSCAPE.best_ns
    bench = Bench(LANDSCAPE, tmp_path, 1, floor_ns=floor)
    found = run(tmp_path, bench, Budget(seconds=1e6, builds=400, patience=1000))
    assert "ceiling" in found.stopped
    assert found.best_ns is not None
    assert floor / found.best_ns >= 0.89
    assert len(bench.built) < 200


@pytest.mark.parametrize(
    ("budget", "why"),
    [
        (Budget(seconds=1e6, builds=12), "12 builds"),
        (Budget(seconds=8.0, builds=10_000, patience=1000), "8 seconds"),
        (Budget(seconds=1e6, builds=10_000), "no gain of 1% in 3 rounds"),
    ],
)
def test_it_stops_when_the_budget_is_spent_or_nothing_is_gained(budget: Budget, why: str, tmp_path: Path) -> None:
    found = run(tmp_path, budget=budget)
    assert found.stopped == why
    assert found.best is not None


def test_a_small_space_is_tried_whole(tmp_path: Path) -> None:
    class Tiny(Bench):
        def build(self, proposal: Proposal) -> Built | Refusal:
            return super().build(Proposal({**space().default, **proposal.genome}))

    knob = Knob("unroll", (1, 2, 4, 8), 2, "")
    found = search(Space("tiny", (knob,)), Tiny(LANDSCAPE, tmp_path, 1), tmp_path / "s", budget=LONG, seed=1)
    assert found.stopped == "every genome was tried"
    assert len(found.trials) == 4


def test_what_happens_is_told(tmp_path: Path) -> None:
    events: list[Progress] = []
    found = run(tmp_path, Bench(Landscape("failing", 2), tmp_path, 1), watch=events.append)
    by = Counter(one.event for one in events)
    assert by[Event.PROPOSED] == len(found.trials) == by[Event.BUILT] + by[Event.REJECTED]
    assert by[Event.STOPPED] == 1
    assert all(one.said for one in events if one.event in (Event.REJECTED, Event.STOPPED, Event.DUEL))
    bests = [one.best_ns for one in events if one.event is Event.BEST]
    assert len(bests) > 2
    assert all(one.id and one.made_by for one in events if one.event is Event.PROPOSED)
    times = [one.at_s for one in events]
    assert times == sorted(times)


def test_the_same_library_is_not_measured_again(tmp_path: Path) -> None:
    class Blind(Bench):
        """The division makes no difference to what is generated."""

        def build(self, proposal: Proposal) -> Built | Refusal:
            return super().build(Proposal({**proposal.genome, "division": "exact", "functions": "fast"}))

    events: list[Progress] = []
    bench = Blind(LANDSCAPE, tmp_path, 1)
    found = run(tmp_path, bench, Budget(seconds=1e6, builds=80, patience=1000), watch=events.append)
    twins = [one for one in events if one.said.startswith("the same library as ")]
    assert twins
    assert not {one.id for one in twins} & {one.id for one in events if one.event is Event.MEASURED}
    assert found.best is not None


def test_a_library_that_looks_wrong_or_far_too_slow_is_not_measured(tmp_path: Path) -> None:
    class Looking(Bench):
        measured: list[str] = []  # noqa: RUF012

        def inspect(self, built: Built) -> Refusal | float | None:
            if built.candidate.genome["rows"] == 4:
                return Refusal("symbols", "it calls system")
            return 3 * self.true(built)  # off by a factor, but in order

        def measure(self, built: Built, samples: int) -> list[float] | Refusal:
            self.measured.append(built.candidate.id)
            return super().measure(built, samples)

    bench = Looking(LANDSCAPE, tmp_path, 1)
    found = run(tmp_path, bench, Budget(seconds=1e6, builds=80, patience=1000))
    why = {one.proposal.id: one.refusal.why for one in found.trials if one.refusal}
    assert {"symbols", "foreseen"} <= set(why.values())
    assert not set(why) & set(bench.measured)
    slow = [one.proposal.genome for one in found.trials if one.refusal and one.refusal.why == "foreseen"]
    assert min(genome_ns(LANDSCAPE, one) for one in slow) > 1.5 * LANDSCAPE.best_ns


@pytest.mark.parametrize("samples", [[], [float("nan")], [-1.0], [0.0], [float("inf")]])
def test_samples_that_are_no_times_are_a_refusal(samples: list[float], tmp_path: Path) -> None:
    class Odd(Bench):
        def measure(self, built: Built, samples_wanted: int) -> list[float]:
            return samples * samples_wanted

    found = run(tmp_path, Odd(LANDSCAPE, tmp_path, 1), Budget(seconds=1e6, builds=6))
    assert found.best is None
    assert {one.refusal.why for one in found.trials if one.refusal} == {"timing"}


def test_a_search_that_was_cut_off_anywhere_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", Bench(NOISY, _made(tmp_path / "whole"), 1))
    lines = lines_of(tmp_path / "whole")
    for cut in range(1, len(lines), 29):
        folder = _made(tmp_path / f"cut{cut}")
        (folder / "search").mkdir()
        # Half of the next line was written when the power went.
        (folder / "search" / FILE).write_text("".join(lines[:cut]) + lines[cut][: len(lines[cut]) // 2])
        bench = Bench(NOISY, tmp_path / "whole", 99)
        found = run(folder, bench, seed=5)
        kept = [json.loads(one) for one in lines[1:cut]]
        measured = {one["of"]: [] for one in kept if one["ask"] == "measure"}
        for one in kept:
            if one["ask"] == "measure":
                measured[one["of"]] += one["ns"]
        samples = {one.proposal.id: list(one.samples) for one in found.trials}
        assert all(samples[name][: len(ns)] == ns for name, ns in measured.items()), cut
        assert not {one["of"] for one in kept if one["ask"] == "build"} & set(bench.built), cut
        same = [one["of"] for one in kept if one["ask"] == "build"]
        assert [one.proposal.id for one in found.trials][: len(same)] == same
    again = run(tmp_path / "whole", Bench(NOISY, tmp_path / "whole", 99))
    assert told(again) == told(whole)


def test_a_search_that_ended_is_not_done_again(tmp_path: Path) -> None:
    first = run(tmp_path)
    before = lines_of(tmp_path)
    bench = Bench(LANDSCAPE, tmp_path, 7)
    again = run(tmp_path, bench)
    assert (bench.built, bench.samples, bench.judged) == ([], 0, [])
    assert lines_of(tmp_path) == before
    assert (told(again), again.best, again.beats) == (told(first), first.best, first.beats)


def test_more_budget_goes_on_from_there(tmp_path: Path) -> None:
    first = run(tmp_path, budget=Budget(seconds=1e6, builds=20, patience=1000))
    bench = Bench(LANDSCAPE, tmp_path, 7)
    more = run(tmp_path, bench, Budget(seconds=1e6, builds=40, patience=1000))
    ids = [one.proposal.id for one in more.trials]
    assert len(ids) == 40
    assert set(ids) >= {one.proposal.id for one in first.trials}
    assert len(bench.built) == 20
    assert more.seconds > first.seconds


@pytest.mark.parametrize("harm", ["changed", "gone"])
def test_a_library_that_is_no_longer_what_was_built_is_built_anew(harm: str, tmp_path: Path) -> None:
    run(tmp_path, budget=Budget(seconds=1e6, builds=10, patience=1000))
    for library in tmp_path.glob("*.so"):
        library.unlink() if harm == "gone" else library.write_text("something else")
    touched: list[str] = []

    class Careful(Bench):
        def measure(self, built: Built, samples: int) -> list[float] | Refusal:
            assert built.library.read_text() == built.candidate.id
            touched.append(built.candidate.id)
            return super().measure(built, samples)

    bench = Careful(LANDSCAPE, tmp_path, 7)
    found = run(tmp_path, bench, Budget(seconds=1e6, builds=30, patience=1000))
    known = {json.loads(one)["of"] for one in lines_of(tmp_path)[1:]}
    assert found.best is not None
    assert set(touched) <= set(bench.built) <= known
    assert len(bench.built) == len(set(bench.built))


def test_what_an_earlier_run_measured_counts_even_where_this_one_would_not_ask(tmp_path: Path) -> None:
    run(tmp_path, budget=Budget(seconds=1e6, builds=20, patience=1000))
    advice = Advice(winners=({**space().default, "lanes": 16, "rows": 2},))
    bench = Bench(LANDSCAPE, tmp_path, 7)
    other = run(tmp_path, bench, Budget(seconds=1e6, builds=30, patience=1000), advice=advice)
    earlier = [json.loads(one) for one in lines_of(tmp_path)[1:]]
    assert {one["of"] for one in earlier if one["ask"] == "build"} == {one.proposal.id for one in other.trials}
    assert max(Counter(one["of"] for one in earlier if one["ask"] == "build").values()) == 1


def test_a_damaged_line_is_asked_again(tmp_path: Path) -> None:
    whole = run(tmp_path)
    lines = lines_of(tmp_path)
    lines[9] = "{half" + lines[9][20:]
    (tmp_path / "search" / FILE).write_text("".join(lines))
    again = run(tmp_path, Bench(LANDSCAPE, tmp_path, 7))
    assert {one.proposal.id for one in again.trials} >= {one.proposal.id for one in whole.trials[:2]}
    assert again.best is not None


def test_the_folder_of_another_search_is_refused(tmp_path: Path) -> None:
    run(tmp_path, budget=Budget(seconds=1e6, builds=4))
    other = Space("other", space().knobs)
    with pytest.raises(SearchElsewhere) as refused:
        search(other, Bench(LANDSCAPE, tmp_path, 1), tmp_path / "search", budget=LONG, seed=1)
    assert refused.value.code == "search.other"
    journal = Journal(tmp_path / "search", space(), 1)
    try:
        with pytest.raises(SearchElsewhere) as running:
            run(tmp_path)
        assert running.value.code == "search.running"
    finally:
        journal.close()


class Thinks:
    """An author that says what it is given, once."""

    name = "thinks"

    def __init__(self, said: Sequence[Genome | str], error: KernelsError | None = None) -> None:
        self._said, self._error, self.asked = said, error, 0

    def propose(self, brief: Brief) -> Sequence[Genome | str]:
        self.asked += 1
        assert brief.space == space()
        assert brief.tried
        if self._error:
            raise self._error
        said, self._said = self._said, ()
        return said


def test_an_author_is_heard_validated_and_credited(tmp_path: Path) -> None:
    best = min(LANDSCAPE.times, key=LANDSCAPE.times.__getitem__)
    genome = {one.name: one.choices[index] for one, index in zip(space().knobs, best, strict=True)}
    author = Thinks([{"lanes": 77}, "no kernel at all", genome])
    events: list[Progress] = []
    found = run(tmp_path, authors=[author], budget=Budget(seconds=1e6, builds=60, patience=1000), watch=events.append)
    assert found.best is not None
    assert dict(found.best.candidate.genome) == genome
    share = found.shares["author:thinks"]
    assert (share.bests, found.best.candidate.made_by) == (1, "author:thinks")
    refused = [one.said for one in events if one.event is Event.REJECTED and one.made_by == "author:thinks"]
    assert len(refused) == 2
    again = Thinks([])
    assert told(run(tmp_path, authors=[again], budget=Budget(seconds=1e6, builds=60, patience=1000))) == told(found)
    assert again.asked == 0  # what it said is in the journal


def test_an_author_that_cannot_answer_stops_nothing(tmp_path: Path) -> None:
    author = Thinks([], KernelsError("author.down", "no model answers"))
    found = run(tmp_path, authors=[author])
    assert found.best is not None
    assert author.asked == 1


def test_free_source_goes_the_same_way(tmp_path: Path) -> None:
    text = "#include <cmath>\nextern int steward_kernel();\n"

    class Both(Bench):
        def build(self, proposal: Proposal) -> Built | Refusal:
            if proposal.source is None:
                return super().build(proposal)
            self.sources.append(proposal.source)
            made = super().build(Proposal(space().default))
            assert isinstance(made, Built)
            library = tmp_path / "free.so"
            library.write_text("free")
            from dataclasses import replace
            from hashlib import sha256

            candidate = replace(made.candidate, id=proposal.id, source=proposal.source, genome={})
            return replace(made, candidate=candidate, library=library, sha256=sha256(b"free").hexdigest())

        def measure(self, built: Built, samples: int) -> list[float] | Refusal:
            return [BASE_NS / 1e3] * samples if built.candidate.source else super().measure(built, samples)

        def true(self, built: Built) -> float:
            return BASE_NS / 1e3 if built.candidate.source else super().true(built)

        sources: list[str] = []  # noqa: RUF012

    found = run(tmp_path, Both(LANDSCAPE, tmp_path, 1), authors=[Thinks([text])])
    assert found.best is not None
    assert found.best.candidate.source == text
    assert Both.sources == [text]


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder
