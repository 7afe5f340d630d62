"""Files of users: good ones become problems, bad ones a clear error, in a process of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpu_skills.errors import BadProblem, NotTraced
from gpu_skills.examples import folder
from gpu_skills.graph import Role, evaluate, structure_of
from gpu_skills.model import Filling, Problem

pytest.importorskip("torch", reason="reading a problem needs PyTorch: pip install 'steward-os[kernels]'")
from gpu_skills.intake import Limits, Reason, concerns, profiled, read_problem, reference, shrink

pytestmark = [pytest.mark.torch, pytest.mark.slow, pytest.mark.timeout(240)]

GOOD = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(32, 16)
    def forward(self, x):
        return torch.softmax(torch.relu(self.layer(x)) * 1.7, -1)
def logs(x):
    return torch.log(x).sum(-1)
"""


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "users.py"
    file.write_text(text)
    return file


def test_a_module_becomes_a_problem_with_two_programs_to_hold_out(tmp_path: Path) -> None:
    found = read_problem(written(tmp_path, GOOD), "Net", "8x32")
    problem = found.problem
    assert found.error is not None
    assert found.error < 1e-10
    assert found.error_held_out is not None
    assert 0 < found.error_held_out < 1e-10
    assert {structure_of(one) for one in problem.held_out} == {structure_of(problem.program)}
    assert len({one.tensors[0].shape for one in (*problem.held_out, problem.program)}) == 3
    chance = np.random.default_rng(3)
    values = {one.name: chance.normal(size=one.shape) for one in problem.program.of(Role.INPUT, Role.WEIGHT)}
    assert problem.origin is not None
    assert np.allclose(reference(problem.origin, values)["out"], evaluate(problem.program, values)["out"], rtol=1e-12)


NAMES = """
import torch
class Chain(torch.nn.Sequential):
    def __init__(self):
        super().__init__(torch.nn.Linear(32, 16), torch.nn.ReLU(), torch.nn.Linear(16, 8))
class Odd(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(32, 32, bias=False)
        self.a_weight = torch.nn.Parameter(torch.randn(32))
        self.a_weight_given = torch.nn.Parameter(torch.randn(32))
        self._scale = torch.nn.Parameter(torch.randn(32))
        self.t0 = torch.nn.Parameter(torch.randn(32))
    def forward(self, out, weight):
        return self.a(out) * self.a_weight * self._scale + weight * self.t0 - self.a_weight_given
def same(out, t1):
    return out * t1
def constant(x):
    return x * torch.tensor([1.5, 2.5])
def gap(x, y=None, factor=3, z=None):
    return x + (y * 2 if y is not None else factor) - (z * 5 if z is not None else 0)
def tensor_gap(x, y=torch.ones(3), z=None):
    return x + y - z
"""


def made_up(problem: Problem) -> dict[str, Any]:
    chance = np.random.default_rng(3)
    return {one.name: chance.normal(size=one.shape) for one in problem.program.of(Role.INPUT, Role.WEIGHT)}


@pytest.mark.parametrize(
    ("entry", "shapes"), [("Chain", "8x32"), ("Odd", "8x32,32"), ("same", "8x4,4"), ("gap", "x=3x8,z=3x8")]
)
def test_every_value_reaches_what_the_file_calls_otherwise(tmp_path: Path, entry: str, shapes: str) -> None:
    problem = read_problem(written(tmp_path, NAMES), entry, shapes).problem
    values = made_up(problem)
    assert problem.origin is not None
    found = reference(problem.origin, values)["out"]
    assert np.allclose(found, evaluate(problem.program, values)["out"], rtol=1e-12)
    for wrong in (values | {"nothing": values[next(iter(values))]}, dict(list(values.items())[:-1])):
        with pytest.raises(BadProblem) as error:
            reference(problem.origin, wrong)
        assert error.value.code == "intake.values"


def test_a_value_that_the_file_cannot_be_given_is_refused(tmp_path: Path) -> None:
    problem = read_problem(written(tmp_path, NAMES), "constant", "8x2").problem
    assert problem.origin is not None
    with pytest.raises(BadProblem, match="is a constant in the code") as error:
        reference(problem.origin, made_up(problem))
    assert error.value.code == "intake.values"


def test_a_gap_between_named_shapes_is_its_default(tmp_path: Path) -> None:
    problem = read_problem(written(tmp_path, NAMES), "gap", "x=3x8,z=3x8").problem
    assert [one.name for one in problem.program.of(Role.INPUT)] == ["x", "z"]
    values = made_up(problem)
    assert np.allclose(evaluate(problem.program, values)["out"], values["x"] + 3 - values["z"] * 5, rtol=1e-12)
    with pytest.raises(BadProblem, match="the shape of y is missing"):
        read_problem(written(tmp_path, NAMES), "tensor_gap", "x=4x3,z=4x3")


def test_a_logarithm_is_given_positive_numbers(tmp_path: Path) -> None:
    assert read_problem(written(tmp_path, GOOD), "logs", "8x32").problem.fills["x"].filling is Filling.POSITIVE


def test_what_was_not_checked_is_not_handed_out_as_if_it_were(tmp_path: Path) -> None:
    file = written(tmp_path, "def f(x):\n    return x * 2 if x.shape[0] > 40_000_000 else x.sort().values\n")
    with pytest.raises(NotTraced) as error:
        read_problem(file, "f", "40000001")
    assert (error.value.code, error.value.hint) == ("trace.unchecked", "Give smaller shapes.")
    found = read_problem(file, "f", "40000001", unchecked=True)
    assert (found.error, found.error_held_out, found.problem.held_out) == (None, None, ())
    assert any("too large" in one for one in found.notes)


def test_what_is_too_large_is_checked_in_its_small_form(tmp_path: Path) -> None:
    found = read_problem(written(tmp_path, "def f(x):\n    return x * 2\n"), "f", "40000001")
    assert found.error is None
    assert found.error_held_out is not None


BAD = {
    "syntax": ("def f(x:\n", "intake.import"),
    "missing": ("import nothing_of_that_name\ndef f(x): return x\n", "intake.import"),
    "data": ("open('/no/such/weights.bin')\ndef f(x): return x\n", "intake.data"),
    "exit": ("import os\nos._exit(3)\ndef f(x): return x\n", "intake.crashed"),
    "hang": ("while True: pass\n", "intake.hang"),
    "memory": ("import torch\ndef f(x): return torch.ones(100 << 30) + x.sum()\n", "intake.memory"),
    "prints": ("print('x' * (1 << 30))\ndef f(x): return x\n", "intake"),
    "shapes": ("def f(x): return x @ x\n", "intake.run"),
    "nan": ("def f(x): return x / 0 - x / 0\n", "intake.nan"),
    "no tensor": ("def f(x): return 3\n", "intake.outputs"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_a_clear_error(tmp_path: Path, name: str) -> None:
    text, code = BAD[name]
    before = sorted(Path("/tmp").glob("steward-intake-*"))
    with pytest.raises(BadProblem) as wrong:
        read_problem(written(tmp_path, text), "f", "3x4", limits=Limits(deadline_s=12 if name == "hang" else 90))
    assert wrong.value.code.startswith(code)
    assert "users.py" in wrong.value.message or "f " in wrong.value.message
    assert len(sorted(Path("/tmp").glob("steward-intake-*"))) <= len(before) + 1  # another test may run beside
    assert sorted(one.name for one in tmp_path.iterdir()) == ["users.py"]


def test_a_constant_problem_is_no_evidence(tmp_path: Path) -> None:
    file = written(tmp_path, "import torch\ndef f(x): return torch.softmax(x, -1).sum(-1, keepdim=True) * 1e-5\n")
    assert {one.reason for one in concerns(file, "f", "8x16")} >= {
        Reason.RANGE,
        Reason.SPREAD,
        Reason.ZERO,
        Reason.INPUTS,
    }
    assert not concerns(written(tmp_path, GOOD), "Net", "8x32")


def test_models_are_profiled_and_shrunk() -> None:
    found = profiled(folder / "llama.py")
    assert found.costs[0].operation == "mm"
    assert abs(sum(one.share for one in found.costs) - 1) < 1e-6
    assert found.costs[0].gain == pytest.approx(1 / (1 - found.costs[0].share))
    assert any("sum" in one for one in found.sweeps)
    assert "width" in shrink(folder / "bert.py", 100_000)
