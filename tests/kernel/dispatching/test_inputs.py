"""What a plan only read is compared at its commit: a note of an old text does not come about unseen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernel.dispatching.inputs import inputs_of
from kernel.handling import plans
from permissions.model import Action, Layer, Right
from permissions.transactions import Staging

Bench = Any  # tests/kernel/conftest.py

ASK = "summarize lecture.md and save it as a note called lecture summary"
OLD = "# Rivers\n\nThe Danube flows into the Black Sea. It passes Vienna and Budapest.\n"
NEW = "# Lakes\n\nLake Constance lies between three countries. The Rhine flows through it.\n"
NOTE = "Notes/lecture summary.md"


def while_it_commits(monkeypatch: pytest.MonkeyPatch, act: Callable[[int], None]) -> list[int]:
    """Let a neighbour ``act`` when all calls have ended and before each commit; return the times it did."""
    real, times = plans.commit, list[int]()

    async def commit(*arguments: Any) -> Any:
        times.append(len(times))
        act(len(times))
        return await real(*arguments)

    monkeypatch.setattr(plans, "commit", commit)
    return times


async def test_nothing_changes_and_the_note_is_made(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    (bench.home / "lecture.md").write_text(OLD)
    times = while_it_commits(monkeypatch, lambda _: (bench.home / "beside.md").write_text("x") and None)
    view = await bench.ask(ASK)
    assert (view["resolution"], len(times)) == ("confirmed", 1), view["answer"]
    assert b"Danube" in bench.tree()[NOTE]


async def test_a_pure_addition_is_done_once_more_on_what_stands_there(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    lecture = bench.home / "lecture.md"
    lecture.write_text(OLD)
    times = while_it_commits(monkeypatch, lambda time: lecture.write_text(NEW) and None if time == 1 else None)
    view = await bench.ask(ASK)
    assert (view["resolution"], len(times)) == ("confirmed", 2), view["answer"]
    assert b"Danube" not in bench.tree()[NOTE]
    assert b"Constance" in bench.tree()[NOTE]


async def test_an_input_that_never_rests_ends_the_run_with_its_name(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    lecture = bench.home / "lecture.md"
    lecture.write_text(OLD)
    while_it_commits(monkeypatch, lambda time: lecture.write_text(NEW * time) and None)
    view = await bench.ask(ASK)
    assert (view["resolution"], view["error"]["code"]) == ("failed", "conflict.read")
    assert "lecture.md" in view["answer"]
    assert NOTE not in bench.tree()


async def test_it_is_said_in_german(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    lecture = bench.home / "lecture.md"
    lecture.write_text(OLD)
    while_it_commits(monkeypatch, lambda time: lecture.write_text(NEW * time) and None)
    view = await bench.ask("fasse lecture.md zusammen und speichere es als Notiz namens Vorlesung")
    assert view["error"]["code"] == "conflict.read", view["answer"]
    assert "wurde dafür gelesen und hat sich seitdem geändert" in view["answer"]


async def test_what_was_read_is_noted_in_a_thread(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of paths are parsed there, and the daemon goes on answering meanwhile."""
    real, threads = Staging.rests_on, list[int]()

    def rests_on(staging: Staging, versions: Any) -> None:
        threads.append(threading.get_ident())
        real(staging, versions)

    monkeypatch.setattr(Staging, "rests_on", rests_on)
    (bench.home / "lecture.md").write_text(OLD)
    assert (await bench.ask(ASK))["resolution"] == "confirmed"
    assert threads
    assert threading.get_ident() not in threads


async def test_what_also_overwrites_is_not_done_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    lecture, other = bench.home / "lecture.md", bench.home / "Downloads" / "small.txt"
    lecture.write_text(OLD)
    times = while_it_commits(monkeypatch, lambda time: lecture.write_text(NEW * time) and None)
    view = await bench.ask(f"{ASK}, and delete small.txt")
    assert len(view["plan"]["tasks"]) == 3, view
    assert (view["error"]["code"], len(times)) == ("conflict.read", 1), view["answer"]
    assert other.exists()
    assert NOTE not in bench.tree()


V = (1, 2, 3, 4, 5)


def test_what_lies_beyond_the_rights_or_in_a_tree_of_the_call_is_passed_over(tmp_path: Path) -> None:
    needs = [Right(Action.FS_READ, "/home/a/Documents", True), Right(Action.FS_READ, "/home/a/b.txt"),
             Right(Action.FS_WRITE, "/home/a/w.txt"), Right(Action.FS_READ, "/home/a/src", True)]  # fmt: skip
    read = dict.fromkeys(
        ["/home/a/Documents/x/y", "/home/a/Documentsx", "/home/a/b.txt", "/home/a/b.txt/z", "/home/a/w.txt",
         "/home/a/.ssh/id", "/home/a/src/main.c"], V)  # fmt: skip
    layers = [Layer("/home/a/src", str(tmp_path))]
    assert set(inputs_of(read, needs, layers)) == {"/home/a/Documents/x/y", "/home/a/b.txt"}
    assert "/home/a/src/main.c" in inputs_of(read, needs, [])
