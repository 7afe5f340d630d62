"""The drop-in wrapper: right where its guards hold, the original everywhere else."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gpu_skills.building import build
from gpu_skills.errors import BadFolder, NotApplied
from gpu_skills.intake import Reading, read_problem
from gpu_skills.model import Candidate, Language
from gpu_skills.output import Applied, apply, verified
from gpu_skills.output.wrapper import Kept, wrapper_source
from gpu_skills.parts import Part, parts_of
from tests.gpu_skills.output.wrapped import SOURCE, kernels_of, loaded, written

torch = pytest.importorskip("torch", reason="a wrapper needs PyTorch: ./steward setup kernels")
runtime = importlib.import_module("gpu_skills.output.runtime")  # it imports torch
pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++: apt install g++"),
    pytest.mark.filterwarnings("default"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wrapped")
    (folder / "net.py").write_text(SOURCE)
    return folder


@pytest.fixture(scope="module")
def block(place: Path) -> Reading:
    return read_problem(place / "net.py", "Block", "2x3x16x64")


@pytest.fixture(scope="module")
def kept(place: Path, block: Reading) -> list[Kept]:
    return kernels_of(block, place)


@pytest.fixture(scope="module")
def small(place: Path) -> ModuleType:
    """Return the wrapper of a module with settings and children; all of it stays in torch, so nothing is built."""
    reading = read_problem(place / "net.py", "Small", "2x64")
    return written(place, reading, [], "wrapper_small")


@pytest.fixture(autouse=True)
def without_gradients() -> Iterator[None]:
    with torch.no_grad():
        yield


@pytest.mark.parametrize("which", ["all", "first", "none"])
def test_a_part_is_a_kernel_or_torch_and_the_whole_is_right(
    place: Path, block: Reading, kept: list[Kept], which: str
) -> None:
    chosen = {"all": kept, "first": kept[:1], "none": []}[which]
    wrapper = written(place, block, chosen, f"wrapper_{which}")
    assert "gpu_skills" not in (place / f"wrapper_{which}.py").read_text()
    net = loaded("net", place / "net.py").Block()
    x = torch.randn(2, 3, 16, 64)
    wanted = net(x)
    keys = list(net.state_dict())
    fast = wrapper.patch(net)
    net(x)
    found = net(x)
    assert fast.counts == {"kernel": 1, "original": 1}
    assert list(net.state_dict()) == keys
    for one, right in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, right, rtol=1e-5, atol=1e-4)
    wrapper.unpatch(net)
    assert "forward" not in vars(net)


def test_every_guard_leads_to_the_original(place: Path, block: Reading, kept: list[Kept]) -> None:
    wrapper = written(place, block, kept, "wrapper_guards")
    net = loaded("net", place / "net.py").Block()
    fast = wrapper.patch(net)
    x = torch.randn(2, 3, 16, 64)
    net(x)
    tries: list[tuple[str, Any]] = [
        ("other shapes", lambda: net(torch.randn(3, 3, 16, 64))),
        ("tensors that lie otherwise in memory", lambda: net(torch.randn(2, 3, 64, 16).transpose(2, 3))),
        ("tensors that lie otherwise in memory", lambda: net(torch.randn(2 * 3 * 16 * 64 + 1)[1:].reshape(x.shape))),
        ("another kind of tensor", lambda: net(torch.randn(2, 3, 16, 64).as_subclass(Odd))),
        ("another mode (train or eval)", lambda: net.eval()(x)),
    ]
    for why, act in tries:
        before = fast.why_not.get(why, 0)
        act()
        assert fast.why_not.get(why, 0) == before + 1, why
    net.train()
    with torch.enable_grad():
        made = net(x)
    assert fast.why_not["gradients are wanted"] == 1
    assert made[0].requires_grad
    assert fast.counts["kernel"] == 0
    net(x)
    assert fast.counts["kernel"] == 1


class Odd(torch.Tensor):  # type: ignore[misc, name-defined]
    """A tensor of another class."""


def test_new_weights_count_at_once(place: Path, block: Reading, kept: list[Kept]) -> None:
    wrapper = written(place, block, kept, "wrapper_weights")
    net = loaded("net", place / "net.py").Block()
    fast = wrapper.patch(net)
    x = torch.randn(2, 3, 16, 64)
    net(x)
    net.norm.weight.mul_(3.0)
    net.lin.weight = torch.nn.Parameter(torch.randn(48, 64))
    found = net(x)
    assert fast.counts["kernel"] == 1
    wrapper.unpatch(net)
    torch.testing.assert_close(found[0], net(x)[0], rtol=1e-5, atol=1e-3)


def doubled(*given: Any) -> Any:
    return given[-1] * 2.0


def no_child_left(net: Any) -> None:
    del net.norm
    net.norm = torch.nn.Identity()


CHANGES: list[tuple[str, Callable[[Any], Any], str]] = [
    ("a child's mode", lambda net: net.norm.eval(), "a part of it has changed"),
    ("a setting of its own", lambda net: setattr(net, "factor", 3.0), "a part of it has changed"),
    ("a setting in place", lambda net: net.sizes.append(3), "a part of it has changed"),
    ("a setting of another kind", lambda net: setattr(net, "factor", 2), "a part of it has changed"),
    ("a weight less", lambda net: net.lin.register_parameter("bias", None), "a part of it has changed"),
    ("a child's setting", lambda net: setattr(net.norm, "eps", 0.5), "a part of it has changed"),
    ("another child", lambda net: setattr(net, "lin", torch.nn.Linear(64, 48)), "a part of it has changed"),
    ("another activation", lambda net: setattr(net, "act", torch.nn.ReLU()), "a part of it has changed"),
    ("one more child", lambda net: net.add_module("more", torch.nn.ReLU()), "a part of it has changed"),
    ("a child of another kind", no_child_left, "a part of it has changed"),
    ("a child's own forward", lambda net: setattr(net.act, "forward", doubled), "a part of it has changed"),
    ("a hook on a child", lambda net: net.norm.register_forward_hook(doubled), "a hook on a part of it"),
    ("a hook before a child", lambda net: net.norm.register_forward_pre_hook(lambda *_: None),
     "a hook on a part of it"),
    ("a hook on every module", lambda _: torch.nn.modules.module.register_module_forward_hook(lambda *_: None),
     "a hook on a part of it"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "why"), [one[1:] for one in CHANGES], ids=[one[0] for one in CHANGES])
def test_a_module_that_has_changed_is_the_original(small: ModuleType, change: Callable[[Any], Any], why: str) -> None:
    net = loaded("net", Path(small.__file__ or "").parent / "net.py").Small()
    fast, x = small.patch(net), torch.randn(2, 64)
    net(x)
    net(x)
    assert fast.counts == {"kernel": 1, "original": 1}
    made = change(net)
    try:
        found = net(x)
        assert fast.why_not.get(why) == 1, fast.why_not
        small.unpatch(net)
        assert torch.equal(found, net(x))
    finally:  # some are of every module: the next test would have them, too
        if hasattr(made, "remove"):
            made.remove()


def test_a_weight_of_another_child_is_read_there(small: ModuleType) -> None:
    """A module that is put back is what it was; its weights are read where they are now."""
    net = loaded("net", Path(small.__file__ or "").parent / "net.py").Small()
    fast, x = small.patch(net), torch.randn(2, 64)
    net(x)
    was, net.lin = net.lin, torch.nn.Linear(64, 48)
    net(x)
    net.lin = was
    net(x)
    assert fast.counts == {"kernel": 1, "original": 2}


def test_where_torch_does_something_else_the_original_runs(place: Path) -> None:
    reading = read_problem(place / "net.py", "scaled", "16x64,64")
    function = loaded("net", place / "net.py").scaled
    fast = written(place, reading, [], "wrapper_elsewhere").wrap(function)
    x, w = torch.randn(16, 64), torch.randn(64)
    fast(x, w)
    fast(x, w)
    assert fast.counts == {"kernel": 1, "original": 1}

    def cast() -> Any:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return fast(x, w)

    def tangent() -> Any:
        with torch.autograd.forward_ad.dual_level():
            return fast(torch.autograd.forward_ad.make_dual(x, torch.ones_like(x)), w)

    tries: list[tuple[str, Callable[[], Any]]] = [
        ("autocast", cast),
        ("a transform of functions (vmap, grad)", lambda: torch.vmap(lambda one: fast(one, w))(torch.randn(3, 16, 64))),
        ("a transform of functions (vmap, grad)", lambda: torch.func.grad(lambda one: fast(one, w).sum())(x)),
        ("a transform of functions (vmap, grad)", lambda: torch.func.jvp(lambda one: fast(one, w), (x,), (x,))),
        ("a tangent is carried", tangent),
        ("a view that is negated or conjugated", lambda: fast(torch._neg_view(x), w)),
    ]
    for why, act in tries:
        before = fast.why_not.get(why, 0)
        act()
        assert fast.why_not.get(why, 0) == before + 1, (why, fast.why_not)
    assert fast.counts["kernel"] == 1
    torch.testing.assert_close(fast(torch._neg_view(x), w), -function(x, w), rtol=0, atol=0)
    rows = torch.randn(3, 16, 64)
    torch.testing.assert_close(torch.vmap(lambda one: fast(one, w))(rows), function(rows, w), rtol=0, atol=0)


def test_weights_that_are_no_longer_one_are_the_original(place: Path) -> None:
    wrapper = written(place, read_problem(place / "net.py", "Tied", "2x64"), [], "wrapper_tied")
    net = loaded("net", place / "net.py").Tied()
    fast, x = wrapper.patch(net), torch.randn(2, 64)
    net(x)
    net(x)
    assert fast.counts == {"kernel": 1, "original": 1}
    net.up.weight = torch.nn.Parameter(torch.randn(64, 64))
    found = net(x)
    assert fast.counts == {"kernel": 1, "original": 2}
    wrapper.unpatch(net)
    assert torch.equal(found, net(x))


def test_a_model_with_a_wrapper_is_compiled(small: ModuleType) -> None:
    net = loaded("net", Path(small.__file__ or "").parent / "net.py").Small()
    x = torch.randn(2, 64)
    wanted = net(x)
    small.patch(net)
    net(x)
    compiled = torch.compile(net, backend="eager")
    torch.testing.assert_close(compiled(x), wanted)
    net.factor = 3.0
    torch.testing.assert_close(compiled(x), wanted * 1.5)


def test_another_function_is_not_touched(place: Path, block: Reading, kept: list[Kept]) -> None:
    wrapper = written(place, block, kept, "wrapper_other")
    net = loaded("net", place / "net.py").Block()
    net.norm.eps = 0.5
    fast = wrapper.patch(net)
    x = torch.randn(2, 3, 16, 64)
    net(x)
    net(x)
    assert fast.counts == {"kernel": 0, "original": 2}
    assert "it is not the function that was optimized" in fast.why_not


def test_a_library_of_other_bytes_is_not_loaded(place: Path, block: Reading, kept: list[Kept], tmp_path: Path) -> None:
    for one in kept:
        (tmp_path / one.library).write_bytes((place / one.library).read_bytes() + b"\0")
    wrapper = written(tmp_path, block, kept, "wrapper_bytes")
    net = loaded("net", place / "net.py").Block()
    fast = wrapper.patch(net)
    x = torch.randn(2, 3, 16, 64)
    wanted = net(x)
    assert torch.equal(net(x)[0], wanted[0])
    assert fast.counts["kernel"] == 0
    assert any("is not the library that was judged" in why for why in fast.why_not)


def test_a_kernel_that_is_wrong_is_found_at_the_first_call(place: Path, tmp_path: Path) -> None:
    """A kernel for another factor stands in: the first outputs are compared, and the original is kept."""
    reading = read_problem(place / "net.py", "scaled", "16x64,64")
    (part,) = parts_of(reading.problem)
    (kept,) = kernels_of(reading, tmp_path)
    source = (tmp_path / f"k{part.begin}.cpp").read_text()
    wrong = Candidate("wrong", "", Language.CPP, source.replace("steward_kernel(", "right("), {})
    stub = wrong.source + (
        '\nextern "C" __attribute__((visibility("default"))) int steward_kernel(void *const *t, const int64_t *n, '
        "const double *p, int threads) { int r = right(t, n, p, threads); ((float *)t[2])[3] += 1.0f; return r; }"
    )
    made = build(Candidate("wrong", "", Language.CPP, stub), tmp_path)
    wrapper = written(tmp_path, reading, [Kept(part, made.library.name, made.sha256)], "wrapper_wrong")
    function = loaded("net", place / "net.py").scaled
    fast = wrapper.wrap(function)
    x, w = torch.randn(16, 64), torch.randn(64)
    with pytest.warns(RuntimeWarning, match="the original is kept"):
        fast(x, w)
    assert torch.equal(fast(x, w), function(x, w))
    assert fast.counts["kernel"] == 0
    assert kept.sha256 != made.sha256


def test_an_argument_that_is_no_tensor_must_be_what_it_was(place: Path, tmp_path: Path) -> None:
    reading = read_problem(place / "net.py", "scaled", "16x64,64")
    wrapper = written(tmp_path, reading, kernels_of(reading, tmp_path), "wrapper_plain")
    function = loaded("net", place / "net.py").scaled
    fast = wrapper.wrap(function)
    x, w = torch.randn(16, 64), torch.randn(64)
    fast(x, w)
    fast(x, w=w)
    fast(w=w, x=x, factor=2.0)
    assert fast.counts["kernel"] == 2
    torch.testing.assert_close(fast(x, w, 3.0), function(x, w, 3.0), rtol=0, atol=0)
    assert fast.counts["kernel"] == 2


def test_an_argument_of_another_kind_is_another_one(tmp_path: Path) -> None:
    """1 is equal to True and to 1.0, and what comes out of an integer is no float; a tuple is a list in a spec."""
    (tmp_path / "kinds.py").write_text(KINDS)
    reading = read_problem(tmp_path / "kinds.py", "Model")
    module = loaded("kinds", tmp_path / "kinds.py").Model()
    fast = written(tmp_path, reading, [], "wrapper_kinds").patch(module)
    x = torch.randint(0, 9, (4, 8))
    module(x, 1, (4, 8))
    module(x, 1, (4, 8))
    assert fast.counts == {"kernel": 1, "original": 1}, fast.why_not
    for by, sizes in ((1.0, (4, 8)), (True, (4, 8)), (1, (4, 8.0)), (1, (8, 4))):
        assert module.forward.counts["kernel"] == 1
        before = fast.why_not.get("other arguments", 0)
        with contextlib.suppress(TypeError):
            assert module(x, by, sizes).dtype is (x + by).dtype
        assert fast.why_not.get("other arguments", 0) == before + 1, (by, sizes)


KINDS = """
import torch


class Model(torch.nn.Module):
    def forward(self, x, by, sizes):
        return (x + by).reshape(sizes)


def get_inputs():
    return [torch.randint(0, 9, (4, 8)), 1, (4, 8)]


def get_init_inputs():
    return []
"""


@pytest.mark.parametrize(
    ("wanted", "made", "same"),
    [(nan, 0.0, False), (nan, nan, True), (inf, inf, True), (inf, -inf, False), (inf, 3e38, False),
     (1.0, nan, False), (1.0, 1.00001, True), (1.0, 1.01, False)],
)  # fmt: skip
def test_first_outputs_are_the_same_where_what_is_not_finite_is(wanted: float, made: float, *, same: bool) -> None:
    one, other = (torch.tensor([each, 2.0], dtype=torch.float32) for each in (wanted, made))
    assert runtime._same(one, other) is same


def test_the_name_of_an_operation_covers_what_it_runs(place: Path, tmp_path: Path) -> None:
    """Same source, shapes and libraries, another number or another split: another operation."""
    reading = read_problem(place / "net.py", "scaled", "16x64,64")
    (kept,) = kernels_of(reading, tmp_path)
    names = {
        written(tmp_path, reading, one, f"wrapper_named{place}").SPEC["operation"]
        for place, one in enumerate([[], [kept], [replace(kept, threads=2)], [kept]])
    }
    assert len(names) == 3


def test_torch_compile_keeps_the_kernel_whole(place: Path, tmp_path: Path) -> None:
    reading = read_problem(place / "net.py", "scaled", "16x64,64")
    wrapper = written(tmp_path, reading, kernels_of(reading, tmp_path), "wrapper_compiled")
    function = loaded("net", place / "net.py").scaled
    fast = wrapper.wrap(function)
    x, w = torch.randn(16, 64), torch.randn(64)
    fast(x, w)
    exported = torch.export.export(As(fast), (x, w), strict=False)
    assert "steward" in str(exported.graph)
    torch.testing.assert_close(exported.module()(x, w), function(x, w))


class As(torch.nn.Module):  # type: ignore[misc, name-defined]
    """A function as a module."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any) -> Any:
        return self.function(*args)


def test_a_model_is_patched_where_the_kernel_fits_and_verified(place: Path, block: Reading, kept: list[Kept]) -> None:
    (place / "wrapper.py").write_text(wrapper_source(block.problem, block.outline, kept))
    found = verified(apply(place, place / "net.py"))
    assert found.places == ("block",)
    assert found.kernel_calls > 0
    assert all(after < 1e-6 for _, after in found.errors)
    with pytest.raises(NotApplied, match="no module nowhere"):
        apply(place, place / "net.py", places=["nowhere"])
    with pytest.raises(NotApplied, match="does not fit"):
        apply(place, place / "net.py", places=["first"])


def test_what_is_less_exact_or_did_not_run_is_refused() -> None:
    fine = Applied(("",), ((1e-7, 2e-7),), 2.0, 1.0, 2.0, 3, 1, {})
    assert verified(fine) is fine
    with pytest.raises(NotApplied, match="off"):
        verified(Applied(("",), ((1e-7, 1e-3),), 2.0, 1.0, 2.0, 3, 1, {}))
    with pytest.raises(NotApplied, match="other shapes"):
        verified(Applied(("",), ((1e-7, 1e-7),), 2.0, 1.0, 2.0, 0, 4, {"other shapes": 4}))


def test_a_constant_in_the_code_is_said(place: Path, tmp_path: Path) -> None:
    (tmp_path / "constant.py").write_text("import torch\nC = torch.arange(64.)\ndef f(x):\n    return x * C\n")
    reading = read_problem(tmp_path / "constant.py", "f", "16x64")
    with pytest.raises(NotApplied, match="constant in its code"):
        wrapper_source(reading.problem, reading.outline, ())
    assert isinstance(parts_of(reading.problem)[0], Part)


NUMBERED = """
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim=-1) * 2.0


def get_inputs():
    return [torch.randn(16, 64)]


def get_init_inputs():
    return []
"""


def test_a_file_whose_name_begins_with_a_digit_runs_with_its_kernels(tmp_path: Path) -> None:
    file = tmp_path / "23_Softmax.py"
    file.write_text(NUMBERED)
    reading = read_problem(file)
    wrapper = written(tmp_path, reading, kernels_of(reading, tmp_path), "wrapper")
    assert apply(tmp_path, file).right
    fast = wrapper.wrap(loaded("numbered", file).Model())
    x = torch.randn(16, 64)
    fast(x)
    torch.testing.assert_close(fast(x), torch.softmax(x, dim=-1) * 2.0)
    assert fast.counts["kernel"] == 1


def test_a_wrapper_that_does_not_load_is_a_bad_folder_and_says_its_first_line(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(SOURCE)
    (tmp_path / "wrapper.py").write_text("raise ValueError('no such word\\nand more')\n")
    with pytest.raises(BadFolder, match=r"ValueError: no such word$") as raised:
        apply(tmp_path, tmp_path / "net.py")
    assert raised.value.code == "output.broken_wrapper"
