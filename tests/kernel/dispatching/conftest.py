"""A workshop for the tests of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.kernel.dispatching.workshop import Workshop, workshop


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "shop" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Workshop]:
    async with workshop(tmp_path) as one:
        yield one
