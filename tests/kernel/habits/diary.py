"""A real ledger in which somebody's days are written down as a kernel writes them, at the times when they were."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from kernel.model import Argument, Condition, Constant, Plan, Task, TaskId
from kernel.opening import BUILTIN
from kernel.planning.plan_json import plan_to_json
from memory import Draft, Ledger
from permissions.labels import USER_SAID, Label
from skills import Registry
from skills.model import ToolId

REGISTRY = Registry([BUILTIN])
ZONE = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=ZONE)
OTHERS = Label()


def said(value: Any) -> Constant:
    """Return a value that the person said."""
    return Constant(value, USER_SAID)


def read(value: Any) -> Constant:
    """Return a value that stands in what others wrote."""
    return Constant(value, OTHERS)


def file(path: str) -> dict[str, Any]:
    """Return a file as a tool finds it."""
    folder, _, name = path.rpartition("/")
    return {"path": path, "name": name, "folder": folder, "size_bytes": 9, "modified": "2026-03-01T00:00:00+00:00"}


@dataclass(slots=True)
class Diary:
    """Writes runs. ``asked`` has the runs in order."""

    folder: Path
    now_ns: int = 0
    asked: list[str] = field(default_factory=list)
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger.open(self.folder, clock_ns=lambda: self.now_ns, checkpoint_after_s=1e6)

    @classmethod
    def of_weeks(cls, folder: Path) -> Diary:
        """Return one in ``folder``, which is not there yet, in which weeks of other things (``noise``) stand already.

        They are written once in a process, and copied.
        """
        written, asked = _weeks()
        shutil.copytree(written, folder)
        return cls(folder, asked=list(asked))

    def ask(
        self, at: datetime, *calls: tuple[str, Mapping[str, Argument]], made: Sequence[Any] = (),
        end: str = "executed", when: tuple[Condition, ...] = (), language: str = "en", **more: Any,
    ) -> str:  # fmt: skip
        """Write down a request that came to ``calls``, the last one ``when``, and made ``made``; return its run."""
        run, self.now_ns = f"r-{len(self.asked)}", int(at.timestamp() * 1e9)
        self.asked.append(run)
        tasks = tuple(
            Task(TaskId(f"t{number}"), ToolId(tool), given, when=when if number == len(calls) else ())
            for number, (tool, given) in enumerate(calls, 1)
        )
        tail = {f"t{number}": value for number, value in enumerate(made, 1)}
        created = {"text": "…", "conversation": "c", "cwd": "/home/a", "now": at.isoformat(), "channel": "cli", **more}
        self.ledger.append(
            Draft("run.created", created, run=run),
            Draft("run.planned", {"frozen": plan_to_json(Plan(tasks, language, 1, 1.0))}, run=run),
            Draft("run.finished", {"resolution": end, "result": {"tasks": tail}}, run=run),
        )
        return run

    def undo(self, run: str) -> None:
        """Take a run back."""
        self.ledger.append(Draft("run.undone", {"changes": []}, run=run))

    def noise(self, weeks: int = 8) -> None:
        """Ask for other things every day, so that something is usual: none of it follows anything."""
        for day in range(7 * weeks):
            at = MONDAY - timedelta(days=60) + timedelta(days=day)
            self.ask(at + timedelta(hours=3), ("system.battery", {}))
            self.ask(at + timedelta(hours=5), ("notes.search", {"words": said(f"word {day}")}))
            self.ask(at + timedelta(hours=8), ("system.disks", {}))
            self.ask(at + timedelta(hours=11), ("calc.clock", {"place": said(f"place {day}")}))


@cache
def _weeks() -> tuple[Path, tuple[str, ...]]:
    root = tempfile.TemporaryDirectory(prefix="diary-")
    atexit.register(root.cleanup)
    diary = Diary(Path(root.name) / "ledger")
    diary.noise()
    diary.ledger.close()
    return diary.folder, tuple(diary.asked)


def week(number: int, minutes: float = 0) -> datetime:
    """Return a Monday at nine, some minutes later."""
    return MONDAY + timedelta(weeks=number, minutes=minutes)
