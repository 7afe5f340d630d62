"""What a program did is committed whole or not at all, whatever dies when; so is its undo."""

from __future__ import annotations

import base64
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from permissions.transactions import Staging
from permissions.transactions.effects import Effect, Op
from permissions.transactions.model import Version

pytestmark = pytest.mark.slow


def staged(lab: Any, tx: Any) -> Staging:
    """A run with everything that only a program does: links, modes, times, attributes, a file of its own."""
    site = lab.home / "site"
    staging: Staging = tx.begin("r")
    folder = staging.task_folder("t1")
    for name in ("w1", "w2"):
        (folder / name).write_text(f"new {name}\n")

    def seen(name: str) -> Version:
        return Version.of(os.lstat(site / name))

    attributes = (("user.x", base64.b64encode(b"1").decode()),)
    batch = [
        Effect(Op.DELETE, str(site / "link"), base=seen("link")),
        Effect(Op.MKDIR, str(site / "made"), mode=0o550, mtime_ns=10**18, xattrs=attributes),
        Effect(Op.WRITE, str(site / "made" / "in"), blob="w1", mode=0o640, mtime_ns=10**18, xattrs=attributes),
        Effect(Op.WRITE, str(site / "twin"), blob="w2", base=seen("twin"), apart=True, mode=0o700),
        Effect(Op.LINK, str(site / "link"), target="made/in"),
        Effect(Op.ATTRIBUTES, str(site / "css"), base=seen("css"), mode=0o500, xattrs=attributes),
        Effect(Op.WRITE, str(site / "css" / "fresh"), blob="w1", mode=0o600),
    ]
    staging._take("t1", batch, lambda _effects: None)
    return staging


def furnish(lab: Any) -> Any:
    lab.file("site/css/main.css", "body {}\n")
    lab.file("site/twin", "old\n")
    os.link(lab.home / "site" / "twin", lab.home / "site" / "other")
    (lab.home / "site" / "link").symlink_to("twin")
    return lab.snapshot()


def commit(lab: Any, checkpoint: Callable[[str], None] = lambda _name: None) -> None:
    staging = staged(lab, lab.open(checkpoint))
    staging.commit(staging.seal().seal)


def must_be_done(lab: Any) -> None:
    site = lab.home / "site"
    assert stat.S_IMODE((site / "made").stat().st_mode) == 0o550
    assert (site / "made").stat().st_mtime_ns == (site / "made" / "in").stat().st_mtime_ns == 10**18
    assert stat.S_IMODE((site / "css").stat().st_mode) == 0o500
    for name in ("made", "made/in", "css"):
        assert os.getxattr(site / name, "user.x") == b"1"
    assert os.readlink(site / "link") == "made/in"
    assert ((site / "twin").read_text(), (site / "other").read_text()) == ("new w2\n", "old\n")
    assert stat.S_IMODE((site / "twin").stat().st_mode) == 0o700
    assert (site / "css" / "fresh").read_text() == "new w1\n"


def test_a_commit_that_dies_anywhere_is_whole_or_nothing(make_lab: Any, tools: Any, tmp_path: Path) -> None:
    dies_at, in_child = tools
    ends = {"done": 0, "nothing": 0}
    for number in range(1, 200):
        lab = make_lab(_folder(tmp_path, f"c{number}"))
        before = furnish(lab)
        status = in_child(lambda lab=lab, number=number: commit(lab, dies_at(number)))
        lab.open().recover()
        after, waiting = lab.snapshot(), lab.open().reopen("r")
        if waiting is not None:  # it was sealed, and waits for its answer still
            assert after == before
            waiting.drop()
        if after == before:
            ends["nothing"] += 1
        else:
            ends["done"] += 1
            must_be_done(lab)
            lab.open().undo("r")
            assert lab.snapshot() == before
        assert lab.leftovers() == [], number
        if status == 0:
            break
    assert status == 0
    assert ends["nothing"] > 5
    assert ends["done"] > 1


def test_an_undo_that_dies_anywhere_is_whole_or_nothing(make_lab: Any, tools: Any, tmp_path: Path) -> None:
    dies_at, in_child = tools
    ends = {"done": 0, "nothing": 0}
    for number in range(1, 200):
        lab = make_lab(_folder(tmp_path, f"u{number}"))
        before = furnish(lab)
        commit(lab)
        must_be_done(lab)
        status = in_child(lambda lab=lab, number=number: lab.open(dies_at(number)).undo("r"))
        lab.open().recover()
        if lab.snapshot() == before:
            ends["nothing"] += 1
        else:
            ends["done"] += 1
            must_be_done(lab)
        assert lab.leftovers() == [], number
        if status == 0:
            break
    assert status == 0
    assert min(ends.values()) > 1


def _folder(top: Path, name: str) -> Path:
    made = top / name
    made.mkdir()
    return made


@pytest.mark.skipif(os.geteuid() != 0, reason="whoever runs the tests is an ordinary user already")
def test_modes_that_forbid_stand_in_nobodys_way(make_lab: Any, tools: Any) -> None:
    """An ordinary user cannot write into a folder without the mode for it; root, who runs the others, can."""

    def inside() -> None:
        os.setgroups([])
        os.setresgid(54321, 54321, 54321)
        os.setresuid(54321, 54321, 54321)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            test_a_commit_that_dies_anywhere_is_whole_or_nothing(make_lab, tools, _folder(Path(folder), "c"))
            test_an_undo_that_dies_anywhere_is_whole_or_nothing(make_lab, tools, _folder(Path(folder), "u"))

    assert tools[1](inside) == 0
