"""What a later call sees of what is staged, by itself: in a layer, or in a copy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Refused
from permissions.transactions import trees


def laid(staging: Any, tree: Path) -> Path:
    """Open ``tree`` to another task; return where what is staged lies for it."""
    (layer,) = staging.open_trees("t2", [str(tree)])
    return Path(layer.below[0] if layer.below else layer.upper)


@pytest.mark.parametrize("mode", [0o755, 0o600])
def test_a_staged_file_has_the_mode_that_it_will_have(lab: Any, mode: int) -> None:
    site = lab.file("site/old", mode=0o640).parent
    staging = lab.stage(
        "r", lab.write(site / "new", "n", mode=mode), lab.over(site / "old", "o", mode=mode), lab.mkdir(site / "made")
    )
    found = laid(staging, site)
    assert [(found / name).stat().st_mode & 0o777 for name in ("new", "old")] == [mode, mode]
    staging.drop()


def test_a_large_folder_that_an_earlier_step_moved_in_is_not_copied_to_be_shown(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = lab.file("site/index.html").parent
    for name in "abcd":
        lab.file(f"large/{name}")
    monkeypatch.setattr(trees, "COPIED_ENTRIES", 4)
    staging = lab.stage("r", lab.move(lab.home / "large", site / "here"))
    with pytest.raises(Refused) as refused:
        staging.open_trees("t2", [str(site)])
    assert (refused.value.code, refused.value.subject) == ("refused.tree", str(lab.home / "large"))
    staging.drop()
    (lab.home / "large" / "d").unlink()
    staging = lab.stage("r2", lab.move(lab.home / "large", site / "here"))
    assert sorted(one.name for one in (laid(staging, site) / "here").iterdir()) == ["a", "b", "c"]  # the control
    staging.drop()
