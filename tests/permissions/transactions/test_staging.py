"""A staging that has ended: nothing of it happens any more, and it takes nothing from the next one."""

from __future__ import annotations

from typing import Any

import pytest

from permissions.errors import Refused
from permissions.transactions.effects import Effect, Op


def test_what_was_dropped_is_not_carried_out_by_its_old_approval(lab: Any) -> None:
    staging = lab.stage("r", lab.mkdir(lab.home / "made"))
    approved = staging.seal().seal
    staging.drop()
    for act in (lambda: staging.commit(approved), staging.keep, staging.diff):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "refused.closed"
    assert not (lab.home / "made").exists()


@pytest.mark.parametrize("sealed", [True, False])
def test_nothing_is_added_to_what_has_ended(lab: Any, sealed: bool) -> None:
    staging = lab.stage("r", lab.mkdir(lab.home / "made"))
    if sealed:
        staging.seal()
    staging.drop()
    with pytest.raises(Refused) as refused:
        staging.describe("t1", [lab.mkdir(lab.home / "more")])
    assert refused.value.code == "refused.closed"


def test_to_drop_again_leaves_alone_what_has_the_name_by_now(lab: Any) -> None:
    first = lab.stage("r", lab.write(lab.home / "a", "first"))
    first.drop()
    second = lab.stage("r", lab.write(lab.home / "a", "second"))
    first.drop()
    second.commit(second.seal().seal)
    assert (lab.home / "a").read_text() == "second"


def test_no_link_is_taken_in_where_a_never_written_place_would_lie_behind_it(lab: Any) -> None:
    """It is refused to the call that made it, at once; the run goes on without it."""
    staging = lab.stage("r", lab.mkdir(lab.home / "made"))
    with pytest.raises(Refused) as refused:
        staging._take("t2", [Effect(Op.LINK, str(lab.home / ".config"), target="made")], lambda _effects: None)
    assert refused.value.code == "refused.place"
    staging.commit(staging.seal().seal)
    assert (lab.home / "made").is_dir()


@pytest.mark.parametrize("way", ["move", "copy"])
def test_no_link_comes_where_a_never_written_place_would_lie_behind_it(lab: Any, way: str) -> None:
    lab.file("mine/x")
    link = lab.home / "link"
    link.symlink_to("mine")
    with pytest.raises(Refused) as refused:
        lab.stage("r", getattr(lab, way)(link, lab.home / ".config"))
    assert refused.value.code == "refused.place"
    lab.commit("r2", getattr(lab, way)(link, lab.home / "free"))  # the control
    assert (lab.home / "free").is_symlink()


def test_nothing_is_moved_out_of_hooks_that_are_a_link(lab: Any) -> None:
    """By its real path it is a file like any other; by the name that it was asked for it is a hook."""
    hook = lab.file("shared/pre-commit")
    hooks = lab.home / "project" / ".git" / "hooks"
    hooks.parent.mkdir(parents=True)
    hooks.symlink_to(hook.parent)
    with pytest.raises(Refused) as refused:
        lab.stage("r", lab.move(hooks / "pre-commit", lab.home / "out"))
    assert refused.value.code == "refused.place"
    assert hook.exists()
