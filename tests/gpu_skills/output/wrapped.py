"""Modules and a function to be wrapped, their kernels, and their wrappers as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from gpu_skills.building import build, this_machine
from gpu_skills.cpp import generate, space_of
from gpu_skills.graph import structure_of
from gpu_skills.intake import Reading
from gpu_skills.model import Candidate, Language
from gpu_skills.output.wrapper import Kept, wrapper_source
from gpu_skills.parts import parts_of

SOURCE = """
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding=1)
        self.norm = nn.LayerNorm(64)
        self.lin = nn.Linear(64, 48)

    def forward(self, x):
        y = F.gelu(self.norm(self.conv(x)), approximate="tanh")
        return self.lin(y) * 2.0, y.sum(-1)


class Small(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.factor = 2.0
        self.norm, self.act, self.lin = nn.LayerNorm(64), nn.GELU(), nn.Linear(64, 6 * width)
        self.sizes = [64, 48]

    def forward(self, x):
        return self.lin(self.act(self.norm(x))) * self.factor


class Tied(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down, self.up = nn.Linear(64, 8 * width), nn.Linear(64, 64)
        self.up.weight = self.down.weight

    def forward(self, x):
        return self.up(F.gelu(self.down(x)))


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.block = nn.Conv2d(3, 3, 1), Block(width)

    def forward(self, x):
        return self.block(self.first(x))[0]


def get_inputs():
    return [torch.randn(2, 3, 16, 64)]


def get_init_inputs():
    return [8]


def scaled(x, w, factor=2.0):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w * factor
"""


def loaded(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # as every import does: where the source of a class lies is looked up there
    spec.loader.exec_module(module)
    return module


def kernels_of(reading: Reading, folder: Path) -> list[Kept]:
    found = []
    for part in parts_of(reading.problem):
        program, machine = part.problem.program, this_machine()
        genome = space_of(program, machine).default
        source = generate(program, genome, machine)
        made = build(Candidate(f"k{part.begin}", structure_of(program), Language.CPP, source, genome), folder)
        found.append(Kept(part, made.library.name, made.sha256))
    return found


def written(place: Path, block: Reading, kept: list[Kept], name: str) -> ModuleType:
    file = place / f"{name}.py"
    file.write_text(wrapper_source(block.problem, block.outline, kept))
    return loaded(name, file)
