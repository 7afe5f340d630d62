"""What every test of the kernel skills keeps to."""

from __future__ import annotations

import tempfile

import pytest


@pytest.fixture(autouse=True)
def own_temporary_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done in a room changes where its process keeps temporary files, for good: here, for the test."""
    monkeypatch.setattr(tempfile, "tempdir", tempfile.gettempdir())
    for name in ("TMPDIR", "TORCHINDUCTOR_CACHE_DIR", "TORCHINDUCTOR_COMPILE_THREADS"):
        monkeypatch.setenv(name, "")
