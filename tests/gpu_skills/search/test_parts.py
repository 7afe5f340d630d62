"""The parts of the search: rows, Sobol points, models, cells, shares, what an author may say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_skills.knowledge import Advice
from gpu_skills.model import Knob, Space
from gpu_skills.search import Proposal, Refusal
from gpu_skills.search.authoring import validated
from gpu_skills.search.bandit import Bandit
from gpu_skills.search.evolution import Evolution, archive, cell_of
from gpu_skills.search.grid import Grid
from gpu_skills.search.likeness import fitted
from gpu_skills.search.parzen import Parzen
from gpu_skills.search.sobol import sobol
from gpu_skills.search.standing import Standing, quantile
from gpu_skills.search.starting import Even, Known
from gpu_skills.search.thompson import Thompson
from tests.gpu_skills.search.landscapes import GRID, space

WIDE = Space("wide", tuple(Knob(f"k{index}", (1, 2, 3, 4, 5), 1, "") for index in range(14)), ({"k0": 1, "k1": 2},))


def chance(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def standing_with(count: int, seed: int = 1) -> Standing:
    """Return a standing in which the fastest have 16 lanes and no prefetch; every fifth genome failed."""
    found = Standing(GRID)
    for index, row in enumerate(found.fresh(GRID.drawn(chance(seed), count))):
        entry = found.add(Proposal(GRID.genome(row)))
        entry.samples = [1000.0 + 400 * (entry.proposal.genome["lanes"] != 16) + 100 * int(row[4])]
        entry.refusal = Refusal("build") if index % 5 == 4 else None
    return found


@pytest.mark.parametrize("grid", [GRID, Grid(WIDE)], ids=["listed", "too many to list"])
def test_genomes_and_rows_are_each_others_and_none_is_excluded(grid: Grid) -> None:
    rows = grid.drawn(chance(), 300)
    assert len(rows) == 300
    for row in rows:
        assert grid.space.has(grid.genome(row))
        assert (grid.row(grid.genome(row)) == row).all()
    beside = grid.beside(rows[0])
    assert ((beside != rows[0]).sum(axis=1) == 1).all()
    assert all(grid.space.has(grid.genome(one)) for one in beside)


def test_a_choice_of_true_is_not_the_choice_of_one() -> None:
    grid = Grid(Space("s", (Knob("k", (1, True, 2), 1, ""),)))
    assert [int(grid.row({"k": one})[0]) for one in (1, True, 2)] == [0, 1, 2]
    assert not grid.ordered[0]


def test_everything_that_is_not_excluded_is_listed_once() -> None:
    assert GRID.listed is not None
    assert len(GRID.listed) == 15552 == len(np.unique(GRID.listed, axis=0))
    assert Grid(WIDE).listed is None


@pytest.mark.parametrize("power", [3, 5, 7])
def test_every_dimension_of_sobol_points_is_stratified(power: int) -> None:
    points = sobol(1 << power, 30, chance())
    assert points.shape == (1 << power, 30)
    assert ((points >= 0) & (points < 1)).all()
    for column in points.T:
        assert sorted((column * (1 << power)).astype(int)) == list(range(1 << power))


def test_the_first_pairs_of_dimensions_are_stratified_together() -> None:
    cells = (sobol(16, 2, chance()) * 4).astype(int)
    assert len({tuple(one) for one in cells}) == 16  # a (0, 4, 2)-net in base 2


@given(st.lists(st.floats(1, 1e6), min_size=1, max_size=30), st.floats(0, 1))
def test_a_quantile_is_numpys(samples: list[float], share: float) -> None:
    assert quantile(samples, share) == pytest.approx(float(np.quantile(samples, share)))


@pytest.mark.parametrize("make", [Even, Thompson, Parzen, Evolution], ids=lambda one: one.name)
def test_a_proposer_proposes_what_is_allowed_and_new(make: type[Even | Thompson | Parzen | Evolution]) -> None:
    standing, proposer = standing_with(40), make()
    for index in range(30):
        proposal = proposer.propose(standing, chance(index))
        assert proposal is not None
        assert space().has(proposal.genome)
        assert proposal.id not in standing.entries
        standing.add(proposal).samples = [1500.0]


@pytest.mark.parametrize("make", [Thompson, Parzen, Evolution], ids=lambda one: one.name)
def test_a_model_proposes_more_of_what_was_fast(make: type[Thompson | Parzen | Evolution]) -> None:
    proposals = [make().propose(standing_with(60, seed), chance(seed)) for seed in range(30)]
    fast = [one for one in proposals if one is not None and one.genome["lanes"] == 16]
    assert len(fast) >= 18  # by chance it would be ten


def test_what_nothing_is_known_of_is_left_to_the_start() -> None:
    empty = Standing(GRID)
    assert all(one.propose(empty, chance()) is None for one in (Thompson(), Parzen(), Evolution(), Known(Advice())))
    first = Even().propose(empty, chance())
    assert first is not None
    assert first.genome == space().default


def test_the_start_ends_when_every_genome_was_tried() -> None:
    grid = Grid(Space("small", (Knob("a", (1, 2, 3), 1, ""), Knob("b", (False, True), False, ""))))
    standing, even = Standing(grid), Even()
    for _ in range(6):
        proposal = even.propose(standing, chance())
        assert proposal is not None
        standing.add(proposal)
    assert even.propose(standing, chance()) is None
    assert standing.exhausted


def test_past_winners_come_first_and_those_of_another_space_not_at_all() -> None:
    winner = {**space().default, "lanes": 16}
    known = Known(Advice(winners=({"lanes": 3}, {**winner, "new": 1}, winner)))
    assert known.eager
    proposal = known.propose(Standing(GRID), chance())
    assert proposal is not None
    assert proposal.genome == winner
    assert not known.eager


def test_a_cost_model_orders_what_is_proposed() -> None:
    advice = Advice(foresee=lambda genomes: [float(one["prefetch"]) - (one["lanes"] == 8) for one in genomes])
    proposal = Known(advice).propose(standing_with(5), chance())
    assert proposal is not None
    assert (proposal.genome["prefetch"], proposal.genome["lanes"]) == (0, 8)


def test_a_likeness_says_what_it_saw_and_doubts_what_it_did_not() -> None:
    rows = np.unique(GRID.drawn(chance(), 60), axis=0)
    values = rows[:, 1] * 1.0 + rows[:, 0]
    fit = fitted(GRID, rows, values, np.full(len(rows), 25))
    mean, covariance = fit.predicted(rows)
    assert np.abs(mean - values).max() < 0.3
    other = GRID.drawn(chance(2), 200)
    foreseen, doubt = fit.predicted(other)
    assert np.corrcoef(foreseen, other[:, 1] + other[:, 0])[0, 1] > 0.9
    assert np.diag(doubt).mean() > 2 * np.diag(covariance).mean()


def test_every_cell_keeps_its_fastest() -> None:
    standing = standing_with(80)
    elites = archive(standing)
    assert len(elites) > 5
    for one in standing.alive():
        assert one.row is not None
        assert (elites[cell_of(GRID, one.row)].ns or 0) <= (one.ns or 0)


def test_who_brings_more_a_second_is_asked_more_and_nobody_is_starved_wholly() -> None:
    bandit = Bandit({"good": 1.0, "slow": 1.0, "idle": 1.0})
    for _ in range(60):
        bandit.credit("good", 0.1, 1.0)
        bandit.credit("slow", 0.1, 20.0)
        bandit.credit("idle", 0.0, 1.0)
    shares = bandit.shares(["good", "slow", "idle"])
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["good"] > 0.7
    assert 0.04 <= shares["idle"] < 0.15
    assert 0.04 <= shares["slow"] < 0.2
    drawn = [bandit.order(chance(one))[0] for one in range(400)]
    assert drawn.count("good") > 250
    assert drawn.count("idle") >= 4


SOURCE = '#include <cmath>\n#include "x.h"\nextern "C" int steward_kernel() { return 0; }\n'
FINE = "#include <immintrin.h>\n#define TWICE(x) ((x) + (x))\nextern int steward_kernel();\n"


@pytest.mark.parametrize(
    "said",
    [
        SOURCE,
        "int other() { return 0; }",
        FINE + '/* */ # /* */ include "/etc/passwd"',
        FINE + '# inc\\\nlude "/etc/passwd"',
        FINE + 'const char *a = "/*";\n#include </etc/passwd>\nconst char *b = "*/";',
        FINE + '%:include "/etc/passwd"',
        FINE + "#define WHICH </etc/passwd>\n#include WHICH",
        FINE + "#include_next <cmath>",
        FINE + '#embed "/etc/passwd"',
        FINE + 'void f() { __asm__(".incbin \\"/etc/passwd\\""); }',
        FINE + "#define GLUE(a, b) a##b\nvoid f() { GLUE(as, m)(\"nop\"); }",
        FINE + '__attribute__((section(".text\\n.incbin 1"))) int x;',
        FINE + '#if __has_include("/etc/shadow")\n#endif',
        FINE + "\0",
        "x" * 200_001 + FINE,
        {"lanes": 8},
        {**space().default, "lanes": 7},
        {**space().default, "threads": 0},
        None,
        7,
    ],
)  # fmt: skip
def test_what_is_no_genome_and_no_kernel_is_refused_with_a_reason(said: object) -> None:
    found = validated(said, space(), "author:x")
    assert isinstance(found, Refusal)
    assert found.why == "author"
    assert found.said


@pytest.mark.parametrize("said", [FINE, space().default, {**space().default, "threads": True}])
def test_a_genome_and_a_kernel_are_taken(said: object) -> None:
    found = validated(said, space(), "author:x")
    assert isinstance(found, Proposal)
    assert found.made_by == "author:x"
