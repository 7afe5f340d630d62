"""Processes with Triton for the tests of the family: one that interprets, one that compiles; each started once."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from gpu_skills.tiles import TritonWorker

MISSING = "there is no Triton: ./steward setup gpu"


def _there() -> None:
    if importlib.util.find_spec("triton") is None or importlib.util.find_spec("torch") is None:
        pytest.skip(MISSING)


@pytest.fixture(scope="session")
def interpreter() -> Iterator[TritonWorker]:
    """A worker that runs sources without a GPU."""
    _there()
    with TritonWorker(interpret=True) as worker:
        yield worker


@pytest.fixture(scope="session")
def compiler() -> Iterator[TritonWorker]:
    """A worker that compiles for GPUs that are not there."""
    _there()
    with TritonWorker() as worker:
        yield worker


@pytest.fixture(scope="session")
def gpu(compiler: TritonWorker) -> TritonWorker:
    """A worker with a GPU."""
    if not compiler.about["gpu"]:
        pytest.skip("there is no NVIDIA GPU that torch can use")
    return compiler
