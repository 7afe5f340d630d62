"""The law of the view: what a tool sees after described effects is what stands on the disk once they are applied."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills.sdk import Context, ToolError
from skills.sdk.testing import NOON
from skills.sdk.view import View, version

_NAMES = st.sampled_from(["a", "b", "c.txt"])
_PATHS = st.lists(_NAMES, min_size=1, max_size=3).map("/".join)
_STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "mkdir", "move", "copy", "delete", "append"]), _PATHS, _PATHS), max_size=12
)


def _seen(context: Context) -> dict[str, bytes | None]:
    home = context.home
    files = {os.path.relpath(file.path, home): context.read_bytes(file) for file in context.scan("~")}
    return files | {os.path.relpath(folder.path, home): None for folder in context.folders("~", recursive=True)}


def _on_disk(home: Path) -> dict[str, bytes | None]:
    return {path.relative_to(home).as_posix(): None if path.is_dir() else path.read_bytes() for path in home.rglob("*")}


def _apply(effects: tuple[dict[str, Any], ...], staging: Path) -> None:
    for effect in effects:
        path = Path(effect["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        match effect["op"]:
            case "write":
                shutil.copyfile(staging / effect["blob"], path)
            case "mkdir":
                path.mkdir(exist_ok=True)
            case "move":
                os.rename(effect["source"], path)
            case "copy":
                source = Path(effect["source"])
                (shutil.copytree if source.is_dir() else shutil.copyfile)(source, path)
            case "delete":
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _do(context: Context, op: str, one: str, two: str) -> None:
    match op:
        case "write":
            context.write(one, f"written {two}")
        case "append":
            context.append(one, f"more {two}")
        case "mkdir":
            context.mkdir(one)
        case "move":
            context.move(one, two)
        case "copy":
            context.copy(one, two)
        case "delete":
            context.delete(one)


@settings(max_examples=150, deadline=None)
@given(_STEPS)
def test_the_view_is_what_the_disk_becomes(steps: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, staging = Path(folder, "home"), Path(folder, "staging")
        (home / "a" / "b").mkdir(parents=True)
        staging.mkdir()
        (home / "a" / "b" / "c.txt").write_text("deep")
        (home / "b").write_text("plain")
        context = Context(home=str(home), now=NOON, staging=staging)
        for op, one, two in steps:
            try:
                _do(context, op, one, two)
            except ToolError:
                continue
        told = context.told()
        view = [{**effect, "blob_path": str(staging / effect.get("blob", ""))} for effect in told.effects]
        later = _seen(Context(home=str(home), now=NOON, view=view))
        expected = _seen(context)
        assert later == expected
        _apply(told.effects, staging)
        assert _on_disk(home) == expected


def test_listing_a_folder_mixes_disk_and_described(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("x")
    (tmp_path / "gone.txt").write_text("x")
    view = View()
    view.apply({"op": "delete", "path": str(tmp_path / "gone.txt")})
    view.apply({"op": "write", "path": str(tmp_path / "new.txt"), "blob_path": str(tmp_path / "kept.txt")})
    assert [name for name, _ in view.names(str(tmp_path))] == ["kept.txt", "new.txt"]


def test_a_folder_behind_a_link_is_one_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    view = View()
    view.apply({"op": "delete", "path": str(tmp_path / "real" / "a")})
    assert view.node(str(tmp_path / "link" / "a")) is None
    assert list(view.names(str(tmp_path / "link"))) == []


def test_a_version_changes_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("x")
    before = version(path.stat())
    path.write_text("xy")
    assert version(path.stat()) != before
    assert set(before) == {"dev", "ino", "size", "mtime_ns", "ctime_ns"}


def test_an_unknown_effect_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown effect"):
        View().apply({"op": "chmod", "path": "/x"})
