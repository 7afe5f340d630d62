"""A model of BERT's shape with random weights: post-norm, exact GELU, attention over all places, a pooled output."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as do


class Block(nn.Module):  # type: ignore[misc]
    """Attention and an MLP, a layer norm behind each."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.between, self.after = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (batch, length, width) for the same."""
        batch, length, width = x.shape
        q, k, v = (one(x).view(batch, length, self.heads, -1).transpose(1, 2) for one in (self.q, self.k, self.v))
        weights = torch.softmax(q @ k.transpose(-1, -2) / (width // self.heads) ** 0.5, dim=-1)
        x = self.between(x + self.o((weights @ v).transpose(1, 2).reshape(batch, length, width)))
        return self.after(x + self.down(do.gelu(self.up(x))))


class Model(nn.Module):  # type: ignore[misc]
    """Token ids to a vector for each text."""

    def __init__(self, words: int, width: int, heads: int, layers: int, longest: int) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(longest, width)
        self.first = nn.LayerNorm(width, eps=1e-12)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.pool = nn.Linear(width, width)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return (batch, width) for ids of (batch, length)."""
        x = self.first(self.words(ids) + self.places(torch.arange(ids.shape[1], device=ids.device)))
        for block in self.blocks:
            x = block(x)
        return torch.tanh(self.pool(x[:, 0]))


words, width, heads, layers, longest, batch, length = 512, 128, 4, 4, 64, 2, 64


def get_inputs() -> list[torch.Tensor]:
    """Return token ids."""
    return [torch.randint(0, words, (batch, length))]


def get_init_inputs() -> list[int]:
    """Return the sizes of the model."""
    return [words, width, heads, layers, longest]
