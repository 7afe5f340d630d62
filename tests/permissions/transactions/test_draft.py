"""Where prepared things wait: out of the user's sight where a rename can bring them, and no folder is touched for it
that need not be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from permissions.transactions.draft import Draft


def everything(lab: Any) -> list[dict[str, Any]]:
    """Changes that need something prepared: an overwrite, a new file, one deleted, two with the same content."""
    return [
        lab.over(lab.file("text"), "new"), lab.write(lab.home / "deep" / "new", "n"), lab.delete(lab.file("gone")),
        lab.copy(lab.file("one"), lab.home / "two"), lab.over(lab.file("other"), "new"),
    ]  # fmt: skip


def watched(lab: Any) -> tuple[Callable[[str], None], set[str]]:
    """A checkpoint at which somebody looks into the home, and what of ours was to be seen there."""
    seen: set[str] = set()
    return lambda _name: seen.update(path.name for path in lab.home.rglob(".steward-*")), seen


@pytest.mark.parametrize("apart", [False, True])
def test_on_one_disk_nothing_of_ours_is_to_be_seen_in_the_home(
    lab: Any, monkeypatch: pytest.MonkeyPatch, apart: bool
) -> None:
    """The control: where our folder is on another disk, they have to wait beside the thing."""
    if apart:
        mount = Draft.mount
        monkeypatch.setattr(
            Draft, "mount", lambda self, path: (0, 0) if path.startswith(str(lab.store)) else mount(self, path)
        )
    look, seen = watched(lab)
    lab.tx = lab.open(look)
    lab.commit("r", *everything(lab))
    lab.tx.undo("r")
    assert bool(seen) is apart
    assert lab.leftovers() == []


@pytest.mark.parametrize(("mode", "opened"), [(0o755, False), (0o700, False), (0o555, True)])
def test_a_folder_is_opened_up_only_where_its_mode_forbids_to_take_something_out(
    lab: Any, mode: int, opened: bool
) -> None:
    """To open one changes its mode for a moment: everybody can come in meanwhile, and its times move."""
    path, names = lab.home / "made", []
    lab.commit("r", lab.mkdir(path))
    path.chmod(mode)
    lab.open(names.append).undo("r")
    assert ("step:meta" in names) is opened
    assert not path.exists()
