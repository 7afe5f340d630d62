"""The person's places by name: what is found, what is left out, and what is never followed."""

from __future__ import annotations

import os
import time
import unicodedata
from pathlib import Path

import pytest

from kernel.context import world as world_module
from kernel.context.world import HomeWorld, key_of, user_folders
from tests.kernel.homes import furnish


@pytest.fixture
def home(tmp_path: Path) -> Path:
    names = (
        "Downloads/a.pdf",
        "Documents/Downloads/b.pdf",
        "Documents/Steuer Übersicht.xlsx",
        "Photos/2024/Berlin/one.jpg",
        "Trips/Berlin/two.jpg",
        "Archive/a.pdf",
        ".hidden/secret.txt",
        "project/.git/config",
        "project/node_modules/x/index.js",
        "project/readme.md",
        ".local/share/Trash/files/gone.pdf",
    )
    return furnish(tmp_path / "home", names)


def test_a_folder_directly_below_the_home_is_meant_alone(home: Path) -> None:
    assert HomeWorld(str(home)).folders("downloads") == (str(home / "Downloads"),)


def test_deeper_folders_of_one_name_are_all_found(home: Path) -> None:
    found = HomeWorld(str(home)).folders("BERLIN")
    assert set(found) == {str(home / "Photos/2024/Berlin"), str(home / "Trips/Berlin")}


def test_files_of_one_name_are_all_found(home: Path) -> None:
    assert set(HomeWorld(str(home)).files("A.pdf")) == {str(home / "Downloads/a.pdf"), str(home / "Archive/a.pdf")}


def test_a_decomposed_umlaut_is_the_same_name(home: Path) -> None:
    spoken = unicodedata.normalize("NFD", "steuer  übersicht")
    assert HomeWorld(str(home)).stems(spoken) == (str(home / "Documents/Steuer Übersicht.xlsx"),)
    assert key_of(spoken) == "steuer übersicht"


@pytest.mark.parametrize("name", ["secret.txt", "config", "index.js", "gone.pdf"])
def test_hidden_and_foreign_places_are_left_out(home: Path, name: str) -> None:
    assert HomeWorld(str(home)).files(name) == ()


def test_the_stewards_own_places_are_left_out(home: Path) -> None:
    assert HomeWorld(str(home), state=(str(home / "project"),)).files("readme.md") == ()


def test_links_are_not_followed_out_of_the_home(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "loot.txt").write_text("x")
    (home / "door").symlink_to(outside)
    (home / "loop").symlink_to(home)
    world = HomeWorld(str(home))
    assert world.files("loot.txt") == ()
    assert world.folders("door") == ()
    assert not world.exists(str(home / "door/loot.txt"))
    assert not world.exists(str(home / "door"))
    assert world.exists(str(home / "loop/Downloads/a.pdf"))  # leads back inside
    assert world.exists(str(outside / "loot.txt"))  # named as it is: policy decides


def test_what_exists_and_what_is_a_folder(home: Path) -> None:
    world = HomeWorld(str(home))
    assert world.exists(str(home / ".hidden"))  # named outright, hidden things are found
    assert world.is_folder(str(home / "Downloads"))
    assert not world.is_folder(str(home / "Downloads/a.pdf"))
    assert not world.exists(str(home / "nothing"))


@pytest.mark.parametrize("path", ["/x\x00y", "/\ud800", "x" * 100_000, ""])
def test_impossible_paths_do_not_exist(home: Path, path: str) -> None:
    world = HomeWorld(str(home))
    assert not world.is_folder(path) or path == ""
    assert not world.exists("/" + path + "/\x00")


def test_a_change_below_a_top_folder_is_seen_at_the_next_look(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_module, "_CHECK_EVERY_S", 0.0)
    world = HomeWorld(str(home))
    assert world.stems("new") == ()
    (home / "Downloads/new.txt").write_text("x")
    os.utime(home / "Downloads", ns=(time.time_ns(), time.time_ns() + 1_000_000_000))
    assert world.stems("new") == (str(home / "Downloads/new.txt"),)


def test_a_file_that_was_not_found_is_looked_for_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = HomeWorld(str(home))
    assert world.files("deep.txt") == ()
    (home / "Photos/2024/Berlin/deep.txt").write_text("x")
    assert world.files("deep.txt") == ()
    monkeypatch.setattr(world_module, "_WALK_AGAIN_S", 0.0)
    assert world.files("deep.txt") == (str(home / "Photos/2024/Berlin/deep.txt"),)


def test_a_refresh_sees_everything_at_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_module, "_CHECK_EVERY_S", 3600.0)
    world = HomeWorld(str(home))
    assert world.folders("fresh") == ()
    (home / "Photos/2024/fresh").mkdir()
    assert world.folders("fresh") == ()
    world.refresh()
    assert world.folders("fresh") == (str(home / "Photos/2024/fresh"),)


def test_what_was_deleted_is_not_offered(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_module, "_CHECK_EVERY_S", 3600.0)
    world = HomeWorld(str(home))
    assert len(world.files("a.pdf")) == 2
    (home / "Archive/a.pdf").unlink()
    assert world.files("a.pdf") == (str(home / "Downloads/a.pdf"),)


def test_the_walk_is_bounded_and_says_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert HomeWorld(str(home)).complete
    monkeypatch.setattr(world_module, "_MOST_ENTRIES", 3)
    assert not HomeWorld(str(home)).complete


def test_user_folders_answer_to_their_english_names(tmp_path: Path) -> None:
    home = tmp_path
    (home / ".config").mkdir()
    (home / "Bilder").mkdir()
    (home / "Schreibtisch").mkdir()
    (home / ".config/user-dirs.dirs").write_text(
        '# comment\nXDG_PICTURES_DIR="$HOME/Bilder"\nXDG_DESKTOP_DIR="$HOME/Schreibtisch"\n'
        'XDG_DOWNLOAD_DIR="$HOME/Fehlt"\nXDG_MUSIC_DIR="$HOME/"\nXDG_VIDEOS_DIR="/etc"\nbroken\n'
    )
    world = HomeWorld(str(home))
    assert world.folders("pictures") == (str(home / "Bilder"),)
    assert world.folders("bilder") == (str(home / "Bilder"),)
    assert world.folders("desktop") == (str(home / "Schreibtisch"),)
    assert world.folders("downloads") == ()
    assert world.folders("music") == ()
    assert world.folders("videos") == ()
    assert user_folders(str(home))["downloads"] == str(home / "Fehlt")


def test_no_home_is_an_empty_world(tmp_path: Path) -> None:
    world = HomeWorld(str(tmp_path / "nowhere"))
    assert world.folders("x") == world.files("x") == world.stems("x") == ()
    assert world.complete


def test_a_word_of_a_name_is_known(home: Path) -> None:
    world = HomeWorld(str(home))
    assert all(map(world.has_word, ["Übersicht", "steuer", "berlin", "readme"]))
    assert not any(map(world.has_word, ["übersich", "berli", "secret", ""]))
