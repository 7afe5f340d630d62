"""Trees that an overlay cannot serve are copied when small and refused by name when large; never shown empty."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from permissions.confine.machine import machine_level
from permissions.errors import BadScope, Refused, WallUnavailable
from permissions.model import CellSpec, Layer, Level
from permissions.transactions import trees
from tests.permissions.transactions.trees import Workshop, kinds

pytestmark = pytest.mark.sandbox

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="other owners and mounts need root: run the tests as root")


def furnish(lab: Any) -> Path:
    lab.file("site/index.html", "old\n")
    lab.file("site/css/main.css", "body {}\n", mode=0o640)
    lab.file("site/run.sh", "#!/bin/sh\necho ran\n", mode=0o755)
    (lab.home / "site" / "link").symlink_to("index.html")
    return Path(lab.home / "site")


PROGRAM = (
    "./run.sh && cat css/main.css && echo new > index.html && rm css/main.css && mkdir d && echo x > d/y"
    " && ln -s d/y to && chmod 700 css && mv run.sh go.sh"
)


def copied(lab: Any, workshop: Workshop, site: Path) -> None:
    """Work in a tree that is copied, commit and undo it."""
    before = lab.snapshot()
    staging = lab.tx.begin("r")
    said = workshop.works(staging, site, PROGRAM)
    assert (said["status"], said["out"]) == (0, "ran\nbody {}\n"), said
    assert lab.snapshot() == before
    changes = staging.commit(staging.seal().seal)
    assert kinds(changes, site) == {
        "index.html": "modified", "css/main.css": "deleted", "d": "created", "d/y": "created", "to": "created",
        "css": "modified", "go.sh": "moved",
    }  # fmt: skip
    assert (site / "index.html").read_text() == "new\n"
    lab.tx.undo("r")
    assert lab.snapshot() == before
    assert lab.leftovers() == []


@as_root
def test_a_tree_with_a_file_of_another_group_is_copied(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    os.chown(site / "css" / "main.css", -1, 4321)
    copied(lab, workshop, site)
    assert (site / "css" / "main.css").stat().st_gid == 4321


@as_root
def test_control_an_overlay_over_it_fails_in_the_middle(workshop: Workshop, lab: Any) -> None:
    """What the copy is for: in an overlay the program itself meets an error that no direct write has."""
    site = furnish(lab)
    os.chown(site / "index.html", -1, 4321)
    for name in ("upper", "work"):
        (lab.top / "room" / name).mkdir(parents=True)
    layer = Layer(str(site), str(lab.top / "room" / "upper"), str(lab.top / "room" / "work"), (str(site),))
    outcome = workshop.call(CellSpec(layers=(layer,)), "sh", "-c", "echo new > index.html", cwd=site)
    assert b"Value too large" in (outcome.reply or b"")


@as_root
def test_a_large_tree_that_an_overlay_cannot_serve_is_refused_by_name(
    workshop: Workshop, lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = furnish(lab)
    os.chown(site / "css" / "main.css", -1, 4321)
    for bound in ("COPIED_ENTRIES", "COPIED_BYTES"):
        monkeypatch.setattr(trees, bound, 3)
        with pytest.raises(Refused, match=r"css/main.css belongs to another user or group.*too large") as refused:
            lab.tx.begin(bound).open_trees("t1", [str(site)])
        assert refused.value.hint == "Name a smaller folder inside it."
        monkeypatch.undo()


def test_a_tree_with_too_much_to_watch_is_refused_by_name(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    site = furnish(lab)
    monkeypatch.setattr(trees, "MOST_ENTRIES", 4)
    with pytest.raises(Refused, match="site holds more than 4 files and folders"):
        lab.tx.begin("r").open_trees("t1", [str(site)])


def test_a_missing_tree_a_file_and_one_that_holds_our_own_folder_are_refused(lab: Any) -> None:
    site = furnish(lab)
    staging = lab.tx.begin("r")
    for wrong in (site / "no", site / "index.html", site / "link"):
        with pytest.raises(BadScope, match="not a folder"):
            staging.open_trees("t1", [str(wrong)])
    with pytest.raises(Refused, match="Steward's own folder"):
        staging.open_trees("t1", [str(lab.top)])
    (lab.home / ".ssh").mkdir()
    with pytest.raises(Refused, match="never written"):
        staging.open_trees("t1", [str(lab.home / ".ssh")])


def test_a_tree_that_an_earlier_step_deleted_is_refused(lab: Any) -> None:
    site = furnish(lab)
    staging = lab.tx.begin("r")
    lab.describe(staging, lab.delete(site))
    with pytest.raises(BadScope):
        staging.open_trees("t2", [str(site)])


def test_below_l3_no_program_works_in_a_tree_and_the_remedy_is_named(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    worker = workshop.runner.run(workshop.cells._worker())
    worker.level = Level.L2
    layers = lab.tx.begin("r").open_trees("t1", [str(site)])
    with pytest.raises(WallUnavailable, match="needs the wall at L3") as refused:
        workshop.call(CellSpec(layers=layers), "true", cwd=site)
    assert "./steward doctor" in refused.value.hint


# --- other file systems: in a mount namespace of their own ------------------------------------------------------------
_CLONE_NEWNS, _PRIVATE = 0x00020000, 0x4000 | 0x40000


def with_mount(lab: Any, tools: Any, mount: Callable[[Any, Path], None], act: Callable[[Workshop, Path], None]) -> int:
    """Run ``act`` in a child that sees another file system, made by ``mount``, at or in the tree."""
    site = furnish(lab)

    def inside() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.unshare(_CLONE_NEWNS) == 0
        assert libc.mount(None, b"/", None, _PRIVATE, None) == 0
        mount(libc, site)
        shop = Workshop(lab)
        act(shop, site)
        shop.close()

    return int(tools[1](inside))


def _mounted(libc: Any, kind: bytes, place: Path, options: bytes = b"") -> None:
    done = libc.mount(kind, os.fsencode(place), kind, 0, options)
    assert done == 0, os.strerror(ctypes.get_errno())


@as_root
@pytest.mark.slow
def test_a_disk_mounted_inside_is_seen_and_the_tree_copied(lab: Any, tools: Any) -> None:
    def mount(libc: Any, site: Path) -> None:
        (site / "usb").mkdir()
        _mounted(libc, b"tmpfs", site / "usb", b"size=1m")
        (site / "usb" / "photo").write_text("there\n")

    def act(shop: Workshop, site: Path) -> None:
        staging = lab.tx.begin("r")
        said = shop.works(staging, site, "cat usb/photo; echo more >> usb/photo; echo x > usb/new")
        assert said["out"] == "there\n"
        staging.commit(staging.seal().seal)
        assert (site / "usb" / "photo").read_text() == "there\nmore\n"
        assert (site / "usb" / "new").stat().st_dev == (site / "usb").stat().st_dev
        lab.tx.undo("r")
        assert (site / "usb" / "photo").read_text() == "there\n"

    assert with_mount(lab, tools, mount, act) == 0


@as_root
@pytest.mark.slow
def test_a_disk_that_is_mounted_inside_after_the_look_is_refused_not_shown_empty(lab: Any, tools: Any) -> None:
    def mount(_libc: Any, site: Path) -> None:
        (site / "usb").mkdir()

    def act(shop: Workshop, site: Path) -> None:
        layers = lab.tx.begin("r").open_trees("t1", [str(site)])
        assert layers[0].work
        _mounted(ctypes.CDLL(None, use_errno=True), b"tmpfs", site / "usb", b"size=1m")
        (site / "usb" / "photo").write_text("there\n")
        with pytest.raises(WallUnavailable):
            shop.call(CellSpec(layers=layers), "ls", "usb", cwd=site)

    assert with_mount(lab, tools, mount, act) == 0


@as_root
@pytest.mark.slow
def test_a_tree_on_an_overlay_is_copied(lab: Any, tools: Any) -> None:
    def mount(libc: Any, site: Path) -> None:
        base = lab.top / "base"
        shutil.copytree(site, base / "lower", symlinks=True)
        for name in ("upper", "work"):
            (base / name).mkdir()
        _mounted(libc, b"overlay", site, f"lowerdir={base}/lower,upperdir={base}/upper,workdir={base}/work".encode())

    assert with_mount(lab, tools, mount, lambda shop, site: copied(lab, shop, site)) == 0


@as_root
@pytest.mark.slow
def test_a_store_that_keeps_no_layers_makes_small_trees_be_copied(lab: Any, tools: Any) -> None:
    def mount(libc: Any, _site: Path) -> None:
        base = lab.top / "base"
        for name in ("lower", "upper", "work"):
            (base / name).mkdir(parents=True)
        options = f"lowerdir={base}/lower,upperdir={base}/upper,workdir={base}/work"
        _mounted(libc, b"overlay", lab.store, options.encode())
        lab.tx = lab.open()

    assert with_mount(lab, tools, mount, lambda shop, site: copied(lab, shop, site)) == 0


@as_root
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["vfat", "ext4-casefold"])
def test_a_tree_on_such_a_disk_is_copied(lab: Any, tools: Any, kind: str, tmp_path: Path) -> None:
    image = tmp_path / "image"
    maker = {"vfat": ["mkfs.vfat"], "ext4-casefold": ["mkfs.ext4", "-q", "-O", "casefold"]}[kind]
    if shutil.which(maker[0]) is None:
        pytest.skip(f"needs {maker[0]}: apt install dosfstools e2fsprogs")
    image.write_bytes(b"")
    os.truncate(image, 32 << 20)
    subprocess.run([*maker, str(image)], check=True, capture_output=True)

    def mount(_libc: Any, site: Path) -> None:
        tried = subprocess.run(["mount", "-o", "loop", str(image), str(site)], capture_output=True, check=False)
        if tried.returncode:
            os._exit(77)
        (site / "Folder").mkdir()
        if kind != "vfat" and subprocess.run(["chattr", "+F", str(site / "Folder")], check=False).returncode:
            os._exit(77)
        (site / "Folder" / "a").write_text("1\n")

    def act(shop: Workshop, site: Path) -> None:
        staging = lab.tx.begin("r")
        layers = staging.open_trees("t0", [str(site)])
        assert not layers[0].work
        said = shop.works(staging, site, "cat Folder/a; echo 2 > Folder/b; echo 3 >> Folder/a")
        assert said["out"] == "1\n"
        staging.commit(staging.seal().seal)
        assert (site / "Folder" / "a").read_text() == "1\n3\n"
        subprocess.run(["umount", str(site)], check=False)

    ended = with_mount(lab, tools, mount, act)
    if os.waitstatus_to_exitcode(ended) == 77:
        pytest.skip(f"this machine mounts no {kind} image")
    assert ended == 0


def test_the_machine_of_these_tests_has_layers() -> None:
    """A positive control: without it the tests above would prove nothing about overlays."""
    if machine_level() is not Level.L3:
        pytest.skip("needs L3: ./steward doctor")
    assert trees.store_hindrance("/tmp") == ""
