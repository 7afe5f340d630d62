"""Folders and settings: where things are, which value wins, and what a wrong one says."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from kernel import BadRequest, Folders, load_settings


def test_steward_home_puts_everything_under_one_private_folder(tmp_path: Path) -> None:
    folders = Folders({"HOME": str(tmp_path / "home"), "STEWARD_HOME": str(tmp_path / "own")})
    folders.make()
    assert {path.name for path in (tmp_path / "own").iterdir()} == {"config", "data", "state", "run"}
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o700 for path in folders.own)
    assert folders.socket.parent == folders.runtime


def test_a_folder_open_to_others_is_closed_and_a_link_is_refused(tmp_path: Path) -> None:
    folders = Folders({"HOME": str(tmp_path), "STEWARD_HOME": str(tmp_path / "own")})
    folders.make()
    folders.data.chmod(0o755)
    folders.make()
    assert stat.S_IMODE(folders.data.stat().st_mode) == 0o700
    folders.state.rmdir()
    folders.state.symlink_to(tmp_path)
    with pytest.raises(BadRequest, match="symbolic link"):
        folders.make()


def test_environment_before_file_before_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEWARD_HOME", str(tmp_path))
    assert load_settings().port == 8377
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("port = 9000\nparallel_tasks = 2\n")
    assert (load_settings().port, load_settings().parallel_tasks) == (9000, 2)
    monkeypatch.setenv("STEWARD_PORT", "9001")
    assert load_settings().port == 9001


@pytest.mark.parametrize("text", ["port = 70000", "port = 'x'", "task_timeout_s = -1", "port = ", "\0"])
def test_a_wrong_setting_is_named_with_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("STEWARD_HOME", str(tmp_path))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text(text)
    with pytest.raises(BadRequest) as wrong:
        load_settings()
    assert wrong.value.hint


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("http://pypi.org/simple", "over https alone"),
        ("https://me:secret@pypi.org/simple", "a user or a password"),
        ("https://pypi.org/simple?x=1", "before ? and #"),
        ("https:///simple", "no host"),
        ("https://pypi.org/sim ple", "a blank"),
        ("https://pypi.org:70000000/simple", "no address"),
        ("wheels", "no address and no folder"),
        ("", "no address and no folder"),
    ],
)
def test_a_wrong_index_of_packages_says_what_is_wrong_with_it(place: str, said: str) -> None:
    with pytest.raises(BadRequest) as wrong:
        load_settings(package_index=place)
    assert said in str(wrong.value)
    assert "https://pypi.org/simple" in str(wrong.value)
    assert wrong.value.hint == "Correct it with: ./steward config set package_index VALUE"


@pytest.mark.parametrize("place", ["https://pypi.org/simple", "https://[::1]:8443/s", "/srv/wheels", "~/wheels"])
def test_an_index_of_packages_is_an_address_over_https_or_a_folder(place: str) -> None:
    assert load_settings(package_index=place).package_index == place


def test_a_wrong_setting_of_the_environment_is_corrected_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEWARD_PACKAGE_INDEX", "wheels")
    with pytest.raises(BadRequest) as wrong:
        load_settings()
    assert "STEWARD_PACKAGE_INDEX" in wrong.value.hint
