"""What is never accepted: malformed effects, never-written places, links in the way."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import BadScope, Conflict, PermissionsError, Refused
from permissions.transactions.places import ANYWHERE, IN_HOME, ITSELF, SYSTEM, Places
from permissions.transactions.resolve import Folders

GOOD = {"dev": 1, "ino": 2, "size": 3, "mtime_ns": 4, "ctime_ns": 5}

MALFORMED: list[Any] = [
    None,
    [],
    "write",
    {},
    {"op": "burn", "path": "/x/y"},
    {"op": ["write"], "path": "/x/y"},
    {"op": "mkdir"},
    {"op": "mkdir", "path": 7},
    {"op": "mkdir", "path": ""},
    {"op": "mkdir", "path": "/"},
    {"op": "mkdir", "path": "relative"},
    {"op": "mkdir", "path": "~/x"},
    {"op": "mkdir", "path": "/tmp/../etc/x"},
    {"op": "mkdir", "path": "/tmp/./x"},
    {"op": "mkdir", "path": "/tmp//x"},
    {"op": "mkdir", "path": "/tmp/x/"},
    {"op": "mkdir", "path": "/tmp/x\0y"},
    {"op": "mkdir", "path": "/tmp/\ud800"},
    {"op": "mkdir", "path": "/tmp/" + "x" * 256},
    {"op": "mkdir", "path": "/tmp" + "/x" * 2100},
    {"op": "mkdir", "path": "/tmp/x", "mode": 0o777},
    {"op": "mkdir", "path": "/tmp/x", "extra": 1},
    {"op": "write", "path": "/tmp/x"},
    {"op": "write", "path": "/tmp/x", "blob": "../0001", "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "/etc/passwd", "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "", "base": None},
    {"op": "write", "path": "/tmp/x", "blob": ".", "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "missing", "base": None},
    {"op": "write", "path": "/tmp/x", "blob": 1, "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "mode": "rw", "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "mode": -1, "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "mode": True, "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "mode": 1 << 20, "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "base": 1},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "base": {}},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "base": {**GOOD, "more": 1}},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "base": {**GOOD, "ino": "2"}},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "base": {**GOOD, "ino": True}},
    {"op": "write", "path": "/tmp/x", "blob": "ok", "base": {**GOOD, "ino": 1 << 70}},
    {"op": "write", "path": "/tmp/x", "blob": "link", "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "twin", "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "folder", "base": None},
    {"op": "write", "path": "/tmp/x", "blob": "pipe", "base": None},
    {"op": "move", "path": "/tmp/x"},
    {"op": "move", "path": "/tmp/x", "source": "y", "base": GOOD},
    {"op": "copy", "path": "/tmp/x", "source": "/tmp/../y", "base": GOOD},
    {"op": "delete", "path": "/tmp/x", "source": "/tmp/y", "base": GOOD},
]


@pytest.mark.parametrize("effect", MALFORMED, ids=lambda value: str(value)[:60])
def test_a_malformed_effect_is_refused(lab: Any, effect: Any) -> None:
    staging = lab.tx.begin("r")
    folder = staging.task_folder("t")
    (folder / "ok").write_text("x")
    (folder / "link").symlink_to("/etc/passwd")
    (folder / "twin").write_text("x")
    os.link(folder / "twin", folder / "twin2")
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    with pytest.raises(BadScope) as caught:
        staging.describe("t", [effect])
    assert caught.value.code.startswith("scope.")
    assert staging.view() == ()


def test_a_sound_effect_is_accepted_where_the_malformed_ones_were_not(lab: Any) -> None:
    staging = lab.tx.begin("r")
    (staging.task_folder("t") / "ok").write_text("x")
    path = str(lab.home / "x")
    staging.describe("t", [{"op": "write", "path": path, "blob": "ok", "mode": 0o644, "base": None}])
    assert len(staging.view()) == 1


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "x\0", "x" * 200, "~1", "r~1"])
def test_a_run_or_task_id_is_never_a_path(lab: Any, name: str) -> None:
    with pytest.raises(BadScope):
        lab.tx.begin(name)
    with pytest.raises(BadScope):
        lab.tx.begin("r").task_folder(name)


@pytest.mark.parametrize("place", [*IN_HOME, *ANYWHERE, *ITSELF])
def test_no_never_written_place_is_written(lab: Any, place: str) -> None:
    staging = lab.tx.begin("r")
    lab.file("mine/x")
    for path in (lab.home / place, lab.home / place / "deep" / "er"):
        if place in ITSELF and path != lab.home / place:
            continue
        for effect in (lab.write(path, "evil"), lab.mkdir(path), lab.move(lab.home / "mine", path)):
            with pytest.raises(Refused) as caught:
                lab.describe(staging, effect)
            assert caught.value.code == "refused.place"
    assert not (lab.home / place).exists()


@pytest.mark.parametrize("place", ANYWHERE)
def test_places_of_every_project_are_protected(lab: Any, place: str) -> None:
    with pytest.raises(Refused):
        lab.stage("r", lab.write(lab.home / "code" / "project" / place, "evil"))


@pytest.mark.parametrize("place", SYSTEM)
def test_the_system_is_protected(lab: Any, place: str) -> None:
    places = Places(Path("/home/u"), ())
    if place == "/root" and os.geteuid() == 0:
        return  # it is this user's home
    with pytest.raises(Refused):
        places.check(f"{place}/x")
    with pytest.raises(Refused):
        places.check("/top")
    places.check("/home/u/x", "/srv/data/x", "/media/u/stick/x", "/run/media/u/stick/x")


def test_ordinary_neighbours_are_not_protected(lab: Any) -> None:
    for name in (".bashrc.md", "notes/.gitignore", ".config/app/settings", "sshd", "code/.gitkeep", "git/config"):
        lab.tx._shop.places.check(str(lab.home / name))


def test_stewards_own_state_is_protected(lab: Any) -> None:
    for path in (lab.top / "state" / "ledger", lab.store / "runs" / "x", lab.top / "state"):
        with pytest.raises(Refused):
            lab.stage(f"r{path.name}", lab.write(path, "evil"))


@pytest.mark.parametrize(
    "name",
    [
        ".SSH/key",
        ".ſsh/key",  # long s, NFKC
        ".s\u200bsh/key",
        ".ssh./key",
        ".ssh /key",
        "．ssh/key",
        "project/.GIT/hooks/x",
        "project/.g\u200cit/hooks/x",
        "project/GIT~1",
        ".bashrc ",
    ],
)
def test_other_spellings_are_recognised(lab: Any, name: str) -> None:
    with pytest.raises(Refused):
        lab.stage("r", lab.write(lab.home / name, "evil"))


def test_a_linked_folder_leads_to_the_real_place_once(lab: Any) -> None:
    elsewhere = lab.top / "disk" / "dl"
    elsewhere.mkdir(parents=True)
    (lab.home / "Downloads").symlink_to(elsewhere)
    changes = lab.commit("r", lab.write(lab.home / "Downloads" / "a", "x"))
    assert (elsewhere / "a").read_text() == "x"
    assert [change.path for change in changes] == [str(elsewhere / "a")]
    lab.tx.undo("r")
    assert not (elsewhere / "a").exists()


def test_a_link_into_a_never_written_place_is_seen_through(lab: Any) -> None:
    (lab.home / ".ssh").mkdir()
    (lab.home / "nice").symlink_to(".ssh")
    (lab.home / "nicer").symlink_to("nice")
    for name in ("nice", "nicer"):
        with pytest.raises(Refused):
            lab.stage(f"r-{name}", lab.write(lab.home / name / "authorized_keys", "evil"))


def test_a_never_written_file_under_another_name_is_recognised(lab: Any) -> None:
    rc = lab.file(".bashrc", "mine")
    twin = lab.home / "notes.txt"
    os.link(rc, twin)
    with pytest.raises(Refused):
        lab.commit("r", lab.over(twin, "evil"))
    assert rc.read_text() == "mine"


def test_folders_that_hold_protected_places_stay(lab: Any) -> None:
    lab.file(".config/app/x")
    for effect in (lab.delete(lab.home / ".config"), lab.move(lab.home / ".config", lab.home / "c")):
        with pytest.raises(Refused):
            lab.commit("r" + effect["op"], effect)
    with pytest.raises(Refused):
        lab.commit("home", lab.delete(lab.home))


def test_protected_things_are_not_planted_by_moving_a_folder(lab: Any) -> None:
    lab.file("evil/autostart/x.desktop")
    lab.file("repo/hooks/pre-commit")
    lab.file("project/readme")
    for source, path in (("evil", ".config"), ("repo", "project/.git"), ("repo/hooks", "project/.git/hooks")):
        for effect in (lab.move(lab.home / source, lab.home / path), lab.copy(lab.home / source, lab.home / path)):
            with pytest.raises(Refused):
                lab.commit(f"r-{effect['op']}-{len(path)}", effect)


def test_protected_things_are_not_planted_by_staging_and_moving(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "x" / "autostart" / "a.desktop", "evil"))
    lab.describe(staging, lab.move(lab.home / "x", lab.home / ".config"))
    with pytest.raises(Refused):
        staging.seal()


def test_a_link_is_not_moved_into_the_place_of_a_protected_parent(lab: Any) -> None:
    (lab.home / "evil").mkdir()
    (lab.home / "l").symlink_to("evil")
    with pytest.raises(Refused):
        lab.commit("r", lab.move(lab.home / "l", lab.home / ".config"))


def test_a_link_that_a_program_made_in_the_place_of_a_protected_parent_fails_its_call_alone(lab: Any) -> None:
    """What it leads to would hold the places from then on; the run goes on without that call."""
    lab.file("evil/autostart/x.desktop")
    staging = lab.tx.begin("r")
    made_in(staging, lab.home, "t1").joinpath(".config").symlink_to("evil")
    with pytest.raises(Refused) as refused:
        staging.take_in("t1")
    assert (refused.value.code, refused.value.subject) == ("refused.place", str(lab.home / ".config"))
    made_in(staging, lab.home, "t2").joinpath("link").symlink_to("evil")
    staging.take_in("t2")  # the control: elsewhere it may be
    staging.commit(staging.seal().seal)
    assert (lab.home / "link").is_symlink()
    assert not (lab.home / ".config").exists()


def test_a_link_does_not_become_a_protected_parent_by_moving_the_folder_around_it(lab: Any) -> None:
    shutil.rmtree(lab.home / ".local")
    lab.file("evil/applications/x.desktop")
    lab.file("site/index")
    staging = lab.tx.begin("r")
    new = made_in(staging, lab.home / "site", "t1") / "new"
    new.mkdir()
    new.joinpath("share").symlink_to("../evil")
    staging.take_in("t1")
    lab.describe(staging, lab.move(lab.home / "site" / "new", lab.home / ".local"), task="t2")
    with pytest.raises(Refused) as refused:
        staging.seal()
    assert refused.value.subject == str(lab.home / ".local" / "share")


def made_in(staging: Any, tree: Path, task: str) -> Path:
    """What a program of ``task`` makes here, it makes in ``tree``."""
    (layer,) = staging.open_trees(task, [str(tree)])
    return Path(layer.upper)


def test_a_project_with_hooks_may_move_as_a_whole(lab: Any) -> None:
    lab.file("project/.git/hooks/pre-commit", "theirs")
    lab.file("project/.git/config", "theirs")
    before = lab.snapshot()
    lab.commit("r", lab.move(lab.home / "project", lab.home / "renamed"))
    assert (lab.home / "renamed/.git/hooks/pre-commit").exists()
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_links_are_never_written_through(lab: Any) -> None:
    target = lab.file("target", "safe")
    (lab.home / "link").symlink_to(target)
    (lab.home / "dangling").symlink_to(lab.home / "nothing")
    for name in ("link", "dangling"):
        with pytest.raises(Refused):
            lab.stage(f"r-{name}", lab.over(lab.home / name, "evil"))
    assert target.read_text() == "safe"


def test_devices_and_sockets_are_refused(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(lab.home / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(lab.home)  # a socket's path must be short
        server.bind("sock")
    for name in ("pipe", "sock"):
        for effect in (lab.over(lab.home / name, "x"), lab.delete(lab.home / name)):
            with pytest.raises(Refused):
                lab.stage(f"r-{name}-{effect['op']}", effect)


@pytest.mark.parametrize("when", ["before the seal", "after the seal"])
@pytest.mark.parametrize("effect", ["write", "over", "move", "delete"])
def test_a_folder_swapped_for_a_link_is_not_followed(lab: Any, when: str, effect: str) -> None:
    victim = lab.file(".ssh/authorized_keys", "mine").parent
    lab.file("d/authorized_keys", "bait")
    lab.file("free", "x")
    path = lab.home / "d" / "authorized_keys"
    effects = {
        "write": lambda: lab.write(lab.home / "d" / "new", "evil"),
        "over": lambda: lab.over(path, "evil"),
        "move": lambda: lab.move(lab.home / "free", lab.home / "d" / "new"),
        "delete": lambda: lab.delete(path),
    }
    staging = lab.stage("r", effects[effect]())
    if when == "after the seal":
        staging.seal()
    os.rename(lab.home / "d", lab.home / "aside")
    (lab.home / "d").symlink_to(victim)
    before = lab.snapshot()
    with pytest.raises(PermissionsError) as caught:
        staging.commit(staging.seal().seal)
    assert isinstance(caught.value, Conflict)
    assert lab.snapshot() == before
    assert os.listdir(victim) == ["authorized_keys"]


def test_a_folder_swapped_for_a_link_in_the_middle_of_a_commit(lab: Any) -> None:
    victim = lab.file(".ssh/id", "mine").parent
    lab.file("d/x")
    lab.file("0")
    done = []

    def checkpoint(name: str) -> None:
        if name == "step:move" and not done:
            done.append(name)
            os.rename(lab.home / "d", lab.home / "aside")
            (lab.home / "d").symlink_to(victim)

    first = lab.move(lab.home / "0", lab.home / "1")
    staging = lab.stage("r", first, lab.write(lab.home / "d" / "new", "evil"), tx=lab.open(checkpoint))
    try:
        staging.commit(staging.seal().seal)
    except PermissionsError:
        assert (lab.home / "0").exists()
    assert done
    assert os.listdir(victim) == ["id"]


@pytest.mark.parametrize("walk", [False, True])
def test_both_ways_of_descending_refuse_links(tmp_path: Path, walk: bool) -> None:
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "file").write_text("x")
    folders = Folders(walk=walk)
    try:
        deep = tmp_path / "real" / "deep"
        assert os.fstat(folders.fd(str(deep))).st_ino == deep.stat().st_ino
        with pytest.raises(OSError, match="symbolic"):
            folders.fd(str(tmp_path / "link" / "deep"))
        with pytest.raises(OSError, match=r"symbolic|directory"):
            folders.fd(str(tmp_path / "link"))
        with pytest.raises(NotADirectoryError):
            folders.fd(str(tmp_path / "file" / "x"))
        with pytest.raises(FileNotFoundError):
            folders.fd(str(tmp_path / "none"))
        assert folders.version(str(tmp_path / "link" / "deep")) is None
    finally:
        folders.close()


@pytest.mark.parametrize("place", [".ssh/key", ".bashrc", "project/.git/hooks/pre-commit", ".gnupg/ring"])
def test_nothing_is_taken_out_of_a_never_written_place(lab: Any, place: str) -> None:
    path = lab.file(place, "mine")
    for number, effect in enumerate((lab.move(path, lab.home / "out"), lab.delete(path))):
        with pytest.raises(Refused) as refused:
            lab.stage(f"r{number}", effect)
        assert refused.value.code == "refused.place"
    with pytest.raises(Refused):
        lab.tx._shop.places.check_removal(str(path))
    with pytest.raises(Refused):
        lab.tx._shop.places.check_link(str(path))
    assert path.read_text() == "mine"
    lab.commit("free", lab.move(lab.file("plain"), lab.home / "out"))  # the control
