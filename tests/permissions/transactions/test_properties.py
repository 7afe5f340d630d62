"""Laws over random trees and random effects, against a plain model of a tree as the oracle."""

from __future__ import annotations

import copy
import itertools
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

NAMES = ("a", "b", "ü", "u\u0308", "sp ace", "new\nline", "c")
Tree = dict[str, Any]  # name -> bytes or Tree
Op = tuple[str, int, int, int, bytes]

contents = st.binary(max_size=12) | st.integers(0, 200).map(bytes)
trees: st.SearchStrategy[Tree] = st.recursive(
    st.dictionaries(st.sampled_from(NAMES), contents, max_size=4),
    lambda inner: st.dictionaries(st.sampled_from(NAMES), contents | inner, max_size=4),
    max_leaves=8,
)
ops = st.lists(
    st.tuples(
        st.sampled_from(("write", "mkdir", "move", "copy", "delete", "move", "write")),
        st.integers(0, 99),
        st.integers(0, 99),
        st.integers(0, len(NAMES) - 1),
        contents,
    ),
    max_size=12,
)


def plant(top: Path, tree: Tree) -> None:
    for name, thing in tree.items():
        if isinstance(thing, bytes):
            (top / name).write_bytes(thing)
            os.utime(top / name, (1_500_000_000, 1_500_000_000 + len(thing)))
        else:
            (top / name).mkdir()
            plant(top / name, thing)


def read(top: Path) -> Tree:
    return {
        path.name: read(path) if path.is_dir() else path.read_bytes() for path in top.iterdir() if path.name != ".local"
    }


def paths(tree: Tree, above: str = "") -> list[str]:
    found = []
    for name in sorted(tree):
        found.append(f"{above}/{name}")
        if isinstance(tree[name], dict):
            found += paths(tree[name], f"{above}/{name}")
    return found


def at(tree: Tree, path: str) -> Any:
    for name in path.split("/")[1:]:
        tree = tree[name]
    return tree


class Oracle:
    """Random operations become effects that make sense, and change a plain model alike."""

    def __init__(self, lab: Any, tree: Tree) -> None:
        self.lab = lab
        self.model = copy.deepcopy(tree)
        self.origin = {path: path for path in paths(tree)}  # where a thing of the disk is now -> where it lay
        self.copied: dict[str, str] = {}  # where a copy is now -> where the file on the disk lies
        self.staged: dict[str, str] = {}  # where new content is now -> its name
        self.writes = 0

    def effect(self, op: Op) -> dict[str, Any] | None:
        kind, first, second, name, data = op
        there = paths(self.model)
        folders = [path for path in there if isinstance(at(self.model, path), dict)] + [""]
        target = f"{folders[second % len(folders)]}/{NAMES[name]}"
        source = there[first % len(there)] if there else ""
        maker: Callable[..., dict[str, Any] | None] = getattr(self, f"_{kind}")
        return maker(source, target, data)

    def _base(self, path: str) -> Any:
        from_disk = self.origin.get(path) or self.copied.get(path)
        return _version(self.lab.home / from_disk[1:]) if from_disk else None

    def _put(self, path: str, thing: Any) -> None:
        folder, _, name = path.rpartition("/")
        at(self.model, folder)[name] = thing

    def _write(self, _source: str, target: str, data: bytes) -> dict[str, Any] | None:
        if target in paths(self.model) and isinstance(at(self.model, target), dict):
            return None
        base, over = self._base(target), self.staged.get(target)
        self._put(target, data)
        self.writes += 1
        self.staged[target] = f"t1/{self.writes:04d}"
        self.copied.pop(target, None)
        return dict(self.lab.write(self._abs(target), data, base, **({"over": over} if over else {})))

    def _mkdir(self, _source: str, target: str, _data: bytes) -> dict[str, Any] | None:
        if target in paths(self.model):
            return None
        self._put(target, {})
        return dict(self.lab.mkdir(self._abs(target)))

    def _fits(self, source: str, target: str) -> bool:
        return bool(source) and target not in paths(self.model) and not f"{target}/".startswith(f"{source}/")

    def _copy(self, source: str, target: str, _data: bytes) -> dict[str, Any] | None:
        if not self._fits(source, target):
            return None
        base = self._base(source)
        self._put(target, copy.deepcopy(at(self.model, source)))
        for path in [path for path in paths(self.model) if f"{path}/".startswith(f"{source}/")]:
            new, lower = target + path[len(source) :], self.origin.get(path) or self.copied.get(path)
            if path in self.staged:
                self.staged[new] = self.staged[path]
            elif lower and not isinstance(at(self.model, path), dict):
                self.copied[new] = lower
        return {"op": "copy", "path": str(self._abs(target)), "source": str(self._abs(source)), "base": base}

    def _move(self, source: str, target: str, _data: bytes) -> dict[str, Any] | None:
        if not self._fits(source, target):
            return None
        base = self._base(source)
        thing = at(self.model, source)
        self._forget(source)
        self._put(target, thing)
        for book in (self.origin, self.copied, self.staged):
            for path in [path for path in book if f"{path}/".startswith(f"{source}/")]:
                book[target + path[len(source) :]] = book.pop(path)
        return {"op": "move", "path": str(self._abs(target)), "source": str(self._abs(source)), "base": base}

    def _delete(self, source: str, _target: str, _data: bytes) -> dict[str, Any] | None:
        if not source:
            return None
        base = self._base(source)
        self._forget(source)
        for book in (self.origin, self.copied, self.staged):
            for path in [path for path in book if f"{path}/".startswith(f"{source}/")]:
                del book[path]
        return {"op": "delete", "path": str(self._abs(source)), "base": base}

    def _forget(self, path: str) -> None:
        folder, _, name = path.rpartition("/")
        del at(self.model, folder)[name]

    def _abs(self, path: str) -> Path:
        return Path(f"{self.lab.home}{path}")


def _version(path: Path) -> dict[str, int]:
    info = os.lstat(path)
    names = ("dev", "ino", "size", "mtime_ns", "ctime_ns")
    return {name: getattr(info, f"st_{name}") for name in names}


counter = itertools.count()
SETTINGS = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
)


def prepared(make_lab: Any, top: str, tree: Tree, random_ops: list[Op]) -> tuple[Any, Oracle, list[dict[str, Any]]]:
    lab = make_lab(Path(top))
    plant(lab.home, tree)
    oracle = Oracle(lab, tree)
    effects = [effect for op in random_ops if (effect := oracle.effect(op)) is not None]
    return lab, oracle, effects


@pytest.mark.slow
@SETTINGS
@given(tree=trees, random_ops=ops)
def test_commit_is_what_the_effects_say_and_undo_is_what_was(make_lab: Any, tree: Tree, random_ops: list[Op]) -> None:
    with tempfile.TemporaryDirectory() as top:
        lab, oracle, effects = prepared(make_lab, top, tree, random_ops)
        before = lab.snapshot()
        changes = lab.commit("r", *effects)
        assert read(lab.home) == oracle.model
        assert lab.leftovers() == []
        if changes:
            assert lab.tx.undo("r").kept == ()
        assert lab.snapshot() == before
        assert lab.leftovers() == []
        assert not list(lab.home.glob(".local/share/Trash/*/*"))


@pytest.mark.slow
@settings(SETTINGS, max_examples=60)
@given(tree=trees, random_ops=ops, number=st.integers(1, 120), undo=st.booleans())
def test_whenever_it_dies_the_home_is_as_before_or_after(
    make_lab: Any, tools: Any, tree: Tree, random_ops: list[Op], number: int, undo: bool
) -> None:
    dies_at, in_child = tools
    with tempfile.TemporaryDirectory() as top:
        lab, oracle, effects = prepared(make_lab, top, tree, random_ops)
        before = lab.snapshot()
        if undo and not lab.commit("r", *effects):
            return

        def commit() -> None:
            staging = lab.stage("r", *effects, tx=lab.open(dies_at(number)))
            staging.commit(staging.seal().seal)

        in_child((lambda: lab.open(dies_at(number)).undo("r")) if undo else commit)
        after_restart = lab.open()
        after_restart.recover()
        as_after = read(lab.home) == oracle.model
        assert as_after or lab.snapshot() == before
        assert not [path for path in lab.leftovers() if "/runs/" not in path]
        if as_after and after_restart.effects("r"):
            after_restart.undo("r")
            assert lab.snapshot() == before
