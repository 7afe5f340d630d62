"""The figures of bench-kernels and bench-kernelbench: wins, samples and rows are counted as the page says."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gpu_skills.graph import Apply, Fn, Number, Sweep
from gpu_skills.judge import Race
from gpu_skills.judge.model import Ratio
from gpu_skills.output import Applied
from gpu_skills.output.applying import UNLIKE
from gpu_skills.search import Progress
from gpu_skills.search.model import Event
from tests.benchmarks import kernelbench, kernels, kernels_random
from tests.benchmarks.kernelbench import Tried
from tests.benchmarks.kernels import Came, Effort, Watched
from tests.benchmarks.machine import result
from tests.gpu_skills.random_programs import random_program
from tests.gpu_skills.running import needs_compiler


def measured(at: float, name: str, ns: float, samples: int, event: Event = Event.MEASURED) -> tuple[float, Progress]:
    return at, Progress(event, at, id=name, ns=ns, samples=samples)


def watched(*told: tuple[float, Progress]) -> Watched:
    return Watched(0.0, list(told))


def test_a_first_win_is_accepted_and_faster_than_eager() -> None:
    found = watched(measured(1.0, "a", 90, 5), measured(2.0, "a", 90, 5, Event.JUDGED), measured(3.0, "b", 40, 5),
                    measured(4.0, "b", 40, 5, Event.REJECTED), measured(5.0, "c", 60, 1),
                    measured(6.0, "c", 60, 5, Event.JUDGED), measured(7.0, "a", 70, 25))  # fmt: skip
    assert found.first_win_s(100.0) == 2.0
    assert found.first_win_s(80.0) == 6.0  # b is faster sooner, and was never accepted
    assert found.first_win_s(50.0) is None


def test_samples_are_counted_until_a_candidate_that_is_as_good_in_the_end() -> None:
    found = watched(measured(1.0, "a", 50, 1), measured(2.0, "a", 100, 5), measured(3.0, "b", 80, 1),
                    measured(4.0, "b", 82, 5), measured(5.0, "c", 60, 1))  # fmt: skip
    assert found.best_ns() == 82  # one sample is not enough, and the lucky one of "a" did not last
    assert found.effort(85.0) == Effort(6, 0, True)
    assert found.effort(10.0) == Effort(11, 0, False)


RATIOS = (Ratio("eager", 2.0, 1.9, 2.1, 2.0), Ratio("torch.compile", 1.5, 1.4, 1.6, 1.5))
RACE = Race(("k", "eager", "torch.compile"), RATIOS,
            {"k": (10.0,) * 6, "eager": (20.0,) * 6, "torch.compile": (15.0,) * 6}, {}, 6, 1, "", 1, "")  # fmt: skip


def came(*, kept: bool, memory: bool = True, race: Race | None = RACE) -> Came:
    part: Any = SimpleNamespace(kept=kept, floor=SimpleNamespace(size_bytes=400))
    work: Any = SimpleNamespace(results=[part])
    return Came(kernels.Row("row", "f", "8x8", memory), work, watched(), 50.0, race)


def test_what_is_handed_back_is_counted_not_what_was_found() -> None:
    told = kernels.figures([came(kept=True), came(kept=False)], 2, 80.0)
    assert told["geomean_vs_eager"] == pytest.approx(2.0**0.5)  # a library that is kept is eager
    assert told["geomean_vs_compile"] == pytest.approx((1.5 * 0.75) ** 0.5)
    assert told["rows_below_1"] == 1
    assert told["mem_rows_pct_of_copy"] == pytest.approx(50.0)
    assert told["first_win_s"] == 50.0  # there was none: the whole run


def test_a_row_that_was_not_raced_or_not_run_is_lost() -> None:
    assert kernels.figures([came(kept=True), came(kept=True, race=None)], 3, 80.0)["rows_below_1"] == 2


def test_a_result_is_short_where_one_figure_is(capsys: pytest.CaptureFixture[str]) -> None:
    good = {"geomean_vs_eager": 2.6, "geomean_vs_compile": 1.6, "rows_below_1": 0.0, "first_win_s": 12.0,
            "mem_rows_pct_of_copy": 80.0, "random_wrong": 0.0}  # fmt: skip
    assert result("x", good, kernels.MOST, kernels.LEAST) == 0
    for name in good:
        worse = good | {name: 0.0 if name in kernels.LEAST else 30.0}
        assert result("x", worse, kernels.MOST, kernels.LEAST) == 1, name
    assert "RESULT x short" in capsys.readouterr().out


def tried(name: str, *, loads: bool = True, covered: bool = False, fast: bool = False, wrong: bool = False) -> Tried:
    return Tried(name, loads, covered, fast, wrong)


def test_what_does_not_load_is_not_counted_as_not_covered() -> None:
    found = [tried("a", covered=True, fast=True), tried("b", covered=True), tried("c"), tried("d", loads=False)]
    told = kernelbench.figures(found)
    assert told["covered_pct"] == pytest.approx(200 / 3)
    assert told["fast1_of_covered_pct"] == 50.0
    page = "\n".join(kernelbench.page(found, told))
    for name in ("- c: ", "- d: ", "- b: "):
        assert name in page


def test_one_false_accept_is_too_many() -> None:
    found = [tried(str(at), covered=True, fast=True) for at in range(9)]
    for some, status in ((found, 0), ([*found, tried("x", wrong=True)], 1)):
        assert result("x", kernelbench.figures(some), kernelbench.MOST, kernelbench.LEAST) == status


def test_problems_are_those_in_the_contract_in_order_and_evenly_spread(tmp_path: Path) -> None:
    text = "class Model: ...\ndef get_inputs(): ...\ndef get_init_inputs(): ...\n"
    for name in ("10_b", "2_a", "1_c"):
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "other.py").write_text("x = 1\n")
    found = kernelbench.problems(tmp_path)
    assert [one.stem for one in found] == ["1_c", "2_a", "10_b"]
    assert [one.stem for one in kernelbench.spread(found, 2)] == ["1_c", "2_a"]
    assert kernelbench.spread(found, 0) == found


def test_notes_are_not_run_again(tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text('{"name": "a.py", "loads": true, "covered": true}\n')
    found = kernelbench.all_tried([tmp_path / "a.py"], tmp_path, 1.0, notes)
    assert found == [Tried("a.py", True, covered=True)]


def test_a_search_that_never_arrives_has_lost() -> None:
    good = watched(*(measured(1.0, str(at), 100, 9) for at in range(9)), measured(2.0, "best", 50, 9))
    nothing = watched(measured(1.0, "a", 100, 5))
    for cold, warm, reached in ((good, nothing, (1, 0)), (nothing, good, (0, 1))):
        one = came(kept=True)
        one.watched, one.warm = cold, warm
        told = kernels.figures([one], 1, 80.0)
        assert told["times_fewer_samples"] == pytest.approx(1.0)
        assert (told["reached_nothing_known"], told["reached_known"]) == reached


def test_only_a_whole_run_is_published_and_without_trees_none_is_judged() -> None:
    assert kernels.whole(len(kernels.ROWS), kernels.DRAWN)
    assert not kernels.whole(len(kernels.ROWS), 0)
    assert not kernels.whole(1, kernels.DRAWN)
    assert kernels.most(0) == {name: limit for name, limit in kernels.MOST.items() if name != "random_wrong"}
    assert kernels.most(1) == kernels.MOST


@pytest.mark.parametrize("end", ["import os; os.abort()", "import time; time.sleep(60)"])
def test_what_was_told_before_an_end_is_counted_and_the_rest_is_wrong(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = '{"seed": 20000, "wrong": "", "ns": 1.0, "eager_ns": 2.0}'
    say = f"print({line!r}, flush=True); print({line[:30]!r}, end='', flush=True); {end}"
    monkeypatch.setattr(kernels_random, "build", lambda seed, folder: None)
    monkeypatch.setattr(kernels_random, "command_of", lambda folder, count: [sys.executable, "-c", say])
    told, lines = kernels_random.measured(3, tmp_path, left_s=3.0)
    assert told["random_wrong"] == 2
    assert told["random_geomean_vs_eager"] == pytest.approx(2.0)
    assert "Seed 20002 is wrong: it was not measured." in lines


@needs_compiler
def test_what_all_but_cancels_is_right_by_its_roundings_alone_and_what_is_off_is_wrong(tmp_path: Path) -> None:
    cancels, plain = 20_175, 20_000  # the first one stores ``sigmoid(x) - 0.5`` of a small x
    for seed, by_rounding in ((cancels, True), (plain, False)):
        kernels_random.build(seed, tmp_path)
        made, program = kernels_random.built(seed, tmp_path), random_program(seed, kernels_random.SMALL)
        assert made is not None
        assert kernels_random.differs(program, made, seed) == ("", by_rounding)
        (sweep,) = program.steps
        assert isinstance(sweep, Sweep)
        off = [replace(one, expr=Apply(Fn.MUL, (one.expr, Number(1.001)))) for one in sweep.stores]
        wrong, _ = kernels_random.differs(replace(program, steps=(replace(sweep, stores=tuple(off)),)), made, seed)
        assert "of the norm" in wrong


def applied(*, error: float = 1e-8, calls: int = 3, why: str = "", ratio: float = 2.0) -> Applied:
    return Applied(("",), ((1e-8, error),), ratio, 1.0, ratio, calls, 1, {why: 1} if why else {})


def of(whole: Applied | None, why: str = "", *, kept: bool = True, end_to_end: Applied | None = None) -> Tried:
    part = SimpleNamespace(verdict=SimpleNamespace(passed=True), kept=kept, why="no gain")
    work: Any = SimpleNamespace(results=(part,), kept=(part,) if kept else (), notes=(),
                                end_to_end=asdict(end_to_end) if end_to_end else {})  # fmt: skip
    return kernelbench._of(work, whole, why, "a", 1.0)


def test_an_accepted_kernel_is_wrong_where_the_whole_is_and_where_the_original_took_over() -> None:
    assert not of(applied(), end_to_end=applied()).false_accept
    assert of(applied(), end_to_end=applied()).fast
    assert of(applied(error=1e-2)).false_accept
    assert of(applied(error=1e-2), kept=False).false_accept  # accepted and not kept
    fell_back = of(applied(calls=0, why=UNLIKE), UNLIKE, kept=False)
    assert fell_back.false_accept
    assert not fell_back.does_not_run
    assert of(applied(), kept=False, end_to_end=applied(calls=0, why=UNLIKE)).false_accept


def test_an_accepted_kernel_that_does_not_run_is_one_too_many() -> None:
    for one in (of(None, "output.broken_wrapper: no"), of(applied(calls=0, why="other shapes"), "other shapes")):
        assert one.does_not_run
        assert one.covered
        told = kernelbench.figures([one])
        assert told["does_not_run"] == 1
        assert result("x", told | dict.fromkeys(kernelbench.LEAST, 100.0), kernelbench.MOST, kernelbench.LEAST) == 1
        assert "do not run" in one.why


def test_a_wrapper_says_so_in_these_words() -> None:
    runtime = Path(kernelbench.__file__).parents[2] / "gpu_skills" / "output" / "runtime.py"
    assert f'self._never = "{UNLIKE}"' in runtime.read_text()


MINE = """
class Model:
    def __call__(self, x):
        return x
def get_inputs():
    return [1]
def get_init_inputs():
    return []
"""


@pytest.mark.parametrize("wrong", [kernelbench.BadProblem("intake.hang", "slow"), ValueError("ours")])
def test_only_a_file_that_does_not_run_does_not_load(
    wrong: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise wrong

    file = tmp_path / "1_a.py"
    file.write_text(MINE)
    monkeypatch.setattr(kernelbench, "shrink", lambda file, *_, **__: file.read_text())
    monkeypatch.setattr(kernelbench, "searched", failing)
    ours = kernelbench.tried(file, "a", 1.0)
    assert ours.loads
    assert not ours.covered
    file.write_text(MINE.replace("return x", "return y"))
    theirs = kernelbench.tried(file, "a", 1.0)
    assert not theirs.loads
    assert "NameError" in theirs.why
