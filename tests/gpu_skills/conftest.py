"""What every test of the kernel skills keeps to."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from unittest import mock

import pytest


@pytest.fixture(autouse=True)
def own_temporary_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is done in a room changes where its process keeps temporary files, for good: here, for the test."""
    monkeypatch.setattr(tempfile, "tempdir", tempfile.gettempdir())
    with mock.patch.dict(os.environ):
        yield
