"""What is known: kept and found again, near before far, GPUs apart, forgotten for good, and worth something."""

from __future__ import annotations

import gzip
import json
import sqlite3
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_skills.building import Machine
from gpu_skills.errors import NothingKnown
from gpu_skills.knowledge import Device, Features, Knowledge, Row, features_of
from gpu_skills.knowledge.foreseeing import foresight, rank_correlation, spearman
from gpu_skills.knowledge.lines import read, written
from gpu_skills.knowledge.nearness import distance, neighbours
from tests.gpu_skills import programs as of

MACHINE = Machine("a processor", 8, frozenset({"avx2", "fma"}), 1 << 20, 32 << 20)
OTHER = Machine("another", 4, frozenset({"avx512f", "avx2"}), 2 << 20, 16 << 20)
SOFTMAX = features_of(of.softmax(512, 4096).program, "softmax 512x4096", "c++", MACHINE)
NORM = features_of(of.rmsnorm(512, 4096).program, "rmsnorm 512x4096", "c++", MACHINE)


def rows_for(features: Features, fastest: int = 8, count: int = 24) -> list[Row]:
    """Return rows in which ``fastest`` lanes, then much unrolling, are fast, and every eighth genome is refused."""
    genomes = [{"lanes": lanes, "unroll": unroll, "keep": keep, "fast": fast} for lanes in (4, 8, 16)
               for unroll in (1, 2, 4, 8) for keep in ("none", "all") for fast in (True, False)]  # fmt: skip
    return [
        Row(features, genome, 1000.0 * (1 + (genome["lanes"] != fastest) + 0.1 / int(genome["unroll"]) + index / 1e4),
            1100.0, 25, (("spills", 3.0),), "errors" if index % 8 == 7 else "", "tpe", ("a", "b"), "g++ 12", "1")
        for index, genome in enumerate(genomes[:: max(1, len(genomes) // count)])
    ]  # fmt: skip


@pytest.fixture
def known(tmp_path: Path) -> Knowledge:
    return Knowledge(tmp_path / "known" / "kernels.db")


def test_what_is_learned_is_there_when_the_file_is_opened_again(known: Knowledge) -> None:
    rows = rows_for(SOFTMAX) + rows_for(NORM, fastest=4)
    assert known.learn(rows) == len(rows)
    known.close()
    with Knowledge(known.place) as again:
        found = again.rows()
        assert len(found) == len(rows)
        assert all(one in found for one in rows)
        assert again.set_aside == ""
        again.learn([replace(rows[0], best_ns=7.0)])
        assert len(again.rows()) == len(rows)
        assert min(one.best_ns or 0 for one in again.rows()) == 7.0


def test_two_who_have_it_open_both_learn(known: Knowledge) -> None:
    with Knowledge(known.place) as other:
        known.learn(rows_for(SOFTMAX))
        other.learn(rows_for(NORM))
        assert len(known.rows()) == len(other.rows()) == len(rows_for(SOFTMAX)) + len(rows_for(NORM))


def test_rows_are_learned_all_or_none(known: Knowledge) -> None:
    rows = rows_for(SOFTMAX)
    with pytest.raises((TypeError, sqlite3.Error)):
        known.learn([*rows, replace(rows[0], samples=None)])  # type: ignore[arg-type]
    assert known.rows() == []


def test_the_winner_of_the_nearest_comes_first(known: Knowledge) -> None:
    known.learn(rows_for(SOFTMAX, fastest=16) + rows_for(NORM, fastest=4))
    near = features_of(of.softmax(512, 2048).program, "softmax 512x2048", "c++", MACHINE)
    advice = known.advice(near)
    assert advice.winners[0]["lanes"] == 16
    assert advice.foresee is not None
    base = {"unroll": 8, "keep": "all", "fast": True}
    fast, slow = advice.foresee([{**base, "lanes": 16}, {**base, "lanes": 8}])
    assert fast < slow
    assert known.advice(replace(NORM, problem="another norm")).winners[0]["lanes"] == 4


def test_what_was_refused_never_wins(known: Knowledge) -> None:
    rows = rows_for(SOFTMAX)
    fastest = min(rows, key=lambda one: one.best_ns or 0)
    known.learn([replace(one, verdict="determinism") if one is fastest else one for one in rows])
    assert fastest.genome not in known.advice(NORM).winners


def test_gpus_and_other_families_say_nothing(known: Knowledge) -> None:
    known.learn(rows_for(replace(SOFTMAX, device=Device.GPU)) + rows_for(replace(SOFTMAX, family="triton")))
    assert known.advice(SOFTMAX).winners == ()
    assert known.advice(SOFTMAX).foresee is None
    assert known.rank_correlation(SOFTMAX) is None


def test_of_another_processor_the_order_counts_and_not_the_times() -> None:
    there = features_of(of.softmax(512, 4096).program, "softmax 512x4096", "c++", OTHER)
    rows = [replace(one, verdict="", best_ns=(one.best_ns or 0) ** 3) for one in rows_for(there)]
    (found,) = neighbours(SOFTMAX, rows)
    same = neighbours(there, rows)[0]
    assert found.distance > same.distance == 0
    order = sorted(range(len(rows)), key=found.worth.__getitem__)
    assert order == sorted(range(len(rows)), key=same.worth.__getitem__)
    gaps = [found.worth[b] - found.worth[a] for a, b in pairwise(order)]
    real = [same.worth[b] - same.worth[a] for a, b in pairwise(order)]
    assert max(gaps) < max(real) / 2  # a gap in times is no gap in ranks


@given(st.lists(st.floats(-4, 4), min_size=2, max_size=2))
def test_distance_is_the_same_both_ways_and_grows(moves: list[float]) -> None:
    one = replace(SOFTMAX, log_row=10 + moves[0])
    other = replace(SOFTMAX, log_row=10 + moves[1])
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) or 0.0) == pytest.approx(abs(moves[0] - moves[1]) / 3.0)


def test_features_tell_programs_apart() -> None:
    softmax, total, product = SOFTMAX, of.reduce_sum(512, 4096), of.matmul_bias_relu(64, 48, 80)
    assert (softmax.folds, softmax.transcendental > 0, softmax.products) == (2, True, 0)
    assert softmax.log_row == 12
    assert features_of(product.program, "p", "c++", MACHINE).products == 1
    reduced = features_of(total.program, "r", "c++", MACHINE)
    assert (reduced.products, reduced.transcendental) == (0, 0)
    assert features_of(of.silu_mul(8, 64).program, "s", "c++", MACHINE).log_row == 0
    assert dict(softmax.hardware) == {"cores": 8.0, "l2": 20.0, "last cache": 25.0, "vector": 8.0}


def test_what_is_forgotten_is_gone_from_the_disk(known: Knowledge) -> None:
    secret = replace(SOFTMAX, problem="salaries of the board")
    known.learn([*rows_for(secret), *rows_for(NORM)])
    assert known.forget(secret.problem) == len(rows_for(secret))
    assert {one.features.problem for one in known.rows()} == {NORM.problem}
    assert known.forget(secret.problem) == 0
    known.close()
    assert not any(b"salaries" in one.read_bytes() for one in known.place.parent.iterdir())


def test_lines_are_the_rows_again(known: Knowledge, tmp_path: Path) -> None:
    rows = rows_for(SOFTMAX) + rows_for(NORM)
    known.learn(rows)
    assert known.export(tmp_path / "out.jsonl") == len(rows)
    with Knowledge(tmp_path / "other.db") as other:
        assert other.take_in(tmp_path / "out.jsonl") == len(rows)
        assert other.rows() == known.rows()


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told | {"best_ns": -1.0},
        lambda told: told | {"best_ns": float("nan")},
        lambda told: told | {"more": 1},
        lambda told: told | {"genome": {"lanes": [1]}},
        lambda told: told | {"features": told["features"] | {"device": "abacus"}},
        lambda told: {name: value for name, value in told.items() if name != "verdict"},
        lambda told: [told],
        lambda told: "half",
        lambda told: told | {"samples": float("inf")},
        lambda told: told | {"samples": 1 << 70},
        lambda told: told | {"samples": -1},
        lambda told: told | {"features": told["features"] | {"folds": float("inf")}},
    ],
)  # fmt: skip
def test_a_line_that_is_no_row_is_refused_with_its_number_and_nothing_is_taken_in(
    change: object, known: Knowledge, tmp_path: Path
) -> None:
    lines = list(written(rows_for(SOFTMAX)))
    lines[2] = json.dumps(change(json.loads(lines[2])))  # type: ignore[operator]
    place = tmp_path / "in.jsonl"
    place.write_text("\n".join(lines))
    with pytest.raises(NothingKnown, match="Line 3"):
        known.take_in(place)
    assert known.rows() == []


def test_a_file_that_cannot_be_taken_in_is_refused(
    known: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (line, *_) = written(rows_for(SOFTMAX))
    monkeypatch.setattr("gpu_skills.knowledge.keeping._MOST_BYTES", 100_000)
    made = {
        "deep": "[" * 99_000,
        "large": f"{line}\n" * 1000,
        "bytes": "\udcff",
        "half": line.replace("g++", "\\ud800"),
    }
    for name, text in made.items():
        (tmp_path / name).write_text(text, errors="surrogateescape")
    for name in (*made, "none", "."):
        with pytest.raises(NothingKnown):
            known.take_in(tmp_path / name)
    assert known.rows() == []


@pytest.mark.parametrize("harm", ["noise", "middle", "version"])
def test_a_file_that_is_no_good_is_set_aside_and_a_new_one_begun(harm: str, known: Knowledge) -> None:
    known.learn(rows_for(SOFTMAX))
    known.close()
    data = bytearray(known.place.read_bytes())
    if harm == "version":
        base = sqlite3.connect(known.place)
        base.execute("PRAGMA user_version = 99")
        base.close()
    else:
        data[(4096 if harm == "middle" else 0) : 9000] = b"\xff" * (9000 - (4096 if harm == "middle" else 0))
        known.place.write_bytes(data)
    before = known.place.read_bytes()
    with Knowledge(known.place) as again:
        assert again.rows() == []
        assert again.learn(rows_for(NORM))
        (aside,) = known.place.parent.glob("*.aside")
        assert aside.name in again.set_aside
        assert aside.read_bytes() == before
    with Knowledge(known.place) as third:
        assert third.set_aside == ""
        assert len(third.rows()) == len(rows_for(NORM))


def test_rank_correlation_is_spearmans() -> None:
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert spearman([1, 2, 2, 3], [1, 3, 2, 4]) == pytest.approx(0.9486833)  # scipy.stats.spearmanr
    assert spearman([1, 1, 1], [1, 2, 3]) != spearman([1, 1, 1], [1, 2, 3])


def measured() -> list[Row]:
    with gzip.open(Path(__file__).parent / "rows.jsonl.gz", "rt", encoding="utf-8") as file:
        return list(read(file))


def test_measured_rows_of_other_programs_and_sizes_order_those_of_a_new_one() -> None:
    rows = measured()
    problems = list(dict.fromkeys(one.features for one in rows))
    assert len(problems) == 24
    few = problems[1::3]  # every program at one size
    other_problems = rank_correlation([one for one in rows if one.features in few])
    assert other_problems is not None
    assert other_problems > 0.45
    ranks = []
    for new in few:
        op = new.problem.split()[0]
        model = foresight(new, [one for one in rows if one.features.problem.split()[0] != op])
        mine = [one for one in rows if one.features == new]
        assert model is not None
        ranks.append(spearman(model([one.genome for one in mine]), [one.best_ns or 0 for one in mine]))
    assert sum(ranks) / len(ranks) > 0.45


def test_of_measured_rows_the_file_gives_the_same_advice_again(tmp_path: Path) -> None:
    rows = measured()
    new = next(one.features for one in rows if one.features.problem == "softmax 512x4096")
    with Knowledge(tmp_path / "known.db") as known:
        known.learn(one for one in rows if one.features != new)
        advice = known.advice(new)
    mine = [one for one in rows if one.features == new]
    assert advice.foresee is not None
    assert len(advice.winners) == 3
    foreseen = advice.foresee([one.genome for one in mine])
    best = sorted(zip(foreseen, (one.best_ns or 0 for one in mine), strict=True))[:5]
    fastest, middle = min(one.best_ns or 0 for one in mine), sorted(one.best_ns or 0 for one in mine)[len(mine) // 2]
    assert min(one[1] for one in best) < fastest + 0.1 * (middle - fastest)
