"""Places held as descriptors: what vanishes or is swapped between grant and use is refused, as the system sees it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from permissions.errors import BadScope, Refused
from permissions.policy.held import Places, hold


@pytest.fixture
def granted(tmp_path: Path) -> Path:
    folder = tmp_path / "granted"
    folder.mkdir()
    (folder / "a.txt").write_text("mine")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.txt").write_text("secret")
    return folder


def swapped_for_a_link(folder: Path) -> None:
    folder.rename(folder.with_name("aside"))
    folder.symlink_to("secret")


def swapped_for_a_folder(folder: Path) -> None:
    folder.rename(folder.with_name("aside"))
    folder.mkdir()


def vanished(folder: Path) -> None:
    folder.rename(folder.with_name("aside"))


def exchanged(folder: Path) -> None:
    folder.rename(folder.with_name("aside"))
    folder.with_name("secret").rename(folder)


@pytest.mark.parametrize("attack", [swapped_for_a_link, swapped_for_a_folder, vanished, exchanged])
def test_what_is_not_there_any_more_is_refused_by_name(granted: Path, attack: Callable[[Path], None]) -> None:
    with Places([str(granted), str(granted / "a.txt")]) as places:
        places.check()
        attack(granted)
        with pytest.raises(Refused, match="granted") as refused:
            places.check()
        assert refused.value.code == "refused.swapped"


def test_the_descriptor_names_what_was_granted_where_the_path_names_the_swap(granted: Path) -> None:
    """The control: by its path the attack succeeds, by what is held it does not."""
    with Places([str(granted)]) as places:
        exchanged(granted)
        assert (granted / "a.txt").read_text() == "secret"
        inside = os.open("a.txt", os.O_RDONLY, dir_fd=places.held[0].descriptor)
        try:
            assert os.read(inside, 10) == b"mine"
        finally:
            os.close(inside)


def test_what_only_changes_inside_is_still_there(granted: Path) -> None:
    with Places([str(granted)]) as places:
        (granted / "b.txt").write_text("more")
        (granted / "a.txt").unlink()
        places.check()


def test_a_path_that_vanished_before_it_was_held_is_refused(granted: Path) -> None:
    with pytest.raises(Refused) as refused:
        Places([str(granted), str(granted / "gone.txt")])
    assert refused.value.code == "refused.vanished"


def test_a_magic_link_is_not_followed_and_the_control_shows_that_it_would_lead_there(granted: Path) -> None:
    descriptor = os.open(granted, os.O_RDONLY)
    try:
        for path in (f"/proc/self/fd/{descriptor}", f"/proc/self/root{granted}", "/proc/self/cwd"):
            assert Path(path).exists(), "the control"
            with pytest.raises(Refused) as refused:
                hold(path)
            assert refused.value.code == "refused.elsewhere"
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(
    ("target", "code"),
    [("../secret/a.txt", "refused.elsewhere"), ("{tmp}/secret/a.txt", "refused.elsewhere"), ("a.txt", "")],
)
def test_within_a_place_a_link_may_not_leave_it(granted: Path, tmp_path: Path, target: str, code: str) -> None:
    (granted / "link").symlink_to(target.format(tmp=tmp_path))
    assert (granted / "link").read_text(), "the control: by its path it can be read"
    with Places([str(granted)]) as places:
        if not code:
            place = hold(str(granted / "link"), within=places.held[0])
            assert place.ino == os.stat(granted / "a.txt").st_ino
            os.close(place.descriptor)
            return
        with pytest.raises(Refused) as refused:
            hold(str(granted / "link"), within=places.held[0])
        assert refused.value.code == code


def test_beside_a_place_is_not_within_it(granted: Path, tmp_path: Path) -> None:
    with Places([str(granted)]) as places, pytest.raises(Refused):
        hold(str(tmp_path / "secret"), within=places.held[0])


@pytest.mark.parametrize("path", ["", "relative", "/a/../b", "/a/", "//a", "/a\0b", "/a/./b", "~/x"])
def test_a_malformed_path_is_refused_before_anything_is_opened(path: str) -> None:
    with pytest.raises(BadScope):
        hold(path)


def test_a_name_full_of_escape_codes_is_shown_safely(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        hold(str(tmp_path / "\x1b[2J\u202egone"))
    assert "\x1b" not in str(refused.value) + refused.value.subject
    assert "\u202e" not in str(refused.value)


def test_nothing_stays_open(granted: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for paths in ([str(granted)] * 3, [str(granted), str(granted / "gone")]):
        try:
            with Places(paths) as places:
                assert len(places.held) == 1
        except Refused:
            pass
        assert len(os.listdir("/proc/self/fd")) == before
