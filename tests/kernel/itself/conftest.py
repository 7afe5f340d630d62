"""A home with nothing in it, for words that are about none."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder of its own: what other tests left behind is looked through by nobody."""
    return str(tmp_path_factory.mktemp("home"))
