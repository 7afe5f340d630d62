"""A command line that a person gives runs in a folder of theirs: asked every time, shown, undone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from permissions.confine.machine import machine_level
from permissions.model import Level

if TYPE_CHECKING:
    from tests.kernel.conftest import Bench

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.slow,
    pytest.mark.skipif(machine_level() is not Level.L3, reason="commands run at L3 alone: ./steward doctor"),
]


def furnish(bench: Bench) -> None:
    site = bench.home / "Projects" / "site"
    site.mkdir(parents=True)
    (site / "names.txt").write_text("b\na\n")
    (site / "Makefile").write_text("out: names.txt\n\tsort names.txt > out\n\techo built\n")


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("run `make` in ~/Projects/site", "I ran `make` in ~/Projects/site.\nsort names.txt > out\necho built\nbuilt"),
        ('execute "make" in Projects/site', "I ran `make` in ~/Projects/site."),
        ("führe `make` in Projects/site aus", "Ich habe `make` in ~/Projects/site ausgeführt."),
        ("führe den Befehl `make` in ~/Projects/site aus", "Ich habe `make` in ~/Projects/site ausgeführt."),
        ("please run the command `make` in the folder Projects/site", "I ran `make` in ~/Projects/site."),
    ],
)
async def test_a_command_runs_after_a_yes_and_is_undone(bench: Bench, sentence: str, answer: str) -> None:
    furnish(bench)
    before = bench.tree()
    view = await bench.ask(sentence, yes=False)
    assert view["resolution"] == "pending", view
    assert bench.tree() == before
    view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view["error"]
    assert view["answer"].startswith(answer)
    assert bench.tree() == {**before, "Projects/site/out": b"a\nb\n"}
    undone = await bench.ask("undo that")
    assert undone["resolution"] in ("executed", "confirmed"), undone
    assert bench.tree() == before


async def test_it_is_asked_every_time_also_after_always(bench: Bench) -> None:
    furnish(bench)
    for number in range(2):
        view = await bench.ask("run `touch again` in ~/Projects/site", yes=False)
        assert view["resolution"] == "pending", number
        card = view["card"]
        (line,) = card["lines"]
        assert line["words"] == "read everything, create files, change files and remove files in ~/Projects/site"
        assert (
            "it may change anything there, so it is asked every time; you see the changes before they count"
            in line["reasons"]
        )
        view = await bench.answer(view["run"], "always")
        assert view["resolution"] in ("confirmed", "pending"), view["error"]
        if view["resolution"] == "pending":
            await bench.answer(view["run"], "once")
    assert [grant for grant in bench.kernel._house.policy.grants if grant.skill == "shell"] == []


async def test_a_standing_grant_does_not_answer_for_it(bench: Bench) -> None:
    furnish(bench)
    for action in ("fs.read", "fs.create", "fs.write", "fs.delete"):
        await bench.kernel.grant("shell", f"{action}:{bench.home}/Projects/site/**")
    view = await bench.ask("run `ls` in ~/Projects/site", yes=False)
    assert view["resolution"] == "pending"
    view = await bench.answer(view["run"], "no")
    assert view["resolution"] == "blocked"


async def test_an_overwrite_is_shown_before_it_counts(bench: Bench) -> None:
    furnish(bench)
    view = await bench.ask("run `sort -o names.txt names.txt; rm Makefile` in ~/Projects/site", yes=False)
    view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "pending"
    assert {one["why"] for one in view["card"]["concerns"]} == {"overwrites", "deletes"}
    assert any("+a" in one["text"] for one in view["diff"])
    assert (bench.home / "Projects" / "site" / "names.txt").read_text() == "b\na\n"
    view = await bench.answer(view["run"], "no")
    assert (bench.home / "Projects" / "site" / "names.txt").read_text() == "b\na\n"


async def test_a_command_that_fails_changes_nothing_and_says_why(bench: Bench) -> None:
    furnish(bench)
    before = bench.tree()
    view = await bench.ask("run `echo x > y; echo wrong >&2; exit 4` in ~/Projects/site")
    assert view["resolution"] == "failed"
    assert "ended with status 4, so nothing was changed.\nwrong" in view["answer"]
    assert bench.tree() == before


async def test_a_command_sees_its_folder_alone_and_no_network(bench: Bench) -> None:
    furnish(bench)
    (bench.home / "secret.txt").write_text("my secret")
    look = f"cat {bench.home}/secret.txt ../../secret.txt; ls {bench.home}; cat /proc/net/dev; id -u; true"
    view = await bench.ask(f"run `{look}` in ~/Projects/site")
    assert view["resolution"] == "confirmed", view["error"]
    assert "my secret" not in view["answer"]
    assert "Downloads" not in view["answer"]
    assert "eth" not in view["answer"]


async def test_a_place_that_is_never_written_refuses_the_whole_command(bench: Bench) -> None:
    furnish(bench)
    view = await bench.ask(
        "run `echo x > ok; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit` in ~/Projects/site"
    )
    assert view["resolution"] == "failed"
    assert ".git" in view["answer"]
    assert not os.path.exists(bench.home / "Projects" / "site" / "ok")


async def test_a_command_without_a_folder_asks_for_one(bench: Bench) -> None:
    furnish(bench)
    view = await bench.ask("run `make`")
    assert view["resolution"] == "clarify", view["answer"]


async def test_what_cannot_be_kept_is_said(bench: Bench) -> None:
    furnish(bench)
    view = await bench.ask("run `mkfifo pipe; echo x > y` in ~/Projects/site")
    assert view["resolution"] == "confirmed", view["error"]
    assert view["answer"].endswith(f"Not kept (devices, pipes and sockets): {bench.home}/Projects/site/pipe")
    assert not (bench.home / "Projects" / "site" / "pipe").exists()
