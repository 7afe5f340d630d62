"""Whether knowledge transfers between problems, on rows that were measured: python -m tests.proofs.transfers [TURNS]

Rows: eight programs of the C++ family at three sizes, 56 genomes each (tests/gpu_skills/knowledge/rows.jsonl.gz, made
by ``knowledge_rows``). One problem at a time is new; what is known is the rows of other programs (one op left out) or
of other sizes too (one shape left out). Counted is how many of its genomes are measured until one is within 5 % of the
fastest of the 56: by chance; by the search that knows nothing, from the default of the space; by the search that begins
with past winners and draws around the cost model. Ratios are geometric means with intervals that resample whole ops.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gpu_skills.building import this_machine
from gpu_skills.cpp import space_of
from gpu_skills.knowledge import Advice, Features, Row
from gpu_skills.knowledge.foreseeing import foresight, spearman
from gpu_skills.knowledge.lines import read
from gpu_skills.knowledge.nearness import neighbours
from gpu_skills.search.grid import Grid
from gpu_skills.search.standing import Seen
from gpu_skills.search.thompson import Thompson
from tests.proofs.knowledge_rows import OPS

ROWS = Path(__file__).parents[1] / "gpu_skills" / "knowledge" / "rows.jsonl.gz"
NEAR, WINNERS, START = 1.05, 3, 4
Known = Callable[[Features, Features], bool]


def rows_measured() -> list[Row]:
    """Return the rows."""
    with gzip.open(ROWS, "rt", encoding="utf-8") as file:
        return [_whole(one) for one in read(file)]


def _whole(row: Row) -> Row:
    """Return a row with the choice that came later: what has several passes was measured without it."""
    return replace(row, genome={**row.genome, "ahead": False}) if "keep" in row.genome else row


def op_of(features: Features) -> str:
    """Return the program of a problem."""
    return features.problem.split()[0]


def op_left_out(new: Features, other: Features) -> bool:
    """Tell whether rows may be known: of other programs alone."""
    return op_of(new) != op_of(other)


def shape_left_out(new: Features, other: Features) -> bool:
    """Tell whether rows may be known: of other problems."""
    return new != other


def advice_for(new: Features, rows: Sequence[Row], known: Known) -> Advice:
    """Return what the rows that may be known say."""
    near = neighbours(new, [one for one in rows if known(new, one.features)])
    winners = [one.winner.genome for one in near if one.winner is not None]
    return Advice(tuple(winners[:WINNERS]), foresight(new, [row for one in near for row in one.rows]))


def measured_until(mine: Sequence[Row], advice: Advice | None, seed: int) -> int:
    """Return how many of a problem's genomes the search measures until one is within 5 % of the fastest."""
    grid = Grid(space_of(OPS[op_of(mine[0].features)](8, 64).program, this_machine()))
    rows = np.array([grid.row(one.genome) for one in mine])
    times = np.array([one.best_ns or np.inf for one in mine])
    chance, left, done = np.random.default_rng([seed, 3]), list(range(len(mine))), list[int]()
    model = Thompson(advice.foresee if advice else None)
    first = [
        index for one in ((*advice.winners,) if advice else ()) for index in left if dict(mine[index].genome) == one
    ]
    default = {name: False if name == "ahead" else value for name, value in grid.space.default.items()}
    first += [index for index in left if dict(mine[index].genome) == default]
    while True:
        if first:
            index = first.pop(0)
        elif len(done) < START and advice is None:
            index = int(chance.choice(left))
        elif len(done) < 2 and advice is not None and advice.foresee is not None:
            index = left[int(np.argmin(advice.foresee([mine[one].genome for one in left])))]
        else:
            seen = Seen(rows[done], np.log(times[done]), np.full(len(done), 9), rows[:0])
            row = model.chosen(grid, seen, rows[left], chance)
            index = next(one for one in left if (rows[one] == row).all())
        if index not in left:
            continue
        left.remove(index)
        done.append(index)
        if times[index] <= NEAR * times.min():
            return len(done)


def by_chance(mine: Sequence[Row]) -> float:
    """Return how many are measured by chance, on average."""
    times = np.array([one.best_ns or np.inf for one in mine])
    return (len(times) + 1) / (int((times <= NEAR * times.min()).sum()) + 1)


def ratio(ops: Sequence[str], more: Sequence[float], fewer: Sequence[float]) -> tuple[float, float, float]:
    """Return the geometric mean of ``more`` over ``fewer``, and its 95 % interval over ops."""
    logs = np.log(np.array(more)) - np.log(np.array(fewer))
    by_op = np.array(
        [logs[[index for index, each in enumerate(ops) if each == op]].mean() for op in dict.fromkeys(ops)]
    )
    chance = np.random.default_rng(1)
    drawn = by_op[chance.integers(0, len(by_op), (4000, len(by_op)))].mean(axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(np.exp(by_op.mean())), float(np.exp(low)), float(np.exp(high))


def main(turns: int) -> None:
    """Print what is known and what it is worth."""
    rows = rows_measured()
    problems = {of: [one for one in rows if one.features == of] for of in dict.fromkeys(one.features for one in rows)}
    cold = {of: np.mean([measured_until(mine, None, seed) for seed in range(turns)]) for of, mine in problems.items()}
    for known in (op_left_out, shape_left_out):
        warm, ranks = [], []
        for of, mine in problems.items():
            advice = advice_for(of, rows, known)
            assert advice.foresee is not None
            ranks.append(spearman(advice.foresee([one.genome for one in mine]), [one.best_ns or 0 for one in mine]))
            warm.append(float(np.mean([measured_until(mine, advice, seed) for seed in range(turns)])))
        ops = [op_of(of) for of in problems]
        chance = [by_chance(mine) for mine in problems.values()]
        print(f"{known.__name__}: rank correlation {np.mean(ranks):.2f} ({min(ranks):.2f} to {max(ranks):.2f})")
        for name, other in (("by chance", chance), ("knowing nothing", list(cold.values()))):
            times = "{:.2f} times ({:.2f} to {:.2f})".format(*ratio(ops, other, warm))
            print(f"  {name} {np.mean(other):.1f}, knowing {np.mean(warm):.1f}: {times}")
        helped = sum(one <= other for one, other in zip(warm, cold.values(), strict=True))
        print(f"  no worse than knowing nothing on {helped} of {len(problems)} problems", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
