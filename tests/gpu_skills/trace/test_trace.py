"""Traces of ordinary PyTorch: held against it in float64, and how few sweeps they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gpu_skills.errors import NotTraced
from gpu_skills.graph import Library, Parameter, Sweep, parameters_of, structure_of
from tests.gpu_skills import programs as of

torch = pytest.importorskip("torch", reason="tracing needs PyTorch: pip install 'steward-os[kernels]'")
from gpu_skills.trace import Trace, check_trace, trace  # noqa: E402

do = torch.nn.functional
pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]  # torch.export warns of its own insides


def t(*shape: int) -> Any:
    return torch.randn(*shape)


def whole(most: int, *shape: int) -> Any:
    return torch.randint(0, most, shape)


def rms(x: Any, w: Any) -> Any:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w


def turned(x: Any, cos: Any, sin: Any) -> Any:
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


def added(x: Any, residual: Any, w: Any) -> Any:
    both = x + residual
    return both, rms(both, w)


ROWS: dict[str, tuple[Callable[..., Any], Callable[[int, int], tuple[Any, ...]]]] = {
    "rmsnorm": (rms, lambda r, c: (t(r, c), t(c))),
    "layernorm": (lambda x, w, b: do.layer_norm(x, w.shape, w, b), lambda r, c: (t(r, c), t(c), t(c))),
    "softmax": (lambda x: torch.softmax(x, -1), lambda r, c: (t(r, c),)),
    "silu_mul": (lambda g, u: do.silu(g) * u, lambda r, c: (t(r, c), t(r, c))),
    "gelu_mul": (lambda g, u: do.gelu(g, approximate="tanh") * u, lambda r, c: (t(r, c), t(r, c))),
    "bias_gelu": (lambda x, b: do.gelu(x + b, approximate="tanh"), lambda r, c: (t(r, c), t(c))),
    "rotary": (turned, lambda r, c: (t(2, r, c), t(r, c), t(r, c))),
    "add_rmsnorm": (added, lambda r, c: (t(r, c), t(r, c), t(c))),
    "reduce_sum": (lambda x: x.sum(-1), lambda r, c: (t(r, c),)),
    "cross_entropy": (lambda x, y: do.cross_entropy(x, y, reduction="none"), lambda r, c: (t(r, c), whole(c, r))),
    "transpose": (lambda x: x.T.contiguous(), lambda r, c: (t(r, c),)),
    "matmul_bias_relu": (lambda a, b, bias: torch.relu(a @ b + bias), lambda r, c: (t(r, c), t(c, 2 * r), t(2 * r))),
}


def shape_of(sweep: Sweep) -> tuple[object, ...]:
    strides = sorted(tuple(min(one, 2) for one in access.strides) for _, access in sweep.reads)
    folds = [one.fold for one in sweep.reductions]
    return len(sweep.axes), strides, folds, [(one.once, len(one.to.strides)) for one in sweep.stores]


@pytest.mark.parametrize("name", ROWS)
def test_each_row_of_the_table_is_one_sweep_like_the_one_by_hand(name: str) -> None:
    function, inputs = ROWS[name]
    traced = trace(function, inputs(6, 8))
    assert check_trace(traced, function, inputs(6, 8)) < 1e-10
    (sweep,) = traced.program.steps
    by_hand = {one.name: one for one in (*of.rows_of_the_table(6, 8), of.transpose(6, 8), of.matmul_bias_relu(6, 4, 5))}
    assert isinstance(sweep, Sweep)
    assert shape_of(sweep) == shape_of(by_hand[name].program.steps[0])
    other = trace(function, inputs(10, 12))
    assert structure_of(other.program) == structure_of(traced.program)


def attention(q: Any, k: Any, v: Any) -> Any:
    mask = torch.tril(torch.ones(q.shape[-2], q.shape[-2])).bool()
    scores = (q @ k.transpose(-1, -2)) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), -1) @ v


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...], int]] = {
    "a linear layer with its activation": (lambda x, w, b: do.gelu(do.linear(x, w, b)), (t(2, 6, 8), t(5, 8), t(5)), 1),
    "a mean of losses": (do.cross_entropy, (t(6, 8), whole(8, 6)), 2),
    "a norm over groups": (lambda x, w, b: do.group_norm(x, 2, w, b), (t(2, 6, 4, 5), t(6), t(6)), 2),
    "a norm over the batch": (lambda x, w, b: do.batch_norm(x, None, None, w, b, True), (t(2, 6, 4, 5), t(6), t(6)), 5),
    "softmax over the middle": (lambda x: torch.softmax(x, 1), (t(2, 6, 4, 5),), 1),
    "a deviation over rows": (lambda x: x.std(0), (t(6, 8),), 1),
    "a variance of all there is": (lambda x: x.var(1, unbiased=False), (t(6, 8),), 1),
    "a deviation of everything": (lambda x: x.std(unbiased=False), (t(6, 8),), 1),
    "a deviation with its mean": (lambda x: torch.std_mean(x, 1, unbiased=False, keepdim=True), (t(6, 8),), 1),
    "a variance with another correction": (lambda x: torch.var(x, 1, correction=3), (t(6, 8),), 1),
    "the same twice, turned": (lambda x: x + x.T, (t(6, 6),), 1),
    "an outer difference": (lambda x: x[:, None] - x[None, :], (t(6),), 1),
    "an embedding": (lambda i, w: do.embedding(i, w) * 2, (whole(9, 2, 3), t(9, 4)), 1),
    "one behind the other": (lambda x, y: torch.cat([x, y], 1).relu(), (t(3, 4), t(3, 5)), 2),
    "every second": (lambda x: torch.stack([x[..., ::2] * 2, x[..., 1::2] * 3], -1).flatten(-2), (t(3, 8),), 1),
    "edges": (lambda x: do.pad(x, (1, 2, 0, 1)), (t(3, 8),), 4),
    "the other direction": (lambda x: x.flip(1), (t(3, 8),), 1),
    "attention": (attention, (t(2, 3, 6, 8), t(2, 3, 6, 8), t(2, 3, 6, 8)), 3),
    "a norm of a product, and what it was made of": (
        lambda x, m, w: do.layer_norm(x @ m, (8,), w) + x, (t(6, 8), t(8, 8), t(8)), 2),
    "two norms": (lambda x, w: torch.softmax(do.rms_norm(x, (8,), w, 1e-6), -1), (t(6, 8), t(8)), 1),
    "half precision": (lambda x: torch.softmax(x.float(), -1).half(), (t(6, 8).half(),), 1),
    "bfloat16": (do.gelu, (t(6, 8).bfloat16(),), 1),
    "values and not places": (lambda x: x.max(1).values, (t(6, 8),), 1),
    "a convolution and what follows": (lambda x, w: torch.relu(do.conv2d(x, w)) * 2, (t(2, 3, 8, 8), t(4, 3, 3, 3)), 2),
    "two parts of a product": (lambda a, b: turned(a @ b, a[:, :4], a[:, :4]), (t(6, 8), t(8, 4)), 2),
    "a mean over two axes apart": (lambda x: x.mean((0, 2)), (t(3, 4, 5),), 2),
    "a chain of activations": (lambda x: do.silu(do.mish(do.silu(do.gelu(do.hardswish(x))))), (t(6, 8),), 1),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_trace_computes_what_torch_computes_in_few_steps(name: str) -> None:
    function, inputs, steps = CASES[name]
    traced = trace(function, inputs)
    assert check_trace(traced, function, inputs) < 1e-10
    assert len(traced.program.steps) == steps


def test_a_check_finds_another_function() -> None:
    traced = trace(lambda x: x.exp(), (t(3, 4),))
    with pytest.raises(NotTraced, match="away from what the module computes"):
        check_trace(traced, lambda x: x.exp() * (1 + 1e-9), (t(3, 4),))


def test_what_stays_with_its_library_says_why() -> None:
    traced = trace(lambda x: torch.cumsum(x * 2, 1), (t(3, 4),))
    (step,) = [one for one in traced.program.steps if isinstance(one, Library)]
    assert step.operation == "cumsum"
    assert "depends on the one before" in step.why


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda x: x if x.sum() > 0 else -x, "torch.export cannot trace"),
        (lambda x: do.dropout(x, 0.5), "other numbers"),
    ],
)
def test_what_cannot_be_traced_is_named(function: Callable[..., Any], said: str) -> None:
    with pytest.raises(NotTraced, match=said):
        trace(function, (t(3, 4),))


def changed_input(x: Any) -> Any:
    x.relu_()
    return x + 1


class Counted(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Writes to a buffer of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x: Any) -> Any:
        self.seen.add_(x.sum(0))
        return x + self.seen


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (changed_input, "its input x"),
        (Counted(), "its buffer seen"),
        (torch.nn.BatchNorm1d(4), "its buffer running_mean"),
        (torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4)), "its buffer 1.running_mean"),
    ],
)
def test_what_writes_to_what_it_is_given_is_refused(function: Any, said: str) -> None:
    with pytest.raises(NotTraced, match=said) as raised:
        trace(function, (t(3, 4),))
    assert raised.value.code == "trace.mutation"
    assert ".eval()" in raised.value.hint


def test_a_norm_over_the_batch_that_only_reads_its_buffers_is_traced() -> None:
    module = torch.nn.BatchNorm1d(4).double().eval()
    assert check_trace(trace(module, (t(3, 4),)), module, (t(3, 4),)) < 1e-10


def test_numbers_that_may_be_others_are_parameters() -> None:
    def scaled(slope: float) -> Trace:
        return trace(lambda x: do.leaky_relu(x * 0.3, slope) + 1e-5, (t(3, 4),))

    assert {one.value for one in parameters_of(scaled(0.2).program)} == {0.3, 0.2, 1e-5}
    assert structure_of(scaled(0.2).program) == structure_of(scaled(0.7).program)
    assert all(isinstance(one, Parameter) for one in parameters_of(scaled(0.2).program))


def test_a_long_chain_does_not_blow_up() -> None:
    def chain(x: Any) -> Any:
        for _ in range(40):
            x = x * torch.sigmoid(x)
        return x

    traced = trace(chain, (t(3, 4),))
    assert check_trace(traced, chain, (t(3, 4),)) < 1e-10
    assert 1 < len(traced.program.steps) < 10


def test_a_module_has_weights_by_name() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(8, 4), torch.nn.LayerNorm(4))
    traced = trace(module, (t(3, 8),))
    assert set(traced.weights) == {"v0_weight", "v0_bias", "v1_weight", "v1_bias"}
    assert check_trace(traced, module, (t(3, 8),)) < 1e-10
