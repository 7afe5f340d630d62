from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from kernel import Folders
from portal.locate import SOCKET_PATH_BYTES, Unsafe, find_places, private_folder, short_path

ENVIRONMENTS = [
    {"STEWARD_HOME": "/srv/one"},
    {"STEWARD_HOME": "/srv/one", "XDG_RUNTIME_DIR": "/run/user/1000", "XDG_STATE_HOME": "/elsewhere"},
    {"XDG_RUNTIME_DIR": "/run/user/1000"},
    {"XDG_CONFIG_HOME": "/x/config", "XDG_DATA_HOME": "/x/data", "XDG_STATE_HOME": "/x/state"},
    {},
]


@pytest.mark.parametrize("environ", ENVIRONMENTS)
def test_the_portal_and_the_kernel_agree_where_things_are(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("STEWARD_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {**environ, "HOME": "/home/u"}.items():
        monkeypatch.setenv(name, value)
    folders, places = Folders(), find_places()
    assert (places.config, places.data, places.state, places.runtime) == folders.own
    assert places.socket == folders.socket


def test_a_relative_steward_home_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_places({"STEWARD_HOME": "s"}).config == tmp_path / "s" / "config"


def test_a_private_folder_is_made_for_the_owner_alone(tmp_path: Path) -> None:
    made = private_folder(tmp_path / "a" / "b")
    assert made.stat().st_mode & 0o777 == 0o700
    assert private_folder(made) == made


@pytest.mark.parametrize("mode", [0o701, 0o750, 0o770, 0o777])
def test_a_folder_that_others_reach_is_refused_not_repaired(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(Unsafe, match="other users"):
        private_folder(folder)
    assert folder.stat().st_mode & 0o777 == mode


def test_a_symbolic_link_and_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").touch()
    for name in ("link", "file"):
        with pytest.raises(Unsafe, match="not a plain folder"):
            private_folder(tmp_path / name)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make a folder of another user: run as root")
def test_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "theirs")
    os.chown(folder, 12345, 12345)
    with pytest.raises(Unsafe, match="another user"):
        private_folder(folder)


def test_a_socket_in_a_deep_folder_can_be_bound_and_reached(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 20) / ("er" * 20)
    folder.mkdir(parents=True)
    path = folder / "steward.sock"
    assert len(os.fsencode(path)) > SOCKET_PATH_BYTES
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as client:
        with short_path(path) as short:
            listener.bind(short)
        listener.listen()
        assert path.is_socket()
        with short_path(path) as short:
            client.connect(short)
