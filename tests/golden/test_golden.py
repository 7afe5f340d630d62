"""Every golden sentence: the expected plan, resolution and effect on disk, with no model configured."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.driver import HOMES, Case, build, cases, play
from tests.kernel.conftest import knowing


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("golden")
    return {home: build(home, folder) for home in HOMES}


@pytest.mark.slow
@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.origin}:{case.id}")
async def test_golden(case: Case, templates: dict[str, Path], tmp_path: Path) -> None:
    played = await play(case, templates[case.home], tmp_path, prepare=knowing)
    assert not played.problems, f"{case.say[-1]!r} -> {played.answer!r}\n" + "\n".join(played.problems)
