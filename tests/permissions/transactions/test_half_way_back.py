"""What the fault sweep found: a disk that fails just after a step, and a death while an old content is put back."""

from __future__ import annotations

import errno
import os
from typing import Any

import pytest

from permissions.errors import Refused, StorageFailed
from permissions.transactions import journal, syscalls
from permissions.transactions.steps import Engine

pytestmark = pytest.mark.slow


def linked(lab: Any) -> tuple[Any, str]:
    path = lab.file("linked", "the old content\n" * 100)
    os.link(path, lab.home / "other name")
    staging = lab.stage("r", lab.over(path, "the new content\n" * 100))
    seal = staging.seal().seal
    staging.keep()
    return path, seal


def test_a_death_while_the_old_content_is_put_back_in_place_is_mended(lab: Any, tools: Any) -> None:
    in_child = tools[1]
    path, seal = linked(lab)
    before = lab.snapshot()
    in_child(lambda: lab.open(lambda name: dies(name, "steps:done")).reopen("r").commit(seal))
    assert path.read_text().startswith("the new content")
    assert os.WIFSIGNALED(in_child(lambda: lab.open(lambda name: dies(name, "fill:half")).recover()))
    path.write_bytes(b"the old content\nthe o")  # so far the old content had come
    (found,) = lab.open().recover()
    assert found.problems == ()
    assert lab.snapshot() == before


def dies(name: str, at: str) -> None:
    if name == at:
        os.kill(os.getpid(), 9)


def test_a_disk_that_fails_right_after_a_rename_leaves_nothing_behind(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lab.file("tree/x").parent
    staging = lab.stage("r", lab.delete(path))
    seal, before = staging.seal().seal, lab.snapshot()
    looked = Engine._is

    def fails(self: Any, *words: Any) -> bool:
        monkeypatch.setattr(Engine, "_is", looked)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Engine, "_is", fails)
    with pytest.raises(StorageFailed):
        staging.commit(seal)
    assert lab.snapshot() == before


def test_a_journal_that_cannot_be_put_away_after_the_commit_is_no_failure(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lab.file("a")
    staging, finish = lab.stage("r", lab.over(path, "new")), journal.finish
    refused = []

    def fails(*words: Any) -> None:
        refused.append(words)
        monkeypatch.setattr(journal, "finish", finish)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(journal, "finish", fails)
    staging.commit(staging.seal().seal)
    assert (len(refused), path.read_text()) == (1, "new")
    assert journal.tags(lab.tx._shop, "open") == ["r"]
    lab.open().undo("r")
    assert path.read_text() == "old\n"


def test_a_second_name_of_a_key_is_not_written(lab: Any) -> None:
    key = lab.file(".ssh/authorized_keys", "mine\n")
    os.link(key, lab.home / "letter")
    os.link(lab.file("one"), lab.home / "two")
    with pytest.raises(Refused, match="another name of"):
        lab.commit("r", lab.over(lab.home / "letter", "planted\n"))
    assert key.read_text() == "mine\n"
    lab.commit("r2", lab.over(lab.home / "two", "both\n"))
    assert (lab.home / "one").read_text() == "both\n"


def test_a_file_of_several_names_is_put_back_from_zeros(lab: Any, tools: Any) -> None:
    """After a power cut the new size may be there, and of the content some sectors only."""
    path, seal = linked(lab)
    before = lab.snapshot()
    tools[1](lambda: lab.open(lambda name: dies(name, "steps:done")).reopen("r").commit(seal))
    content = bytearray(path.read_bytes())
    content[512:1024] = bytes(512)
    path.write_bytes(content)
    (found,) = lab.open().recover()
    assert found.problems == ()
    assert lab.snapshot() == before


def test_zeros_are_not_taken_for_what_somebody_wrote(lab: Any, tools: Any) -> None:
    path, seal = linked(lab)
    tools[1](lambda: lab.open(lambda name: dies(name, "steps:done")).reopen("r").commit(seal))
    content = bytearray(path.read_bytes())
    content[600:604] = b"mine"
    path.write_bytes(content)
    (found,) = lab.open().recover()
    assert found.problems == (str(path),)
    assert b"mine" in path.read_bytes()


def test_what_a_finished_commit_held_is_cleared_away_at_the_start(lab: Any) -> None:
    lab.commit("r", lab.write(lab.home / "a", "x"))
    (lab.store / "holding" / "r").mkdir(mode=0o700)
    (lab.store / "holding" / "r" / "000001").write_text("old")
    lab.open().recover()
    assert lab.leftovers() == []
    assert (lab.home / "a").read_text() == "x"


@pytest.mark.parametrize("code", [errno.EIO, errno.EDQUOT, errno.EPERM])
def test_a_disk_that_fails_at_an_exchange_is_asked_for_nothing_more(
    lab: Any, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Three renames stand for an exchange where there is none; on a disk that fails they would leave a gap."""
    path, names = lab.file("a"), []
    lab.tx = lab.open(names.append)
    real, before = syscalls.renameat2, lab.snapshot()

    def renameat2(old_dir: int, old: str, new_dir: int, new: str, flags: int) -> None:
        if flags == syscalls.RENAME_EXCHANGE:
            raise OSError(code, os.strerror(code), new)
        real(old_dir, old, new_dir, new, flags)

    monkeypatch.setattr(syscalls, "renameat2", renameat2)
    with pytest.raises(StorageFailed):
        lab.commit("r", lab.over(path, "new"))
    assert "step:swap" in names
    assert "swap:aside" not in names
    assert lab.snapshot() == before
    code = errno.EINVAL
    lab.commit("r2", lab.over(path, "new"))  # the control: a disk that knows no exchange
    assert "swap:aside" in names
    assert path.read_text() == "new"


def test_a_new_file_that_somebody_wrote_to_after_a_crash_is_kept_and_reported(lab: Any, tools: Any) -> None:
    path, other = lab.home / "new", lab.home / "other"
    staging = lab.stage(
        "r", lab.write(path, "ours"), lab.write(other, "o"), tx=lab.open(lambda n: dies(n, "steps:done"))
    )
    sealed = staging.seal().seal
    assert os.WIFSIGNALED(tools[1](lambda: staging.commit(sealed)))
    path.write_text("theirs by now")
    (found,) = lab.open().recover()
    assert found.problems == (str(path),)
    assert path.read_text() == "theirs by now"
    assert not other.exists(), "the control: what nobody wrote to goes"


def moved_to_theirs(lab: Any, path: Any) -> tuple[str, ...]:
    """Somebody makes a new file where ours was moved from."""
    path.write_text("theirs by now")
    return (str(lab.home / "moved"),)


def gone(_lab: Any, path: Any) -> tuple[str, ...]:
    """Somebody throws away what we wrote."""
    path.unlink()
    return ()


def saved_anew(_lab: Any, path: Any) -> tuple[str, ...]:
    """Somebody saves a file of their own in the place of what we wrote."""
    path.with_name("saving").write_text("theirs by now")
    path.with_name("saving").rename(path)
    return ()


def edited(_lab: Any, path: Any) -> tuple[str, ...]:
    """Somebody goes on writing in ours."""
    path.write_text("theirs by now")
    return (str(path),)


@pytest.mark.parametrize(
    ("change", "meanwhile"),
    [("move", moved_to_theirs), ("over", gone), ("over", saved_anew), ("over", edited), ("delete", edited)],
)
def test_what_somebody_did_to_one_of_them_after_a_crash_is_kept_and_the_others_go_back(
    lab: Any, tools: Any, change: str, meanwhile: Any
) -> None:
    path, other = lab.file("mine"), lab.file("other")
    asked = {
        "move": lambda: lab.move(path, lab.home / "moved"), "over": lambda: lab.over(path, "new"),
        "delete": lambda: lab.delete(path),
    }[change]()  # fmt: skip
    effects = lab.over(other, "new"), asked, lab.write(lab.home / "more", "m")
    staging = lab.stage("r", *effects, tx=lab.open(lambda name: dies(name, "steps:done")))
    sealed = staging.seal().seal
    assert os.WIFSIGNALED(tools[1](lambda: staging.commit(sealed)))
    assert other.read_text() == "new"
    problems = meanwhile(lab, path)
    (found,) = lab.open().recover()
    assert found.problems == problems
    assert (path.read_text() if path.exists() else None) == (None if meanwhile is gone else "theirs by now")
    if change == "move":
        assert (lab.home / "moved").read_text() == "old\n"
    assert other.read_text() == "old\n"
    assert not (lab.home / "more").exists()
