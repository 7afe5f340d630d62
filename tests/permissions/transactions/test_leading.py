"""Never-written places that are links to somewhere, as who keeps dotfiles in a repository has them."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Refused
from permissions.transactions import leading
from permissions.transactions.leading import Leads


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


def test_a_folder_on_the_way_of_a_link_that_becomes_a_link_itself_is_seen(lab: Any) -> None:
    lab.file("far/dots/bashrc")
    other = lab.file("elsewhere/bashrc")
    leads = Leads(str(lab.home), [f"{lab.home}/.bashrc"])
    linked(lab, ".bashrc", "far/dots/bashrc")
    settle(leads)
    assert list(leads.now()) == [str(lab.home / "far/dots/bashrc")]
    (lab.home / "far/dots").rename(lab.home / "far/old")
    assert list(leads.now()) == [str(lab.home / "far/dots/bashrc")], "it dangles now"
    (lab.home / "far/dots").symlink_to(other.parent)
    assert list(leads.now()) == [str(other)]


def test_where_nothing_changes_no_link_is_followed_again(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    linked(lab, ".bashrc", "dotfiles/bashrc")
    leads = Leads(str(lab.home), [f"{lab.home}/.bashrc", f"{lab.home}/.ssh"])
    settle(leads)
    followed: list[str] = []
    monkeypatch.setattr(leading, "way_of", lambda link: followed.append(link) or iter(()))
    assert leads.now() is leads.now()
    assert not followed
    lab.file(".ssh/config")
    leads.now()
    assert followed, "the control: a folder around them has changed"


@pytest.mark.parametrize(
    ("link", "target", "passed"),
    [("a", "b/c", ["a", "b", "b/c"]), ("a", "../up/./c", ["a", "../up", "../up/c"]),
     ("a", "gone/c", ["a", "gone", "gone/c"]),
     ("a", "/nowhere/c", ["a", "/nowhere", "/nowhere/c"])],
)  # fmt: skip
def test_every_part_of_the_way_is_named(tmp_path: Path, link: str, target: str, passed: list[str]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / link).symlink_to(target)
    way = list(leading.way_of(str(tmp_path / "in" / link)))
    assert way[-len(passed) :] == [os.path.normpath(tmp_path / "in" / one) for one in passed]


def test_a_folder_that_cannot_be_read_keeps_what_was_known_of_it_and_is_read_again(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    led = linked(lab, ".ssh/config", "dotfiles/ssh-config")
    leads = Leads(str(lab.home), [f"{lab.home}/.ssh"])
    settle(leads)
    assert list(leads.now()) == [str(led)]
    lab.file(".ssh/known_hosts")

    def broken(_path: str) -> Any:
        raise OSError(errno.EIO, "input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", broken)
        assert list(leads.now()) == [str(led)]
        assert not leads._seen
    (lab.home / ".ssh" / "config").unlink()
    assert not leads.now()


def settle(leads: Leads) -> None:
    """Look until the folders have stood still for long enough that their times tell."""
    ends = time.monotonic() + 5
    while not leads._seen and time.monotonic() < ends:
        leads.now()
    assert leads._seen


def test_what_is_written_in_a_place_that_is_a_file_needs_no_new_look(tmp_path: Path) -> None:
    """Folders are watched for links that come into them; a file would be followed anew after each of its saves."""
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("x")
    folder.mkdir()
    leads = Leads(str(tmp_path / "home"), [str(file), str(folder)])
    assert list(leads._follow(str(file), str(file), {})) == []
    assert list(leads._follow(str(folder), str(folder), {})) == [str(folder)]
