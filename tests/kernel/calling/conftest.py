"""A kernel with the crew, and a home with something to lose."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernel import Folders
from tests.kernel.calling.crew import install
from tests.kernel.conftest import Bench, opened


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "crew" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


def _prepare(folders: Folders) -> None:
    for name, text in [(".ssh/id_rsa", "PRIVATE KEY"), ("Documents/thesis.txt", "thesis"),
                       ("Documents/locked/diary.txt", "diary"), ("Elsewhere/secret.txt", "SECRET")]:  # fmt: skip
        path = folders.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    install(folders)


@pytest.fixture
async def crew(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path, _prepare) as one:
        yield one
