"""The workshop on real kernels: built, looked at, timed, judged; and the same in a room, as a cell does it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gpu_skills.building import this_machine
from gpu_skills.errors import JudgeUnavailable, NotLoadable
from gpu_skills.judge.peaks import Ceilings
from gpu_skills.model import Built, Candidate, Language
from gpu_skills.search import Proposal, Refusal
from gpu_skills.workshop import Bench, Here, floor_of, trials
from tests.gpu_skills import programs as of

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++: apt install g++")
PROBLEM = of.rmsnorm(64, 256)
PEAKS = Ceilings(10.0, 20.0, 10.0, 100.0)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("room")
    trials.prepare(folder, PROBLEM)
    return folder


@pytest.fixture(scope="module")
def built(room: Path) -> Built:
    bench = Bench(PROBLEM, Here(PROBLEM, room), this_machine())
    made = bench.build(Proposal(bench.space.default))
    assert isinstance(made, Built)
    return made


@pytest.mark.slow
def test_a_candidate_is_timed_and_accepted(room: Path, built: Built) -> None:
    bay = Here(PROBLEM, room, seed=5)
    bench = Bench(PROBLEM, bay, this_machine())
    assert bench.inspect(built) is None
    samples = bench.measure(built, 3)
    assert not isinstance(samples, Refusal)
    assert len(samples) == 3
    assert all(one > 0 for one in samples)
    assert bench.judge(built) is None
    assert bench.verdicts[built.candidate.id].passed
    bay.close()


def test_a_wrong_candidate_is_refused_by_its_gate(room: Path, built: Built) -> None:
    visible = 'extern "C" __attribute__((visibility("default"))) int'
    source = f"{visible} steward_kernel(void *const *, const long *, const double *, int) {{ return 0; }}"
    bench = Bench(PROBLEM, Here(PROBLEM, room), this_machine())
    made = bench.build(Proposal(source=source))
    assert isinstance(made, Built)
    refusal = bench.judge(made)
    assert refusal is not None
    assert refusal.why == "poison"
    assert bench.verdicts[made.candidate.id].failed is not None


def test_what_the_compiler_refuses_is_a_refusal(room: Path) -> None:
    bench = Bench(PROBLEM, Here(PROBLEM, room), this_machine())
    found = bench.build(Proposal(source="this is no C++"))
    assert isinstance(found, Refusal)
    assert found.why == "build"


def test_without_a_baseline_there_is_no_duel(room: Path, built: Built) -> None:
    found = Bench(PROBLEM, Here(PROBLEM, room), this_machine()).duel(built, None)
    assert isinstance(found, Refusal)
    assert found.why == "baseline"


@pytest.mark.slow
def test_a_room_answers_as_the_bay_does(room: Path, built: Built) -> None:
    (room / "again.cpp").write_text(built.candidate.source)
    told = trials.raised(trials.performed(room, {"do": "build", "id": "again"}))
    candidate = Candidate("again", built.candidate.structure, Language.CPP, built.candidate.source)
    again = replace(built, library=room / "again.so", sha256=told["sha256"], candidate=candidate)
    request = {"do": "samples", "seed": 1, "threads": 1, "built": trials.built_to_json(again), "count": 2}
    answer = json.loads(json.dumps(trials.performed(room, request)))
    assert len(answer["samples"]) == 2
    verdict = trials.performed(room, {**request, "do": "judge"})["verdict"]
    found = trials.verdict_from_json(json.loads(json.dumps(verdict)))
    assert found.passed
    assert trials.verdict_to_json(found) == verdict


def test_a_library_that_was_changed_is_not_loaded(room: Path, built: Built) -> None:
    told = trials.built_to_json(built)
    (room / "other.so").write_bytes(built.library.read_bytes() + b"\0")
    (room / "other.cpp").write_text(built.candidate.source)
    request = {"do": "samples", "seed": 1, "threads": 1, "built": {**told, "id": "other"}, "count": 1}
    with pytest.raises(NotLoadable):
        trials.raised(trials.performed(room, request))


@pytest.mark.parametrize("name", ["../problem", "/etc/passwd", "a/b", "", ".hidden", "x.so"])
def test_no_name_leads_out_of_the_room(room: Path, name: str) -> None:
    with pytest.raises(JudgeUnavailable):
        trials.raised(trials.performed(room, {"do": "build", "id": name}))


def test_what_is_unknown_is_said(room: Path) -> None:
    with pytest.raises(JudgeUnavailable, match="erase"):
        trials.raised(trials.performed(room, {"do": "erase"}))


def test_the_floor_is_bytes_or_products() -> None:
    norm = floor_of(of.rmsnorm(1024, 1024).program, PEAKS)
    assert norm.bound == "memory"
    assert norm.size_bytes == 4 * (2 * 1024 * 1024 + 1024)
    assert norm.memory_ns == pytest.approx(norm.size_bytes / 20, rel=0.01)
    product = floor_of(of.matmul_bias_relu(256, 256, 256).program, PEAKS)
    assert product.bound == "compute"
    assert product.operations == 2 * 256**3
    assert product.ns == pytest.approx(2 * 256**3 / 100)
