"""The eleven rows of the table for an H200: each a program, and what it is held against in torch.

``plain`` is the function as a person writes it, ``library`` torch's own fused one where there is one. A floor counts
each tensor once: bytes against the copy ceiling, products against the matrix ceiling.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gpu_skills.graph import DType, Role
from gpu_skills.model import Problem
from tests.benchmarks.gpu.problems import attention, matmul, rotary_half, swiglu_mlp, typed
from tests.gpu_skills import programs as of

Called = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One row. ``shapes`` are those of the inputs as a person passes them; ``theirs`` is AutoKernel's name for it."""

    name: str
    said: str
    problem: Problem
    plain: Called
    library: Called | None = None
    operations: int = 0
    theirs: str = ""
    shapes: tuple[tuple[int, ...], ...] = ()
    below: int = 0
    """Of an input of places: how many there are to choose from."""

    @property
    def size_bytes(self) -> int:
        """Return the bytes of inputs, weights and outputs, each once."""
        sizes = {DType.BF16: 2, DType.I64: 8, DType.F32: 4}
        tensors = self.problem.program.of(Role.INPUT, Role.WEIGHT, Role.OUTPUT)
        return sum(math.prod(one.shape) * sizes[one.dtype] for one in tensors)


def rows(torch: Any, scale: int = 1) -> tuple[Row, ...]:
    """Return the rows; with ``scale`` every size is that many times smaller, for a try of the programs alone."""
    do = torch.nn.functional

    def n(size: int) -> int:
        return max(size // scale, 1)

    def silu(x: Any) -> Any:
        return x * torch.sigmoid(x)

    def rmsnorm(x: Any, w: Any) -> Any:
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * w

    def rms_library(x: Any, w: Any) -> Any:
        return do.rms_norm(x, (x.shape[-1],), w, 1e-6)

    def softmax(x: Any) -> Any:
        raised = torch.exp(x - x.amax(-1, keepdim=True))
        return raised / raised.sum(-1, keepdim=True)

    def layernorm(x: Any, w: Any, b: Any) -> Any:
        return do.layer_norm(x, (x.shape[-1],), w, b, 1e-5)

    def cross_entropy(x: Any, target: Any) -> Any:
        return do.cross_entropy(x.to(torch.promote_types(x.dtype, torch.float32)), target, reduction="none")

    def rotary(x: Any, cos: Any, sin: Any) -> Any:
        low, high = x.chunk(2, -1)
        return torch.cat([low * cos - high * sin, high * cos + low * sin], -1)

    def add_rmsnorm(x: Any, r: Any, w: Any) -> Any:
        added = x + r
        return added, rmsnorm(added, w)

    def add_library(x: Any, r: Any, w: Any) -> Any:
        added = x + r
        return added, rms_library(added, w)

    def mlp(x: Any, gate: Any, up: Any, down: Any) -> Any:
        return (do.silu(x @ gate.T) * (x @ up.T)) @ down.T

    def attended(q: Any, k: Any, v: Any) -> Any:
        length = q.shape[-2]
        unseen = torch.ones(length, length, dtype=torch.bool, device=q.device).triu(1)
        scores = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).masked_fill(unseen, float("-inf"))
        return torch.softmax(scores, -1) @ v

    def attended_library(q: Any, k: Any, v: Any) -> Any:
        return do.scaled_dot_product_attention(q, k, v, is_causal=True)

    def row(name: str, said: str, problem: Problem, plain: Called, library: Called | None = None, **more: Any) -> Row:
        return Row(name, said, typed(problem, DType.BF16), plain, library, **more)

    big, heads, length = n(8192), max(n(64), 2), n(4096)
    width, hidden, batch = n(4096), n(11008), n(2048)
    seen, head = n(2048), n(32)
    return (
        row("rmsnorm", f"{big}x{big}", of.rmsnorm(big, big), rmsnorm, rms_library, theirs="rmsnorm"),
        row("softmax", f"{big}x{big}", of.softmax(big, big), softmax, lambda x: torch.softmax(x, -1), theirs="softmax"),
        row("layernorm", f"{big}x{width}", of.layernorm(big, width), layernorm, theirs="layernorm"),
        row("cross_entropy", f"{big}x{n(32000)}", of.cross_entropy(big, n(32000)), cross_entropy,
            theirs="cross_entropy", below=n(32000)),
        row("reduce_sum", f"{big}x{big}", of.reduce_sum(big, big), lambda x: x.sum(-1), theirs="reduce"),
        row("rotary", f"2x{heads // 2}x{length}x128", rotary_half(heads, length, 128), rotary,
            theirs="rotary_embedding", shapes=((2, heads // 2, length, 128), (length, 64), (length, 64))),
        row("add_rmsnorm", f"{big}x{big}", of.add_rmsnorm(big, big), add_rmsnorm, add_library),
        row("swiglu", f"{big}x{hidden}", of.silu_mul(big, hidden), lambda g, u: silu(g) * u,
            lambda g, u: do.silu(g) * u),
        row("matmul", f"{width}^3", matmul(width, width, width), lambda a, b: a @ b, operations=2 * width**3,
            theirs="matmul"),
        row("swiglu_mlp", f"{batch}x{width}x{hidden}", swiglu_mlp(batch, width, hidden), mlp,
            operations=6 * batch * width * hidden, theirs="fused_mlp"),
        row("attention", f"1x{head}x{seen}x128 causal", attention(head, seen, 128), attended, attended_library,
            operations=2 * head * seen**2 * 128, theirs="flash_attention", shapes=((1, head, seen, 128),) * 3),
    )  # fmt: skip
