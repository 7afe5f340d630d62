"""What tools describe, carried out by the real transactions: what a later step sees is what the disk becomes."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permissions.transactions import Transactions
from skills.builtin.files import skill as files
from skills.builtin.notes import skill as notes
from skills.sdk import Context, Folder, ToolError
from skills.sdk.testing import NOON

_PATHS = st.lists(st.sampled_from(["a", "b", "c.txt"]), min_size=1, max_size=3).map("/".join)
_STEP = st.tuples(st.sampled_from(["write", "append", "mkdir", "move", "copy", "delete"]), _PATHS, _PATHS)
_TASKS = st.lists(st.lists(_STEP, max_size=4), min_size=1, max_size=3)

Seen = dict[str, bytes | None]


class Plan:
    """A run of the real transactions over a temporary home."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.transactions = Transactions(folder / "transactions", self.home, state=folder / "transactions")
        self.staging = self.transactions.begin("run")
        self._tasks = 0

    def context(self) -> Context:
        self._tasks += 1
        folder = self.staging.task_folder(f"t{self._tasks}")
        return Context(home=str(self.home), now=NOON, staging=folder, view=self.staging.view())

    def describe(self, context: Context) -> None:
        self.staging.describe(f"t{self._tasks}", context.told().effects)

    def commit(self) -> None:
        self.staging.commit(self.staging.seal().seal)

    def seen(self) -> Seen:
        context = Context(home=str(self.home), now=NOON, view=self.staging.view())
        length = len(str(self.home)) + 1
        found: Seen = {file.path[length:]: context.read_bytes(file) for file in context.scan("~")}
        return found | {folder.path[length:]: None for folder in context.folders("~", recursive=True)}

    def on_disk(self) -> Seen:
        paths = (path for path in self.home.rglob("*") if not path.relative_to(self.home).parts[0].startswith("."))
        return {str(path.relative_to(self.home)): None if path.is_dir() else path.read_bytes() for path in paths}


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan(tmp_path)


def _act(context: Context, op: str, one: str, two: str) -> None:
    match op:
        case "write" | "append":
            getattr(context, op)(one, f"{op} {two}\n")
        case "move" | "copy":
            getattr(context, op)(one, two)
        case _:
            getattr(context, op)(one)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(_TASKS)
def test_what_is_seen_is_what_is_committed(tasks: list[list[tuple[str, str, str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(Path(folder))
        (plan.home / "a" / "b").mkdir(parents=True)
        (plan.home / "a" / "b" / "c.txt").write_text("deep")
        (plan.home / "b").write_text("plain")
        before = plan.on_disk()
        for steps in tasks:
            context = plan.context()
            for step in steps:
                try:
                    _act(context, *step)
                except ToolError:
                    continue
            plan.describe(context)
        seen = plan.seen()
        assert plan.on_disk() == before
        plan.commit()
        assert plan.on_disk() == seen


def test_find_move_and_note_in_one_plan(plan: Plan) -> None:
    (plan.home / "Downloads").mkdir()
    for name in ("invoice 1.pdf", "invoice 2.pdf", "photo.jpg"):
        (plan.home / "Downloads" / name).write_text(name)
    found = files.find(plan.context(), name="invoice")
    moving = plan.context()
    moved = files.move(moving, found, Folder(str(plan.home / "Finance" / "2025")))
    plan.describe(moving)
    writing = plan.context()
    notes.create(writing, "moved", "\n".join(file.name for file in moved))
    plan.describe(writing)
    plan.commit()
    assert set(plan.on_disk()) == {
        "Downloads",
        "Downloads/photo.jpg",
        "Finance",
        "Finance/2025",
        "Finance/2025/invoice 1.pdf",
        "Finance/2025/invoice 2.pdf",
        "Notes",
        "Notes/moved.md",
    }
    assert (plan.home / "Notes" / "moved.md").read_text() == "invoice 1.pdf\ninvoice 2.pdf\n"
    plan.transactions.undo("run")
    assert set(plan.on_disk()) == {
        "Downloads",
        "Downloads/invoice 1.pdf",
        "Downloads/invoice 2.pdf",
        "Downloads/photo.jpg",
    }


def test_adding_to_a_note_appends(plan: Plan) -> None:
    (plan.home / "Notes").mkdir()
    (plan.home / "Notes" / "List.md").write_text("milk\n")
    context = plan.context()
    notes.add(context, "list", "eggs")
    plan.describe(context)
    (change,) = plan.staging.seal().changes
    assert change.appends
    plan.commit()
    assert (plan.home / "Notes" / "List.md").read_text() == "milk\neggs\n"
