"""A model of LLaMA's shape with random weights: RMS norms, rotary positions, SwiGLU, no biases."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as do


def turned(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Return ``x`` of (batch, heads, length, width) turned by its position."""
    low, high = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-high, low), dim=-1) * sin


class Norm(nn.Module):  # type: ignore[misc]
    """x over its root mean square, times a weight."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the shape of ``x``."""
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Block(nn.Module):  # type: ignore[misc]
    """Rotary attention and a gated MLP."""

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = Norm(width), Norm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        """Return (batch, length, width) for the same."""
        batch, length, width = x.shape
        normed = self.before(x)
        q, k, v = (one(normed).view(batch, length, self.heads, -1).transpose(1, 2) for one in (self.q, self.k, self.v))
        mixed = do.scaled_dot_product_attention(turned(q, cos, sin), turned(k, cos, sin), v, is_causal=True)
        x = x + self.o(mixed.transpose(1, 2).reshape(batch, length, width))
        normed = self.between(x)
        return x + self.down(do.silu(self.gate(normed)) * self.up(normed))


class Model(nn.Module):  # type: ignore[misc]
    """Token ids to logits."""

    def __init__(self, words: int, width: int, heads: int, layers: int, inner: int, longest: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.blocks = nn.ModuleList(Block(width, heads, inner) for _ in range(layers))
        self.after, self.head = Norm(width), nn.Linear(width, words, bias=False)
        half = width // heads // 2
        angles = torch.arange(longest)[:, None] * 10000.0 ** (-torch.arange(half) / half)
        self.register_buffer("cos", torch.cat((angles, angles), -1).cos())
        self.register_buffer("sin", torch.cat((angles, angles), -1).sin())

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return (batch, length, words) for ids of (batch, length)."""
        length = ids.shape[1]
        x = self.words(ids)
        for block in self.blocks:
            x = block(x, self.cos[:length], self.sin[:length])
        return self.head(self.after(x))


words, width, heads, layers, inner, longest, batch, length = 512, 128, 4, 4, 352, 64, 2, 64


def get_inputs() -> list[torch.Tensor]:
    """Return token ids."""
    return [torch.randint(0, words, (batch, length))]


def get_init_inputs() -> list[int]:
    """Return the sizes of the model."""
    return [words, width, heads, layers, inner, longest]
