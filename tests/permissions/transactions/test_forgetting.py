"""Forgetting reaches what is kept of a run - journals, old contents, trash - and nothing that is the person's own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import BadScope

WORD = "Kranich"


def named(text: str) -> bool:
    """The word that is to be forgotten."""
    return WORD in text


def trash(lab: Any, kind: str = "files") -> list[str]:
    return sorted(os.listdir(lab.home / ".local/share/Trash" / kind))


def content(lab: Any) -> None:
    lab.commit("r", lab.over(lab.file("a", f"about {WORD}\n"), "new\n"))


def path_of_a_change(lab: Any) -> None:
    lab.commit("r", lab.write(lab.home / f"{WORD}.txt", "x"))


def over_an_end_of_a_piece(lab: Any) -> None:
    """The word lies across the end of what is read at once."""
    lab.commit("r", lab.over(lab.file("a", "x" * ((1 << 20) - 3) + WORD), "new\n"))


def waiting(lab: Any) -> None:
    staging = lab.stage("r", lab.write(lab.home / "a", f"about {WORD}"))
    staging.seal()
    staging.keep()


def link_in_what_waits(lab: Any) -> None:
    """A program made a link whose target says it; the content of what it points to is not ours."""
    lab.file("site/index")
    staging = lab.tx.begin("r")
    (layer,) = staging.open_trees("t1", [str(lab.home / "site")])
    Path(layer.upper, "link").symlink_to(f"{WORD}.txt")


@pytest.mark.parametrize(
    "keeps",
    [content, path_of_a_change, over_an_end_of_a_piece, waiting, link_in_what_waits],
    ids=lambda one: one.__name__,
)
def test_a_run_that_keeps_the_word_is_found(lab: Any, keeps: Callable[[Any], None]) -> None:
    lab.commit("other", lab.over(lab.file("other", "old"), "new"))
    keeps(lab)
    assert lab.tx.mentioning(named) == ("r",)
    assert lab.tx.mentioning(lambda text: "Storch" in text) == ()


def test_a_link_is_not_followed_into_what_is_the_persons_own(lab: Any) -> None:
    """The word stands in a file of the home alone: no run keeps it, and none is forgotten for it."""
    mine = lab.file("mine", f"about {WORD}")
    lab.file("site/index")
    staging = lab.tx.begin("r")
    (layer,) = staging.open_trees("t1", [str(lab.home / "site")])
    Path(layer.upper, "link").symlink_to(mine)
    assert lab.tx.mentioning(named) == ()
    Path(layer.upper, "copy").write_bytes(mine.read_bytes())  # the control: it is looked into
    assert lab.tx.mentioning(named) == ("r",)


def test_what_was_forgotten_cannot_be_taken_back_and_lies_nowhere(lab: Any) -> None:
    content(lab)
    lab.commit("other", lab.over(lab.file("other", "old"), "new"))
    gone = lab.tx.forget(["r"], named)
    assert (gone.runs, gone.trash) == (1, 0)
    assert (lab.home / "a").read_text() == "new\n"
    assert not [path for path in lab.store.rglob("*") if path.is_file() and WORD.encode() in path.read_bytes()]
    with pytest.raises(BadScope):
        lab.tx.undo("r")
    lab.tx.undo("other")
    assert (lab.home / "other").read_text() == "old"


@pytest.mark.parametrize("where", ["its name", "its content", "a name inside", "a content inside", "a link inside"])
def test_what_a_run_put_into_the_trash_goes_where_it_says_the_word(lab: Any, where: str) -> None:
    path = lab.file(f"{WORD}.txt" if where == "its name" else "note", WORD if where == "its content" else "x")
    inside = lab.file(f"d/{WORD}" if where == "a name inside" else "d/x", WORD if where == "a content inside" else "x")
    if where == "a link inside":
        (inside.parent / "link").symlink_to(f"/nowhere/{WORD}")
    lab.commit("r", lab.delete(path), lab.delete(inside.parent), lab.delete(lab.file("kept", "k")))
    assert lab.tx.forget(["r"], named).trash == 1
    assert len(trash(lab)) == len(trash(lab, "info")) == 2
    assert "kept" in trash(lab)


@pytest.mark.parametrize("description", ["of another thing", "none"])
def test_what_somebody_else_put_into_the_trash_stays(lab: Any, description: str) -> None:
    """The slot that the run used was emptied, and has another thing by now, which says the word too."""
    lab.commit("r", lab.delete(lab.file("note", WORD)))
    info = lab.home / ".local/share/Trash/info/note.trashinfo"
    if description == "none":
        info.unlink()
    else:
        info.write_text("[Trash Info]\nPath=/elsewhere/theirs\nDeletionDate=2026-01-01T00:00:00\n")
    assert lab.tx.forget(["r"], named).trash == 0
    assert (lab.home / ".local/share/Trash/files/note").read_text() == WORD


def test_what_is_under_way_is_not_forgotten(lab: Any) -> None:
    waiting(lab)
    assert lab.tx.forget(["r"], named).runs == 0
    staging = lab.tx.reopen("r")
    staging.commit(staging.seal().seal)
    assert WORD in (lab.home / "a").read_text()
