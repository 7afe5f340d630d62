"""Places held as descriptors: what vanishes or is swapped between grant and use is refused, as the system sees it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from permissions.errors import BadScope, Refused
from permissions.policy.held import MOST_OPEN, Places


@pytest.fixture
def granted(tmp_path: Path) -> Path:
    folder = tmp_path / "granted"
    folder.mkdir()
    (folder / "a.txt").write_text("mine")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.txt").write_text("secret")
    return folder


def test_the_identity_is_that_of_what_was_resolved_whatever_comes_there_later(granted: Path) -> None:
    with Places([str(granted), str(granted / "a.txt")]) as places:
        found = [(one.path, one.dev, one.ino) for one in places.identities]
        assert found == [(str(path), path.stat().st_dev, path.stat().st_ino) for path in (granted, granted / "a.txt")]
        granted.rename(granted.with_name("aside"))
        granted.with_name("secret").rename(granted)
        assert (granted / "a.txt").stat().st_ino != places.identities[1].ino


def test_what_is_held_keeps_its_inode_while_the_control_s_is_given_away(granted: Path) -> None:
    """Else a file that is made anew could pass for the one that was deleted."""

    def made_again(name: str) -> bool:
        path = granted / "a.txt"
        before = path.stat().st_ino
        path.unlink()
        others = [granted / f"{name}{number}.txt" for number in range(50)]
        for other in others:
            other.touch()
        again = before in {other.stat().st_ino for other in others}
        others[0].rename(path)
        return again

    with Places([str(granted / "a.txt")]):
        assert not made_again("held")
    if not made_again("control"):
        pytest.skip("this file system gives no inode away twice so soon; nothing to prove")


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
                Places([path])
            assert refused.value.code == "refused.elsewhere"
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("path", ["link", "link/a.txt", "granted/inner"])
def test_a_link_is_not_followed_wherever_it_stands(granted: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "link").symlink_to("granted")
    (granted / "inner").symlink_to("a.txt")
    assert (tmp_path / path).exists(), "the control"
    with pytest.raises(Refused) as refused:
        Places([str(tmp_path / path)])
    assert refused.value.code == "refused.elsewhere"


@pytest.mark.parametrize("path", ["", "relative", "/a/../b", "/a/", "//a", "/a\0b", "/a/./b", "~/x", "/a\ud800b"])
def test_a_malformed_path_is_refused_before_anything_is_opened(path: str) -> None:
    with pytest.raises(BadScope) as refused:
        Places([path])
    assert refused.value.hint


def test_a_name_full_of_escape_codes_is_shown_safely(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        Places([str(tmp_path / "\x1b[2J\u202egone")])
    assert "\x1b" not in str(refused.value) + refused.value.subject
    assert "\u202e" not in str(refused.value)


def test_nothing_stays_open(granted: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    many = [granted / f"{number}.txt" for number in range(3 * MOST_OPEN)]
    for path in many:
        path.touch()
    for paths, most in (([granted] * 3, 1), ([granted, granted / "gone"], 0), (many, MOST_OPEN)):
        try:
            with Places(map(str, paths)) as places:
                assert len(places.identities) == len(set(paths))
                assert len(os.listdir("/proc/self/fd")) == before + most
        except Refused:
            assert most == 0
        assert len(os.listdir("/proc/self/fd")) == before
