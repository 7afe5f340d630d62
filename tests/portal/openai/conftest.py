"""A daemon for the tests of a module, with something in its home."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.portal.mcp.conftest import furnished


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """An installation whose daemon runs for the whole module; a call waits briefly for the person."""
    made = furnished(tmp_path_factory.mktemp("served"), STEWARD_CLIENT_WAIT_S="1")
    with made.daemon():
        yield made
