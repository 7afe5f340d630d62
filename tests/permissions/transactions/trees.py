"""The words of the tests that let programs work in a tree: a laboratory with a wall."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import permissions
from permissions.confine import Cells
from permissions.model import CellOutcome, CellSpec, CellStatus, Change, Limits
from permissions.transactions import Staging

HERE = Path(__file__).parent


class Workshop:
    """A laboratory and cells: programs run in a tree of its home, through layers."""

    def __init__(self, lab: Any) -> None:
        self.lab = lab
        self.runner = asyncio.Runner()
        environment = {"PYTHONPATH": str(Path(permissions.__file__).parents[1])}
        self.cells = Cells([sys.executable, str(HERE / "worker_of_trees.py")], environment=environment)

    def close(self) -> None:
        self.runner.run(self.cells.close())
        self.runner.close()

    def call(self, spec: CellSpec, *argv: str, cwd: Path | str) -> CellOutcome:
        """Run a program in a cell."""
        request = json.dumps({"argv": argv, "cwd": str(cwd)}).encode()

        async def called() -> CellOutcome:
            return await self.cells.call(spec, request)

        return self.runner.run(called())

    def works(
        self, staging: Staging, tree: Path, program: str, *, task: str = "t1", check: Any = None, **spec: Any
    ) -> dict[str, Any]:
        """Let a shell program work in ``tree``, and take in what it did; returns what it said."""
        layers = staging.open_trees(task, [str(tree)])
        outcome = self.call(CellSpec(layers=layers, limits=Limits(), **spec), "sh", "-c", program, cwd=tree)
        assert outcome.status is CellStatus.RETURNED, outcome
        said: dict[str, Any] = json.loads(outcome.reply or b"{}")
        said["left"] = staging.take_in(task, *([check] if check else []))
        return said

    def done(self, run: str, tree: Path, program: str, **spec: Any) -> tuple[Change, ...]:
        """Let a program work, and commit what it did."""
        staging = self.lab.tx.begin(run)
        said = self.works(staging, tree, program, **spec)
        assert said.get("status") == 0, said
        return tuple(staging.commit(staging.seal().seal))


def python(source: str) -> str:
    """A shell command that runs Python."""
    return f"{shlex.quote(sys.executable)} -I -c {shlex.quote(source)}"


def kinds(changes: tuple[Change, ...], top: Path) -> Mapping[str, str]:
    """What happened to which path below ``top``."""
    return {os.path.relpath(change.path, top): str(change.kind) for change in changes}


Make = Callable[[Any], Workshop]
