"""The twelve rows that the optimizer is measured on, as somebody would write them in PyTorch: a user's file.

``ROWS`` says which function and shapes make a row. Nothing else imports torch here than what runs the functions.
"""

from __future__ import annotations

import torch
from torch.nn import functional as do


def rmsnorm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Root mean square norm, step by step."""
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight


def rms_norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """The same as one call of the library."""
    return do.rms_norm(x, (x.shape[-1],), weight, 1e-6)


def layernorm(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Layer norm."""
    return do.layer_norm(x, (x.shape[-1],), weight, bias)


def softmax(x: torch.Tensor) -> torch.Tensor:
    """Softmax of each row."""
    return torch.softmax(x, dim=-1)


def silu_mul(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    """The activation of SwiGLU."""
    return do.silu(gate) * up


def gelu_mul(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    """The activation of GeGLU."""
    return do.gelu(gate, approximate="tanh") * up


def bias_gelu(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """A bias, and GELU."""
    return do.gelu(x + bias, approximate="tanh")


def rotary(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Rotary embedding: the halves of a head turned."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


def add_rmsnorm(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A residual, and the norm of the sum: both are results."""
    added = x + residual
    return added, added * torch.rsqrt(added.pow(2).mean(-1, keepdim=True) + 1e-6) * weight


def reduce_sum(x: torch.Tensor) -> torch.Tensor:
    """The sum of each row."""
    return x.sum(dim=-1)


def cross_entropy(x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """The loss of each row."""
    return do.cross_entropy(x, target, reduction="none")
