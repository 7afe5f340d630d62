"""Runs with conditions, lists and values that decide something become skills that do the same, and ask the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kernel.authoring.from_run import _making
from kernel.authoring.testing import practised
from kernel.errors import BadRequest
from kernel.model import FromTask
from skills import Registry
from skills.authoring import Severity, lint
from skills.model import ParamRole, Tool
from tests.kernel.authoring.test_from_run import done, installed, made
from tests.kernel.authoring.test_testing import change
from tests.kernel.conftest import Bench

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]


def tool_of(folder: Path) -> Tool:
    assert [one for one in lint(folder) if one.severity is Severity.ERROR] == []
    registry = Registry([folder.parent])
    assert registry.problems() == ()
    return registry.tools()[0]


async def with_words(bench: Bench, folder: Path, *examples: str) -> None:
    own = ", ".join(map(json.dumps, examples))
    change(folder, "steward.toml", "en = [", f"en = [{own}, ")
    await installed(bench, folder)


def put(bench: Bench, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        place = bench.home / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


BILLS = {
    "Invoices/acme.txt": "Invoice 1\nTotal: 120.50 EUR\n",
    "Invoices/bolt.txt": "Invoice 2\nTotal: 80.00 EUR\n",
    "Bills/cord.txt": "Invoice 3\nTotal: 40.00 EUR\n",
    "Bills/dust.txt": "Invoice 4\nTotal: 300.00 EUR\n",
}


async def test_what_is_done_for_each_item_is_a_loop(bench: Bench, tmp_path: Path) -> None:
    put(bench, BILLS)
    folder = await made(bench, "for each file in Invoices, make a note with its total", tmp_path, "totals")
    tool = tool_of(folder)
    assert (await practised(folder))["passed"], (await practised(folder))["output"]
    await with_words(bench, folder, "jot {name:total} of {folder:Music}", "jot {name:date} of {folder:Films}")
    view = await bench.ask("jot total of Bills")
    assert [task["tool"] for task in view["plan"]["tasks"]] == [tool.id], view["plan"]
    assert view["resolution"] == "confirmed", view["error"]
    assert {path for path in bench.tree() if path.startswith("Notes/")} >= {"Notes/cord.md", "Notes/dust.md"}
    assert b"300" in bench.tree()["Notes/dust.md"]


async def test_a_condition_is_decided_anew(bench: Bench, tmp_path: Path) -> None:
    put(bench, BILLS)
    said = "for each file in Invoices, if its total is over 100, make a note with its total"
    folder = await made(bench, said, tmp_path, "large")
    tool_of(folder)
    report = await practised(folder)
    assert report["passed"], report["output"]
    await with_words(bench, folder, "pick {name:total} of {folder:Music}", "pick {name:date} of {folder:Films}")
    view = await bench.ask("pick total of Bills")
    assert view["resolution"] == "confirmed", view["error"]
    assert "Notes/dust.md" in bench.tree()
    assert "Notes/cord.md" not in bench.tree()
    assert "Not done: only if" in view["answer"]


async def test_a_branch_that_was_not_taken_is_part_of_it(bench: Bench, tmp_path: Path) -> None:
    put(bench, {"Downloads/a.pdf": "%PDF", "Music/b.pdf": "%PDF", "Music/c.pdf": "%PDF"})
    said = "if there are more than 1 pdfs in Downloads, move them to Archive"
    folder = await made(bench, said, tmp_path, "tidy")
    tool = tool_of(folder)
    assert {one.name: one.role for one in tool.parameters}["to"] is ParamRole.SINK
    report = await practised(folder)
    assert report["passed"], report["output"]
    await with_words(bench, folder, "sweep {folder:Videos} into {to:Cellar}", "sweep {folder:Films} into {to:Attic}")
    view = await bench.ask("sweep Music into Cellar")
    assert [task["tool"] for task in view["plan"]["tasks"]] == [tool.id], view["plan"]
    assert view["resolution"] == "confirmed", view["error"]
    assert {"Cellar/b.pdf", "Cellar/c.pdf"} <= set(bench.tree())
    view = await bench.ask("sweep Downloads into Cellar")
    assert "Not done: only if" in view["answer"], view
    assert "Downloads/a.pdf" in bench.tree()


async def test_a_place_that_was_said_stays_a_sink(bench: Bench, tmp_path: Path) -> None:
    put(bench, {"Downloads/a.pdf": "%PDF", "Music/b.pdf": "%PDF"})
    folder = await made(bench, "find all pdfs in Downloads and delete them", tmp_path, "clear-out")
    tool = tool_of(folder)
    assert (await practised(folder))["passed"]
    await with_words(bench, folder, "purge {folder:Videos}", "purge {folder:Films} now")
    view = await done(bench, "purge Music")
    assert [task["tool"] for task in view["plan"]["tasks"]] == [tool.id], view["plan"]
    assert view["resolution"] == "confirmed", view["error"]
    assert "Music/b.pdf" not in bench.tree()  # what one of Steward's own tools found is the file itself


async def test_an_address_out_of_a_text_is_asked_for(bench: Bench, tmp_path: Path) -> None:
    put(bench, {"Downloads/a.pdf": "%PDF"})
    view = await bench.ask("find the pdfs in Downloads and move them to Archive")
    assert view["resolution"] == "confirmed", view["error"]
    house = bench.kernel._house
    plan = house.talk.plan(view["run"])
    assert plan is not None
    found, moved = plan.tasks
    letter = replace(moved, arguments={**moved.arguments, "to": FromTask(found.id, "stem", 0)})
    making = _making(house, view["run"], view["text"], replace(plan, tasks=(found, letter)))
    drafted = making.drafted("sorted-away")
    to = next(one for one in drafted.parameters if one.name == "to")
    assert (to.said, to.role) == ("", ParamRole.SINK)
    assert "{to" not in drafted.example


async def test_steps_that_change_the_same_file_go_on_from_each_other(bench: Bench, tmp_path: Path) -> None:
    put(bench, {"Notes/list.md": "eggs\n"})
    said = "add milk to my note list and add bread to my note list"
    folder = await made(bench, said, tmp_path, "shopping")
    tool = tool_of(folder)
    await with_words(bench, folder, "stock {text:tea} and {text_2:jam} on {title:list}")
    view = await bench.ask("stock rice and beans on list")
    assert [task["tool"] for task in view["plan"]["tasks"]] == [tool.id], view["plan"]
    assert view["resolution"] == "confirmed", view["error"]
    text = bench.tree()["Notes/list.md"].decode()
    assert all(word in text for word in ("eggs", "rice", "beans")), text


async def test_a_step_says_its_number_where_it_cannot_be_one(bench: Bench, tmp_path: Path) -> None:
    view = await bench.ask("remind me in 20 minutes to call Anna")
    with pytest.raises(BadRequest, match=r"step 1 \(.*\) works with what .* keeps for itself"):
        await bench.kernel.rooms.draft_skill(view["run"], "ringing", str(tmp_path))
