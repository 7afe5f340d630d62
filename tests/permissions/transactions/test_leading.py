"""Never-written places that are links to somewhere, as who keeps dotfiles in a repository has them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Refused


def linked(lab: Any, place: str, target: str) -> Path:
    """Make ``place`` a link to ``target``, both of the home; return where it leads."""
    path = Path(lab.home, place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(lab.home / target)
    return Path(lab.home, target)


def writing(lab: Any, path: Path, run: str = "r") -> None:
    lab.commit(run, lab.over(path, "evil") if path.exists() else lab.write(path, "evil"))


@pytest.mark.parametrize(("place", "target", "below"), [
    (".bashrc", "dotfiles/bashrc", ""), (".ssh", "keys", "/id"), (".config", "dotfiles/config", "/fish/config.fish"),
    (".ssh/config", "dotfiles/ssh-config", ""), (".config/systemd/user", "dotfiles/units", "/x.service"),
])  # fmt: skip
@pytest.mark.parametrize("there", [True, False])
def test_what_a_place_really_is_is_not_written_either(
    lab: Any, place: str, target: str, below: str, there: bool
) -> None:
    path = lab.home / f"{target}{below}"
    path.parent.mkdir(parents=True)
    writing(lab, path)  # the control: without the link it is a file like others
    if not there:
        path.unlink()
    linked(lab, place, target)
    with pytest.raises(Refused, match="is never written by a run: it belongs to .*" + place.rpartition("/")[2]):
        writing(lab, path, "s")
    assert path.exists() is there


def test_a_place_that_becomes_a_link_while_steward_runs_is_noticed_and_one_that_is_none_any_more(lab: Any) -> None:
    path = lab.file("dotfiles/bashrc")
    writing(lab, path)
    place = lab.home / ".bashrc"
    place.symlink_to(path)
    with pytest.raises(Refused):
        writing(lab, path, "s")
    place.unlink()
    writing(lab, path, "t")
    assert path.read_text() == "evil"


def test_a_link_that_is_turned_to_another_file_is_followed_anew(lab: Any) -> None:
    one, other = lab.file("dotfiles/one"), lab.file("dotfiles/other")
    place = linked(lab, ".bashrc", "dotfiles/one")
    with pytest.raises(Refused):
        writing(lab, place)
    (lab.home / ".bashrc").unlink()
    linked(lab, ".bashrc", "dotfiles/other")
    writing(lab, one, "s")
    with pytest.raises(Refused):
        writing(lab, other, "t")


def test_a_link_on_the_way_that_is_turned_is_followed_anew_and_times_put_back_hide_nothing(lab: Any) -> None:
    one, other = lab.file("dotfiles/one"), lab.file("dotfiles/other")
    (lab.home / "far" / "off").mkdir(parents=True)
    between = linked(lab, ".bashrc", "far/off/between")
    between.symlink_to(one)
    with pytest.raises(Refused):
        writing(lab, one)
    between.unlink()
    between.symlink_to(other)
    with pytest.raises(Refused):
        writing(lab, other, "s")
    (lab.home / ".bashrc").unlink()
    long_ago = 1_600_000_000
    os.utime(lab.home, (long_ago, long_ago))
    writing(lab, other, "t")
    linked(lab, ".bashrc", "dotfiles/other")
    os.utime(lab.home, (long_ago, long_ago))
    with pytest.raises(Refused):
        writing(lab, other, "u")


@pytest.mark.parametrize("effect", ["delete", "move"])
def test_the_folder_where_they_really_lie_stays(lab: Any, effect: str) -> None:
    lab.file("dotfiles/bashrc")
    linked(lab, ".bashrc", "dotfiles/bashrc")
    there = lab.home / "dotfiles"
    with pytest.raises(Refused, match="a folder that holds protected places"):
        lab.commit("r", lab.delete(there) if effect == "delete" else lab.move(there, lab.home / "elsewhere"))
    assert (there / "bashrc").exists()


def test_a_link_back_to_the_home_does_not_close_it(lab: Any) -> None:
    (lab.home / ".vim").symlink_to(lab.home)
    (lab.home / ".config").mkdir()
    (lab.home / ".config" / "fish").symlink_to(lab.home.parent)
    writing(lab, lab.home / "letter.txt")
    assert (lab.home / "letter.txt").read_text() == "evil"


def test_a_project_whose_hooks_are_a_link_keeps_them(lab: Any) -> None:
    """There the place is known by its name alone; where it leads could be anywhere."""
    lab.file("shared/pre-commit")
    (lab.home / "project" / ".git").mkdir(parents=True)
    (lab.home / "project" / ".git" / "hooks").symlink_to(lab.home / "shared")
    with pytest.raises(Refused):
        lab.stage("r", lab.write(lab.home / "project/.git/hooks/pre-push", "evil"))


def test_a_loop_of_links_is_no_obstacle(lab: Any) -> None:
    os.symlink(".bashrc", lab.home / ".profile")
    os.symlink(".profile", lab.home / ".bashrc")
    writing(lab, lab.home / "letter.txt")
    with pytest.raises(Refused):
        writing(lab, lab.home / ".bashrc", "s")
