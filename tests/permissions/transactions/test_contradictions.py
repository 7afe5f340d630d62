"""What a run describes against itself, or against what is there: refused by its code, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import PermissionsError
from permissions.transactions import shadow
from permissions.transactions.effects import Effect, Op
from permissions.transactions.shadow import MOST_EFFECTS

Effects = Callable[[Any], list[Mapping[str, Any]]]


def _folder(lab: Any) -> Path:
    lab.file("folder/inner")
    folder: Path = lab.home / "folder"
    return folder


CASES: dict[str, tuple[str, Effects]] = {
    "a file in a file that it wrote": ("scope.path", lambda lab: [
        lab.write(lab.home / "a", "x"), lab.write(lab.home / "a" / "b", "y")]),
    "a folder in place of a file that it wrote": ("conflict.changed", lambda lab: [
        lab.write(lab.home / "a", "x"), lab.mkdir(lab.home / "a")]),
    "a folder in place of a file": ("conflict.changed", lambda lab: [lab.mkdir(lab.file("a"))]),
    "move what it deleted": ("conflict.changed", lambda lab: [
        lab.delete(path := lab.file("a")), lab.move(path, lab.home / "b", {**_SEEN})]),
    "move a folder into itself": ("scope.path", lambda lab: [
        lab.move(folder := _folder(lab), folder / "below")]),
    "copy a folder into itself": ("scope.path", lambda lab: [lab.copy(folder := _folder(lab), folder / "below")]),
    "move onto itself": ("scope.path", lambda lab: [lab.move(path := lab.file("a"), path)]),
    "move onto another": ("conflict.taken", lambda lab: [lab.move(lab.file("a"), lab.file("b"))]),
    "move onto what it wrote": ("conflict.taken", lambda lab: [
        lab.write(lab.home / "b", "x"), lab.move(lab.file("a"), lab.home / "b")]),
    "delete twice": ("conflict.changed", lambda lab: [
        lab.delete(path := lab.file("a")), lab.delete(path, {**_SEEN})]),
    "delete without having looked": ("scope.version", lambda lab: [
        {"op": "delete", "path": str(lab.file("a")), "base": None}]),
    "move without having looked": ("scope.version", lambda lab: [
        {"op": "move", "source": str(lab.file("a")), "path": str(lab.home / "b"), "base": None}]),
    "write a folder as a file": ("conflict.changed", lambda lab: [
        lab.over(_folder(lab), "x")]),
    "write again what it wrote, and did not see": ("conflict.changed", lambda lab: [
        lab.write(lab.home / "a", "x"), lab.write(lab.home / "a", "y")]),
    "write over what it deleted, as if it stood": ("conflict.changed", lambda lab: [
        lab.mkdir(lab.home / "a"), lab.delete(lab.home / "a", {**_SEEN}),
        lab.write(lab.home / "a", "y", {**_SEEN})]),
    "write over what it did not look at": ("conflict.taken", lambda lab: [lab.write(lab.file("a"), "x")]),
    "write over a copy as it was not": ("conflict.taken", lambda lab: [
        lab.copy(lab.file("a"), lab.home / "b"), lab.write(lab.home / "b", "x", {**_SEEN})]),
    "write over nothing": ("conflict.changed", lambda lab: [lab.write(lab.home / "a", "y", {**_SEEN})]),
    "another file's staged content": ("scope.blob", lambda lab: [
        lab.write(lab.home / "a", "y", over="../../x")]),
    "a note that is no text": ("scope.effect", lambda lab: [lab.write(lab.home / "a", "y", note=7)]),
}  # fmt: skip
_SEEN = {"dev": 1, "ino": 2, "size": 3, "mtime_ns": 4, "ctime_ns": 5}


@pytest.mark.parametrize("case", CASES)
def test_what_contradicts_itself_is_refused_and_changes_nothing(lab: Any, case: str) -> None:
    code, effects = CASES[case]
    described = effects(lab)
    before = lab.snapshot()
    with pytest.raises(PermissionsError) as refused:
        lab.commit("r", *described)
    assert refused.value.code == code
    assert lab.snapshot() == before


LEFT: dict[str, tuple[str, Callable[[Any], list[Effect]]]] = {
    "a link in place of a file": ("conflict.taken", lambda lab: [_link(lab.file("a"))]),
    "a link in place of another": ("conflict.taken", lambda lab: [_link(lab.home / "a"), _link(lab.home / "a")]),
    "attributes of what is no folder": ("conflict.changed", lambda lab: [_attributes(lab.file("a"))]),
    "attributes of nothing": ("conflict.changed", lambda lab: [_attributes(lab.home / "a")]),
    "attributes of a folder that was not looked at": ("scope.version", lambda lab: [_attributes(_folder(lab))]),
}


def _link(path: Path) -> Effect:
    return Effect(Op.LINK, str(path), target="there")


def _attributes(path: Path) -> Effect:
    return Effect(Op.ATTRIBUTES, str(path), mode=0o700)


@pytest.mark.parametrize("case", LEFT)
def test_what_was_left_in_a_tree_is_refused_so_too(lab: Any, case: str) -> None:
    """A call cannot describe these; they are read from the tree that it worked in."""
    code, effects = LEFT[case]
    left, staging = effects(lab), lab.tx.begin("r")
    with pytest.raises(PermissionsError) as refused:
        staging._take("t1", left, lambda _: None)
    assert refused.value.code == code
    staging.drop()


def test_a_run_describes_so_much_and_no_more(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_EFFECTS > 1000
    monkeypatch.setattr(shadow, "MOST_EFFECTS", 5)
    staging = lab.stage("r", *(lab.mkdir(lab.home / f"f{number}") for number in range(10)))
    with pytest.raises(PermissionsError) as refused:
        lab.describe(staging, lab.mkdir(lab.home / "more"))
    assert refused.value.code == "scope.many"
    staging.drop()
