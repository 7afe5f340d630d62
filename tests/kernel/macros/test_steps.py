"""A macro as a step of other sentences: put in as it was kept, or refused by its name; never read as something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from tests.kernel.macros.test_changed import TEXT, lay
from tests.kernel.routines.conftest import Desk, desk_on

pytestmark = pytest.mark.slow

TIDY = ["files.find", "files.move"]


@pytest.fixture
async def tidy(desk: Desk) -> Desk:
    """A desk with PDFs in Downloads, and a macro that moves them to Backup."""
    for name in ("a.pdf", "b.pdf"):
        (desk.home / "Downloads" / name).write_text("x")
    await desk.say("define tidy as move the PDFs in Downloads to Backup")
    assert [one["name"] for one in desk.kernel.macros.every()] == ["tidy"]
    return desk


def tools(view: dict[str, Any]) -> list[str]:
    return [task["tool"] for task in (view["plan"] or {"tasks": []})["tasks"]]


@pytest.mark.parametrize(("said", "done"), [
    ("tidy and list the files in Backup", [*TIDY, "files.contents"]),
    ("please do tidy and then list the files in Backup", [*TIDY, "files.contents"]),
    ("list the files in Finance, then tidy", ["files.contents", *TIDY]),
    ("tidy before you list the files in Backup", [*TIDY, "files.contents"]),
    ("führe tidy aus und zeig mir meine offenen Aufgaben", [*TIDY, "tasks.show"]),
    ("zeig mir meine offenen Aufgaben und dann tidy", ["tasks.show", *TIDY]),
])  # fmt: skip
async def test_it_is_done_in_its_place_and_what_is_said_behind_it_waits(tidy: Desk, said: str, done: list[str]) -> None:
    view = await tidy.say(said)
    assert view["resolution"] == "confirmed", view["answer"]
    assert tools(view) == done
    assert sorted(path.name for path in (tidy.home / "Backup").glob("*.pdf")) == ["a.pdf", "b.pdf"]
    tasks = view["plan"]["tasks"]
    assert all(task["after"] for task in tasks[1:]), tasks


async def test_a_condition_about_what_it_did_waits_for_it(tidy: Desk) -> None:
    view = await tidy.say("tidy, and if there are more than 2 files in Backup, list the files in Finance")
    assert "expenses.csv" in view["answer"], view["answer"]
    view = await tidy.say("if there are more than 9 files in Backup, tidy and list the files in Finance")
    assert view["answer"].count("Not done") == 2, view["answer"]
    assert "expenses.csv" not in view["answer"]


async def test_what_it_found_can_be_meant_and_comes_behind_what_was_said(tidy: Desk) -> None:
    view = await tidy.say("find the largest file in Finance and tidy and copy it to Backup")
    assert view["plan"]["tasks"][-1]["arguments"]["files"] == "← t1", view["plan"]
    view = await tidy.say("tidy and copy them to Finance")
    assert view["plan"]["tasks"][-1]["arguments"]["files"] == "← t2", view["plan"]


@pytest.mark.parametrize("said", [
    "tidy or list the files in Backup", "tidy tomorrow", "if Downloads is full, tidy", "for each PDF in Downloads tidy",
    "list the files in Backup before you tidy", "make a note buy milk and tidy", "tidy und flurbel den Wibbel",
])  # fmt: skip
async def test_where_it_cannot_be_built_it_is_refused_by_its_name(tidy: Desk, said: str) -> None:
    view = await tidy.say(said)
    assert view["resolution"] == "declined", view["answer"]
    assert "tidy" in view["answer"]
    assert len(list((tidy.home / "Downloads").glob("*.pdf"))) == 2


async def test_where_its_name_may_be_a_value_it_is_asked(tidy: Desk) -> None:
    view = await tidy.say("create folders invoices and tidy")
    assert view["resolution"] == "clarify"
    assert "“tidy”" in view["question"]["text"]
    assert "do “tidy”" in view["question"]["choices"][0]


async def test_a_definition_and_a_rule_have_it_as_a_step(tidy: Desk) -> None:
    await tidy.say("define weekly as tidy and list the files in Backup")
    weekly = tidy.kernel.macros.whole("weekly")
    assert weekly["tools"] == [*TIDY, "files.contents"]
    await tidy.say("every Friday at 17:00 tidy and show me my open tasks")
    (routine,) = tidy.kernel.routines.every()
    view = await tidy.kernel.settled(await tidy.kernel.routines.run(routine["name"]))
    assert tools(view) == [*TIDY, "tasks.show"]


async def test_words_with_it_teach_nothing_and_have_no_other_version(tidy: Desk) -> None:
    await tidy.say("tidy and list the files in Backup")
    view = await tidy.say("list the files in Finance and list the files in Backup")
    assert "files.move" not in tools(view), view["plan"]


async def test_a_draft_shows_it_too(tidy: Desk) -> None:
    drafted = await tidy.kernel.draft(Ask("tidy and list the files in Backup", cwd=str(tidy.home)))
    assert [task["tool"] for task in drafted["plan"]["tasks"]] == [*TIDY, "files.contents"]


@pytest.mark.sandbox
async def test_one_whose_skill_changed_is_put_into_nothing(tmp_path: Path) -> None:
    lay(tmp_path, "ding")
    async with desk_on(tmp_path) as first:
        await first.say(f"define evening as {TEXT}")
        assert first.kernel.macros.every()
    lay(tmp_path, "dong")
    async with desk_on(tmp_path) as desk:
        view = await desk.say("evening and list the files in Backup")
        assert view["resolution"] == "declined", view["answer"]
        assert "“evening” is a macro" in view["answer"]
        assert "chime.ring" in view["answer"]
