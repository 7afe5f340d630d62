"""Single steps against somebody who was there first: what is theirs is neither overwritten nor taken for ours."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict
from permissions.transactions import displaced, syscalls
from permissions.transactions.files import Meta
from permissions.transactions.model import Ident, ident
from permissions.transactions.resolve import Folders
from permissions.transactions.steps import Engine, Step


@pytest.fixture
def folders() -> Iterator[Folders]:
    found = Folders()
    yield found
    found.close()


@pytest.fixture
def engine(folders: Folders) -> Engine:
    return Engine(folders, lambda _name: None)


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str], Path]:
    """Makes a file."""

    def make(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return make


def known(path: Path) -> Ident:
    return ident(path.lstat())


def test_where_a_disk_cannot_promise_it_a_rename_does_not_overwrite_either(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk without RENAME_NOREPLACE: somebody saves a file of their own just before ours takes its name."""
    real, path = syscalls.renameat2, lab.home / "new"

    def renameat2(*words: Any) -> None:
        if words[-1] == syscalls.RENAME_NOREPLACE:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        real(*words)

    monkeypatch.setattr(syscalls, "renameat2", renameat2)
    lab.tx = lab.open(lambda name: path.write_text("theirs") if name == "step:move" and not path.exists() else None)
    with pytest.raises(Conflict):
        lab.commit("r", lab.write(path, "ours"))
    assert path.read_text() == "theirs"
    lab.tx = lab.open()
    lab.commit("r2", lab.write(lab.home / "free", "ours"))  # the control
    assert (lab.home / "free").read_text() == "ours"


def test_what_is_not_as_it_was_seen_is_not_written_into(engine: Engine, file: Any) -> None:
    ours, theirs = file("ours", "ours"), file("theirs", "old")
    was = known(theirs)
    theirs.write_text("work of theirs")
    with pytest.raises(Conflict):
        engine.run([Step("fill", str(theirs), str(ours), was)])
    assert theirs.read_text() == "work of theirs"
    engine.run([Step("fill", str(theirs), str(ours), known(theirs))])  # the control
    assert theirs.read_text() == "ours"


def test_a_folder_that_is_another_one_by_now_keeps_its_mode(engine: Engine, folders: Folders, tmp_path: Path) -> None:
    seen, now = tmp_path / "seen", tmp_path / "now"
    seen.mkdir(0o755)
    now.mkdir(0o755)
    shut = Meta(0o700, -1, -1, 0, 0)
    with pytest.raises(Conflict):
        engine.run([Step("meta", str(now), was=known(seen), meta=shut)])
    assert now.stat().st_mode & 0o777 == 0o755
    engine.run([Step("meta", str(now), was=known(now), meta=shut)])  # the control
    assert now.stat().st_mode & 0o777 == 0o700


def test_who_filled_the_gap_of_three_renames_keeps_what_they_put_there(engine: Engine, file: Any) -> None:
    """It ended after the old one stepped aside; by now somebody has a file of their own in its place."""
    aside, waiting, theirs = file("spot.old", "old"), file("spot", "new"), file("a", "theirs")
    step = Step("swap", str(theirs), str(waiting), known(aside), known(waiting))
    assert engine.back([step]) == (str(theirs),)
    assert (theirs.read_text(), aside.read_text(), waiting.read_text()) == ("theirs", "old", "new")
    theirs.unlink()
    assert engine.back([step]) == ()  # the control
    assert theirs.read_text() == "old"


def test_a_file_that_is_another_one_by_now_is_not_put_back_into(engine: Engine, file: Any) -> None:
    ours, old, theirs = file("ours", "the new content"), file("old", "the old content"), file("theirs", "the new")
    step = Step("fill", str(theirs), str(ours), known(old), pre=str(old), back=Meta(0o644, -1, -1, 0, 0))
    assert engine.back([step]) == (str(theirs),)
    assert theirs.read_text() == "the new"


def test_a_half_written_file_is_put_back_and_one_that_somebody_wrote_in_is_not(engine: Engine, file: Any) -> None:
    ours, old, shared = (
        file("ours", "the new content"),
        file("old", "the old content"),
        file("shared", "the old content"),
    )
    step = Step("fill", str(shared), str(ours), known(shared), pre=str(old), back=Meta(0o644, -1, -1, 0, 0))
    shared.write_text("work of theirs, and more of it")
    assert engine.back([step]) == (str(shared),)
    assert shared.read_text() == "work of theirs, and more of it"
    shared.write_text("the new")
    assert engine.back([step]) == ()  # the control
    assert shared.read_text() == "the old content"


def test_a_new_folder_that_somebody_uses_by_now_stays(engine: Engine, tmp_path: Path) -> None:
    made = tmp_path / "made"
    engine.run([Step("mkdir", str(made))])
    (made / "theirs").write_text("t")
    assert engine.back([Step("mkdir", str(made))]) == (str(made),)
    (made / "theirs").unlink()
    assert engine.back([Step("mkdir", str(made))]) == ()
    assert not made.exists()


def test_new_content_that_somebody_has_open_is_left_where_it_is(engine: Engine, file: Any) -> None:
    path = file("new", "ours")
    waiting = path.with_name("spot")
    step = Step("move", str(path), str(waiting), known(path), fresh=True)
    with path.open("r+"):
        assert engine.back([step]) == (str(path),)
    assert path.exists()
    assert engine.back([step]) == ()  # the control
    assert waiting.exists()


def test_an_exchanged_file_that_somebody_has_open_is_left_where_it_is(engine: Engine, file: Any) -> None:
    path, waiting = file("a", "new"), file("spot", "old")
    step = Step("swap", str(path), str(waiting), known(waiting), known(path))
    with path.open("r+"):
        assert engine.back([step]) == (str(path),)
    assert path.read_text() == "new"
    assert engine.back([step]) == ()  # the control
    assert path.read_text() == "old"


def test_a_file_that_nobody_may_read_can_be_thrown_away(
    folders: Folders, file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can be found to write to it either: it counts as in nobody's hands, and no descriptor is asked for."""
    path = file("shut", "x")
    path.chmod(0)
    real = Folders.open

    def opened(self: Folders, where: str, *words: Any) -> int:
        if where == str(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), where)
        return real(self, where, *words)

    monkeypatch.setattr(Folders, "open", opened)
    assert displaced.objection(folders, str(path), known(path), "", str(path)) is None
    with displaced.held_still(folders, str(path), known(path), "", str(path)) as held:
        assert held.lies_at(str(path))
