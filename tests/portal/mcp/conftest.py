"""A daemon for the tests of a module, with something in its home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.portal.conftest import Installation
from tests.portal.mcp.speaking import WAIT_S


def furnished(root: Path, **extra: str) -> Installation:
    """An installation whose home holds a few files."""
    made = Installation(root, {"STEWARD_CLIENT_WAIT_S": str(WAIT_S), "STEWARD_ENCODER": "false", **extra})
    (made.home / "Downloads").mkdir(mode=0o700, parents=True)
    for name, size in [("big.iso", 5000), ("middle.zip", 3000), ("small.txt", 10)]:
        (made.home / "Downloads" / name).write_bytes(b"x" * size)
    return made


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """An installation whose daemon runs for the whole module."""
    made = furnished(tmp_path_factory.mktemp("served"))
    with made.daemon():
        yield made


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Any]:
    """An installation for one test; whatever daemon it leaves is ended."""
    made = furnished(tmp_path)
    yield made
    if made.places.socket.exists():
        made.steward("down")
