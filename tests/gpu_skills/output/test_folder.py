"""A kernel's folder: what is written, what is read back, and what is not believed."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpu_skills.building import this_machine
from gpu_skills.errors import BadFolder
from gpu_skills.graph import structure_of
from gpu_skills.intake import Outline
from gpu_skills.judge import Native
from gpu_skills.judge.peaks import Ceilings
from gpu_skills.model import Built
from gpu_skills.output import Result, Work, contents, read_certificate, read_folder, replayed
from gpu_skills.parts import parts_of
from gpu_skills.search import Duel, Found, Proposal
from gpu_skills.search.model import Trial
from gpu_skills.workshop import Bench, Here, floor_of
from tests.gpu_skills import programs as of

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++: apt install g++")
PROBLEM = replace(of.rmsnorm(64, 256), name="rms <script>alert(1)</script>")
PEAKS = Ceilings(10.0, 20.0, 10.0, 100.0)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    room = tmp_path_factory.mktemp("room")
    (part,) = parts_of(PROBLEM)
    bay = Here(PROBLEM, room)
    bench = Bench(PROBLEM, bay, this_machine())
    made = bench.build(Proposal(bench.space.default, made_by="a test"))
    assert isinstance(made, Built)
    assert bench.judge(made) is None
    race = bay.race([Native("kernel", made), Native("itself", made)], 6)
    trials = tuple(
        Trial(Proposal(bench.space.default, made_by="sobol"), samples) for samples in ((9e5, 8e5), (7e5,), ())
    )
    found = Found(made, 7e5, None, trials, "budget", {}, 3.0)
    result = Result(part, True, "It is faster.", made, found, bench.verdicts[made.candidate.id], (race,),
                    floor_of(PROBLEM.program, PEAKS), Duel("itself", 1.5, 1.4, 1.6))  # fmt: skip
    bay.close()
    return Work(PROBLEM, Outline(("x", "w")), (result,), this_machine(), PEAKS, 7, 1, "2026-01-02T03:04:05+00:00")


@pytest.fixture
def folder(work: Work, tmp_path: Path) -> Path:
    for name, data in contents(work).items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_a_certificate_holds_what_was_measured(folder: Path, work: Work) -> None:
    told = read_certificate(folder)
    (part,) = told["parts"]
    assert part["structure"] == structure_of(PROBLEM.program)
    assert [one["name"] for one in part["verdict"]["gates"]][-1] == "timing"
    assert all(one["passed"] for one in part["verdict"]["gates"])
    (race,) = part["races"]
    assert {side: len(each) for side, each in race["cpu_ns"].items()} == {"kernel": 6, "itself": 6}
    assert race["ratios"][0]["low"] <= race["ratios"][0]["median"] <= race["ratios"][0]["high"]
    timing = part["verdict"]["timing"]
    assert part["percent_of_ceiling"] == pytest.approx(100 * part["floor"]["ns"] / timing["cpu_ns"])
    assert "one arena" in told["allocation"]
    assert told["machine"]["compiler"]
    assert [one["samples"] for one in part["search"]["trials"]] == [[9e5, 8e5], [7e5], []]


def test_a_folder_is_read_back(folder: Path, work: Work) -> None:
    shelved = read_folder(folder)
    assert shelved.problem == PROBLEM
    ((part, built),) = shelved.kernels
    best = work.results[0].best
    assert best is not None
    assert part.problem == PROBLEM
    assert (built.sha256, built.candidate.source) == (best.sha256, best.candidate.source)


def test_the_card_is_whole_and_asks_nobody(folder: Path) -> None:
    page = (folder / "card.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"""(src|href|action)\s*=|url\(|@import|https?://""", page)
    drawn = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(drawn) == 2, "the roofline and the search"
    for one in drawn:
        ElementTree.fromstring(one)
    assert "1.40 to 1.60" not in page or "kernel used" in page


def test_a_changed_library_is_not_believed(folder: Path) -> None:
    (library,) = folder.glob("*.so")
    library.write_bytes(library.read_bytes() + b"\0")
    with pytest.raises(BadFolder, match="is not the library that was judged"):
        read_folder(folder)


@pytest.mark.parametrize("name", ["../../x.so", "/lib/x.so", "x.so/../y.so", "x.sh"])
def test_no_name_in_a_certificate_leads_elsewhere(folder: Path, name: str) -> None:
    told = json.loads((folder / "certificate.json").read_text())
    told["parts"][0]["kernel"]["library"] = name
    (folder / "certificate.json").write_text(json.dumps(told))
    with pytest.raises(BadFolder, match="no name of a file"):
        read_folder(folder)


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "cannot be read"), ("[]", "another version"), ('{"version": 99}', "another version"),
     ('{"version": 1, "problem": {}}', "damaged")],
)  # fmt: skip
def test_a_damaged_certificate_is_said(folder: Path, text: str, said: str) -> None:
    (folder / "certificate.json").write_text(text)
    with pytest.raises(BadFolder, match=said):
        read_folder(folder)


def test_a_folder_without_a_certificate_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadFolder, match="holds no kernel"):
        read_certificate(tmp_path)


@pytest.mark.slow
def test_a_kernel_is_replayed_from_its_source(folder: Path, tmp_path: Path) -> None:
    room = tmp_path / "again"
    (found,) = replayed(read_folder(folder), lambda part: room, lambda part: Here(part.problem, room, seed=99))
    assert found.verdict.passed
    assert found.verdict.seed == 99
    assert found.same_library
    assert found.holds


def test_a_source_that_does_something_else_is_found_out(folder: Path, tmp_path: Path) -> None:
    told: dict[str, Any] = json.loads((folder / "certificate.json").read_text())
    source = folder / told["parts"][0]["kernel"]["source"]
    visible = 'extern "C" __attribute__((visibility("default"))) int'
    source.write_text(f"{visible} steward_kernel(void *const *, const long *, const double *, int) {{ return 0; }}")
    room = tmp_path / "again"
    (found,) = replayed(read_folder(folder), lambda part: room, lambda part: Here(part.problem, room, seed=99))
    assert not found.same_library
    assert not found.verdict.passed
    assert not found.holds
