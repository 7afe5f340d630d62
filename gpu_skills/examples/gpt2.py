"""A model of GPT-2's shape with random weights: four small layers, learned positions, pre-norm, tanh-GELU."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as do


class Block(nn.Module):  # type: ignore[misc]
    """Causal attention and an MLP, each behind a layer norm."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attend, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (batch, length, width) for the same."""
        batch, length, width = x.shape
        parts = self.attend(self.before(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        mixed = do.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(do.gelu(self.up(self.between(x)), approximate="tanh"))


class Model(nn.Module):  # type: ignore[misc]
    """Token ids to logits."""

    def __init__(self, words: int, width: int, heads: int, layers: int, longest: int) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(longest, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.after = nn.LayerNorm(width)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return (batch, length, words) for ids of (batch, length)."""
        x = self.words(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x)
        return do.linear(self.after(x), self.words.weight)


words, width, heads, layers, longest, batch, length = 512, 128, 4, 4, 64, 2, 64


def get_inputs() -> list[torch.Tensor]:
    """Return token ids."""
    return [torch.randint(0, words, (batch, length))]


def get_init_inputs() -> list[int]:
    """Return the sizes of the model."""
    return [words, width, heads, layers, longest]
