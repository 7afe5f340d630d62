"""Every golden sentence: the expected plan, resolution and effect on disk, with no model configured."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.driver import Case, cases, play
from tests.golden.home import build_home


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("golden") / "home"
    build_home(home)
    return home


@pytest.mark.slow
@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.origin}:{case.id}")
async def test_golden(case: Case, template: Path, tmp_path: Path) -> None:
    played = await play(case, template, tmp_path)
    assert not played.problems, f"{case.say[-1]!r} -> {played.answer!r}\n" + "\n".join(played.problems)
