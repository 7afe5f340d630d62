"""The person's places by name: what is found, what is left out, and what is never followed."""

from __future__ import annotations

import os
import random
import shutil
import time
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest

from kernel.context import walk
from kernel.context.walk import key_of
from kernel.context.world import HomeWorld, user_folders
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


def test_what_was_just_made_is_seen_at_the_next_look(home: Path) -> None:
    world = HomeWorld(str(home))
    for number in range(50):  # as fast as it goes: many of these fall into one tick of the file system's clock
        deep = home / f"Photos/2024/Berlin/deep{number}.txt"
        world.look()
        deep.write_text("x")
        world.look()
        assert world.files(deep.name) == world.stems(deep.stem) == (str(deep),)


def test_between_two_looks_nothing_is_read(home: Path) -> None:
    world = HomeWorld(str(home))
    assert world.folders("fresh") == ()
    (home / "Photos/2024/fresh").mkdir()
    assert world.folders("fresh") == ()
    world.look()
    assert world.folders("fresh") == (str(home / "Photos/2024/fresh"),)


def test_a_folder_that_moved_takes_its_files_along(home: Path) -> None:
    world = HomeWorld(str(home))
    (home / "Photos/2024/Berlin/one.jpg").write_text("x")
    world.look()
    (home / "Photos/2024").rename(home / "Archive/old")
    world.look()
    assert world.files("one.jpg") == (str(home / "Archive/old/Berlin/one.jpg"),)
    assert world.folders("berlin") == (str(home / "Trips/Berlin"), str(home / "Archive/old/Berlin"))
    assert world.folders("2024") == ()
    assert not world.has_word("2024")


def test_a_time_set_back_hides_no_change(home: Path) -> None:
    world = HomeWorld(str(home))
    time.sleep(0.05)
    world.look()
    before = (home / "Downloads").stat()
    (home / "Downloads/late.txt").write_text("x")
    os.utime(home / "Downloads", ns=(before.st_atime_ns, before.st_mtime_ns))
    world.look()
    assert len(world.files("late.txt")) == 1


def test_what_one_look_does_not_see_the_next_ones_do(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        (home / f"Photos/{number}/far").mkdir(parents=True)
        (home / f"Photos/{number}/far/{number}.raw").write_text("x")
    monkeypatch.setattr(walk, "_FIRST_BUDGET_S", 0.0)
    monkeypatch.setattr(walk, "_LEAST_ENTRIES", 3)
    monkeypatch.setattr(walk, "_NEAR", 2)
    world = HomeWorld(str(home))
    assert not world.complete
    for _ in range(100):
        world.look()
    assert world.complete
    assert len(world.files("29.raw")) == 1
    (home / "Photos/29/far/29.raw").rename(home / "Photos/29/far/moved.raw")
    for _ in range(100):
        world.look()
    assert len(world.files("moved.raw")) == 1


@pytest.mark.parametrize("seed", range(20))
def test_after_any_changes_a_look_finds_what_a_new_walk_finds(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    world = HomeWorld(str(tmp_path))
    for _ in range(12):
        for _ in range(chance.randrange(6)):
            _change(tmp_path, chance)
        world.look()
        anew = HomeWorld(str(tmp_path))
        for name in "abcd":
            assert world.folders(name) == anew.folders(name)
            assert world.files(f"{name}.txt") == anew.files(f"{name}.txt")
            assert world.stems(name) == anew.stems(name)
            assert world.has_word(name) == anew.has_word(name)
            assert world.parts(name) == anew.parts(name) or len(anew.parts(name)) > 8


def _change(home: Path, chance: random.Random) -> None:
    folders = [home, *(path for path in home.rglob("*") if path.is_dir())]
    here, name = chance.choice(folders), chance.choice("abcd")
    match chance.randrange(5):
        case 0 | 1:
            (here / name).mkdir(exist_ok=True)
        case 2:
            (here / f"{name}.txt").write_text("x")
        case 3 if here != home:
            shutil.rmtree(here)
        case 4 if here != home and not (other := chance.choice(folders) / f"{name}{name}").exists():
            with suppress(OSError):  # not into itself
                here.rename(other)
        case _:
            pass


def test_what_was_deleted_is_not_offered(home: Path) -> None:
    world = HomeWorld(str(home))
    assert len(world.files("a.pdf")) == 2
    (home / "Archive/a.pdf").unlink()
    assert world.files("a.pdf") == (str(home / "Downloads/a.pdf"),)


def test_the_walk_is_bounded_and_says_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert HomeWorld(str(home)).complete
    monkeypatch.setattr(walk, "_MOST_ENTRIES", 3)
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


def test_a_copy_of_a_walk_is_changed_apart(home: Path) -> None:
    world = HomeWorld(str(home))
    world.look()
    whole = world._walk
    before = {name: repr(value) for name, value in _maps(whole).items()}
    other = whole.copied()
    assert _maps(other) == _maps(whole)
    other.take(str(home / "Archive"), folder=True)
    other.take(str(home / "project/readme.md"), folder=False)
    other.put(str(home / "Photos/a.pdf"), folder=False)
    other.put(str(home / "Archive/Berlin"), folder=True)
    shutil.rmtree(home / "Trips")
    other.look()
    assert {name: repr(value) for name, value in _maps(whole).items()} == before
    assert "a.pdf" in whole.files


def _maps(one: walk.Walk) -> dict[str, object]:
    flat = {name: value for name, value in vars(one).items() if name not in ("named", "version")}
    return flat | {f"named{name}": value for name, value in vars(one.named).items()}
