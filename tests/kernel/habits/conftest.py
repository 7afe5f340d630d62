"""A diary in a ledger of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kernel.habits.diary import Diary


@pytest.fixture
def diary(tmp_path: Path) -> Iterator[Diary]:
    """Some weeks of other things have been asked already."""
    diary = Diary.of_weeks(tmp_path / "ledger")
    yield diary
    diary.ledger.close()
